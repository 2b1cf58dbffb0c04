// Runs the jobs on threads, and checks that the process's resources stay flat. See soak.h and Tools/soak.
#define _GNU_SOURCE
#include "soak.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

shared common;

static const kind kinds[] = {
    {"cpu", 30, render_on_cpu, false},
    {"gpu", 10, render_on_gpu, true},
    {"cpu-queue", 15, submit_to_cpu, false},
    {"gpu-queue", 8, submit_to_gpu, true},
    {"cpu-transition", 8, transition_on_cpu, false},
    {"gpu-transition", 4, transition_on_gpu, true},
    {"backdrop", 8, frames_of_backdrop, false},
    {"texture", 6, render_textures, true},
    {"wrong", 8, call_wrongly, false},
    {"new-renderer", 3, create_renderer, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], PHASES = 10 };

typedef struct options {
    long jobs, only;
    int threads;
    uint64_t seed;
    // The allowed growth of resident memory after the first tenth of the jobs, in MiB. Allocated memory may grow by
    // as much, and at most by MOST_ALLOCATED.
    double growth;
    bool is_chosen[KINDS];
    bool is_verbose;
} options;

// Drivers' compilers leave gaps between what they allocate, which count as resident memory only.
enum { MOST_ALLOCATED = 32 };
static options wanted = {.jobs = 100000, .only = -1, .threads = 8, .seed = 1, .growth = 128};
static atomic_long next_job, failures, cancelled;
// The last job of the phase, and the durations of all jobs in milliseconds; 0 for a job that made no call.
static long end_of_phase;
static float *durations;
static uint8_t *kind_of_job;
static pthread_barrier_t barrier;
static atomic_bool is_over;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

void start_clock(job *job) { job->began = now(); }

void stop_clock(job *job) { job->milliseconds = now() - job->began; }

void fail(const job *job, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    // Hundreds of lines help no one.
    if (atomic_fetch_add(&failures, 1) < 40) fprintf(stderr, "job %ld, %s: %s\n", job->number, job->kind->name, text);
}

void note(const job *job, const char *format, ...) {
    if (!wanted.is_verbose) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "job %ld, %s: %s\n", job->number, job->kind->name, text);
}

bool succeeded(const job *job, const char *call, frost_status status) {
    if (status == FROST_OK) return true;
    const bool was_cancelled = job->worker->cancelled && status == FROST_CANCELLED;
    if (was_cancelled) atomic_fetch_add(&cancelled, 1);
    else fail(job, "%s: %s: %s", call, frost_status_name(status), frost_error_message());
    return false;
}

static const kind *choose_kind(generator *random) {
    int sum = 0;
    for (int i = 0; i < KINDS; i++) sum += wanted.is_chosen[i] ? kinds[i].weight : 0;
    int place = between(random, 1, sum);
    for (int i = 0; i < KINDS; i++) {
        place -= wanted.is_chosen[i] ? kinds[i].weight : 0;
        if (place <= 0) return &kinds[i];
    }
    abort();
}

static void run_job(worker *worker, long number) {
    job job = {.random = {wanted.seed * 0x9E3779B97F4A7C15u ^ (uint64_t)number * 0xD1342543DE82EF95u}, .number = number};
    job.worker = worker;
    next(&job.random);
    job.kind = choose_kind(&job.random);
    // In the first phase more jobs need other programs, so that Frost soon keeps as many programs as it ever does.
    job.is_familiar = job.kind->uses_gpu && !one_in(&job.random, number < wanted.jobs / PHASES ? 10 : 100);
    note(&job, "begins");
    job.kind->run(&job);
    // Without --verbose, only the end of a phase is checked.
    if (wanted.is_verbose && damaged_blocks() > 0) {
        fail(&job, "bytes behind a block of memory were written");
        exit(1);
    }
    if (wanted.only >= 0) return;
    durations[number] = (float)job.milliseconds;
    kind_of_job[number] = (uint8_t)(job.kind - kinds);
}

