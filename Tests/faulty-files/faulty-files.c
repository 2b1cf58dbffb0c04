// A library for LD_PRELOAD that makes calls of a program fail: system calls that concern files. Tests use it to check that a
// program writes a file whole or not at all. It can also record what the program changes; see journal.h.
//
// FROST_FAULT=CALL:N:WHAT makes the N-th call of the function CALL fail, counted from 1. A second fault may follow after a
// comma. WHAT is one of
//   a number     the call fails with this value of errno, without effect; close has its effect
//   short        write transfers half of the bytes
//   before       SIGKILL ends the program instead of the call
//   after        SIGKILL ends the program after the call
// FROST_FAULT_LOG names a file, to which the name of each call is appended as a line.
// FROST_FAULT_NO_PROC makes fopen and open fail for files below /proc, as if /proc were not mounted.
//
// Calls with the descriptors 0 to 2 are neither counted nor do they fail.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "journal.h"

typedef enum { NONE, ERROR, SHORT, BEFORE, AFTER } kind;

// A fault that FROST_FAULT asks for.
typedef struct {
    char call[32];
    int number, error;
    kind kind;
    atomic_int calls;
} fault_case;

static fault_case wanted[2];
static int log_file = -1;
static _Thread_local int found_error;

static void read_fault(const char *text, fault_case *fault) {
    char what[32];
    if (sscanf(text, "%31[^:]:%d:%31[^,]", fault->call, &fault->number, what) != 3) return;
    fault->kind = !strcmp(what, "short")    ? SHORT
                  : !strcmp(what, "before") ? BEFORE
                  : !strcmp(what, "after")  ? AFTER
                                            : ERROR;
    fault->error = atoi(what);
}

__attribute__((constructor)) static void start(void) {
    const char *log = getenv("FROST_FAULT_LOG");
    if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *text = getenv("FROST_FAULT");
    if (!text) return;
    read_fault(text, &wanted[0]);
    const char *second = strchr(text, ',');
    if (second) read_fault(second + 1, &wanted[1]);
}

// Counts a call and returns what happens to it.
static kind fault(const char *name) {
    if (log_file >= 0) {
        char line[40];
        const int count = snprintf(line, sizeof line, "%s\n", name);
        syscall(SYS_write, log_file, line, count);
    }
    kind found = NONE;
    for (int i = 0; i < 2; i++) {
        if (wanted[i].kind == NONE || strcmp(name, wanted[i].call)) continue;
        if (atomic_fetch_add(&wanted[i].calls, 1) + 1 != wanted[i].number) continue;
        found = wanted[i].kind;
        found_error = wanted[i].error;
    }
    if (found == BEFORE) syscall(SYS_kill, getpid(), SIGKILL);
    if (found == ERROR) errno = found_error;
    return found;
}

// Returns whether a file counts as missing, and sets errno then.
static int is_missing(const char *path) {
    if (!getenv("FROST_FAULT_NO_PROC") || strncmp(path, "/proc/", 6)) return 0;
    errno = ENOENT;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Defines a function that passes a call on, unless it fails.
#define PASS(type, name, parameters, arguments, counts) \
    type name parameters { \
        const kind found = (counts) ? fault(#name) : NONE; \
        if (found == ERROR) return (type)-1; \
        const type result = REAL(name) arguments; \
        if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL); \
        return result; \
    }

PASS(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), 1)
PASS(int, futimens, (int file, const struct timespec times[2]), (file, times), 1)
PASS(int, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags),
     (file, name, value, size, flags), 1)
PASS(int, fremovexattr, (int file, const char *name), (file, name), 1)
PASS(ssize_t, listxattr, (const char *path, char *list, size_t size), (path, list, size), 1)
PASS(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size), (path, name, value, size), 1)
PASS(int, flock, (int file, int operation), (file, operation), 1)
PASS(int, stat, (const char *restrict path, struct stat *restrict status), (path, status), 1)
PASS(int, lstat, (const char *restrict path, struct stat *restrict status), (path, status), 1)
PASS(int, access, (const char *path, int mode), (path, mode), 1)
PASS(ssize_t, readlink, (const char *restrict path, char *restrict content, size_t size), (path, content, size), 1)
PASS(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), file > 2)

// Defines a function that changes files: `record` adds a call that succeeded to the record.
#define CHANGE(name, parameters, arguments, record) \
    int name parameters { \
        const kind found = fault(#name); \
        if (found == ERROR) return -1; \
        journal_begin(); \
        const int result = REAL(name) arguments; \
        if (!result) record; \
        journal_end(); \
        if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL); \
        return result; \
    }

CHANGE(fsync, (int file), (file), journal_sync(file))
CHANGE(fchmod, (int file, mode_t mode), (file, mode), journal_number("chmod", file, mode))
CHANGE(ftruncate, (int file, off_t size), (file, size), journal_number("truncate", file, size))
CHANGE(rename, (const char *from, const char *to), (from, to), journal_paths("rename", 0, from, to))
CHANGE(link, (const char *from, const char *to), (from, to), journal_paths("link", 0, from, to))
CHANGE(unlink, (const char *path), (path), journal_paths("unlink", 0, path, 0))
CHANGE(rmdir, (const char *path), (path), journal_paths("unlink", 0, path, 0))
CHANGE(mkdir, (const char *path, mode_t mode), (path, mode), journal_paths("mkdir", mode, path, 0))

ssize_t write(int file, const void *bytes, size_t count) {
    const kind found = file > 2 ? fault("write") : NONE;
    if (found == ERROR) return -1;
    const int is_recorded = journal_takes(file);
    if (is_recorded) journal_begin();
    const off_t place = is_recorded ? journal_place(file) : 0;
    const ssize_t result = REAL(write)(file, bytes, found == SHORT && count > 1 ? count / 2 : count);
    if (is_recorded) journal_write(file, place, bytes, result);
    if (is_recorded) journal_end();
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

// Linux closes a descriptor even if close fails.
int close(int file) {
    const kind found = file > 2 ? fault("close") : NONE;
    const int result = REAL(close)(file);
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    if (found != ERROR) return result;
    errno = found_error;
    return -1;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    const kind found = fault("open");
    if (found == ERROR || is_missing(path)) return -1;
    // Opening a pipe may wait for its other end, so a call that changes no file must not hold the others up.
    const int changes = flags & (O_CREAT | O_TRUNC);
    if (changes) journal_begin();
    const int existed = !changes || journal_exists(path);
    const int result = REAL(open)(path, flags, mode);
    if (changes && result >= 0) journal_open(flags, existed, result);
    if (changes) journal_end();
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return is_missing(path) ? 0 : REAL(fopen)(path, mode);
}

