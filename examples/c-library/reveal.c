// Computes an effect once and shows it in a shape that moves, in the ticks of a timer.
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 320 * 240 * 4 };

static void check(frost_status status) {
    if (status == FROST_OK) return;
    fprintf(stderr, "%s: %s\n", frost_status_name(status), frost_error_message());
    exit(1);
}

int main(void) {
    frost_renderer *renderer = NULL;
    frost_effect *effect = NULL;
    frost_reveal *reveal = NULL;
    frost_update_timer *timer = NULL;
    frost_source source = FROST_SOURCE_INIT;
    frost_target frame = FROST_TARGET_INIT;
    frost_shape lens = FROST_SHAPE_INIT;
    frost_update_tick tick = FROST_UPDATE_TICK_INIT;
    int frames;

    source.width = 320;
    source.height = 240;
    source.byte_count = BYTES;
    source.pixels = calloc(1, BYTES);
    check(frost_renderer_create(NULL, &renderer));
    check(frost_effect_create("blur-dark", NULL, NULL, &effect));
    check(frost_reveal_create(renderer, effect, &source, NULL, NULL, &reveal));
    check(frost_reveal_describe_target(reveal, &frame));
    frame.pixels = malloc(frame.byte_count);

    lens.width = lens.height = 80;
    lens.corner_radius = 40;
    check(frost_update_timer_create(10 * 1000000, &timer));
    for (frames = 0; frames < 4; frames++) {
        /* A tick that is due while a frame is drawn is dropped, so the place follows from its number. */
        check(frost_update_timer_wait(timer, -1, &tick));
        lens.x = 20.5 * (double)tick.number;
        check(frost_reveal_render(reveal, &lens, 1, &frame));
    }
    /* Another thread may do this, to end a loop that waits. */
    frost_update_timer_cancel(timer);
    printf("%d frames, then: %s\n", frames, frost_status_name(frost_update_timer_wait(timer, -1, &tick)));

    frost_update_timer_destroy(timer);
    frost_reveal_destroy(reveal);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    free(frame.pixels);
    free((void *)source.pixels);
    return 0;
}
