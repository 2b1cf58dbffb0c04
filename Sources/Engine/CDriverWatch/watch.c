#define _GNU_SOURCE
#include "CDriverWatch.h"

#include "../CGL/packages.h"

#define EGL_NO_X11
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
// gl32.h must be first.
#include <GLES2/gl2ext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver-calls.h"

#define INDEX(type, name, ...) INDEX_##name,
enum { DRIVER_CALLS(INDEX, INDEX) COUNT };

// The mark of a thread that was abandoned.
#define ABANDONED UINT64_MAX

struct frost_watch {
    _Atomic uint64_t mark;
    const char *_Atomic call;
    atomic_bool has_returned;
    atomic_bool takes_turns;
    // The lock of the other threads once this one was abandoned.
    pthread_mutex_t next_turn;
    void *functions[COUNT];
};

static _Thread_local frost_watch *watched;
static pthread_mutex_t first_turn = PTHREAD_MUTEX_INITIALIZER;
// The lock that gives the turn. A thread that was abandoned may keep its lock for ever. The other threads then use a new
// one, so that they still take turns among themselves.
static pthread_mutex_t *_Atomic turn = &first_turn;

// The lock that this thread has, and the number of turns that it has begun and not ended.
static _Thread_local pthread_mutex_t *own_turn;
static _Thread_local int turns;

static pthread_mutex_t *take_turn(void) {
    for (;;) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += 50000000;
        if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
        pthread_mutex_t *lock = atomic_load(&turn);
        if (pthread_mutex_timedlock(lock, &end) != 0) continue;
        if (lock == atomic_load(&turn)) return lock;
        pthread_mutex_unlock(lock);
    }
}

void frost_turn_begin(void) {
    if (turns == 0) own_turn = take_turn();
    turns++;
}

void frost_turn_end(void) {
    turns--;
    if (turns == 0) pthread_mutex_unlock(own_turn);
}

frost_watch *frost_watch_create(void) {
    frost_watch *watch = calloc(1, sizeof(frost_watch));
    if (watch != NULL) pthread_mutex_init(&watch->next_turn, NULL);
    return watch;
}

void frost_watch_free(frost_watch *watch) { free(watch); }

void frost_watch_begin(frost_watch *watch) { watched = watch; }

void frost_watch_take_turns(frost_watch *watch) { atomic_store(&watch->takes_turns, true); }

uint64_t frost_watch_mark(const frost_watch *watch) { return atomic_load(&watch->mark); }

const char *frost_watch_call(const frost_watch *watch) { return atomic_load(&watch->call); }

bool frost_watch_abandon(frost_watch *watch, uint64_t mark) {
    if ((mark & 1) == 0 || !atomic_compare_exchange_strong(&watch->mark, &mark, ABANDONED)) return false;
    // The thread is inside a call, so it has the turn if it takes turns.
    if (atomic_load(&watch->takes_turns)) atomic_store(&turn, &watch->next_turn);
    return true;
}

bool frost_watch_has_returned(const frost_watch *watch) { return atomic_load(&watch->has_returned); }

static inline frost_watch *begin(const char *call) {
    frost_watch *watch = watched;
    // The wait for the turn is not a part of the call: meanwhile, another thread makes progress, or is abandoned.
    if (atomic_load_explicit(&watch->takes_turns, memory_order_relaxed)) frost_turn_begin();
    atomic_store_explicit(&watch->call, call, memory_order_relaxed);
    // Only this thread changes an even mark.
    const uint64_t mark = atomic_load_explicit(&watch->mark, memory_order_relaxed);
    atomic_store_explicit(&watch->mark, mark + 1, memory_order_release);
    return watch;
}

static _Noreturn void sleep_for_ever(frost_watch *watch) {
    atomic_store(&watch->has_returned, true);
    for (;;) pause();
}

static inline void end(frost_watch *watch) {
    uint64_t mark = atomic_load_explicit(&watch->mark, memory_order_relaxed);
    const bool is_abandoned = mark == ABANDONED || !atomic_compare_exchange_strong(&watch->mark, &mark, mark + 1);
    // The turn ends after the call has: a thread that is abandoned must have the turn.
    if (atomic_load_explicit(&watch->takes_turns, memory_order_relaxed)) frost_turn_end();
    if (is_abandoned) sleep_for_ever(watch);
}

#define CALL(type, name, parameters, arguments) \
    static void KHRONOS_APIENTRY watched_##name parameters { \
        frost_watch *watch = begin(#name); \
        ((type)watch->functions[INDEX_##name])arguments; \
        end(watch); \
    }
#define RESULT(type, name, result, failed, parameters, arguments) \
    static result KHRONOS_APIENTRY watched_##name parameters { \
        frost_watch *watch = begin(#name); \
        result value = ((type)watch->functions[INDEX_##name])arguments; \
        end(watch); \
        return value; \
    }
DRIVER_CALLS(CALL, RESULT)

#define NAMED(type, name, ...) {#name, (void *)watched_##name},

void *frost_watch_function(frost_watch *watch, const char *name, void *function) {
    static const struct {
        const char *name;
        void *wrapper;
    } wrappers[] = {DRIVER_CALLS(NAMED, NAMED)};
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(name, wrappers[i].name) != 0) continue;
        watch->functions[i] = function;
        return wrappers[i].wrapper;
    }
    return NULL;
}
