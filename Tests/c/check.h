// Shared code of the tests of the C interface. It counts checks and makes pictures of random noise.
#ifndef CHECK_H
#define CHECK_H

#include <frost.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;

// Sanitizers install their own signal handlers.
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static const int instrumented = 1;
#else
static const int instrumented = 0;
#endif

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

// Checks a call's status and, if it is an error, that the message contains `evidence`.
#define EXPECT(status, evidence, call) expect((status), (evidence), (call), #call, __FILE__, __LINE__)

static inline void check(int holds, const char *what, const char *file, int line) {
    __atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);
    if (holds) return;
    __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "%s:%d: %s (last error: %s)\n", file, line, what, frost_error_message());
}

static inline void expect(
    frost_status wanted, const char *evidence, frost_status status, const char *what, const char *file, int line) {
    check(status == wanted, what, file, line);
    if (status == wanted && status < 0 && !strstr(frost_error_message(), evidence)) {
        check(0, evidence, file, line);
    }
}

// Calls a function several times, with structs of every size up to twice the correct size. Each struct lies in memory that
// ends where the struct ends.
#define SIZES(type, init, first, call)                      \
    do {                                                    \
        const type right = init;                            \
        SIZES_FROM(type, sizeof(type), right, first, call); \
    } while (0)

// The sizes of structs in the first version of frost.h.
enum { FIRST_REPORT = 696, FIRST_RENDERER_OPTIONS = 24 };

// Does the same for a variable. Sizes of `minimum` bytes and more are valid: the size that the struct had in the first
// version of frost.h.
#define SIZES_FROM(type, minimum, right, first, call)                                       \
    do {                                                                                    \
        for (size_t size = sizeof(size_t); size <= 2 * sizeof(right); size++) {             \
            type *shorter = calloc(1, size);                                                \
            if (!shorter) abort();                                                          \
            memcpy((void *)shorter, &(right), size < sizeof(right) ? size : sizeof(right)); \
            memcpy((void *)shorter, &size, sizeof size);                                    \
            if (size < (minimum)) {                                                         \
                EXPECT(FROST_ERROR_ARGUMENT, "struct_size", call);                          \
            } else {                                                                        \
                EXPECT(first, "", call);                                                    \
            }                                                                               \
            free((void *)shorter);                                                          \
        }                                                                                   \
        type wrong = right;                                                                 \
        type *shorter = &wrong;                                                             \
        const size_t sizes[] = {0, 1, SIZE_MAX / 2, SIZE_MAX};                              \
        for (int i = 0; i < 4; i++) {                                                       \
            memcpy((void *)shorter, &sizes[i], sizeof sizes[i]);                            \
            EXPECT(FROST_ERROR_ARGUMENT, "struct_size", call);                              \
        }                                                                                   \
    } while (0)

// Defines a function that makes the call, destroys the object that the call creates, and returns the call's status.
#define TRY(name, handle, parameters, call)      \
    static frost_status try_##name parameters {  \
        frost_##handle *made = NULL;             \
        const frost_status status = call;        \
        frost_##handle##_destroy(made);          \
        return status;                           \
    }

static inline int finish(const char *name) {
    printf("%s: %d checks, %d failed\n", name, checks, failures);
    return failures ? 1 : 0;
}

// Returns whether the tests run without a GPU. FROST_WITHOUT_GPU is also set under tools that report faults of drivers.
static inline int without_gpu(void) { return getenv("FROST_WITHOUT_GPU") != NULL; }

// Returns random noise. The same seed gives the same noise in every run.
static inline uint8_t *noise(size_t count, uint32_t seed) {
    uint8_t *bytes = malloc(count);
    if (!bytes) abort();
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    return bytes;
}

static inline frost_source source_of(const void *pixels, int32_t width, int32_t height) {
    frost_source source = FROST_SOURCE_INIT;
    source.width = width;
    source.height = height;
    source.pixels = pixels;
    source.byte_count = (size_t)width * (size_t)height * 4;
    return source;
}

static inline frost_target target_of(void *pixels, int32_t width, int32_t height) {
    frost_target target = FROST_TARGET_INIT;
    target.width = width;
    target.height = height;
    target.pixels = pixels;
    target.byte_count = (size_t)width * (size_t)height * 4;
    return target;
}

static inline frost_renderer *renderer_of(int32_t backend, int32_t threads) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = backend;
    options.threads = threads;
    frost_renderer *renderer = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    return renderer;
}

static inline frost_effect *gaussian(double sigma) {
    frost_effect *effect = NULL;
    EXPECT(FROST_OK, "", frost_effect_create_gaussian(sigma, sigma, FROST_EDGE_MIRROR, NULL, &effect));
    return effect;
}

static inline frost_panel panel_of(const frost_effect *effect, frost_rect rect, double radius) {
    frost_panel panel = FROST_PANEL_INIT;
    panel.effect = effect;
    panel.rect = rect;
    panel.corner_radius = radius;
    return panel;
}

#endif
