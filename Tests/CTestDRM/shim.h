// Fences of the kernel driver vgem, for tests. vgem is the only driver that lets user space signal its fences.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <libdrm/drm.h>

// The arguments of vgem's ioctl calls, which libdrm's headers do not declare.
struct frost_vgem_attach_call {
    __u32 buffer, writes, fence, padding;
};
struct frost_vgem_signal_call {
    __u32 fence, flags;
};
#define FROST_VGEM_ATTACH DRM_IOWR(DRM_COMMAND_BASE + 1, struct frost_vgem_attach_call)
#define FROST_VGEM_SIGNAL DRM_IOW(DRM_COMMAND_BASE + 2, struct frost_vgem_signal_call)

// A vgem fence that is attached to a dma-buf.
struct frost_vgem_fence {
    // The file descriptor of the DRM node. It stays open until the fence is no longer needed.
    int device;
    // The number by which the driver identifies the fence.
    unsigned number;
    // The fence as a sync file descriptor.
    int sync_file;
};

// Returns whether a DRM node belongs to vgem. Other drivers use the same ioctl numbers for other calls.
static inline int frost_is_vgem(int device) {
    char name[5] = {0};
    struct drm_version version = {.name = name, .name_len = sizeof name - 1};
    return ioctl(device, DRM_IOCTL_VERSION, &version) == 0 && version.name_len == 4 && strcmp(name, "vgem") == 0;
}

// Attaches a write fence to a dma-buf, as a device does while it writes to the buffer. Returns 0 if this succeeds, and an
// errno value otherwise. The value is ENOTSUP if the node does not belong to vgem.
static inline int frost_vgem_attach(const char *node, int buffer, struct frost_vgem_fence *fence) {
    int device = open(node, O_RDWR | O_CLOEXEC);
    if (device < 0) return errno;
    struct drm_prime_handle prime = {.fd = buffer};
    struct dma_buf_export_sync_file sync = {.flags = DMA_BUF_SYNC_READ, .fd = -1};
    int error = 0;
    if (!frost_is_vgem(device)) {
        error = ENOTSUP;
    } else if (ioctl(device, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) != 0) {
        error = errno;
    } else {
        struct frost_vgem_attach_call attach = {.buffer = prime.handle, .writes = 1};
        if (ioctl(device, FROST_VGEM_ATTACH, &attach) != 0
            || ioctl(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &sync) != 0) {
            error = errno;
        } else {
            *fence = (struct frost_vgem_fence){device, attach.fence, sync.fd};
        }
    }
    if (error) close(device);
    return error;
}

// Signals the fence. Returns 0 if this succeeds, and an errno value otherwise.
static inline int frost_vgem_signal(const struct frost_vgem_fence *fence) {
    struct frost_vgem_signal_call signal = {.fence = fence->number};
    return ioctl(fence->device, FROST_VGEM_SIGNAL, &signal) == 0 ? 0 : errno;
}

static inline void frost_vgem_close(const struct frost_vgem_fence *fence) {
    close(fence->sync_file);
    close(fence->device);
}
