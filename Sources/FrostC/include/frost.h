/*
 * frost.h - the C interface of Frost: image blurring on any GPU, or none.
 *
 * Conventions, which hold for every function below:
 *
 * - A function that can fail returns a frost_status: FROST_OK is 0, errors are negative. What was wrong is then said by
 *   frost_error_message(), on the same thread. Results are handed out through the last parameters, and only with FROST_OK.
 * - No argument makes the library crash: NULL, short structs, sizes and numbers that make no sense are errors. What cannot
 *   be checked is left to the caller: that pointers are to live memory, and handles not destroyed yet.
 * - Handles are opaque, and destroyed once. destroy(NULL) does nothing. What a handle was made of (a queue of a renderer,
 *   say) may be destroyed before it.
 * - Structs begin with struct_size, which the caller sets to sizeof: the FROST_..._INIT macros do so, and set defaults. 0 is
 *   the default of every other field. Later versions of Frost add fields at the end, and take structs of this one.
 * - Strings are UTF-8 and end with a zero byte.
 * - There is no global state that a call could change for another.
 *
 * docs/Embedding.md has examples, costs, and the same for Python.
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
    /* Stopped as was asked for; the target's content is undefined. */
    FROST_CANCELLED = 3,
    /* NULL, a short struct, a constant that is none, memory that is too small or overlaps. */
    FROST_ERROR_ARGUMENT = -1,
    /* An effect or parameter that is unknown, or a value out of range. */
    FROST_ERROR_PARAMETER = -2,
    /* Sizes and formats that make no image, or do not fit together. */
    FROST_ERROR_PIXELS = -3,
    /* A GPU was demanded and none can be used, or the program's own context is not current. */
    FROST_ERROR_NO_DEVICE = -4,
    /* A GPU was demanded and failed at the work. */
    FROST_ERROR_DEVICE_FAILED = -5,
    /* A texture, framebuffer or dma-buf is not what was said, or cannot be used so. Nothing was drawn. */
    FROST_ERROR_SURFACE = -6
};

/* What a status is called: "busy". Never NULL. Thread-safety: may be called from any thread. */
const char *frost_status_name(frost_status status);

/*
 * One line on the last call of this thread that failed; "" before the first. Valid until the thread's next call of Frost.
 * Thread-safety: each thread has its own.
 */
const char *frost_error_message(void);

/* ---- Devices -------------------------------------------------------------------------------------------------------- */

/*
 * What became of each EGL device and platform when it was tried: the list that `frost devices` prints.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_device_list frost_device_list;

enum {
    FROST_DEVICE_USABLE = 0,
    FROST_DEVICE_UNUSABLE = 1,
    /* Another way to a device that stands further up. */
    FROST_DEVICE_DUPLICATE = 2
};

/* Texts that are not known are "". */
typedef struct frost_device_info {
    size_t struct_size;
    int32_t status;
    /* Its place in the order of trying: what frost_renderer_options takes as device, in digits. */
    int32_t index;
    /* Of duplicates: the other's index. */
    int32_t duplicate_of;
    /* Of usable ones: its renderer runs on the CPU. */
    int32_t is_software;
    /* It is the one that FROST_BACKEND_AUTO uses, where it beats the CPU. */
    int32_t is_automatic;
    int32_t reserved;
    /* What to write down to find it again, or, of those that are not usable, what was tried. */
    char id[128];
    /* How its display was opened: "device", "gbm", "surfaceless". */
    char platform[32];
    char render_node[64], pci_path[64];
    /* As the driver has them. */
    char vendor[128], renderer[256], version[128];
    /* Why it is not usable. */
    char reason[256];
} frost_device_info;

/* Only struct_size is read of it. */
#define FROST_DEVICE_INFO_INIT \
    { sizeof(frost_device_info), 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }

/* Makes a context on every device, which takes about 50 ms for each. FROST_ERROR_NO_DEVICE where there is no EGL. */
frost_status frost_device_list_create(frost_device_list **list);

/* 0 for NULL. */
size_t frost_device_list_count(const frost_device_list *list);
frost_status frost_device_list_describe(const frost_device_list *list, size_t index, frost_device_info *info);
void frost_device_list_destroy(frost_device_list *list);

/* ---- Renderers ------------------------------------------------------------------------------------------------------ */

/*
 * Carries out effects. Make one and keep it: a GPU is opened once, and memory is reused.
 * Thread-safety: may be used from any thread; work on a GPU is queued, work on the CPU runs side by side.
 */
