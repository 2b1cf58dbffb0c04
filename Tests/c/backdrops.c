// Tests live backdrops in memory: invalid arguments, the fields of structs, reports, and lifetimes. The library's own tests
// compare the pixels of frames.
#include "check.h"

#include <math.h>
#include <pthread.h>

enum { WIDTH = 150, HEIGHT = 110, BYTES = WIDTH * HEIGHT * 4 };

static const int32_t extremes[] = {INT32_MIN, -1, 0, 1, 7, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

static const frost_rect whole = {0, 0, WIDTH, HEIGHT};

static frost_backdrop *backdrop_of(int32_t coverage) {
    frost_backdrop *backdrop = NULL;
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    options.coverage = coverage;
    options.threads = 2;
    EXPECT(FROST_OK, "", frost_backdrop_create(&options, &backdrop));
    return backdrop;
}

TRY(backdrop, backdrop, (const frost_backdrop_options *options), frost_backdrop_create(options, &made))

static void nulls(frost_backdrop *backdrop, const frost_panel *panel, const frost_source *source, frost_target *target) {
    const frost_rect rect = {0, 0, 1, 1};
    frost_rect rects[1];
    size_t count;
    int32_t x, y;
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_create(NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_set_panels(NULL, panel, 1));
    EXPECT(FROST_ERROR_ARGUMENT, "panels is NULL", frost_backdrop_set_panels(backdrop, NULL, 1));
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, NULL, 0));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_invalidate(NULL, &rect, 1));
    EXPECT(FROST_ERROR_ARGUMENT, "rects is NULL", frost_backdrop_invalidate(backdrop, NULL, 1));
    EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, NULL, 0));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_invalidate_all(NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_render(NULL, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_backdrop_render(backdrop, NULL, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_backdrop_render(backdrop, source, NULL, NULL, NULL));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_updated(NULL, rects, 1, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "count is NULL", frost_backdrop_updated(backdrop, rects, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "rects is NULL", frost_backdrop_updated(backdrop, NULL, 1, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_uncovered(NULL, rects, 1, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "count is NULL", frost_backdrop_uncovered(backdrop, rects, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "rects is NULL", frost_backdrop_uncovered(backdrop, NULL, 1, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "capacity", frost_backdrop_uncovered(backdrop, rects, SIZE_MAX, &count));
    float rgba[4];
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_backdrop_content_color(NULL, 0, rgba));
    EXPECT(FROST_ERROR_ARGUMENT, "rgba is NULL", frost_backdrop_content_color(backdrop, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_effect_damage_expansion(NULL, source, 0, &x, &y));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_effect_damage_expansion(panel->effect, NULL, 0, &x, &y));
    EXPECT(FROST_ERROR_ARGUMENT, "x is NULL", frost_effect_damage_expansion(panel->effect, source, 0, NULL, &y));
    EXPECT(FROST_ERROR_ARGUMENT, "y is NULL", frost_effect_damage_expansion(panel->effect, source, 0, &x, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_backdrop_render((frost_backdrop *)(uintptr_t)panel->effect, source, target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_backdrop_create(NULL, NULL, &backdrop));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_gl_backdrop_render(NULL, NULL, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "frost_backdrop_render", frost_gl_backdrop_render(backdrop, NULL, NULL, NULL, NULL));
    frost_backdrop_destroy(NULL);
}

static void structs(frost_backdrop *backdrop, const frost_panel *panel, const frost_source *source, frost_target *target) {
    int32_t x, y;
    const frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    SIZES_FROM(frost_backdrop_options, 24, options, FROST_OK, try_backdrop(shorter));
    SIZES_FROM(frost_panel, 48, *panel, FROST_OK, frost_backdrop_set_panels(backdrop, shorter, 1));
    SIZES(frost_source, *source, FROST_OK, frost_backdrop_render(backdrop, shorter, target, NULL, NULL));
    SIZES(frost_target, *target, FROST_OK, frost_backdrop_render(backdrop, source, shorter, NULL, NULL));
    const frost_frame_options frame = FROST_FRAME_OPTIONS_INIT;
    const frost_frame_report report = FROST_FRAME_REPORT_INIT;
    SIZES_FROM(frost_frame_options, 24, frame, FROST_OK, frost_backdrop_render(backdrop, source, target, shorter, NULL));
    SIZES_FROM(frost_frame_report, 64, report, FROST_OK, frost_backdrop_render(backdrop, source, target, NULL, shorter));
    SIZES(frost_source, *source, FROST_OK, frost_effect_damage_expansion(panel->effect, shorter, 0, &x, &y));

    // The size stated in the struct is also the distance between the elements of the array. So it must be the same in all
    // elements.
    frost_panel panels[3] = {*panel, *panel, *panel};
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 3));
    panels[2].struct_size -= 8;
    EXPECT(FROST_ERROR_ARGUMENT, "at index 2", frost_backdrop_set_panels(backdrop, panels, 3));
    struct {
        frost_panel panel;
        double later;
    } longer[3] = {{*panel, 0}, {*panel, 0}, {*panel, 0}};
    for (int i = 0; i < 3; i++) longer[i].panel.struct_size = sizeof longer[0];
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &longer[0].panel, 3));
    longer[1].later = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "does not support", frost_backdrop_set_panels(backdrop, &longer[0].panel, 3));
}

static void values(frost_backdrop *backdrop, const frost_effect *effect, const frost_source *source, frost_target *target) {
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    options.coverage = 2;
    EXPECT(FROST_ERROR_ARGUMENT, "coverage 2", try_backdrop(&options));
    options.coverage = 0;
    options.threads = 257;
    EXPECT(FROST_ERROR_PARAMETER, "threads", try_backdrop(&options));
    options.threads = -1;
    EXPECT(FROST_ERROR_PARAMETER, "threads", try_backdrop(&options));
    options.threads = 0;
    options.error_budget = NAN;
    EXPECT(FROST_ERROR_PARAMETER, "budget", try_backdrop(&options));
    options.error_budget = 0;
    options.layering = 2;
    EXPECT(FROST_ERROR_ARGUMENT, "layering 2", try_backdrop(&options));
    options.layering = FROST_LAYERING_STACKED;
    options.reserved = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved", try_backdrop(&options));
    frost_frame_options frame = FROST_FRAME_OPTIONS_INIT;
    frame.repaint = 3;
    EXPECT(FROST_ERROR_ARGUMENT, "repaint 3", frost_backdrop_render(backdrop, source, target, &frame, NULL));
    frame.repaint = FROST_REPAINT_AGED;
    frame.buffer_age = -1;
    EXPECT(FROST_ERROR_PARAMETER, "buffer age", frost_backdrop_render(backdrop, source, target, &frame, NULL));
    frame.repaint = FROST_REPAINT_CHANGED;
    EXPECT(FROST_ERROR_ARGUMENT, "buffer_age is -1", frost_backdrop_render(backdrop, source, target, &frame, NULL));
    frame.buffer_age = 0;
    frame.reserved = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved", frost_backdrop_render(backdrop, source, target, &frame, NULL));
    frame.reserved = 0;
    frame.cancellation = (frost_cancellation *)(uintptr_t)effect;
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_backdrop_render(backdrop, source, target, &frame, NULL));

    // Invalid panels leave the previous ones unchanged.
    frost_panel panels[2] = {panel_of(effect, whole, 4), panel_of(effect, whole, 4)};
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 2));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, NULL));
    const double radii[] = {-1, 1000, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        panels[1].corner_radius = radii[i];
        EXPECT(FROST_ERROR_PARAMETER, "panel 1: ", frost_backdrop_set_panels(backdrop, panels, 2));
    }
    panels[1] = panel_of(effect, whole, 4);
    panels[1].corner_curve = 4;
    EXPECT(FROST_ERROR_ARGUMENT, "corner_curve 4", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].corner_curve = FROST_CORNERS_CONTINUOUS;
    panels[1].corner_parameter = 1.5;
    EXPECT(FROST_ERROR_PARAMETER, "smoothing 1.5", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].corner_curve = FROST_CORNERS_CIRCULAR;
    EXPECT(FROST_ERROR_ARGUMENT, "corner_parameter is 1.5", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].corner_parameter = 0;
    panels[1].id = panels[0].id = 77;
    EXPECT(FROST_ERROR_PARAMETER, "panel id cannot be 77", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].id = panels[0].id = 0;
    panels[1].content_count = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "content is NULL", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].content_count = SIZE_MAX;
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].content_count = 0;
    panels[1].region_count = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "region is NULL", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].region = &whole;
    panels[1].region_count = SIZE_MAX;
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].region = NULL;
    panels[1].region_count = 0;
    panels[1].reserved = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved", frost_backdrop_set_panels(backdrop, panels, 2));
    for (int field = 0; field < 6; field++) {
        const double wrong[] = {-0.25, 1.25, NAN};
        for (int i = 0; i < 3; i++) {
            panels[1] = panel_of(effect, whole, 0);
            double *const fields[] = {&panels[1].transparency, &panels[1].weakening, &panels[1].inset_left,
                                      &panels[1].inset_top, &panels[1].inset_right, &panels[1].inset_bottom};
            *fields[field] = wrong[i];
            static const char *const names[] = {"transparency", "weakening", "inset_left", "inset_top", "inset_right", "inset_bottom"};
            EXPECT(FROST_ERROR_PARAMETER, names[field], frost_backdrop_set_panels(backdrop, panels, 2));
        }
    }
    panels[1] = panel_of(NULL, whole, 0);
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].effect = (const frost_effect *)backdrop;
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_backdrop_set_panels(backdrop, panels, 2));
    panels[1].effect = effect;
    panels[1].mask = (const frost_mask *)effect;
    EXPECT(FROST_ERROR_ARGUMENT, "another kind", frost_backdrop_set_panels(backdrop, panels, 2));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_set_panels(backdrop, panels, SIZE_MAX));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_set_panels(backdrop, panels, 4097));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_invalidate(backdrop, &whole, SIZE_MAX));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_backdrop_invalidate(backdrop, &whole, 65537));
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, &report));
    CHECK(report.level_passes == 0 && report.panel_passes == 0 && report.updated_count == 0);

    // A panel that has faded out costs nothing, and is reported as uncovered.
    for (int by_transparency = 0; by_transparency < 2; by_transparency++) {
        frost_panel fading = panel_of(effect, (frost_rect){10, 12, 50, 40}, 0);
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &fading, 1));
        EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, &report));
        *(by_transparency ? &fading.transparency : &fading.weakening) = 1;
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &fading, 1));
        EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
        EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, &report));
        CHECK(report.panel_pixels == 0 && report.level_samples == 0 && report.uncovered_count == 1);
    }

    // Panels and damage may be rectangles of any size; a negative side is an error.
    for (int i = 0; i < EXTREMES; i++) {
        for (int j = 0; j < EXTREMES; j++) {
            const frost_rect rect = {extremes[i], extremes[j], extremes[j], extremes[i]};
            if (rect.width < 0 || rect.height < 0) {
                EXPECT(FROST_ERROR_PARAMETER, "negative side", frost_backdrop_invalidate(backdrop, &rect, 1));
            } else {
                EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &rect, 1));
            }
            const frost_panel panel = panel_of(effect, rect, 0);
            const frost_status status = frost_backdrop_set_panels(backdrop, &panel, 1);
            CHECK(status == FROST_OK || status == FROST_ERROR_PARAMETER);
            EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, source, target, NULL, NULL));
            frost_source s = *source;
            s.width = extremes[i];
            s.height = extremes[j];
            CHECK(frost_backdrop_render(backdrop, &s, target, NULL, NULL) < 0);
            frost_target t = *target;
            t.width = extremes[i];
            t.height = extremes[j];
            CHECK(frost_backdrop_render(backdrop, source, &t, NULL, NULL) < 0);
            int32_t x = -1, y = -1;
            const frost_status told = frost_effect_damage_expansion(effect, &s, 0, &x, &y);
            CHECK(told == FROST_OK ? x >= 0 && x <= s.width && y >= 0 && y <= s.height : x == -1 && y == -1);
        }
    }
    frost_panel panel = panel_of(effect, whole, 0);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    frost_target t = *target;
    t.channels = FROST_CHANNELS_GREY;
    EXPECT(FROST_ERROR_PIXELS, "format", frost_backdrop_render(backdrop, source, &t, NULL, NULL));
    t = *target;
    t.pixels = (void *)(uintptr_t)source->pixels;
    EXPECT(FROST_ERROR_PIXELS, "overlaps", frost_backdrop_render(backdrop, source, &t, NULL, NULL));
}

