// Tests live backdrops over the program's own textures: invalid arguments, reports, lifetimes, and calls on the wrong thread.
// The library's own tests compare the pixels of frames.
#include "host.h"

#include <pthread.h>

enum { WIDTH = 150, HEIGHT = 110, BYTES = WIDTH * HEIGHT * 4, PANELS = 3 };

static const int32_t extremes[] = {INT32_MIN, -1, 0, 1, 7, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

// The picture, the target of the backdrop, and that of a panel drawn at once.
static GLuint textures[3];
static frost_gl_source source;
static frost_gl_target target;

TRY(backdrop, backdrop, (frost_gl *gl, const frost_backdrop_options *options),
    frost_gl_backdrop_create(gl, options, &made))

static frost_backdrop *backdrop_of(frost_gl *gl, int32_t coverage) {
    frost_backdrop *backdrop = NULL;
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    options.coverage = coverage;
    EXPECT(FROST_OK, "", frost_gl_backdrop_create(gl, &options, &backdrop));
    return backdrop;
}

static void arguments(frost_gl *gl, const frost_effect *effect) {
    frost_backdrop *backdrop = NULL, *other = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_gl_backdrop_create(gl, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_backdrop_create(NULL, NULL, &backdrop));
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    SIZES_FROM(frost_backdrop_options, 24, options, FROST_OK, try_backdrop(gl, shorter));
    options.threads = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "threads", try_backdrop(gl, &options));
    options.threads = 0;
    options.coverage = -1;
    EXPECT(FROST_ERROR_ARGUMENT, "coverage", try_backdrop(gl, &options));

    EXPECT(FROST_OK, "", frost_gl_backdrop_create(gl, NULL, &backdrop));
    const frost_panel panel = panel_of(effect, (frost_rect){10, 20, 60, 50}, 8);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    EXPECT(FROST_ERROR_ARGUMENT, "backdrop is NULL", frost_gl_backdrop_render(NULL, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_gl_backdrop_render(backdrop, NULL, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_gl_backdrop_render(backdrop, &source, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "frost_gl_backdrop_render", frost_backdrop_render(backdrop, NULL, NULL, NULL, NULL));
    EXPECT(FROST_OK, "", frost_backdrop_create(NULL, &other));
    EXPECT(FROST_ERROR_ARGUMENT, "frost_backdrop_render", frost_gl_backdrop_render(other, &source, &target, NULL, NULL));
    frost_backdrop_destroy(other);
    SIZES_FROM(frost_gl_source, 40, source, FROST_OK, frost_gl_backdrop_render(backdrop, shorter, &target, NULL, NULL));
    SIZES_FROM(frost_gl_target, 48, target, FROST_OK, frost_gl_backdrop_render(backdrop, &source, shorter, NULL, NULL));
    const frost_frame_options frame = FROST_FRAME_OPTIONS_INIT;
    const frost_frame_report report = FROST_FRAME_REPORT_INIT;
    SIZES_FROM(frost_frame_options, 24, frame, FROST_OK,
               frost_gl_backdrop_render(backdrop, &source, &target, shorter, NULL));
    SIZES_FROM(frost_frame_report, 64, report, FROST_OK,
               frost_gl_backdrop_render(backdrop, &source, &target, NULL, shorter));

    frost_frame_options again = FROST_FRAME_OPTIONS_INIT;
    again.repaint = FROST_REPAINT_ALL;
#define WITH(status, evidence, change)                                                     \
    do {                                                                                   \
        frost_gl_source s = source;                                                        \
        frost_gl_target t = target;                                                        \
        change;                                                                            \
        EXPECT(status, evidence, frost_gl_backdrop_render(backdrop, &s, &t, &again, NULL)); \
    } while (0)
    WITH(FROST_ERROR_SURFACE, "does not exist", s.name = 12345);
    WITH(FROST_ERROR_SURFACE, "does not exist", t.name = 12345);
    WITH(FROST_ERROR_SURFACE, "the source", t.name = s.name);
    WITH(FROST_ERROR_SURFACE, "lies outside it", t.x = WIDTH);
    WITH(FROST_ERROR_PIXELS, "format", t.channels = FROST_CHANNELS_RGB);
    WITH(FROST_ERROR_ARGUMENT, "sample", s.sample = 4);
    WITH(FROST_ERROR_SURFACE, "does not hold floats", s.sample = FROST_SAMPLE_F16);
    WITH(FROST_OK, "", (void)0);
    for (int i = 0; i < EXTREMES; i++) {
        for (int j = 0; j < EXTREMES; j++) {
            frost_gl_source s = source;
            frost_gl_target t = target;
            s.width = extremes[i];
            s.height = extremes[j];
            // No panel lies in the picture, so nothing is drawn. Small sizes are therefore accepted if they fit the
            // textures.
            const int fits = s.width > 0 && s.width <= 7 && s.height > 0 && s.height <= 7;
            CHECK((frost_gl_backdrop_render(backdrop, &s, &t, &again, NULL) < 0) == !fits);
            t.width = s.width;
            t.height = s.height;
            const int draws = s.width > 10 && s.height > 20, is_empty = s.width <= 0 || s.height <= 0;
            CHECK((frost_gl_backdrop_render(backdrop, &s, &t, &again, NULL) < 0) == (draws || is_empty));
            CHECK(frost_gl_backdrop_render(backdrop, &source, &t, &again, NULL) < 0);
            t = target;
            t.x = extremes[i];
            t.y = extremes[j];
            CHECK((frost_gl_backdrop_render(backdrop, &source, &t, &again, NULL) < 0) == (t.x || t.y));
            const frost_rect rect = {extremes[i], extremes[j], extremes[j], extremes[i]};
            const frost_panel odd = panel_of(effect, rect, 0);
            const frost_status status = frost_backdrop_set_panels(backdrop, &odd, 1);
            CHECK(status == FROST_OK || status == FROST_ERROR_PARAMETER);
            EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, &again, NULL));
            EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
        }
    }
#undef WITH
    frost_backdrop_destroy(backdrop);
}

// Tests what a frame reports: panels, damage, a moved panel, nothing, and a cancelled frame.
static void frames(frost_gl *gl, const frost_effect *effect, const uint8_t *behind, int32_t coverage) {
    uint8_t *made = malloc(BYTES), *expected = malloc(BYTES);
    if (!made || !expected) abort();
    frost_backdrop *backdrop = backdrop_of(gl, coverage);
    frost_panel panels[PANELS] = {
        panel_of(effect, (frost_rect){0, 20, 70, 50}, 0), panel_of(effect, (frost_rect){80, 30, 30, 60}, 12),
        panel_of(effect, (frost_rect){110, 10, 30, 40}, 7.5)};
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    size_t count = 0;
#define FRAME(options)                                                                                  \
    (EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, PANELS)),                         \
     EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, options, &report)),      \
     EXPECT(FROST_OK, "", frost_backdrop_uncovered(backdrop, NULL, 0, &count)), count == report.uncovered_count)
    CHECK(FRAME(NULL) && report.level_passes > 0 && report.level_samples > 0 && report.updated_count > 0);
    const uint64_t all = report.panel_pixels;
    // Panels that are drawn at once have the same pixels.
    const frost_gl_target other = gl_target_of(textures[2], WIDTH, HEIGHT);
    for (int i = 0; i < PANELS; i++) {
        EXPECT(FROST_OK, "", frost_gl_render_panel(gl, &panels[i], &source, &other, NULL, NULL));
    }
    read_texture(textures[1], WIDTH, HEIGHT, made);
    read_texture(textures[2], WIDTH, HEIGHT, expected);
    CHECK(memcmp(made, expected, BYTES) == 0 && memcmp(made, behind, BYTES) != 0);

    CHECK(FRAME(NULL) && report.level_passes == 0 && report.panel_passes == 0 && report.updated_count == 0);
    const frost_rect damage = {30, 40, 9, 5};
    EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &damage, 1));
    CHECK(FRAME(NULL) && report.level_passes > 0 && report.panel_pixels > 0 && report.panel_pixels < all);
    panels[2].rect.y += 10;
    CHECK(FRAME(NULL) && report.panel_passes > 0 && count > 0);
    if (coverage == FROST_COVERAGE_EVERYWHERE) CHECK(report.level_passes == 0);
    // After a cancelled frame, the next frame completes the remaining work.
    frost_frame_options options = FROST_FRAME_OPTIONS_INIT;
    EXPECT(FROST_OK, "", frost_cancellation_create(&options.cancellation));
    frost_cancellation_cancel(options.cancellation);
    EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
    EXPECT(FROST_CANCELLED, "", frost_gl_backdrop_render(backdrop, &source, &target, &options, NULL));
    CHECK(FRAME(NULL) && report.panel_passes > 0);
