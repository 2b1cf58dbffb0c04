// Renders an effect on raw pixels, so that the result can be compared with the command's output.
//
//   render NAME PARAMETERS WIDTH HEIGHT <RGBA >RESULT
//
// The program prints the result's width, height and channels to standard error.
#include "check.h"

int main(int count, char **words) {
    if (count != 5) return 2;
    const int32_t width = atoi(words[3]), height = atoi(words[4]);
    uint8_t *from = malloc((size_t)width * (size_t)height * 4);
    if (!from || fread(from, 4, (size_t)width * (size_t)height, stdin) != (size_t)width * (size_t)height) return 2;
    const frost_source source = source_of(from, width, height);
    frost_target target = FROST_TARGET_INIT;
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    frost_effect *effect = NULL;
    frost_status status = frost_renderer_create(&options, &renderer);
    if (!status) status = frost_effect_create(words[1], words[2], NULL, &effect);
    if (!status) status = frost_effect_describe_target(effect, &source, NULL, &target);
    target.pixels = malloc(target.byte_count + 1);
    if (!status) status = frost_render(renderer, effect, &source, &target, NULL, NULL);
    if (status) {
        fprintf(stderr, "%s: %s\n", frost_status_name(status), frost_error_message());
        return 1;
    }
    fprintf(stderr, "%d %d %d\n", target.width, target.height, target.channels);
    fwrite(target.pixels, 1, target.byte_count, stdout);
    free(target.pixels);
    free(from);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    return 0;
}
