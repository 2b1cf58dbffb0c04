/*
 * frost_gl.h - effects and backdrops on the program's textures, in its own context of OpenGL ES or desktop OpenGL.
 *
 * A frame is, on the thread on which the context is current:
 *
 *   frost_gl_wait_fence()           if another device draws the image: all later draws wait for it
 *   frost_backdrop_invalidate()     what has changed in the image (frost_backdrop.h)
 *   frost_gl_backdrop_render()      draws the panels; frost_gl_render() draws an effect without a backdrop
 *   frost_backdrop_uncovered()      the host draws its image in these rectangles of the target
 *   frost_gl_submit()               a fence that is signalled when all draws are complete, for the reader of the target
 *
 * Before, once: frost_gl_create(), frost_gl_backdrop_create(), frost_backdrop_set_panels(). Textures, framebuffers and
 * the context are the program's. Fences that it passes in remain its own, and it closes those that it gets. The GL
 * executes Frost's draws in order with the program's. The GPU copies only the textures of panels and the images of
 * stacks (frost_backdrop.h). Frost reads back only the mean colour below panels that choose the colour of their
 * content, and waits for it only when such a panel appears. Each call restores all GL state, except that pending GL
 * errors are discarded. There is no fallback to the CPU: what the context cannot do is an error. After the first frames
 * of a size, Frost creates no more GL objects.
 */
#ifndef FROST_GL_H
#define FROST_GL_H

#include "frost_backdrop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

/*
 * Frost's objects in a GL context of the program.
 * Thread-safety: one thread at a time may use a frost_gl, and the GL context must be current on that thread. Otherwise
 * calls that use the context return FROST_ERROR_NO_DEVICE. With the callbacks of frost_gl_options, Frost makes the
 * context current on the thread of each call.
 */
typedef struct frost_gl frost_gl;

/* A function that makes a GL context current on the calling thread, or that releases it again. Returns 0, or any other
 * number if it fails; the error message then contains the number. It must not use the frost_gl. */
typedef int32_t (*frost_context_callback)(void *user_data);

/* Options of frost_gl_create(). */
typedef struct frost_gl_options {
    size_t struct_size;
    /* The maximum size in bytes of the textures that are kept for the next frames; 0 means 256 MiB. */
    uint64_t idle_bytes;
    /* Functions for programs whose context is current elsewhere, or nowhere, when they call Frost: both, or NULL for
     * both. Frost calls make_current on the thread of a call before it works in the context, and release_current on the
     * same thread afterwards. A call may consist of several such pieces of work; they are never nested. If make_current
     * fails, the call returns FROST_ERROR_NO_DEVICE and has done nothing. If release_current fails, the call returns
     * FROST_ERROR_NO_DEVICE although its work was done. frost_gl_destroy() calls them too, so they and user_data must
     * be valid until it returns. */
    frost_context_callback make_current, release_current;
    void *user_data;
} frost_gl_options;

#define FROST_GL_OPTIONS_INIT { sizeof(frost_gl_options), 0, NULL, NULL, NULL }

/*
 * Creates a frost_gl for the GL context that is current on this thread, or that options->make_current makes current.
 * The context must support OpenGL ES 3.0, or desktop OpenGL 3.3 with a core or a compatibility profile, or later. For
 * an older context, the error message contains its version. Takes milliseconds. GL programs are compiled, or loaded
 * from the cache on disk, when they are first used, or by frost_gl_prepare().
 */
frost_status frost_gl_create(const frost_gl_options *options, frost_gl **gl);

/*
 * Destroys a frost_gl and deletes all GL objects that Frost created in the context. If the context is not current, and
 * no callback makes it current, the GL objects remain until the context itself is destroyed.
 */
void frost_gl_destroy(frost_gl *gl);

/* ---- Sources and targets ----------------------------------------------------------------------------------------- */

enum {
    FROST_GL_TEXTURE_2D = 0, /* GL_TEXTURE_2D, for sources and targets. */
    FROST_GL_TEXTURE_EXTERNAL = 1, /* GL_TEXTURE_EXTERNAL_OES, for sources only, in contexts of OpenGL ES only. */
    FROST_GL_FRAMEBUFFER = 2 /* A framebuffer, for targets only. The name 0 is the framebuffer of the window. */
};

/* The transfer function of a source or target of frost_gl: from colour values to light. Below 0 each function continues
 * by symmetry. */
