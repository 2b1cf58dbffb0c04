/*
 * frost_blur.h - blurs images in memory, on a GPU or the CPU, now or in the background.
 *
 * A frame is:
 *
 *   frost_renderer_create()                once: the renderer keeps the GPU and its memory
 *   frost_effect_create()                  once for each effect (frost_effect.h)
 *   frost_effect_describe_target()         once for each size: the layout of the result
 *   frost_render()                         for each image, on any thread; returns when the target is complete
 *   or frost_queue_submit()                for each image; returns at once, and a callback or a ticket has the result
 *
 * Pixels are the caller's (frost_pixels.h). Several threads may use one renderer: the CPU serves them in parallel, and
 * a GPU one after the other. frost_reveal shows one result in shapes that move. Panels over an image that changes are
 * in frost_backdrop.h, and textures in frost_gl.h.
 */
#ifndef FROST_BLUR_H
#define FROST_BLUR_H

#include "frost_layers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Renderers --------------------------------------------------------------------------------------------------- */

/*
 * A renderer applies effects to images. Create one renderer and keep it: it opens the GPU only once and reuses its
 * memory.
 * Thread-safety: may be used from any thread. Calls that use the GPU are executed one after the other; calls that use
 * the CPU run in parallel.
 */
typedef struct frost_renderer frost_renderer;

enum {
    /* Chooses, for each image, a hardware GPU or the CPU, whichever Frost measured to be faster. Never uses software
     * GL. */
    FROST_BACKEND_AUTO = 0,
    /* Uses SIMD code on the CPU, on several threads. */
    FROST_BACKEND_CPU = 1,
    /* Uses a GPU through EGL and OpenGL ES, in a context that Frost creates. Software GL is accepted. */
    FROST_BACKEND_GPU = 2,
    /* Evaluates the mathematical definition of the effect in double precision on the CPU. Slow; the accuracy of the
     * other backends is measured against this one. */
    FROST_BACKEND_EXACT = 3
};

/* Options of frost_renderer_create(). */
typedef struct frost_renderer_options {
    size_t struct_size;
    /* FROST_BACKEND_AUTO, FROST_BACKEND_CPU, FROST_BACKEND_GPU or FROST_BACKEND_EXACT. */
    int32_t backend;
    /* The number of threads for work on the CPU, 1 to 256. 0 means the value of the environment variable
     * OMP_NUM_THREADS, or else the number of processors that the process may use: affinity and quotas of control groups
     * count. */
    int32_t threads;
    /* Requires a specific GPU: its index, render node, PCI path, or part of its name, as `frost devices` prints them.
     * NULL allows any GPU. Only for FROST_BACKEND_AUTO and FROST_BACKEND_GPU. */
    const char *device;
    /* The number of seconds without progress after which the GPU counts as blocked, from 0.001 to 86400; 0 means that
     * of the environment variable FROST_GPU_TIMEOUT, or else 30. Progress is the return of a call of the driver, or of
     * the wait for one part of the work. When a GPU is blocked, the CPU does this image and all later ones of the
     * renderer (FROST_BACKEND_AUTO), or the call returns FROST_ERROR_DEVICE_FAILED. Frost never again uses the thread
     * and the context that are blocked; their memory stays allocated. */
    double gpu_timeout;
} frost_renderer_options;

#define FROST_RENDERER_OPTIONS_INIT { sizeof(frost_renderer_options), FROST_BACKEND_AUTO, 0, NULL, 0 }

/* Returns the number of threads that renderers use if their options say 0: 1 to 256. It is determined once. */
int32_t frost_default_threads(void);

/* Creates a renderer. Takes about 50 ms if the options require a GPU. */
frost_status frost_renderer_create(const frost_renderer_options *options, frost_renderer **renderer);

/*
 * Prepares a renderer that has FROST_BACKEND_AUTO: opens a GPU and compiles the programs that most blurs need. Without
 * this call the renderer opens the GPU after it has rendered enough images. The call takes up to half a second. Does
 * nothing for other backends. channels (FROST_CHANNELS_...) and sample (FROST_SAMPLE_...) describe the images that the
 * caller is going to render.
 */
frost_status frost_renderer_prepare(frost_renderer *renderer, int32_t channels, int32_t sample);

/* Destroys a renderer without waiting. Renders that are in progress on other threads still complete. */
void frost_renderer_destroy(frost_renderer *renderer);

