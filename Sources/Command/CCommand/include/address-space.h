#pragma once
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

// glibc declares this function only if _GNU_SOURCE is defined.
extern int pthread_setattr_default_np(const pthread_attr_t *attributes);

// Gives the stacks of later threads `stack_size` bytes. This is C code because the module Glibc lacks these functions of
// glibc.
static inline void frost_set_stack_size(size_t stack_size) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, stack_size) == 0) pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

// If `ulimit -v` limits the address space, makes later threads take less of it: stacks have `stack_size` bytes, and all
// threads allocate from the same heap.
static inline void frost_save_limited_address_space(size_t stack_size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    mallopt(M_ARENA_MAX, 1);
    frost_set_stack_size(stack_size);
}

// Makes free() give every large block back to the system. By default glibc raises the size from which it does so to that of the
// blocks that were freed, and each thread then keeps some of them: an animation took 36 MiB more than its buffers.
static inline void frost_return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

// Makes free() keep blocks of up to 32 MiB, the largest size that glibc allows here.
static inline void frost_keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    // Other heaps than the first one are returned when all of their blocks are free.
    mallopt(M_ARENA_MAX, 1);
}
