#define _GNU_SOURCE
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// All calls of this file are raw system calls, so that the library neither counts nor records its own.

static int journal = -1;
static const char *below;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int saved_errno;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("FROST_FAULT_JOURNAL");
    below = getenv("FROST_FAULT_BELOW");
    if (path && below)
        journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

void journal_begin(void) {
    if (journal < 0) return;
    pthread_mutex_lock(&lock);
    syscall(SYS_flock, journal, LOCK_EX);
}

void journal_end(void) {
    if (journal < 0) return;
    saved_errno = errno;
    syscall(SYS_flock, journal, LOCK_UN);
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

static void store(const void *bytes, size_t count) {
    while (count) {
        const long done = syscall(SYS_write, journal, bytes, count);
        if (done <= 0) abort();
        bytes = (const char *)bytes + done;
        count -= done;
    }
}

static void add(const char *what, unsigned long long inode, long long number, const void *bytes, size_t count,
                const char *more) {
    char line[160];
    store(line, snprintf(line, sizeof line, "%s %llu %lld %zu %zu\n", what, inode, number, count, strlen(more)));
    store(bytes, count);
    store(more, strlen(more));
}

static int is_below(const char *path) {
    const size_t count = strlen(below);
    return !strncmp(path, below, count) && (path[count] == '/' || !path[count]);
}

// Stores the absolute path of a file, without links in its folder. Returns whether it is below the folder of the record.
static int resolve(const char *path, char result[PATH_MAX]) {
    char copy[PATH_MAX];
    size_t count = strlen(path);
    if (!count || count >= sizeof copy) return 0;
    memcpy(copy, path, count + 1);
    while (count > 1 && copy[count - 1] == '/') copy[--count] = 0;
    char *slash = strrchr(copy, '/');
    const char *name = slash ? slash + 1 : copy;
    if (slash) *slash = 0;
    if (!realpath(!slash ? "." : slash == copy ? "/" : copy, result)) return 0;
    const size_t folder = strlen(result);
    if (folder + strlen(name) + 2 > PATH_MAX) return 0;
    snprintf(result + folder, PATH_MAX - folder, "/%s", name);
    return is_below(result);
}

// Stores the status and the path of an open file. Returns whether it is below the folder of the record.
static int is_recorded(int file, struct stat *status, char path[PATH_MAX]) {
    if (journal < 0) return 0;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long count = syscall(SYS_readlink, link, path, PATH_MAX - 1);
    if (count <= 0 || path[0] != '/') return 0;
    path[count] = 0;
    return is_below(path) && !syscall(SYS_fstat, file, status);
}

int journal_takes(int file) {
    struct stat status;
    return journal >= 0 && (file == 1 || file == 2 || (!syscall(SYS_fstat, file, &status) && S_ISREG(status.st_mode)));
}

off_t journal_place(int file) {
    struct stat status;
    const long flags = syscall(SYS_fcntl, file, F_GETFL);
    if (flags >= 0 && flags & O_APPEND) return syscall(SYS_fstat, file, &status) ? 0 : status.st_size;
    return syscall(SYS_lseek, file, 0, SEEK_CUR);
}

int journal_exists(const char *path) { return journal < 0 || !syscall(SYS_access, path, F_OK); }

void journal_open(int flags, int existed, int file) {
    struct stat status;
    char path[PATH_MAX];
    if (!is_recorded(file, &status, path)) return;
    if (!existed)
        add("create", status.st_ino, status.st_mode & 07777, path, strlen(path), "");
    else if (flags & O_TRUNC && S_ISREG(status.st_mode))
        add("truncate", status.st_ino, 0, "", 0, "");
}

void journal_write(int file, off_t place, const void *bytes, ssize_t count) {
    struct stat status;
    char path[PATH_MAX];
    if (count <= 0) return;
    if (file == 1 || file == 2) add("say", 0, file, bytes, count, "");
    if (is_recorded(file, &status, path) && S_ISREG(status.st_mode))
        add("write", status.st_ino, place, bytes, count, "");
}

void journal_number(const char *what, int file, long long number) {
    struct stat status;
    char path[PATH_MAX];
    if (is_recorded(file, &status, path)) add(what, status.st_ino, number, "", 0, "");
}

void journal_sync(int file) {
    struct stat status;
    char path[PATH_MAX];
    if (!is_recorded(file, &status, path)) return;
    if (S_ISDIR(status.st_mode)) {
        add("syncdir", 0, 0, path, strlen(path), "");
        return;
    }
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long again = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc(status.st_size + 1);
    long count = 0, got = 1;
    while (again >= 0 && bytes && got > 0 && count < status.st_size) {
        got = syscall(SYS_pread64, again, bytes + count, status.st_size - count, count);
        if (got > 0) count += got;
    }
    if (count != status.st_size) abort();
    add("sync", status.st_ino, status.st_mode & 07777, bytes, count, "");
    free(bytes);
    syscall(SYS_close, again);
}

void journal_paths(const char *what, long long number, const char *path, const char *other) {
    char first[PATH_MAX], second[PATH_MAX] = "";
    if (journal < 0 || !resolve(path, first)) return;
    if (other && !resolve(other, second)) return;
    add(what, 0, number, first, strlen(first), second);
}
