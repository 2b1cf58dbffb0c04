// The kernel's calls for synchronisation objects of DRM devices. Swift cannot make these calls itself, because ioctl is
// variadic. Each function returns 0, or an errno value.
#pragma once
#include "packages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include <libdrm/drm.h>

static inline int frost_drm_call(int device, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(device, request, argument);
    } while (result == -1 && (errno == EINTR || errno == EAGAIN));
    return result == 0 ? 0 : errno;
}

// Returns in *has whether the device has timelines.
static inline int frost_drm_has_timelines(int device, int *has) {
    struct drm_get_cap capability = {.capability = DRM_CAP_SYNCOBJ_TIMELINE};
    int error = frost_drm_call(device, DRM_IOCTL_GET_CAP, &capability);
    *has = error == 0 && capability.value != 0;
    return error;
}

static inline int frost_syncobj_create(int device, uint32_t *handle) {
    struct drm_syncobj_create create = {0};
    int error = frost_drm_call(device, DRM_IOCTL_SYNCOBJ_CREATE, &create);
    *handle = create.handle;
    return error;
}

static inline int frost_syncobj_destroy(int device, uint32_t handle) {
    struct drm_syncobj_destroy destroy = {.handle = handle};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

// Returns the handle of the object that a descriptor refers to.
static inline int frost_syncobj_open(int device, int descriptor, uint32_t *handle) {
    struct drm_syncobj_handle open = {.fd = descriptor};
    int error = frost_drm_call(device, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &open);
    *handle = open.handle;
    return error;
}

// Returns a descriptor that other processes can open.
static inline int frost_syncobj_share(int device, uint32_t handle, int *descriptor) {
    struct drm_syncobj_handle share = {.handle = handle, .fd = -1};
    int error = frost_drm_call(device, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &share);
    *descriptor = share.fd;
    return error;
}

// Replaces the fence of a binary object by that of a sync_file.
static inline int frost_syncobj_import(int device, uint32_t handle, int sync_file) {
    struct drm_syncobj_handle import = {
        .handle = handle, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = sync_file};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
}

// Returns the fence of a binary object as a sync_file.
static inline int frost_syncobj_export(int device, uint32_t handle, int *sync_file) {
    struct drm_syncobj_handle export = {
        .handle = handle, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE, .fd = -1};
    int error = frost_drm_call(device, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export);
    *sync_file = export.fd;
    return error;
}

// Copies the fence of a point to a point of another object. The point 0 is the fence of a binary object.
static inline int frost_syncobj_transfer(
    int device, uint32_t from, uint64_t from_point, uint32_t to, uint64_t to_point) {
    struct drm_syncobj_transfer transfer = {
        .src_handle = from, .dst_handle = to, .src_point = from_point, .dst_point = to_point};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
}

// Waits until a point has a fence, which need not be signalled. The time is an absolute one of CLOCK_MONOTONIC, in
// nanoseconds. Returns ETIME if it passes.
static inline int frost_syncobj_await(int device, uint32_t handle, uint64_t point, int64_t until) {
    struct drm_syncobj_timeline_wait wait = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .timeout_nsec = until, .count_handles = 1,
        .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

// Signals a point at once.
static inline int frost_syncobj_signal(int device, uint32_t handle, uint64_t point) {
    struct drm_syncobj_timeline_array signal = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal);
}

// Returns the point that was signalled last.
static inline int frost_syncobj_query(int device, uint32_t handle, uint64_t *point) {
    struct drm_syncobj_timeline_array query = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)point, .count_handles = 1};
    return frost_drm_call(device, DRM_IOCTL_SYNCOBJ_QUERY, &query);
}