static void *work(void *argument) {
    worker *worker = argument;
    for (int phase = 0; phase < PHASES; phase++) {
        pthread_barrier_wait(&barrier);
        const long end = end_of_phase;
        for (long job; (job = atomic_fetch_add(&next_job, 1)) < end;) run_job(worker, job);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

// Sets the cancellation flags that the workers offer, each at a random time.
static void *cancel(void *argument) {
    worker *workers = argument;
    generator random = {wanted.seed};
    while (!atomic_load(&is_over)) {
        nanosleep(&(struct timespec){0, between(&random, 10000, 500000)}, NULL);
        worker *worker = &workers[between(&random, 0, wanted.threads - 1)];
        pthread_mutex_lock(&worker->lock);
        if (worker->cancellable != NULL) frost_cancellation_cancel(worker->cancellable);
        if (worker->cancellable != NULL) worker->cancelled = true;
        pthread_mutex_unlock(&worker->lock);
    }
    return NULL;
}

static frost_renderer *renderer_of(int32_t backend, int32_t threads) {
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    frost_renderer *renderer = NULL;
    options.backend = backend;
    options.threads = threads;
    if (frost_renderer_create(&options, &renderer) != FROST_OK) {
        fprintf(stderr, "renderer: %s\n", frost_error_message());
    }
    return renderer;
}

static frost_queue *queue_of(frost_renderer *renderer) {
    frost_queue *queue = NULL;
    if (frost_queue_create(renderer, NULL, &queue) != FROST_OK) {
        fprintf(stderr, "queue: %s\n", frost_error_message());
        exit(2);
    }
    return queue;
}

// Fills the memory that sources read. Floats are from 0 to 1.
static void fill_pictures(void) {
    common.bytes = malloc(2 * CAPACITY);
    common.halves = malloc(2 * CAPACITY);
    common.floats = malloc(2 * CAPACITY);
    if (common.bytes == NULL || common.halves == NULL || common.floats == NULL) abort();
    generator random = {wanted.seed};
    for (size_t i = 0; i < 2 * CAPACITY; i++) common.bytes[i] = (uint8_t)next(&random);
    for (size_t i = 0; i < CAPACITY; i++) {
        // The bits of the 16-bit float 1.0 are 0x3C00. Smaller bits are smaller numbers.
        const uint16_t half = (uint16_t)between(&random, 0, 0x3C00);
        memcpy(common.halves + 2 * i, &half, sizeof half);
    }
    for (size_t i = 0; i < CAPACITY / 2; i++) {
        const float number = (float)unit(&random);
        memcpy(common.floats + 4 * i, &number, sizeof number);
    }
}

static void open_all(void) {
    bool uses_gpu = false;
    for (int i = 0; i < KINDS; i++) uses_gpu |= kinds[i].uses_gpu && wanted.is_chosen[i];
    fill_pictures();
    for (int i = 0; i < 3; i++) common.cpu[i] = renderer_of(FROST_BACKEND_CPU, i + 1);
    common.cpu_queue = queue_of(common.cpu[1]);
    if (!uses_gpu) return;
    common.gpu = renderer_of(FROST_BACKEND_GPU, 0);
    if (common.gpu == NULL || !open_textures()) {
        fprintf(stderr, "the jobs need EGL; leave them out with --kinds cpu,cpu-queue,cpu-transition,backdrop,wrong\n");
        exit(2);
    }
    common.gpu_queue = queue_of(common.gpu);
}

static void close_all(void) {
    frost_queue_destroy(common.cpu_queue);
    frost_queue_destroy(common.gpu_queue);
    for (int i = 0; i < 3; i++) frost_renderer_destroy(common.cpu[i]);
    frost_renderer_destroy(common.gpu);
    close_textures();
}

static int compare(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

static void report_times(void) {
    float *times = malloc((size_t)wanted.jobs * sizeof *times);
    if (times == NULL) abort();
    printf("%-16s %8s %9s %9s %9s  ms  slowest job\n", "kind", "jobs", "p50", "p99", "maximum");
    for (int i = 0; i < KINDS; i++) {
        size_t count = 0;
        long slowest = 0;
        for (long job = 0; job < wanted.jobs; job++) {
            if (kind_of_job[job] != i || durations[job] <= 0) continue;
            times[count++] = durations[job];
            if (count == 1 || durations[job] > durations[slowest]) slowest = job;
        }
        if (count == 0) continue;
        qsort(times, count, sizeof *times, compare);
        printf(
            "%-16s %8zu %9.3f %9.3f %9.3f  %15ld\n", kinds[i].name, count, (double)times[count / 2],
            (double)times[count * 99 / 100], (double)times[count - 1], slowest);
    }
    free(times);
}

static figures report_phase(int phase, double began) {
    // Threads that have ended are still counted for a moment.
    nanosleep(&(struct timespec){0, 200000000}, NULL);
    const figures now_held = measure();
    printf(
        "%3d %%  %6.0f s  %7.2f MiB resident  %7.2f MiB allocated  %3d descriptors  %3d threads\n",
        100 * (phase + 1) / PHASES, (now() - began) / 1e3, now_held.resident, now_held.allocated, now_held.descriptors,
        now_held.threads);
    fflush(stdout);
    return now_held;
}

// Runs all phases. Returns whether the resources stay flat from the first tenth on.
static bool soak(worker *workers) {
    pthread_t threads[64], canceller;
    pthread_barrier_init(&barrier, NULL, (unsigned)wanted.threads + 1);
    for (int i = 0; i < wanted.threads; i++) pthread_create(&threads[i], NULL, work, &workers[i]);
    pthread_create(&canceller, NULL, cancel, workers);
    // Threads are refused only after all threads that every job needs exist.
    for (int i = 0; i < KINDS; i++) {
        if (wanted.is_chosen[i] && kinds[i].run == create_renderer) refuse_threads(8);
    }
    const double began = now();
    figures base = {0};
    bool is_flat = true;
    for (int phase = 0; phase < PHASES; phase++) {
        end_of_phase = wanted.jobs * (phase + 1) / PHASES;
        atomic_store(&next_job, wanted.jobs * phase / PHASES);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        const figures held = report_phase(phase, began);
        if (damaged_blocks() > 0) {
            fprintf(stderr, "bytes behind a block of memory were written; --threads 1 --verbose finds the job\n");
            exit(1);
        }
        if (phase == 0) base = held;
        // Idle threads end, so the number of threads depends on the last jobs: at most one for each thread that submits.
        const bool grows = held.resident > base.resident + wanted.growth
            || held.allocated > base.allocated + fmin(wanted.growth, MOST_ALLOCATED) || held.descriptors > base.descriptors
            || held.threads > base.threads + wanted.threads;
        if (grows) printf("       more than after the first tenth\n");
        is_flat &= !grows;
    }
    refuse_threads(0);
    atomic_store(&is_over, true);
    pthread_join(canceller, NULL);
    for (int i = 0; i < wanted.threads; i++) pthread_join(threads[i], NULL);
    printf(
        "%ld jobs in %.0f s, %ld cancelled, %d threads refused, seed %llu\n", wanted.jobs, (now() - began) / 1e3,
        atomic_load(&cancelled), refused_threads(), (unsigned long long)wanted.seed);
    return is_flat;
}

static void choose_kinds(char *list) {
    for (char *rest = list, *name; (name = strsep(&rest, ",")) != NULL;) {
        bool is_known = false;
        for (int i = 0; i < KINDS; i++) {
            if (strcmp(kinds[i].name, name) != 0) continue;
            wanted.is_chosen[i] = is_known = true;
        }
        if (is_known) continue;
        fprintf(stderr, "unknown kind of job '%s'\n", name);
        exit(2);
    }
}

static void read_arguments(int count, char **words) {
    bool chooses = false;
    for (int i = 1; i < count; i++) {
        const bool has_value = i + 1 < count;
        if (strcmp(words[i], "--verbose") == 0) wanted.is_verbose = true;
        else if (has_value && strcmp(words[i], "--jobs") == 0) wanted.jobs = atol(words[++i]);
        else if (has_value && strcmp(words[i], "--threads") == 0) wanted.threads = atoi(words[++i]);
        else if (has_value && strcmp(words[i], "--seed") == 0) wanted.seed = strtoull(words[++i], NULL, 10);
        else if (has_value && strcmp(words[i], "--growth") == 0) wanted.growth = atof(words[++i]);
        else if (has_value && strcmp(words[i], "--job") == 0) wanted.only = atol(words[++i]);
        else if (has_value && strcmp(words[i], "--kinds") == 0) {
            choose_kinds(words[++i]);
            chooses = true;
        } else {
            fprintf(stderr, "unknown argument '%s'; see the head of Tools/soak\n", words[i]);
            exit(2);
        }
    }
    for (int i = 0; i < KINDS; i++) wanted.is_chosen[i] |= !chooses;
    if (wanted.jobs < PHASES || wanted.threads < 1 || wanted.threads > 64) {
        fprintf(stderr, "the number of jobs is at least 10, and that of threads 1 to 64\n");
        exit(2);
    }
}

int main(int count, char **words) {
    read_arguments(count, words);
    open_all();
    worker *workers = calloc((size_t)wanted.threads, sizeof *workers);
    durations = calloc((size_t)wanted.jobs, sizeof *durations);
    kind_of_job = calloc((size_t)wanted.jobs, 1);
    if (workers == NULL || durations == NULL || kind_of_job == NULL) abort();
    for (int i = 0; i < wanted.threads; i++) {
        pthread_mutex_init(&workers[i].lock, NULL);
        workers[i].target = malloc(CAPACITY);
        workers[i].second = malloc(CAPACITY);
        if (workers[i].target == NULL || workers[i].second == NULL) abort();
        // Resident from the start, so that the memory of pictures does not count as growth.
        memset(workers[i].target, UNTOUCHED, CAPACITY);
        memset(workers[i].second, UNTOUCHED, CAPACITY);
    }
    memset(durations, 0, (size_t)wanted.jobs * sizeof *durations);
    memset(kind_of_job, 0, (size_t)wanted.jobs);
    bool is_flat = true;
    if (wanted.only >= 0) {
        run_job(&workers[0], wanted.only);
    } else {
        is_flat = soak(workers);
        report_times();
    }
    if (common.gpu != NULL) report_textures();
    for (int i = 0; i < wanted.threads; i++) {
        frost_backdrop_destroy(workers[i].backdrop);
        free(workers[i].target);
        free(workers[i].second);
    }
    close_all();
    const long failed = atomic_load(&failures);
    printf("%ld failures, resources %s\n", failed, is_flat ? "flat" : "grow");
    return failed == 0 && is_flat ? 0 : 1;
}