#undef FRAME
    frost_cancellation_destroy(options.cancellation);
    frost_backdrop_destroy(backdrop);
    free(made), free(expected);
}

// Tests panels that show a texture, here the picture itself at another place.
static void windows(frost_gl *gl, const uint8_t *from) {
    uint8_t *made = malloc(BYTES);
    if (!made) abort();
    frost_backdrop *backdrop = backdrop_of(gl, FROST_COVERAGE_PANELS), *other = NULL;
    frost_effect *plain = gaussian(0);
    frost_panel panel = panel_of(plain, (frost_rect){20, 10, 60, 50}, 0);
    panel.texture = &source;
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
#define FRAME                                                               \
    (EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1)), \
     EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, NULL, &report)))
    FRAME;
    CHECK(report.panel_pixels == 60 * 50);
    read_texture(textures[1], WIDTH, HEIGHT, made);
    for (int y = 0; y < 50; y++) {
        CHECK(memcmp(made + ((y + 10) * WIDTH + 20) * 4, from + y * WIDTH * 4, 60 * 4) == 0);
    }
    FRAME;
    CHECK(report.panel_pixels == 0);
    // Only the damaged part is drawn, and only as far as the panel shows it.
    const frost_rect damage[] = {{5, 6, 7, 8}, {55, 0, 20, 1}, {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX}};
    panel.damage = damage;
    panel.damage_count = 3;
    FRAME;
    CHECK(report.panel_pixels == 7 * 8 + 5);
