// Tests transitions: the catalogue, the fields of structs, and invalid arguments. The library's own tests compare pixels.
#include "check.h"

#include <float.h>
#include <math.h>

static frost_transition *transition_of(const char *name, const char *parameters) {
    frost_transition *transition = NULL;
    EXPECT(FROST_OK, "", frost_transition_create(name, parameters, NULL, &transition));
    return transition;
}

static frost_mask *mask_of(void) {
    uint8_t *pixels = noise(4 * 8 * 8, 9);
    for (int i = 0; i < 8 * 8; i++) pixels[4 * i + 3] = (uint8_t)(4 * i);
    const frost_source picture = source_of(pixels, 8, 8);
    frost_mask *mask = NULL;
    EXPECT(FROST_OK, "", frost_mask_create(&picture, &mask));
    free(pixels);
    return mask;
}

// Random opaque pixels: with straight alpha, a transparent pixel would lose its colour.
static uint8_t *opaque(int32_t width, int32_t height, uint32_t seed) {
    uint8_t *pixels = noise((size_t)width * (size_t)height * 4, seed);
    for (int32_t i = 0; i < width * height; i++) pixels[4 * i + 3] = 255;
    return pixels;
}

static void catalogue(void) {
    const size_t count = frost_transition_count();
    CHECK(count == 11);
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++) {
        frost_transition_info info = FROST_TRANSITION_INFO_INIT;
        EXPECT(FROST_OK, "", frost_transition_describe(i, &info));
        CHECK(info.name[0] && info.summary[0] && strncmp(info.filter, "CI", 2) == 0 && info.reserved == 0);
        CHECK((info.extra_images == FROST_EXTRA_MASK) == (strcmp(info.name, "disintegrate-with-mask") == 0));
        used |= info.extra_images;
        for (size_t j = 0; j < info.parameter_count; j++) {
            frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
            EXPECT(FROST_OK, "", frost_transition_describe_parameter(i, j, &parameter));
            CHECK(parameter.minimum <= parameter.maximum && parameter.help[0]);
            char words[256];
            snprintf(words, sizeof words, "%s=%s", parameter.name, parameter.default_value);
            frost_transition_destroy(transition_of(info.name, words));
        }
        frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
        EXPECT(FROST_ERROR_ARGUMENT, "parameter",
               frost_transition_describe_parameter(i, info.parameter_count, &parameter));
        SIZES(frost_transition_info, info, FROST_OK, frost_transition_describe(i, shorter));
    }
    CHECK(used == (FROST_EXTRA_MASK | FROST_EXTRA_SHADING | FROST_EXTRA_BACKSIDE));
    frost_transition_info info = FROST_TRANSITION_INFO_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "transition index 11", frost_transition_describe(count, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "transition", frost_transition_describe(SIZE_MAX, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_transition_describe(0, NULL));
    frost_parameter_info parameter = FROST_PARAMETER_INFO_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "transition", frost_transition_describe_parameter(SIZE_MAX, SIZE_MAX, &parameter));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_transition_describe_parameter(1, 0, NULL));
    SIZES(frost_parameter_info, FROST_PARAMETER_INFO_INIT, FROST_OK,
          frost_transition_describe_parameter(1, 0, shorter));
}

TRY(options, transition, (const frost_transition_options *options),
    frost_transition_create("page-curl-with-shadow", "", options, &made))

