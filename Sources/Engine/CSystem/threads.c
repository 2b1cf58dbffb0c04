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

// The number of threads that are inside a lock, or about to enter one.
static _Alignas(64) _Atomic uint32_t inside;
// Whether a thread is about to fork. No other thread enters a lock then.
static _Alignas(64) _Atomic bool is_forking;
static _Atomic uint32_t generation;
// Held while a thread forks.
static pthread_mutex_t fork_mutex = PTHREAD_MUTEX_INITIALIZER;
// The number of locks that the thread is inside.
static _Thread_local uint32_t depth;

static void pause_briefly(void) {
    const struct timespec time = {.tv_nsec = 20000};
    nanosleep(&time, NULL);
}

static void enter(void) {
    if (depth++ > 0) return;
    for (;;) {
        atomic_fetch_add(&inside, 1);
        if (!atomic_load(&is_forking)) return;
        atomic_fetch_sub(&inside, 1);
        while (atomic_load(&is_forking)) pause_briefly();
    }
}

static void leave(void) {
    if (--depth == 0) atomic_fetch_sub(&inside, 1);
}

static void before_fork(void) {
    pthread_mutex_lock(&fork_mutex);
    atomic_store(&is_forking, true);
    // A thread inside a lock that forks, in a signal handler for instance, does not wait for itself.
    while (atomic_load(&inside) > (depth > 0 ? 1u : 0u)) pause_briefly();
}

static void after_fork_in_parent(void) {
    atomic_store(&is_forking, false);
    pthread_mutex_unlock(&fork_mutex);
}

static void after_fork_in_child(void) {
    atomic_fetch_add(&generation, 1);
    // The mutex may have waiters that do not exist in this process.
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    fork_mutex = fresh;
    atomic_store(&is_forking, false);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

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
    enter();
    pthread_mutex_lock(&lock->mutex);
}

void frost_lock_release(frost_lock *lock) {
    pthread_mutex_unlock(&lock->mutex);
    leave();
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