// Computes what the target should contain: frost_render() computes each panel's effect, which is drawn over the previous
// content of the target.
static void expect_panels(
    uint8_t *expected, const uint8_t *from, const frost_panel *panels, const frost_effect *const *placed, size_t count) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    for (size_t i = 0; i < count; i++) {
        const frost_rect r = panels[i].rect;
        const int32_t x = r.x < 0 ? 0 : r.x, y = r.y < 0 ? 0 : r.y;
        const frost_rect region = {x, y, (r.x + r.width > WIDTH ? WIDTH : r.x + r.width) - x,
                                   (r.y + r.height > HEIGHT ? HEIGHT : r.y + r.height) - y};
        const frost_shape shape = {sizeof shape, r.x, r.y, r.width, r.height, panels[i].corner_radius,
                                   panels[i].corner_parameter, panels[i].corner_curve, 0};
        frost_effect *clipped = NULL;
        EXPECT(FROST_OK, "", frost_effect_clip_shapes(placed[i], &shape, panels[i].corner_radius > 0, &clipped));
        frost_render_options render = FROST_RENDER_OPTIONS_INIT;
        render.region = &region;
        render.mask = panels[i].mask;
        const frost_source source = source_of(from, WIDTH, HEIGHT);
        frost_target target = target_of(expected + (region.y * WIDTH + region.x) * 4, region.width, region.height);
        target.bytes_per_row = WIDTH * 4;
        target.byte_count = (size_t)BYTES - (size_t)(region.y * WIDTH + region.x) * 4;
        EXPECT(FROST_OK, "", frost_render(renderer, clipped, &source, &target, &render, NULL));
        frost_effect_destroy(clipped);
    }
    frost_renderer_destroy(renderer);
}

