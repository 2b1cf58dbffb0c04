/*
 * Calls of frost.h with arguments that bytes choose, for libFuzzer: `Tools/fuzz calls`. Compiled with REPLAY it is a program
 * that reads the files that it is given. Every call must return; a call that succeeds must have written what it promises.
 */
#include "CFuzzer.h"
#include "bytes.h"
#include <frost.h>
#include <math.h>

/* Memory in which images lie. The address sanitizer notices an access outside it. */
enum { CAPACITY = 1 << 14 };

/* An image of arbitrary fields, whose memory is as large as byte_count states. Mostly its fields are small and fit. */
static frost_source source(uint8_t *memory) {
    frost_source image = FROST_SOURCE_INIT;
    uint8_t kind = byte();
    if (kind % 4 == 0) {
        take(&image, sizeof image);
        if (kind % 8 == 0) image.struct_size = sizeof image;
    } else {
        image.width = byte() % 48;
        image.height = byte() % 48;
        image.channels = byte() % 6;
        image.sample = byte() % 5;
        image.alpha = byte() % 3;
        if (kind % 4 == 1) image.bytes_per_row = (size_t)byte() * 4;
        image.byte_count = CAPACITY;
    }
    if (image.byte_count > CAPACITY) image.byte_count = CAPACITY;
    /* Without pixels, or behind the start so that what is counted ends with the memory. */
    image.pixels = kind >= 250 ? NULL : memory + (CAPACITY - image.byte_count);
    return image;
}

static frost_target target(uint8_t *memory) {
    frost_target image;
    frost_source same = source(memory);
    memcpy(&image, &same, sizeof image);
    return image;
}

static frost_rect rect(void) {
    frost_rect rect = {0, 0, 0, 0};
    if (byte() % 4 == 0) {
        take(&rect, sizeof rect);
    } else {
        rect = (frost_rect){byte() % 64 - 16, byte() % 64 - 16, byte() % 64, byte() % 64};
    }
    return rect;
}

static frost_effect *effect(void) {
    static const char *const names[] = {"light", "tilt-shift", "7blur-neon", "material-thin-dark", "progressive", "mosaic"};
    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    char name[64], parameters[64];
    uint8_t kind = byte();
    frost_effect *effect = NULL;
    options.dither = byte() % 4;
    options.light = byte() % 3;
    frost_status status;
    if (kind % 2 == 0) {
        double x = number(), y = number();
        status = frost_effect_create_gaussian(x, y, byte() % 6, kind % 4 == 0 ? &options : NULL, &effect);
    } else if (kind % 8 < 4) {
        const char *first = text(name);
        status = frost_effect_create(first, text(parameters), &options, &effect);
    } else {
        status = frost_effect_create(names[kind / 8 % 6], text(parameters), NULL, &effect);
    }
    expect((status == FROST_OK) == (effect != NULL), "an effect only if the call succeeds");
    return effect;
}

static frost_effect *clipped(const frost_effect *effect) {
    frost_shape shapes[3];
    size_t count = byte() % 4;
    for (size_t i = 0; i < count; ++i) {
        shapes[i] = (frost_shape)FROST_SHAPE_INIT;
        shapes[i].x = number();
        shapes[i].y = number();
        shapes[i].width = number();
        shapes[i].height = number();
        shapes[i].corner_radius = number();
        shapes[i].corner_parameter = number();
        shapes[i].corner_curve = byte() % 5;
    }
    frost_effect *result = NULL;
    frost_effect_clip_shapes(effect, shapes, count, &result);
    if (!result || byte() % 2) return result;
    frost_effect *ruled = NULL;
    frost_effect_clip_rule(result, number(), byte() % 3, &ruled);
    frost_effect_destroy(result);
    return ruled;
}

static frost_effect *covered(const frost_effect *effect, uint8_t *memory) {
    char vibrancy[64], mode[64];
    frost_source picture = source(memory);
    frost_content content = FROST_CONTENT_INIT;
    content.picture = byte() % 16 == 0 ? NULL : &picture;
    content.vibrancy = byte() % 2 ? NULL : text(vibrancy);
    content.mode = byte() % 2 ? NULL : text(mode);
    content.bounds = rect();
    frost_effect *result = NULL;
    frost_effect_add_content(effect, &content, &result);
    return result;
}

static frost_effect *masked(const frost_effect *effect) {
    frost_rect bounds = rect();
    frost_effect *result = NULL;
    frost_effect_add_mask(effect, byte() % 2 ? &bounds : NULL, &result);
    return result;
}

