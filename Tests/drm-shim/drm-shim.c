// A simulated DRM device without a kernel driver. This library is preloaded (LD_PRELOAD). It answers the few DRM calls
// that Mesa's software driver makes on /dev/null, so that GBM, dma-buf import, rendering and mapping work on any
// machine.
//
// Buffers are memfds named "dma-buf". Like the kernel's dma-bufs, their descriptors can be passed on, closed while in
// use, measured with lseek, and mapped. The simulation keeps the kernel's rules on which tests depend. A handle belongs
// to the open file on which it was created. Importing a buffer twice returns the same handle. Closing a handle leaves
// exported descriptors valid. Descriptors are read-only unless writing is requested. A descriptor that is not a dma-buf
// is refused. The simulation does not support modifiers, fences of buffers, render nodes, or freeing the handles of a
// closed file.
//
// Synchronisation objects have up to 16 points. A fence is an eventfd, which becomes readable when it is signalled,
// like a sync_file. As in the kernel, a point is signalled when its fence and those of all earlier points are, only a
// binary object can be exported as a sync_file, and a point without a fence can be waited for. The variable
// DRM_SHIM_TIMELINES=0 simulates a device without timelines.
//
// It handles only DRM calls on /dev/null and the synchronisation of these memfds, and passes all other calls to the
// kernel.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <drm_mode.h>

// Mesa has no driver of this name, so it uses its software driver for kernel mode setting, as it does for the kernel's
// vgem.
static const char driver_name[] = "drm-shim";

enum {
    max_handles = 4096,
    // The limit comes from fcntl(F_SETSIG), which stores a signal number with the open file; see client_of.
    max_clients = 63,
    // The alignment of a buffer's rows in bytes. vgem uses 8, GPUs use 64 or more.
    pitch_alignment = 64,
};

// A client's reference to a buffer. The number of a handle is its index in the table; numbers begin at 1.
struct handle {
    int client; // 0 marks a free entry
    int memory;
    ino_t inode;
    uint64_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handle handles[max_handles + 1];
static int clients;

static bool is_device(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

static bool is_buffer(int fd) {
    static const char expected[] = "/memfd:dma-buf ";
    char path[64], target[sizeof expected];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, target, sizeof target) >= (ssize_t)(sizeof expected - 1)
        && memcmp(target, expected, sizeof expected - 1) == 0;
}

// Opens a new descriptor of the same memory. Unlike a duplicate, it can have different access rights.
static int reopen(int fd, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, flags);
}

// Returns a number that identifies the client to which a descriptor belongs. Mesa duplicates descriptors, and all
// duplicates of a descriptor belong to the same client because they share one open file. An open file can be recognised
// only by a value stored in it, such as the signal for asynchronous input. /dev/null never sends that signal.
static int client_of(int fd) {
    int client = fcntl(fd, F_GETSIG);
    if (client == 0 && clients < max_clients && fcntl(fd, F_SETSIG, clients + 1) == 0) client = ++clients;
    return client > 0 ? client : 0;
}

// Returns the handle if it belongs to the client, otherwise NULL.
static struct handle *find(int client, uint32_t number) {
    if (number < 1 || number > max_handles || client == 0 || handles[number].client != client) return NULL;
    return &handles[number];
}

// Adds a handle that owns `memory` and returns its number. If the table is full, closes `memory` and returns 0.
static uint32_t add(int client, int memory, ino_t inode, uint64_t size) {
    for (uint32_t number = 1; number <= max_handles; number++) {
        if (handles[number].client == 0) {
            handles[number] = (struct handle){client, memory, inode, size};
            return number;
        }
    }
    close(memory);
    return 0;
}

