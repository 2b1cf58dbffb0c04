// The message of the last failed call, in one buffer per thread. The buffer is implemented in C because Swift has no
// thread-local storage.
#pragma once

#include <stddef.h>

/// Returns the calling thread's message buffer and stores its size in bytes in `*capacity`. The buffer is initially
/// zero.
char *frost_message_buffer(size_t *capacity);
