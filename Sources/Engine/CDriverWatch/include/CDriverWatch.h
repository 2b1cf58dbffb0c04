// Watches the calls of EGL and GL functions that a thread makes, so that another thread can notice a call that does not
// return. This is in C, because every function needs a wrapper with its own signature.
//
// The watching thread reads the mark of the watched thread from time to time. If the mark is odd and stays the same, the
// thread is inside one call all the time. The watching thread may then abandon it: the thread never returns from that
// call, and so never again uses memory of its callers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct frost_watch frost_watch;

// Returns a new watch, or NULL if there is no memory. It is freed by frost_watch_free, but never after its thread was
// abandoned, because the thread may be about to return from its call.
frost_watch *frost_watch_create(void);
void frost_watch_free(frost_watch *watch);

// Watches the calls that the calling thread makes from now on through functions of frost_watch_function.
void frost_watch_begin(frost_watch *watch);

// Lets only one thread at a time be inside a call, of all threads for which this function was called. Called on the watch's
// thread, outside of a call.
void frost_watch_take_turns(frost_watch *watch);

// Takes a turn for several calls in the context of a host, whose threads are not watched. Turns of one thread may nest.
void frost_turn_begin(void);
void frost_turn_end(void);

// Returns a function that calls `function`, the driver's function of this name, and that only the watch's thread may
// call. Returns NULL if the name is not in driver-calls.h.
void *frost_watch_function(frost_watch *watch, const char *name, void *function);

// Returns the number of calls that have begun and ended. It is odd while the thread is inside a call.
uint64_t frost_watch_mark(const frost_watch *watch);

// Returns the name of the call that the thread is inside, or was inside last; NULL before the first call.
const char *frost_watch_call(const frost_watch *watch);

// Abandons the thread if its mark is still the given one, which must be odd: the thread sleeps for ever when the call
// returns. Returns whether the thread is abandoned.
bool frost_watch_abandon(frost_watch *watch, uint64_t mark);

// Returns whether the call of an abandoned thread has returned.
bool frost_watch_has_returned(const frost_watch *watch);