// Tests that every field of a panel arrives in a frame, that reports and rectangles tell what a frame changed, and that the
// backdrop keeps the effects and masks of its panels alive.
static void frames(int32_t coverage) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8), *expected = noise(BYTES, 8), *label = noise(20 * 10 * 4, 10);
    const frost_source source = source_of(from, WIDTH, HEIGHT), picture = source_of(label, 20, 10);
    const frost_target target = target_of(made, WIDTH, HEIGHT);
    frost_effect *depth = NULL, *glass = NULL, *labelled = NULL, *placed = NULL, *soft = gaussian(6);
    frost_mask *mask = NULL;
    EXPECT(FROST_OK, "", frost_effect_create("variable", "radius=9", NULL, &depth));
    EXPECT(FROST_OK, "", frost_mask_create(&picture, &mask));
    EXPECT(FROST_OK, "", frost_effect_create("blur-dark", "radius=6", NULL, &glass));
    // The bounds of content are relative to the panel here. For frost_render() they are relative to the picture.
    frost_content content = {sizeof content, &picture, NULL, "center", {5, 6, 30, 20}};
    EXPECT(FROST_OK, "", frost_effect_add_content(glass, &content, &labelled));
    content.bounds = (frost_rect){45, 36, 30, 20};
    EXPECT(FROST_OK, "", frost_effect_add_content(glass, &content, &placed));
    frost_panel panels[3] = {
        panel_of(depth, whole, 0), panel_of(labelled, (frost_rect){40, 30, 70, 60}, 12),
        panel_of(soft, (frost_rect){100, 10, 40, 40}, 7.5)};
    const frost_effect *const effects[3] = {depth, placed, soft};
    panels[0].mask = mask;
    panels[1].corner_curve = FROST_CORNERS_CONTINUOUS;
    panels[2].corner_curve = FROST_CORNERS_SUPERELLIPSE;
    panels[2].corner_parameter = 3;
    frost_backdrop *backdrop = backdrop_of(coverage);
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    frost_rect rects[16];
    size_t count = 99;
    EXPECT(FROST_OK, "", frost_backdrop_updated(backdrop, NULL, 0, &count));
    CHECK(count == 0);

