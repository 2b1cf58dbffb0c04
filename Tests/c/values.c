// Tests equality and hashes of effects and transitions, and the log.
#include "check.h"

#include <pthread.h>

static frost_effect *effect_of(const char *name, const char *parameters, int32_t light) {
    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    frost_effect *effect = NULL;
    options.light = light;
    EXPECT(FROST_OK, "", frost_effect_create(name, parameters, &options, &effect));
    return effect;
}

// Creates a copy of an effect with content of 4x4 pixels whose first byte is `byte`. The copy replaces the effect.
static frost_effect *with_content(frost_effect *effect, uint8_t byte) {
    uint8_t pixels[64];
    memset(pixels, 200, sizeof pixels);
    pixels[0] = byte;
    const frost_source picture = source_of(pixels, 4, 4);
    frost_content content = FROST_CONTENT_INIT;
    content.picture = &picture;
    frost_effect *result = NULL;
    EXPECT(FROST_OK, "", frost_effect_add_content(effect, &content, &result));
    frost_effect_destroy(effect);
    return result;
}

static frost_effect *with_clip(frost_effect *effect, double radius) {
    const frost_rounded_rect rect = {1, 2, 30, 20, radius};
    frost_effect *result = NULL;
    EXPECT(FROST_OK, "", frost_effect_clip(effect, &rect, 1, &result));
    frost_effect_destroy(effect);
    return result;
}

enum { EFFECTS = 11 };

// Creates different effects, always the same ones.
static void create_effects(frost_effect **effects) {
    effects[0] = effect_of("gaussian", "sigma=3", FROST_LIGHT_ENCODED);
    effects[1] = effect_of("gaussian", "sigma=3.0000001", FROST_LIGHT_ENCODED);
    effects[2] = effect_of("gaussian", "sigma=3", FROST_LIGHT_LINEAR);
    effects[3] = effect_of("light", "", FROST_LIGHT_ENCODED);
    effects[4] = effect_of("dark", "", FROST_LIGHT_ENCODED);
    effects[5] = with_content(effect_of("light", "", FROST_LIGHT_ENCODED), 10);
    effects[6] = with_content(effect_of("light", "", FROST_LIGHT_ENCODED), 11);
    effects[7] = with_clip(effect_of("light", "", FROST_LIGHT_ENCODED), 4);
    effects[8] = with_clip(effect_of("light", "", FROST_LIGHT_ENCODED), 5);
    effects[9] = effect_of("redact", "", FROST_LIGHT_ENCODED);
    effects[10] = effect_of("redact", "seed=1", FROST_LIGHT_ENCODED);
}

static void effects(void) {
    frost_effect *first[EFFECTS], *second[EFFECTS];
    create_effects(first);
    create_effects(second);
    int equal_hashes = 0;
    for (int i = 0; i < EFFECTS; i++) {
        for (int k = 0; k < EFFECTS; k++) {
            CHECK(frost_effect_equal(first[i], second[k]) == (i == k));
            if (i == k) CHECK(frost_effect_hash(first[i]) == frost_effect_hash(second[k]));
            else equal_hashes += frost_effect_hash(first[i]) == frost_effect_hash(second[k]);
        }
    }
    // Different pixels of a content do not change the hash; everything else does.
    CHECK(equal_hashes == 2);
    CHECK(frost_effect_equal(NULL, first[0]) == 0 && frost_effect_equal(first[0], NULL) == 0);
    CHECK(frost_effect_equal(NULL, NULL) == 0 && frost_effect_hash(NULL) == 0);
    for (int i = 0; i < EFFECTS; i++) {
        frost_effect_destroy(first[i]);
        frost_effect_destroy(second[i]);
    }
}