/*
 * Memory for pixels that the GPU of a renderer reads and writes over the bus by itself, if it can. Images in this
 * memory are transferred without a copy by the CPU if they are 8-bit RGBA and their rows are multiples of 4 bytes. All
 * functions recognise the memory by its address. Other images, other renderers and the CPU use it like any other
 * memory. Pinned memory cannot be swapped out: allocate it once for many images.
 * Thread-safety: may be used and destroyed on any thread.
 */
typedef struct frost_buffer frost_buffer;

/* Allocates memory of 1 byte to 4 GiB with undefined content. With FROST_BACKEND_AUTO, this call opens the GPU. The
 * buffer may outlive the renderer. */
frost_status frost_buffer_create(frost_renderer *renderer, size_t byte_count, frost_buffer **buffer);

/* Returns the memory, aligned to at least 64 bytes, or NULL if buffer is NULL. It is valid until the buffer is
 * destroyed. */
void *frost_buffer_bytes(const frost_buffer *buffer);

/* Whether the GPU reads and writes the memory by itself (1). If not (0), it is ordinary memory: the renderer uses no
 * GPU, its GPU draws on the CPU, or its driver does not have GL_EXT_buffer_storage. */
int32_t frost_buffer_is_pinned(const frost_buffer *buffer);

/* Frees the memory. No call may still use it. */
void frost_buffer_destroy(frost_buffer *buffer);

/* ---- Rendering --------------------------------------------------------------------------------------------------- */

/* Options of the functions that render an effect once. */
typedef struct frost_render_options {
    size_t struct_size;
    /* The rectangle of the result to compute, in pixels of the source image. It may reach up to 2^20 pixels outside the
     * image, and for effects with a kernel that is not separable, such as zoom, 16384. NULL selects the effect's own
     * rectangle: the whole image, or a larger one for effects that grow beyond it. */
    const frost_rect *region;
    /* The mask, for effects whose mask is an image. Otherwise NULL. */
    const frost_mask *mask;
    /* A flag that stops the rendering when it is set; may be NULL. */
    frost_cancellation *cancellation;
    /* The maximum allowed difference of any value from the exact effect, before the value is rounded. The unit is 8-bit
     * steps (1/255 of full scale); the range is 0.002 to 1. 0 selects a default that suits the sample type. */
    double error_budget;
} frost_render_options;

#define FROST_RENDER_OPTIONS_INIT { sizeof(frost_render_options), NULL, NULL, NULL, 0.0 }

/* A report on how Frost rendered an image. */
typedef struct frost_report {
    size_t struct_size;
    /* The backend that rendered the image: FROST_BACKEND_CPU, FROST_BACKEND_GPU or FROST_BACKEND_EXACT. */
    int32_t backend;
    /* The number of passes. Passes over images of all resolutions are counted. */
    int32_t passes;
    /* The maximum difference of any value from the exact effect, before the value is rounded, in 8-bit steps (1/255 of
     * full scale). If colours of a GL texture are converted, the difference is that of the values or the light that is
     * blurred, not that of the target's values. */
    double error_bound;
    /* Durations in milliseconds. gpu_ms is measured by the GPU's own clock; it is negative if there is no such
     * measurement. */
    double upload_ms, blur_ms, readback_ms, gpu_ms;
    /* The name of the GPU, or "" if the CPU rendered the image. */
    char device[128];
    /* The reason why Frost chose this backend. */
    char reason[256];
    /* The reason why the result may be less exact than error_bound, or "". */
    char warning[256];
    /* The maximum difference between the light of any value and that of the exact effect, before the value is rounded,
     * in nits. It holds for images up to the light of the source's 1.0, which is 10,000 nits for PQ. For images with
     * less light it is smaller in proportion. 0 for all functions but frost_gl_render() and frost_gl_render_panel(),
     * for effects that do not blur light or that have colour stages or content, for masks and clips of sRGB sources,
     * and if nothing was converted because source and target are sRGB. */
    double error_nits;
    /* The contrast of WCAG 2 that an effect guarantees (min-contrast); all numbers are 0 for other effects.
     * content_color is the colour of the content in sRGB, red, green, blue and alpha, 0 to 1, as it was given or chosen.
     * contrast is the smallest contrast of the written pixels that are opaque, that the effect covers completely, and on
     * which no content is drawn, at the pixel contrast_x, contrast_y of the source; 0 if there are no such pixels. */
    float content_color[4];
    double min_contrast, contrast;
    int32_t contrast_x, contrast_y;
} frost_report;