#define FRAME(panels, number)                                                                 \
    (EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, number)),               \
     EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report)),  \
     EXPECT(FROST_OK, "", frost_backdrop_updated(backdrop, rects, 16, &count)), count == report.updated_count)
    CHECK(FRAME(panels, 3) && report.level_passes > 0 && report.panel_passes > 0 && report.level_samples > 0);
    CHECK(count > 0 && report.panel_pixels > 0 && report.error_bound > 0);
    expect_panels(expected, from, panels, effects, 3);
    CHECK(memcmp(made, expected, BYTES) == 0 && memcmp(made, from, BYTES) != 0);
    CHECK(FRAME(panels, 3) && count == 0 && report.level_samples == 0 && report.panel_pixels == 0);

    int32_t x, y;
    EXPECT(FROST_OK, "", frost_effect_damage_expansion(soft, &source, 0, &x, &y));
    CHECK(x >= 12 && x <= 40 && y == x);
    const frost_rect damage[2] = {{120, 30, 2, 1}, {-5, 109, 8, 8}};
    EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, damage, 2));
    CHECK(FRAME(panels, 3) && report.panel_pixels > 0 && report.panel_pixels < WIDTH * HEIGHT);

    // A cancelled frame returns an error. The next frame does the work that remained, and reports it.
    frost_frame_options frame = FROST_FRAME_OPTIONS_INIT;
    EXPECT(FROST_OK, "", frost_cancellation_create(&frame.cancellation));
    frost_cancellation_cancel(frame.cancellation);
    EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
    EXPECT(FROST_CANCELLED, "", frost_backdrop_render(backdrop, &source, &target, &frame, NULL));
    CHECK(FRAME(panels, 3) && report.panel_pixels >= WIDTH * HEIGHT);
    frost_cancellation_destroy(frame.cancellation);

    // Without the panel that covers the target, what it covered is told. Without capacity, no rectangle is written.
    CHECK(FRAME(panels + 1, 2));
    EXPECT(FROST_OK, "", frost_backdrop_uncovered(backdrop, rects, 16, &count));
    CHECK(count == report.uncovered_count && count > 1);
    rects[0].width = -7;
    EXPECT(FROST_OK, "", frost_backdrop_uncovered(backdrop, rects, 0, &count));
    CHECK(count == report.uncovered_count && rects[0].width == -7);

    CHECK(FRAME(panels, 3));
    frost_effect_destroy(depth), frost_effect_destroy(glass), frost_effect_destroy(labelled), frost_effect_destroy(placed);
    frost_effect_destroy(soft);
    frost_mask_destroy(mask);
    EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report));
    CHECK(report.panel_pixels > 0);
    CHECK(FRAME(NULL, 0) && report.panel_pixels == 0);
    EXPECT(FROST_OK, "", frost_backdrop_uncovered(backdrop, rects, 16, &count));
    CHECK(count == 1 && memcmp(rects, &whole, sizeof whole) == 0);