// A minimum contrast to content whose colour is given, or chosen for the pixels.
static void contrast(void) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    uint8_t pixels[4 * 16 * 16], out[sizeof pixels];
    memset(pixels, 255, sizeof pixels);
    const frost_source source = source_of(pixels, 16, 16);
    frost_target target = target_of(out, 16, 16);
    // A contrast of 4.5 to white is that of the grey 118; the step of rounding makes the result darker by one or two.
    frost_effect *effect = effect_of("gaussian", "sigma=3 min-contrast=4.5 content-color=white", FROST_LIGHT_ENCODED);
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, &report));
    CHECK(out[0] >= 115 && out[0] <= 118 && out[1] == out[0] && out[2] == out[0] && out[3] == 255);
    CHECK(report.min_contrast == 4.5 && report.contrast >= 4.5 && report.contrast < 5);
    CHECK(report.content_color[0] == 1 && report.content_color[2] == 1 && report.content_color[3] == 1);
    CHECK(report.contrast_x >= 0 && report.contrast_x < 16 && report.contrast_y >= 0 && report.contrast_y < 16);
    frost_effect_destroy(effect);
    // On white, the chosen content is black, which has the contrast already.
    effect = effect_of("gaussian", "sigma=3 min-contrast=4.5", FROST_LIGHT_ENCODED);
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, &report));
    CHECK(out[0] == 255 && out[3] == 255 && report.content_color[0] == 0 && report.content_color[3] == 1);
    CHECK(report.contrast > 20.99 && report.contrast < 21.01);
    frost_effect_destroy(effect);
    effect = effect_of("gaussian", "sigma=3", FROST_LIGHT_ENCODED);
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, &report));
    CHECK(report.min_contrast == 0 && report.contrast == 0 && report.content_color[3] == 0);
    frost_effect_destroy(effect);
    EXPECT(FROST_ERROR_PARAMETER, "the largest is 9.54",
           frost_effect_create("light", "min-contrast=15 content-color=#444", NULL, &effect));
    frost_renderer_destroy(renderer);
}

