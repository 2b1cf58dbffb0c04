// A library for LD_PRELOAD that makes one call of a program fail: a system call that concerns files. Tests use it to
// check that a program writes a file whole or not at all.
//
// FROST_FAULT=CALL:N:WHAT makes the N-th call of the function CALL fail, counted from 1. WHAT is one of
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

typedef enum { NONE, ERROR, SHORT, BEFORE, AFTER } kind;

static char wanted[32];
static int wanted_number, wanted_errno;
static kind wanted_kind;
static int log_file = -1;
static atomic_int calls;

__attribute__((constructor)) static void start(void) {
    const char *log = getenv("FROST_FAULT_LOG");
    if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *fault = getenv("FROST_FAULT");
    char what[32];
    if (!fault || sscanf(fault, "%31[^:]:%d:%31s", wanted, &wanted_number, what) != 3) return;
    wanted_kind = !strcmp(what, "short")    ? SHORT
                  : !strcmp(what, "before") ? BEFORE
                  : !strcmp(what, "after")  ? AFTER
                                            : ERROR;
    wanted_errno = atoi(what);
}

// Counts a call and returns what happens to it.
static kind fault(const char *name) {
    if (log_file >= 0) {
        char line[40];
        const int count = snprintf(line, sizeof line, "%s\n", name);
        syscall(SYS_write, log_file, line, count);
    }
    if (wanted_kind == NONE || strcmp(name, wanted)) return NONE;
    if (atomic_fetch_add(&calls, 1) + 1 != wanted_number) return NONE;
    if (wanted_kind == BEFORE) syscall(SYS_kill, getpid(), SIGKILL);
    if (wanted_kind == ERROR) errno = wanted_errno;
    return wanted_kind;
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

PASS(int, fsync, (int file), (file), 1)
PASS(int, fchmod, (int file, mode_t mode), (file, mode), 1)
PASS(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), 1)
PASS(int, futimens, (int file, const struct timespec times[2]), (file, times), 1)
PASS(int, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags),
     (file, name, value, size, flags), 1)
PASS(int, fremovexattr, (int file, const char *name), (file, name), 1)
PASS(ssize_t, listxattr, (const char *path, char *list, size_t size), (path, list, size), 1)
PASS(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size), (path, name, value, size), 1)
PASS(int, flock, (int file, int operation), (file, operation), 1)
PASS(int, rename, (const char *from, const char *to), (from, to), 1)
PASS(int, unlink, (const char *path), (path), 1)
PASS(int, mkdir, (const char *path, mode_t mode), (path, mode), 1)
PASS(int, stat, (const char *restrict path, struct stat *restrict status), (path, status), 1)
PASS(int, lstat, (const char *restrict path, struct stat *restrict status), (path, status), 1)
PASS(int, access, (const char *path, int mode), (path, mode), 1)
PASS(ssize_t, readlink, (const char *restrict path, char *restrict content, size_t size), (path, content, size), 1)
PASS(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), file > 2)

ssize_t write(int file, const void *bytes, size_t count) {
    const kind found = file > 2 ? fault("write") : NONE;
    if (found == ERROR) return -1;
    const ssize_t result = REAL(write)(file, bytes, found == SHORT && count > 1 ? count / 2 : count);
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

// Linux closes a descriptor even if close fails.
int close(int file) {
    const kind found = file > 2 ? fault("close") : NONE;
    const int result = REAL(close)(file);
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    if (found != ERROR) return result;
    errno = wanted_errno;
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
    const int result = REAL(open)(path, flags, mode);
    if (found == AFTER) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    return is_missing(path) ? 0 : REAL(fopen)(path, mode);
}
