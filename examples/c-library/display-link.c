// Polls the descriptor of a display link, draws every second refresh, pauses the link, and then passes on the refreshes that
// a program learns from its display.
#include <frost.h>
#include <poll.h>
#include <stdio.h>

int main(void) {
    frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
    frost_display_link *link = NULL;
    frost_tick tick = FROST_TICK_INIT;
    struct pollfd event = {-1, POLLIN, 0};
    int32_t descriptor = -1;
    int ticks = 0;

    options.source = FROST_CLOCK_DESCRIPTOR;
    if (frost_display_link_create(&options, NULL, NULL, &link) != FROST_OK ||
        frost_display_link_set_frame_interval(link, 2) != FROST_OK ||
        frost_display_link_descriptor(link, &descriptor) != FROST_OK) {
        fprintf(stderr, "%s\n", frost_error_message());
        return 1;
    }
    event.fd = descriptor;
    while (ticks < 3 && frost_display_link_status(link) == FROST_OK) {
        if (poll(&event, 1, -1) == 1 && frost_display_link_dispatch(link, &tick) == FROST_OK) ticks++;
    }
    /* While nothing moves, no timer wakes the program. */
    frost_display_link_set_paused(link, 1);
    frost_display_link_invalidate(link);
    printf("after %d ticks: %s\n", ticks, frost_status_name(frost_display_link_status(link)));
    frost_display_link_destroy(link);

    /* In the handler of a vblank or of a frame callback: the time of the refresh, and the number of refreshes. */
    options.source = FROST_CLOCK_MANUAL;
    if (frost_display_link_create(&options, NULL, NULL, &link) != FROST_OK) return 1;
    if (frost_display_link_tick(link, 1000000000, 1, &tick) == FROST_OK) printf("tick %d\n", (int)tick.frame_index);
    frost_display_link_destroy(link);
    return 0;
}
