// Jobs that render frames: of transitions and of live backdrops.
#include "soak.h"

#include <string.h>

static void render_transition(job *job, frost_renderer *renderer, frost_renderer *other) {
    generator *random = &job->random;
    frost_transition_render_options options = FROST_TRANSITION_RENDER_OPTIONS_INIT;
    frost_target target = FROST_TARGET_INIT;
    frost_mask *mask = NULL;
    uint32_t extra_images = 0;
    frost_transition *transition = random_transition(job, &extra_images);
    if (transition == NULL) return;
    const frost_source from = random_source(job);
    frost_source to = random_source(job), shading = random_source(job);
    // Both images have the same sample type. Every picture has room for the larger type's bytes.
    if (from.sample != to.sample) to = from;
    if (from.sample != shading.sample) shading = from;
    const frost_source picture = random_source(job);
    if (extra_images & FROST_EXTRA_MASK) {
        if (frost_mask_create(&picture, &mask) != FROST_OK) fail(job, "mask: %s", frost_error_message());
        options.mask = mask;
    }
    if ((extra_images & FROST_EXTRA_SHADING) && one_in(random, 2)) options.shading = &shading;
    if ((extra_images & FROST_EXTRA_BACKSIDE) && one_in(random, 2)) options.backside = &shading;
    // The smallest rectangle around two thin images can be larger than the memory.
    const frost_rect region = random_part(random, from.width, from.height);
    const frost_rect whole = {0, 0, from.width, from.height};
    options.region = one_in(random, 3) ? &region : &whole;
    const double time = one_in(random, 8) ? (double)between(random, 0, 1) : unit(random);
    frost_status status = frost_transition_describe_target(transition, &from, &to, &options, &target);
    if (succeeded(job, "frost_transition_describe_target", status)) {
        place_target(random, &target, job->worker->target);
        start_clock(job);
        status = frost_render_transition(renderer, transition, time, &from, &to, &target, &options, NULL);
        stop_clock(job);
        const bool is_complete = succeeded(job, "frost_render_transition", status);
        if (!is_contained(&target, job->worker->target)) fail(job, "bytes outside the target were written");
        if (is_complete && one_in(random, 8)) {
            frost_target second = target;
            place_target(random, &second, job->worker->second);
            status = frost_render_transition(other, transition, time, &from, &to, &second, &options, NULL);
            if (succeeded(job, "again", status) && !is_same(&target, &second)) fail(job, "the second rendering differs");
        }
    }
    frost_mask_destroy(mask);
    frost_transition_destroy(transition);
}

void transition_on_cpu(job *job) { render_transition(job, common.cpu[1], common.cpu[0]); }

void transition_on_gpu(job *job) { render_transition(job, common.gpu, common.gpu); }

enum { PANELS = 4 };

static void choose_panels(job *job, frost_panel *panels, frost_effect **effects, int32_t width, int32_t height) {
    generator *random = &job->random;
    for (int i = 0; i < PANELS; i++) {
        // Half of the panels have the effect of another panel.
        frost_mask *mask = NULL;
        effects[i] = i > 0 && one_in(random, 2) ? NULL : random_effect(job, &mask);
        panels[i] = (frost_panel)FROST_PANEL_INIT;
        panels[i].effect = effects[i] != NULL || i == 0 ? effects[i] : panels[i - 1].effect;
        panels[i].mask = mask;
        if (effects[i] == NULL && i > 0) panels[i].mask = panels[i - 1].mask;
        panels[i].rect = random_part(random, width, height);
        panels[i].id = one_in(random, 2) ? (uint64_t)i + 1 : 0;
    }
}

static void destroy_panels(frost_panel *panels, frost_effect **effects) {
    for (int i = 0; i < PANELS; i++) {
        if (i == 0 || panels[i].mask != panels[i - 1].mask) frost_mask_destroy((frost_mask *)panels[i].mask);
    }
    for (int i = 0; i < PANELS; i++) frost_effect_destroy(effects[i]);
}

// Returns the target of a frame: the source's format without padding.
static frost_target target_of(const frost_source *source, uint8_t *memory) {
    frost_target target = FROST_TARGET_INIT;
    target.width = source->width;
    target.height = source->height;
    target.channels = source->channels;
    target.sample = source->sample;
    target.alpha = source->alpha;
    target.bytes_per_row = source->bytes_per_row;
    target.byte_count = source->byte_count;
    target.pixels = memory;
    return target;
}

// Renders frames of the worker's backdrop, whose size, source and panels change. The last frame equals that of a new
// backdrop.
void frames_of_backdrop(job *job) {
    generator *random = &job->random;
    worker *worker = job->worker;
    frost_backdrop_options options = FROST_BACKDROP_OPTIONS_INIT;
    frost_frame_options frame = FROST_FRAME_OPTIONS_INIT;
    frost_backdrop *fresh = NULL;
    frost_panel panels[PANELS];
    frost_effect *effects[PANELS];
    options.threads = between(random, 1, 2);
    if (worker->backdrop == NULL) succeeded(job, "create", frost_backdrop_create(&options, &worker->backdrop));
    // Targets of backdrops have the source's channels, so effects that tint need colours.
    frost_source source;
    do source = random_source(job);
    while (source.channels == FROST_CHANNELS_GREY || source.channels == FROST_CHANNELS_GREY_ALPHA);
    choose_panels(job, panels, effects, source.width, source.height);
    frost_target target = target_of(&source, worker->target), second = target_of(&source, worker->second);
    memset(worker->target, UNTOUCHED, source.byte_count);
    memset(worker->second, UNTOUCHED, source.byte_count);
    succeeded(job, "invalidate", frost_backdrop_invalidate_all(worker->backdrop));
    frame.repaint = FROST_REPAINT_ALL;
    start_clock(job);
    bool holds = succeeded(job, "panels", frost_backdrop_set_panels(worker->backdrop, panels, PANELS));
    for (int i = 0; holds && i < 3; i++) {
        holds = succeeded(job, "frame", frost_backdrop_render(worker->backdrop, &source, &target, &frame, NULL));
        if (i == 1) continue;
        panels[0].rect = random_part(random, source.width, source.height);
        panels[2].rect = random_part(random, source.width, source.height);
        if (holds) holds = succeeded(job, "panels", frost_backdrop_set_panels(worker->backdrop, panels, PANELS));
        memset(worker->target, UNTOUCHED, source.byte_count);
    }
    if (holds) holds = succeeded(job, "frame", frost_backdrop_render(worker->backdrop, &source, &target, &frame, NULL));
    stop_clock(job);
    if (holds && one_in(random, 4)) {
        holds = succeeded(job, "create", frost_backdrop_create(NULL, &fresh))
            && succeeded(job, "panels", frost_backdrop_set_panels(fresh, panels, PANELS))
            && succeeded(job, "frame", frost_backdrop_render(fresh, &source, &second, &frame, NULL));
        if (holds && !is_same(&target, &second)) fail(job, "a new backdrop renders another frame");
        frost_backdrop_destroy(fresh);
    }
    destroy_panels(panels, effects);
}