typedef struct frost_renderer frost_renderer;

enum {
    /* For each image a hardware GPU or the CPU, by which is measured to be the faster. Never software GL. */
    FROST_BACKEND_AUTO = 0,
    FROST_BACKEND_CPU = 1,
    /* A GPU through EGL and OpenGL ES, on a context of Frost's own; software GL counts. */
    FROST_BACKEND_GPU = 2,
    /* The definition in double precision: slow, what the others are measured against. */
    FROST_BACKEND_EXACT = 3
};

typedef struct frost_renderer_options {
    size_t struct_size;
    int32_t backend;
    /* For work on the CPU, 1 to 256; 0 for as many as there are processors. */
    int32_t threads;
    /* Demands a GPU: its index, render node, PCI path, or part of its name, as `frost devices` prints them. NULL: any. */
    const char *device;
} frost_renderer_options;

#define FROST_RENDERER_OPTIONS_INIT { sizeof(frost_renderer_options), FROST_BACKEND_AUTO, 0, NULL }

/* options may be NULL. Takes about 50 ms where a GPU is demanded. */
frost_status frost_renderer_create(const frost_renderer_options *options, frost_renderer **renderer);

/*
 * With FROST_BACKEND_AUTO: opens a GPU now and measures both backends, which else happens once enough was blurred. Takes up
 * to half a second the first time on a machine. Does nothing with other backends. channels and sample are those of the
 * images to come.
 */
frost_status frost_renderer_prepare(frost_renderer *renderer, int32_t channels, int32_t sample);

/* Waits for nothing: work that other threads have under way keeps what it needs. */
void frost_renderer_destroy(frost_renderer *renderer);

/* ---- Pixels in the caller's memory ---------------------------------------------------------------------------------- */

/* Samples of a pixel, in the order in which they lie in memory. */
enum {
    FROST_CHANNELS_RGBA = 0,
    FROST_CHANNELS_BGRA = 1,
    FROST_CHANNELS_RGB = 2,
    FROST_CHANNELS_GREY = 3,
    FROST_CHANNELS_GREY_ALPHA = 4
};

/* The type of a sample, in the machine's byte order; of integers the largest stands for 1. */
enum { FROST_SAMPLE_U8 = 0, FROST_SAMPLE_U16 = 1, FROST_SAMPLE_F32 = 2 };

/* Whether colour has been multiplied by alpha; without meaning where there is no alpha. */
enum { FROST_ALPHA_STRAIGHT = 0, FROST_ALPHA_PREMULTIPLIED = 1 };

/* A rectangle of whole pixels, y downwards. */
typedef struct frost_rect {
    int32_t x, y, width, height;
} frost_rect;

/*
 * An image to read. Rows go from top to bottom; row y begins at pixels + y * bytes_per_row. What lies between the rows is
 * not read, so that the image may be a part of a larger one.
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
    /* What may be read at pixels: at least (height - 1) * bytes_per_row and the last row's pixels. */
    size_t byte_count;
} frost_source;