#undef FRAME
    frost_backdrop_destroy(backdrop);
    free(from), free(made), free(expected), free(label);
}

// Renders frames into three buffers in rotation. The report states the age that the number of the buffer, its address or the
// host tells; frames of a known age draw less than the whole panel.
static void buffers(void) {
    uint8_t *from = noise(BYTES, 7), *pixels[3] = {noise(BYTES, 8), noise(BYTES, 8), noise(BYTES, 8)};
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    frost_effect *soft = gaussian(4);
    const frost_panel panel = panel_of(soft, (frost_rect){10, 10, 90, 80}, 12);
    const struct {
        int32_t repaint;
        int is_numbered;
    } hosts[] = {{FROST_REPAINT_ALL, 0}, {FROST_REPAINT_CHANGED, 0}, {FROST_REPAINT_CHANGED, 1}, {FROST_REPAINT_AGED, 0}};
    for (int host = 0; host < 4; host++) {
        frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_PANELS);
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
        for (int frame = 0; frame < 6; frame++) {
            const frost_rect damage = {3 + 9 * frame, 20 + 4 * frame, 5, 6};
            EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &damage, 1));
            frost_frame_options options = FROST_FRAME_OPTIONS_INIT;
            frost_frame_report report = FROST_FRAME_REPORT_INIT;
            const int is_known = frame >= 3 && host > 0;
            options.repaint = hosts[host].repaint;
            options.buffer = hosts[host].is_numbered ? (uint64_t)(frame % 3) + 1 : 0;
            options.buffer_age = options.repaint == FROST_REPAINT_AGED && is_known ? 3 : 0;
            const frost_target target = target_of(pixels[frame % 3], WIDTH, HEIGHT);
            EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, &options, &report));
            CHECK(report.buffer_age == (is_known ? 3 : 0) && (report.panel_pixels < 90 * 80) == is_known);
        }
        frost_backdrop_destroy(backdrop);
    }
    frost_effect_destroy(soft);
    for (int i = 0; i < 3; i++) free(pixels[i]);
    free(from);
}

// Tests that panels with numbers keep their pixels when their order changes, and that only the pixels of regions are drawn.
static void identities(void) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8);
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(made, WIDTH, HEIGHT);
    frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_EVERYWHERE);
    frost_effect *soft = gaussian(4);
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    frost_panel panels[2] = {panel_of(soft, (frost_rect){10, 10, 50, 40}, 6), panel_of(soft, (frost_rect){80, 30, 40, 50}, 6)};
#define FRAME(count) \
    (EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, count)), \
     EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report)), report.panel_pixels)
    panels[0].id = 1, panels[1].id = UINT64_MAX;
    CHECK(FRAME(2) == 50 * 40 + 40 * 50);
    const frost_panel first = panels[0];
    panels[0] = panels[1], panels[1] = first;
    CHECK(FRAME(2) == 0);
    // A region of two rectangles that overlap and exceed the panel, and a region without rectangles.
    const frost_rect region[2] = {{-5, 0, 20, 10}, {10, 5, 100, 10}};
    panels[0] = first;
    panels[0].region = region;
    panels[0].region_count = 2;
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, NULL, 0));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report));
    CHECK(FRAME(1) == 15 * 10 + 40 * 10 - 5 * 5);
    panels[0].region_count = 0;
    CHECK(FRAME(1) == 0 && report.uncovered_count > 0);
    frost_backdrop_destroy(backdrop);
    frost_effect_destroy(soft);
    free(from), free(made);
