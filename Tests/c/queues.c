// Tests rendering in the background, also from many threads at once.
//
//   queues [JOBS]      JOBS images on each of sixteen threads; 8 by default
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { SIDE = 96, BYTES = SIDE * SIDE * 4, IMAGES = 8, THREADS = 16 };

static frost_queue *queue_of(frost_renderer *renderer, int32_t depth, int32_t concurrency) {
    frost_queue_options options = FROST_QUEUE_OPTIONS_INIT;
    options.depth = depth;
    options.concurrency = concurrency;
    frost_queue *queue = NULL;
    EXPECT(FROST_OK, "", frost_queue_create(renderer, &options, &queue));
    return queue;
}

// What a callback records.
typedef struct {
    atomic_int calls, statuses[2], order;
    int index;
} told;

static atomic_int delivered;

static void tell(void *data, frost_status status, const frost_report *report) {
    told *one = data;
    CHECK((status == FROST_OK) == (report != NULL));
    one->order = delivered++;
    one->statuses[status != FROST_OK]++;
    one->calls++;
}

// Tests that results equal those of frost_render(), whatever the number of images that are rendered at the same time. If
// only one image is rendered at a time, the images must also finish in order.
static void results(int32_t backend, int32_t concurrency) {
    frost_renderer *renderer = renderer_of(backend, 2);
    frost_effect *effect = gaussian(4);
    frost_queue *queue = queue_of(renderer, IMAGES, concurrency);
    uint8_t *from[IMAGES], *to[IMAGES], *expected = malloc(BYTES);
    frost_ticket *tickets[IMAGES];
    told told[IMAGES] = {{0}};
    for (int i = 0; i < IMAGES; i++) {
        from[i] = noise(BYTES, (uint32_t)i);
        to[i] = calloc(1, BYTES);
        const frost_source source = source_of(from[i], SIDE, SIDE);
        const frost_target target = target_of(to[i], SIDE, SIDE);
        EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, tell, &told[i], &tickets[i]));
    }
    int previous = -1;
    for (int i = 0; i < IMAGES; i++) {
        frost_report report = FROST_REPORT_INIT;
        EXPECT(FROST_OK, "", frost_ticket_wait(tickets[i], -1, &report));
        CHECK(told[i].calls == 1 && told[i].statuses[0] == 1);
        EXPECT(FROST_OK, "", frost_ticket_poll(tickets[i], &report));
        CHECK(report.backend == backend && report.error_bound > 0 && report.error_bound <= 0.44);
        CHECK((backend == FROST_BACKEND_GPU) == (report.device[0] != 0) && strcmp(report.reason, "as requested") == 0);
        const frost_source source = source_of(from[i], SIDE, SIDE);
        const frost_target target = target_of(expected, SIDE, SIDE);
        EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, NULL));
        CHECK(memcmp(expected, to[i], BYTES) == 0);
        if (concurrency == 1) CHECK(told[i].order > previous);
        previous = told[i].order;
        frost_ticket_destroy(tickets[i]);
        free(from[i]);
        free(to[i]);
    }
    free(expected);
    frost_queue_destroy(queue);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
}

// A callback that blocks the queue's only thread until the mutex `gate` is unlocked.
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void hold(void *data, frost_status status, const frost_report *report) {
    (void)report;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    tell(data, status, report);
}

