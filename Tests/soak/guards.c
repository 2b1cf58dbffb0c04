// Guards behind aligned blocks of memory, which are those that Frost's rows lie in. A write behind a block is noticed,
// although the allocator may have left room there.
#define _GNU_SOURCE
#include "soak.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

enum { GUARD = 64, GUARD_BYTE = 0x5C };
static const uint64_t magic = 0x46726F7374477264u;

// Lies before each block.
typedef struct block {
    struct block *next, *previous;
    void *memory;
    size_t size;
    uint64_t magic, unused[3];
} block;

static_assert(sizeof(block) == GUARD, "a block begins at a cache line");

static block blocks = {.next = &blocks, .previous = &blocks};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int posix_memalign(void **memory, size_t alignment, size_t size) {
    const size_t before = alignment > GUARD ? alignment : GUARD;
    uint8_t *made = __libc_memalign(before, before + size + GUARD);
    if (made == NULL) return ENOMEM;
    block *block = (struct block *)(void *)(made + before) - 1;
    *block = (struct block){.memory = made, .size = size, .magic = magic};
    memset(made + before + size, GUARD_BYTE, GUARD);
    pthread_mutex_lock(&lock);
    block->next = blocks.next;
    block->previous = &blocks;
    blocks.next->previous = block;
    blocks.next = block;
    pthread_mutex_unlock(&lock);
    *memory = made + before;
    return 0;
}

static bool is_damaged(const block *block) {
    const uint8_t *guard = (const uint8_t *)(block + 1) + block->size;
    for (int i = 0; i < GUARD; i++) {
        if (guard[i] != GUARD_BYTE) return true;
    }
    return false;
}

// Returns the block of memory that posix_memalign has returned; NULL for other memory. Such memory lies behind at least as
// many bytes of the allocator's, if it begins at a cache line.
static block *block_of(void *memory) {
    if (memory == NULL || (uintptr_t)memory % GUARD != 0) return NULL;
    block *block = (struct block *)memory - 1;
    return block->magic == magic ? block : NULL;
}

// Swift's runtime asks how much of a block it may use.
size_t malloc_usable_size(void *memory) {
    static size_t (*_Atomic real)(void *);
    const block *block = block_of(memory);
    if (block != NULL) return block->size;
    if (real == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "malloc_usable_size");
        size_t (*found)(void *);
        memcpy(&found, &symbol, sizeof found);
        real = found;
    }
    return real(memory);
}

void free(void *memory) {
    block *block = block_of(memory);
    if (block == NULL) {
        __libc_free(memory);
        return;
    }
    if (is_damaged(block)) {
        fprintf(stderr, "bytes behind a block of %zu bytes were written\n", block->size);
        abort();
    }
    pthread_mutex_lock(&lock);
    block->next->previous = block->previous;
    block->previous->next = block->next;
    pthread_mutex_unlock(&lock);
    block->magic = 0;
    __libc_free(block->memory);
}

size_t damaged_blocks(void) {
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (const block *block = blocks.next; block != &blocks; block = block->next) count += is_damaged(block);
    pthread_mutex_unlock(&lock);
    return count;
}