#undef FRAME
}

// The colour of content follows the picture, is reported when it changes, and is that of the effect if one was given.
static void contents(void) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8);
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(made, WIDTH, HEIGHT);
    frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_PANELS);
    frost_effect *effects[3] = {NULL};
    EXPECT(FROST_OK, "", frost_effect_create("gaussian", "sigma=3 min-contrast=4.5", NULL, &effects[0]));
    EXPECT(FROST_OK, "", frost_effect_create("light", "min-contrast=3 content-color=#102030", NULL, &effects[1]));
    EXPECT(FROST_OK, "", frost_effect_create("light", "", NULL, &effects[2]));
    frost_panel panels[3];
    for (int i = 0; i < 3; i++) {
        panels[i] = (frost_panel)FROST_PANEL_INIT;
        panels[i].rect = (frost_rect){10 + 45 * i, 10, 40, 60};
        panels[i].effect = effects[i];
    }
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 3));
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    float rgba[4] = {9, 9, 9, 9};
    EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, 0, rgba));
    CHECK(rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 0);
    for (int light = 0; light < 2; light++) {
        memset(from, light ? 255 : 0, BYTES);
        for (int i = 3; i < BYTES; i += 4) from[i] = 255;
        EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
        for (int again = 0; again < 2; again++) {
            EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report));
            CHECK(report.content_changes == (again ? 0 : 1) && report.pending_choices == 0);
            EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, 0, rgba));
            CHECK(rgba[0] == !light && rgba[1] == !light && rgba[2] == !light && rgba[3] == 1);
        }
    }
    EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, 1, rgba));
    CHECK(fabsf(rgba[0] * 255 - 16) < 0.01f && fabsf(rgba[2] * 255 - 48) < 0.01f && rgba[3] == 1);
    for (size_t index = 2; index < 4; index++) {
        EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, index, rgba));
        CHECK(rgba[3] == 0);
    }
    EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, SIZE_MAX, rgba));
    CHECK(rgba[3] == 0);
    for (int i = 0; i < 3; i++) frost_effect_destroy(effects[i]);
    frost_backdrop_destroy(backdrop);
    free(from), free(made);
}

// Tests that stacked panels equal a composition by single panels in whole images, with damage, a window and a still frame.
static void stacks(void) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8), *below = noise(BYTES, 9), *above = noise(BYTES, 9);
    uint8_t *window = noise(40 * 30 * 4, 10);
    for (int i = 3; i < BYTES; i += 4) from[i] = 255;
    const frost_source source = source_of(from, WIDTH, HEIGHT), picture = source_of(window, 40, 30);
    const frost_target target = target_of(made, WIDTH, HEIGHT);
    frost_renderer_options of_renderer = FROST_RENDERER_OPTIONS_INIT;
    of_renderer.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&of_renderer, &renderer));
    frost_effect *soft = gaussian(4), *plain = gaussian(0), *glass = NULL;
    EXPECT(FROST_OK, "", frost_effect_create("blur-dark", "radius=5", NULL, &glass));
    const frost_content content = {sizeof content, &picture, NULL, "center", {0, 0, 0, 0}};
    frost_panel panels[4] = {
        panel_of(soft, (frost_rect){10, 10, 60, 50}, 8), panel_of(plain, (frost_rect){40, 30, 40, 30}, 0),
        panel_of(glass, (frost_rect){30, 20, 90, 70}, 12), panel_of(soft, (frost_rect){60, 50, 70, 50}, 0)};
    panels[1].content = &content;
    panels[1].content_count = 1;
    panels[3].transparency = 0.25;
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    options.layering = FROST_LAYERING_STACKED;
    options.threads = 2;
    frost_backdrop *backdrop = NULL;
    EXPECT(FROST_OK, "", frost_backdrop_create(&options, &backdrop));
    for (int frame = 0; frame < 6; frame++) {
        panels[2].rect.x += 3;
        const frost_rect damage = {20 + 9 * frame, 30 + 4 * frame, 9, 8};
        for (int y = damage.y; y < damage.y + damage.height; y++)
            memset(from + 4 * (y * WIDTH + damage.x), 255 - 9 * frame, 4 * (size_t)damage.width);
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 4));
        EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &damage, 1));
        EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
        memcpy(below, from, BYTES);
        for (int i = 0; i < 4; i++) {
            const frost_source s = source_of(below, WIDTH, HEIGHT);
            const frost_target t = target_of(above, WIDTH, HEIGHT);
            memcpy(above, below, BYTES);
            EXPECT(FROST_OK, "", frost_render_panel(renderer, &panels[i], &s, &t, NULL, NULL));
            memcpy(below, above, BYTES);
        }
        // The host draws what no panel covers.
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int covered = 0;
                for (int i = 0; i < 4; i++)
                    covered |= x >= panels[i].rect.x && x < panels[i].rect.x + panels[i].rect.width &&
                               y >= panels[i].rect.y && y < panels[i].rect.y + panels[i].rect.height;
                if (covered) CHECK(memcmp(made + 4 * (y * WIDTH + x), below + 4 * (y * WIDTH + x), 4) == 0);
            }
        }
    }
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, &report));
    CHECK(report.panel_pixels == 0 && report.level_samples == 0 && report.updated_count == 0);
    frost_backdrop_destroy(backdrop);
    frost_renderer_destroy(renderer);
    frost_effect_destroy(soft), frost_effect_destroy(plain), frost_effect_destroy(glass);
    free(from), free(made), free(below), free(above), free(window);
}