// Tests that a full queue returns FROST_BUSY without waiting. Also tests that cancelled images are done immediately and keep
// their pixels.
static void busy_and_cancelled(void) {
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 1);
    frost_effect *effect = gaussian(4);
    frost_queue *queue = queue_of(renderer, 3, 1);
    uint8_t *from = noise(BYTES, 1), *to = calloc(4, BYTES);
    const frost_source source = source_of(from, SIDE, SIDE);
    frost_ticket *tickets[5] = {NULL};
    told told[5] = {{0}};
    pthread_mutex_lock(&gate);
    for (int i = 0; i < 3; i++) {
        const frost_target target = target_of(to + i * BYTES, SIDE, SIDE);
        EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, hold, &told[i], &tickets[i]));
    }
    // The first image is rendered, but counts as done only when its callback returns. Its place in the queue is already
    // free.
    EXPECT(FROST_NOT_READY, "", frost_ticket_wait(tickets[0], 20, NULL));
    EXPECT(FROST_NOT_READY, "", frost_ticket_poll(tickets[0], NULL));
    while (frost_queue_count(queue) > 2) sched_yield();
    const frost_target target = target_of(to + 3 * BYTES, SIDE, SIDE);
    EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, tell, &told[3], &tickets[3]));
    EXPECT(FROST_BUSY, "", frost_queue_submit(queue, effect, &source, &target, NULL, tell, &told[4], &tickets[4]));
    CHECK(!tickets[4] && strstr(frost_error_message(), "3 images"));
    frost_ticket_cancel(tickets[3]);
    EXPECT(FROST_CANCELLED, "", frost_ticket_wait(tickets[3], -1, NULL));
    CHECK(told[3].calls == 1 && told[3].statuses[1] == 1);
    CHECK(frost_queue_count(queue) == 2);
    for (size_t i = 0; i < BYTES; i++) {
        if (to[3 * BYTES + i]) { CHECK(!"a cancelled image was written"); break; }
    }
    pthread_mutex_unlock(&gate);
    // When the queue is destroyed, the remaining images are cancelled or completed.
    frost_queue_destroy(queue);
    for (int i = 0; i < 4; i++) {
        CHECK(told[i].calls == 1);
        CHECK(frost_ticket_poll(tickets[i], NULL) != FROST_NOT_READY);
        frost_ticket_cancel(tickets[i]);
        frost_ticket_destroy(tickets[i]);
    }
    CHECK(told[4].calls == 0);
    free(from);
    free(to);
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
}

// The data of a chain of callbacks. Each callback submits the next image and polls its own ticket. The last callback
// destroys the queue.
typedef struct {
    frost_queue *queue;
    frost_effect *effect;
    frost_source source;
    frost_target target;
    int left;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
} chain;

static void next_of(void *data, frost_status status, const frost_report *report) {
    chain *all = data;
    CHECK(status == FROST_OK && report);
    CHECK(frost_queue_wait(all->queue) == FROST_OK);
    if (--all->left > 0) {
        EXPECT(FROST_OK, "",
               frost_queue_submit(all->queue, all->effect, &all->source, &all->target, NULL, next_of, all, NULL));
        return;
    }
    frost_queue_destroy(all->queue);
    pthread_mutex_lock(&all->mutex);
    all->queue = NULL;
    pthread_cond_signal(&all->ended);
    pthread_mutex_unlock(&all->mutex);
}

static void chained(void) {
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 1);
    uint8_t *from = noise(BYTES, 1), *to = calloc(1, BYTES);
    chain all = {queue_of(renderer, 1, 1), gaussian(4), source_of(from, SIDE, SIDE), target_of(to, SIDE, SIDE), 50,
                 PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    frost_renderer_destroy(renderer);
    EXPECT(FROST_OK, "", frost_queue_submit(all.queue, all.effect, &all.source, &all.target, NULL, next_of, &all, NULL));
    pthread_mutex_lock(&all.mutex);
    while (all.queue) pthread_cond_wait(&all.ended, &all.mutex);
    pthread_mutex_unlock(&all.mutex);
    CHECK(all.left == 0);
    frost_effect_destroy(all.effect);
    free(from);
    free(to);
}

