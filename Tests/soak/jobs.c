// Jobs that apply an effect to a picture: on the CPU, on the GPU, through a queue, and with a new renderer.
#include "soak.h"

#include <string.h>

// The arguments of one rendering.
typedef struct rendering {
    frost_effect *effect;
    frost_mask *mask;
    frost_source source;
    frost_target target;
    frost_rect region;
    frost_render_options options;
} rendering;

// Chooses the arguments. Returns false after a failure.
static bool choose(job *job, rendering *rendering) {
    generator *random = &job->random;
    *rendering = (struct rendering){
        .source = random_source(job), .target = FROST_TARGET_INIT, .options = FROST_RENDER_OPTIONS_INIT};
    rendering->effect = random_effect(job, &rendering->mask);
    if (rendering->effect == NULL) return false;
    const frost_source *source = &rendering->source;
    rendering->options.mask = rendering->mask;
    if (one_in(random, 4)) rendering->options.error_budget = 0.01 + 0.99 * unit(random);
    rendering->region = (frost_rect){0, 0, source->width, source->height};
    if (one_in(random, 3)) rendering->region = random_part(random, source->width, source->height);
    else if (one_in(random, 2)) {
        // The effect's own rectangle, unless it grows beyond the memory.
        frost_target own = FROST_TARGET_INIT;
        if (frost_effect_describe_target(rendering->effect, source, NULL, &own) == FROST_OK
            && own.byte_count * 2 < CAPACITY) rendering->region.width = 0;
    }
    if (rendering->region.width > 0) rendering->options.region = &rendering->region;
    const frost_status status =
        frost_effect_describe_target(rendering->effect, source, rendering->options.region, &rendering->target);
    if (status != FROST_OK) fail(job, "describe: %s", frost_error_message());
    note(job, "region %d,%d %dx%d, error budget %g", rendering->region.x, rendering->region.y, rendering->region.width,
        rendering->region.height, rendering->options.error_budget);
    if (status == FROST_OK) place_target(random, &rendering->target, job->worker->target);
    return status == FROST_OK;
}

static void destroy(const rendering *rendering) {
    frost_effect_destroy(rendering->effect);
    frost_mask_destroy(rendering->mask);
}

// Cancels one in eight renderings: before it begins, or at any time by the canceller.
static void offer_cancellation(job *job, rendering *rendering) {
    worker *worker = job->worker;
    if (!one_in(&job->random, 8)) return;
    const bool is_early = one_in(&job->random, 4);
    pthread_mutex_lock(&worker->lock);
    if (frost_cancellation_create(&worker->cancellable) != FROST_OK) fail(job, "%s", frost_error_message());
    worker->cancelled = is_early;
    if (is_early) frost_cancellation_cancel(worker->cancellable);
    pthread_mutex_unlock(&worker->lock);
    rendering->options.cancellation = worker->cancellable;
}

// Takes the flag back, so that the canceller no longer sets it.
static void withdraw_cancellation(job *job, rendering *rendering) {
    worker *worker = job->worker;
    pthread_mutex_lock(&worker->lock);
    frost_cancellation_destroy(worker->cancellable);
    worker->cancellable = NULL;
    worker->cancelled = false;
    pthread_mutex_unlock(&worker->lock);
    rendering->options.cancellation = NULL;
}

// Renders one in eight pictures a second time, by another renderer, and compares the pixels.
static void repeat(job *job, rendering *rendering, frost_renderer *renderer) {
    if (!one_in(&job->random, 8)) return;
    frost_target second = rendering->target;
    place_target(&job->random, &second, job->worker->second);
    const frost_status status =
        frost_render(renderer, rendering->effect, &rendering->source, &second, &rendering->options, NULL);
    if (status != FROST_OK) fail(job, "again: %s", frost_error_message());
    else if (!is_same(&rendering->target, &second)) fail(job, "the second rendering differs");
}

static void render(job *job, frost_renderer *renderer, frost_renderer *other) {
    rendering rendering;
    if (choose(job, &rendering)) {
        offer_cancellation(job, &rendering);
        start_clock(job);
        const frost_status status = frost_render(
            renderer, rendering.effect, &rendering.source, &rendering.target, &rendering.options, NULL);
        stop_clock(job);
        const bool is_complete = succeeded(job, "frost_render", status);
        withdraw_cancellation(job, &rendering);
        if (!is_contained(&rendering.target, job->worker->target)) fail(job, "bytes outside the target were written");
        if (is_complete) repeat(job, &rendering, other);
    }
    destroy(&rendering);
}

// The second rendering has another number of threads.
void render_on_cpu(job *job) {
    const int32_t first = between(&job->random, 0, 2);
    render(job, common.cpu[first], common.cpu[(first + 1) % 3]);
}

void render_on_gpu(job *job) { render(job, common.gpu, common.gpu); }

static void submit(job *job, frost_queue *queue, frost_renderer *other) {
    rendering rendering;
    frost_ticket *ticket = NULL;
    if (choose(job, &rendering)) {
        const bool cancels = one_in(&job->random, 8);
        start_clock(job);
        frost_status status;
        do {
            status = frost_queue_submit(
                queue, rendering.effect, &rendering.source, &rendering.target, &rendering.options, NULL, NULL, &ticket);
        } while (status == FROST_BUSY);
        if (succeeded(job, "frost_queue_submit", status)) {
            if (cancels) frost_ticket_cancel(ticket);
            status = frost_ticket_wait(ticket, -1, NULL);
            stop_clock(job);
            const bool is_complete = status == FROST_CANCELLED && cancels ? false : succeeded(job, "the ticket", status);
            frost_ticket_destroy(ticket);
            if (!is_contained(&rendering.target, job->worker->target)) fail(job, "bytes outside the target were written");
            if (is_complete) repeat(job, &rendering, other);
        }
    }
    destroy(&rendering);
}

void submit_to_cpu(job *job) { submit(job, common.cpu_queue, common.cpu[0]); }

void submit_to_gpu(job *job) { submit(job, common.gpu_queue, common.gpu); }

// Makes a renderer and a queue for one picture, while threads may be refused.
void create_renderer(job *job) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    frost_renderer *renderer = NULL;
    frost_queue *queue = NULL;
    frost_ticket *ticket = NULL;
    rendering rendering;
    options.backend = common.gpu != NULL && one_in(&job->random, 16) ? FROST_BACKEND_GPU : FROST_BACKEND_CPU;
    options.threads = between(&job->random, 1, 4);
    if (choose(job, &rendering)) {
        start_clock(job);
        frost_status status = frost_renderer_create(&options, &renderer);
        // A GPU and a queue need a thread, which may be refused.
        if (status == FROST_OK) status = frost_queue_create(renderer, NULL, &queue);
        if (status == FROST_OK) {
            status = frost_queue_submit(
                queue, rendering.effect, &rendering.source, &rendering.target, &rendering.options, NULL, NULL, &ticket);
            // The renderer and the queue are destroyed before the picture is complete, or after.
            const bool is_early = one_in(&job->random, 2);
            if (is_early) frost_renderer_destroy(renderer);
            if (is_early) renderer = NULL;
            if (succeeded(job, "frost_queue_submit", status)) succeeded(job, "the ticket", frost_ticket_wait(ticket, -1, NULL));
        } else if (refused_threads() == 0 || (status != FROST_ERROR_SYSTEM && status != FROST_ERROR_NO_DEVICE)) {
            fail(job, "new renderer: %s", frost_error_message());
        }
        stop_clock(job);
    }
    frost_ticket_destroy(ticket);
    frost_queue_destroy(queue);
    frost_renderer_destroy(renderer);
    destroy(&rendering);
}
