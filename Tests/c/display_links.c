// Tests the display link: a virtual clock, manual ticks, a timer with and without a thread, and invalid arguments.
#include "check.h"

#include <poll.h>
#include <sched.h>
#include <stdatomic.h>

static frost_display_link *link_of(int32_t source, int32_t frame_interval, frost_tick_callback callback, void *data) {
    frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
    options.source = source;
    options.frame_interval = frame_interval;
    frost_display_link *link = NULL;
    EXPECT(FROST_OK, "", frost_display_link_create(&options, callback, data, &link));
    return link;
}

// What a callback records. The callback ends the link after `limit` ticks, if there is a limit.
typedef struct {
    frost_display_link *_Atomic link;
    atomic_int calls, dropped, done;
    int limit;
    int destroys;
    int64_t last;
} seen;

static void see(void *data, const frost_tick *tick) {
    seen *all = data;
    CHECK(tick->struct_size == sizeof *tick && tick->frame_index > all->last);
    CHECK(tick->target_timestamp > tick->timestamp);
    all->last = tick->frame_index;
    all->dropped += (int)tick->dropped;
    if (++all->calls != all->limit) return;
    // The callback may run before frost_display_link_create() has returned.
    while (!all->link) sched_yield();
    if (all->destroys) frost_display_link_destroy(all->link);
    else frost_display_link_invalidate(all->link);
    all->done = 1;
}

// The rate arrives, and so do the fields of ticks. The library's own tests compute the times of ticks.
static void rates(void) {
    frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
    options.source = FROST_CLOCK_VIRTUAL;
    options.rate_numerator = 60000;
    options.rate_denominator = 1001;
    frost_display_link *link = NULL;
    frost_tick tick = FROST_TICK_INIT;
    EXPECT(FROST_OK, "", frost_display_link_create(&options, NULL, NULL, &link));
    for (int i = 0; i < 3; i++) EXPECT(FROST_OK, "", frost_display_link_advance(link, 1, &tick));
    CHECK(tick.frame_index == 2 && tick.timestamp == 33366666 && tick.target_timestamp == 50050000);
    CHECK(tick.duration == 16683333 && tick.dropped == 0);
    frost_display_link_destroy(link);
}

static void virtual_clock(void) {
    rates();
    seen all = {.last = -1};
    frost_display_link *link = link_of(FROST_CLOCK_VIRTUAL, 2, see, &all);
    frost_tick tick = FROST_TICK_INIT;
    EXPECT(FROST_OK, "", frost_display_link_advance(link, 1, &tick));
    EXPECT(FROST_NOT_READY, "", frost_display_link_advance(link, 1, &tick));
    EXPECT(FROST_OK, "", frost_display_link_advance(link, 7, &tick));
    // Refresh 8: the ticks at 2, 4 and 6 were dropped.
    CHECK(tick.frame_index == 8 && tick.dropped == 3 && tick.duration == 16666666);
    EXPECT(FROST_OK, "", frost_display_link_set_paused(link, 1));
    EXPECT(FROST_NOT_READY, "", frost_display_link_advance(link, 100, NULL));
    EXPECT(FROST_OK, "", frost_display_link_set_paused(link, 0));
    EXPECT(FROST_OK, "", frost_display_link_set_frame_interval(link, 1));
    EXPECT(FROST_OK, "", frost_display_link_advance(link, 1, &tick));
    CHECK(tick.frame_index == 109 && tick.dropped == 0);
    CHECK(all.calls == 3 && all.dropped == 3 && all.last == 109);
    EXPECT(FROST_OK, "", frost_display_link_status(link));
    frost_display_link_invalidate(link);
    frost_display_link_invalidate(link);
    EXPECT(FROST_CANCELLED, "", frost_display_link_advance(link, 1, &tick));
    EXPECT(FROST_CANCELLED, "", frost_display_link_status(link));
    frost_display_link_destroy(link);
}

static void advance_again(void *data, const frost_tick *tick) {
    seen *all = data;
    (void)tick;
    EXPECT(FROST_ERROR_ARGUMENT, "callback", frost_display_link_tick(all->link, 1, 1, NULL));
    all->calls++;
}

