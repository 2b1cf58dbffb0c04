// The resources of the process, and threads that the system refuses.
#define _GNU_SOURCE
#include "soak.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int entries(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) return -1;
    int count = 0;
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count - 2;
}

figures measure(void) {
    figures now = {0};
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) perror("/proc/self/statm");
    if (file != NULL) fclose(file);
    const struct mallinfo2 heap = mallinfo2();
    now.resident = (double)pages * (double)sysconf(_SC_PAGESIZE) / 0x1p20;
    now.allocated = (double)(heap.uordblks + heap.hblkhd) / 0x1p20;
    // The count of descriptors includes the one that counts.
    now.descriptors = entries("/proc/self/fd") - 1;
    now.threads = entries("/proc/self/task");
    return now;
}

static atomic_int one_of, refused;
static atomic_ulong asked;

void refuse_threads(int count) { atomic_store(&one_of, count); }

int refused_threads(void) { return atomic_load(&refused); }

// Replaces the function of the C library for all libraries. Only Frost's own threads are refused, because drivers end the
// process without theirs.
int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *), void *restrict data) {
    static int (*_Atomic real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "pthread_create");
        int (*found)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
        memcpy(&found, &symbol, sizeof found);
        real = found;
    }
    Dl_info caller;
    const int count = atomic_load(&one_of);
    if (count > 0 && dladdr(__builtin_return_address(0), &caller) != 0 && strstr(caller.dli_fname, "libfrost") != NULL) {
        generator random = {atomic_fetch_add(&asked, 1)};
        if (one_in(&random, count)) {
            atomic_fetch_add(&refused, 1);
            return EAGAIN;
        }
    }
    return real(thread, attributes, start, data);
}