static int get_version(struct drm_version *version) {
    // A caller makes this call twice: first to learn the lengths of the strings, then to get the strings. A string is
    // truncated if the caller's buffer is smaller.
#define ANSWER(field, text)                                                               \
    do {                                                                                  \
        size_t room = version->field##_len, length = strlen(text);                        \
        version->field##_len = length;                                                    \
        if (version->field) memcpy(version->field, text, room < length ? room : length);  \
    } while (0)
    version->version_major = 1;
    version->version_minor = version->version_patchlevel = 0;
    ANSWER(name, driver_name);
    ANSWER(date, "0");
    ANSWER(desc, "buffers in memory for tests");
#undef ANSWER
    return 0;
}

static int get_cap(struct drm_get_cap *cap) {
    switch (cap->capability) {
    case DRM_CAP_DUMB_BUFFER: cap->value = 1; return 0;
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE: {
        const char *wanted = getenv("DRM_SHIM_TIMELINES");
        cap->value = !wanted || strcmp(wanted, "0") != 0;
        return 0;
    }
    case DRM_CAP_PRIME: cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT; return 0;
    default: cap->value = 0; return 0;
    }
}

static int create_dumb(int client, struct drm_mode_create_dumb *dumb) {
    uint64_t pitch = (uint64_t)dumb->width * ((dumb->bpp + 7) / 8);
    pitch = (pitch + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), size = (pitch * dumb->height + page - 1) / page * page;
    if (size == 0 || pitch > UINT32_MAX || size > INT64_MAX) return EINVAL;
    int memory = memfd_create("dma-buf", MFD_CLOEXEC);
    if (memory < 0) return errno;
    struct stat status;
    if (ftruncate(memory, (off_t)size) != 0 || fstat(memory, &status) != 0) {
        int error = errno;
        close(memory);
        return error;
    }
    dumb->handle = add(client, memory, status.st_ino, size);
    dumb->pitch = (uint32_t)pitch;
    dumb->size = size;
    return dumb->handle ? 0 : ENOMEM;
}

// Returns an offset. If the caller passes this offset to mmap on the device, the buffer is mapped.
static int map_dumb(int client, struct drm_mode_map_dumb *map) {
    if (!find(client, map->handle)) return ENOENT;
    map->offset = (uint64_t)map->handle << 32;
    return 0;
}

static int destroy(int client, uint32_t number) {
    struct handle *handle = find(client, number);
    if (!handle) return EINVAL;
    close(handle->memory);
    *handle = (struct handle){0};
    return 0;
}

static int export_buffer(int client, struct drm_prime_handle *prime) {
    struct handle *handle = find(client, prime->handle);
    if (!handle) return ENOENT;
    prime->fd = reopen(handle->memory, prime->flags & (DRM_CLOEXEC | DRM_RDWR));
    return prime->fd < 0 ? errno : 0;
}

static int import_buffer(int client, struct drm_prime_handle *prime) {
    struct stat status;
    if (fstat(prime->fd, &status) != 0) return errno;
    if (!is_buffer(prime->fd)) return EINVAL;
    for (uint32_t number = 1; number <= max_handles; number++) {
        if (handles[number].client == client && handles[number].inode == status.st_ino) {
            prime->handle = number;
            return 0;
        }
    }
    int memory = reopen(prime->fd, O_RDWR | O_CLOEXEC);
    if (memory < 0) return errno;
    prime->handle = add(client, memory, status.st_ino, (uint64_t)status.st_size);
    return prime->handle ? 0 : ENOMEM;
}

enum { max_syncobjs = 64, max_points = 16 };

// A fence that a point of a synchronisation object has. The point 0 is the fence of a binary object.
struct point {
    uint64_t number;
    int fence;
};

// A synchronisation object. All clients share it: a handle is its index, and a shared descriptor is an eventfd that
// holds the index, so that only the process that created it can open it.
struct syncobj {
    bool exists;
    int references, count;
    struct point points[max_points];
};

static struct syncobj syncobjs[max_syncobjs + 1];
static pthread_cond_t submitted = PTHREAD_COND_INITIALIZER;

static struct syncobj *find_syncobj(uint32_t number) {
    return number >= 1 && number <= max_syncobjs && syncobjs[number].exists ? &syncobjs[number] : NULL;
}

