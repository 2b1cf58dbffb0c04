// Lets the system refuse memory or threads at a chosen call. This library is preloaded (LD_PRELOAD).
//
// FAULT_KIND    which calls are counted, and can fail:
//                 threads    pthread_create
//                 library    allocations of libraries, such as libpng and the C library
//                 program    allocations of the program itself, which is mostly Swift code and Swift's runtime
// FAULT_AT      the number of the call that fails, counted from 0
// FAULT_FROM    the number of the first of the calls that fail; all later ones fail, too
// FAULT_COUNT   a file that receives the number of calls when the process ends
//
// Allocations are calls of malloc, calloc, realloc, posix_memalign, aligned_alloc, mmap and C++'s operator new. A call
// belongs to the file that contains the calling instruction.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

typedef enum { NOTHING, THREADS, LIBRARY, PROGRAM } fault_kind;

static fault_kind kind;
static long at = -1, from = -1;
static const char *count_path;
static atomic_long calls;
// Addresses of a loaded file.
typedef struct { uintptr_t begin, end; } extent;
// The addresses of the program, and those of C++'s library, which allocates for the program and for libraries alike. Its
// own allocations never fail: whoever asked for them is unknown.
static extent program, cxx;
// The caller of operator new, while the thread is in it.
static _Thread_local void *caller_of_new;

static bool contains(extent file, uintptr_t address) { return address >= file.begin && address < file.end; }

static int find_files(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    extent file = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
        if (begin < file.begin) file.begin = begin;
        if (end > file.end) file.end = end;
    }
    // The first file is the program.
    if (*(bool *)data) program = file;
    if (strstr(info->dlpi_name, "libstdc++.so") != NULL) cxx = file;
    *(bool *)data = false;
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAULT_KIND");
    if (name == NULL) return;
    bool is_first = true;
    dl_iterate_phdr(find_files, &is_first);
    if (getenv("FAULT_AT") != NULL) at = atol(getenv("FAULT_AT"));
    if (getenv("FAULT_FROM") != NULL) from = atol(getenv("FAULT_FROM"));
    count_path = getenv("FAULT_COUNT");
    kind = strcmp(name, "threads") == 0 ? THREADS : strcmp(name, "library") == 0 ? LIBRARY : PROGRAM;
}

__attribute__((destructor)) static void end(void) {
    const long count = atomic_load(&calls);
    kind = NOTHING;
    if (count_path == NULL) return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld", count);
    const int file = open(count_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, (size_t)length) != length) abort();
    close(file);
}

// Counts a call, and returns whether it fails.
static bool fails(void) {
    const long call = atomic_fetch_add(&calls, 1);
    return call == at || (from >= 0 && call >= from);
}

static bool refuses(void *caller) {
    if (kind != LIBRARY && kind != PROGRAM) return false;
    if (caller_of_new != NULL) caller = caller_of_new;
    const uintptr_t address = (uintptr_t)caller;
    const bool is_program = contains(program, address);
    if (contains(cxx, address) || is_program != (kind == PROGRAM) || !fails()) return false;
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return refuses(CALLER) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return refuses(CALLER) ? NULL : __libc_calloc(count, size); }

void *realloc(void *old, size_t size) { return refuses(CALLER) ? NULL : __libc_realloc(old, size); }

void *aligned_alloc(size_t alignment, size_t size) {
    return refuses(CALLER) ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) { return refuses(CALLER) ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *made = refuses(CALLER) ? NULL : __libc_memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
    if (refuses(CALLER)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}

// C++'s operator new(unsigned long). The library's own operator calls malloc and throws.
void *_Znwm(size_t size) {
    static void *(*real)(size_t);
    if (real == NULL) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "_Znwm");
    caller_of_new = CALLER;
    // If malloc fails, the operator throws, and the caller stays noted. So the allocation is tried here at first.
    void *made = malloc(size);
    caller_of_new = NULL;
    if (made != NULL) return made;
    return real(SIZE_MAX / 2);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *data) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL)
        real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
            RTLD_NEXT, "pthread_create");
    if (kind == THREADS && fails()) return EAGAIN;
    return real(thread, attributes, start, data);
}
