// Makes the system run out of memory at a chosen allocation. Frost's pool asks `mmap` for pages and `aligned_alloc` for small blocks,
// and frees its unused blocks before it tries a second time. So all allocations fail from a chosen one on.
//
// A program that includes this file replaces both functions for all of its libraries; it must be linked with -rdynamic.
#ifndef SCARCE_H
#define SCARCE_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLENTY = INT32_MAX / 2 };

// How many allocations succeed before all of them fail.
static atomic_int scarce_left = PLENTY;
// The number of mappings that exist.
static atomic_int scarce_mappings;

// Frost calls `aligned_alloc` and `mmap` only for its own blocks. The C library's own calls do not come here.
static int scarce_fails(void) { return atomic_fetch_sub(&scarce_left, 1) <= 0; }

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = NULL;
    return scarce_fails() || posix_memalign(&block, alignment, size) ? NULL : block;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    const int is_block = flags == (MAP_PRIVATE | MAP_ANONYMOUS) && protection == (PROT_READ | PROT_WRITE);
    if (is_block && scarce_fails()) return MAP_FAILED;
    const long pages = syscall(SYS_mmap, address, size, protection, flags, file, offset);
    if (pages == -1) return MAP_FAILED;
    if (is_block) atomic_fetch_add(&scarce_mappings, 1);
    return (void *)pages;
}

int munmap(void *address, size_t size) {
    atomic_fetch_sub(&scarce_mappings, 1);
    return (int)syscall(SYS_munmap, address, size);
}

#endif