enum {
    FROST_TRANSFER_SRGB = 0,    /* sRGB, IEC 61966-2-1. 1.0 is the white of the source or target. */
    FROST_TRANSFER_GAMMA22 = 1, /* A power of 2.2. 1.0 is white. */
    FROST_TRANSFER_LINEAR = 2,  /* Values are proportional to light. 1.0 is white. */
    /* scRGB, IEC 61966-2-2: values are proportional to light, and 1.0 is 80 nits. For FROST_PRIMARIES_BT709 only. */
    FROST_TRANSFER_SCRGB = 3,
    FROST_TRANSFER_PQ = 4,      /* PQ, SMPTE ST 2084. 1.0 is 10,000 nits. */
    FROST_TRANSFER_HLG = 5      /* HLG, ITU-R BT.2100, on a display with a peak of 1000 nits. 1.0 is 1000 nits. */
};

/* How a buffer stores its image, as wl_output.transform: mirrored if so named, then turned counter-clockwise. */
enum {
    FROST_TRANSFORM_NORMAL = 0, FROST_TRANSFORM_90, FROST_TRANSFORM_180, FROST_TRANSFORM_270,
    FROST_TRANSFORM_FLIPPED = 4, FROST_TRANSFORM_FLIPPED_90, FROST_TRANSFORM_FLIPPED_180, FROST_TRANSFORM_FLIPPED_270
};

/* Map a rectangle of an image, such as damage, to that of the buffer that stores it, and back. Both count rows from the
 * top. width and height are the size of the image as it is seen. rect and result may be the same. */
frost_status frost_transform_to_buffer(
    int32_t transform, int32_t width, int32_t height, const frost_rect *rect, frost_rect *result);
frost_status frost_transform_from_buffer(
    int32_t transform, int32_t width, int32_t height, const frost_rect *rect, frost_rect *result);

/* The primaries of a source or target of frost_gl. White is D65 for all of them. */
enum { FROST_PRIMARIES_BT709 = 0, FROST_PRIMARIES_DISPLAY_P3 = 1, FROST_PRIMARIES_BT2020 = 2 };

/*
 * A GL texture that Frost reads. The image is the whole of mipmap level 0, as it is stored: filters, wrap modes, levels
 * and swizzles of the texture do not matter. With OpenGL ES 3.1 or later, and with desktop OpenGL, Frost compares this
 * description of a 2D texture with what the GL reports. The format of the texture must be normalised, such as rgba8 or
 * rgb8, or have floats, such as rgba16f. It must not be sRGB, because the GL would convert the values.
 */
typedef struct frost_gl_source {
    size_t struct_size;
    /* The GL name of the object, and its kind: a FROST_GL_... constant. */
    uint32_t name;
    int32_t kind;
    /* The size of the image as it is seen: a texture with FROST_TRANSFORM_90 is as wide as its image is high. */
    int32_t width, height;
    /* FROST_CHANNELS_RGBA, or FROST_CHANNELS_RGB to read alpha as 1 whatever the texture stores. */
    int32_t channels;
    /* FROST_ALPHA_STRAIGHT or FROST_ALPHA_PREMULTIPLIED. FROST_GL_SOURCE_INIT sets FROST_ALPHA_PREMULTIPLIED. */
    int32_t alpha;
    /* 1 if the texture's first row is the image's bottom row, as in textures that the GL has drawn into; otherwise 0. */
    int32_t rises;
    /* FROST_SAMPLE_U8 for normalised formats of any depth, FROST_SAMPLE_F16 for floats. */
    int32_t sample;
    /* The meaning of the colour values: a FROST_TRANSFER_... and a FROST_PRIMARIES_... constant. 0 and 0 are sRGB. If
     * they differ from the target's, Frost converts the result, without tone mapping. */
    int32_t transfer, primaries;
    /* The luminance of white in nits, 1 to 10000; 0 means 203, the reference white of ITU-R BT.2408. For PQ, HLG and
     * scRGB, it is the light that colour stages and content of effects treat as white. */
    double white;
    /* How the texture stores the image: a FROST_TRANSFORM_... constant. If rises is 1, its rows count from the last. */
    int32_t transform, reserved;
} frost_gl_source;

/* Sets struct_size and the format RGBA, 8 bits, premultiplied, sRGB. All other fields are 0. */
#define FROST_GL_SOURCE_INIT \
    { sizeof(frost_gl_source), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, \
      FROST_TRANSFER_SRGB, FROST_PRIMARIES_BT709, 0.0, FROST_TRANSFORM_NORMAL, 0 }

/*
 * A GL texture or framebuffer that Frost writes. Fields with the same name have the same meaning as in frost_gl_source.
 * width and height are the size of the whole surface as it is seen, and x and y are a position in it.
 */
