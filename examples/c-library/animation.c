// Draws the frames of an animation of 0.6 seconds, by a virtual clock.
#include <frost.h>
#include <stdio.h>

/* Draws a frame of an animation of 0.6 seconds. */
static void draw(void *user_data, const frost_tick *tick) {
    double progress = 0;
    (void)user_data;
    if (frost_animation_progress(0, 600000000, tick->timestamp, &progress) != FROST_OK) return;
    printf("frame %d: %.2f, %d dropped\n", (int)tick->frame_index, progress, (int)tick->dropped);
}

int main(void) {
    frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
    frost_display_link *link = NULL;
    int frame;

    options.source = FROST_CLOCK_VIRTUAL;
    if (frost_display_link_create(&options, draw, NULL, &link) != FROST_OK) {
        fprintf(stderr, "%s\n", frost_error_message());
        return 1;
    }
    for (frame = 0; frame <= 36; frame++) frost_display_link_advance(link, 1, NULL);
    frost_display_link_destroy(link);
    return 0;
}