#define FROST_REPORT_INIT \
    { sizeof(frost_report), 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, { 0 }, { 0 }, { 0 }, 0.0, { 0 }, 0.0, 0.0, 0, 0 }

/*
 * Fills in target with the layout that the effect's result needs for a source: width, height, channels, sample, alpha,
 * bytes_per_row (without padding) and byte_count. The target's format may differ from the source's format: it has an
 * alpha channel if the effect blurs transparent edges into the image, and it has colour channels if the effect colours
 * a grey image. pixels is not changed. The source's pixels may be NULL. region may be NULL, which selects the effect's
 * own rectangle.
 */
frost_status frost_effect_describe_target(
    const frost_effect *effect, const frost_source *source, const frost_rect *region, frost_target *target);

/* Computes the error bound of an effect without rendering it: the maximum difference of any value of the result from
 * the exact effect before rounding, in 8-bit steps (1/255 of full scale). The source's pixels may be NULL. */
frost_status frost_effect_error_bound(
    const frost_effect *effect, const frost_source *source, const frost_render_options *options, double *bound);

/*
 * Computes how far a change of the source spreads in the result. If a rectangle of the source changes, the result may
 * change up to *x pixels to the left and right of the rectangle and up to *y pixels above and below it. A host can
 * expand the rectangles of changed pixels (damage) by these numbers. *x is at most the source's width, and *y at most
 * its height. The source's pixels may be NULL. error_budget is the error budget of the rendering; 0 selects the
 * default. Takes up to a millisecond.
 */
frost_status frost_effect_damage_expansion(
    const frost_effect *effect, const frost_source *source, double error_budget, int32_t *x, int32_t *y);

/*
 * Renders an effect, and returns when the target is complete.
 *
 * The target has the size of the region. Its sample type and colour channels are those of the source or those that
 * frost_effect_describe_target() returns; its channel order (RGBA or BGRA) and its alpha mode may differ. If the region
 * is the whole image, the target may be the same memory as the source, with the same layout. In all other cases source
 * and target must not share a pixel. After an error the content of the target is undefined.
 */
