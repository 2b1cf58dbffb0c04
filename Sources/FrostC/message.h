// The message of the last call that failed: a buffer of each thread, which Swift has no word for.
#pragma once

#include <stddef.h>

/// This thread's buffer, of `*capacity` bytes; zeros at first.
char *frost_message_buffer(size_t *capacity);