static int create_syncobj(struct drm_syncobj_create *create) {
    for (uint32_t number = 1; number <= max_syncobjs; number++) {
        if (syncobjs[number].exists) continue;
        syncobjs[number] = (struct syncobj){.exists = true, .references = 1};
        create->handle = number;
        return 0;
    }
    return ENOMEM;
}

static int destroy_syncobj(uint32_t number) {
    struct syncobj *object = find_syncobj(number);
    if (!object) return EINVAL;
    if (--object->references > 0) return 0;
    for (int i = 0; i < object->count; i++) close(object->points[i].fence);
    *object = (struct syncobj){0};
    return 0;
}

static bool is_signalled(int fence) {
    struct pollfd request = {.fd = fence, .events = POLLIN};
    return poll(&request, 1, 0) == 1;
}

// Returns the fence of a point: the one of the first point from it on.
static const struct point *fence_of(const struct syncobj *object, uint64_t number) {
    const struct point *found = NULL;
    for (int i = 0; i < object->count; i++) {
        const struct point *point = &object->points[i];
        if (point->number >= number && (!found || point->number < found->number)) found = point;
    }
    return found;
}

// Adds a point and takes ownership of its fence.
static int add_point(struct syncobj *object, uint64_t number, int fence) {
    if (fence < 0) return errno;
    // A binary object has one fence, which is replaced.
    if (number == 0 && object->count == 1) {
        close(object->points[0].fence);
        object->count = 0;
    }
    if (object->count == max_points) {
        close(fence);
        return ENOMEM;
    }
    object->points[object->count++] = (struct point){number, fence};
    pthread_cond_broadcast(&submitted);
    return 0;
}

static int transfer(const struct drm_syncobj_transfer *transfer) {
    struct syncobj *from = find_syncobj(transfer->src_handle), *to = find_syncobj(transfer->dst_handle);
    if (!from || !to) return ENOENT;
    const struct point *point = fence_of(from, transfer->src_point);
    return point ? add_point(to, transfer->dst_point, fcntl(point->fence, F_DUPFD_CLOEXEC, 0)) : EINVAL;
}

// Waits with the lock held; other threads can submit meanwhile.
static int await_point(const struct drm_syncobj_timeline_wait *wait) {
    if (wait->count_handles != 1 || !(wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)) return EINVAL;
    const uint32_t handle = *(const uint32_t *)(uintptr_t)wait->handles;
    const uint64_t number = *(const uint64_t *)(uintptr_t)wait->points;
    while (true) {
        struct syncobj *object = find_syncobj(handle);
        if (!object) return ENOENT;
        if (fence_of(object, number)) return 0;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec >= wait->timeout_nsec) return ETIME;
        clock_gettime(CLOCK_REALTIME, &now);
        now.tv_nsec += 1000000;
        if (now.tv_nsec >= 1000000000) now.tv_sec++, now.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&submitted, &lock, &now);
    }
}

static int signal_point(const struct drm_syncobj_timeline_array *signal) {
    if (signal->count_handles != 1) return EINVAL;
    struct syncobj *object = find_syncobj(*(const uint32_t *)(uintptr_t)signal->handles);
    if (!object) return ENOENT;
    return add_point(object, *(const uint64_t *)(uintptr_t)signal->points, eventfd(1, EFD_CLOEXEC));
}

// Returns the last point before which all fences are signalled.
static int query_point(const struct drm_syncobj_timeline_array *query) {
    if (query->count_handles != 1) return EINVAL;
    struct syncobj *object = find_syncobj(*(const uint32_t *)(uintptr_t)query->handles);
    if (!object) return ENOENT;
    uint64_t *result = (uint64_t *)(uintptr_t)query->points;
    *result = 0;
    const struct point *point;
    while ((point = fence_of(object, *result + 1)) && is_signalled(point->fence)) *result = point->number;
    return 0;
}