static void creation(void) {
    frost_transition *transition = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "name is NULL", frost_transition_create(NULL, NULL, NULL, &transition));
    EXPECT(FROST_ERROR_ARGUMENT, "transition is NULL", frost_transition_create("dissolve", NULL, NULL, NULL));
    const char *texts[][3] = {
        {"", "", "unknown transition"}, {"Flash", "", "unknown transition"}, {"gaussian", "", "dissolve"},
        {"flash", "sigma=1", "fade-threshold"}, {"flash", "fade-threshold=1.5", "0 to 1"},
        {"flash", "fade-threshold=nan", "fade-threshold"}, {"flash", "color=#12", "colour"},
        {"accordion-fold", "folds=2.5", "folds"}, {"dissolve", "angle=1", "unknown parameter"},
        {"swipe", "angle=1 angle=1", "angle"}, {"\xc3\x28", "\xff", "unknown transition"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        EXPECT(FROST_ERROR_PARAMETER, texts[i][2],
               frost_transition_create(texts[i][0], texts[i][1], NULL, &transition));
    }
    frost_transition_options options = FROST_TRANSITION_OPTIONS_INIT;
    SIZES(frost_transition_options, options, FROST_OK, try_options(shorter));
    struct {
        frost_transition_options options;
        double later;
    } longer = {FROST_TRANSITION_OPTIONS_INIT, 1};
    longer.options.struct_size = sizeof longer;
    EXPECT(FROST_ERROR_ARGUMENT, "does not support", try_options(&longer.options));
    options.light = 2;
    EXPECT(FROST_ERROR_ARGUMENT, "light 2", try_options(&options));
    options.light = FROST_LIGHT_LINEAR;
    options.reserved = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved", try_options(&options));
    options.reserved = 0;
    const frost_rect wrong[] = {
        {0, 0, 0, 5}, {0, 0, 5, -1}, {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, 0, 5, 5},
        {0, 0, INT32_MAX, INT32_MAX},
    };
    for (int i = 0; i < 5; i++) {
        options.extent = &wrong[i];
        EXPECT(FROST_ERROR_PARAMETER, "extent: ", try_options(&options));
        options.extent = NULL;
        options.shadow_extent = &wrong[i];
        EXPECT(FROST_ERROR_PARAMETER, "shadow extent: ", try_options(&options));
        options.shadow_extent = NULL;
    }
    CHECK(!transition);
    frost_transition_destroy(NULL);
}

// Tests the options of transitions and of their frames: regions, rows with padding, channel orders, and reports.
static void frames(void) {
    frost_renderer *cpu = renderer_of(FROST_BACKEND_CPU, 2);
    uint8_t *a = opaque(20, 31, 1), *b = opaque(33, 16, 2), whole[4 * 33 * 31], changed[sizeof whole];
    frost_source from = source_of(a, 20, 31), to = source_of(b, 33, 16);
    frost_transition *swipe = transition_of("swipe", "angle=30 width=12");
    frost_target target = FROST_TARGET_INIT;
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_transition_describe_target(swipe, &from, &to, NULL, &target));
    CHECK(target.width == 33 && target.height == 31 && target.channels == FROST_CHANNELS_RGBA);
    CHECK(target.byte_count == sizeof whole);
    target.pixels = whole;
    EXPECT(FROST_OK, "", frost_render_transition(cpu, swipe, 0.4, &from, &to, &target, NULL, &report));
    CHECK(report.backend == FROST_BACKEND_CPU && report.error_bound > 0 && report.error_bound < 1);
    CHECK(report.reason[0] && !report.device[0]);
    // A region is a part of the frame. It may extend outside. Between the rows of the target, no byte changes.
    const frost_rect region = {-3, 9, 15, 8};
    frost_transition_render_options options = FROST_TRANSITION_RENDER_OPTIONS_INIT;
    options.region = &region;
    uint8_t padded[8 * 100];
    memset(padded, 0x77, sizeof padded);
    frost_target part = target_of(padded, 15, 8);
    part.channels = FROST_CHANNELS_BGRA;
    part.bytes_per_row = 100;
    part.byte_count = sizeof padded;
    EXPECT(FROST_OK, "", frost_render_transition(cpu, swipe, 0.4, &from, &to, &part, &options, NULL));
    int wrong = 0;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 15; x++) {
            const uint8_t clear[4] = {0, 0, 0, 0}, *pixel = padded + 100 * y + 4 * x;
            const uint8_t *want = x < 3 ? clear : whole + 4 * (33 * (y + 9) + x - 3);
            wrong += pixel[0] != want[2] || pixel[1] != want[1] || pixel[2] != want[0] || pixel[3] != want[3];
        }
        for (int x = 60; x < 100; x++) wrong += padded[100 * y + x] != 0x77;
    }
    CHECK(wrong == 0);
    // The extent and linear light change the frame.
    const frost_rect extent = {2, 2, 4, 4};
    frost_transition_options other = FROST_TRANSITION_OPTIONS_INIT;
    target.pixels = changed;
    for (int i = 0; i < 2; i++) {
        other.extent = i ? NULL : &extent;
        other.light = i ? FROST_LIGHT_LINEAR : FROST_LIGHT_ENCODED;
        frost_transition *transition = NULL;
        EXPECT(FROST_OK, "", frost_transition_create("swipe", "angle=30 width=12", &other, &transition));
        EXPECT(FROST_OK, "", frost_render_transition(cpu, transition, 0.4, &from, &to, &target, NULL, NULL));
        CHECK(memcmp(changed, whole, sizeof whole) != 0);
        frost_transition_destroy(transition);
    }
    // A coloured backside adds colour to the frame of grey images.
    from = to = source_of(NULL, 16, 16);
    from.channels = to.channels = FROST_CHANNELS_GREY;
    const frost_source colored = source_of(NULL, 5, 5);
    frost_transition *curl = transition_of("page-curl", "");
    EXPECT(FROST_OK, "", frost_transition_describe_target(curl, &from, &to, NULL, &target));
    CHECK(target.channels == FROST_CHANNELS_GREY && target.byte_count == 16 * 16);
    options.region = NULL;
    options.backside = &colored;
    EXPECT(FROST_OK, "", frost_transition_describe_target(curl, &from, &to, &options, &target));
    CHECK(target.channels == FROST_CHANNELS_RGB || target.channels == FROST_CHANNELS_RGBA);
    frost_transition_destroy(curl);
    frost_transition_destroy(swipe);
    frost_renderer_destroy(cpu);
    free(a), free(b);
}

