// The end of a process that gets no memory at a place that cannot return an error: a lock, or a value of Swift's, such
// as an array.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sets the function that ends the process. It runs on the thread that needs the memory, must not allocate, and must not return.
// Without one, the process writes a line to standard error and aborts.
void frost_set_memory_handler(void (*handler)(size_t bytes));

// Ends the process, because `bytes` bytes cannot be allocated.
[[noreturn]] void frost_out_of_memory(size_t bytes);

#ifdef __cplusplus
}
#endif
