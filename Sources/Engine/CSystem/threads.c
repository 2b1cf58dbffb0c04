#define _GNU_SOURCE
#include "threads.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// --- Fork ----------------------------------------------------------------------------------------------

// What a fork waits for: sections of code, each of which begins with enter() and ends with leave().
struct gate {
    // The number of threads that are inside a section, or about to enter one.
    _Alignas(64) _Atomic uint32_t inside;
    // Whether a thread is about to fork. No other thread enters a section then.
    _Alignas(64) _Atomic bool is_closed;
};

static struct gate locks, calls;
// The number of locks and calls that the thread is inside.
static _Thread_local uint32_t lock_depth, call_depth;
static _Atomic uint32_t generation;
// Held while a thread forks.
static pthread_mutex_t fork_mutex = PTHREAD_MUTEX_INITIALIZER;

// The maximum time for which a fork waits for calls, in nanoseconds. A call may wait for the thread that forks: for
// Python's global lock, for instance, which the thread holds.
static const int64_t patience = 1000000000;

static void pause_briefly(void) {
    const struct timespec time = {.tv_nsec = 20000};
    nanosleep(&time, NULL);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void enter(struct gate *gate, uint32_t *depth) {
    if ((*depth)++ > 0) return;
    for (;;) {
        atomic_fetch_add(&gate->inside, 1);
        if (!atomic_load(&gate->is_closed)) return;
        atomic_fetch_sub(&gate->inside, 1);
        while (atomic_load(&gate->is_closed)) pause_briefly();
    }
}

static void leave(struct gate *gate, uint32_t *depth) {
    if (--*depth == 0) atomic_fetch_sub(&gate->inside, 1);
}

// A thread inside a section that forks, in a signal handler for instance, does not wait for itself.
static bool is_empty(struct gate *gate, uint32_t depth) { return atomic_load(&gate->inside) <= (depth > 0 ? 1u : 0u); }

static void before_fork(void) {
    pthread_mutex_lock(&fork_mutex);
    // Calls come first, because they need locks to end.
    atomic_store(&calls.is_closed, true);
    const int64_t end = now() + patience;
    while (!is_empty(&calls, call_depth) && now() < end) pause_briefly();
    atomic_store(&locks.is_closed, true);
    while (!is_empty(&locks, lock_depth)) pause_briefly();
}

static void after_fork(void) {
    atomic_store(&locks.is_closed, false);
    atomic_store(&calls.is_closed, false);
}

static void after_fork_in_parent(void) {
    after_fork();
    pthread_mutex_unlock(&fork_mutex);
}

static void after_fork_in_child(void) {
    atomic_fetch_add(&generation, 1);
    // The mutex may have waiters that do not exist in this process, nor do the calls for which the fork did not wait.
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    fork_mutex = fresh;
    atomic_store(&calls.inside, call_depth > 0 ? 1u : 0u);
    atomic_store(&locks.inside, lock_depth > 0 ? 1u : 0u);
    after_fork();
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void frost_call_begin(void) { enter(&calls, &call_depth); }

void frost_call_end(void) { leave(&calls, &call_depth); }

uint32_t frost_fork_generation(void) { return atomic_load_explicit(&generation, memory_order_relaxed); }

// --- Locks ---------------------------------------------------------------------------------------------

// Waiting uses a futex and no pthread_cond_t: in the child of a fork, a condition would wait for waiters that do not
// exist there. A thread that waits is not inside the lock, so it does not delay a fork.
struct frost_lock {
    pthread_mutex_t mutex;
    // The number of wakes. It changes only while the mutex is held.
    _Atomic uint32_t wakes;
    // The number of threads that wait. It changes only while the mutex is held.
    uint32_t waiters;
};

frost_lock *frost_lock_create(void) {
    frost_lock *lock = calloc(1, sizeof *lock);
    if (lock != NULL) pthread_mutex_init(&lock->mutex, NULL);
    return lock;
}

void frost_lock_destroy(frost_lock *lock) {
    if (lock == NULL) return;
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void frost_lock_acquire(frost_lock *lock) {
    enter(&locks, &lock_depth);
    pthread_mutex_lock(&lock->mutex);
}

void frost_lock_release(frost_lock *lock) {
    pthread_mutex_unlock(&lock->mutex);
    leave(&locks, &lock_depth);
}

bool frost_lock_wait(frost_lock *lock, int64_t nanoseconds) {
    const uint32_t seen = atomic_load_explicit(&lock->wakes, memory_order_relaxed);
    const struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    lock->waiters++;
    frost_lock_release(lock);
    syscall(SYS_futex, &lock->wakes, FUTEX_WAIT_PRIVATE, seen, nanoseconds < 0 ? NULL : &limit, NULL, 0);
    frost_lock_acquire(lock);
    lock->waiters--;
    return nanoseconds < 0 || atomic_load_explicit(&lock->wakes, memory_order_relaxed) != seen;
}

void frost_lock_wake(frost_lock *lock) {
    atomic_fetch_add_explicit(&lock->wakes, 1, memory_order_relaxed);
    if (lock->waiters > 0) syscall(SYS_futex, &lock->wakes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// --- Threads -------------------------------------------------------------------------------------------

void frost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

bool frost_set_stack_size(size_t bytes) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return false;
    const bool is_set =
        !pthread_attr_setstacksize(&attributes, bytes) && !pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return is_set;
}
