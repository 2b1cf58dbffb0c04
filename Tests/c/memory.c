// Tests that a call fails with an error, and does not end the process, if the system has no memory: for each kind of work, the
// first allocation fails, then the second one, and so on, until the call succeeds. Each failed call returns
// FROST_ERROR_SYSTEM and leaves nothing behind, and the same call then succeeds with the same bytes.
//
//   memory [STEP]
//
// After the first four allocations, only every STEP-th one fails.
#define _GNU_SOURCE
#include "scarce.h"

#include "check.h"

enum { WIDTH = 128, HEIGHT = 100, PIXELS = WIDTH * HEIGHT, CAPACITY = 1 << 19, FORMATS = 5 };

typedef struct {
    int32_t channels, sample, alpha;
    size_t bytes_per_pixel;
} format;

static const format formats[FORMATS] = {
    {FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 4},
    {FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_PREMULTIPLIED, 4},
    {FROST_CHANNELS_RGBA, FROST_SAMPLE_F32, FROST_ALPHA_PREMULTIPLIED, 16},
    {FROST_CHANNELS_RGB, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 3},
    {FROST_CHANNELS_GREY, FROST_SAMPLE_U16, FROST_ALPHA_STRAIGHT, 2},
};

static frost_renderer *renderer, *spare;
static frost_effect *plain, *copy;
static frost_mask *mask;
static uint8_t *noises[FORMATS], pixels[CAPACITY], expected[CAPACITY], result[CAPACITY];
static long tried;
static int step = 1;

// Work that writes its result to memory that is filled with zeros.
typedef frost_status (*work)(const void *job, uint8_t *out);

static frost_source picture_of(int index) {
    frost_source source = source_of(noises[index], WIDTH, HEIGHT);
    source.channels = formats[index].channels;
    source.sample = formats[index].sample;
    source.alpha = formats[index].alpha;
    source.byte_count = PIXELS * formats[index].bytes_per_pixel;
    return source;
}

// Makes Frost forget all unused memory and all prepared work, so that the next work needs memory from the system: eight small
// blurs replace what was prepared, and the pool frees its blocks when an allocation fails.
static void forget(void) {
    for (int width = 3; width < 11; width++) {
        const frost_source source = source_of(noises[0], width, 3);
        const frost_target target = target_of(pixels, width, 3);
        EXPECT(FROST_OK, "", frost_render(spare, plain, &source, &target, NULL, NULL));
    }
    // A copy needs a single block, of 2 MiB for this picture. No other work needs a block of this size, so the pool has none.
    const frost_source source = source_of(expected, CAPACITY / 4, 1);
    const frost_target target = target_of(pixels, CAPACITY / 4, 1);
    atomic_store(&scarce_left, 0);
    EXPECT(FROST_ERROR_SYSTEM, "not enough memory", frost_render(spare, copy, &source, &target, NULL, NULL));
    atomic_store(&scarce_left, PLENTY);
}

static frost_status attempt(work work, const void *job, uint8_t *out, int allocations) {
    memset(out, 0, CAPACITY);
    atomic_store(&scarce_left, allocations);
    const frost_status status = work(job, out);
    atomic_store(&scarce_left, PLENTY);
    return status;
}

// Does a piece of work with 0, 1, 2, ... allocations, until it succeeds.
static void exhaust(const char *name, work work, const void *job) {
    const int before = failures;
    EXPECT(FROST_OK, "", attempt(work, job, expected, PLENTY));
    forget();
    const int mappings = atomic_load(&scarce_mappings);
    int count = 0;
    while (1) {
        const frost_status status = attempt(work, job, result, count);
        if (status == FROST_OK || failures > before) break;
        EXPECT(FROST_ERROR_SYSTEM, "not enough memory for", status);
        if (count % 8 == 0) {
            EXPECT(FROST_OK, "", attempt(work, job, result, PLENTY));
            CHECK(memcmp(result, expected, CAPACITY) == 0);
        }
        forget();
        CHECK(atomic_load(&scarce_mappings) == mappings);
        count += count < 4 ? 1 : step;
        tried++;
    }
    CHECK(count > 0);
    CHECK(memcmp(result, expected, CAPACITY) == 0);
    if (failures > before) fprintf(stderr, "in %s with %d allocations\n", name, count);
}

typedef struct {
    const frost_effect *effect;
    int format;
    frost_render_options options;
    int is_in_place;
} render_job;

