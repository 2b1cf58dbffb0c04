/*
 * frost.h - the C interface of Frost: image blurring on any GPU, or none.
 *
 * Conventions, which hold for every function below:
 *
 * - A function that can fail returns a frost_status: FROST_OK is 0, errors are negative. After an error
 *   frost_error_message() describes it, on the same thread. Results are returned through the last parameters, and only
 *   with FROST_OK.
 * - No argument makes the library crash: NULL, short structs and meaningless sizes and numbers are errors. The caller
 *   must ensure what cannot be checked: pointers refer to live memory, and handles are not destroyed yet.
 * - Handles are opaque and destroyed once. destroy(NULL) does nothing. An object that a handle was created from (a
 *   queue's renderer, for example) may be destroyed before it.
 * - Structs begin with struct_size, which the caller sets to sizeof; the FROST_..._INIT macros do that and set
 *   defaults. 0 is the default of every other field. Later versions of Frost add fields at the end, and accept structs
 *   of this version.
 * - Strings are UTF-8 and zero-terminated.
 * - No call changes global state that another call depends on.
 *
 * docs/Embedding-C.md has an example, docs/Live-Backdrops.md costs, and docs/Embedding-Python.md the same for Python.
 */
#ifndef FROST_H
#define FROST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version, errors ------------------------------------------------------------------------------------------------ */

/* The version of this header. */
#define FROST_VERSION "0.1.0"

/* The version of the library, such as "0.1.0". Thread-safety: may be called from any thread. */
const char *frost_version(void);

typedef int32_t frost_status;
enum {
    FROST_OK = 0,
    /* Not done yet: ask again, or wait longer. */
    FROST_NOT_READY = 1,
    /* The queue is full: nothing was submitted. */
    FROST_BUSY = 2,
    /* Cancelled on request. The target's content is undefined. */
    FROST_CANCELLED = 3,
    /* NULL, a short struct, an undefined constant, or memory that is too small or overlaps. */
    FROST_ERROR_ARGUMENT = -1,
    /* An unknown effect or parameter, or a value out of range. */
    FROST_ERROR_PARAMETER = -2,
    /* Sizes and formats that describe no image, or do not match. */
    FROST_ERROR_PIXELS = -3,
    /* A GPU was demanded and none is usable, or the program's own context is not current. */
    FROST_ERROR_NO_DEVICE = -4,
    /* A GPU was demanded and failed during the work. */
    FROST_ERROR_DEVICE_FAILED = -5,
    /* A texture, framebuffer or dma-buf does not match its description, or cannot be used in that way. Nothing was
     * drawn. */
    FROST_ERROR_SURFACE = -6
};

/* A status's name: "busy". Never NULL. Thread-safety: may be called from any thread. */
const char *frost_status_name(frost_status status);

/*
 * One line about this thread's last failed call; "" before the first. Valid until the thread's next call of Frost.
 * Thread-safety: each thread has its own.
 */
const char *frost_error_message(void);

/* ---- Devices -------------------------------------------------------------------------------------------------------- */

/*
 * The result of trying each EGL device and platform: the list that `frost devices` prints.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_device_list frost_device_list;

enum {
    FROST_DEVICE_USABLE = 0,
    FROST_DEVICE_UNUSABLE = 1,
    /* The same device as one that is earlier in the list. */
    FROST_DEVICE_DUPLICATE = 2
};

/* Unknown texts are "". */
typedef struct frost_device_info {
    size_t struct_size;
    int32_t status;
    /* Its position in the list. frost_renderer_options accepts it as device, in digits. */
    int32_t index;
    /* For duplicates: the index of the other. */
    int32_t duplicate_of;
    /* For usable devices: whether the renderer runs on the CPU. */
    int32_t is_software;
    /* Whether FROST_BACKEND_AUTO uses this device when it is faster than the CPU. */
    int32_t is_automatic;
    int32_t reserved;
    /* A stable name for the device; for one that is not usable, what was tried. */
    char id[128];
    /* How its display was opened: "device", "gbm", "surfaceless". */
    char platform[32];
    char render_node[64], pci_path[64];
    /* The driver's names. */
    char vendor[128], renderer[256], version[128];
    /* Why it is not usable. */
    char reason[256];
} frost_device_info;

/* Frost reads only struct_size. */
#define FROST_DEVICE_INFO_INIT \
    { sizeof(frost_device_info), 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }

/* Creates a context on every device, which takes about 50 ms each. FROST_ERROR_NO_DEVICE if there is no EGL. */
frost_status frost_device_list_create(frost_device_list **list);

/* 0 for NULL. */
size_t frost_device_list_count(const frost_device_list *list);
frost_status frost_device_list_describe(const frost_device_list *list, size_t index, frost_device_info *info);
void frost_device_list_destroy(frost_device_list *list);