static void manual_ticks(void) {
    seen all = {.last = -1};
    all.link = link_of(FROST_CLOCK_MANUAL, 1, advance_again, &all);
    frost_tick tick = FROST_TICK_INIT;
    EXPECT(FROST_OK, "", frost_display_link_tick(all.link, 1000, 1, &tick));
    CHECK(tick.timestamp == 1000 && tick.target_timestamp == 16667666 && tick.frame_index == 0);
    EXPECT(FROST_ERROR_ARGUMENT, "earlier", frost_display_link_tick(all.link, 999, 1, &tick));
    EXPECT(FROST_ERROR_PARAMETER, "refreshes", frost_display_link_tick(all.link, 1000, 0, &tick));
    EXPECT(FROST_ERROR_PARAMETER, "refreshes", frost_display_link_tick(all.link, 1000, INT64_MIN, &tick));
    EXPECT(FROST_ERROR_PARAMETER, "time", frost_display_link_tick(all.link, INT64_MAX, 1, &tick));
    EXPECT(FROST_ERROR_PARAMETER, "time", frost_display_link_tick(all.link, INT64_MIN, 1, &tick));
    EXPECT(FROST_OK, "", frost_display_link_tick(all.link, 50000000, 3, &tick));
    CHECK(tick.frame_index == 3 && tick.dropped == 2 && all.calls == 2);
    EXPECT(FROST_ERROR_ARGUMENT, "virtual", frost_display_link_advance(all.link, 1, &tick));
    EXPECT(FROST_ERROR_ARGUMENT, "descriptor", frost_display_link_dispatch(all.link, &tick));
    int32_t fd = -1;
    EXPECT(FROST_ERROR_ARGUMENT, "descriptor", frost_display_link_descriptor(all.link, &fd));
    CHECK(fd == -1);
    frost_display_link_destroy(all.link);
}

// Tests that a callback on the timer's thread may end and destroy its link, and that no callback follows.
static void timer(int destroys) {
    for (int round = 0; round < 20; round++) {
        seen all = {.limit = 3, .destroys = destroys};
        frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
        options.rate_numerator = 1000;
        frost_display_link *link = NULL;
        EXPECT(FROST_OK, "", frost_display_link_create(&options, see, &all, &link));
        all.link = link;
        while (!all.done) sched_yield();
        if (!destroys) frost_display_link_destroy(link);
        CHECK(all.calls == 3);
    }
    // Links that are destroyed while their callback may be running.
    for (int round = 0; round < 100; round++) {
        seen all = {.last = 0};
        frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;
        options.rate_numerator = 1000;
        frost_display_link *link = NULL;
        EXPECT(FROST_OK, "", frost_display_link_create(&options, see, &all, &link));
        while (round % 2 && !all.calls) sched_yield();
        frost_display_link_destroy(link);
        const int calls = all.calls;
        sched_yield();
        CHECK(all.calls == calls);
    }
}

static void descriptor(void) {
    seen all = {.last = 0};
    frost_display_link *link = link_of(FROST_CLOCK_DESCRIPTOR, 1, see, &all);
    struct pollfd request = {.fd = -1, .events = POLLIN};
    EXPECT(FROST_OK, "", frost_display_link_descriptor(link, &request.fd));
    int64_t start = 0;
    for (int i = 0; i < 5; i++) {
        frost_tick tick = FROST_TICK_INIT;
        CHECK(poll(&request, 1, -1) == 1);
        EXPECT(FROST_OK, "", frost_display_link_dispatch(link, &tick));
        // All ticks lie on start + n/60, so start can be computed from any tick, up to the rounding of nanoseconds.
        const int64_t from = tick.timestamp - tick.frame_index * 1000000000 / 60;
        if (i == 0) start = from;
        CHECK(from - start >= -1 && from - start <= 1);
    }
    CHECK(all.calls == 5);
    frost_display_link_destroy(link);
}