static frost_status render(const void *job, uint8_t *out) {
    const render_job *render = job;
    frost_source source = picture_of(render->format);
    frost_target target = FROST_TARGET_INIT;
    frost_status status = frost_effect_describe_target(render->effect, &source, render->options.region, &target);
    if (status != FROST_OK) return status;
    CHECK(target.byte_count <= CAPACITY);
    if (render->is_in_place) {
        memcpy(out, source.pixels, source.byte_count);
        source.pixels = out;
    }
    target.pixels = out;
    return frost_render(renderer, render->effect, &source, &target, &render->options, NULL);
}

static void exhaust_render(const char *name, const frost_effect *effect, int format, const frost_rect *region) {
    render_job job = {effect, format, FROST_RENDER_OPTIONS_INIT, 0};
    job.options.region = region;
    const frost_source source = picture_of(format);
    frost_target target = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_effect_describe_target(effect, &source, NULL, &target));
    if (frost_render(renderer, effect, &source, (target.pixels = result, &target), NULL, NULL) != FROST_OK) {
        job.options.mask = mask;
    }
    exhaust(name, render, &job);
    if (region || target.width != WIDTH || target.height != HEIGHT || target.byte_count != source.byte_count) return;
    job.is_in_place = 1;
    exhaust(name, render, &job);
}

static frost_effect *effect_of(const char *name, const char *parameters, int32_t light) {
    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    options.light = light;
    options.dither = FROST_DITHER_ON;
    frost_effect *effect = NULL;
    EXPECT(FROST_OK, "", frost_effect_create(name, parameters, &options, &effect));
    return effect;
}

static void every_effect(void) {
    const frost_rect part = {-9, 20, WIDTH, 60};
    for (size_t i = 0; i < frost_effect_count(); i++) {
        frost_effect_info info = FROST_EFFECT_INFO_INIT;
        EXPECT(FROST_OK, "", frost_effect_describe(i, &info));
        frost_effect *effect = effect_of(info.name, "", FROST_LIGHT_ENCODED);
        for (int format = (int)i % 2; format < FORMATS; format += 2) exhaust_render(info.name, effect, format, NULL);
        exhaust_render(info.name, effect, 0, &part);
        frost_effect_destroy(effect);
        effect = effect_of(info.name, "", FROST_LIGHT_LINEAR);
        exhaust_render(info.name, effect, 0, NULL);
        frost_effect_destroy(effect);
    }
}

static void every_edge(void) {
    static const char *const names[][2] = {
        {"gaussian", "sigma=1.5"}, {"gaussian", "sigma=30"}, {"box", "radius=3"}, {"disc", "radius=6"},
        {"tilt-shift", "radius=9"}, {"blur-dark", "radius=12"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int edge = 0; edge < 2; edge++) {
            char words[64];
            snprintf(words, sizeof words, "%s edge=%s", names[i][1], edge ? "repeat" : "mirror");
            frost_effect *effect = effect_of(names[i][0], words, FROST_LIGHT_ENCODED);
            for (int format = 0; format < FORMATS; format++) exhaust_render(words, effect, format, NULL);
            frost_effect_destroy(effect);
        }
    }
}

// Replaces an effect by a copy with something more.
static void add(frost_effect **effect, frost_status status, frost_effect *changed) {
    EXPECT(FROST_OK, "", status);
    frost_effect_destroy(*effect);
    *effect = changed;
}

static void every_layer(void) {
    const frost_rounded_rect rects[2] = {{10.5, 8, 70, 60, 12}, {60, 40, 50, 50, 25}};
    const frost_source picture = source_of(noises[0], 40, 30);
    frost_content content = FROST_CONTENT_INIT;
    content.picture = &picture;
    content.mode = "center";
    static const char *const names[] = {"blur-dark", "glass", "gpuimage-gaussian", "redact", "zoom", "material-thin-light", "disc"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        // Content, a clip, a mask, and all of them.
        for (int layers = 1; layers < 8; layers = layers == 4 ? 7 : 2 * layers) {
            frost_effect *effect = effect_of(names[i], "", FROST_LIGHT_ENCODED), *changed = NULL;
            if (layers & 1) {
                content.vibrancy = strncmp(names[i], "blur", 4) == 0 ? "label" : NULL;
                const frost_status status = frost_effect_add_content(effect, &content, &changed);
                add(&effect, status, changed);
            }
            if (layers & 2) {
                const frost_status status = frost_effect_clip(effect, rects, strcmp(names[i], "glass") == 0 ? 1 : 2, &changed);
                add(&effect, status, changed);
            }
            if (layers & 4 && frost_effect_add_mask(effect, NULL, &changed) == FROST_OK) add(&effect, FROST_OK, changed);
            exhaust_render(names[i], effect, 0, NULL);
            exhaust_render(names[i], effect, 2, NULL);
            frost_effect_destroy(effect);
        }
    }
}

