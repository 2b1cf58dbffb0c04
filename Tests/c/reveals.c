// Tests masked reveals, and the timers of regular updates.
#include "check.h"

#include <pthread.h>
#include <time.h>

enum { WIDTH = 61, HEIGHT = 47, BYTES = WIDTH * HEIGHT * 4 };

static frost_renderer *renderer;
static frost_effect *effect;
static uint8_t *pixels;
static frost_source source;

TRY(reveal, reveal, (const frost_source *picture, const frost_render_options *options, frost_report *report),
    frost_reveal_create(renderer, effect, picture, options, report, &made))
TRY(timer, update_timer, (int64_t interval), frost_update_timer_create(interval, &made))

static frost_shape shape_of(double x, double y, double width, double height, double radius) {
    frost_shape shape = FROST_SHAPE_INIT;
    shape.x = x;
    shape.y = y;
    shape.width = width;
    shape.height = height;
    shape.corner_radius = radius;
    return shape;
}

// The shape's fields arrive: inside it a frame has the bytes of the effect, outside it those of the picture.
static void frames(void) {
    frost_reveal *reveal = NULL;
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_reveal_create(renderer, effect, &source, NULL, &report, &reveal));
    CHECK(report.backend == FROST_BACKEND_CPU && report.passes > 0);
    frost_target target = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_reveal_describe_target(reveal, &target));
    CHECK(target.width == WIDTH && target.height == HEIGHT && target.channels == FROST_CHANNELS_RGBA);
    CHECK(target.byte_count == BYTES && target.pixels == NULL);

    uint8_t blurred[BYTES];
    const frost_target whole = target_of(blurred, WIDTH, HEIGHT);
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &whole, NULL, NULL));
    // The rows of the frame are longer than its pixels. The bytes between them do not change.
    enum { STRIDE = WIDTH * 4 + 12 };
    uint8_t frame[HEIGHT * STRIDE], expected[HEIGHT * STRIDE];
    memset(frame, 0x55, sizeof frame);
    memset(expected, 0x55, sizeof expected);
    for (int y = 0; y < HEIGHT; y++) {
        memcpy(expected + y * STRIDE, pixels + y * WIDTH * 4, WIDTH * 4);
        if (y >= 5 && y < 25) memcpy(expected + y * STRIDE + 20 * 4, blurred + (y * WIDTH + 20) * 4, 30 * 4);
    }
    target.pixels = frame;
    target.bytes_per_row = STRIDE;
    target.byte_count = sizeof frame;
    const frost_shape shape = shape_of(20, 5, 30, 20, 0);
    EXPECT(FROST_OK, "", frost_reveal_render(reveal, &shape, 1, &target));
    CHECK(memcmp(frame, expected, sizeof frame) == 0 && memcmp(blurred, pixels, BYTES) != 0);
    // Without shapes the frame is the picture.
    EXPECT(FROST_OK, "", frost_reveal_render(reveal, NULL, 0, &target));
    CHECK(memcmp(frame + 10 * STRIDE, pixels + 10 * WIDTH * 4, WIDTH * 4) == 0);
    frost_reveal_destroy(reveal);
}

