#include "memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(uintptr_t) memory_handler;

void frost_set_memory_handler(void (*handler)(size_t)) {
    atomic_store_explicit(&memory_handler, (uintptr_t)handler, memory_order_relaxed);
}

void frost_out_of_memory(size_t bytes) {
    void (*handler)(size_t) = (void (*)(size_t))atomic_load_explicit(&memory_handler, memory_order_relaxed);
    if (handler) handler(bytes);
    char text[64];
    const int count = snprintf(text, sizeof text, "frost: not enough memory for %zu bytes\n", bytes);
    if (count > 0 && write(STDERR_FILENO, text, (size_t)count) < 0) abort();
    abort();
}
