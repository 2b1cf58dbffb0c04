// A soak test of the C interface: random jobs on several threads, for as long as one likes. Tools/soak builds and runs it.
//
// A job is a function of the seed and of its number: its pictures, effects and faults do not depend on other jobs. So
// `Tools/soak --seed S --job N` repeats a job that failed.
#ifndef SOAK_H
#define SOAK_H

#include <frost.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Random numbers ----

// SplitMix64.
typedef struct generator {
    uint64_t state;
} generator;

static inline uint64_t next(generator *random) {
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Returns a number from `least` to `most`, both included.
static inline int32_t between(generator *random, int32_t least, int32_t most) {
    return least + (int32_t)(next(random) % (uint64_t)(most - least + 1));
}

// Returns true in one of `count` cases.
static inline bool one_in(generator *random, int32_t count) { return between(random, 1, count) == 1; }

// Returns a number from 0 to 1.
static inline double unit(generator *random) { return (double)(next(random) >> 11) * 0x1p-53; }

// ---- Jobs ----

// The memory of a picture: the largest one that a job makes fits, with padding.
enum { CAPACITY = 1 << 20 };

// The value of every byte of a target before Frost writes to it.
enum { UNTOUCHED = 0xA5 };

typedef struct job job;

// A kind of job.
typedef struct kind {
    const char *name;
    // How often the kind is chosen, relative to the others.
    int weight;
    void (*run)(job *job);
    bool uses_gpu;
} kind;

// What a thread keeps from job to job.
typedef struct worker {
    uint8_t *target, *second;
    frost_backdrop *backdrop;
    // The flag that the canceller may set, and its lock.
    pthread_mutex_t lock;
    frost_cancellation *cancellable;
    bool cancelled;
} worker;

// The number of effects that most jobs on the GPU use, as a program has a few. Other effects need other GL programs, and
// software GL compiles one in half a second.
enum { FAMILIAR = 24 };

struct job {
    generator random;
    long number;
    // Whether the effect is one of a few, and the pictures have 8 bits.
    bool is_familiar;
    const kind *kind;
    worker *worker;
    // The time of the calls of Frost that do the job's work, in milliseconds.
    double milliseconds;
    double began;
};

// What all threads share.
typedef struct shared {
    // Renderers on the CPU with 1, 2 and 3 threads.
    frost_renderer *cpu[3];
    // NULL without a GPU.
    frost_renderer *gpu;
    frost_queue *cpu_queue, *gpu_queue;
    // Pixels that jobs read: bytes, 16-bit floats and 32-bit floats. Each has twice the capacity.
    uint8_t *bytes, *halves, *floats;
} shared;

extern shared common;

// Counts and prints a failure of a job.
void fail(const job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints what a job does, with --verbose.
void note(const job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Expects the status of a call: FROST_OK, or FROST_CANCELLED if the job was cancelled. Returns whether it is FROST_OK.
bool succeeded(const job *job, const char *call, frost_status status);

void start_clock(job *job);
void stop_clock(job *job);

// ---- Random arguments (shapes.c) ----

frost_source random_source(job *job);
// Places a target for a picture of this layout in memory, with random padding, and marks all bytes as untouched.
void place_target(generator *random, frost_target *target, uint8_t *memory);
// Returns whether the bytes outside the target's pixels are untouched.
bool is_contained(const frost_target *target, const uint8_t *memory);
// Returns whether two targets have the same pixels.
bool is_same(const frost_target *first, const frost_target *second);
frost_rect random_part(generator *random, int32_t width, int32_t height);
// Returns an effect of the catalogue, and creates the mask if the effect needs one.
frost_effect *random_effect(job *job, frost_mask **mask);
frost_transition *random_transition(job *job, uint32_t *extra_images);

// ---- Jobs (jobs.c, frames.c, textures.c, wrong.c) ----

void render_on_cpu(job *job);
void render_on_gpu(job *job);
void submit_to_cpu(job *job);
void submit_to_gpu(job *job);
void transition_on_cpu(job *job);
void transition_on_gpu(job *job);
void frames_of_backdrop(job *job);
void render_textures(job *job);
void call_wrongly(job *job);
void create_renderer(job *job);

// Opens the context for texture jobs. Returns false without EGL.
bool open_textures(void);
// Prints the GL objects of the context, and the bytes that trimming frees.
void report_textures(void);
void close_textures(void);

// ---- The process (process.c) ----

typedef struct figures {
    // Resident memory, and bytes that are allocated, in MiB.
    double resident, allocated;
    int descriptors, threads;
} figures;

figures measure(void);
// Lets one in `count` threads that Frost asks for be refused; 0 for none.
void refuse_threads(int count);
int refused_threads(void);

// Returns the number of aligned blocks of memory behind which bytes were written (guards.c).
size_t damaged_blocks(void);

#endif