static void invalid_reveals(void) {
    frost_reveal *reveal = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "reveal is NULL", frost_reveal_create(renderer, effect, &source, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer", frost_reveal_create(NULL, effect, &source, NULL, NULL, &reveal));
    EXPECT(FROST_ERROR_ARGUMENT, "effect", frost_reveal_create(renderer, NULL, &source, NULL, NULL, &reveal));
    EXPECT(FROST_ERROR_ARGUMENT, "source", frost_reveal_create(renderer, effect, NULL, NULL, NULL, &reveal));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_reveal_create((frost_renderer *)effect, effect, &source, NULL, NULL, &reveal));
    const frost_rect region = {0, 0, 9, 9};
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    options.region = &region;
    EXPECT(FROST_ERROR_ARGUMENT, "region", frost_reveal_create(renderer, effect, &source, &options, NULL, &reveal));
    frost_effect *larger = NULL;
    EXPECT(FROST_OK, "", frost_effect_create("ci-gaussian", NULL, NULL, &larger));
    EXPECT(FROST_ERROR_PARAMETER, "larger", frost_reveal_create(renderer, larger, &source, NULL, NULL, &reveal));
    frost_effect_destroy(larger);
    frost_cancellation *cancellation = NULL;
    EXPECT(FROST_OK, "", frost_cancellation_create(&cancellation));
    frost_cancellation_cancel(cancellation);
    options.region = NULL;
    options.cancellation = cancellation;
    EXPECT(FROST_CANCELLED, "", frost_reveal_create(renderer, effect, &source, &options, NULL, &reveal));
    frost_cancellation_destroy(cancellation);
    CHECK(reveal == NULL);
    SIZES(frost_render_options, FROST_RENDER_OPTIONS_INIT, FROST_OK, try_reveal(&source, shorter, NULL));
    SIZES(frost_source, source, FROST_OK, try_reveal(shorter, NULL, NULL));
    {
        const frost_report right = FROST_REPORT_INIT;
        SIZES_FROM(frost_report, FIRST_REPORT, right, FROST_OK, try_reveal(&source, NULL, shorter));
    }

    EXPECT(FROST_OK, "", frost_reveal_create(renderer, effect, &source, NULL, NULL, &reveal));
    uint8_t frame[BYTES + 4];
    frost_target target = target_of(frame, WIDTH, HEIGHT);
    const frost_shape shape = shape_of(1, 2, 3, 4, 0);
    EXPECT(FROST_ERROR_ARGUMENT, "reveal", frost_reveal_render(NULL, &shape, 1, &target));
    EXPECT(FROST_ERROR_ARGUMENT, "shapes", frost_reveal_render(reveal, NULL, 1, &target));
    EXPECT(FROST_ERROR_ARGUMENT, "shapes", frost_reveal_render(reveal, &shape, SIZE_MAX, &target));
    EXPECT(FROST_ERROR_ARGUMENT, "target", frost_reveal_render(reveal, &shape, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target", frost_reveal_describe_target(reveal, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "reveal", frost_reveal_describe_target(NULL, &target));
    const frost_shape wrong = shape_of(1, 2, -3, 4, 0);
    EXPECT(FROST_ERROR_PARAMETER, "", frost_reveal_render(reveal, &wrong, 1, &target));
    SIZES(frost_shape, shape, FROST_OK, frost_reveal_render(reveal, shorter, 1, &target));
    SIZES(frost_target, target, FROST_OK, frost_reveal_render(reveal, &shape, 1, shorter));
    target.width--;
    EXPECT(FROST_ERROR_PIXELS, "size", frost_reveal_render(reveal, &shape, 1, &target));
    target.width++;
    target.channels = FROST_CHANNELS_BGRA;
    EXPECT(FROST_ERROR_PIXELS, "format", frost_reveal_render(reveal, &shape, 1, &target));
    frost_reveal_destroy(reveal);
    frost_reveal_destroy(NULL);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Ticks come at multiples of the interval. Those that become due in the meantime are dropped and counted.
static void ticks(void) {
    frost_update_timer *timer = NULL;
    const int64_t start = milliseconds();
    EXPECT(FROST_OK, "", frost_update_timer_create(20 * 1000000, &timer));
    int64_t last = -1;
    for (int i = 0; i < 6; i++) {
        frost_update_tick tick = FROST_UPDATE_TICK_INIT;
        EXPECT(FROST_OK, "", frost_update_timer_wait(timer, -1, &tick));
        CHECK(tick.number == last + 1 + tick.dropped && (i > 0 || tick.number == 0));
        CHECK(milliseconds() - start >= 20 * tick.number);
        if (i == 3) CHECK(tick.dropped >= 1);
        last = tick.number;
        const struct timespec work = {0, i == 2 ? 45000000 : 1000000};
        nanosleep(&work, NULL);
    }
    frost_update_timer_destroy(timer);

    EXPECT(FROST_OK, "", frost_update_timer_create((int64_t)86400 * 1000000000, &timer));
    EXPECT(FROST_OK, "", frost_update_timer_wait(timer, 0, NULL));
    EXPECT(FROST_NOT_READY, "", frost_update_timer_wait(timer, 0, NULL));
    EXPECT(FROST_NOT_READY, "", frost_update_timer_wait(timer, 5, NULL));
    frost_update_timer_destroy(timer);
}

static void *wait_for_tick(void *timer) {
    EXPECT(FROST_CANCELLED, "", frost_update_timer_wait(timer, -1, NULL));
    return NULL;
}

// A cancellation ends the waits of all threads, and later ones.
static void cancelled_ticks(void) {
    frost_update_timer *timer = NULL;
    EXPECT(FROST_OK, "", frost_update_timer_create((int64_t)3600 * 1000000000, &timer));
    EXPECT(FROST_OK, "", frost_update_timer_wait(timer, -1, NULL));
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, wait_for_tick, timer) == 0);
    frost_update_timer_cancel(timer);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    EXPECT(FROST_CANCELLED, "", frost_update_timer_wait(timer, 1000, NULL));
    frost_update_timer_cancel(timer);
    frost_update_timer_destroy(timer);
}

static void invalid_ticks(void) {
    const int64_t intervals[] = {0, -1, 999999, INT64_MIN, INT64_MAX, (int64_t)86400 * 1000000000 + 1};
    for (int i = 0; i < 6; i++) EXPECT(FROST_ERROR_PARAMETER, "update interval", try_timer(intervals[i]));
    EXPECT(FROST_OK, "", try_timer(1000000));
    EXPECT(FROST_ERROR_ARGUMENT, "timer is NULL", frost_update_timer_create(1000000, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "timer is NULL", frost_update_timer_wait(NULL, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_update_timer_wait((frost_update_timer *)effect, 0, NULL));
    frost_update_timer *timer = NULL;
    EXPECT(FROST_OK, "", frost_update_timer_create(1000000, &timer));
    SIZES(frost_update_tick, FROST_UPDATE_TICK_INIT, FROST_OK, frost_update_timer_wait(timer, -1, shorter));
    EXPECT(FROST_OK, "", frost_update_timer_wait(timer, INT64_MAX, NULL));
    frost_update_timer_destroy(timer);
    frost_update_timer_cancel(NULL);
    frost_update_timer_destroy(NULL);
}

int main(void) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    frost_effect_options plain = FROST_EFFECT_OPTIONS_INIT;
    plain.dither = FROST_DITHER_OFF;
    EXPECT(FROST_OK, "", frost_effect_create("light", NULL, &plain, &effect));
    pixels = noise(BYTES, 3);
    source = source_of(pixels, WIDTH, HEIGHT);
    frames();
    invalid_reveals();
    ticks();
    cancelled_ticks();
    invalid_ticks();
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    free(pixels);
    return finish("reveals");
}
