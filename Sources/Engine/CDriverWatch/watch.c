#include "CDriverWatch.h"

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
    // Only the watched thread uses it.
    bool takes_turns;
    void *functions[COUNT];
};

static _Thread_local frost_watch *watched;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

frost_watch *frost_watch_create(void) { return calloc(1, sizeof(frost_watch)); }

void frost_watch_free(frost_watch *watch) { free(watch); }

void frost_watch_begin(frost_watch *watch) { watched = watch; }

void frost_watch_take_turns(frost_watch *watch) { watch->takes_turns = true; }

uint64_t frost_watch_mark(const frost_watch *watch) { return atomic_load(&watch->mark); }

const char *frost_watch_call(const frost_watch *watch) { return atomic_load(&watch->call); }

bool frost_watch_abandon(frost_watch *watch, uint64_t mark) {
    return (mark & 1) == 1 && atomic_compare_exchange_strong(&watch->mark, &mark, ABANDONED);
}

bool frost_watch_has_returned(const frost_watch *watch) { return atomic_load(&watch->has_returned); }

static inline frost_watch *begin(const char *call) {
    frost_watch *watch = watched;
    atomic_store_explicit(&watch->call, call, memory_order_relaxed);
    // Only this thread changes an even mark.
    const uint64_t mark = atomic_load_explicit(&watch->mark, memory_order_relaxed);
    atomic_store_explicit(&watch->mark, mark + 1, memory_order_release);
    // The wait for the turn is a part of the call, so that it is watched, too.
    if (watch->takes_turns) pthread_mutex_lock(&turn);
    return watch;
}

static _Noreturn void sleep_for_ever(frost_watch *watch) {
    atomic_store(&watch->has_returned, true);
    for (;;) pause();
}

static inline void end(frost_watch *watch) {
    if (watch->takes_turns) pthread_mutex_unlock(&turn);
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