#undef FRAME
    panel.damage = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "damage", frost_backdrop_set_panels(backdrop, &panel, 1));
    panel.damage_count = 0;
    EXPECT(FROST_OK, "", frost_backdrop_create(NULL, &other));
    EXPECT(FROST_ERROR_PARAMETER, "panel texture", frost_backdrop_set_panels(other, &panel, 1));
    EXPECT(FROST_ERROR_PARAMETER, "panel texture", frost_gl_render_panel(gl, &panel, &source, &target, NULL, NULL));
    frost_gl_source absent = source;
    absent.name = 12345;
    frost_frame_options again = FROST_FRAME_OPTIONS_INIT;
    panel.texture = &absent;
    panel.damage = damage;
    panel.damage_count = 1;
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    EXPECT(FROST_ERROR_SURFACE, "does not exist", frost_gl_backdrop_render(backdrop, &source, &target, &again, NULL));
    frost_backdrop_destroy(other);
    frost_backdrop_destroy(backdrop);
    frost_effect_destroy(plain);
    free(made);
}

// Tests that the colour of a panel's content follows the picture, one frame later, and that this frame is announced.
static void contents(frost_gl *gl) {
    uint8_t *pixels = malloc(BYTES);
    if (!pixels) abort();
    frost_backdrop *backdrop = backdrop_of(gl, FROST_COVERAGE_PANELS);
    frost_effect *effect = NULL;
    EXPECT(FROST_OK, "", frost_effect_create("gaussian", "sigma=3 min-contrast=4.5", NULL, &effect));
    const frost_panel panel = panel_of(effect, (frost_rect){20, 10, 60, 50}, 8);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    frost_frame_report report = FROST_FRAME_REPORT_INIT;
    float rgba[4] = {9, 9, 9, 9};
    for (int light = 0; light < 2; light++) {
        memset(pixels, light ? 255 : 0, BYTES);
        for (int i = 3; i < BYTES; i += 4) pixels[i] = 255;
        const GLuint texture = texture_of(GL_RGBA8, WIDTH, HEIGHT, pixels);
        const frost_gl_source grey = gl_source_of(texture, WIDTH, HEIGHT);
        EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
        // The first choice is made at once.
        for (int frame = 0; frame < 3; frame++) {
            EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &grey, &target, NULL, &report));
            CHECK(report.content_changes == (frame == light));
            CHECK(report.pending_choices == (light && frame == 0));
            EXPECT(FROST_OK, "", frost_backdrop_content_color(backdrop, 0, rgba));
            const float expected = light && frame > 0 ? 0 : 1;
            CHECK(rgba[0] == expected && rgba[1] == expected && rgba[2] == expected && rgba[3] == 1);
        }
        CHECK(report.panel_pixels == 0);
        glDeleteTextures(1, &texture);
    }
    frost_backdrop_destroy(backdrop);
    frost_effect_destroy(effect);
    free(pixels);
}