static frost_status try_link(const frost_display_link_options *options) {
    frost_display_link *made = NULL;
    const frost_status status = frost_display_link_create(options, NULL, NULL, &made);
    frost_display_link_destroy(made);
    return status;
}

static void arguments(void) {
    frost_display_link_destroy(NULL);
    frost_display_link_invalidate(NULL);
    EXPECT(FROST_OK, "", try_link(NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_create(NULL, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_status(NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_set_paused(NULL, 0));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_set_frame_interval(NULL, 1));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_tick(NULL, 0, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_advance(NULL, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_dispatch(NULL, NULL));
    int32_t fd = 0;
    EXPECT(FROST_ERROR_ARGUMENT, "link is NULL", frost_display_link_descriptor(NULL, &fd));
    SIZES(frost_display_link_options, FROST_DISPLAY_LINK_OPTIONS_INIT, FROST_OK, try_link(shorter));
    frost_display_link *link = link_of(FROST_CLOCK_VIRTUAL, 0, NULL, NULL);
    EXPECT(FROST_ERROR_ARGUMENT, "fd is NULL", frost_display_link_descriptor(link, NULL));
    SIZES(frost_tick, FROST_TICK_INIT, FROST_OK, frost_display_link_advance(link, 1, shorter));
    EXPECT(FROST_ERROR_PARAMETER, "frame interval", frost_display_link_set_frame_interval(link, 0));
    EXPECT(FROST_ERROR_PARAMETER, "frame interval", frost_display_link_set_frame_interval(link, INT32_MIN));
    EXPECT(FROST_ERROR_ARGUMENT, "is_paused", frost_display_link_set_paused(link, 2));
    frost_display_link_destroy(link);
#define WITH(status, evidence, change)                                               \
    do {                                                                             \
        frost_display_link_options options = FROST_DISPLAY_LINK_OPTIONS_INIT;        \
        change;                                                                      \
        EXPECT(status, evidence, try_link(&options));                                \
    } while (0)
    WITH(FROST_ERROR_ARGUMENT, "source 4", options.source = 4);
    WITH(FROST_ERROR_ARGUMENT, "source -1", options.source = -1);
    WITH(FROST_ERROR_ARGUMENT, "reserved", options.reserved = 1);
    WITH(FROST_ERROR_ARGUMENT, "is_paused", options.is_paused = -1);
    WITH(FROST_ERROR_PARAMETER, "frame interval", options.frame_interval = -1);
    WITH(FROST_ERROR_PARAMETER, "frame interval", options.frame_interval = 1000001);
    WITH(FROST_ERROR_PARAMETER, "denominator", options.rate_denominator = 0);
    WITH(FROST_ERROR_PARAMETER, "rate", options.rate_numerator = -60);
    WITH(FROST_ERROR_PARAMETER, "rate", options.rate_numerator = 1001);
    WITH(FROST_OK, "", options.rate_numerator = options.rate_denominator = 0);
}

static void progress(void) {
    double value = -1;
    EXPECT(FROST_OK, "", frost_animation_progress(100, 1000, 600, &value));
    CHECK(value == 0.5);
    EXPECT(FROST_OK, "", frost_animation_progress(100, 1000, 0, &value));
    CHECK(value == 0);
    EXPECT(FROST_OK, "", frost_animation_progress(100, 1000, 1100, &value));
    CHECK(value == 1);
    EXPECT(FROST_OK, "", frost_animation_progress(100, 0, 100, &value));
    CHECK(value == 1);
    value = -1;
    EXPECT(FROST_ERROR_PARAMETER, "duration", frost_animation_progress(100, -1, 100, &value));
    EXPECT(FROST_ERROR_PARAMETER, "time", frost_animation_progress(INT64_MIN, 1, INT64_MAX, &value));
    EXPECT(FROST_ERROR_ARGUMENT, "progress is NULL", frost_animation_progress(0, 1, 0, NULL));
    CHECK(value == -1);
}

int main(void) {
    virtual_clock();
    manual_ticks();
    timer(0);
    timer(1);
    descriptor();
    arguments();
    progress();
    return finish("display_links");
}