// Tests that a ticket reports the errors of its image. Also tests that handles and structs may be destroyed once the image
// has been submitted.
static void late_errors(void) {
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 1);
    frost_effect *effect = gaussian(4);
    frost_queue *queue = queue_of(renderer, 4, 0);
    uint8_t *from = noise(BYTES, 1), *to = calloc(1, BYTES);
    const frost_source source = source_of(from, SIDE, SIDE);
    frost_target target = target_of(to, SIDE, SIDE - 1);
    frost_ticket *ticket = NULL;
    told told = {0};
    EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, tell, &told, &ticket));
    EXPECT(FROST_ERROR_PIXELS, "size of the target", frost_ticket_wait(ticket, INT64_MAX, NULL));
    CHECK(told.calls == 1 && told.statuses[1] == 1);
    frost_ticket_destroy(ticket);
    target = target_of(to, SIDE, SIDE);
    EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, tell, &told, &ticket));
    frost_effect_destroy(effect);
    frost_renderer_destroy(renderer);
    memset(&target, 0, sizeof target);
    EXPECT(FROST_OK, "", frost_ticket_wait(ticket, INT64_MAX, NULL));
    frost_ticket_destroy(ticket);
    frost_queue_destroy(queue);
    free(from);
    free(to);
}

// The number of images on each of the sixteen threads. Each thread has its own queue, and the threads use different backends.
// Threads that use the CPU have renderers of their own. Those that use the GPU share one, because llvmpipe of Mesa 22.3.6 does
// not support contexts that draw at the same time; see docs/internals/Reliability.md.
static int jobs = 8;
static frost_renderer *shared;
static const uint8_t *picture;
static uint8_t *wanted[2][3];

static void *user(void *data) {
    const int number = (int)(intptr_t)data;
    const int on_gpu = number % 4 == 3 && !without_gpu();
    frost_renderer *renderer = on_gpu ? shared : renderer_of(FROST_BACKEND_CPU, 1 + number % 3);
    frost_queue *queue = queue_of(renderer, 4, 0);
    const frost_source source = source_of(picture, SIDE, SIDE);
    uint8_t *to = malloc(4 * (size_t)BYTES);
    frost_ticket *tickets[4] = {NULL};
    for (int i = 0; i < jobs + 4; i++) {
        uint8_t *place = to + (i % 4) * BYTES;
        if (tickets[i % 4]) {
            EXPECT(FROST_OK, "", frost_ticket_wait(tickets[i % 4], -1, NULL));
            CHECK(memcmp(place, wanted[on_gpu][(i - 4) % 3], BYTES) == 0);
            frost_ticket_destroy(tickets[i % 4]);
            tickets[i % 4] = NULL;
        }
        if (i >= jobs) continue;
        frost_effect *effect = gaussian(1 + 4 * (i % 3));
        const frost_target target = target_of(place, SIDE, SIDE);
        EXPECT(FROST_OK, "", frost_queue_submit(queue, effect, &source, &target, NULL, NULL, NULL, &tickets[i % 4]));
        frost_effect_destroy(effect);
    }
    frost_queue_destroy(queue);
    if (!on_gpu) frost_renderer_destroy(renderer);
    free(to);
    return NULL;
}

static void sixteen(void) {
    uint8_t *from = noise(BYTES, 7);
    picture = from;
    for (int on_gpu = 0; on_gpu < (without_gpu() ? 1 : 2); on_gpu++) {
        frost_renderer *renderer = renderer_of(on_gpu ? FROST_BACKEND_GPU : FROST_BACKEND_CPU, 1);
        for (int i = 0; i < 3; i++) {
            wanted[on_gpu][i] = malloc(BYTES);
            frost_effect *effect = gaussian(1 + 4 * i);
            const frost_source source = source_of(from, SIDE, SIDE);
            const frost_target target = target_of(wanted[on_gpu][i], SIDE, SIDE);
            EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, NULL));
            frost_effect_destroy(effect);
        }
        frost_renderer_destroy(renderer);
    }
    if (!without_gpu()) shared = renderer_of(FROST_BACKEND_GPU, 1);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, user, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    frost_renderer_destroy(shared);
    for (int i = 0; i < 6; i++) free(wanted[i / 3][i % 3]);
    free(from);
}

int main(int count, char **words) {
    if (count > 1) jobs = atoi(words[1]);
    results(FROST_BACKEND_CPU, 1);
    results(FROST_BACKEND_CPU, 0);
    if (!without_gpu()) {
        results(FROST_BACKEND_GPU, 1);
        results(FROST_BACKEND_GPU, 0);
    }
    busy_and_cancelled();
    chained();
    late_errors();
    sixteen();
    return finish("queues");
}