typedef struct frost_gl_target {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    /* The position in the target of the region's top left pixel, relative to the top left corner of the target. */
    int32_t x, y;
    /* May differ from the source's; the result is then converted. */
    int32_t sample;
    int32_t transfer, primaries;
    /* The bits per colour of a normalised target, to which results are rounded: 8, or 10 for RGB10_A2, which has 2 bits
     * of alpha. 0 means 8. Premultiplied colour of 10 bits is multiplied by the alpha that is stored. */
    int32_t bits;
    int32_t transform;
    double white;
} frost_gl_target;

/* Sets struct_size and the format RGBA, 8 bits, premultiplied, sRGB. All other fields are 0. */
#define FROST_GL_TARGET_INIT \
    { sizeof(frost_gl_target), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, 0, \
      0, FROST_TRANSFER_SRGB, FROST_PRIMARIES_BT709, 0, FROST_TRANSFORM_NORMAL, 0.0 }

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

/* Creates a backdrop that renders in the program's own GL context. */
frost_status frost_gl_backdrop_create(
    frost_gl *gl, const frost_backdrop_options *options, frost_backdrop **backdrop);

/*
 * Renders a frame of a backdrop that frost_gl_backdrop_create() created. The rules of frost_backdrop_render() apply.
 * The top left pixel of the image goes to x and y of the target, into which the whole image must fit. Frost takes a
 * source of another GL name for the same image in another buffer. If nothing has changed, Frost calls no GL function.
 * The pixels of a panel are those that frost_gl_render() draws.
 */
frost_status frost_gl_backdrop_render(
    frost_backdrop *backdrop, const frost_gl_source *source, const frost_gl_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/*
 * Draws the result of an effect into the target. options->region selects a rectangle of the result; NULL selects the
 * effect's own rectangle. Other pixels of the target do not change. The target must not be the texture of the source.
 */
frost_status frost_gl_render(
    frost_gl *gl, const frost_effect *effect, const frost_gl_source *source, const frost_gl_target *target,
    const frost_render_options *options, frost_report *report);

/*
 * Draws a single panel, as frost_render_panel() does. The top left pixel of the source goes to x and y of the target.
 * The other rules are those of frost_gl_render().
 */
frost_status frost_gl_render_panel(
    frost_gl *gl, const frost_panel *panel, const frost_gl_source *source, const frost_gl_target *target,
    const frost_render_options *options, frost_report *report);

/* ---- Fences ------------------------------------------------------------------------------------------------------ */

/*
 * Makes all later draws in the context wait for a fence of the image's producer, such as a sync_file. If the driver
 * supports it, the GPU waits. Otherwise this call itself waits, at most for the given number of milliseconds, or
 * without a limit if the number is negative. Returns FROST_NOT_READY if the time limit was too short. The caller keeps
 * the ownership of fd. *on_gpu is 1 if the GPU waits, otherwise 0; on_gpu may be NULL. A negative fd is
 * FROST_ERROR_ARGUMENT: if the producer's work is finished, do not call this function.
 */
frost_status frost_gl_wait_fence(frost_gl *gl, int32_t fd, int64_t milliseconds, int32_t *on_gpu);

enum {
    FROST_WORK_SUBMITTED = 0, /* The fence or the point is signalled when the draws are complete. */
    /* The draws are complete: the driver does not support fences, or failed to create one, so Frost has waited. */
    FROST_WORK_FINISHED = 1
};

/* The state of draws that were submitted. */
typedef struct frost_gl_submission {
    size_t struct_size;
    int32_t state; /* FROST_WORK_SUBMITTED or FROST_WORK_FINISHED. */
    /* A fence that is signalled when the draws are complete, which the caller closes; -1 if the state is
     * FROST_WORK_FINISHED, and for points of timelines. */
    int32_t fd;
    /* The seconds for which Frost has waited for the draws; 0 if the state is FROST_WORK_SUBMITTED. */
    double waited_seconds;
} frost_gl_submission;

#define FROST_GL_SUBMISSION_INIT { sizeof(frost_gl_submission), 0, -1, 0 }

/*
 * Submits the draws in the context and returns a fence for them, or waits for them if the driver does not support
 * fences. The time limit is that of frost_gl_wait_fence(); it concerns only that wait.
 */
frost_status frost_gl_submit(frost_gl *gl, int64_t milliseconds, frost_gl_submission *submission);

/* Does the same, but returns only the fence, which the caller closes. If the call has waited, *fd is -1. */
frost_status frost_gl_fence(frost_gl *gl, int64_t milliseconds, int32_t *fd);

#ifdef __cplusplus
}
#endif

#endif
