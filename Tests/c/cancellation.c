// Cancels renderings at different times, on every backend, and prints how long they went on after that.
//
//   cancellation [WIDTH HEIGHT]
//
// The checks are that a rendering ends as finished or cancelled, and that the next one is complete. The times are only
// printed, because the machine may be busy; docs/internals/GPU.md has those of 3840 2160.
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <time.h>

enum { POINTS = 12 };

typedef struct {
    frost_renderer *renderer;
    frost_effect *effect;
    frost_source source;
    frost_target target;
    frost_cancellation *cancellation;
    frost_status status;
    double end;
} rendering;

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void wait_until(double time) {
    while (milliseconds() < time) nanosleep(&(struct timespec){0, 50000}, NULL);
}

static void *render(void *user_data) {
    rendering *rendering = user_data;
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    options.cancellation = rendering->cancellation;
    rendering->status = frost_render(
        rendering->renderer, rendering->effect, &rendering->source, &rendering->target, &options, NULL);
    rendering->end = milliseconds();
    return NULL;
}

static void measure(const char *backend_name, rendering *rendering, const char *name, const char *parameters) {
    EXPECT(FROST_OK, "", frost_effect_create(name, parameters, NULL, &rendering->effect));
    EXPECT(FROST_OK, "", frost_cancellation_create(&rendering->cancellation));
    // The first rendering compiles programs, so the second one is measured.
    render(rendering);
    double begin = milliseconds();
    render(rendering);
    CHECK(rendering->status == FROST_OK);
    const double whole = rendering->end - begin;
    uint8_t *expected = malloc(rendering->target.byte_count);
    if (!expected) abort();
    memcpy(expected, rendering->target.pixels, rendering->target.byte_count);
    double worst = 0;
    int cancelled = 0;
    for (int point = 0; point < POINTS; point++) {
        frost_cancellation_destroy(rendering->cancellation);
        EXPECT(FROST_OK, "", frost_cancellation_create(&rendering->cancellation));
        pthread_t thread;
        begin = milliseconds();
        CHECK(pthread_create(&thread, NULL, render, rendering) == 0);
        wait_until(begin + whole * (point + 0.5) / POINTS);
        const double asked = milliseconds();
        frost_cancellation_cancel(rendering->cancellation);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(rendering->status == FROST_OK || rendering->status == FROST_CANCELLED);
        cancelled += rendering->status == FROST_CANCELLED;
        if (rendering->end - asked > worst) worst = rendering->end - asked;
    }
    frost_cancellation_destroy(rendering->cancellation);
    rendering->cancellation = NULL;
    render(rendering);
    CHECK(rendering->status == FROST_OK);
    CHECK(memcmp(expected, rendering->target.pixels, rendering->target.byte_count) == 0);
    printf(
        "%-6s %-12s %-10s %6.0f ms, %d of %d cancelled, at most %.1f ms later\n", backend_name, name, parameters, whole,
        cancelled, POINTS, worst);
    fflush(stdout);
    free(expected);
    frost_effect_destroy(rendering->effect);
}

int main(int argc, char **argv) {
    // Without arguments the images are so small that tools which find faults of memory take only seconds.
    const int32_t width = argc == 3 ? atoi(argv[1]) : 64, height = argc == 3 ? atoi(argv[2]) : 48;
    const size_t bytes = (size_t)width * (size_t)height * 4;
    uint8_t *from = noise(bytes, 1), *to = noise(bytes, 2);
    static const char *const names[] = {"auto", "cpu", "gpu", "exact"};
    static const char *const effects[][2] = {
        {"gaussian", "sigma=2"}, {"gaussian", "sigma=30"}, {"light", ""}, {"disc", "radius=5"}};
    for (int32_t backend = FROST_BACKEND_CPU; backend <= FROST_BACKEND_EXACT; backend++) {
        if (backend == FROST_BACKEND_GPU && without_gpu()) continue;
        frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
        options.backend = backend;
        rendering rendering = {
            .source = source_of(from, width, height), .target = target_of(to, width, height), .status = FROST_OK};
        EXPECT(FROST_OK, "", frost_renderer_create(&options, &rendering.renderer));
        for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
            measure(names[backend], &rendering, effects[i][0], effects[i][1]);
        }
        frost_renderer_destroy(rendering.renderer);
    }
    free(from);
    free(to);
    return finish("cancellation");
}
