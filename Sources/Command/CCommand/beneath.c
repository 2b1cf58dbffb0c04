#define _GNU_SOURCE

#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// For kernels before 5.6, and sandboxes that refuse openat2: opens one component after the other, and follows no link.
static int open_without_links(int folder, const char *path) {
    int place = folder;
    char name[256];
    for (;;) {
        const size_t length = strcspn(path, "/");
        const int is_last = path[length] == 0;
        if (length == 0 || length >= sizeof name || (length <= 2 && strspn(path, ".") >= length)) {
            errno = length >= sizeof name ? ENAMETOOLONG : EXDEV;
            break;
        }
        memcpy(name, path, length);
        name[length] = 0;
        const int next =
            openat(place, name, O_NOFOLLOW | O_CLOEXEC | (is_last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY));
        const int error = errno;
        if (place != folder) close(place);
        if (next < 0 || is_last) {
            errno = error;
            return next;
        }
        place = next;
        path += length + 1;
    }
    const int error = errno;
    if (place != folder) close(place);
    errno = error;
    return -1;
}

int frost_open_beneath(int folder, const char *path) {
    const struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    for (;;) {
        const int file = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (file >= 0) return file;
        if (errno == ENOSYS || errno == EPERM) return open_without_links(folder, path);
        // The kernel could not tell whether a folder was renamed meanwhile.
        if (errno != EAGAIN && errno != EINTR) return -1;
    }
}