// A source and a target that overlap otherwise than pixel by pixel are refused, so Frost copies no source. But it copies the picture
// for shapes, and for reveals.
static frost_status render_shapes(const void *job, uint8_t *out) {
    frost_shape shapes[2] = {FROST_SHAPE_INIT, FROST_SHAPE_INIT};
    for (int i = 0; i < 2; i++) {
        shapes[i].x = 5 + 50 * i;
        shapes[i].y = 9 + 20 * i;
        shapes[i].width = shapes[i].height = 48;
        shapes[i].corner_radius = 10;
    }
    const frost_source source = picture_of(0);
    const frost_target target = target_of(out, WIDTH, HEIGHT);
    return frost_render_shapes(renderer, job, shapes, 2, &source, &target, NULL, NULL);
}

static frost_status reveal(const void *job, uint8_t *out) {
    const frost_source source = picture_of(0);
    const frost_target target = target_of(out, WIDTH, HEIGHT);
    frost_shape shape = FROST_SHAPE_INIT;
    shape.x = shape.y = 20.5;
    shape.width = shape.height = 60;
    shape.corner_radius = 30;
    frost_reveal *reveal = NULL;
    frost_status status = frost_reveal_create(renderer, job, &source, NULL, NULL, &reveal);
    if (status == FROST_OK) status = frost_reveal_render(reveal, &shape, 1, &target);
    frost_reveal_destroy(reveal);
    return status;
}

static frost_status queue(const void *job, uint8_t *out) {
    const frost_source source = picture_of(0);
    const frost_target target = target_of(out, WIDTH, HEIGHT);
    frost_queue *queue = NULL;
    frost_ticket *ticket = NULL;
    EXPECT(FROST_OK, "", frost_queue_create(renderer, NULL, &queue));
    EXPECT(FROST_OK, "", frost_queue_submit(queue, job, &source, &target, NULL, NULL, NULL, &ticket));
    const frost_status status = frost_ticket_wait(ticket, -1, NULL);
    frost_ticket_destroy(ticket);
    frost_queue_destroy(queue);
    return status;
}

static frost_status buffer(const void *job, uint8_t *out) {
    (void)job;
    frost_buffer *buffer = NULL;
    const frost_status status = frost_buffer_create(renderer, PIXELS, &buffer);
    if (status == FROST_OK) memset(frost_buffer_bytes(buffer), 1, PIXELS);
    frost_buffer_destroy(buffer);
    out[0] = 1;
    return status;
}

// Draws a first frame of overlapping panels and then a changed one. A frame that failed is drawn again.
static frost_status backdrop(const void *job, uint8_t *out) {
    const int32_t *layering = job;
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    options.threads = 1;
    options.layering = *layering;
    frost_backdrop *backdrop = NULL;
    EXPECT(FROST_OK, "", frost_backdrop_create(&options, &backdrop));
    frost_effect *effects[3] = {gaussian(20), effect_of("material-regular-dark", "", 0), effect_of("glass", "", 0)};
    frost_panel panels[3];
    for (int32_t i = 0; i < 3; i++) panels[i] = panel_of(effects[i], (frost_rect){5 + 25 * i, 3 + 12 * i, 60, 70}, 10);
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(backdrop, panels, 3));
    const frost_source source = picture_of(0);
    const frost_target target = target_of(out, WIDTH, HEIGHT);
    const frost_rect damage = {40, 40, 9, 9};
    frost_status first = FROST_OK;
    for (int frame = 0; frame < 2; frame++) {
        frost_status status = frost_backdrop_render(backdrop, &source, &target, NULL, NULL);
        if (status != FROST_OK) {
            if (first == FROST_OK) first = status;
            atomic_store(&scarce_left, PLENTY);
            EXPECT(FROST_OK, "", frost_backdrop_render(backdrop, &source, &target, NULL, NULL));
            CHECK(frame == 0 || memcmp(out, expected, CAPACITY) == 0);
        }
        EXPECT(FROST_OK, "", frost_backdrop_invalidate(backdrop, &damage, 1));
    }
    for (int i = 0; i < 3; i++) frost_effect_destroy(effects[i]);
    frost_backdrop_destroy(backdrop);
    return first;
}

