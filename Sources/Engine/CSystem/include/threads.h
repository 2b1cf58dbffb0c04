// Locks, waiting and threads for Frost, in C because Swift has neither thread-local variables nor variadic functions.
// FrostThreads is the only Swift module that uses these functions.
//
// A process may fork while its threads compute. The child has only the thread that forked, so a lock that another thread
// held would stay locked for ever, and the data behind it may be half changed. Therefore fork() waits until no thread is
// inside a lock of this module. All such sections are short: they never wait, and call nothing that may wait.
#pragma once
#include <stdbool.h>
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

// The number of forks that separate this process from the one that loaded Frost.
uint32_t frost_fork_generation(void);

// Names the calling thread, for debuggers and top.
void frost_name_thread(const char *name);

#ifdef __cplusplus
}
#endif