static frost_status shaded(
    frost_renderer *renderer, const frost_transition *transition, const frost_source *image, const frost_source *shading,
    const frost_target *target) {
    frost_transition_render_options options = FROST_TRANSITION_RENDER_OPTIONS_INIT;
    options.shading = shading;
    return frost_render_transition(renderer, transition, 0.5, image, image, target, &options, NULL);
}

static void arguments(int32_t backend) {
    frost_renderer *renderer = renderer_of(backend, 2);
    uint8_t *a = opaque(8, 6, 1), *b = opaque(8, 6, 2), *out = opaque(8, 6, 3);
    const frost_source from = source_of(a, 8, 6), to = source_of(b, 8, 6);
    const frost_target target = target_of(out, 8, 6);
    const frost_transition_render_options none = FROST_TRANSITION_RENDER_OPTIONS_INIT;
    frost_transition *dissolve = transition_of("dissolve", NULL), *curl = transition_of("page-curl", NULL);
    frost_transition *ripple = transition_of("ripple", NULL);
    frost_transition *disintegrate = transition_of("disintegrate-with-mask", NULL);
    frost_mask *mask = mask_of();

    const double times[] = {NAN, INFINITY, -INFINITY, -DBL_MIN, 1 + DBL_EPSILON, -1, 2, 1e300};
    for (int i = 0; i < 8; i++) {
        EXPECT(FROST_ERROR_PARAMETER, "0 to 1",
               frost_render_transition(renderer, dissolve, times[i], &from, &to, &target, NULL, NULL));
    }
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL",
           frost_render_transition(NULL, dissolve, 0.5, &from, &to, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "transition is NULL",
           frost_render_transition(renderer, NULL, 0.5, &from, &to, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "from is NULL",
           frost_render_transition(renderer, dissolve, 0.5, NULL, &to, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "to is NULL",
           frost_render_transition(renderer, dissolve, 0.5, &from, NULL, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL",
           frost_render_transition(renderer, dissolve, 0.5, &from, &to, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_render_transition(renderer, (frost_transition *)(void *)mask, 0.5, &from, &to, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_render((frost_renderer *)(void *)dissolve, NULL, &from, &target, NULL, NULL));
    frost_target described = FROST_TARGET_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "transition is NULL",
           frost_transition_describe_target(NULL, &from, &to, NULL, &described));
    EXPECT(FROST_ERROR_ARGUMENT, "from is NULL",
           frost_transition_describe_target(dissolve, NULL, &to, NULL, &described));
    EXPECT(FROST_ERROR_ARGUMENT, "to is NULL",
           frost_transition_describe_target(dissolve, &from, NULL, NULL, &described));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_transition_describe_target(dissolve, &from, &to, NULL, NULL));

    SIZES(frost_source, from, FROST_OK,
          frost_render_transition(renderer, dissolve, 0.5, shorter, &to, &target, NULL, NULL));
    SIZES(frost_source, to, FROST_OK,
          frost_render_transition(renderer, dissolve, 0.5, &from, shorter, &target, NULL, NULL));
    SIZES(frost_target, target, FROST_OK,
          frost_render_transition(renderer, dissolve, 0.5, &from, &to, shorter, NULL, NULL));
    SIZES(frost_transition_render_options, none, FROST_OK,
          frost_render_transition(renderer, dissolve, 0.5, &from, &to, &target, shorter, NULL));
    const frost_report report = FROST_REPORT_INIT;
    SIZES_FROM(frost_report, FIRST_REPORT, report, FROST_OK,
          frost_render_transition(renderer, dissolve, 0.5, &from, &to, &target, NULL, shorter));
    SIZES(frost_target, described, FROST_OK, frost_transition_describe_target(dissolve, &from, &to, NULL, shorter));

#define WITH(status, evidence, transition, change)                                                       \
    do {                                                                                                 \
        frost_source f = from, t = to;                                                                   \
        frost_target o = target;                                                                         \
        frost_transition_render_options options = none;                                                  \
        change;                                                                                          \
        EXPECT(status, evidence,                                                                         \
               frost_render_transition(renderer, transition, 0.5, &f, &t, &o, &options, NULL));          \
    } while (0)
    WITH(FROST_OK, "", dissolve, (void)t);
    WITH(FROST_OK, "", disintegrate, options.mask = mask);
    WITH(FROST_ERROR_PARAMETER, "needs a mask", disintegrate, (void)t);
    WITH(FROST_ERROR_PARAMETER, "does not use a mask", dissolve, options.mask = mask);
    WITH(FROST_ERROR_PARAMETER, "does not use a shading", dissolve, options.shading = &to);
    WITH(FROST_ERROR_PARAMETER, "does not use a backside", ripple, options.backside = &to);
    WITH(FROST_OK, "", ripple, options.shading = &to);
    WITH(FROST_OK, "", curl, (options.shading = &to, options.backside = &from));
    WITH(FROST_ERROR_ARGUMENT, "another kind", disintegrate, options.mask = (frost_mask *)(void *)dissolve);
    WITH(FROST_ERROR_ARGUMENT, "from's channels", dissolve, f.channels = 5);
    WITH(FROST_ERROR_ARGUMENT, "to's sample", dissolve, t.sample = 4);
    WITH(FROST_ERROR_ARGUMENT, "target's alpha", dissolve, o.alpha = 2);
    WITH(FROST_ERROR_ARGUMENT, "reserved", dissolve, t.reserved = 1);
    WITH(FROST_ERROR_ARGUMENT, "from: pixels is NULL", dissolve, f.pixels = NULL);
    WITH(FROST_ERROR_ARGUMENT, "to: pixels is NULL", dissolve, t.pixels = NULL);
    WITH(FROST_ERROR_ARGUMENT, "target: pixels is NULL", dissolve, o.pixels = NULL);
    WITH(FROST_ERROR_ARGUMENT, "to: byte_count", dissolve, t.byte_count -= 1);
    WITH(FROST_ERROR_ARGUMENT, "target: byte_count", dissolve, o.byte_count -= 1);
    WITH(FROST_ERROR_PIXELS, "31 bytes", dissolve, t.bytes_per_row = 31);
    WITH(FROST_ERROR_PIXELS, "sample type", dissolve, (t.sample = FROST_SAMPLE_U16, t.width = 4));
    WITH(FROST_ERROR_PIXELS, "sample type", dissolve,
         (o.sample = FROST_SAMPLE_U16, o.height = 3, f.height = t.height = 3));
    WITH(FROST_ERROR_PIXELS, "format", dissolve, o.channels = FROST_CHANNELS_GREY_ALPHA);
    WITH(FROST_ERROR_PIXELS, "format", dissolve, o.channels = FROST_CHANNELS_RGB);
    WITH(FROST_ERROR_PIXELS, "format", dissolve, f.channels = t.channels = FROST_CHANNELS_GREY);
    WITH(FROST_OK, "", dissolve, f.channels = t.channels = FROST_CHANNELS_RGB);
    WITH(FROST_ERROR_PIXELS, "7x6 of the result", dissolve, o.width = 7);
    WITH(FROST_ERROR_PIXELS, "overlaps", dissolve, o.pixels = a);
    WITH(FROST_ERROR_PIXELS, "overlaps", dissolve, o.pixels = b);
    WITH(FROST_ERROR_PIXELS, "overlaps", dissolve, {
        o.pixels = b + 4 * 8 * 5;
        t.height = f.height = o.height = 1;
        t.pixels = b + 4 * 8 * 5 - 4;
    });
    {
        frost_source shared = source_of(out, 8, 6), floats = source_of(b, 2, 2);
        floats.sample = FROST_SAMPLE_F32;
        floats.byte_count = 64;
        frost_source missing = source_of(NULL, 8, 6), short_rows = source_of(b, 8, 6);
        short_rows.bytes_per_row = 31;
        WITH(FROST_ERROR_PIXELS, "overlaps", ripple, options.shading = &shared);
        WITH(FROST_ERROR_PIXELS, "overlaps", curl, options.backside = &shared);
        WITH(FROST_ERROR_PIXELS, "sample type", curl, options.backside = &floats);
        WITH(FROST_ERROR_ARGUMENT, "backside: pixels is NULL", curl, options.backside = &missing);
        WITH(FROST_ERROR_PIXELS, "shading: ", ripple, options.shading = &short_rows);
        SIZES(frost_source, to, FROST_OK, shaded(renderer, ripple, &from, shorter, &target));
    }
    const int32_t extremes[] = {INT32_MIN, -1, 0, 1, 7, INT32_MAX};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            const frost_rect region = {extremes[i], extremes[j], extremes[j], extremes[i]};
            frost_transition_render_options options = none;
            options.region = &region;
            CHECK(frost_render_transition(renderer, dissolve, 0.5, &from, &to, &target, &options, NULL) < 0);
            frost_transition_describe_target(dissolve, &from, &to, &options, &described);
            frost_source f = from, t = to;
            f.width = extremes[i];
            f.height = extremes[j];
            t.width = extremes[j];
            t.height = extremes[i];
            CHECK(frost_render_transition(renderer, dissolve, 0.5, &f, &t, &target, NULL, NULL) < 0);
            const frost_status status = frost_transition_describe_target(dissolve, &f, &t, NULL, &described);
            CHECK(status == FROST_OK ? extremes[i] > 0 && extremes[j] > 0 : status == FROST_ERROR_PIXELS);
        }
    }
    // Two narrow images that cross have a huge frame. The target is checked before memory for the frame is allocated.
    uint8_t *line = opaque(200000, 1, 4);
    const frost_source wide = source_of(line, 200000, 1), tall = source_of(line, 1, 200000);
    frost_transition_render_options options = none;
    options.mask = mask;
    EXPECT(FROST_ERROR_PIXELS, "of the result",
           frost_render_transition(renderer, disintegrate, 0.5, &wide, &tall, &target, &options, NULL));
    free(line);

    frost_cancellation *cancellation = NULL;
    EXPECT(FROST_OK, "", frost_cancellation_create(&cancellation));
    frost_cancellation_cancel(cancellation);
    WITH(FROST_CANCELLED, "", ripple, options.cancellation = cancellation);
    frost_cancellation_destroy(cancellation);
#undef WITH
    frost_transition_destroy(dissolve);
    frost_transition_destroy(curl);
    frost_transition_destroy(ripple);
    frost_transition_destroy(disintegrate);
    frost_mask_destroy(mask);
    frost_renderer_destroy(renderer);
    free(a);
    free(b);
    free(out);
}

int main(void) {
    catalogue();
    creation();
    frames();
    arguments(FROST_BACKEND_CPU);
    arguments(FROST_BACKEND_EXACT);
    if (!without_gpu()) arguments(FROST_BACKEND_GPU);
    return finish("transitions");
}
