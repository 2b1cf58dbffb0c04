/*
 * frost.h - the C interface of Frost, a library that blurs images on a GPU (EGL and OpenGL ES) or on the CPU.
 *
 * Conventions for every function below:
 *
 * - Errors: a function that can fail returns a frost_status. FROST_OK is 0; errors are negative. After an error,
 *   frost_error_message() on the same thread describes the error. Results are returned through the last parameters, and
 *   only if the status is FROST_OK.
 * - Invalid arguments: Frost returns an error for NULL, for structs that are too short, and for sizes and numbers out
 *   of range; it does not crash. Frost cannot check pointers and handles: the caller must ensure that pointers refer to
 *   live memory and that handles have not been destroyed.
 * - Handles: handles are opaque, and each is destroyed exactly once. Every destroy function accepts NULL and then does
 *   nothing. If a handle was created from another handle, as a queue is created from a renderer, the two handles may be
 *   destroyed in any order.
 * - Structs: each struct begins with struct_size. The caller sets struct_size to the sizeof the struct; the
 *   FROST_..._INIT macros do this and set the other fields to their defaults. A field that is 0 has its default value
 *   unless its comment states otherwise. Later versions of Frost add fields at the end and still accept structs of this
 *   version.
 * - fork(): a process may fork while its threads render. In the child, rendering on the CPU works as before. Calls that
 *   need the parent's GPU or a queue of the parent return FROST_ERROR_FORKED. Handles of the child may be destroyed.
 * - Strings: all strings are UTF-8 and zero-terminated.
 * - Global state: except for frost_set_log(), no call changes global state that another call depends on.
 *
 * docs/Embedding-C.md has an example, docs/Compositors.md states what live backdrops cost, and
 * docs/Embedding-Python.md describes the Python interface.
 */
#ifndef FROST_H
#define FROST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version, errors --------------------------------------------------------------------------------------------- */

/* The version of this header: as "major.minor.patch", and its parts as numbers that the preprocessor can compare.
 * frost_version() returns the version of the library. */
#define FROST_VERSION "0.1.0"
#define FROST_VERSION_MAJOR 0
#define FROST_VERSION_MINOR 1
#define FROST_VERSION_PATCH 0

/*
 * Returns the version of the library, such as "0.1.0". The string lives as long as the library.
 * Thread-safety: may be called from any thread.
 */
const char *frost_version(void);

/*
 * The status of a call: one of the FROST_... values below. 0 is success. Positive values are not errors; they mean that
 * the work was not done. Negative values are errors.
 */
typedef int32_t frost_status;
enum {
    /* The call succeeded. */
    FROST_OK = 0,
    /* The work is not finished yet. Call again later, or wait with a longer time limit. */
    FROST_NOT_READY = 1,
    /* The queue is full. Nothing was submitted. */
    FROST_BUSY = 2,
    /* The work was cancelled on the caller's request. The content of the target image is undefined. */
    FROST_CANCELLED = 3,
    /* An argument is invalid: NULL, a struct that is too short, an unknown constant, or pixel memory that is too small
     * or overlaps with other pixel memory. */
    FROST_ERROR_ARGUMENT = -1,
    /* The effect, the transition or one of its parameters is unknown, or a value is out of range. */
    FROST_ERROR_PARAMETER = -2,
    /* An image's size or format is invalid, or the sizes or formats of two images do not match. */
    FROST_ERROR_PIXELS = -3,
    /* Frost found no usable GPU although the caller required one. Also returned if the caller's own GL context is not
     * current on this thread. */
    FROST_ERROR_NO_DEVICE = -4,
    /* The caller required a GPU, and that GPU failed during the work. */
    FROST_ERROR_DEVICE_FAILED = -5,
    /* A texture, framebuffer or dma-buf does not match its description, or cannot be used for this purpose. Nothing was
     * drawn. */
    FROST_ERROR_SURFACE = -6,
    /* The operating system refused a timer, a file descriptor or a thread. */
    FROST_ERROR_SYSTEM = -7,
    /* A parent of this process has used the GPU or the queue before fork(). In the child, only rendering on the CPU
     * works. */
    FROST_ERROR_FORKED = -8,
    /* An encoded picture is damaged, truncated or not supported. Only the functions of frost_images.h return this and the
     * two following values. */
    FROST_ERROR_UNREADABLE = -9,
    /* An encoded picture exceeds a limit of size, memory or time. */
    FROST_ERROR_OVER_LIMIT = -10,
    /* The format of the result cannot hold the picture. */
    FROST_ERROR_UNWRITABLE = -11
};

/*
 * Returns the English name of a status, such as "busy" for FROST_BUSY. Never returns NULL; an undefined status has the
 * name "unknown status".
 * Thread-safety: may be called from any thread.
 */
const char *frost_status_name(frost_status status);

/*
 * Returns a one-line description of the last failed call on the calling thread, or "" if no call has failed on this
 * thread. The string is valid until the thread's next call of a Frost function.
 * Thread-safety: may be called from any thread; each thread has its own message.
 */
const char *frost_error_message(void);

/* ---- The log ----------------------------------------------------------------------------------------------------- */

/* The importance of a log message. */
enum {
    /* Work failed, or the GL driver reports a serious error. */
    FROST_LOG_ERROR = 0,
    /* Frost continues in another way than requested: the CPU replaces a GPU, a GPU is opened again, or a stored GL
     * program cannot be used. */
    FROST_LOG_WARNING = 1,
    /* What Frost has found and chosen once, such as the GPU that it opened. */
    FROST_LOG_INFO = 2,
    /* What Frost does for single images and programs, with the reason for each choice of a backend; and all notes of
     * the GL driver. */
    FROST_LOG_DEBUG = 3
};

/*
 * A function that receives the messages of the log. level is a FROST_LOG_... constant. message is English text for
 * people, whose wording may change with every version; it is valid only during the call.
 * Thread-safety: Frost calls the function from any thread, including threads of GL drivers, but never from two threads
 * at the same time. The function may call functions of Frost; what these calls would log is dropped. The work that logs
 * waits for the function.
 */
typedef void (*frost_log_callback)(void *user_data, int32_t level, const char *message);

/*
 * Sets the function that receives the messages of all Frost calls in the process, up to a level: FROST_LOG_ERROR for
 * the most important ones only, FROST_LOG_DEBUG for all. NULL switches the log off, which is the default. When the call
 * returns, the earlier function is not running and will not be called again.
 *
 * Messages tell which backend was chosen and why, when the CPU replaces a GPU and why, what the GL driver reports
 * (KHR_debug, only in contexts that Frost creates, and not in those of frost_gl_create()), and which stored GL programs
 * could not be used. Frost writes nothing to standard output or standard error.
 *
 * Returns FROST_ERROR_ARGUMENT if level is unknown, or if the call comes from the log callback; nothing has changed
 * then. Thread-safety: may be called from any thread.
 */
frost_status frost_set_log(frost_log_callback callback, int32_t level, void *user_data);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/*
 * A list of all EGL devices and platforms that Frost tried to open, with the result for each. `frost devices` prints
 * the same list.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_device_list frost_device_list;

enum {
    /* Frost can create an OpenGL ES context on the device. */
    FROST_DEVICE_USABLE = 0,
    /* Frost cannot use the device; frost_device_info.reason explains why. */
    FROST_DEVICE_UNUSABLE = 1,
    /* The entry is the same device as an earlier entry of the list. */
    FROST_DEVICE_DUPLICATE = 2
};

/* Describes one entry of a frost_device_list. Text fields that are not known are "". */
typedef struct frost_device_info {
    size_t struct_size;
    /* FROST_DEVICE_USABLE, FROST_DEVICE_UNUSABLE or FROST_DEVICE_DUPLICATE. */
    int32_t status;
    /* The device's position in the list, from 0. frost_renderer_options.device accepts the position as a decimal
     * number. */
    int32_t index;
    /* The index of the earlier entry for the same device, if status is FROST_DEVICE_DUPLICATE. */
    int32_t duplicate_of;
    /* 1 if the device is usable and its GL driver runs on the CPU (software rendering), otherwise 0. */
    int32_t is_software;
    /* 1 if FROST_BACKEND_AUTO uses this device for images that it blurs faster than the CPU, otherwise 0. */
    int32_t is_automatic;
    int32_t reserved;
    /* A stable name of the device. For an entry that is not usable or a duplicate, this is the name of the device or
     * platform that Frost tried to open. */
    char id[128];
    /* The EGL platform that Frost opened the device with: "device", "gbm" or "surfaceless". */
    char platform[32];
    /* The path of the DRM render node, such as "/dev/dri/renderD128", and the PCI address. */
    char render_node[64], pci_path[64];
    /* The GL strings of the driver: GL_VENDOR, GL_RENDERER and GL_VERSION. */
    char vendor[128], renderer[256], version[128];
    /* The reason why the device is not usable, if status is FROST_DEVICE_UNUSABLE. */
    char reason[256];
} frost_device_info;