// An effect within shapes: other pixels keep their bytes, and each shape has an effect of its own.
static void shapes(void) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    frost_renderer *renderer = NULL;
    EXPECT(FROST_OK, "", frost_renderer_create(&options, &renderer));
    enum { SIDE = 48, BYTES = 4 * SIDE * SIDE };
    static uint8_t pixels[BYTES], out[BYTES], other[BYTES];
    for (int i = 0; i < BYTES; i++) pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(i * 37 + i / 7);
    const frost_source source = source_of(pixels, SIDE, SIDE);
    frost_target target = target_of(out, SIDE, SIDE);
    frost_shape places[2] = {FROST_SHAPE_INIT, FROST_SHAPE_INIT};
    places[0].x = 4, places[0].y = 5, places[0].width = 14, places[0].height = 10;
    places[1].x = 28, places[1].y = 20, places[1].width = 30, places[1].height = 9;
    frost_effect *effect = effect_of("progressive", "radius=6", FROST_LIGHT_ENCODED);
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_render_shapes(renderer, effect, places, 2, &source, &target, NULL, &report));
    CHECK(strstr(report.warning, "was cropped to the picture"));
    int changed = 0;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const int is_inside = (x >= 4 && x < 18 && y >= 5 && y < 15) || (x >= 28 && y >= 20 && y < 29);
            const int differs = memcmp(out + 4 * (y * SIDE + x), pixels + 4 * (y * SIDE + x), 4) != 0;
            CHECK(is_inside || !differs);
            changed += differs;
        }
    }
    CHECK(changed > 100);
    // The gradient lies in each shape, not in the image.
    frost_effect *clipped = NULL;
    EXPECT(FROST_OK, "", frost_effect_clip_shapes(effect, places, 2, &clipped));
    frost_target second = target_of(other, SIDE, SIDE);
    EXPECT(FROST_OK, "", frost_render(renderer, clipped, &source, &second, NULL, NULL));
    CHECK(memcmp(out, other, BYTES) != 0);
    // In place, and without shapes.
    memcpy(other, pixels, BYTES);
    const frost_source same = source_of(other, SIDE, SIDE);
    EXPECT(FROST_OK, "", frost_render_shapes(renderer, effect, places, 2, &same, &second, NULL, NULL));
    CHECK(memcmp(out, other, BYTES) == 0);
    EXPECT(FROST_OK, "", frost_render_shapes(renderer, effect, NULL, 0, &source, &target, NULL, NULL));
    CHECK(memcmp(out, pixels, BYTES) == 0);
    frost_effect *ruled = NULL;
    EXPECT(FROST_OK, "", frost_effect_clip_rule(effect, 2, 1, &ruled));
    EXPECT(FROST_OK, "", frost_render_shapes(renderer, ruled, places, 2, &source, &target, NULL, NULL));
    CHECK(memcmp(out + 4 * (10 * SIDE + 10), pixels + 4 * (10 * SIDE + 10), 4) == 0);
    CHECK(memcmp(out, pixels, BYTES) != 0);
    frost_rect region = {0, 0, 9, 9};
    frost_render_options wrong = FROST_RENDER_OPTIONS_INIT;
    wrong.region = &region;
    EXPECT(FROST_ERROR_ARGUMENT, "region must be NULL",
           frost_render_shapes(renderer, effect, places, 2, &source, &target, &wrong, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "already has shapes",
           frost_render_shapes(renderer, clipped, places, 2, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "shapes is NULL", frost_render_shapes(renderer, effect, NULL, 1, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_render_shapes(NULL, effect, places, 1, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_render_shapes(renderer, NULL, places, 1, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_render_shapes(renderer, effect, places, 1, NULL, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_render_shapes(renderer, effect, places, 1, &source, NULL, NULL, NULL));
    target.height--;
    EXPECT(FROST_ERROR_PIXELS, "size", frost_render_shapes(renderer, effect, places, 1, &source, &target, NULL, NULL));
    places[0].x = 500;
    EXPECT(FROST_ERROR_PARAMETER, "outside", frost_render_shapes(renderer, effect, places, 1, &source, &second, NULL, NULL));
    frost_effect_destroy(ruled);
    frost_effect_destroy(clipped);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
}

static frost_transition *transition_of(const char *name, const char *parameters, const frost_rect *extent) {
    frost_transition_options options = FROST_TRANSITION_OPTIONS_INIT;
    frost_transition *transition = NULL;
    options.extent = extent;
    EXPECT(FROST_OK, "", frost_transition_create(name, parameters, &options, &transition));
    return transition;
}

enum { TRANSITIONS = 4 };

static void create_transitions(frost_transition **transitions) {
    const frost_rect extent = {0, 0, 64, 48};
    transitions[0] = transition_of("dissolve", "", NULL);
    transitions[1] = transition_of("swipe", "", NULL);
    transitions[2] = transition_of("swipe", "angle=30", NULL);
    transitions[3] = transition_of("swipe", "angle=30", &extent);
}

static void transitions(void) {
    frost_transition *first[TRANSITIONS], *second[TRANSITIONS];
    create_transitions(first);
    create_transitions(second);
    for (int i = 0; i < TRANSITIONS; i++) {
        for (int k = 0; k < TRANSITIONS; k++) {
            CHECK(frost_transition_equal(first[i], second[k]) == (i == k));
            CHECK((frost_transition_hash(first[i]) == frost_transition_hash(second[k])) == (i == k));
        }
    }
    CHECK(frost_transition_equal(NULL, first[0]) == 0 && frost_transition_hash(NULL) == 0);
    for (int i = 0; i < TRANSITIONS; i++) {
        frost_transition_destroy(first[i]);
        frost_transition_destroy(second[i]);
    }
}

typedef struct {
    int calls, renders, reentrant;
    int32_t worst;
} notes;

// Counts messages. It calls Frost, as a careless program might.
static void note(void *user_data, int32_t level, const char *message) {
    notes *notes = user_data;
    notes->calls++;
    if (level > notes->worst) notes->worst = level;
    if (strstr(message, "gaussian, 8x6: cpu, as requested")) notes->renders++;
    frost_effect *effect = NULL;
    if (frost_effect_create("light", NULL, NULL, &effect) == FROST_OK) notes->reentrant++;
    frost_effect_destroy(effect);
    EXPECT(FROST_ERROR_ARGUMENT, "log callback", frost_set_log(NULL, FROST_LOG_ERROR, NULL));
}

static void *render(void *unused) {
    uint8_t *from = noise(4 * 8 * 6, 1), *to = noise(4 * 8 * 6, 2);
    const frost_source source = source_of(from, 8, 6);
    const frost_target target = target_of(to, 8, 6);
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 0);
    frost_effect *effect = effect_of("gaussian", "sigma=2", FROST_LIGHT_ENCODED);
    for (int i = 0; i < 50; i++) EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, NULL));
    frost_renderer_destroy(renderer);
    frost_effect_destroy(effect);
    free(from);
    free(to);
    return unused;
}

static void logs(void) {
    const int32_t invalid[] = {-1, 4, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; i++) EXPECT(FROST_ERROR_ARGUMENT, "level", frost_set_log(note, invalid[i], NULL));

    notes counted = {0, 0, 0, -1};
    EXPECT(FROST_OK, "", frost_set_log(note, FROST_LOG_DEBUG, &counted));
    pthread_t threads[4];
    // The calls of the callback never overlap, so the plain counters are exact.
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, render, NULL) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    EXPECT(FROST_OK, "", frost_set_log(NULL, FROST_LOG_DEBUG, NULL));
    CHECK(counted.renders == 200 && counted.reentrant == counted.calls && counted.worst == FROST_LOG_DEBUG);

    const int before = counted.calls;
    render(NULL);
    CHECK(counted.calls == before);

    // Choices of single images are not in the level INFO.
    EXPECT(FROST_OK, "", frost_set_log(note, FROST_LOG_INFO, &counted));
    render(NULL);
    EXPECT(FROST_OK, "", frost_set_log(NULL, FROST_LOG_INFO, NULL));
    CHECK(counted.renders == 200);
}

int main(void) {
    effects();
    contrast();
    shapes();
    transitions();
    logs();
    return finish("values");
}