static int share_syncobj(struct drm_syncobj_handle *share) {
    struct syncobj *object = find_syncobj(share->handle);
    if (!object) return ENOENT;
    if (share->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) {
        const struct point *point = fence_of(object, 0);
        if (!point) return EINVAL;
        share->fd = fcntl(point->fence, F_DUPFD_CLOEXEC, 0);
    } else {
        share->fd = eventfd(share->handle, EFD_CLOEXEC);
    }
    return share->fd < 0 ? errno : 0;
}

static int open_syncobj(struct drm_syncobj_handle *open) {
    if (open->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) {
        struct syncobj *object = find_syncobj(open->handle);
        if (!object) return ENOENT;
        return add_point(object, 0, fcntl(open->fd, F_DUPFD_CLOEXEC, 0));
    }
    uint64_t number = 0;
    if (read(open->fd, &number, sizeof number) != sizeof number) return EINVAL;
    // Reading an eventfd has set it to 0.
    if (write(open->fd, &number, sizeof number) != sizeof number) return EINVAL;
    struct syncobj *object = find_syncobj((uint32_t)number);
    if (!object) return EINVAL;
    object->references++;
    open->handle = (uint32_t)number;
    return 0;
}

static int answer(int fd, unsigned long request, void *argument) {
    int client = client_of(fd);
    if (client == 0) return EMFILE;
    // The switch compares only the request's number, because a caller built with other headers may pass another struct
    // size.
    switch (_IOC_NR(request)) {
    case _IOC_NR(DRM_IOCTL_VERSION): return get_version(argument);
    case _IOC_NR(DRM_IOCTL_GET_CAP): return get_cap(argument);
    case _IOC_NR(DRM_IOCTL_MODE_CREATE_DUMB): return create_dumb(client, argument);
    case _IOC_NR(DRM_IOCTL_MODE_MAP_DUMB): return map_dumb(client, argument);
    case _IOC_NR(DRM_IOCTL_MODE_DESTROY_DUMB):
        return destroy(client, ((struct drm_mode_destroy_dumb *)argument)->handle);
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE): return destroy(client, ((struct drm_gem_close *)argument)->handle);
    case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD): return export_buffer(client, argument);
    case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE): return import_buffer(client, argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE): return create_syncobj(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
        return destroy_syncobj(((struct drm_syncobj_destroy *)argument)->handle);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD): return share_syncobj(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE): return open_syncobj(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER): return transfer(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT): return await_point(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL): return signal_point(argument);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY): return query_point(argument);
    default: return EINVAL;
    }
}

// Calls the kernel's own mmap. The variadic arguments must be cast to the width that the kernel reads, because the
// upper 32 bits of an int argument are undefined.
static void *map(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    return (void *)syscall(SYS_mmap, address, length, (long)protection, (long)flags, (long)fd, offset);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (_IOC_TYPE(request) == DRM_IOCTL_BASE && is_device(fd)) {
        pthread_mutex_lock(&lock);
        int error = answer(fd, request, argument);
        pthread_mutex_unlock(&lock);
        if (error == 0) return 0;
        errno = error;
        return -1;
    }
    // Only the CPU uses this memory, so it is always coherent, and synchronisation has nothing to do.
    if (request == DMA_BUF_IOCTL_SYNC && is_buffer(fd)) return 0;
    return (int)syscall(SYS_ioctl, (long)fd, request, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    uint32_t number = (uint32_t)((uint64_t)offset >> 32);
    if (fd >= 0 && number != 0 && is_device(fd)) {
        pthread_mutex_lock(&lock);
        struct handle *handle = find(client_of(fd), number);
        void *memory = MAP_FAILED;
        if (handle && length <= handle->size && (uint32_t)offset == 0) {
            memory = map(address, length, protection, flags, handle->memory, 0);
        } else {
            errno = EINVAL;
        }
        pthread_mutex_unlock(&lock);
        return memory;
    }
    return map(address, length, protection, flags, fd, offset);
}

// The 64-bit variant of mmap, under the name that Mesa calls.
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
    return mmap(address, length, protection, flags, fd, offset);
}