/* Initialises a frost_device_info: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_DEVICE_INFO_INIT \
    { sizeof(frost_device_info), 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }

/*
 * Creates a list of all devices. Frost creates a GL context on each device, which takes about 50 ms per device. Returns
 * FROST_ERROR_NO_DEVICE if EGL is not available.
 */
frost_status frost_device_list_create(frost_device_list **list);

/* Returns the number of entries of a device list, or 0 if list is NULL. */
size_t frost_device_list_count(const frost_device_list *list);
/*
 * Fills in info for the list's entry at index, counted from 0. Returns FROST_ERROR_ARGUMENT if index is out of range.
 */
frost_status frost_device_list_describe(const frost_device_list *list, size_t index, frost_device_info *info);
/* Destroys a device list. Does nothing if list is NULL. */
void frost_device_list_destroy(frost_device_list *list);

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
    /*
     * The number of threads for work on the CPU, 1 to 256. 0 means the value of the environment variable OMP_NUM_THREADS,
     * or else the number of processors that the process may use: affinity and quotas of control groups count.
     */
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

/* Initialises a frost_renderer_options: sets struct_size, and all other fields to their defaults. */
#define FROST_RENDERER_OPTIONS_INIT { sizeof(frost_renderer_options), FROST_BACKEND_AUTO, 0, NULL, 0 }

/*
 * Returns the number of threads that renderers use if their options say 0: 1 to 256. It is determined once.
 * Thread-safety: may be called from any thread.
 */
int32_t frost_default_threads(void);

/* Creates a renderer. options may be NULL, which means the defaults. Takes about 50 ms if the options require a GPU. */
frost_status frost_renderer_create(const frost_renderer_options *options, frost_renderer **renderer);

/*
 * Prepares a renderer that has FROST_BACKEND_AUTO: opens a GPU and compiles the programs that most blurs need. Without
 * this call the renderer opens the GPU after it has rendered enough images. The call takes up to half a second. Does
 * nothing for other backends. channels (FROST_CHANNELS_...) and sample (FROST_SAMPLE_...) describe the images that the
 * caller is going to render.
 */
frost_status frost_renderer_prepare(frost_renderer *renderer, int32_t channels, int32_t sample);

/*
 * Destroys a renderer without waiting. Renders that are in progress on other threads still complete. Does nothing if
 * renderer is NULL.
 */
void frost_renderer_destroy(frost_renderer *renderer);

/*
 * Memory for pixels that the GPU of a renderer reads and writes over the bus by itself, if it can. Images in this memory are
 * transferred without a copy by the CPU if they are 8-bit RGBA and their rows are multiples of 4 bytes. All functions
 * recognise the memory by its address. Other images, other renderers and the CPU use it like any other memory.
 * Pinned memory cannot be swapped out: allocate it once for many images.
 * Thread-safety: may be used and destroyed on any thread.
 */
typedef struct frost_buffer frost_buffer;

/*
 * Allocates memory of 1 byte to 4 GiB with undefined content. With FROST_BACKEND_AUTO, this call opens the GPU. The buffer
 * may outlive the renderer.
 */
frost_status frost_buffer_create(frost_renderer *renderer, size_t byte_count, frost_buffer **buffer);

/* Returns the memory, aligned to at least 64 bytes; NULL if buffer is NULL. It is valid until the buffer is destroyed. */
void *frost_buffer_bytes(const frost_buffer *buffer);

/* Whether the GPU reads and writes the memory by itself (1). If not (0), it is ordinary memory: the renderer uses no GPU, its
 * GPU draws on the CPU, or its driver does not have GL_EXT_buffer_storage. */
int32_t frost_buffer_is_pinned(const frost_buffer *buffer);

/* Frees the memory. No call may still use it. Does nothing if buffer is NULL. */
void frost_buffer_destroy(frost_buffer *buffer);

/* ---- Pixels in the caller's memory ------------------------------------------------------------------------------- */

/* The channels of a pixel, in the order in which they are stored in memory. */
enum {
    FROST_CHANNELS_RGBA = 0,
    FROST_CHANNELS_BGRA = 1,
    FROST_CHANNELS_RGB = 2,
    FROST_CHANNELS_GREY = 3,
    FROST_CHANNELS_GREY_ALPHA = 4
};

/*
 * The data type of one sample (one channel of one pixel), in the machine's byte order. For the integer types, full
 * scale (1.0) is the largest value: 255 or 65535. F16 and F32 are IEEE 754 floats of 16 and 32 bits; they may be
 * negative or larger than 1.0. Values that are written as F16 are rounded to the nearest number, ties to even.
 */
enum { FROST_SAMPLE_U8 = 0, FROST_SAMPLE_U16 = 1, FROST_SAMPLE_F32 = 2, FROST_SAMPLE_F16 = 3 };

/*
 * Whether the colour values are already multiplied by alpha (premultiplied) or not (straight). Ignored for formats
 * without an alpha channel.
 */
enum { FROST_ALPHA_STRAIGHT = 0, FROST_ALPHA_PREMULTIPLIED = 1 };

/* A rectangle of whole pixels. x and y are the top left corner; y increases downwards. */
typedef struct frost_rect {
    int32_t x, y, width, height;
} frost_rect;

/*
 * An image in the caller's memory that Frost reads. Rows are stored from top to bottom; row y begins at the address
 * pixels + y * bytes_per_row. Frost does not read the bytes between the end of one row and the start of the next, so an
 * image may be a part of a larger one. channels, sample and alpha are FROST_CHANNELS_..., FROST_SAMPLE_... and
 * FROST_ALPHA_... constants. reserved is 0.
 */
typedef struct frost_source {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    /* The distance in bytes between the starts of two rows: at least width * number of channels * size of a sample, and
     * a multiple of the sample's size. 0 means rows without padding. */
    size_t bytes_per_row;
    /* The address of the first row, aligned to the size of a sample. */
    const void *pixels;
    /* The number of readable bytes from pixels on: at least (height - 1) * bytes_per_row plus the bytes of the last
     * row's pixels. */
    size_t byte_count;
} frost_source;

