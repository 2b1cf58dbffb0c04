// Renders the 72 frames of a flash between two images.
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    frost_renderer *renderer = NULL;
    frost_transition *transition = NULL;
    frost_source from = FROST_SOURCE_INIT, to;
    frost_target frame = FROST_TARGET_INIT;
    int n;

    from.width = 640;
    from.height = 480;
    from.byte_count = 640 * 480 * 4;
    to = from;
    from.pixels = calloc(1, from.byte_count);
    to.pixels = calloc(1, to.byte_count);
    if (frost_renderer_create(NULL, &renderer) != FROST_OK ||
        frost_transition_create("flash", "fade-threshold=0.8", NULL, &transition) != FROST_OK ||
        frost_transition_describe_target(transition, &from, &to, NULL, &frame) != FROST_OK ||
        (frame.pixels = malloc(frame.byte_count)) == NULL) {
        fprintf(stderr, "%s\n", frost_error_message());
        return 1;
    }
    for (n = 0; n < 72; n++) {
        if (frost_render_transition(renderer, transition, n / 71.0, &from, &to, &frame, NULL, NULL) != FROST_OK) {
            fprintf(stderr, "%s\n", frost_error_message());
            return 1;
        }
        /* Show the frame, or write it to a file. */
    }
    printf("%d frames of %dx%d\n", n, (int)frame.width, (int)frame.height);
    frost_transition_destroy(transition);
    frost_renderer_destroy(renderer);
    free(frame.pixels);
    free((void *)from.pixels);
    free((void *)to.pixels);
    return 0;
}
