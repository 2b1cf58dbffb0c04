/*
 * frost_dmabuf.h - images of other processes and devices as textures, and points of DRM timelines.
 *
 * A frame is, where the frost_gl may be used:
 *
 *   frost_gl_import()              once for each buffer, not for each frame; frost_dmabuf_allocate() makes buffers
 *   frost_gl_buffer_source(), ..._target()        once: the buffer as a texture for the functions of frost_gl.h
 *   frost_gl_wait_point() or frost_gl_wait_fence()         before the first draw that reads or writes the buffer
 *   frost_gl_render() or frost_gl_backdrop_render()        draws
 *   frost_gl_signal_point() or frost_gl_submit()           after the last draw: tells others when the buffer is done
 *
 * File descriptors that the program passes in remain its own, and it closes those that it gets: planes of allocated
 * buffers, and fences. An imported buffer keeps the memory alive without them.
 */
#ifndef FROST_DMABUF_H
#define FROST_DMABUF_H

#include "frost_gl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dma-bufs ---------------------------------------------------------------------------------------------------- */

/* One plane of a dma-buf. */
typedef struct frost_dmabuf_plane {
    /* The file descriptor of the memory. It remains the caller's: the caller may close it after the buffer has been
     * imported. */
    int32_t fd;
    /* offset: bytes from the start of the memory to the start of the plane. stride: bytes between the starts of two
     * rows. */
    uint32_t offset, stride;
} frost_dmabuf_plane;

/*
 * The matrix and the range of the conversion from luma and chroma to RGB. Ignored for formats that are not YUV. EGL
 * treats these values as hints.
 */
enum { FROST_YUV_BT601 = 0, FROST_YUV_BT709 = 1, FROST_YUV_BT2020 = 2 };
enum { FROST_YUV_NARROW = 0, FROST_YUV_FULL = 1 };
/*
 * The siting of chroma samples: FIRST if a chroma sample lies at the first of the pixels that share it, MIDDLE if it
 * lies in the middle of these pixels.
 */
enum { FROST_YUV_SITING_FIRST = 0, FROST_YUV_SITING_MIDDLE = 1 };

/* A dma-buf: an image in memory that several devices and processes can share. */
typedef struct frost_dmabuf {
    size_t struct_size;
    int32_t width, height;
    /* The pixel format, a code of drm_fourcc.h. */
    uint32_t fourcc;
    /* The number of planes, 1 to 4. */
    uint32_t plane_count;
    /* The format modifier, a code of drm_fourcc.h. 0 is DRM_FORMAT_MOD_LINEAR; DRM_FORMAT_MOD_INVALID leaves the choice
     * to the driver. */
    uint64_t modifier;
    frost_dmabuf_plane planes[4];
    /* FROST_YUV_... constants, for YUV formats. */
    int32_t yuv_matrix, yuv_range, yuv_siting_x, yuv_siting_y;
} frost_dmabuf;

/* Sets struct_size, and all file descriptors to -1. All other fields are 0. */
#define FROST_DMABUF_INIT \
    { sizeof(frost_dmabuf), 0, 0, 0, 0, 0, { { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 } }, 0, 0, 0, 0 }

/*
 * An allocator of dma-bufs on a device, by means of GBM. The buffers are render targets that other devices or processes
 * can show.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_dmabuf_allocator frost_dmabuf_allocator;

/*
 * Creates an allocator for a DRM device. node is the path of a render node such as "/dev/dri/renderD128", or of a
 * primary node such as "/dev/dri/card0"; devices that cannot draw have only a primary node. Returns
 * FROST_ERROR_NO_DEVICE if the node or GBM is not available.
 */
frost_status frost_dmabuf_allocator_create(const char *node, frost_dmabuf_allocator **allocator);

/* Destroys an allocator. The buffers that it allocated remain valid. */
void frost_dmabuf_allocator_destroy(frost_dmabuf_allocator *allocator);

enum {
    /* The device can draw into the buffer. */
    FROST_DMABUF_FOR_RENDERING = 0,
    /* The buffer is only read; the device need not be able to draw into it. */
    FROST_DMABUF_FOR_READING = 1
};

/* Describes a dma-buf to allocate. */
typedef struct frost_dmabuf_request {
    size_t struct_size;
    int32_t width, height;
    /* The pixel format, a code of drm_fourcc.h. */
    uint32_t fourcc;
    /* FROST_DMABUF_FOR_RENDERING or FROST_DMABUF_FOR_READING. */
    int32_t purpose;
    /* The format modifiers that all readers of the buffer support, at most 1024; the driver chooses one of them. NULL
     * allows only DRM_FORMAT_MOD_LINEAR. DRM_FORMAT_MOD_INVALID leaves the choice to the driver. */
    const uint64_t *modifiers;
    size_t modifier_count;
} frost_dmabuf_request;

#define FROST_DMABUF_REQUEST_INIT { sizeof(frost_dmabuf_request), 0, 0, 0, FROST_DMABUF_FOR_RENDERING, NULL, 0 }

/*
 * Allocates a dma-buf and fills in its description. The content is undefined. The caller closes the file descriptors,
 * one for each plane. Returns FROST_ERROR_SURFACE if the allocation fails; the error message then contains the format,
 * the modifier and the driver's error.
 */
