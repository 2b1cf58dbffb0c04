// Fills memory that the program gets from the system with a byte, as MALLOC_PERTURB_ does for malloc: mmap promises zeros, but
// Frost's pool of rows calls the content of a block undefined, because it may be that of an earlier picture. This library is
// preloaded (LD_PRELOAD).
//
// PERTURB_BYTE   the byte, 1 to 255
//
// Only mappings that the program itself asks for are filled, not those of libraries, and none above 64 MiB, because such a one may
// only test whether there is as much memory.

#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int byte;
static uintptr_t begin = UINTPTR_MAX, end;

static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        const uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (first < begin) begin = first;
        if (first + info->dlpi_phdr[i].p_memsz > end) end = first + info->dlpi_phdr[i].p_memsz;
    }
    // The first file is the program.
    return 1;
}

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("PERTURB_BYTE");
    byte = text ? atoi(text) & 255 : 0;
    dl_iterate_phdr(find_program, NULL);
}

static void *map(void *caller, void *address, size_t size, int access, int flags, int file, off_t offset) {
    void *memory = (void *)syscall(SYS_mmap, address, size, access, flags, file, offset);
    const uintptr_t place = (uintptr_t)caller;
    if (byte && memory != MAP_FAILED && place >= begin && place < end && size <= 64 << 20 && access == (PROT_READ | PROT_WRITE)
        && flags == (MAP_PRIVATE | MAP_ANONYMOUS))
        memset(memory, byte, size);
    return memory;
}

void *mmap(void *address, size_t size, int access, int flags, int file, off_t offset) {
    return map(__builtin_return_address(0), address, size, access, flags, file, offset);
}

void *mmap64(void *address, size_t size, int access, int flags, int file, off64_t offset) {
    return map(__builtin_return_address(0), address, size, access, flags, file, offset);
}