static void every_way(void) {
    frost_effect *effects[2] = {gaussian(9), effect_of("zoom", "", FROST_LIGHT_ENCODED)};
    for (int i = 0; i < 2; i++) {
        exhaust("shapes", render_shapes, effects[i]);
        exhaust("a reveal", reveal, effects[i]);
        exhaust("a queue", queue, effects[i]);
        frost_effect_destroy(effects[i]);
    }
    exhaust("a buffer", buffer, NULL);
    const int32_t layerings[] = {FROST_LAYERING_FLAT, FROST_LAYERING_STACKED};
    for (int i = 0; i < 2; i++) exhaust("a backdrop", backdrop, &layerings[i]);
}

typedef struct {
    const frost_transition *transition;
    int format;
    uint32_t extra_images;
} transition_job;

static frost_status transition(const void *job, uint8_t *out) {
    const transition_job *transition = job;
    frost_source from = picture_of(transition->format), to = from;
    to.width = WIDTH - 20;
    to.byte_count = (size_t)to.width * HEIGHT * formats[transition->format].bytes_per_pixel;
    frost_transition_render_options options = FROST_TRANSITION_RENDER_OPTIONS_INIT;
    if (transition->extra_images & FROST_EXTRA_MASK) options.mask = mask;
    if (transition->extra_images & FROST_EXTRA_SHADING) options.shading = &to;
    if (transition->extra_images & FROST_EXTRA_BACKSIDE) options.backside = &to;
    frost_target target = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_transition_describe_target(transition->transition, &from, &to, &options, &target));
    target.pixels = out;
    return frost_render_transition(renderer, transition->transition, 0.4, &from, &to, &target, &options, NULL);
}

static void every_transition(void) {
    for (size_t i = 0; i < frost_transition_count(); i++) {
        frost_transition_info info = FROST_TRANSITION_INFO_INIT;
        EXPECT(FROST_OK, "", frost_transition_describe(i, &info));
        for (int32_t light = FROST_LIGHT_ENCODED; light <= FROST_LIGHT_LINEAR; light++) {
            frost_transition_options options = FROST_TRANSITION_OPTIONS_INIT;
            options.light = light;
            frost_transition *made = NULL;
            EXPECT(FROST_OK, "", frost_transition_create(info.name, NULL, &options, &made));
            for (int format = 0; format < FORMATS; format += 2) {
                const transition_job job = {made, format, info.extra_images};
                exhaust(info.name, transition, &job);
            }
            frost_transition_destroy(made);
        }
    }
}

int main(int words, char **word) {
    if (words > 1) step = atoi(word[1]);
    for (int i = 0; i < FORMATS; i++) {
        const size_t count = PIXELS * formats[i].bytes_per_pixel;
        noises[i] = noise(count, (uint32_t)i + 1);
        if (formats[i].sample != FROST_SAMPLE_F32) continue;
        for (size_t n = 0; n < PIXELS * 4; n++) ((float *)(void *)noises[i])[n] = (float)(n % 97) / 97;
    }
    const frost_source picture = source_of(noises[0], 20, 30);
    EXPECT(FROST_OK, "", frost_mask_create(&picture, &mask));
    plain = gaussian(1);
    copy = gaussian(0);
    spare = renderer_of(FROST_BACKEND_CPU, 1);
    for (int32_t threads = 1; threads <= 3; threads += 2) {
        renderer = renderer_of(FROST_BACKEND_CPU, threads);
        if (threads == 1) every_effect();
        if (threads == 1) every_edge();
        every_layer();
        every_way();
        every_transition();
        frost_renderer_destroy(renderer);
    }
    printf("%ld allocations failed\n", tried);
    frost_renderer_destroy(spare);
    frost_effect_destroy(plain);
    frost_effect_destroy(copy);
    frost_mask_destroy(mask);
    for (int i = 0; i < FORMATS; i++) free(noises[i]);
    return finish("memory");
}