/* ---- Renderers ------------------------------------------------------------------------------------------------------ */

/*
 * Renders effects. Create one and keep it: a GPU is opened once, and memory is reused.
 * Thread-safety: may be used from any thread. Work on a GPU is queued, work on the CPU runs in parallel.
 */
typedef struct frost_renderer frost_renderer;

enum {
    /* For each image a hardware GPU or the CPU, whichever is measured to be faster. Never software GL. */
    FROST_BACKEND_AUTO = 0,
    FROST_BACKEND_CPU = 1,
    /* A GPU through EGL and OpenGL ES, in a context that Frost creates; software GL is accepted. */
    FROST_BACKEND_GPU = 2,
    /* Computes the definition in double precision: slow, the reference for the others. */
    FROST_BACKEND_EXACT = 3
};

typedef struct frost_renderer_options {
    size_t struct_size;
    int32_t backend;
    /* For work on the CPU, 1 to 256; 0 for the number of processors. */
    int32_t threads;
    /* Demands a GPU: its index, render node, PCI path, or part of its name, as `frost devices` prints them. NULL: any. */
    const char *device;
} frost_renderer_options;

#define FROST_RENDERER_OPTIONS_INIT { sizeof(frost_renderer_options), FROST_BACKEND_AUTO, 0, NULL }

/* options may be NULL. Takes about 50 ms if a GPU is demanded. */
frost_status frost_renderer_create(const frost_renderer_options *options, frost_renderer **renderer);

/*
 * With FROST_BACKEND_AUTO: opens a GPU now and measures both backends, which otherwise happens after enough work. Takes
 * up to half a second the first time on a machine. Does nothing with other backends. channels and sample are those of
 * the images to come.
 */
frost_status frost_renderer_prepare(frost_renderer *renderer, int32_t channels, int32_t sample);

/* Does not wait. Work in progress on other threads is completed. */
void frost_renderer_destroy(frost_renderer *renderer);

/* ---- Pixels in the caller's memory ---------------------------------------------------------------------------------- */

/* The samples of a pixel, in memory order. */
enum {
    FROST_CHANNELS_RGBA = 0,
    FROST_CHANNELS_BGRA = 1,
    FROST_CHANNELS_RGB = 2,
    FROST_CHANNELS_GREY = 3,
    FROST_CHANNELS_GREY_ALPHA = 4
};

/* The type of a sample, in the machine's byte order. For integers the largest value stands for 1. */
enum { FROST_SAMPLE_U8 = 0, FROST_SAMPLE_U16 = 1, FROST_SAMPLE_F32 = 2 };

/* Whether colours have been multiplied by alpha. Ignored if there is no alpha. */
enum { FROST_ALPHA_STRAIGHT = 0, FROST_ALPHA_PREMULTIPLIED = 1 };

/* A rectangle of whole pixels, y downwards. */
typedef struct frost_rect {
    int32_t x, y, width, height;
} frost_rect;

/*
 * An image to read. Rows go from top to bottom; row y begins at pixels + y * bytes_per_row. The bytes between rows are
 * not read, so the image may be a part of a larger one.
 */
typedef struct frost_source {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    /* At least width * channels * sample's size, and a multiple of the sample's size; 0 for rows without padding. */
    size_t bytes_per_row;
    /* Aligned to the sample's size. */
    const void *pixels;
    /* The readable bytes at pixels: at least (height - 1) * bytes_per_row and the last row's pixels. */
    size_t byte_count;
} frost_source;

