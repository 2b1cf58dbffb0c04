// For a mutex that one thread may lock several times.
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
    void *functions[COUNT];
};

static _Thread_local frost_watch *watched;
static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
// Turns end when a thread was abandoned, because that thread may have the turn for ever.
static atomic_bool turns_have_ended;

// Waits for the turn. Returns false if turns have ended.
static bool take_turn(void) {
    while (!atomic_load(&turns_have_ended)) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += 50000000;
        if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
        if (pthread_mutex_timedlock(&turn, &end) == 0) return true;
    }
    return false;
}

// The number of turns that this thread has taken and not ended.
static _Thread_local int turns;

void frost_turn_begin(void) { turns += take_turn(); }

void frost_turn_end(void) {
    if (turns == 0) return;
    turns--;
    pthread_mutex_unlock(&turn);
}

frost_watch *frost_watch_create(void) { return calloc(1, sizeof(frost_watch)); }

void frost_watch_free(frost_watch *watch) { free(watch); }

void frost_watch_begin(frost_watch *watch) { watched = watch; }

void frost_watch_take_turns(frost_watch *watch) { atomic_store(&watch->takes_turns, true); }

uint64_t frost_watch_mark(const frost_watch *watch) { return atomic_load(&watch->mark); }

const char *frost_watch_call(const frost_watch *watch) { return atomic_load(&watch->call); }

bool frost_watch_abandon(frost_watch *watch, uint64_t mark) {
    if ((mark & 1) == 0 || !atomic_compare_exchange_strong(&watch->mark, &mark, ABANDONED)) return false;
    if (atomic_load(&watch->takes_turns)) atomic_store(&turns_have_ended, true);
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
    if (atomic_load_explicit(&watch->takes_turns, memory_order_relaxed)) frost_turn_end();
    uint64_t mark = atomic_load_explicit(&watch->mark, memory_order_relaxed);
    if (mark == ABANDONED || !atomic_compare_exchange_strong(&watch->mark, &mark, mark + 1)) sleep_for_ever(watch);
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
