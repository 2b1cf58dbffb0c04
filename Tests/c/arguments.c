// Calls every function with invalid arguments. Each call must return an error with a message, and never crash.
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>

static const int32_t extremes[] = {INT32_MIN, -1, 0, 1, 7, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

// Checks that the library does not change the program's signal handlers.
static void signals(void) {
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && !instrumented) CHECK(action.sa_handler == SIG_DFL);
    }
}

static void names(void) {
    CHECK(strcmp(frost_version(), FROST_VERSION) == 0);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FROST_VERSION_MAJOR, FROST_VERSION_MINOR, FROST_VERSION_PATCH);
    CHECK(strcmp(frost_version(), version) == 0);
    for (int32_t status = -100; status <= 100; status++) CHECK(frost_status_name(status)[0]);
    CHECK(frost_status_name(INT32_MIN) && frost_status_name(INT32_MAX));
    CHECK(frost_error_message() != NULL);
    CHECK(frost_default_threads() >= 1 && frost_default_threads() <= 256);
}

// Makes each call several times. Each time another pointer argument is NULL.
static void nulls(frost_renderer *renderer, frost_effect *effect, const frost_source *source, frost_target *target) {
    frost_mask *mask = NULL;
    frost_effect *other = NULL;
    double bound;
    frost_content content = FROST_CONTENT_INIT;

    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_renderer_create(NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_renderer_prepare(NULL, 0, 0));
    frost_buffer *buffer = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_buffer_create(NULL, 1, &buffer));
    EXPECT(FROST_ERROR_ARGUMENT, "buffer is NULL", frost_buffer_create(renderer, 1, NULL));
    CHECK(frost_buffer_bytes(NULL) == NULL && frost_buffer_is_pinned(NULL) == 0);
    frost_buffer_destroy(NULL);
    EXPECT(FROST_ERROR_ARGUMENT, "picture is NULL", frost_mask_create(NULL, &mask));
    EXPECT(FROST_ERROR_ARGUMENT, "mask is NULL", frost_mask_create(source, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "name is NULL", frost_effect_create(NULL, NULL, NULL, &other));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_create("light", NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_create_gaussian(3, 3, FROST_EDGE_CLAMP, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_add_content(NULL, &content, &other));
    EXPECT(FROST_ERROR_ARGUMENT, "content is NULL", frost_effect_add_content(effect, NULL, &other));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_effect_add_content(effect, &content, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "picture is NULL", frost_effect_add_content(effect, &content, &other));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_effect_describe(0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_effect_describe_parameter(0, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "cancellation is NULL", frost_cancellation_create(NULL));
    frost_cancellation_cancel(NULL);
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_describe_target(NULL, source, NULL, target));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_effect_describe_target(effect, NULL, NULL, target));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_effect_describe_target(effect, source, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_error_bound(NULL, source, NULL, &bound));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_effect_error_bound(effect, NULL, NULL, &bound));
    EXPECT(FROST_ERROR_ARGUMENT, "bound is NULL", frost_effect_error_bound(effect, source, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_render(NULL, effect, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_render(renderer, NULL, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_render(renderer, effect, NULL, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_render(renderer, effect, source, NULL, NULL, NULL));
    EXPECT(FROST_OK, "", frost_render(renderer, effect, source, target, NULL, NULL));
    frost_queue *queue = NULL;
    frost_ticket *ticket = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_queue_create(NULL, NULL, &queue));
    EXPECT(FROST_ERROR_ARGUMENT, "queue is NULL", frost_queue_create(renderer, NULL, NULL));
    EXPECT(FROST_OK, "", frost_queue_create(renderer, NULL, &queue));
    EXPECT(FROST_ERROR_ARGUMENT, "queue is NULL",
           frost_queue_submit(NULL, effect, source, target, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL",
           frost_queue_submit(queue, NULL, source, target, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL",
           frost_queue_submit(queue, effect, NULL, target, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL",
           frost_queue_submit(queue, effect, source, NULL, NULL, NULL, NULL, &ticket));
    EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, source, target, NULL, NULL, NULL, NULL));
    EXPECT(FROST_OK, "", frost_queue_wait(queue));
    EXPECT(FROST_ERROR_ARGUMENT, "queue is NULL", frost_queue_wait(NULL));
    CHECK(frost_queue_count(NULL) == 0);
    frost_queue_cancel_all(NULL);
    EXPECT(FROST_ERROR_ARGUMENT, "ticket is NULL", frost_ticket_poll(NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "ticket is NULL", frost_ticket_wait(NULL, -1, NULL));
    frost_ticket_cancel(NULL);
    frost_ticket_destroy(NULL);
    frost_queue_destroy(NULL);
    frost_queue_destroy(queue);
    CHECK(!mask && !other && !ticket);

    frost_renderer_destroy(NULL);
    frost_mask_destroy(NULL);
    frost_effect_destroy(NULL);
    frost_cancellation_destroy(NULL);
}

// Passes handles of the wrong kind. Each such call must return an error.
static void strangers(frost_renderer *renderer, frost_effect *effect, const frost_source *source, frost_target *target) {
    frost_renderer *false_renderer = (frost_renderer *)(void *)effect;
    frost_effect *false_effect = (frost_effect *)(void *)renderer;
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_render(false_renderer, effect, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_render(renderer, false_effect, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_ticket_poll((frost_ticket *)(void *)effect, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_queue_wait((frost_queue *)(void *)effect));
}

TRY(renderer, renderer, (const frost_renderer_options *options), frost_renderer_create(options, &made))
TRY(named, effect, (const frost_effect_options *options), frost_effect_create("light", "", options, &made))
TRY(gaussian, effect, (const frost_effect_options *options), frost_effect_create_gaussian(2, 2, 0, options, &made))
TRY(content, effect, (const frost_effect *effect, const frost_content *content),
    frost_effect_add_content(effect, content, &made))
TRY(mask, mask, (const frost_source *picture), frost_mask_create(picture, &made))
TRY(queue, queue, (frost_renderer *renderer, const frost_queue_options *options),
    frost_queue_create(renderer, options, &made))

// Submits an image and returns the status of its ticket.
static frost_status try_ticket(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report) {
    frost_queue *queue = NULL;
    frost_ticket *ticket = NULL;
    EXPECT(FROST_OK, "", frost_queue_create(renderer, NULL, &queue));
    frost_status status = frost_queue_submit(queue, effect, source, target, options, NULL, NULL, &ticket);
    if (status == FROST_OK) status = frost_ticket_wait(ticket, -1, report);
    frost_ticket_destroy(ticket);
    frost_queue_destroy(queue);
    return status;
}

static void structs(frost_renderer *renderer, frost_effect *effect, const frost_source *source, frost_target *target) {
    double bound;
    const frost_content content = {sizeof content, source, NULL, "center", {0, 0, 0, 0}};

    {
        frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
        options.backend = FROST_BACKEND_CPU;
        SIZES_FROM(frost_renderer_options, FIRST_RENDERER_OPTIONS, options, FROST_OK, try_renderer(shorter));
    }
    const double timeouts[] = {-1, 1e-4, 86401, INFINITY, NAN};
    for (int i = 0; i < 5; i++) {
        frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
        options.backend = FROST_BACKEND_CPU;
        options.gpu_timeout = timeouts[i];
        EXPECT(FROST_ERROR_PARAMETER, "GPU timeout", try_renderer(&options));
    }
    SIZES(frost_effect_options, FROST_EFFECT_OPTIONS_INIT, FROST_OK,
          try_named(shorter));
    SIZES(frost_effect_options, FROST_EFFECT_OPTIONS_INIT, FROST_OK,
          try_gaussian(shorter));
    SIZES(frost_content, content, FROST_OK,
          try_content(effect, shorter));
    SIZES(frost_source, *source, FROST_OK,
          try_mask(shorter));
    SIZES(frost_source, *source, FROST_OK, frost_render(renderer, effect, shorter, target, NULL, NULL));
    SIZES(frost_target, *target, FROST_OK, frost_render(renderer, effect, source, shorter, NULL, NULL));
    SIZES(frost_target, *target, FROST_OK, frost_effect_describe_target(effect, source, NULL, shorter));
    SIZES(frost_render_options, FROST_RENDER_OPTIONS_INIT, FROST_OK,
          frost_render(renderer, effect, source, target, shorter, NULL));
    SIZES(frost_render_options, FROST_RENDER_OPTIONS_INIT, FROST_OK,
          frost_effect_error_bound(effect, source, shorter, &bound));
    const frost_report report = FROST_REPORT_INIT;
    SIZES_FROM(frost_report, FIRST_REPORT, report, FROST_OK,
               frost_render(renderer, effect, source, target, NULL, shorter));
    SIZES(frost_queue_options, FROST_QUEUE_OPTIONS_INIT, FROST_OK, try_queue(renderer, shorter));
    SIZES(frost_render_options, FROST_RENDER_OPTIONS_INIT, FROST_OK,
          try_ticket(renderer, effect, source, target, shorter, NULL));
    SIZES_FROM(frost_report, FIRST_REPORT, report, FROST_OK,
          try_ticket(renderer, effect, source, target, NULL, shorter));
    SIZES(frost_effect_info, FROST_EFFECT_INFO_INIT, FROST_OK, frost_effect_describe(0, shorter));
    SIZES(frost_parameter_info, FROST_PARAMETER_INFO_INIT, FROST_OK, frost_effect_describe_parameter(0, 0, shorter));

    // This struct has a field that only a later version of the library knows. The field is not zero, which is an error.
    struct {
        frost_render_options options;
        double later;
    } longer = {FROST_RENDER_OPTIONS_INIT, 1};
    longer.options.struct_size = sizeof longer;
    EXPECT(FROST_ERROR_ARGUMENT, "does not support", frost_render(renderer, effect, source, target, &longer.options, NULL));
}

static void renderers(void) {
    frost_renderer *renderer = NULL;
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    for (int i = 0; i < EXTREMES; i++) {
        options.backend = extremes[i];
        if (extremes[i] < 0 || extremes[i] > 3) {
            EXPECT(FROST_ERROR_ARGUMENT, "backend", frost_renderer_create(&options, &renderer));
        }
    }
    options.backend = FROST_BACKEND_CPU;
    for (int i = 0; i < EXTREMES; i++) {
        options.threads = extremes[i];
        if (extremes[i] < 0 || extremes[i] > 256) {
            EXPECT(FROST_ERROR_PARAMETER, "threads", frost_renderer_create(&options, &renderer));
        }
    }
    options.threads = 1;
    options.device = "0";
    EXPECT(FROST_ERROR_ARGUMENT, "device", frost_renderer_create(&options, &renderer));
    if (!without_gpu()) {
        options.backend = FROST_BACKEND_GPU;
        options.device = "no GPU has this name \xff\xfe";
        EXPECT(FROST_ERROR_NO_DEVICE, "", frost_renderer_create(&options, &renderer));
        CHECK(!renderer);
    }
    options.backend = FROST_BACKEND_AUTO;
    options.device = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    EXPECT(FROST_ERROR_ARGUMENT, "channels", frost_renderer_prepare(renderer, 99, 0));
    EXPECT(FROST_ERROR_ARGUMENT, "sample", frost_renderer_prepare(renderer, 0, -1));
    const size_t sizes[] = {0, ((size_t)1 << 32) + 1, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        frost_buffer *refused = NULL;
        EXPECT(FROST_ERROR_PARAMETER, "byte count", frost_buffer_create(renderer, sizes[i], &refused));
    }
    frost_renderer_destroy(renderer);
}

// Tests the list of devices, and a renderer on one of them. Some tools also report faults of drivers; under these tools
// no device is opened.
static void devices(void) {
    frost_device_list *list = NULL;
    frost_device_info info = FROST_DEVICE_INFO_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "list is NULL", frost_device_list_create(NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "list is NULL", frost_device_list_describe(NULL, 0, &info));
    CHECK(frost_device_list_count(NULL) == 0);
    frost_device_list_destroy(NULL);
    if (without_gpu()) return;
    EXPECT(FROST_OK, "", frost_device_list_create(&list));
    const size_t count = frost_device_list_count(list);
    int usable = 0;
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        EXPECT(FROST_OK, "", frost_device_list_describe(list, i, &info));
        CHECK(info.index == (int32_t)i && info.id[0]);
        CHECK((info.status == FROST_DEVICE_UNUSABLE) == (info.reason[0] != 0));
        CHECK(info.is_automatic == 0 || (info.status == FROST_DEVICE_USABLE && !info.is_software));
        if (info.status == FROST_DEVICE_DUPLICATE) CHECK(info.duplicate_of >= 0 && info.duplicate_of < info.index);
        if (info.status != FROST_DEVICE_USABLE) continue;
        usable++;
        CHECK(info.renderer[0] && info.version[0] && info.platform[0]);
        char place[16];
        snprintf(place, sizeof place, "%d", info.index);
        frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
        options.device = place;
        EXPECT(FROST_OK, "", try_renderer(&options));
    }
    CHECK(usable > 0);
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_device_list_describe(list, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "device", frost_device_list_describe(list, count, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "device", frost_device_list_describe(list, SIZE_MAX, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_queue_wait((frost_queue *)(void *)list));
    SIZES(frost_device_info, info, FROST_OK, frost_device_list_describe(list, 0, shorter));
    frost_device_list_destroy(list);
}

static void queues(frost_renderer *renderer) {
    frost_queue_options options = FROST_QUEUE_OPTIONS_INIT;
    for (int i = 0; i < EXTREMES; i++) {
        options.concurrency = 0;
        options.depth = extremes[i];
        const int fits = extremes[i] >= 0 && extremes[i] <= 1024;
        EXPECT(fits ? FROST_OK : FROST_ERROR_PARAMETER, "depth", try_queue(renderer, &options));
        options.depth = 8;
        options.concurrency = extremes[i];
        const int suits = extremes[i] >= 0 && extremes[i] <= 8;
        EXPECT(suits ? FROST_OK : FROST_ERROR_PARAMETER, "concurrency", try_queue(renderer, &options));
    }
}

static void effects(void) {
    frost_effect *effect = NULL;
    const double wrong[] = {-1, 1001, NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < 6; i++) {
        EXPECT(FROST_ERROR_PARAMETER, "sigma", frost_effect_create_gaussian(wrong[i], 1, 0, NULL, &effect));
        EXPECT(FROST_ERROR_PARAMETER, "sigma", frost_effect_create_gaussian(1, wrong[i], 0, NULL, &effect));
    }
    EXPECT(FROST_ERROR_ARGUMENT, "edge 5", frost_effect_create_gaussian(1, 1, 5, NULL, &effect));
    const char *texts[][2] = {
        {"", ""}, {"no such effect", ""}, {"light", "sigma"}, {"light", "=1"}, {"light", "scale="}, {"light", "scale=4"},
        {"light", "scale=nan"}, {"light", "scale=1 scale=1"}, {"light", "edge=away"}, {"gaussian", "sigma=-1"},
        {"gaussian", "sigma=1e999"}, {"gaussian", "radius=3"}, {"\xc3\x28", "\xff"}, {"tint", "color=#12"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        EXPECT(FROST_ERROR_PARAMETER, "", frost_effect_create(texts[i][0], texts[i][1], NULL, &effect));
    }
    // A message has one line, whatever text it quotes.
    EXPECT(FROST_ERROR_PARAMETER, "unknown effect a\\nb\\033[31m", frost_effect_create("a\nb\033[31m", NULL, NULL, &effect));
    // A message that is too long is cut off between two characters, not within one.
    char *text = malloc(100001);
    if (!text) abort();
    for (int i = 0; i < 100000; i++) text[i] = i % 2 ? '\xa4' : '\xc3';
    text[100000] = 0;
    EXPECT(FROST_ERROR_PARAMETER, "unknown effect", frost_effect_create(text, NULL, NULL, &effect));
    const char *message = frost_error_message();
    CHECK(strlen(message) > 100 && strlen(message) < 100000 && (message[strlen(message) - 1] & 0xc0) == 0x80);
    free(text);

    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    options.dither = 3;
    EXPECT(FROST_ERROR_ARGUMENT, "dither 3", frost_effect_create("light", "", &options, &effect));
    options.dither = 0;
    options.light = -1;
    EXPECT(FROST_ERROR_ARGUMENT, "light -1", frost_effect_create("light", "", &options, &effect));
    CHECK(!effect);

    // Every listed effect can be created, and every parameter has its listed default.
    const size_t count = frost_effect_count();
    CHECK(count > 40);
    for (size_t i = 0; i < count; i++) {
        frost_effect_info info = FROST_EFFECT_INFO_INIT;
        EXPECT(FROST_OK, "", frost_effect_describe(i, &info));
        CHECK(info.name[0] && info.family[0] && info.summary[0] && info.parameter_count > 0);
        for (size_t j = 0; j < info.parameter_count; j++) {
            frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
            EXPECT(FROST_OK, "", frost_effect_describe_parameter(i, j, &parameter));
            CHECK(parameter.minimum <= parameter.maximum && parameter.help[0]);
            char words[256];
            snprintf(words, sizeof words, "%s=%s", parameter.name, parameter.default_value);
            EXPECT(FROST_OK, "", frost_effect_create(info.name, words, NULL, &effect));
            frost_effect_destroy(effect);
        }
        frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
        EXPECT(FROST_ERROR_ARGUMENT, "parameter",
               frost_effect_describe_parameter(i, info.parameter_count, &parameter));
    }
    frost_effect_info info = FROST_EFFECT_INFO_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "effect", frost_effect_describe(count, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "effect", frost_effect_describe(SIZE_MAX, &info));
    frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "effect", frost_effect_describe_parameter(SIZE_MAX, SIZE_MAX, &parameter));
}

static void clips(frost_effect *effect) {
    frost_effect *made = NULL;
    const frost_rounded_rect right = {1, 1, 6, 4, 2};
    const double wrong[] = {NAN, INFINITY, -INFINITY, 1e10, -1e10};
    for (int i = 0; i < 5; i++) {
        frost_rounded_rect rects[5] = {right, right, right, right, right};
        rects[0].x = rects[1].y = rects[2].width = rects[3].height = rects[4].radius = wrong[i];
        for (int j = 0; j < 5; j++) {
            EXPECT(FROST_ERROR_PARAMETER, j == 4 ? "radius" : "rectangle", frost_effect_clip(effect, &rects[j], 1, &made));
        }
    }
    EXPECT(FROST_ERROR_ARGUMENT, "rects is NULL", frost_effect_clip(effect, NULL, 1, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_effect_clip(effect, &right, SIZE_MAX, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_effect_clip(effect, &right, 65537, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_clip(NULL, &right, 1, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_effect_clip(effect, &right, 1, NULL));
    CHECK(!made);
    EXPECT(FROST_OK, "", frost_effect_clip(effect, NULL, 0, &made));
    frost_effect_destroy(made);
}

static void shapes(frost_effect *effect) {
    frost_effect *made = NULL;
    frost_shape right = FROST_SHAPE_INIT;
    right.x = right.y = 1;
    right.width = 6, right.height = 4, right.corner_radius = 1;
    const double wrong[] = {NAN, INFINITY, -INFINITY, 1e10, -1e10};
    for (int i = 0; i < 5; i++) {
        frost_shape list[6] = {right, right, right, right, right, right};
        list[0].x = list[1].y = list[2].width = list[3].height = list[4].corner_radius = wrong[i];
        list[5].corner_curve = FROST_CORNERS_SUPERELLIPSE;
        list[5].corner_parameter = wrong[i];
        const char *const evidence[] = {"rectangle", "rectangle", "rectangle", "rectangle", "radius", "exponent"};
        for (int j = 0; j < 6; j++) {
            EXPECT(FROST_ERROR_PARAMETER, evidence[j], frost_effect_clip_shapes(effect, &list[j], 1, &made));
        }
    }
    frost_shape shape = right;
    shape.corner_curve = FROST_CORNERS_CONTINUOUS;
    // The default smoothing is 0.6, so the largest radius is 2 / 1.6.
    shape.corner_radius = 1.26;
    EXPECT(FROST_ERROR_PARAMETER, "1.25", frost_effect_clip_shapes(effect, &shape, 1, &made));
    shape.corner_curve = -1;
    EXPECT(FROST_ERROR_ARGUMENT, "corner_curve -1", frost_effect_clip_shapes(effect, &shape, 1, &made));
    shape.corner_curve = FROST_CORNERS_CIRCULAR;
    shape.corner_parameter = 2;
    EXPECT(FROST_ERROR_ARGUMENT, "corner_parameter is 2", frost_effect_clip_shapes(effect, &shape, 1, &made));
    shape = right;
    shape.reserved = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved", frost_effect_clip_shapes(effect, &shape, 1, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "shapes is NULL", frost_effect_clip_shapes(effect, NULL, 1, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_effect_clip_shapes(effect, &right, SIZE_MAX, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_effect_clip_shapes(effect, &right, 65537, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_clip_shapes(NULL, &right, 1, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_effect_clip_shapes(effect, &right, 1, NULL));
    CHECK(!made);
    shape = right;
    shape.corner_curve = FROST_CORNERS_ELLIPSE;
    shape.corner_parameter = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "an ellipse has no parameter", frost_effect_clip_shapes(effect, &shape, 1, &made));
    frost_rect nothing = {1, 2, 0, 3};
    EXPECT(FROST_ERROR_PARAMETER, "empty", frost_effect_add_mask(effect, &nothing, &made));
    for (int i = 0; i < 2; i++) {
        const char *const names[] = {"redact", "tilt-shift"}, *const reasons[] = {"would show the original", "its own mask"};
        frost_effect *refused = NULL;
        EXPECT(FROST_OK, "", frost_effect_create(names[i], NULL, NULL, &refused));
        EXPECT(FROST_ERROR_PARAMETER, reasons[i], frost_effect_add_mask(refused, NULL, &made));
        frost_effect_destroy(refused);
    }
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_add_mask(NULL, NULL, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_effect_add_mask(effect, NULL, NULL));
    CHECK(!made);
    EXPECT(FROST_ERROR_PARAMETER, "feather", frost_effect_clip_rule(effect, -1, 0, &made));
    EXPECT(FROST_ERROR_PARAMETER, "feather", frost_effect_clip_rule(effect, NAN, 0, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "outside 2", frost_effect_clip_rule(effect, 1, 2, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_clip_rule(NULL, 1, 0, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_effect_clip_rule(effect, 1, 0, NULL));
    CHECK(!made);
    EXPECT(FROST_OK, "", frost_effect_clip_rule(effect, 4096, 1, &made));
    frost_effect_destroy(made);
    made = NULL;
    SIZES_FROM(frost_shape, sizeof right, right, FROST_OK,
               (frost_effect_destroy(made), made = NULL, frost_effect_clip_shapes(effect, shorter, 1, &made)));
    frost_effect_destroy(made);
    EXPECT(FROST_OK, "", frost_effect_clip_shapes(effect, NULL, 0, &made));
    frost_effect_destroy(made);
}

static void contents(frost_effect *effect, const frost_source *source) {
    frost_effect *made = NULL, *style = NULL;
    frost_content content = FROST_CONTENT_INIT;
    content.picture = source;
    content.mode = "somewhere";
    EXPECT(FROST_ERROR_PARAMETER, "mode", frost_effect_add_content(effect, &content, &made));
    content.mode = NULL;
    content.vibrancy = "label";
    EXPECT(FROST_ERROR_PARAMETER, "no vibrancy", frost_effect_add_content(effect, &content, &made));
    EXPECT(FROST_OK, "", frost_effect_create("blur-dark", NULL, NULL, &style));
    content.vibrancy = "shiny";
    EXPECT(FROST_ERROR_PARAMETER, "vibrancy", frost_effect_add_content(style, &content, &made));
    content.vibrancy = "label";
    EXPECT(FROST_OK, "", frost_effect_add_content(style, &content, &made));
    frost_effect_destroy(made);
    frost_effect_destroy(style);
}

// Tests invalid sizes, formats, strides and memory. Also tests sources and targets that do not match.
static void layouts(frost_renderer *renderer, frost_effect *effect, const uint8_t *from, uint8_t *to) {
    const frost_source source = source_of(from, 8, 6);
    const frost_target target = target_of(to, 8, 6);
#define WITH(status, evidence, change)                                                         \
    do {                                                                                       \
        frost_source s = source;                                                               \
        frost_target t = target;                                                               \
        change;                                                                                \
        EXPECT(status, evidence, frost_render(renderer, effect, &s, &t, NULL, NULL));          \
    } while (0)
    for (int i = 0; i < EXTREMES; i++) {
        for (int j = 0; j < EXTREMES; j++) {
            frost_source s = source;
            s.width = extremes[i];
            s.height = extremes[j];
            CHECK(frost_render(renderer, effect, &s, &target, NULL, NULL) < 0);
            frost_target t = target;
            t.width = extremes[i];
            t.height = extremes[j];
            CHECK(frost_render(renderer, effect, &source, &t, NULL, NULL) < 0);
            // This function does not access pixels. So it refuses only images for which no plan can be made.
            double bound;
            s.pixels = NULL;
            const frost_status status = frost_effect_error_bound(effect, &s, NULL, &bound);
            CHECK((status == FROST_OK) == (s.width > 0 && s.height > 0 &&
                                           (double)s.width * (double)s.height * 4 < 9e18));
            const frost_rect region = {extremes[i], extremes[j], extremes[j], extremes[i]};
            frost_render_options options = FROST_RENDER_OPTIONS_INIT;
            options.region = &region;
            CHECK(frost_render(renderer, effect, &source, &target, &options, NULL) < 0);
            CHECK(frost_effect_error_bound(effect, &source, &options, &bound) <= 0);
            frost_effect_describe_target(effect, &source, &region, &t);
        }
    }
    WITH(FROST_ERROR_ARGUMENT, "channels", s.channels = 5);
    WITH(FROST_ERROR_ARGUMENT, "channels", t.channels = -1);
    WITH(FROST_ERROR_ARGUMENT, "sample", s.sample = 4);
    WITH(FROST_ERROR_ARGUMENT, "alpha", t.alpha = 2);
    WITH(FROST_ERROR_ARGUMENT, "reserved", s.reserved = 1);
    WITH(FROST_ERROR_ARGUMENT, "pixels is NULL", s.pixels = NULL);
    WITH(FROST_ERROR_ARGUMENT, "pixels is NULL", t.pixels = NULL);
    WITH(FROST_ERROR_ARGUMENT, "byte_count", s.byte_count -= 1);
    WITH(FROST_ERROR_ARGUMENT, "byte_count", t.byte_count = 0);
    WITH(FROST_ERROR_PIXELS, "31 bytes", s.bytes_per_row = 31);
    WITH(FROST_ERROR_PIXELS, "row size of 1 bytes", t.bytes_per_row = 1);
    WITH(FROST_ERROR_PIXELS, "", s.bytes_per_row = SIZE_MAX);
    WITH(FROST_ERROR_ARGUMENT, "byte_count", s.bytes_per_row = SIZE_MAX / 64);
    WITH(FROST_ERROR_PIXELS, "", t.bytes_per_row = SIZE_MAX / 2);
    WITH(FROST_ERROR_ARGUMENT, "byte_count", t.byte_count = SIZE_MAX);
    WITH(FROST_ERROR_ARGUMENT, "address space", {
        s.bytes_per_row = (size_t)1 << 60;
        s.byte_count = (size_t)PTRDIFF_MAX;
        s.pixels = (const void *)(UINTPTR_MAX - 3);
    });
    WITH(FROST_ERROR_ARGUMENT, "aligned", {
        s.sample = t.sample = FROST_SAMPLE_F32;
        s.width = t.width = 2;
        s.pixels = from + 1;
    });
    WITH(FROST_ERROR_PIXELS, "format", t.channels = FROST_CHANNELS_GREY);
    WITH(FROST_ERROR_PIXELS, "format", t.channels = FROST_CHANNELS_RGB);
    WITH(FROST_ERROR_PIXELS, "format", (t.sample = FROST_SAMPLE_U16, t.height = 3, s.height = 3));
    WITH(FROST_ERROR_PIXELS, "size", t.width = 7);
    // In the next three cases, the target overlaps the source in memory, but begins at another address or has a
    // different row length.
    WITH(FROST_ERROR_PIXELS, "overlap", (t.pixels = (uint8_t *)(uintptr_t)from + 4, t.byte_count = s.byte_count));
    WITH(FROST_ERROR_PIXELS, "overlap", t.pixels = (uint8_t *)(uintptr_t)from + 32);
    WITH(FROST_ERROR_PIXELS, "overlap", {
        t.pixels = (void *)(uintptr_t)from;
        t.bytes_per_row = 36;
        t.byte_count += 20;
    });
    WITH(FROST_OK, "", s.byte_count += 1000);
#undef WITH
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    const double budgets[] = {-1, 1e-9, 1.5, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        options.error_budget = budgets[i];
        EXPECT(FROST_ERROR_PARAMETER, "budget", frost_render(renderer, effect, &source, &target, &options, NULL));
    }
    options.error_budget = 0;
    frost_mask *mask = NULL;
    EXPECT(FROST_OK, "", frost_mask_create(&source, &mask));
    options.mask = mask;
    EXPECT(FROST_ERROR_PARAMETER, "mask", frost_render(renderer, effect, &source, &target, &options, NULL));
    frost_mask_destroy(mask);
    options.mask = NULL;

    frost_cancellation *cancellation = NULL;
    EXPECT(FROST_OK, "", frost_cancellation_create(&cancellation));
    options.cancellation = cancellation;
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, &options, NULL));
    frost_cancellation_cancel(cancellation);
    EXPECT(FROST_CANCELLED, "", frost_render(renderer, effect, &source, &target, &options, NULL));
    frost_cancellation_destroy(cancellation);
}

static void *all(void *unused) {
    uint8_t *from = noise(4 * 8 * 8, 1), *to = noise(4 * 8 * 8, 2);
    const frost_source source = source_of(from, 8, 6);
    frost_target target = target_of(to, 8, 6);
    frost_renderer *renderer = NULL;
    frost_effect *effect = NULL;
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    EXPECT(FROST_OK, "", frost_effect_create_gaussian(2, 3, FROST_EDGE_MIRROR, NULL, &effect));

    names();
    nulls(renderer, effect, &source, &target);
    strangers(renderer, effect, &source, &target);
    structs(renderer, effect, &source, &target);
    renderers();
    devices();
    queues(renderer);
    effects();
    clips(effect);
    shapes(effect);
    contents(effect, &source);
    layouts(renderer, effect, from, to);

    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    free(from);
    free(to);
    return unused;
}

int main(void) {
    all(NULL);
    signals();
    // The same tests run on a thread that Frost has not seen before. Each thread has its own last error.
    EXPECT(FROST_ERROR_ARGUMENT, "effect index 99999", frost_effect_describe(99999, NULL));
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, all, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(strstr(frost_error_message(), "effect index 99999") != NULL);
    return finish("arguments");
}
