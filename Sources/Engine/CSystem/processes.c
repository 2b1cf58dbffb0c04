#define _GNU_SOURCE
#include "processes.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The most descriptors of a message.
enum { most = 8 };

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(most * sizeof(int))];
};

int frost_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, size_t count) {
    if (count > most) {
        errno = EINVAL;
        return -1;
    }
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

ssize_t frost_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, size_t count) {
    union control control;
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return got;
    int received[most];
    size_t number = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const size_t more = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < more && number < most; i++)
            memcpy(&received[number++], CMSG_DATA(header) + i * sizeof(int), sizeof(int));
    }
    if (number == count && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
        memcpy(descriptors, received, count * sizeof(int));
        return got;
    }
    while (number > 0) close(received[--number]);
    errno = EBADMSG;
    return -1;
}

pid_t frost_fork(void) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child != 0) return child;
    // The parent may have ended before prctl took effect. Its number is then no longer that of the parent.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != parent) _exit(1);
    return 0;
}

static void children_signal(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
}

int frost_watch_children(void) {
    sigset_t set;
    children_signal(&set);
    if (sigprocmask(SIG_BLOCK, &set, NULL)) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void frost_clear_watch(int descriptor) {
    struct signalfd_siginfo information;
    while (read(descriptor, &information, sizeof information) > 0) {}
}

int frost_watch_parent(void) { return (int)syscall(SYS_pidfd_open, getppid(), 0); }

// Gives a descriptor a number from 16 on, so that no duplicate overwrites it.
static int raised(int descriptor) {
    const int high = fcntl(descriptor, F_DUPFD, 16);
    return high < 0 ? descriptor : high;
}

void frost_keep_descriptors(int input, int output, int request, int rows) {
    const int high[] = {raised(input), raised(output), raised(request), raised(rows)};
    const int numbers[] = {0, 1, 3, 4};
    for (int i = 0; i < 4; i++) dup2(high[i], numbers[i]);
    closefrom(5);
}
