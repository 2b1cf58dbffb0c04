// The message of the last failed call, in a buffer per thread. It is in C because Swift has no thread-local storage.
#pragma once

#include <stddef.h>

/// This thread's buffer of `*capacity` bytes, initially zero.
char *frost_message_buffer(size_t *capacity);