frost_status frost_dmabuf_allocate(
    frost_dmabuf_allocator *allocator, const frost_dmabuf_request *request, frost_dmabuf *buffer);

/* A combination of a format and a modifier of dma-bufs that the GL can import. */
typedef struct frost_dmabuf_kind {
    size_t struct_size;
    /* The format modifier and the pixel format, codes of drm_fourcc.h. */
    uint64_t modifier;
    uint32_t fourcc;
    /* 1 if buffers of this combination can only be sources, not targets; otherwise 0. */
    int32_t is_external_only;
} frost_dmabuf_kind;

#define FROST_DMABUF_KIND_INIT { sizeof(frost_dmabuf_kind), 0, 0, 0 }

/*
 * Returns in *count the number of combinations of format and modifier that can be imported. *count is 0 if the driver
 * cannot list the combinations. In that case, the only way to find out whether a buffer can be imported is to import
 * it.
 */
frost_status frost_gl_dmabuf_kind_count(frost_gl *gl, size_t *count);
/* Fills in kind for the combination at index, counted from 0. Returns FROST_ERROR_ARGUMENT if index is out of range. */
frost_status frost_gl_describe_dmabuf_kind(frost_gl *gl, size_t index, frost_dmabuf_kind *kind);

/*
 * A dma-buf that was imported into a GL context. It keeps the memory alive. Import a buffer once, not for every frame.
 * Thread-safety: the rules of frost_gl apply, except that a frost_gl_buffer may be destroyed on any thread. Its texture
 * is then deleted by the next call that uses the frost_gl.
 */
typedef struct frost_gl_buffer frost_gl_buffer;

enum {
    /* Imports the buffer as a 2D texture if the driver supports that, otherwise as an external texture. */
    FROST_DMABUF_ANY = 0,
    /* Imports the buffer as a 2D texture. */
    FROST_DMABUF_TEXTURE_2D = 1,
    /* Imports the buffer as an external texture, which the driver converts to RGB. It can only be a source. */
    FROST_DMABUF_EXTERNAL = 2
};

/*
 * Imports a dma-buf. use is FROST_DMABUF_ANY, FROST_DMABUF_TEXTURE_2D or FROST_DMABUF_EXTERNAL. Returns
 * FROST_ERROR_SURFACE if the import fails; the error message then contains the format and the modifier.
 */
frost_status frost_gl_import(frost_gl *gl, const frost_dmabuf *buffer, int32_t use, frost_gl_buffer **result);

/* Fills in name, kind, width, height and channels of a source for this buffer. The other fields are not changed. Set
 * transform first: width and height are those of the image as it is seen. */
frost_status frost_gl_buffer_source(const frost_gl_buffer *buffer, frost_gl_source *source);

/*
 * Fills in name, kind, width, height, channels and bits of a target for this buffer. The other fields are not changed.
 * Set transform first, as for a source.
 * Returns FROST_ERROR_SURFACE if the buffer can only be read.
 */
frost_status frost_gl_buffer_target(const frost_gl_buffer *buffer, frost_gl_target *target);

/* Destroys an imported buffer. */
void frost_gl_buffer_destroy(frost_gl_buffer *buffer);

/* ---- Points of timelines ----------------------------------------------------------------------------------------- */

/*
 * A point of a DRM timeline (drm_syncobj), as Wayland's linux-drm-syncobj-v1 and Vulkan's timeline semaphores pass
 * them. All descriptors remain the caller's.
 */
typedef struct frost_timeline_point {
    size_t struct_size;
    /* The descriptor of a DRM device with timelines, for example of /dev/dri/renderD128. */
    int32_t device_fd;
    /* The timeline: the descriptor of a shared timeline, or -1 if handle is set. */
    int32_t syncobj_fd;
    /* The handle of the timeline in device_fd, or 0 if syncobj_fd is set. */
    uint32_t handle;
    uint32_t reserved;
    /* The number of the point: at least 1 for a timeline, 0 for the fence of a binary drm_syncobj. */
    uint64_t point;
} frost_timeline_point;

/* Sets struct_size, and both descriptors to -1. All other fields are 0. */
#define FROST_TIMELINE_POINT_INIT { sizeof(frost_timeline_point), -1, -1, 0, 0, 0 }

/*
 * Makes all later draws in the context wait for a point of a timeline, as frost_gl_wait_fence() does for a fence. If
 * the point has no fence yet, this call first waits until the producer has submitted its work. The time limit applies
 * to each of the two waits. Returns FROST_ERROR_DEVICE_FAILED if the device has no timelines, or does not know this
 * one.
 */
frost_status frost_gl_wait_point(
    frost_gl *gl, const frost_timeline_point *point, int64_t milliseconds, int32_t *on_gpu);

/*
 * Submits the draws in the context, and signals a point of a timeline when they are complete. If the driver does not
 * support fences, this call waits for the draws, with the time limit of frost_gl_wait_fence(), and then signals the
 * point. The point must be later than all points of the timeline that were submitted before. submission may be NULL;
 * otherwise its state tells which of the two happened. After an error the point is not signalled. The errors are those
 * of frost_gl_wait_point().
 */
frost_status frost_gl_signal_point(
    frost_gl *gl, const frost_timeline_point *point, int64_t milliseconds, frost_gl_submission *submission);

#ifdef __cplusplus
}
#endif

#endif
