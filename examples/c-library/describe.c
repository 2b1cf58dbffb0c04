// What the library can do: prints the version, the devices, and all effects and transitions with their parameters.
#include <frost.h>
#include <stdio.h>

static void log_message(void *user_data, int32_t level, const char *message) {
    (void)user_data;
    fprintf(stderr, "%d: %s\n", (int)level, message);
}

static void print_parameter(const frost_parameter_info *parameter) {
    printf("    %s=%s: %s\n", parameter->name, parameter->default_value, parameter->help);
}

int main(void) {
    frost_device_list *devices = NULL;
    size_t i, k;

    frost_set_log(log_message, FROST_LOG_WARNING, NULL);
    printf("library %s, header %d.%d.%d\n", frost_version(), FROST_VERSION_MAJOR, FROST_VERSION_MINOR,
           FROST_VERSION_PATCH);
    printf("%d threads by default\n", (int)frost_default_threads());
    if (frost_device_list_create(&devices) != FROST_OK) printf("no devices: %s\n", frost_error_message());
    for (i = 0; i < frost_device_list_count(devices); i++) {
        frost_device_info device = FROST_DEVICE_INFO_INIT;
        frost_device_list_describe(devices, i, &device);
        printf("device %d: %s\n", (int)device.index,
               device.status == FROST_DEVICE_UNUSABLE ? device.reason : device.renderer);
    }
    frost_device_list_destroy(devices);
    for (i = 0; i < frost_effect_count(); i++) {
        frost_effect_info effect = FROST_EFFECT_INFO_INIT;
        frost_effect_describe(i, &effect);
        printf("%s: %s\n", effect.name, effect.summary);
        for (k = 0; k < effect.parameter_count; k++) {
            frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
            frost_effect_describe_parameter(i, k, &parameter);
            print_parameter(&parameter);
        }
    }
    for (i = 0; i < frost_transition_count(); i++) {
        frost_transition_info transition = FROST_TRANSITION_INFO_INIT;
        frost_transition_describe(i, &transition);
        printf("%s (%s): %s\n", transition.name, transition.filter, transition.summary);
        for (k = 0; k < transition.parameter_count; k++) {
            frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
            frost_transition_describe_parameter(i, k, &parameter);
            print_parameter(&parameter);
        }
    }
    return 0;
}
