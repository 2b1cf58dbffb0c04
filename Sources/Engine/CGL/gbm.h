// This header provides GBM's types and constants, and a function that synchronises CPU access to a dma-buf. libgbm is opened
// at run time.
#pragma once
#include "packages.h"

#include <errno.h>
#include <gbm.h>
#include <linux/dma-buf.h>
#include <stdbool.h>
#include <sys/ioctl.h>

// gbm.h declares functions, but no function pointer types. The types below are derived from the declarations, so the
// compiler reports a changed signature.
typedef __typeof__(&gbm_create_device) FrostGBMCreateDevice;
typedef __typeof__(&gbm_device_destroy) FrostGBMDestroyDevice;
typedef __typeof__(&gbm_bo_create) FrostGBMCreate;
typedef __typeof__(&gbm_bo_create_with_modifiers2) FrostGBMCreateWithModifiers;
typedef __typeof__(&gbm_bo_destroy) FrostGBMDestroy;
typedef __typeof__(&gbm_bo_get_modifier) FrostGBMGetModifier;
typedef __typeof__(&gbm_bo_get_plane_count) FrostGBMGetPlaneCount;
typedef __typeof__(&gbm_bo_get_fd_for_plane) FrostGBMGetDescriptor;
typedef __typeof__(&gbm_bo_get_stride_for_plane) FrostGBMGetStride;
typedef __typeof__(&gbm_bo_get_offset) FrostGBMGetOffset;

// Begins or ends the CPU's access to a dma-buf. Returns 0 on success; on failure, returns -1 and sets errno. Swift cannot
// call ioctl itself, because ioctl is variadic.
static inline int frost_dma_buf_sync(int fd, bool is_end, bool writes) {
    struct dma_buf_sync sync = {
        .flags = (is_end ? DMA_BUF_SYNC_END : DMA_BUF_SYNC_START) | (writes ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ),
    };
    int result;
    do {
        result = ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync);
    } while (result == -1 && (errno == EINTR || errno == EAGAIN));
    return result;
}
