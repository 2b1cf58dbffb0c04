/* A libavif that a hostile picture has taken over: every function that Frost calls does what DO says.
 *
 *   DO=1  tries to escape, and ends with exit code 64 plus a bit for each attempt that succeeded
 *   DO=2  crashes
 *   DO=3  never returns
 *   DO=4  takes memory until there is no more, and ends with exit code 65 if it got more than 4 GiB, otherwise 64
 *   DO=5  writes bytes to the output that no decoder sends
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int escapes(void) {
    int done = 0;
    if (open("/etc/passwd", O_RDONLY) >= 0) done |= 1;
    if (open("/tmp", O_TMPFILE | O_WRONLY, 0600) >= 0) done |= 2;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) done |= 4;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) {
        waitpid(child, NULL, 0);
        done |= 8;
    }
    if (kill(getppid(), 0) == 0) done |= 16;
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) done |= 32;
    return done;
}

static void *hostile(void) {
#if DO == 1
    _exit(64 + escapes());
#elif DO == 2
    raise(SIGSEGV);
#elif DO == 3
    for (volatile int i = 0;; i++) {}
#elif DO == 4
    size_t got = 0;
    while (got <= 4ul << 30 && mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        got += 1 << 24;
    _exit(got > 4ul << 30 ? 65 : 64);
#elif DO == 5
    static const char junk[64] = "\x01\xff\xff\xff\x7f";
    if (write(1, junk, sizeof junk) < 0) _exit(1);
    _exit(0);
#endif
    return NULL;
}

#define STUB(name) void *name(void) { return hostile(); }
#include "names.inc"
