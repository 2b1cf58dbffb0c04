// Informs the thread sanitizer about Swift's Mutex. A Mutex uses a futex instead of a pthread mutex. If it is contended, it
// runs functions that are in a library built without the sanitizer. Without this file, the sanitizer would report a race for
// all data that threads hand over under a contended Mutex.
//
// The two functions below have the same names as these functions in Swift's ABI, and take precedence over them. A program
// contains this file, or it is preloaded as a library. Then processes without the sanitizer may load it too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define swift __attribute__((swiftcall))
#define context __attribute__((swift_context))
#define lock_name "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define unlock_name "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

swift void lock_slow(uint32_t thread, context void *mutex) __asm__(lock_name);
swift void unlock_slow(context void *mutex) __asm__(unlock_name);

static void *library(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

swift void lock_slow(uint32_t thread, context void *mutex) {
    typedef swift void function(uint32_t, context void *);
    ((function *)library(lock_name))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

swift void unlock_slow(context void *mutex) {
    typedef swift void function(context void *);
    if (__tsan_release) __tsan_release(mutex);
    ((function *)library(unlock_name))(mutex);
}
