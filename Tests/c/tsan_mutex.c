// Tells the thread sanitizer of Swift's Mutex. It is made of a futex, not of pthread's mutex, and what it does when threads
// meet is in a library that is not built for the sanitizer: without this, whatever they hand over so looks like a race.
//
// Its two slow paths, by their names in Swift's ABI, in front of the library's own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define swift __attribute__((swiftcall))
#define context __attribute__((swift_context))
#define lock_name "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define unlock_name "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

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
    __tsan_acquire(mutex);
}

swift void unlock_slow(context void *mutex) {
    typedef swift void function(context void *);
    __tsan_release(mutex);
    ((function *)library(unlock_name))(mutex);
}