// Tests that the memory of a destroyed backdrop is freed by the next call that uses the frost_gl.
static void memory(frost_gl *gl, const frost_effect *effect) {
    frost_gl_info first = FROST_GL_INFO_INIT, last = FROST_GL_INFO_INIT;
    const frost_panel panel = panel_of(effect, (frost_rect){0, 0, WIDTH, HEIGHT}, 0);
    for (int i = 0; i < 20; i++) {
        frost_backdrop *backdrop = backdrop_of(gl, FROST_COVERAGE_PANELS);
        EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
        EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, NULL, NULL));
        frost_backdrop_destroy(backdrop);
        EXPECT(FROST_OK, "", frost_gl_trim(gl));
        EXPECT(FROST_OK, "", frost_gl_describe(gl, i == 5 ? &first : &last));
    }
    CHECK(first.objects == last.objects && first.bytes == last.bytes);
}

static void *foreign(void *backdrop) {
    frost_rect rect = {0, 0, 4, 4};
    size_t count;
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_backdrop_render(backdrop, &source, &target, NULL, NULL));
    EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &rect, 1));
    EXPECT(FROST_OK, "", frost_backdrop_uncovered(backdrop, &rect, 1, &count));
    frost_backdrop_destroy(backdrop);
    return NULL;
}

// Tests calls on a thread on which the context is not current. Also tests a frost_gl that is destroyed before its
// backdrop.
static void elsewhere(frost_gl *gl, const frost_effect *effect) {
    const frost_panel panel = panel_of(effect, (frost_rect){0, 0, WIDTH, HEIGHT}, 0);
    frost_backdrop *backdrop = backdrop_of(gl, FROST_COVERAGE_PANELS);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, NULL, NULL));
    EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, foreign, backdrop) == 0 && pthread_join(thread, NULL) == 0);

    frost_gl *other = frost_gl_of();
    backdrop = backdrop_of(other, FROST_COVERAGE_PANELS);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, &panel, 1));
    EXPECT(FROST_OK, "", frost_gl_backdrop_render(backdrop, &source, &target, NULL, NULL));
    frost_gl_destroy(other);
    EXPECT(FROST_OK, "", frost_backdrop_invalidate_all(backdrop));
    EXPECT(FROST_ERROR_NO_DEVICE, "destroyed", frost_gl_backdrop_render(backdrop, &source, &target, NULL, NULL));
    frost_backdrop_destroy(backdrop);
}

int main(void) {
    const host host = host_open();
    uint8_t *from = noise(BYTES, 3), *behind = noise(BYTES, 4);
    for (int i = 3; i < BYTES; i += 4) from[i] = 255;
    textures[0] = texture_of(GL_RGBA8, WIDTH, HEIGHT, from);
    source = gl_source_of(textures[0], WIDTH, HEIGHT);
    frost_effect *effect = gaussian(6);
    frost_gl *gl = frost_gl_of();
    for (int32_t coverage = 0; coverage < 2; coverage++) {
        for (int i = 1; i < 3; i++) textures[i] = texture_of(GL_RGBA8, WIDTH, HEIGHT, behind);
        target = gl_target_of(textures[1], WIDTH, HEIGHT);
        frames(gl, effect, behind, coverage);
        if (coverage == 0) glDeleteTextures(2, textures + 1);
    }
    arguments(gl, effect);
    windows(gl, from);
    contents(gl);
    memory(gl, effect);
    elsewhere(gl, effect);
    CHECK(glGetError() == GL_NO_ERROR);
    frost_gl_destroy(gl);
    frost_effect_destroy(effect);
    glDeleteTextures(3, textures);
    free(from), free(behind);
    host_close(&host);
    return finish("texture_backdrops");
}