#define FROST_SOURCE_INIT \
    { sizeof(frost_source), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/* An image to write, with the fields of a source. The bytes between rows are not written. */
typedef struct frost_target {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    size_t bytes_per_row;
    void *pixels;
    size_t byte_count;
} frost_target;

#define FROST_TARGET_INIT \
    { sizeof(frost_target), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/*
 * The strength of an effect at each pixel, for effects whose mask is a picture: the picture's alpha if it has some,
 * else its luma. The picture is stretched over the image.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_mask frost_mask;

/* The picture is copied. */
frost_status frost_mask_create(const frost_source *picture, frost_mask **mask);
void frost_mask_destroy(frost_mask *mask);

/* ---- Effects -------------------------------------------------------------------------------------------------------- */

/*
 * A blur and the output stages that follow it.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_effect frost_effect;

/* The pixels outside the image: the nearest pixel, the reflected image, the repeated image, or transparent black. */
enum { FROST_EDGE_CLAMP = 0, FROST_EDGE_MIRROR = 1, FROST_EDGE_REPEAT = 2, FROST_EDGE_CLEAR = 3 };

enum {
    /* On for named effects, off for plain Gaussians. */
    FROST_DITHER_DEFAULT = 0,
    FROST_DITHER_OFF = 1,
    FROST_DITHER_ON = 2
};

enum {
    /* The image's numbers are blurred directly, as nearly all software does. */
    FROST_LIGHT_ENCODED = 0,
    /* The numbers are read as sRGB, and the linear light that they encode is blurred. */
    FROST_LIGHT_LINEAR = 1
};

typedef struct frost_effect_options {
    size_t struct_size;
    int32_t dither;
    int32_t light;
} frost_effect_options;

#define FROST_EFFECT_OPTIONS_INIT { sizeof(frost_effect_options), FROST_DITHER_DEFAULT, FROST_LIGHT_ENCODED }

/*
 * Creates an effect by its name: "gaussian", or one that `frost effects` lists. parameters are "name=value" pairs
 * separated by spaces, such as "radius=24 edge=mirror"; NULL and "" are the defaults. options may be NULL.
 */
frost_status frost_effect_create(
    const char *name, const char *parameters, const frost_effect_options *options, frost_effect **effect);

/* A plain Gaussian. The sigmas are standard deviations in pixels of the input, 0 to 1000. options may be NULL. */
frost_status frost_effect_create_gaussian(
    double sigma_x, double sigma_y, int32_t edge, const frost_effect_options *options, frost_effect **effect);

/* A picture that is drawn over an effect. */
typedef struct frost_content {
    size_t struct_size;
    const frost_source *picture;
    /* A name such as "label", for effects that are light or dark styles; then only the picture's alpha is used. NULL
     * for the picture's own colours. */
    const char *vibrancy;
    /* How the picture is placed in its bounds, as in UIKit's content modes: "scale-to-fill" (or NULL), "aspect-fit",
     * "aspect-fill", "center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left",
     * "bottom-right". */
    const char *mode;
    /* In pixels of the image that the effect is applied to; empty for the whole image. */
    frost_rect bounds;
} frost_content;

#define FROST_CONTENT_INIT { sizeof(frost_content), NULL, NULL, NULL, { 0, 0, 0, 0 } }

/* Creates a copy of an effect with content drawn over it, and over the content that it has. The picture is copied. */
frost_status frost_effect_add_content(
    const frost_effect *effect, const frost_content *content, frost_effect **result);

/* A rectangle with rounded corners, in pixels of the image that the effect is applied to. */
typedef struct frost_rounded_rect {
    /* Magnitudes up to 2^30. */
    double x, y, width, height;
    /* 0 to half the shorter side. */
    double radius;
} frost_rounded_rect;

/*
 * Creates a copy of an effect that is visible only within rectangles. They replace those that the effect had; with a
 * count of 0 it is visible everywhere. Elsewhere the image is unchanged, byte for byte; partly covered pixels are
 * mixed. Cheap enough to call for each frame. For a panel, set the region to the whole pixels around the rectangle.
 * count is 65536 at most; a GPU accepts fewer.
 */
frost_status frost_effect_clip(
    const frost_effect *effect, const frost_rounded_rect *rects, size_t count, frost_effect **result);

void frost_effect_destroy(frost_effect *effect);

/* ---- The list of effects -------------------------------------------------------------------------------------------- */

/* The strings live as long as the library. */
typedef struct frost_effect_info {
    size_t struct_size;
    const char *name;
    /* The API that the effect belongs to: "UIBlurEffect". */
    const char *family;
    const char *summary;
    size_t parameter_count;
} frost_effect_info;

#define FROST_EFFECT_INFO_INIT { sizeof(frost_effect_info), NULL, NULL, NULL, 0 }

enum { FROST_PARAMETER_NUMBER = 0, FROST_PARAMETER_COLOR = 1, FROST_PARAMETER_CHOICE = 2 };

/* The strings live as long as the library. */
typedef struct frost_parameter_info {
    size_t struct_size;
    const char *name;
    const char *help;
    /* In the form that frost_effect_create() accepts. */
    const char *default_value;
    /* For numbers: "points", "pixels", "fraction", or "" for a pure number. */
    const char *unit;
    /* For choices: the words, separated by spaces. */
    const char *choices;
    /* For numbers. */
    double minimum, maximum;
    int32_t kind;
    int32_t reserved;
} frost_parameter_info;

#define FROST_PARAMETER_INFO_INIT { sizeof(frost_parameter_info), NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0, 0 }

/* Thread-safety of all three: may be called from any thread. */
size_t frost_effect_count(void);
frost_status frost_effect_describe(size_t effect, frost_effect_info *info);
frost_status frost_effect_describe_parameter(size_t effect, size_t parameter, frost_parameter_info *info);

/* ---- Rendering ------------------------------------------------------------------------------------------------------ */

/*
 * Requests that work stop. It cannot be reset: create one for each piece of work that is cancelled separately.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_cancellation frost_cancellation;

frost_status frost_cancellation_create(frost_cancellation **cancellation);
void frost_cancellation_cancel(frost_cancellation *cancellation);
void frost_cancellation_destroy(frost_cancellation *cancellation);

typedef struct frost_render_options {
    size_t struct_size;
    /* The rectangle to compute, in the source's pixels; may extend outside the image. NULL for the effect's own: the
     * whole image, or more. */
    const frost_rect *region;
    /* For effects whose mask is a picture. */
    const frost_mask *mask;
    frost_cancellation *cancellation;
    /* The maximum difference of any value from the exact effect before rounding, in 255ths of full scale: 0.002 to
     * 1. 0 for a default that suits the samples. */
    double error_budget;
} frost_render_options;

#define FROST_RENDER_OPTIONS_INIT { sizeof(frost_render_options), NULL, NULL, NULL, 0.0 }

/* How an image was rendered. */
typedef struct frost_report {
    size_t struct_size;
    /* The backend that did the work; never FROST_BACKEND_AUTO. */
    int32_t backend;
    int32_t passes;
    /* The maximum difference of any value from the exact effect before rounding, in 255ths of full scale. */
    double error_bound;
    /* Milliseconds. gpu_ms is by the GPU's own clock; negative if it has none. */
    double upload_ms, blur_ms, readback_ms, gpu_ms;
    /* The GPU's name; "" on the CPU. */
    char device[128];
    /* Why this backend was chosen. */
    char reason[256];
    /* Why the result may be less exact than error_bound; otherwise "". */
    char warning[256];
} frost_report;

/* Frost reads only struct_size. */
#define FROST_REPORT_INIT { sizeof(frost_report), 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, { 0 }, { 0 }, { 0 } }

/*
 * Fills in the target that an effect needs for a source: size, format (with alpha if transparent edges need it, and
 * with colour if the effect colours grey), rows without padding, and byte_count. pixels is not changed. The source's
 * pixels may be NULL, and so may region.
 */
frost_status frost_effect_describe_target(
    const frost_effect *effect, const frost_source *source, const frost_rect *region, frost_target *target);

/*
 * The maximum difference of any value of the result from the exact effect before rounding, in 255ths of full scale.
 * Nothing else is computed. The source's pixels may be NULL, and so may options.
 */
frost_status frost_effect_error_bound(
    const frost_effect *effect, const frost_source *source, const frost_render_options *options, double *bound);

/*
 * How many pixels around a changed rectangle of the source the result may change: *x to the left and right, *y up and
 * down. A host expands its damage by that to know what to redraw. At most the source's size. The source's pixels may be
 * NULL. error_budget is that of the rendering, 0 for the default. Takes up to a millisecond.
 */
frost_status frost_effect_damage_expansion(
    const frost_effect *effect, const frost_source *source, double error_budget, int32_t *x, int32_t *y);

/*
 * Renders an effect, and returns when it is done.
 *
 * The target has the region's size, and the source's samples and colour channels (or those that
 * frost_effect_describe_target() gives), in either channel order and alpha mode. It may be the source's memory with the
 * same layout if the region is the whole image; otherwise the two must not share a pixel. After an error its content is
 * undefined.
 *
 * options and report may be NULL.
 */
frost_status frost_render(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

/* ---- Live backdrops ------------------------------------------------------------------------------------------------- */

/*
 * Panels of frosted glass over a picture that changes. Only what changes affect is computed again. The host reports
 * which parts of its picture have changed, and renders when it draws a frame. Panels show exactly the bits that
 * frost_render() computes for their effects, whatever frames came before.
 *
 * For each blur a quarter of the picture's pixels is kept, of 8 or 16 bytes each for RGBA.
 *
 * Thread-safety: one thread at a time may use it. A backdrop of a frost_gl has the same rule as the frost_gl, but may
 * be destroyed anywhere.
 */
typedef struct frost_backdrop frost_backdrop;

enum {
    /* Of the shared low-resolution samples, only those that panels show are computed: minimum work while the picture
     * changes. */
    FROST_COVERAGE_PANELS = 0,
    /* All of them are computed: panels then move over a still picture at the cost of drawing them. */
    FROST_COVERAGE_EVERYWHERE = 1
};

typedef struct frost_backdrop_options {
    size_t struct_size;
    int32_t coverage;
    /* As in frost_renderer_options; 0 for a frost_gl. */
    int32_t threads;
    /* As in frost_render_options. */
    double error_budget;
} frost_backdrop_options;

#define FROST_BACKDROP_OPTIONS_INIT { sizeof(frost_backdrop_options), FROST_COVERAGE_PANELS, 0, 0.0 }

/* Creates a backdrop for pictures in the caller's memory, rendered on the CPU. options may be NULL. */
frost_status frost_backdrop_create(const frost_backdrop_options *options, frost_backdrop **backdrop);

/* Frees its memory; for a backdrop of a frost_gl, with the next call of that frost_gl. */
void frost_backdrop_destroy(frost_backdrop *backdrop);

/* A part of the picture that shows an effect. */
typedef struct frost_panel {
    size_t struct_size;
    /* In the picture's pixels. Parts outside the picture are not visible. */
    frost_rect rect;
    /* 0 to half the shorter side. Outside the rounded corners the picture is visible. */
    double corner_radius;
    /*
     * The bounds of its content are relative to the rectangle's top left corner, and content without bounds is placed
     * in the rectangle. The panel replaces the effect's clip.
     */
    const frost_effect *effect;
    /* The effect's strength, stretched over the rectangle: for effects whose mask is a picture, or that have no
     * mask. May be NULL. */
    const frost_mask *mask;
} frost_panel;

#define FROST_PANEL_INIT { sizeof(frost_panel), { 0, 0, 0, 0 }, 0.0, NULL, NULL }

/*
 * Sets the panels of the following frames, from bottom to top: where two overlap, the later one is visible. Panels are
 * compared with the previous ones by index, so an unchanged panel costs nothing. The first struct's struct_size is the
 * stride of the array, and all must have the same. Effects and masks may be destroyed afterwards. count is 4096 at
 * most; a few dozen are fast. After an error the panels are unchanged.
 */
frost_status frost_backdrop_set_panels(frost_backdrop *backdrop, const frost_panel *panels, size_t count);

/*
 * Marks rectangles of the picture as changed, 65536 at most. Parts outside the picture are ignored. The cost is
 * negligible until the next frame.
 */
frost_status frost_backdrop_invalidate(frost_backdrop *backdrop, const frost_rect *rects, size_t count);

/* The whole picture may have changed, or it is another one. */
frost_status frost_backdrop_invalidate_all(frost_backdrop *backdrop);

enum {
    /* The target holds the last frame: only changes are drawn. */
    FROST_REPAINT_CHANGED = 0,
    /* The target may hold anything, such as another buffer of a swap chain: all panels are drawn. */
    FROST_REPAINT_ALL = 1
};

typedef struct frost_frame_options {
    size_t struct_size;
    int32_t repaint;
    int32_t reserved;
    /* If a frame is cancelled, the next frame does the remaining work. */
    frost_cancellation *cancellation;
} frost_frame_options;

#define FROST_FRAME_OPTIONS_INIT { sizeof(frost_frame_options), FROST_REPAINT_CHANGED, 0, NULL }

/* What a frame cost. If nothing has changed, everything but error_bound is 0. */
typedef struct frost_frame_report {
    size_t struct_size;
    /* Passes that panels of the same blur share, and passes of single panels over their own area. */
    uint64_t level_passes, panel_passes;
    /* Low-resolution samples that were computed, and pixels that were written. */
    uint64_t level_cells, panel_pixels;
    /* The number of rectangles that frost_backdrop_updated() and frost_backdrop_uncovered() return. */
    size_t updated_count, uncovered_count;
    /* The maximum over all panels, as in frost_report. */
    double error_bound;
} frost_frame_report;

/* Frost reads only struct_size. */
#define FROST_FRAME_REPORT_INIT { sizeof(frost_frame_report), 0, 0, 0, 0, 0, 0, 0.0 }

/*
 * Brings a target up to date. Only pixels of panels are written; if nothing has changed, no pass runs.
 *
 * The source may differ from the last frame's only where it was invalidated; one of another size or format counts as
 * another picture. The target has its size and samples, its colours in either channel order and alpha mode, and alpha
 * if the picture has it. The two share no memory. After an error the next frame does the remaining work. options and
 * report may be NULL.
 */
frost_status frost_backdrop_render(
    frost_backdrop *backdrop, const frost_source *source, const frost_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/*
 * Returns what the last successful frame, and any failed frames directly before it, wrote to the target: rectangles
 * that do not overlap. At most capacity of them are copied; *count is the total. rects may be NULL if capacity is 0.
 */
frost_status frost_backdrop_updated(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/* The same for areas that panels left and that no panel covers now: the host redraws its picture there. */
frost_status frost_backdrop_uncovered(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/* ---- Host's GL textures --------------------------------------------------------------------------------------------- */

/*
 * Renders effects in the program's own OpenGL ES context, from its textures to its textures and framebuffers. Nothing
 * is copied, read back or waited for. Draws are executed in order with the program's own. All GL state is restored,
 * except for pending GL errors, which are discarded. After the first frames of a size no GL object is created.
 *
 * There is no fallback to the CPU: what the context cannot do is an error.
 *
 * Thread-safety: use it where the context is current, by one thread at a time. Elsewhere every call returns
 * FROST_ERROR_NO_DEVICE.
 */
typedef struct frost_gl frost_gl;

enum {
    /* The GPU's filter if it was measured to be exact enough, otherwise texel by texel. */
    FROST_FILTERING_AUTOMATIC = 0,
    /* Texel by texel: the same bits on every device, at more cost. */
    FROST_FILTERING_EXACT = 1
};

typedef struct frost_gl_options {
    size_t struct_size;
    int32_t filtering;
    int32_t reserved;
    /* Bytes of textures that are kept for the next frames; 0 means 512 MiB. */
    uint64_t idle_bytes;
} frost_gl_options;

#define FROST_GL_OPTIONS_INIT { sizeof(frost_gl_options), FROST_FILTERING_AUTOMATIC, 0, 0 }

/*
 * Adopts the context that is current on this thread, of OpenGL ES 3.0 or later. Takes milliseconds. Programs are
 * compiled, or loaded from the cache on disk, when they are first used. options may be NULL.
 */
frost_status frost_gl_create(const frost_gl_options *options, frost_gl **gl);

/*
 * Deletes everything that Frost has in the context. If the context is not current, the objects live until it is
 * destroyed.
 */
void frost_gl_destroy(frost_gl *gl);

/* Frees the textures that are kept for the next frames. */
frost_status frost_gl_trim(frost_gl *gl);

/* The context's device, and what Frost has done and allocated in it. */
typedef struct frost_gl_info {
    size_t struct_size;
    /* Effects rendered, and the passes drawn for them. */
    uint64_t renders, passes;
    /* GL objects of any kind: how many Frost has created, how many exist, and their bytes of memory. */
    uint64_t objects_created, objects, bytes;
    /* Programs that were compiled, and programs that were loaded from the cache on disk. */
    uint64_t programs_compiled, programs_loaded;
    /* The maximum side of an image. */
    int32_t maximum_side;
    int32_t reserved;
    char device[128];
} frost_gl_info;

#define FROST_GL_INFO_INIT { sizeof(frost_gl_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 } }

/* The context need not be current. */
frost_status frost_gl_describe(const frost_gl *gl, frost_gl_info *info);

enum {
    FROST_GL_TEXTURE_2D = 0,
    /* GL_TEXTURE_EXTERNAL_OES; only for sources. */
    FROST_GL_TEXTURE_EXTERNAL = 1,
    /* Only for targets; 0 is the window's. */
    FROST_GL_FRAMEBUFFER = 2
};

/*
 * A texture to read: the whole of level 0 is the image. With OpenGL ES 3.1 or later the description of a 2D texture is
 * compared with what the GL reports. Its format must be normalised, like rgba8 and rgb8, and not sRGB, which the GL
 * would convert on reading.
 */
typedef struct frost_gl_source {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    /* FROST_CHANNELS_RGBA; or FROST_CHANNELS_RGB to read alpha as 1, whatever is stored. */
    int32_t channels;
    /* FROST_GL_SOURCE_INIT sets premultiplied. */
    int32_t alpha;
    /* 1 if the first row is the image's bottom row, as GL's own drawing leaves it. */
    int32_t rises;
    int32_t reserved;
} frost_gl_source;

#define FROST_GL_SOURCE_INIT \
    { sizeof(frost_gl_source), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0 }

/*
 * A texture or framebuffer to write. Fields of the same name mean the same as in a source; width and height are those
 * of the whole surface.
 */
typedef struct frost_gl_target {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    /* Where the region's top left pixel goes, relative to the surface's top left. */
    int32_t x, y;
    int32_t reserved;
} frost_gl_target;

#define FROST_GL_TARGET_INIT \
    { sizeof(frost_gl_target), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, 0, 0 }

/*
 * Draws an effect's result, or the part of it that options->region names, into the target. No other pixel changes. The
 * target must not be the source's texture. options and report may be NULL.
 */
frost_status frost_gl_render(
    frost_gl *gl, const frost_effect *effect, const frost_gl_source *source, const frost_gl_target *target,
    const frost_render_options *options, frost_report *report);

/* Creates a backdrop in the program's own context. options may be NULL. */
frost_status frost_gl_backdrop_create(
    frost_gl *gl, const frost_backdrop_options *options, frost_backdrop **backdrop);

/*
 * frost_backdrop_render() for a backdrop of a frost_gl, with the same rules. The picture's top left pixel goes to the
 * target's x and y, and the whole picture must fit. A source of another name counts as the same picture in another
 * buffer. If nothing has changed, no GL function is called. Panels show what frost_gl_render() draws with
 * FROST_FILTERING_EXACT.
 */
frost_status frost_gl_backdrop_render(
    frost_backdrop *backdrop, const frost_gl_source *source, const frost_gl_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/* ---- dma-bufs and fences -------------------------------------------------------------------------------------------- */

typedef struct frost_dmabuf_plane {
    /* Borrowed: it may be closed once the buffer is imported. */
    int32_t fd;
    /* Bytes from the memory's start to the plane's, and between the starts of two rows. */
    uint32_t offset, stride;
} frost_dmabuf_plane;

/* How luma and chroma are converted to colours; ignored for other formats. EGL calls them hints. */
enum { FROST_YUV_BT601 = 0, FROST_YUV_BT709 = 1, FROST_YUV_BT2020 = 2 };
enum { FROST_YUV_NARROW = 0, FROST_YUV_FULL = 1 };
/* A chroma sample is located at the first of the pixels that share it, or in the middle of them. */
enum { FROST_YUV_SITING_FIRST = 0, FROST_YUV_SITING_MIDDLE = 1 };

/* An image in memory that devices and processes can share. */
typedef struct frost_dmabuf {
    size_t struct_size;
    int32_t width, height;
    /* A code of drm_fourcc.h. */
    uint32_t fourcc;
    /* 1 to 4. */
    uint32_t plane_count;
    /* A code of drm_fourcc.h: 0 is DRM_FORMAT_MOD_LINEAR; DRM_FORMAT_MOD_INVALID leaves the choice to the driver. */
    uint64_t modifier;
    frost_dmabuf_plane planes[4];
    int32_t yuv_matrix, yuv_range, yuv_siting_x, yuv_siting_y;
} frost_dmabuf;

#define FROST_DMABUF_INIT \
    { sizeof(frost_dmabuf), 0, 0, 0, 0, 0, { { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 } }, 0, 0, 0, 0 }

/*
 * Allocates dma-bufs on a device with GBM: render targets that other devices or processes can show.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_dmabuf_allocator frost_dmabuf_allocator;

/*
 * Opens a render node such as "/dev/dri/renderD128", or a primary node such as "/dev/dri/card0", which is the only node
 * of devices that cannot draw. FROST_ERROR_NO_DEVICE if the node or GBM is not available.
 */
frost_status frost_dmabuf_allocator_create(const char *node, frost_dmabuf_allocator **allocator);

/* The buffers remain valid. */
void frost_dmabuf_allocator_destroy(frost_dmabuf_allocator *allocator);

enum {
    FROST_DMABUF_FOR_RENDERING = 0,
    /* The device need not be able to draw into it. */
    FROST_DMABUF_FOR_READING = 1
};

typedef struct frost_dmabuf_request {
    size_t struct_size;
    int32_t width, height;
    /* A code of drm_fourcc.h. */
    uint32_t fourcc;
    int32_t purpose;
    /* The modifiers that the readers support, 1024 at most: the driver chooses one of them. NULL for
     * DRM_FORMAT_MOD_LINEAR only; DRM_FORMAT_MOD_INVALID leaves the choice to the driver. */
    const uint64_t *modifiers;
    size_t modifier_count;
} frost_dmabuf_request;

#define FROST_DMABUF_REQUEST_INIT { sizeof(frost_dmabuf_request), 0, 0, 0, FROST_DMABUF_FOR_RENDERING, NULL, 0 }

/*
 * Allocates a buffer and fills in its description; its content is undefined. The caller closes the descriptors, one per
 * plane. On failure FROST_ERROR_SURFACE; the message has the format, the modifier and the driver's error.
 */
frost_status frost_dmabuf_allocate(
    frost_dmabuf_allocator *allocator, const frost_dmabuf_request *request, frost_dmabuf *buffer);

/* A combination of format and modifier that can be imported. */
typedef struct frost_dmabuf_kind {
    size_t struct_size;
    uint64_t modifier;
    uint32_t fourcc;
    /* Whether it can only be a source. */
    int32_t is_external_only;
} frost_dmabuf_kind;

#define FROST_DMABUF_KIND_INIT { sizeof(frost_dmabuf_kind), 0, 0, 0 }

/* The number of combinations; 0 if the driver cannot list them, and then only an import shows what works. */
frost_status frost_gl_dmabuf_kind_count(frost_gl *gl, size_t *count);
frost_status frost_gl_describe_dmabuf_kind(frost_gl *gl, size_t index, frost_dmabuf_kind *kind);

/*
 * An imported dma-buf, which keeps its memory alive. Import a buffer once, not for each frame.
 * Thread-safety: as for frost_gl. It may be destroyed anywhere; its texture is deleted with the next call of the
 * frost_gl.
 */
typedef struct frost_gl_buffer frost_gl_buffer;

enum {
    /* A 2D texture if the driver supports it, otherwise an external one. */
    FROST_DMABUF_ANY = 0,
    FROST_DMABUF_TEXTURE_2D = 1,
    /* A texture that the driver converts to colours; it can only be a source. */
    FROST_DMABUF_EXTERNAL = 2
};

/* If the import fails: FROST_ERROR_SURFACE, with a message that names the format and the modifier. */
frost_status frost_gl_import(frost_gl *gl, const frost_dmabuf *buffer, int32_t use, frost_gl_buffer **result);

/* Fills in the buffer's name, kind, size and channels. alpha and rises are not changed. */
frost_status frost_gl_buffer_source(const frost_gl_buffer *buffer, frost_gl_source *source);

/* The same for a target; x and y are not changed either. FROST_ERROR_SURFACE if the buffer can only be read. */
frost_status frost_gl_buffer_target(const frost_gl_buffer *buffer, frost_gl_target *target);

void frost_gl_buffer_destroy(frost_gl_buffer *buffer);

/*
 * Makes all further draws in the context wait for a producer's fence (a sync_file, for example). The GPU waits if it
 * can; otherwise this call waits, for at most so many milliseconds, or without a limit if the number is negative.
 * FROST_NOT_READY if the time was too short. The caller owns fd. on_gpu may be NULL; it tells whether the GPU waits.
 */
frost_status frost_gl_wait_fence(frost_gl *gl, int32_t fd, int64_t milliseconds, int32_t *on_gpu);

/*
 * Submits the draws in the context and returns a fence that follows them. The caller closes it. If the driver has no
 * such fences, this call waits for the work, with the same limit, and *fd is -1.
 */
frost_status frost_gl_fence(frost_gl *gl, int64_t milliseconds, int32_t *fd);

/* ---- Rendering in the background ------------------------------------------------------------------------------------ */

/*
 * Renders images while the caller continues. They are started in the order of submission and may finish in another. On
 * a GPU one image is drawn while the next is uploaded and the previous one read back; on the CPU they are rendered in
 * parallel.
 * Thread-safety: may be used from any thread, also from callbacks; one thread destroys it.
 */
typedef struct frost_queue frost_queue;

/*
 * A submitted image.
 * Thread-safety: may be used from any thread, also from its callback; one thread destroys it.
 */
typedef struct frost_ticket frost_ticket;

typedef struct frost_queue_options {
    size_t struct_size;
    /* How many images may be submitted and unfinished, 1 to 1024; 0 for 8. */
    int32_t depth;
    /* How many images are rendered at a time, 1 to depth; 0 for a default that suits the renderer. With 1 they
     * finish in order. */
    int32_t concurrency;
} frost_queue_options;

#define FROST_QUEUE_OPTIONS_INIT { sizeof(frost_queue_options), 0, 0 }

/* options may be NULL. */
frost_status frost_queue_create(
    frost_renderer *renderer, const frost_queue_options *options, frost_queue **queue);

/*
 * Called once for each submitted image, on a thread of the queue, before any wait for the image returns. The image's
 * place in the queue is free by then, so the callback may submit the next. report is NULL unless status is FROST_OK,
 * and is valid during the call; frost_error_message() describes an error.
 */
typedef void (*frost_callback)(void *user_data, frost_status status, const frost_report *report);

/*
 * Submits an image and returns at once; FROST_BUSY if the queue is full.
 *
 * The structs are read during the call, and the handles in them may be destroyed after it. Until the callback is called
 * or the ticket is done, the pixels must stay valid and the program must not modify the source or access the target.
 * This call reports errors of single arguments; errors that frost_render() would find in their combination are reported
 * by the ticket.
 *
 * options and callback may be NULL. ticket may be NULL too if the callback is enough.
 */
frost_status frost_queue_submit(
    frost_queue *queue, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_callback callback, void *user_data, frost_ticket **ticket);

/* The number of submitted and unfinished images; 0 for NULL. */
size_t frost_queue_count(const frost_queue *queue);

/* Cancels all images, as frost_ticket_cancel() does. */
void frost_queue_cancel_all(frost_queue *queue);

/*
 * Waits until no image is left and the last callback has returned. A call from a callback of the queue returns at once.
 */
frost_status frost_queue_wait(frost_queue *queue);

/*
 * Cancels all images and waits for them; afterwards no pixel is accessed and no callback is called. A call from a
 * callback of the queue does not wait.
 */
void frost_queue_destroy(frost_queue *queue);

/*
 * The image's status: FROST_NOT_READY until it is done. report may be NULL, and is filled in with FROST_OK. May be
 * called repeatedly.
 */
frost_status frost_ticket_poll(const frost_ticket *ticket, frost_report *report);

/* Waits for the image, at most so many milliseconds, or without a limit if the number is negative. */
frost_status frost_ticket_wait(const frost_ticket *ticket, int64_t milliseconds, frost_report *report);

/*
 * Requests that the image not be rendered. It is done within a few milliseconds, with FROST_CANCELLED unless it was
 * done before.
 */
void frost_ticket_cancel(frost_ticket *ticket);

/* The image is still rendered. */
void frost_ticket_destroy(frost_ticket *ticket);

#ifdef __cplusplus
}
#endif

#endif