static void render(frost_renderer *renderer, const frost_effect *effect, uint8_t *from, uint8_t *to) {
    frost_source image = source(from);
    frost_target result = target(to);
    frost_rect region = rect();
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    frost_report report = FROST_REPORT_INIT;
    frost_mask *mask = NULL;
    if (byte() % 2) {
        frost_source picture = source(from);
        frost_mask_create(&picture, &mask);
    }
    uint8_t kind = byte();
    options.region = kind % 2 ? &region : NULL;
    options.mask = mask;
    options.error_budget = kind % 4 == 0 ? number() : 0;
    if (kind % 3) frost_effect_describe_target(effect, &image, options.region, &result);
    /* The description has changed the size, but not the memory. */
    if (result.byte_count > CAPACITY) result.byte_count = CAPACITY;
    result.pixels = to + (CAPACITY - result.byte_count);
    if (kind % 5 == 0) {
        frost_shape shape = FROST_SHAPE_INIT;
        shape.x = number();
        shape.y = number();
        shape.width = number();
        shape.height = number();
        frost_render_shapes(renderer, effect, &shape, byte() % 2, &image, &result, &options, &report);
    }
    double bound = -1;
    if (frost_effect_error_bound(effect, &image, &options, &bound) == FROST_OK)
        expect(bound >= 0 && isfinite(bound), "an error bound is a number");
    int32_t x = -1, y = -1;
    if (frost_effect_damage_expansion(effect, &image, options.error_budget, &x, &y) == FROST_OK)
        expect(x >= 0 && x <= image.width && y >= 0 && y <= image.height, "an expansion within the image");
    if (frost_render(renderer, effect, &image, &result, &options, &report) == FROST_OK)
        expect(report.backend == FROST_BACKEND_CPU && isfinite(report.error_bound), "a report of the CPU");
    frost_mask_destroy(mask);
}

static void frame(frost_backdrop *backdrop, const frost_effect *effect, uint8_t *from, uint8_t *to) {
    frost_panel panels[3];
    frost_rect parts[2] = {rect(), rect()};
    size_t count = byte() % 4;
    for (size_t i = 0; i < count; ++i) {
        panels[i] = (frost_panel)FROST_PANEL_INIT;
        panels[i].rect = rect();
        panels[i].corner_radius = number();
        panels[i].effect = byte() % 16 == 0 ? NULL : effect;
        panels[i].corner_curve = byte() % 4;
        panels[i].id = byte() % 4;
        if (byte() % 4 == 0) {
            panels[i].region = parts;
            panels[i].region_count = byte() % 3;
        }
    }
    frost_backdrop_set_panels(backdrop, panels, count);
    frost_backdrop_invalidate(backdrop, parts, byte() % 3);
    frost_source image = source(from);
    frost_target result = target(to);
    if (byte() % 4) {
        uint8_t *pixels = result.pixels;
        memcpy(&result, &image, sizeof result);
        result.pixels = pixels == NULL ? NULL : to + (CAPACITY - result.byte_count);
    }
    frost_frame_options options = FROST_FRAME_OPTIONS_INIT;
    options.repaint = byte() % 4;
    options.buffer = byte() % 3;
    options.buffer_age = (int8_t)byte();
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    if (frost_backdrop_render(backdrop, &image, &result, &options, &report) != FROST_OK) return;
    frost_rect written[4];
    size_t all = 0;
    if (frost_backdrop_updated(backdrop, written, 4, &all) != FROST_OK) abort();
    expect(all == report.updated_count, "the report counts the rectangles");
    for (size_t i = 0; i < all && i < 4; ++i)
        expect(written[i].x >= 0 && written[i].x + written[i].width <= image.width && written[i].y >= 0
            && written[i].y + written[i].height <= image.height, "a frame writes within the image");
}

int frost_fuzz_calls(const uint8_t *data, size_t size) {
    static frost_renderer *renderer;
    if (renderer == NULL) {
        frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
        options.backend = FROST_BACKEND_CPU;
        options.threads = 1;
        if (frost_renderer_create(&options, &renderer) != FROST_OK) abort();
    }
    start(data, size);
    uint8_t *from = calloc(1, CAPACITY), *to = calloc(1, CAPACITY);
    frost_backdrop *backdrop = NULL;
    if (from == NULL || to == NULL || frost_backdrop_create(NULL, &backdrop) != FROST_OK) abort();
    take(from, 16);
    for (int calls = 0; calls < 6 && left > 0; ++calls) {
        frost_effect *plain = effect();
        if (plain == NULL) continue;
        uint8_t kind = byte() % 5;
        frost_effect *shown =
            kind == 0 ? clipped(plain) : kind == 1 ? covered(plain, from) : kind == 2 ? masked(plain) : NULL;
        const frost_effect *used = shown != NULL ? shown : plain;
        if (byte() % 2) render(renderer, used, from, to);
        else frame(backdrop, used, from, to);
        expect(frost_effect_equal(used, used) == 1, "an effect equals itself");
        frost_effect_destroy(shown);
        frost_effect_destroy(plain);
    }
    frost_backdrop_destroy(backdrop);
    free(from);
    free(to);
    return 0;
}

REPLAY_WITH(frost_fuzz_calls)