/* Initialises a frost_source: sets struct_size and the format RGBA, 8 bits, straight alpha. All other fields are 0. */
#define FROST_SOURCE_INIT \
    { sizeof(frost_source), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/*
 * An image in the caller's memory that Frost writes. The fields have the same meaning as in frost_source, except that
 * Frost writes to pixels. Frost does not write the bytes between the end of one row and the start of the next.
 */
typedef struct frost_target {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    size_t bytes_per_row;
    void *pixels;
    size_t byte_count;
} frost_target;

/* Initialises a frost_target: sets struct_size and the format RGBA, 8 bits, straight alpha. All other fields are 0. */
#define FROST_TARGET_INIT \
    { sizeof(frost_target), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/*
 * A mask image that gives the strength of an effect at each pixel, from 0 to 1, for effects whose mask is an image. The
 * strength is the image's alpha if it has an alpha channel, otherwise its luma. The mask image is scaled to the size of
 * the image that the effect is applied to.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_mask frost_mask;

/* Creates a mask from an image. Frost copies the pixels, so the caller may free them after the call. */
frost_status frost_mask_create(const frost_source *picture, frost_mask **mask);
/* Destroys a mask. Does nothing if mask is NULL. */
void frost_mask_destroy(frost_mask *mask);

/* ---- Effects ----------------------------------------------------------------------------------------------------- */

/*
 * An effect: a blur, followed by output stages such as colour changes, a mask, content, a clip and dither.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_effect frost_effect;

/*
 * The edge mode: the values that a blur reads outside the image. CLAMP reads the nearest pixel of the image, MIRROR the
 * reflected image, REPEAT the periodically repeated image, CLEAR transparent black.
 */
enum { FROST_EDGE_CLAMP = 0, FROST_EDGE_MIRROR = 1, FROST_EDGE_REPEAT = 2, FROST_EDGE_CLEAR = 3 };

enum {
    /* Dither is on for named effects, and off for effects of frost_effect_create_gaussian() and for "gaussian". */
    FROST_DITHER_DEFAULT = 0,
    /* The result is rounded to the nearest value. */
    FROST_DITHER_OFF = 1,
    /* Pseudo-random offsets of less than one step of the sample type are added to the colours before the result is
     * rounded. Dither hides the contours that 8 bits show in smooth gradients. */
    FROST_DITHER_ON = 2
};

enum {
    /* Blurs the stored (encoded) sample values directly, as most software does. */
    FROST_LIGHT_ENCODED = 0,
    /* Decodes the sample values from sRGB to linear light, and blurs the linear light. The values of a frost_gl_source
     * are decoded by its own transfer function. */
    FROST_LIGHT_LINEAR = 1
};

/* Options of the functions that create an effect. */
typedef struct frost_effect_options {
    size_t struct_size;
    /* FROST_DITHER_DEFAULT, FROST_DITHER_OFF or FROST_DITHER_ON. */
    int32_t dither;
    /* FROST_LIGHT_ENCODED or FROST_LIGHT_LINEAR. */
    int32_t light;
} frost_effect_options;

/* Initialises a frost_effect_options: sets struct_size, and all other fields to their defaults. */
#define FROST_EFFECT_OPTIONS_INIT { sizeof(frost_effect_options), FROST_DITHER_DEFAULT, FROST_LIGHT_ENCODED }

/*
 * Creates an effect by name: "gaussian", or any name that `frost effects` lists. parameters is a list of "name=value"
 * pairs separated by spaces, such as "radius=24 edge=mirror"; NULL and "" select the defaults. options may be NULL,
 * which means the defaults. With seed=0, the default, "redact" uses a secret key of the process. In memory, the same picture
 * gives the same result; on textures and backdrops, the shift of a cell depends on its position alone.
 */
frost_status frost_effect_create(
    const char *name, const char *parameters, const frost_effect_options *options, frost_effect **effect);

/*
 * Creates a plain Gaussian blur. sigma_x and sigma_y are standard deviations in pixels of the input image, 0 to 1000.
 * edge is a FROST_EDGE_... constant. options may be NULL, which means the defaults.
 */
frost_status frost_effect_create_gaussian(
    double sigma_x, double sigma_y, int32_t edge, const frost_effect_options *options, frost_effect **effect);

/* Content: an image that is drawn over the result of an effect, such as text or an icon. */
typedef struct frost_content {
    size_t struct_size;
    /* The image to draw. */
    const frost_source *picture;
    /* The name of a vibrancy, such as "label", or NULL. NULL draws the image in its own colours. With a vibrancy, Frost
     * uses only the alpha of the image. Only effects that are light or dark styles have vibrancies. */
    const char *vibrancy;
    /* How the image is placed in its bounds: the name of a content mode, with the same meaning as in UIKit. NULL means
     * "scale-to-fill". The names are "scale-to-fill", "aspect-fit", "aspect-fill", "center", "top", "bottom", "left",
     * "right", "top-left", "top-right", "bottom-left" and "bottom-right". */
    const char *mode;
    /* The rectangle that the content is placed in, in pixels of the image that the effect is applied to. An empty
     * rectangle means the whole image. */
    frost_rect bounds;
} frost_content;

/* Initialises a frost_content: sets struct_size, and all other fields to their defaults. */
#define FROST_CONTENT_INIT { sizeof(frost_content), NULL, NULL, NULL, { 0, 0, 0, 0 } }

/*
 * Creates a copy of an effect that also draws the given content. New content is drawn over the content that the effect
 * already has. Frost copies the pixels of the content.
 */
frost_status frost_effect_add_content(
    const frost_effect *effect, const frost_content *content, frost_effect **result);

/* A rectangle with rounded corners, in pixels of the image that the effect is applied to. */
typedef struct frost_rounded_rect {
    /* The top left corner and the size. Magnitudes are at most 2^30. */
    double x, y, width, height;
    /* The radius of the corners, from 0 to half the shorter side. */
    double radius;
} frost_rounded_rect;

/*
 * Creates a copy of an effect that is visible only inside the given rectangles. The rectangles replace the effect's
 * previous rectangles; if count is 0, the effect is visible everywhere. Outside the rectangles the result equals the
 * original image, byte for byte. Pixels that a rectangle covers partly are a mixture of the effect and the original
 * image. The call is cheap enough for every frame. To render a single panel, also set the region to the smallest
 * rectangle of whole pixels around the panel. count is at most 65536; a GPU supports fewer rectangles.
 */
frost_status frost_effect_clip(
    const frost_effect *effect, const frost_rounded_rect *rects, size_t count, frost_effect **result);

enum {
    /* A quarter circle. */
    FROST_CORNERS_CIRCULAR = 0,
    /* An arc between two transitions, along which the curvature falls to 0. The parameter is the smoothing, 0 to 1; 0
     * in the struct means 0.6, which is close to the corners of iOS. On each side a corner takes 1 + smoothing
     * radii. */
    FROST_CORNERS_CONTINUOUS = 1,
    /* A superellipse. The parameter is its exponent, 1 to 16; 0 in the struct means 4, a squircle. 2 is a circle. */
    FROST_CORNERS_SUPERELLIPSE = 2
};

/* A rectangle with rounded corners of any curve, in pixels of the image that the effect is applied to. */
typedef struct frost_shape {
    size_t struct_size;
    /* The top left corner and the size. Magnitudes are at most 2^30. */
    double x, y, width, height;
    /* The radius of the corners, from 0 to half the shorter side; for FROST_CORNERS_CONTINUOUS, half the shorter side
     * divided by 1 + smoothing. */
    double corner_radius;
    /* The smoothing or the exponent; 0 for the default of the curve. */
    double corner_parameter;
    /* The curve of the corners: a FROST_CORNERS_... constant. */
    int32_t corner_curve;
    int32_t reserved;
} frost_shape;

/* Initialises a frost_shape: sets struct_size, and all other fields to 0. */
#define FROST_SHAPE_INIT { sizeof(frost_shape), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, FROST_CORNERS_CIRCULAR, 0 }

/*
 * Does the same as frost_effect_clip() for rectangles whose corners may have any curve. All shapes must have the same
 * struct_size; it is the stride of the array.
 */
frost_status frost_effect_clip_shapes(
    const frost_effect *effect, const frost_shape *shapes, size_t count, frost_effect **result);

/*
 * Returns 1 if two effects are equal, otherwise 0. Effects are equal if they were created with the same name,
 * parameters, options, rectangles and content; different pixels of a content make effects different. Also returns 0 if
 * an argument is NULL.
 */
int32_t frost_effect_equal(const frost_effect *first, const frost_effect *second);

/*
 * Returns a number that is the same for equal effects, for use in hash tables; 0 if effect is NULL. The number differs
 * between runs of a program, so do not store it.
 */
uint64_t frost_effect_hash(const frost_effect *effect);

/* Destroys an effect. Does nothing if effect is NULL. */
void frost_effect_destroy(frost_effect *effect);

/* ---- The list of effects ----------------------------------------------------------------------------------------- */

/* Describes an effect that frost_effect_create() accepts. The strings live as long as the library. */
typedef struct frost_effect_info {
    size_t struct_size;
    const char *name;
    /* The API that the effect is modelled on, such as "UIBlurEffect". */
    const char *family;
    /* A one-line description of the effect. */
    const char *summary;
    /* The number of parameters; frost_effect_describe_parameter() describes each. */
    size_t parameter_count;
} frost_effect_info;

/* Initialises a frost_effect_info: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_EFFECT_INFO_INIT { sizeof(frost_effect_info), NULL, NULL, NULL, 0 }

enum { FROST_PARAMETER_NUMBER = 0, FROST_PARAMETER_COLOR = 1, FROST_PARAMETER_CHOICE = 2 };

/* Describes one parameter of an effect or of a transition. The strings live as long as the library. */
typedef struct frost_parameter_info {
    size_t struct_size;
    const char *name;
    /* A one-line description of the parameter. */
    const char *help;
    /* The default value, in the form that frost_effect_create() and frost_transition_create() accept. */
    const char *default_value;
    /* The unit of a number, such as "points", "pixels", "fraction" or "degrees"; "" for a number without a unit. "" for
     * other kinds. */
    const char *unit;
    /* The accepted words of a choice, separated by spaces. "" for other kinds. */
    const char *choices;
    /* The range of a number. 0 for other kinds. */
    double minimum, maximum;
    int32_t kind;
    int32_t reserved;
} frost_parameter_info;

/* Initialises a frost_parameter_info: sets struct_size. Frost reads only struct_size and overwrites the other
 * fields. */
#define FROST_PARAMETER_INFO_INIT { sizeof(frost_parameter_info), NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0, 0 }

/*
 * Returns the number of effects that frost_effect_create() accepts.
 * Thread-safety: may be called from any thread.
 */
size_t frost_effect_count(void);
/*
 * Fills in info for an effect, counted from 0. Returns FROST_ERROR_ARGUMENT if the index is out of range.
 * Thread-safety: may be called from any thread.
 */
frost_status frost_effect_describe(size_t effect, frost_effect_info *info);
/*
 * Fills in info for a parameter of an effect; both are counted from 0. Returns FROST_ERROR_ARGUMENT if an index is out
 * of range.
 * Thread-safety: may be called from any thread.
 */
frost_status frost_effect_describe_parameter(size_t effect, size_t parameter, frost_parameter_info *info);

/* ---- Rendering --------------------------------------------------------------------------------------------------- */

/*
 * A cancellation flag. Functions that were given the flag stop within about 10 milliseconds after
 * frost_cancellation_cancel() is called, on every backend, and return FROST_CANCELLED. Three steps cannot be
 * interrupted: opening a GPU, compiling a GL program, and waiting for another thread's work on the same renderer's GPU.
 * On software GL, work with a flag waits for its draws piece by piece. The flag cannot be reset: create one for each
 * piece of work that is cancelled separately. Thread-safety: may be used from any thread.
 */
typedef struct frost_cancellation frost_cancellation;

/* Creates a cancellation flag that is not set. */
frost_status frost_cancellation_create(frost_cancellation **cancellation);
/* Sets the flag: requests that all work with this cancellation flag stop. */
void frost_cancellation_cancel(frost_cancellation *cancellation);
/* Destroys a cancellation flag. Does nothing if cancellation is NULL. */
void frost_cancellation_destroy(frost_cancellation *cancellation);

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

/* Initialises a frost_render_options: sets struct_size, and all other fields to their defaults. */
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
} frost_report;

/* Initialises a frost_report: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_REPORT_INIT { sizeof(frost_report), 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, { 0 }, { 0 }, { 0 }, 0.0 }

/*
 * Fills in target with the layout that the effect's result needs for a source: width, height, channels, sample, alpha,
 * bytes_per_row (without padding) and byte_count. The target's format may differ from the source's format: it has an
 * alpha channel if the effect blurs transparent edges into the image, and it has colour channels if the effect colours
 * a grey image. pixels is not changed. The source's pixels may be NULL. region may be NULL, which selects the effect's
 * own rectangle.
 */
frost_status frost_effect_describe_target(
    const frost_effect *effect, const frost_source *source, const frost_rect *region, frost_target *target);

/*
 * Computes the error bound of an effect without rendering it: the maximum difference of any value of the result from
 * the exact effect before rounding, in 8-bit steps (1/255 of full scale). The source's pixels may be NULL. options may
 * be NULL, which means the defaults.
 */
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
 *
 * options and report may be NULL.
 */
frost_status frost_render(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

/* ---- Masked reveal ----------------------------------------------------------------------------------------------- */

/*
 * A picture, and the result of an effect on it, which is computed once. A frame shows the result inside shapes, and the
 * picture outside them. Moving the shapes runs no pass: a frame is a copy of pixels. The object keeps two images, the
 * picture and the result.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_reveal frost_reveal;

/*
 * Applies an effect to a whole picture. Frost copies the picture, so the caller's pixels are not needed after the call.
 * Effects whose result is larger than the picture are refused (FROST_ERROR_PARAMETER). region of options must be NULL.
 * options and report may be NULL.
 */
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

/* Destroys a reveal. Does nothing if reveal is NULL. */
void frost_reveal_destroy(frost_reveal *reveal);

/* ---- Transitions ------------------------------------------------------------------------------------------------- */

/*
 * A transition from one image to another. It is rendered one frame at a time, for a time from 0 to 1. The frame at time
 * 0 is the first image, and the frame at time 1 is the second image.
 *
 * Both images lie with their top left corners at the origin, and each is transparent outside its rectangle. Their sizes
 * may differ.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_transition frost_transition;

/* Options of frost_transition_create(). */
typedef struct frost_transition_options {
    size_t struct_size;
    /* The rectangle in which the transition takes place, in pixels. Centres, directions and distances refer to it. NULL
     * means the rectangle of the first image. */
    const frost_rect *extent;
    /* The rectangle to which the shadow of a page curl is limited, in pixels. NULL means the extent. */
    const frost_rect *shadow_extent;
    /* FROST_LIGHT_ENCODED or FROST_LIGHT_LINEAR: how the images are mixed. */
    int32_t light;
    int32_t reserved;
} frost_transition_options;

/* Initialises a frost_transition_options: sets struct_size, and all other fields to their defaults. */
#define FROST_TRANSITION_OPTIONS_INIT { sizeof(frost_transition_options), NULL, NULL, FROST_LIGHT_ENCODED, 0 }

/*
 * Creates a transition by name: any name that `frost transitions` lists. parameters is a list of "name=value" pairs
 * separated by spaces, such as "angle=45 width=80"; NULL and "" select the defaults. options may be NULL, which means
 * the defaults. Frost copies the rectangles.
 */
frost_status frost_transition_create(
    const char *name, const char *parameters, const frost_transition_options *options, frost_transition **transition);

/* Returns 1 if two transitions are equal, otherwise 0, as frost_effect_equal() does for effects. */
int32_t frost_transition_equal(const frost_transition *first, const frost_transition *second);

/* Returns a number that is the same for equal transitions, as frost_effect_hash() does for effects. */
uint64_t frost_transition_hash(const frost_transition *transition);

/* Destroys a transition. Does nothing if transition is NULL. */
void frost_transition_destroy(frost_transition *transition);

/* The images that a transition can use in addition to the two images. Each is one bit. */
enum {
    /* A mask, which is stretched over the extent. A transition that can use a mask needs one. */
    FROST_EXTRA_MASK = 1,
    /* A picture of a shaded sphere that fills the picture. It gives the colour of the light for each direction of a
     * surface. */
    FROST_EXTRA_SHADING = 2,
    /* The back of a page, which is stretched over the first image's rectangle. */
    FROST_EXTRA_BACKSIDE = 4
};

/* Describes a transition that frost_transition_create() accepts. The strings live as long as the library. */
typedef struct frost_transition_info {
    size_t struct_size;
    const char *name;
    /* The filter of Core Image that the transition recreates, such as "CIFlashTransition". */
    const char *filter;
    /* A one-line description of the transition. */
    const char *summary;
    /* The number of parameters; frost_transition_describe_parameter() describes each. */
    size_t parameter_count;
    /* The extra images that the transition can use: the sum of their FROST_EXTRA_... constants. */
    uint32_t extra_images;
    uint32_t reserved;
} frost_transition_info;

/* Initialises a frost_transition_info: sets struct_size. Frost reads only struct_size and overwrites the other
 * fields. */
#define FROST_TRANSITION_INFO_INIT { sizeof(frost_transition_info), NULL, NULL, NULL, 0, 0, 0 }

/*
 * Returns the number of transitions that frost_transition_create() accepts.
 * Thread-safety: may be called from any thread.
 */
size_t frost_transition_count(void);
/*
 * Fills in info for a transition, counted from 0. Returns FROST_ERROR_ARGUMENT if the index is out of range.
 * Thread-safety: may be called from any thread.
 */
frost_status frost_transition_describe(size_t transition, frost_transition_info *info);
/*
 * Fills in info for a parameter of a transition; both are counted from 0. Returns FROST_ERROR_ARGUMENT if an index is
 * out of range.
 * Thread-safety: may be called from any thread.
 */
frost_status frost_transition_describe_parameter(size_t transition, size_t parameter, frost_parameter_info *info);

/* Options of frost_render_transition(). */
typedef struct frost_transition_render_options {
    size_t struct_size;
    /* The rectangle of the frame to compute, in pixels. It may extend outside the images, where the frame is
     * transparent. NULL selects the smallest rectangle that contains both images. */
    const frost_rect *region;
    /* The extra images; NULL for none. An image that the transition cannot use is an error. shading and backside have
     * the sample type of the two images. */
    const frost_mask *mask;
    const frost_source *shading;
    const frost_source *backside;
    /* A flag that stops the rendering when it is set; may be NULL. */
    frost_cancellation *cancellation;
} frost_transition_render_options;

/* Initialises a frost_transition_render_options: sets struct_size, and all other fields to their defaults. */
#define FROST_TRANSITION_RENDER_OPTIONS_INIT \
    { sizeof(frost_transition_render_options), NULL, NULL, NULL, NULL, NULL }

/*
 * Fills in target with the layout that a frame of the transition needs: width, height, channels, sample, alpha,
 * bytes_per_row (without padding) and byte_count. The frame has all channels that either image has. It has an alpha
 * channel if the sizes of the images differ, and colour channels if the transition draws a colour that is not grey.
 * pixels is not changed. The pixels of from, to, shading and backside may be NULL. options may be NULL.
 */
frost_status frost_transition_describe_target(
    const frost_transition *transition, const frost_source *from, const frost_source *to,
    const frost_transition_render_options *options, frost_target *target);

/*
 * Renders the frame of a transition at a time from 0 to 1, and returns when the target is complete.
 *
 * from is the image at time 0, and to is the image at time 1. Both have the same sample type. The target has the size
 * of the region, the sample type of the images, and the colour channels that frost_transition_describe_target()
 * returns. It needs an alpha channel if that function returns one. Its channel order (RGBA or BGRA) and its alpha mode
 * may differ; only without such a difference are the frames at time 0 and 1 exact copies. The target must not share a
 * pixel with any of the images. After an error the content of the target is undefined.
 *
 * With FROST_BACKEND_AUTO the CPU renders transitions, which takes little more time than a copy. The report states
 * which backend rendered the frame. The result does not depend on the number of threads. options and report may be
 * NULL.
 */
frost_status frost_render_transition(
    frost_renderer *renderer, const frost_transition *transition, double time, const frost_source *from,
    const frost_source *to, const frost_target *target, const frost_transition_render_options *options,
    frost_report *report);

/* ---- Live backdrops ---------------------------------------------------------------------------------------------- */

/*
 * A backdrop shows panels of frosted glass over an image that changes over time. The host reports which parts of its
 * image have changed and renders the backdrop whenever it draws a frame; Frost recomputes only what the changes affect.
 * The pixels of a panel are bit for bit those that frost_render() computes for its effect; they do not depend on
 * earlier frames.
 *
 * Memory: for each different blur, a backdrop keeps an intermediate image. It has a quarter of the pixels of the host's
 * image. For RGBA it needs 8 or 16 bytes per pixel.
 *
 * Thread-safety: one thread at a time may use a backdrop. A backdrop of a frost_gl has the thread rules of that
 * frost_gl, except that the backdrop may be destroyed on any thread.
 */
typedef struct frost_backdrop frost_backdrop;

enum {
    /* Computes only the low-resolution samples that visible panels need. This is the least work while the image
     * changes. */
    FROST_COVERAGE_PANELS = 0,
    /* Computes all low-resolution samples. Panels that move over an unchanged image then cost no more than drawing
     * them. */
    FROST_COVERAGE_EVERYWHERE = 1
};

/* Options of the functions that create a backdrop. */
typedef struct frost_backdrop_options {
    size_t struct_size;
    /* FROST_COVERAGE_PANELS or FROST_COVERAGE_EVERYWHERE. */
    int32_t coverage;
    /* The number of threads, as in frost_renderer_options. It must be 0 for a backdrop of a frost_gl. */
    int32_t threads;
    /* The maximum allowed error, as in frost_render_options. */
    double error_budget;
} frost_backdrop_options;

/* Initialises a frost_backdrop_options: sets struct_size, and all other fields to their defaults. */
#define FROST_BACKDROP_OPTIONS_INIT { sizeof(frost_backdrop_options), FROST_COVERAGE_PANELS, 0, 0.0 }

/*
 * Creates a backdrop for images in the caller's memory. The CPU renders it. options may be NULL, which means the
 * defaults.
 */
frost_status frost_backdrop_create(const frost_backdrop_options *options, frost_backdrop **backdrop);

/*
 * Destroys a backdrop and frees its memory. GL objects of a backdrop of a frost_gl are deleted by the next call that
 * uses that frost_gl. Does nothing if backdrop is NULL.
 */
void frost_backdrop_destroy(frost_backdrop *backdrop);

/* A panel: a rectangle of the image that shows an effect. */
typedef struct frost_panel {
    size_t struct_size;
    /* The panel's rectangle, in pixels of the image. Parts outside the image are not visible. */
    frost_rect rect;
    /* The radius of the rounded corners, with the range of frost_shape.corner_radius. Outside the rounded corners the
     * original image is visible. */
    double corner_radius;
    /* The effect that the panel shows. The bounds of the effect's content are relative to the top left corner of the
     * panel's rectangle; content without bounds is placed in the whole rectangle. The panel's rounded rectangle
     * replaces the effect's clip. */
    const frost_effect *effect;
    /* A mask image that gives the strength of the effect, scaled to the panel's rectangle. It is for effects whose mask
     * is an image and for effects without a mask. May be NULL. */
    const frost_mask *mask;
    /* The curve of the corners and its parameter, as in frost_shape. */
    double corner_parameter;
    int32_t corner_curve;
    int32_t reserved;
    /* A number that identifies the panel from frame to frame, whatever its index; 0 for none. No two panels may have
     * the same number. A panel without a number continues the panel of the same index. */
    uint64_t id;
    /* Content that is drawn over the content of the effect, from the first to the last. Its bounds are relative to the
     * top left corner of rect; without bounds it is placed in all of rect. Frost copies the pixels in each call that is
     * given the panel: content that stays the same is better added to the effect once. All elements must have the same
     * struct_size. May be NULL if content_count is 0. */
    const frost_content *content;
    size_t content_count;
    /* The rectangles in which the panel shows the effect, relative to the top left corner of rect. They may overlap,
     * and their parts outside rect are ignored. Elsewhere the panel does not exist: it hides no other panel, and Frost
     * writes nothing. If region is NULL, the panel fills rect. If region is not NULL and region_count is 0, the panel
     * shows nothing. region_count is at most 65536. */
    const frost_rect *region;
    size_t region_count;
} frost_panel;

/* Initialises a frost_panel: sets struct_size, and all other fields to 0. */
#define FROST_PANEL_INIT { sizeof(frost_panel), { 0, 0, 0, 0 }, 0.0, NULL, NULL, 0.0, FROST_CORNERS_CIRCULAR, 0, 0, NULL, 0, NULL, 0 }

/*
 * Sets the panels for the following frames, from bottom to top: if two panels overlap, the later one is visible. Frost
 * compares each panel with the panel that was set before with the same id (without an id, at the same index). So an
 * unchanged panel costs nothing, and a panel that moves costs the pixels that now show something else. All panels must
 * have the same struct_size; it is the stride of the array. The caller may destroy the effects and masks after the
 * call. count is at most 4096. A few dozen panels are rendered fast. After an error the panels are unchanged.
 */
frost_status frost_backdrop_set_panels(frost_backdrop *backdrop, const frost_panel *panels, size_t count);

/*
 * Marks rectangles of the image as changed. count is at most 65536. Parts outside the image are ignored. The call
 * itself is cheap; the next frame does the work.
 */
frost_status frost_backdrop_invalidate(frost_backdrop *backdrop, const frost_rect *rects, size_t count);

/* Marks the whole image as changed, for example because the host shows a different image. */
frost_status frost_backdrop_invalidate_all(frost_backdrop *backdrop);

enum {
    /* The target still contains the last frame that Frost drew into it. Frost draws what has changed since then. If it
     * has not drawn into the target before, or if 16 or more frames have been drawn since, it draws all panels. */
    FROST_REPAINT_CHANGED = 0,
    /* The target may contain anything. Frost draws all panels. */
    FROST_REPAINT_ALL = 1,
    /* The target contains the frame that buffer_age states. Frost draws what has changed since then. */
    FROST_REPAINT_AGED = 2
};

/* Options of the functions that render a frame of a backdrop. */
typedef struct frost_frame_options {
    size_t struct_size;
    /* FROST_REPAINT_CHANGED, FROST_REPAINT_ALL or FROST_REPAINT_AGED. */
    int32_t repaint;
    int32_t reserved;
    /* The cancellation flag of this frame; may be NULL. After a cancelled frame, the next frame does the remaining
     * work. */
    frost_cancellation *cancellation;
    /* A number that identifies the target among the buffers of a swap chain. If it is 0, the address of the pixels or
     * the GL name of the target identifies it. Framebuffer 0 is all buffers of a window: number them or state their
     * age. */
    uint64_t buffer;
    /* For FROST_REPAINT_AGED: 1 if the target contains the last frame of this backdrop, 2 for the frame before, and so
     * on; 0 if its content is unknown. This is the value of EGL_BUFFER_AGE_EXT, if the program renders the backdrop
     * once for each frame that it presents. For an age of 0 or above 16, and for an unknown buffer number, Frost draws
     * all panels. Must be 0 with the other values of repaint. */
    int64_t buffer_age;
} frost_frame_options;

/* Initialises a frost_frame_options: sets struct_size, and all other fields to their defaults. */
#define FROST_FRAME_OPTIONS_INIT { sizeof(frost_frame_options), FROST_REPAINT_CHANGED, 0, NULL, 0, 0 }

/* The cost of a frame. If nothing has changed, all fields except error_bound and buffer_age are 0. */
typedef struct frost_frame_report {
    size_t struct_size;
    /* level_passes: the number of passes over low-resolution images. All panels with the same blur share these images.
     * panel_passes: the number of passes that ran for a single panel, over the panel's own area. */
    uint64_t level_passes, panel_passes;
    /* level_samples: the number of low-resolution samples that were computed. panel_pixels: the number of pixels that
     * were written to the target. */
    uint64_t level_samples, panel_pixels;
    /* The numbers of rectangles that frost_backdrop_updated() and frost_backdrop_uncovered() return. */
    size_t updated_count, uncovered_count;
    /* The maximum error bound of all panels, in the unit of frost_report.error_bound. */
    double error_bound;
    /* The age of the target's content, from which the frame was drawn: 1 if the target contained the last frame. 0 if
     * all panels were drawn, because the content was unknown or too old. */
    int64_t buffer_age;
} frost_frame_report;

/* Initialises a frost_frame_report: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_FRAME_REPORT_INIT { sizeof(frost_frame_report), 0, 0, 0, 0, 0, 0, 0.0, 0 }

/*
 * Renders a frame: brings the target up to date. Frost writes only pixels that belong to panels; if nothing has
 * changed, no pass runs.
 *
 * The source may differ from the source of the last frame only where the caller has invalidated it. A source of another
 * size or format counts as a different image. The target has the size and sample type of the source and the same colour
 * channels; its channel order (RGBA or BGRA) and its alpha mode may differ. It has an alpha channel if the source has
 * one. Source and target must not share memory. After an error the next frame does the remaining work. options and
 * report may be NULL.
 */
frost_status frost_backdrop_render(
    frost_backdrop *backdrop, const frost_source *source, const frost_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/*
 * Returns the rectangles of the target that the last successful frame wrote. If frames failed directly before the last
 * successful frame, the rectangles that they wrote are included. The rectangles do not overlap. *count is the total
 * number of rectangles; at most capacity of them are copied to rects. rects may be NULL if capacity is 0.
 */
frost_status frost_backdrop_updated(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/*
 * Returns the rectangles of the target in which it may show panels that are no longer there; the host redraws its image
 * there. If buffer_age of the report is 0, these are all areas outside the panels, apart from two cases: in the first
 * frame there are none, and with FROST_REPAINT_ALL only those that panels have left since the last frame. *count is the
 * total number of rectangles; at most capacity of them are copied to rects. rects may be NULL if capacity is 0.
 */
frost_status frost_backdrop_uncovered(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/*
 * Draws a single panel into a target of the source's size: its rectangle, corners, effect, mask and content at once.
 * Frost writes only the panel's pixels. region and mask of options must be NULL. If the panel has no pixel in the
 * source, nothing is drawn and report contains zeros. The other rules are those of frost_render(). options and report
 * may be NULL.
 */
frost_status frost_render_panel(
    frost_renderer *renderer, const frost_panel *panel, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

/* ---- Updates at an interval -------------------------------------------------------------------------------------- */

/*
 * A timer for programs that cannot tell what has changed in a picture, and therefore update a whole backdrop again and
 * again. For each tick such a program calls frost_backdrop_invalidate_all() and frost_backdrop_render().
 *
 * Tick n is due n intervals after the creation. A tick is delivered only to a program that waits for it, so two updates
 * never run at the same time. Ticks that become due during an update are dropped and counted.
 * Thread-safety: may be used from any thread. If several threads wait, each tick is delivered to one of them. Only one
 * thread may destroy it, when no other thread waits.
 */
typedef struct frost_update_timer frost_update_timer;

/* A tick of a frost_update_timer. */
typedef struct frost_update_tick {
    size_t struct_size;
    /* The number of the tick, counted from 0. Dropped ticks are counted too. */
    int64_t number;
    /* The number of ticks that were dropped since the last delivered tick. */
    int64_t dropped;
} frost_update_tick;

/* Initialises a frost_update_tick: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_UPDATE_TICK_INIT { sizeof(frost_update_tick), 0, 0 }

/* Creates a timer. interval is in nanoseconds, from a millisecond to a day. */
frost_status frost_update_timer_create(int64_t interval, frost_update_timer **timer);

/*
 * Waits for the next tick: returns the first one at once, and every later one at the next multiple of the interval.
 * Waits at most the given number of milliseconds, or without a limit if the number is negative. Returns FROST_NOT_READY
 * if the time is over, and FROST_CANCELLED after frost_update_timer_cancel(). tick may be NULL.
 */
frost_status frost_update_timer_wait(frost_update_timer *timer, int64_t milliseconds, frost_update_tick *tick);

/* Ends all waits for a timer, and those that begin later. Does nothing if timer is NULL. */
void frost_update_timer_cancel(frost_update_timer *timer);

/* Destroys a timer. Does nothing if timer is NULL. */
void frost_update_timer_destroy(frost_update_timer *timer);

/* ---- Host's GL textures ------------------------------------------------------------------------------------------ */

/*
 * A frost_gl renders effects in the program's own context of OpenGL ES or desktop OpenGL. It reads the program's
 * textures, and writes the program's textures and framebuffers. Rendering copies no pixels, reads nothing back and does
 * not wait for the GPU. The GL executes Frost's draws in order with the program's own draws. Each call restores all GL
 * state, except that pending GL errors are discarded. After the first frames of a size, Frost creates no more GL
 * objects.
 *
 * There is no fallback to the CPU: if the context cannot do something, the call returns an error.
 *
 * Thread-safety: one thread at a time may use a frost_gl, and the GL context must be current on that thread. Otherwise
 * calls that use the context return FROST_ERROR_NO_DEVICE. With the callbacks of frost_gl_options, Frost makes the
 * context current on the thread of each call.
 */
typedef struct frost_gl frost_gl;

/*
 * A function that makes a GL context current on the calling thread, or that releases it again. Returns 0, or any other
 * number if it fails; the error message then contains the number. It must not use the frost_gl.
 */
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

/* Initialises a frost_gl_options: sets struct_size, and all other fields to their defaults. */
#define FROST_GL_OPTIONS_INIT { sizeof(frost_gl_options), 0, NULL, NULL, NULL }

/*
 * Creates a frost_gl for the GL context that is current on this thread, or that options->make_current makes current.
 * The context must support OpenGL ES 3.0, or desktop OpenGL 3.3 with a core or a compatibility profile, or later. For
 * an older context, the error message contains its version. Takes milliseconds. GL programs are compiled, or loaded
 * from the cache on disk, when they are first used, or by frost_gl_prepare(). options may be NULL, which means the
 * defaults.
 */
frost_status frost_gl_create(const frost_gl_options *options, frost_gl **gl);

/*
 * Destroys a frost_gl and deletes all GL objects that Frost created in the context. If the context is not current, and
 * no callback makes it current, the GL objects remain until the context itself is destroyed. Does nothing if gl is
 * NULL.
 */
void frost_gl_destroy(frost_gl *gl);

/*
 * Deletes the textures that are kept for the next frames, and returns their memory to the system. Waits for the GPU,
 * but at most for a second. frost_gl_info.bytes decreases by the number of freed bytes, and frost_gl_info.trimmed_bytes
 * increases by it.
 */
frost_status frost_gl_trim(frost_gl *gl);

/* Describes the device of a GL context and what Frost has done and allocated in the context. */
typedef struct frost_gl_info {
    size_t struct_size;
    /* The number of effects that were rendered, and the number of passes that were drawn for them. */
    uint64_t renders, passes;
    /* GL objects of any kind. objects_created is the number of all objects that Frost has created. objects is the
     * number of objects that exist now, and bytes is their memory. */
    uint64_t objects_created, objects, bytes;
    /* The number of GL programs that were compiled, and the number that were loaded: from the cache on disk, or from
     * the bytes of frost_gl_load_programs(). */
    uint64_t programs_compiled, programs_loaded;
    /* The maximum width and height of an image, in pixels. */
    int32_t maximum_side;
    int32_t reserved;
    char device[128];
    /* The number of bytes that all calls of frost_gl_trim() have freed. */
    uint64_t trimmed_bytes;
} frost_gl_info;

/* Initialises a frost_gl_info: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_GL_INFO_INIT { sizeof(frost_gl_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 }, 0 }

/* Fills in info. The GL context need not be current. */
frost_status frost_gl_describe(const frost_gl *gl, frost_gl_info *info);

enum {
    /* GL_TEXTURE_2D, for sources and targets. */
    FROST_GL_TEXTURE_2D = 0,
    /* GL_TEXTURE_EXTERNAL_OES, for sources only, in contexts of OpenGL ES only. */
    FROST_GL_TEXTURE_EXTERNAL = 1,
    /* A framebuffer, for targets only. The name 0 is the framebuffer of the window. */
    FROST_GL_FRAMEBUFFER = 2
};

/*
 * The transfer function of a source or target of frost_gl: from colour values to light. Below 0 each function continues
 * by symmetry.
 */
enum {
    /* sRGB, IEC 61966-2-1. 1.0 is the white of the source or target. */
    FROST_TRANSFER_SRGB = 0,
    /* A power of 2.2. 1.0 is white. */
    FROST_TRANSFER_GAMMA22 = 1,
    /* Values are proportional to light. 1.0 is white. */
    FROST_TRANSFER_LINEAR = 2,
    /* scRGB, IEC 61966-2-2: values are proportional to light, and 1.0 is 80 nits. For FROST_PRIMARIES_BT709 only. */
    FROST_TRANSFER_SCRGB = 3,
    /* PQ, SMPTE ST 2084. 1.0 is 10,000 nits. */
    FROST_TRANSFER_PQ = 4,
    /* HLG, ITU-R BT.2100, on a display with a peak of 1000 nits. 1.0 is 1000 nits. */
    FROST_TRANSFER_HLG = 5
};

/* The primaries of a source or target of frost_gl. White is D65 for all of them. */
enum { FROST_PRIMARIES_BT709 = 0, FROST_PRIMARIES_DISPLAY_P3 = 1, FROST_PRIMARIES_BT2020 = 2 };

/*
 * A GL texture that Frost reads. The image is the whole of mipmap level 0, as it is stored: filters, wrap modes, levels
 * and swizzles of the texture do not matter. With OpenGL ES 3.1 or later, and with desktop OpenGL, Frost compares this
 * description of a 2D texture with what the GL reports. The format of the texture must be normalised, such as rgba8 or
 * rgb8, or have floats, such as rgba16f. It must not be sRGB, because the GL would convert sRGB values when they are read.
 */
typedef struct frost_gl_source {
    size_t struct_size;
    /* The GL name of the object, and its kind: a FROST_GL_... constant. */
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    /* FROST_CHANNELS_RGBA, or FROST_CHANNELS_RGB to read alpha as 1 whatever the texture stores. */
    int32_t channels;
    /* FROST_ALPHA_STRAIGHT or FROST_ALPHA_PREMULTIPLIED. FROST_GL_SOURCE_INIT sets FROST_ALPHA_PREMULTIPLIED. */
    int32_t alpha;
    /* 1 if the first row of the texture is the bottom row of the image, as in textures that the GL has drawn into; 0 if
     * it is the top row. */
    int32_t rises;
    /* FROST_SAMPLE_U8 for normalised formats of any depth, FROST_SAMPLE_F16 for floats. */
    int32_t sample;
    /* The meaning of the colour values: a FROST_TRANSFER_... and a FROST_PRIMARIES_... constant. 0 and 0 are sRGB. If
     * they differ from the target's, Frost converts the result, without tone mapping. */
    int32_t transfer, primaries;
    /* The luminance of white in nits, 1 to 10000; 0 means 203, the reference white of ITU-R BT.2408. For PQ, HLG and
     * scRGB, it is the light that colour stages and content of effects treat as white. */
    double white;
} frost_gl_source;

/* Initialises a frost_gl_source: sets struct_size and the format RGBA, 8 bits, premultiplied, sRGB. All other fields
 * are 0. */
#define FROST_GL_SOURCE_INIT                                                                                        \
    {                                                                                                               \
        sizeof(frost_gl_source), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, \
            FROST_TRANSFER_SRGB, FROST_PRIMARIES_BT709, 0.0                                                         \
    }

/*
 * A GL texture or framebuffer that Frost writes. Fields with the same name have the same meaning as in frost_gl_source.
 * width and height are the size of the whole texture or framebuffer.
 */
typedef struct frost_gl_target {
    size_t struct_size;
    /* The GL name of the object, and its kind: a FROST_GL_... constant. */
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    /* The position in the target of the region's top left pixel, relative to the top left corner of the target. */
    int32_t x, y;
    /* May differ from the source's. */
    int32_t sample;
    /* If these differ from the source's, the result is converted. */
    int32_t transfer, primaries;
    /* The bits per colour of a normalised target, to which results are rounded: 8, or 10 for RGB10_A2, which has 2 bits
     * of alpha. 0 means 8. Premultiplied colour of 10 bits is multiplied by the alpha that is stored. */
    int32_t bits;
    int32_t reserved;
    double white;
} frost_gl_target;

/* Initialises a frost_gl_target: sets struct_size and the format RGBA, 8 bits, premultiplied, sRGB. All other fields
 * are 0. */
#define FROST_GL_TARGET_INIT                                                                                          \
    {                                                                                                                 \
        sizeof(frost_gl_target), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, 0, \
            0, FROST_TRANSFER_SRGB, FROST_PRIMARIES_BT709, 0, 0, 0.0                                                  \
    }

/*
 * Draws the result of an effect into the target. options->region selects a rectangle of the result; NULL selects the
 * effect's own rectangle. Other pixels of the target do not change. The target must not be the texture of the source.
 * options and report may be NULL.
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

/* The uses of effects in a frost_gl. Each is one bit. */
enum {
    /* frost_gl_render(). */
    FROST_GL_FOR_RENDERING = 1,
    /* Panels of a backdrop, without rounded corners and with corners of every curve. */
    FROST_GL_FOR_BACKDROPS = 2
};

/*
 * Compiles the GL programs that effects need, or loads them from the cache on disk, without drawing. A program that
 * must show each frame in time calls this function while it starts, because compiling takes up to some hundred
 * milliseconds.
 *
 * The programs depend on the blur and its sigma, on the kinds of output stages, and on the kinds, formats and encodings
 * of source and target. They do not depend on numbers such as those of a colour. So prepare the sigmas that will be
 * used. source and target describe the images; their names are ignored. uses is the sum of FROST_GL_FOR_... constants.
 * Afterwards, programs_compiled of frost_gl_info no longer grows for such effects and images. Drivers may still
 * translate a part of a program when it draws for the first time. A frost_gl keeps the 128 programs that were used or
 * prepared last; an effect needs up to about ten.
 */
frost_status frost_gl_prepare(
    frost_gl *gl, const frost_effect *const *effects, size_t count, const frost_gl_source *source,
    const frost_gl_target *target, uint32_t uses);

/*
 * Copies the GL programs that were used or prepared so far to bytes, so that the host can store them and give them to
 * frost_gl_load_programs() later. *size is the size of all programs in bytes. If capacity is smaller than *size,
 * nothing is copied; bytes may be NULL if capacity is 0. If the driver does not support program binaries, the copy
 * contains no programs.
 */
frost_status frost_gl_save_programs(frost_gl *gl, void *bytes, size_t capacity, size_t *size);

/*
 * Adds programs that frost_gl_save_programs() has copied, in this or another process. They are used instead of
 * compiling. Returns in *accepted the number of programs that can be used; accepted may be NULL.
 *
 * Bytes that are damaged, or that come from another driver, device or version of Frost, are no error: they are ignored
 * and logged as a warning, and these programs are compiled when they are needed. A checksum finds accidental damage. A
 * driver may crash on bytes that were forged, so do not accept the bytes from strangers. Frost copies the bytes.
 */
frost_status frost_gl_load_programs(frost_gl *gl, const void *bytes, size_t size, size_t *accepted);

/* Creates a backdrop that renders in the program's own GL context. options may be NULL, which means the defaults. */
frost_status frost_gl_backdrop_create(
    frost_gl *gl, const frost_backdrop_options *options, frost_backdrop **backdrop);

/*
 * Renders a frame of a backdrop that frost_gl_backdrop_create() created. The rules of frost_backdrop_render() apply.
 * The top left pixel of the image goes to x and y of the target, and the whole image must fit into the target. If the
 * source has another GL name than before, Frost assumes that it contains the same image in another buffer. If nothing
 * has changed, Frost calls no GL function. The pixels of a panel are those that frost_gl_render() draws.
 */
frost_status frost_gl_backdrop_render(
    frost_backdrop *backdrop, const frost_gl_source *source, const frost_gl_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/* ---- dma-bufs and fences ----------------------------------------------------------------------------------------- */

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

/* Initialises a frost_dmabuf: sets struct_size, and all file descriptors to -1. All other fields are 0. */
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

/* Destroys an allocator. The buffers that it allocated remain valid. Does nothing if allocator is NULL. */
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

/* Initialises a frost_dmabuf_request: sets struct_size, and all other fields to their defaults. */
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

/* Initialises a frost_dmabuf_kind: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
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

/* Fills in name, kind, width, height and channels of a source for this buffer. The other fields are not changed. */
frost_status frost_gl_buffer_source(const frost_gl_buffer *buffer, frost_gl_source *source);

/*
 * Fills in name, kind, width, height, channels and bits of a target for this buffer. The other fields are not changed.
 * Returns FROST_ERROR_SURFACE if the buffer can only be read.
 */
frost_status frost_gl_buffer_target(const frost_gl_buffer *buffer, frost_gl_target *target);

/* Destroys an imported buffer. Does nothing if buffer is NULL. */
void frost_gl_buffer_destroy(frost_gl_buffer *buffer);

/*
 * Makes all later draws in the context wait for a fence of the image's producer, such as a sync_file. If the driver
 * supports it, the GPU waits. Otherwise this call itself waits, at most for the given number of milliseconds, or
 * without a limit if the number is negative. Returns FROST_NOT_READY if the time limit was too short. The caller keeps
 * the ownership of fd. *on_gpu is 1 if the GPU waits, otherwise 0; on_gpu may be NULL. A negative fd is
 * FROST_ERROR_ARGUMENT: if the producer's work is finished, do not call this function.
 */
frost_status frost_gl_wait_fence(frost_gl *gl, int32_t fd, int64_t milliseconds, int32_t *on_gpu);

/*
 * Submits the draws in the context and returns in *fd a fence that is signalled when they are complete. The caller
 * closes *fd. If the driver does not support such fences, this call itself waits for the draws, with the time limit of
 * frost_gl_wait_fence(), sets *fd to -1, and writes a line to the log. frost_gl_submit() returns the same outcome as a
 * value.
 */
frost_status frost_gl_fence(frost_gl *gl, int64_t milliseconds, int32_t *fd);

enum {
    /* The draws are submitted. The fence or the point is signalled when they are complete. */
    FROST_WORK_SUBMITTED = 0,
    /* The draws are complete: the driver does not support fences, or failed to create one, so Frost has waited. */
    FROST_WORK_FINISHED = 1
};

/* The state of draws that were submitted. */
typedef struct frost_gl_submission {
    size_t struct_size;
    /* FROST_WORK_SUBMITTED or FROST_WORK_FINISHED. */
    int32_t state;
    /* A fence that is signalled when the draws are complete, which the caller closes; -1 if the state is
     * FROST_WORK_FINISHED, and for points of timelines. */
    int32_t fd;
    /* The seconds for which Frost has waited for the draws; 0 if the state is FROST_WORK_SUBMITTED. */
    double waited_seconds;
} frost_gl_submission;

/* Initialises a frost_gl_submission: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_GL_SUBMISSION_INIT { sizeof(frost_gl_submission), 0, -1, 0 }

/*
 * Submits the draws in the context and returns a fence for them, or waits for them if the driver does not support
 * fences. The time limit is that of frost_gl_wait_fence(); it concerns only that wait.
 */
frost_status frost_gl_submit(frost_gl *gl, int64_t milliseconds, frost_gl_submission *submission);

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

/* Initialises a frost_timeline_point: sets struct_size, and both descriptors to -1. All other fields are 0. */
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

/* Initialises a frost_queue_options: sets struct_size, and all other fields to their defaults. */
#define FROST_QUEUE_OPTIONS_INIT { sizeof(frost_queue_options), 0, 0 }

/*
 * Creates a queue that renders with the given renderer. options may be NULL, which means the defaults. Returns
 * FROST_ERROR_SYSTEM if the system makes no thread. If it makes fewer threads than the queue could use, fewer images are
 * rendered at the same time.
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

/*
 * Cancels all images, waits for them, and destroys the queue. After this call Frost accesses no pixels of these images
 * and calls no callback. If this function is called from a callback of the queue, it does not wait. Does nothing if
 * queue is NULL.
 */
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

/* Destroys a ticket. Does not cancel the image. Does nothing if ticket is NULL. */
void frost_ticket_destroy(frost_ticket *ticket);

/* ---- The display link -------------------------------------------------------------------------------------------- */

/*
 * A display link delivers a tick for every refresh of a display, or for every n-th. A program draws a frame for each
 * tick. If a callback takes too long, the ticks that it misses are dropped and counted; they are not queued.
 * Thread-safety: may be used from any thread, also from its callback. Only one thread may destroy it.
 */
typedef struct frost_display_link frost_display_link;

enum {
    /* A timer of CLOCK_MONOTONIC, on a thread of its own, which calls the callback. Refresh n takes place exactly
     * n/rate seconds after the creation, which is refresh 0. The first tick is refresh 1. */
    FROST_CLOCK_TIMER = 0,
    /* The same timer without a thread. The program waits until frost_display_link_descriptor() is readable, and then
     * calls frost_display_link_dispatch(). */
    FROST_CLOCK_DESCRIPTOR = 1,
    /* The program reports each refresh with frost_display_link_tick(), for example from a frame callback of Wayland or
     * a vblank of DRM. The first reported refresh is refresh 0. */
    FROST_CLOCK_MANUAL = 2,
    /* A virtual clock for files and tests. Its time begins at 0 and advances only by frost_display_link_advance(). The
     * first tick is refresh 0, at the time 0. */
    FROST_CLOCK_VIRTUAL = 3
};

/* Options of frost_display_link_create(). */
typedef struct frost_display_link_options {
    size_t struct_size;
    /* FROST_CLOCK_TIMER, FROST_CLOCK_DESCRIPTOR, FROST_CLOCK_MANUAL or FROST_CLOCK_VIRTUAL. */
    int32_t source;
    /* The number of refreshes from one tick to the next, 1 to 1000000; 0 means 1. */
    int32_t frame_interval;
    /* The refreshes per second as a fraction, 0.01 to 1000, for example 60000 and 1001. 0 and 0 mean 60. For
     * FROST_CLOCK_MANUAL it gives only the durations and target timestamps. */
    int32_t rate_numerator, rate_denominator;
    /* 1 if the link begins paused, otherwise 0. */
    int32_t is_paused;
    int32_t reserved;
} frost_display_link_options;

/* Initialises a frost_display_link_options: sets struct_size, and all other fields to their defaults. */
#define FROST_DISPLAY_LINK_OPTIONS_INIT { sizeof(frost_display_link_options), FROST_CLOCK_TIMER, 1, 60, 1, 0, 0 }

/* A refresh for which a program draws a frame. All times are in nanoseconds of the link's clock, rounded down. */
typedef struct frost_tick {
    size_t struct_size;
    /* The number of the refresh, counted from 0. Refreshes without a tick are counted, too. */
    int64_t frame_index;
    /* timestamp: when the last frame was shown. target_timestamp: when the next frame will be shown, frame_interval
     * refreshes later. duration: the duration of one refresh, whatever the frame interval. */
    int64_t timestamp, target_timestamp, duration;
    /* The number of ticks that were dropped since the previous tick. */
    uint64_t dropped;
} frost_tick;

/* Initialises a frost_tick: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_TICK_INIT { sizeof(frost_tick), 0, 0, 0, 0, 0 }

/*
 * A function that Frost calls for each tick: on the link's own thread for FROST_CLOCK_TIMER, otherwise on the thread
 * that reports the refresh. Calls never overlap. tick is valid only during the call. The function may pause, invalidate
 * and destroy the link, but may not make the next tick.
 */
typedef void (*frost_tick_callback)(void *user_data, const frost_tick *tick);

/*
 * Creates a display link. options may be NULL, which means the defaults. callback may be NULL if the program uses the
 * results of the functions below. A timer starts immediately, so the callback may be called before this function
 * returns. Returns FROST_ERROR_SYSTEM if there are no file descriptors or threads left.
 */
frost_status frost_display_link_create(
    const frost_display_link_options *options, frost_tick_callback callback, void *user_data, frost_display_link **link);

/*
 * Ends a link, and waits until a running callback has returned, unless it is called from that callback. After this call
 * Frost does not call the callback. May be called more than once. Does nothing if link is NULL.
 */
void frost_display_link_invalidate(frost_display_link *link);

/* Invalidates and destroys a link, and closes its file descriptor. Does nothing if link is NULL. */
void frost_display_link_destroy(frost_display_link *link);

/*
 * Returns FROST_OK if the link is valid, FROST_CANCELLED after frost_display_link_invalidate(), and an error if the
 * link stopped by itself because its timer failed.
 */
frost_status frost_display_link_status(const frost_display_link *link);

/*
 * Suspends the ticks if is_paused is 1, and continues if it is 0. After a pause, the refreshes of the pause do not
 * count as dropped.
 */
frost_status frost_display_link_set_paused(frost_display_link *link, int32_t is_paused);

/* Sets the number of refreshes from one tick to the next, 1 to 1000000. It counts from the last tick. */
frost_status frost_display_link_set_frame_interval(frost_display_link *link, int32_t frame_interval);

/*
 * The three functions below make a tick if one is due: they call the callback, fill in tick and return FROST_OK. If no
 * tick is due, they return FROST_NOT_READY. tick may be NULL. After frost_display_link_invalidate() they return
 * FROST_CANCELLED. For a link of another source, and in the link's own callback, they return FROST_ERROR_ARGUMENT.
 */

/*
 * Reports a refresh to a link of the source FROST_CLOCK_MANUAL. timestamp is the time at which the last frame was
 * shown, in nanoseconds of the program's clock, at most 4e18 and not earlier than the previous timestamp. refreshes is
 * the number of refreshes since the last call: 1, or more if the program missed some. At most 1000000000.
 */
frost_status frost_display_link_tick(
    frost_display_link *link, int64_t timestamp, int64_t refreshes, frost_tick *tick);

/*
 * Advances a link of the source FROST_CLOCK_VIRTUAL by 1 to 1000000000 refreshes. Makes at most one tick; earlier ones
 * are dropped.
 */
frost_status frost_display_link_advance(frost_display_link *link, int64_t refreshes, frost_tick *tick);

/* Makes the tick of a link of the source FROST_CLOCK_DESCRIPTOR. Does not wait. */
frost_status frost_display_link_dispatch(frost_display_link *link, frost_tick *tick);

/*
 * Returns in *fd the file descriptor of a link of the source FROST_CLOCK_DESCRIPTOR. It is readable when a tick is due.
 * The link owns it: do not read or close it.
 */
frost_status frost_display_link_descriptor(const frost_display_link *link, int32_t *fd);

/*
 * Computes the elapsed part of an animation, 0 to 1, at the given time: usually the target_timestamp of a tick. All
 * times are nanoseconds of the same clock; magnitudes are at most 4e18. An animation of the duration 0 ends when it
 * begins.
 * Thread-safety: may be called from any thread.
 */
frost_status frost_animation_progress(int64_t start, int64_t duration, int64_t time, double *progress);

#ifdef __cplusplus
}
#endif

#endif