frost_status frost_render(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

/*
 * Renders an effect within shapes, such as faces; all other pixels are those of the source, except under the shadow of
 * glass. Frost computes only the shapes.
 * Masks, content, and the numbers of gradients, bands and circles count in each shape's rectangle, and each has cells and a
 * key of "redact" for itself. A shape that is partly outside the source is cropped, with a warning in the report; one that
 * covers no pixel of the source is an error. The rule of frost_effect_clip_rule() holds for the shapes: with outside 1, the
 * effect and its mask lie on the whole image outside the shapes. No shape changes no pixel, or with outside 1 every pixel.
 *
 * effect must not have shapes, and the region of options must be NULL. The target has the size and the format of
 * frost_effect_describe_target(), and may be the same memory as the source. Frost copies the image while it works.
 */
frost_status frost_render_shapes(
    frost_renderer *renderer, const frost_effect *effect, const frost_shape *shapes, size_t count, const frost_source *source,
    const frost_target *target, const frost_render_options *options, frost_report *report);

/* ---- Masked reveal ----------------------------------------------------------------------------------------------- */

/*
 * A picture, and the result of an effect on it, which is computed once. A frame shows the result inside shapes, and the
 * picture outside them. Moving the shapes runs no pass: a frame is a copy of pixels. The object keeps two images, the
 * picture and the result.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_reveal frost_reveal;

/* Applies an effect to a whole picture. Frost copies the picture, so the caller's pixels are not needed after the call.
 * Effects whose result is larger than the picture are refused (FROST_ERROR_PARAMETER), and so is redact, because the edges of
 * the shapes would show the original. options->region must be NULL. */
frost_status frost_reveal_create(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source,
    const frost_render_options *options, frost_report *report, frost_reveal **reveal);

/*
 * Fills in target with the layout of the frames: the picture's size, and the format of the effect's result. pixels is
 * not changed.
 */
frost_status frost_reveal_describe_target(const frost_reveal *reveal, frost_target *target);

/*
 * Writes a frame: the picture with the effect visible in the shapes. A pixel that shapes cover partly is a mixture of
 * the picture and the result; if shapes overlap, their coverage adds up. Without shapes the frame is the picture.
 *
 * The shapes are those of frost_effect_clip_shapes(). target has the size and format that
 * frost_reveal_describe_target() returns, and any bytes_per_row. All of its pixels are written.
 */
frost_status frost_reveal_render(
    const frost_reveal *reveal, const frost_shape *shapes, size_t count, const frost_target *target);

/* Destroys a reveal. */
void frost_reveal_destroy(frost_reveal *reveal);

/* ---- Rendering in the background --------------------------------------------------------------------------------- */

/*
 * A queue that renders images in the background. Images start in the order of submission and may finish in another
 * order. On a GPU, one image is drawn while the next one is uploaded and the previous one is read back. On the CPU,
 * images are rendered in parallel.
 * Thread-safety: may be used from any thread, also from callbacks. Only one thread may destroy it.
 */
typedef struct frost_queue frost_queue;

/*
 * A ticket stands for an image that was submitted to a queue.
 * Thread-safety: may be used from any thread, also from the image's callback. Only one thread may destroy it.
 */
typedef struct frost_ticket frost_ticket;

/* Options of frost_queue_create(). */
typedef struct frost_queue_options {
    size_t struct_size;
    /* The maximum number of submitted images that are not finished, 1 to 1024; 0 means 8. */
    int32_t depth;
    /* The maximum number of images that are rendered at the same time, 1 to depth; 0 selects a default that suits the
     * renderer. With 1, images finish in the order of submission. */
    int32_t concurrency;
} frost_queue_options;

#define FROST_QUEUE_OPTIONS_INIT { sizeof(frost_queue_options), 0, 0 }

/*
 * Creates a queue that renders with the given renderer. Returns FROST_ERROR_SYSTEM if the system makes no thread. If
 * it makes fewer threads than the queue could use, fewer images are rendered at the same time.
 *
 * A queue belongs to the process that created it. In the child of a fork, its functions return FROST_ERROR_FORKED or do
 * nothing.
 */
frost_status frost_queue_create(
    frost_renderer *renderer, const frost_queue_options *options, frost_queue **queue);

/*
 * A function that Frost calls once for each submitted image when the image is done. The call is made on a thread of the
 * queue, before any wait for the image returns. The image no longer counts towards the queue's depth, so the callback
 * may submit the next image. status is the result. report is NULL unless status is FROST_OK, and is valid only during
 * the call. After an error, frost_error_message() describes the error.
 */
typedef void (*frost_callback)(void *user_data, frost_status status, const frost_report *report);

/*
 * Submits an image and returns without waiting. Returns FROST_BUSY if the queue is full.
 *
 * Frost reads the structs during the call; the caller may destroy the handles in them afterwards. Until the callback is
 * called or the ticket is done, the pixels must stay valid, and the program must not modify the source or access the
 * target. This call reports errors of single arguments. The ticket reports errors that frost_render() would find in the
 * combination of arguments.
 *
 * options and callback may be NULL. ticket may also be NULL, for example if the callback is enough.
 */
frost_status frost_queue_submit(
    frost_queue *queue, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_callback callback, void *user_data, frost_ticket **ticket);

/* Returns the number of submitted images that are not finished, or 0 if queue is NULL. */
size_t frost_queue_count(const frost_queue *queue);

/* Cancels all images of a queue, as frost_ticket_cancel() does for a single image. */
void frost_queue_cancel_all(frost_queue *queue);

/*
 * Waits until all images are finished and the last callback has returned. If this function is called from a callback of
 * the queue, it returns without waiting. In the child of a fork it returns FROST_ERROR_FORKED.
 */
frost_status frost_queue_wait(frost_queue *queue);

/* Cancels all images, waits for them, and destroys the queue. After this call Frost accesses no pixels of these images
 * and calls no callback. If this function is called from a callback of the queue, it does not wait. */
void frost_queue_destroy(frost_queue *queue);

/*
 * Returns the status of the image: FROST_NOT_READY until the image is done. If the status is FROST_OK, report is filled
 * in. report may be NULL. May be called repeatedly.
 */
frost_status frost_ticket_poll(const frost_ticket *ticket, frost_report *report);

/*
 * Waits for the image, at most for the given number of milliseconds, or without a limit if the number is negative.
 * Returns the same status and report as frost_ticket_poll().
 */
frost_status frost_ticket_wait(const frost_ticket *ticket, int64_t milliseconds, frost_report *report);

/*
 * Cancels the rendering of the image. The image is done within a few milliseconds. Its status is then FROST_CANCELLED,
 * unless the image was done before this call.
 */
void frost_ticket_cancel(frost_ticket *ticket);

/* Destroys a ticket. Does not cancel the image. */
void frost_ticket_destroy(frost_ticket *ticket);

#ifdef __cplusplus
}
#endif

#endif