#define FROST_SOURCE_INIT \
    { sizeof(frost_source), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/* An image to write; its fields are those of a source. What lies between the rows is not written. */
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
 * How much of an effect shows where, for effects whose mask is a picture: the picture's alpha if it has some, else its
 * luma. Stretched over the image.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_mask frost_mask;

/* The picture is copied. */
frost_status frost_mask_create(const frost_source *picture, frost_mask **mask);
void frost_mask_destroy(frost_mask *mask);

/* ---- Effects -------------------------------------------------------------------------------------------------------- */

/*
 * A blur and what follows it.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_effect frost_effect;

/* What lies outside of an image: the nearest pixel, its reflection, the image again, transparent black. */
enum { FROST_EDGE_CLAMP = 0, FROST_EDGE_MIRROR = 1, FROST_EDGE_REPEAT = 2, FROST_EDGE_CLEAR = 3 };

enum {
    /* On for named effects, off for plain Gaussians. */
    FROST_DITHER_DEFAULT = 0,
    FROST_DITHER_OFF = 1,
    FROST_DITHER_ON = 2
};

enum {
    /* The image's numbers are blurred as they are, as nearly all software does. */
    FROST_LIGHT_ENCODED = 0,
    /* They are taken for sRGB, and the light that they stand for is blurred. */
    FROST_LIGHT_LINEAR = 1
};

typedef struct frost_effect_options {
    size_t struct_size;
    int32_t dither;
    int32_t light;
} frost_effect_options;

#define FROST_EFFECT_OPTIONS_INIT { sizeof(frost_effect_options), FROST_DITHER_DEFAULT, FROST_LIGHT_ENCODED }

/*
 * An effect by its name: "gaussian", or one that `frost effects` lists. parameters are "name=value" with spaces between,
 * such as "radius=24 edge=mirror"; NULL and "" are the defaults. options may be NULL.
 */
frost_status frost_effect_create(
    const char *name, const char *parameters, const frost_effect_options *options, frost_effect **effect);

/* A plain Gaussian. The sigmas are standard deviations in pixels of the input, 0 to 1000. options may be NULL. */
frost_status frost_effect_create_gaussian(
    double sigma_x, double sigma_y, int32_t edge, const frost_effect_options *options, frost_effect **effect);

/* Something that lies on a panel. */
typedef struct frost_content {
    size_t struct_size;
    const frost_source *picture;
    /* Such as "label", for effects that are light or dark styles: only the picture's alpha counts then. NULL for its own
     * colours. */
    const char *vibrancy;
    /* How the picture is placed in its bounds, as UIKit's content modes: "scale-to-fill" (or NULL), "aspect-fit",
     * "aspect-fill", "center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left",
     * "bottom-right". */
    const char *mode;
    /* In pixels of the image that the effect is given to; empty for all of it. */
    frost_rect bounds;
} frost_content;

#define FROST_CONTENT_INIT { sizeof(frost_content), NULL, NULL, NULL, { 0, 0, 0, 0 } }

/* Another effect: the same with content over it and over what content it has. The picture is copied. */
frost_status frost_effect_add_content(
    const frost_effect *effect, const frost_content *content, frost_effect **result);

/* A rectangle with rounded corners, in pixels of the image that the effect is given to. */
typedef struct frost_rounded_rect {
    /* Magnitudes up to 2^30. */
    double x, y, width, height;
    /* 0 to half the shorter side. */
    double radius;
} frost_rounded_rect;

/*
 * Another effect: the same within rectangles, which take the place of those it had; where there are none, everywhere.
 * Elsewhere the image shows as it was, byte for byte; pixels that are covered in part are mixtures. Cheap enough for each
 * frame. For a panel let the region be the whole pixels around the rectangle. count is 65536 at the most, of which a GPU
 * takes fewer.
 */
frost_status frost_effect_clip(
    const frost_effect *effect, const frost_rounded_rect *rects, size_t count, frost_effect **result);

void frost_effect_destroy(frost_effect *effect);

/* ---- The list of effects -------------------------------------------------------------------------------------------- */

/* The strings live as long as the library. */
typedef struct frost_effect_info {
    size_t struct_size;
    const char *name;
    /* What the effect is of: "UIBlurEffect". */
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
    /* As frost_effect_create() takes it. */
    const char *default_value;
    /* Of numbers: "points", "pixels", "fraction", or "" for a pure number. */
    const char *unit;
    /* Of choices: the words, with spaces between. */
    const char *choices;
    /* Of numbers. */
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
 * Asks for work to stop. Cannot be taken back: make one for each piece of work that is to be stopped by itself.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_cancellation frost_cancellation;

frost_status frost_cancellation_create(frost_cancellation **cancellation);
void frost_cancellation_cancel(frost_cancellation *cancellation);
void frost_cancellation_destroy(frost_cancellation *cancellation);

typedef struct frost_render_options {
    size_t struct_size;
    /* What to compute, in the source's pixels; may reach beyond it. NULL for what the effect says: the whole image, or
     * more. */
    const frost_rect *region;
    /* For effects whose mask is a picture. */
    const frost_mask *mask;
    frost_cancellation *cancellation;
    /* How far any value may be from the exact effect before it is rounded, in 255ths of full scale: 0.002 to 1. 0 for what
     * suits the samples. */
    double error_budget;
} frost_render_options;

#define FROST_RENDER_OPTIONS_INIT { sizeof(frost_render_options), NULL, NULL, NULL, 0.0 }

/* How an image came to be rendered. */
typedef struct frost_report {
    size_t struct_size;
    /* What did the work; never FROST_BACKEND_AUTO. */
    int32_t backend;
    int32_t passes;
    /* How far any value can be from the exact effect before rounding, in 255ths of full scale. */
    double error_bound;
    /* Milliseconds; of the GPU's own clock, or negative where it has none. */
    double upload_ms, blur_ms, readback_ms, gpu_ms;
    /* The GPU's name; "" on the CPU. */
    char device[128];
    /* Why this backend. */
    char reason[256];
    /* Why the result may be less exact than error_bound says; "" where it is not. */
    char warning[256];
} frost_report;

/* Only struct_size is read of a report. */
#define FROST_REPORT_INIT { sizeof(frost_report), 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, { 0 }, { 0 }, { 0 } }

/*
 * Fills in what a target has to be for an effect on a source: size, format (with alpha added where transparent edges need
 * it, and colour where the effect colours grey), rows without padding, and byte_count. Leaves its pixels alone. The
 * source's pixels may be NULL, and region may be.
 */
frost_status frost_effect_describe_target(
    const frost_effect *effect, const frost_source *source, const frost_rect *region, frost_target *target);

/*
 * How far any value of the result can be from the exact effect before rounding, in 255ths of full scale, without computing
 * anything else. The source's pixels may be NULL, and options may be.
 */
frost_status frost_effect_error_bound(
    const frost_effect *effect, const frost_source *source, const frost_render_options *options, double *bound);

/*
 * By how many pixels to the left and right, and up and down, of a rectangle the result may change when the source does in it:
 * what a host adds to its damage to know what to draw again. At the most the source's size. The source's pixels may be NULL;
 * error_budget is that of the rendering, 0 for its default. Takes up to a millisecond.
 */
frost_status frost_effect_damage_expansion(
    const frost_effect *effect, const frost_source *source, double error_budget, int32_t *x, int32_t *y);

/*
 * Carries out an effect, and returns when that is done.
 *
 * The target is sized as the region and has the source's samples and colour channels, or what
 * frost_effect_describe_target() says, in either order and alpha mode. It may be the source's memory, laid out alike, if the
 * region is the whole image; else the two may share no pixel. After an error its content is undefined.
 *
 * options and report may be NULL.
 */
frost_status frost_render(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

/* ---- Live backdrops ------------------------------------------------------------------------------------------------- */

/*
 * Panels of frosted glass over a picture that changes: computes again only what changes reach. The host says what of its
 * picture has changed, and renders when it draws a frame. What panels show is what frost_render() makes of their effects, to
 * the bit, however many frames have led there.
 *
 * Of each blur a quarter of the picture's pixels is kept, of 8 or 16 bytes each for RGBA.
 *
 * Thread-safety: used by one thread at a time; one of a frost_gl as that is, but may be destroyed anywhere.
 */
typedef struct frost_backdrop frost_backdrop;

enum {
    /* Of the low resolutions that panels share, what they show is computed: least work while the picture changes. */
    FROST_COVERAGE_PANELS = 0,
    /* All of them: then panels move over a still picture at the cost of drawing them. */
    FROST_COVERAGE_EVERYWHERE = 1
};

typedef struct frost_backdrop_options {
    size_t struct_size;
    int32_t coverage;
    /* As of frost_renderer_options; 0 for a frost_gl. */
    int32_t threads;
    /* As of frost_render_options. */
    double error_budget;
} frost_backdrop_options;

#define FROST_BACKDROP_OPTIONS_INIT { sizeof(frost_backdrop_options), FROST_COVERAGE_PANELS, 0, 0.0 }

/* One for pictures in the caller's memory, on the CPU. options may be NULL. */
frost_status frost_backdrop_create(const frost_backdrop_options *options, frost_backdrop **backdrop);

/* Frees what it keeps; of a frost_gl, with the next call of that. */
void frost_backdrop_destroy(frost_backdrop *backdrop);

/* A part of the picture that an effect is seen in. */
typedef struct frost_panel {
    size_t struct_size;
    /* In the picture's pixels. What reaches beyond the picture is not seen. */
    frost_rect rect;
    /* 0 to half the shorter side. Between the corners and the rectangle the picture shows. */
    double corner_radius;
    /*
     * The bounds of its content count from the rectangle's top left, and content without bounds is placed in the rectangle.
     * Its clip is the panel's.
     */
    const frost_effect *effect;
    /* How much of the effect shows, stretched over the rectangle: for effects whose mask is a picture, or that have none.
     * May be NULL. */
    const frost_mask *mask;
} frost_panel;

#define FROST_PANEL_INIT { sizeof(frost_panel), { 0, 0, 0, 0 }, 0.0, NULL, NULL }

/*
 * The panels of the frames to come, from bottom to top: where two overlap, the later one is seen. They are compared by index
 * with those before, so that one which stays as it is costs nothing. In an array the structs lie as far apart as the first
 * one's struct_size says, which is that of all. Effects and masks may be destroyed afterwards. count is 4096 at the most; a
 * few dozen are quick. After an error the panels are those before.
 */
frost_status frost_backdrop_set_panels(frost_backdrop *backdrop, const frost_panel *panels, size_t count);

/*
 * The picture has changed in rectangles, 65536 at the most. What lies beyond it is ignored. Costs next to nothing until the
 * next frame.
 */
frost_status frost_backdrop_invalidate(frost_backdrop *backdrop, const frost_rect *rects, size_t count);

/* The picture has changed anywhere, or is another. */
frost_status frost_backdrop_invalidate_all(frost_backdrop *backdrop);

enum {
    /* The target is the last frame's: what has changed is drawn. */
    FROST_REPAINT_CHANGED = 0,
    /* It is anything, such as another buffer of a chain: all panels are drawn. */
    FROST_REPAINT_ALL = 1
};

typedef struct frost_frame_options {
    size_t struct_size;
    int32_t repaint;
    int32_t reserved;
    /* The next frame does what is left of one that was cancelled. */
    frost_cancellation *cancellation;
} frost_frame_options;

#define FROST_FRAME_OPTIONS_INIT { sizeof(frost_frame_options), FROST_REPAINT_CHANGED, 0, NULL }

/* What a frame took. All is 0 but error_bound where nothing had changed. */
typedef struct frost_frame_report {
    size_t struct_size;
    /* Passes that panels of the same blur share, and those of panels by themselves, over their own area. */
    uint64_t level_passes, panel_passes;
    /* Cells that were computed at low resolution, and pixels that were written. */
    uint64_t level_cells, panel_pixels;
    /* How many rectangles frost_backdrop_updated() and frost_backdrop_uncovered() have. */
    size_t updated_count, uncovered_count;
    /* The largest of all panels', as in frost_report. */
    double error_bound;
} frost_frame_report;

/* Only struct_size is read of a report. */
#define FROST_FRAME_REPORT_INIT { sizeof(frost_frame_report), 0, 0, 0, 0, 0, 0, 0.0 }

/*
 * Brings a target up to date. Pixels of panels alone are written; where nothing has changed no pass is run.
 *
 * The source differs from the last frame's only where that was said; one of another size or format is taken for another
 * picture. The target has its size and samples, its colours in either order and alpha mode, and alpha where the picture has
 * it; the two share no memory. After an error the next frame does what is left. options and report may be NULL.
 */
frost_status frost_backdrop_render(
    frost_backdrop *backdrop, const frost_source *source, const frost_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/*
 * What was written of the target, by the last frame that was no error and those that were before it: rectangles that do not
 * overlap, of which as many as capacity are copied. *count is how many there are. rects may be NULL if capacity is 0.
 */
frost_status frost_backdrop_updated(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/* The same for what panels have left and none has come to: the host draws its picture there. */
frost_status frost_backdrop_uncovered(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/* ---- Host's GL textures --------------------------------------------------------------------------------------------- */

/*
 * Carries out effects in the program's own OpenGL ES context, from its textures to its textures and framebuffers. Nothing is
 * copied, read back or waited for; draws go in order with the program's own; all GL state is afterwards as it was, but for
 * errors that nobody had asked for; and once the first frames of a size are over no GL object is made.
 *
 * There is no CPU behind it: what the context cannot do is an error.
 *
 * Thread-safety: to be used where the context is current, by one thread at a time. Elsewhere every call is
 * FROST_ERROR_NO_DEVICE.
 */
typedef struct frost_gl frost_gl;

enum {
    /* The GPU's filter where it was measured to be exact enough, else texel by texel. */
    FROST_FILTERING_AUTOMATIC = 0,
    /* Texel by texel: the same bits on every device, at more cost. */
    FROST_FILTERING_EXACT = 1
};

typedef struct frost_gl_options {
    size_t struct_size;
    int32_t filtering;
    int32_t reserved;
    /* Bytes of textures that are kept for the next frames; 0 for 512 MiB. */
    uint64_t idle_bytes;
} frost_gl_options;

#define FROST_GL_OPTIONS_INIT { sizeof(frost_gl_options), FROST_FILTERING_AUTOMATIC, 0, 0 }

/*
 * Adopts the context that is current on this thread, of OpenGL ES 3.0 or later. Takes milliseconds; programs are compiled,
 * or loaded from the cache on disk, when they are first used. options may be NULL.
 */
frost_status frost_gl_create(const frost_gl_options *options, frost_gl **gl);

/* Deletes all that Frost has in the context. Where that is not current, the objects go with it. */
void frost_gl_destroy(frost_gl *gl);

/* Gives the textures that are kept for the next frames back to the GL. */
frost_status frost_gl_trim(frost_gl *gl);

/* What the context is on, and what Frost did and has in it. */
typedef struct frost_gl_info {
    size_t struct_size;
    /* Effects carried out, and the passes drawn for them. */
    uint64_t renders, passes;
    /* GL objects of any kind that Frost ever made, those that exist, and the bytes of their memory. */
    uint64_t objects_created, objects, bytes;
    /* Programs compiled, and loaded from the cache on disk instead. */
    uint64_t programs_compiled, programs_loaded;
    /* The longest side that images may have. */
    int32_t maximum_side;
    int32_t reserved;
    char device[128];
} frost_gl_info;

#define FROST_GL_INFO_INIT { sizeof(frost_gl_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 } }

/* The context need not be current. */
frost_status frost_gl_describe(const frost_gl *gl, frost_gl_info *info);

enum {
    FROST_GL_TEXTURE_2D = 0,
    /* GL_TEXTURE_EXTERNAL_OES; of sources alone. */
    FROST_GL_TEXTURE_EXTERNAL = 1,
    /* Of targets alone; 0 is the window's. */
    FROST_GL_FRAMEBUFFER = 2
};

/*
 * A texture to read: the whole of level 0 is the image. From OpenGL ES 3.1 on, what is said of a 2D texture is compared with
 * what the GL says. Its numbers have to be normalised ones, as of rgba8 and rgb8, and not sRGB's: those are converted when
 * they are read.
 */
typedef struct frost_gl_source {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    /* FROST_CHANNELS_RGBA; FROST_CHANNELS_RGB where alpha is 1 whatever is stored. */
    int32_t channels;
    /* FROST_GL_SOURCE_INIT says premultiplied. */
    int32_t alpha;
    /* 1 where the first row is the image's lowest, as GL's own drawing leaves it. */
    int32_t rises;
    int32_t reserved;
} frost_gl_source;

#define FROST_GL_SOURCE_INIT \
    { sizeof(frost_gl_source), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0 }

/* A texture or framebuffer to write. The fields that a source has mean the same; width and height are those of the whole. */
typedef struct frost_gl_target {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    /* Where the region's top left pixel goes, counted from the whole's top left. */
    int32_t x, y;
    int32_t reserved;
} frost_gl_target;

#define FROST_GL_TARGET_INIT \
    { sizeof(frost_gl_target), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, 0, 0 }

/*
 * Draws an effect's result, or the part of it that options->region names, into the target; no other pixel changes. The
 * target is not the source's texture. options and report may be NULL.
 */
frost_status frost_gl_render(
    frost_gl *gl, const frost_effect *effect, const frost_gl_source *source, const frost_gl_target *target,
    const frost_render_options *options, frost_report *report);

/* A backdrop in the program's own context. options may be NULL. */
frost_status frost_gl_backdrop_create(
    frost_gl *gl, const frost_backdrop_options *options, frost_backdrop **backdrop);

/*
 * frost_backdrop_render() for a backdrop of a frost_gl, by the same rules: the picture's top left pixel goes to the
 * target's x and y, where there is room for all of it. A source of another name is taken for the same picture in another
 * buffer. Where nothing has changed no function of the GL is called. What panels show is what frost_gl_render() draws
 * with FROST_FILTERING_EXACT.
 */
frost_status frost_gl_backdrop_render(
    frost_backdrop *backdrop, const frost_gl_source *source, const frost_gl_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/* ---- dma-bufs and fences -------------------------------------------------------------------------------------------- */

typedef struct frost_dmabuf_plane {
    /* Borrowed: may be closed once the buffer is imported. */
    int32_t fd;
    /* Bytes from the memory's start to the plane's, and from the start of a row to that of the next. */
    uint32_t offset, stride;
} frost_dmabuf_plane;

/* How luma and chroma become colours; without meaning for other formats. EGL calls them hints. */
enum { FROST_YUV_BT601 = 0, FROST_YUV_BT709 = 1, FROST_YUV_BT2020 = 2 };
enum { FROST_YUV_NARROW = 0, FROST_YUV_FULL = 1 };
/* Chroma lies on the first of the pixels that share it, or in the middle of them. */
enum { FROST_YUV_SITING_FIRST = 0, FROST_YUV_SITING_MIDDLE = 1 };

/* An image in memory that devices and processes share. */
typedef struct frost_dmabuf {
    size_t struct_size;
    int32_t width, height;
    /* As drm_fourcc.h has it. */
    uint32_t fourcc;
    /* 1 to 4. */
    uint32_t plane_count;
    /* As drm_fourcc.h has it: 0 is DRM_FORMAT_MOD_LINEAR; DRM_FORMAT_MOD_INVALID leaves it to the driver. */
    uint64_t modifier;
    frost_dmabuf_plane planes[4];
    int32_t yuv_matrix, yuv_range, yuv_siting_x, yuv_siting_y;
} frost_dmabuf;

#define FROST_DMABUF_INIT \
    { sizeof(frost_dmabuf), 0, 0, 0, 0, 0, { { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 } }, 0, 0, 0, 0 }

/*
 * Makes dma-bufs by GBM on a device: targets to render into, for others to show.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_dmabuf_allocator frost_dmabuf_allocator;

/*
 * Opens a render node such as "/dev/dri/renderD128", or a primary node such as "/dev/dri/card0", which is all that devices
 * have that cannot draw. FROST_ERROR_NO_DEVICE if that, or GBM, is not to be had.
 */
frost_status frost_dmabuf_allocator_create(const char *node, frost_dmabuf_allocator **allocator);

/* The buffers stay. */
void frost_dmabuf_allocator_destroy(frost_dmabuf_allocator *allocator);

enum {
    FROST_DMABUF_FOR_RENDERING = 0,
    /* The device need not be able to draw into it. */
    FROST_DMABUF_FOR_READING = 1
};

typedef struct frost_dmabuf_request {
    size_t struct_size;
    int32_t width, height;
    /* As drm_fourcc.h has it. */
    uint32_t fourcc;
    int32_t purpose;
    /* Those that the readers understand, 1024 at the most: the driver takes the one that it likes best. NULL for
     * DRM_FORMAT_MOD_LINEAR alone; DRM_FORMAT_MOD_INVALID lets the driver do as it likes. */
    const uint64_t *modifiers;
    size_t modifier_count;
} frost_dmabuf_request;

#define FROST_DMABUF_REQUEST_INIT { sizeof(frost_dmabuf_request), 0, 0, 0, FROST_DMABUF_FOR_RENDERING, NULL, 0 }

/*
 * Fills in a buffer whose content is undefined. The descriptors of its planes are the caller's to close, each plane's own.
 * FROST_ERROR_SURFACE, with format, modifier and what the driver said, if it cannot be had.
 */
frost_status frost_dmabuf_allocate(
    frost_dmabuf_allocator *allocator, const frost_dmabuf_request *request, frost_dmabuf *buffer);

/* A combination of format and modifier that can be imported. */
typedef struct frost_dmabuf_kind {
    size_t struct_size;
    uint64_t modifier;
    uint32_t fourcc;
    /* It can be a source alone. */
    int32_t is_external_only;
} frost_dmabuf_kind;

#define FROST_DMABUF_KIND_INIT { sizeof(frost_dmabuf_kind), 0, 0, 0 }

/* How many there are: 0 where the driver cannot tell, and then trying tells. */
frost_status frost_gl_dmabuf_kind_count(frost_gl *gl, size_t *count);
frost_status frost_gl_describe_dmabuf_kind(frost_gl *gl, size_t index, frost_dmabuf_kind *kind);

/*
 * An imported dma-buf, which keeps its memory alive. Import a buffer once, not for each frame.
 * Thread-safety: as of frost_gl; may be destroyed anywhere, and its texture goes with the next call of the frost_gl.
 */
typedef struct frost_gl_buffer frost_gl_buffer;

enum {
    /* A 2D texture where the driver has it, else an external one. */
    FROST_DMABUF_ANY = 0,
    FROST_DMABUF_TEXTURE_2D = 1,
    /* A texture that the driver converts to colours; can be a source alone. */
    FROST_DMABUF_EXTERNAL = 2
};

/* What cannot be imported is FROST_ERROR_SURFACE, with a message that names format and modifier. */
frost_status frost_gl_import(frost_gl *gl, const frost_dmabuf *buffer, int32_t use, frost_gl_buffer **result);

/* Fills in the buffer's name, kind, size and channels; alpha and rises stay. */
frost_status frost_gl_buffer_source(const frost_gl_buffer *buffer, frost_gl_source *source);

/* The same for a target, of which x and y stay, too. FROST_ERROR_SURFACE where the buffer can only be read. */
frost_status frost_gl_buffer_target(const frost_gl_buffer *buffer, frost_gl_target *target);

void frost_gl_buffer_destroy(frost_gl_buffer *buffer);

/*
 * Orders what is drawn in the context from now on behind a producer's fence, a sync_file, say: on the GPU where it can wait,
 * else by waiting, at most for so many milliseconds, or with a negative number for as long as it takes. FROST_NOT_READY if
 * that was not enough. fd stays the caller's. on_gpu may be NULL, and says whether the GPU waits.
 */
frost_status frost_gl_wait_fence(frost_gl *gl, int32_t fd, int64_t milliseconds, int32_t *on_gpu);

/*
 * Submits what was drawn in the context, and hands out a fence behind it, which the caller closes. Where the driver has no
 * such fences the work is waited for, with the same limit, and *fd is -1.
 */
frost_status frost_gl_fence(frost_gl *gl, int64_t milliseconds, int32_t *fd);

/* ---- Rendering in the background ------------------------------------------------------------------------------------ */

/*
 * Renders images while its caller goes on. They are begun in the order in which they were submitted, and may be done in
 * another. On a GPU one is drawn while the next is uploaded and the one before read back; on the CPU they go side by side.
 * Thread-safety: may be used from any thread, also from callbacks; destroyed by one.
 */
typedef struct frost_queue frost_queue;

/*
 * An image that was submitted.
 * Thread-safety: may be used from any thread, also from its callback; destroyed by one.
 */
typedef struct frost_ticket frost_ticket;

typedef struct frost_queue_options {
    size_t struct_size;
    /* How many images may be submitted and not done yet, 1 to 1024; 0 for 8. */
    int32_t depth;
    /* How many of them are worked on at a time, 1 to depth; 0 for what suits the renderer. With 1 they are done in order. */
    int32_t concurrency;
} frost_queue_options;

#define FROST_QUEUE_OPTIONS_INIT { sizeof(frost_queue_options), 0, 0 }

/* options may be NULL. */
frost_status frost_queue_create(
    frost_renderer *renderer, const frost_queue_options *options, frost_queue **queue);

/*
 * Called once for each image that was submitted, on a thread of the queue, before anyone who waits for it goes on; the
 * image's place in the queue is free by then, so that the next may be submitted from here. report is NULL unless status is
 * FROST_OK, and lives for the call; frost_error_message() says what is wrong.
 */
typedef void (*frost_callback)(void *user_data, frost_status status, const frost_report *report);

/*
 * Submits an image and returns at once: FROST_BUSY where the queue is full.
 *
 * The structs are read during the call, and handles in them may be destroyed after it. The pixels stay valid, the source's
 * unchanged and the target's untouched, until the callback is called or the ticket is done. What is wrong with arguments by
 * themselves is said by this call, what frost_render() would say of them together by the ticket.
 *
 * options and callback may be NULL, and so may ticket, by those whom the callback tells all.
 */
frost_status frost_queue_submit(
    frost_queue *queue, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_callback callback, void *user_data, frost_ticket **ticket);

/* How many images are submitted and not done; 0 for NULL. */
size_t frost_queue_count(const frost_queue *queue);

/* Cancels all of them, as frost_ticket_cancel() does. */
void frost_queue_cancel_all(frost_queue *queue);

/* Waits until none is left and the last callback has returned. Called by a callback of the queue, it returns at once. */
frost_status frost_queue_wait(frost_queue *queue);

/*
 * Cancels all images and waits for them, so that no pixel is touched and no callback called any more. Called by a callback of
 * the queue, it does not wait.
 */
void frost_queue_destroy(frost_queue *queue);

/*
 * The image's status: FROST_NOT_READY while it is under way. report may be NULL, and is filled in with FROST_OK. May be called
 * again.
 */
frost_status frost_ticket_poll(const frost_ticket *ticket, frost_report *report);

/* Waits for the image, for so many milliseconds at the most, or, with a negative number, until it is done. */
frost_status frost_ticket_wait(const frost_ticket *ticket, int64_t milliseconds, frost_report *report);

/* Asks for the image not to be made. It is done within a few milliseconds, with FROST_CANCELLED if it was not done before. */
void frost_ticket_cancel(frost_ticket *ticket);

/* The image is made all the same. */
void frost_ticket_destroy(frost_ticket *ticket);

#ifdef __cplusplus
}
#endif

#endif