// Tests that a panel that is drawn at once has the pixels of the backdrop's: rectangle, corners, effect, content and region.
static void at_once(void) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8), *expected = noise(BYTES, 8), *label = noise(20 * 10 * 4, 10);
    const frost_source source = source_of(from, WIDTH, HEIGHT), picture = source_of(label, 20, 10);
    const frost_target target = target_of(made, WIDTH, HEIGHT), other = target_of(expected, WIDTH, HEIGHT);
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    frost_effect *glass = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    EXPECT(FROST_OK, "", frost_effect_create("blur-dark", "radius=5", NULL, &glass));
    const frost_content content[2] = {
        {sizeof content[0], &picture, "label", "center", {5, 6, 30, 20}}, {sizeof content[0], &picture, NULL, NULL, {0, 0, 0, 0}}};
    const frost_rect region[2] = {{0, 0, 50, 30}, {20, 10, 90, 20}};
    frost_panel panel = panel_of(glass, (frost_rect){-10, 30, 100, 60}, 12);
    panel.corner_curve = FROST_CORNERS_CONTINUOUS;
    panel.content = content;
    panel.content_count = 2;
    panel.region = region;
    panel.region_count = 2;
    frost_report report = FROST_REPORT_INIT;
    frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_PANELS);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &other, NULL, NULL));
    EXPECT(FROST_OK, "", frost_render_panel(renderer, &panel, &source, &target, NULL, &report));
    CHECK(memcmp(made, expected, BYTES) == 0 && report.passes > 0);
    panel.content_count = 1;
    EXPECT(FROST_OK, "", frost_render_panel(renderer, &panel, &source, &target, NULL, NULL));
    CHECK(memcmp(made, expected, BYTES) != 0);
    frost_backdrop_destroy(backdrop);
    frost_render_options wrong = FROST_RENDER_OPTIONS_INIT;
    wrong.region = &region[0];
    EXPECT(FROST_ERROR_ARGUMENT, "region must be NULL", frost_render_panel(renderer, &panel, &source, &target, &wrong, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_render_panel(NULL, &panel, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "panel is NULL", frost_render_panel(renderer, NULL, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_render_panel(renderer, &panel, NULL, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_render_panel(renderer, &panel, &source, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_render_panel(NULL, &panel, NULL, NULL, NULL, NULL));
    frost_target smaller = target;
    smaller.height--;
    EXPECT(FROST_ERROR_PIXELS, "size", frost_render_panel(renderer, &panel, &source, &smaller, NULL, NULL));
    panel.rect.x = 5000;
    EXPECT(FROST_OK, "", frost_render_panel(renderer, &panel, &source, &target, NULL, &report));
    CHECK(report.passes == 0 && report.error_bound == 0);
    frost_effect_destroy(glass);
    frost_renderer_destroy(renderer);
    free(from), free(made), free(expected), free(label);
}

static size_t rects_of(
    frost_backdrop *backdrop, frost_status (*function)(const frost_backdrop *, frost_rect *, size_t, size_t *),
    frost_rect rects[16]) {
    size_t count = 0;
    EXPECT(FROST_OK, "", function(backdrop, rects, 16, &count));
    CHECK(count <= 16);
    return count;
}

// Counts the rectangles of each pixel.
static void cover(uint8_t *counts, const frost_rect *rects, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int32_t y = rects[i].y; y < rects[i].y + rects[i].height; y++)
            for (int32_t x = rects[i].x; x < rects[i].x + rects[i].width; x++) counts[y * WIDTH + x]++;
}

static uint8_t highest(const uint8_t *counts) {
    uint8_t most = 0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) most = counts[i] > most ? counts[i] : most;
    return most;
}

// Tests what frost_backdrop.h states of corners, of changes behind hidden panels, and of rectangles that overlap.
static void rules(void) {
    uint8_t *from = noise(BYTES, 7), *made = noise(BYTES, 8), *counts = calloc(WIDTH, HEIGHT), *fresh = noise(BYTES, 8);
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    const frost_target target = target_of(made, WIDTH, HEIGHT), other = target_of(fresh, WIDTH, HEIGHT);
    frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_PANELS), *second = backdrop_of(FROST_COVERAGE_PANELS);
    frost_effect *soft = gaussian(6);
    frost_rect rects[16];
    const size_t corner = (30 * WIDTH + 20) * 4, inside = (60 * WIDTH + 50) * 4;
    frost_panel panels[2] = {panel_of(soft, (frost_rect){10, 10, 80, 80}, 0), panel_of(soft, (frost_rect){20, 30, 60, 50}, 20)};

    // Outside its corners, the upper panel shows the image, and hides the lower one. The corners count as updated.
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 2));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
    CHECK(memcmp(made + corner, from + corner, 4) == 0 && memcmp(made + inside, from + inside, 4) != 0);
    cover(counts, rects, rects_of(backdrop, frost_backdrop_updated, rects));
    CHECK(highest(counts) == 1 && counts[corner / 4] == 1);

    // A change behind a panel that is hidden, and behind one that is not set, is not lost.
    panels[1].region = rects;
    for (int32_t count = 1; count >= 0; count--) {
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels + 1, (size_t)count));
        memset(from + inside, 255 - count, 16);
        EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &(frost_rect){50, 60, 4, 1}, 1));
        EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
        const frost_panel shown = panel_of(soft, panels[1].rect, 20);
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &shown, 1));
        EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(second, &shown, 1));
        EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(second));
        EXPECT(FROST_OK, "", frost_backdrop_render(second, &source, &other, NULL, NULL));
        for (int32_t y = 30; y < 80; y++)
            CHECK(memcmp(made + (y * WIDTH + 20) * 4, fresh + (y * WIDTH + 20) * 4, 60 * 4) == 0);
    }

    // A panel that moves uncovers rectangles that overlap neither each other nor what is updated.
    memset(counts, 0, WIDTH * HEIGHT);
    panels[1] = panel_of(soft, (frost_rect){31, 43, 60, 50}, 20);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels + 1, 1));
    EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
    cover(counts, rects, rects_of(backdrop, frost_backdrop_updated, rects));
    CHECK(highest(counts) == 1);
    const size_t uncovered = rects_of(backdrop, frost_backdrop_uncovered, rects);
    cover(counts, rects, uncovered);
    CHECK(uncovered >= 2 && highest(counts) == 1);
    frost_backdrop_destroy(backdrop), frost_backdrop_destroy(second);
    frost_effect_destroy(soft);
    free(from), free(made), free(counts), free(fresh);
}

static void *all(void *unused) {
    uint8_t *from = noise(BYTES, 1), *to = noise(BYTES, 2);
    const frost_source source = source_of(from, WIDTH, HEIGHT);
    frost_target target = target_of(to, WIDTH, HEIGHT);
    frost_effect *effect = gaussian(5);
    frost_backdrop *backdrop = backdrop_of(FROST_COVERAGE_PANELS);
    const frost_panel panel = panel_of(effect, (frost_rect){5, 6, 30, 20}, 3);
    nulls(backdrop, &panel, &source, &target);
    structs(backdrop, &panel, &source, &target);
    values(backdrop, effect, &source, &target);
    frames(FROST_COVERAGE_PANELS);
    frames(FROST_COVERAGE_EVERYWHERE);
    buffers();
    identities();
    contents();
    stacks();
    at_once();
    rules();
    frost_backdrop_destroy(backdrop);
    frost_effect_destroy(effect);
    free(from);
    free(to);
    return unused;
}

int main(void) {
    all(NULL);
    // The same tests run on a thread that Frost has not seen before.
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, all, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return finish("backdrops");
}
