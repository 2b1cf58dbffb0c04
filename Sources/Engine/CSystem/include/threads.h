// Locks, waiting and threads for Frost, in C because Swift has neither thread-local variables nor variadic functions.
// FrostThreads is the only Swift module that uses these functions.
//
// A process may fork while its threads compute. The child has only the thread that forked, so a lock that another thread
// held would stay locked for ever, and the data behind it may be half changed. Therefore fork() waits until no thread is
// inside a lock of this module. All such sections are short: they never wait, and call nothing that may wait.
//
// The locks of the Swift runtime, of libc++ and of codecs are out of reach. They are held when code runs for the first
// time: the runtime then makes the metadata of a type, or a global variable. Therefore fork() also waits until no thread
// is inside a call, for up to a second. A call that ends later is past its first steps.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct frost_lock frost_lock;

// Returns a new lock, or NULL if memory runs out.
frost_lock *frost_lock_create(void);
// Frees a lock that no thread holds or waits for. NULL is allowed.
void frost_lock_destroy(frost_lock *lock);
void frost_lock_acquire(frost_lock *lock);
void frost_lock_release(frost_lock *lock);
// Releases the lock, waits until another thread calls frost_lock_wake, and acquires the lock again. May also return
// without a cause. The caller must hold this lock and no other.
//
// nanoseconds: the maximum time to wait; negative for no limit. Returns false if the time is over.
bool frost_lock_wait(frost_lock *lock, int64_t nanoseconds);
// Wakes all threads that wait. The caller must hold the lock.
void frost_lock_wake(frost_lock *lock);

// Surround a call that fork() waits for, and that begins after a fork in progress. Calls may be nested. A call must not
// wait for another thread's call, which might not begin until the fork is over.
void frost_call_begin(void);
void frost_call_end(void);

// The number of forks that separate this process from the one that loaded Frost.
uint32_t frost_fork_generation(void);

// Names the calling thread, for debuggers and top.
void frost_name_thread(const char *name);

// Sets the size of the stacks of all threads that the process makes later, also those of libraries, in bytes. Returns whether the
// system took it.
bool frost_set_stack_size(size_t bytes);

#ifdef __cplusplus
}
#endif
