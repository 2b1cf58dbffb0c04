/*
 * frost_backdrop.h - panels of frosted glass over an image that changes.
 *
 * A frame is, on the thread that uses the backdrop:
 *
 *   frost_backdrop_set_panels()     if a panel has changed; the backdrop keeps the effects and masks that it needs
 *   frost_backdrop_invalidate()     the rectangles in which the image has changed since the last frame
 *   frost_backdrop_render()         reads the image and writes panels into the target; frost_gl_backdrop_render() of
 *                                   frost_gl.h does this on textures. Frost recomputes only what the changes affect.
 *   frost_backdrop_uncovered()      the host draws its image in these rectangles of the target
 *   frost_backdrop_content_color()  the colour of text and symbols on a panel that guarantees a contrast
 *   frost_backdrop_updated()        what Frost has written, such as the damage that the host reports to a display
 *
 * Frost writes only pixels of panels, and the host draws all others. Source and target are the host's, and must differ.
 *
 * A compositor with textures reads frost_base.h, frost_effect.h, this header and frost_gl.h; frost_layers.h if its
 * panels have masks or content, frost_gl_programs.h to compile before the first frame, and frost_dmabuf.h for buffers
 * of others.
 */
#ifndef FROST_BACKDROP_H
#define FROST_BACKDROP_H

#include "frost_blur.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

/*
 * A backdrop shows panels over an image. The pixels of a panel are bit for bit those that frost_render() computes for
 * its effect on the image or, with FROST_LAYERING_STACKED, on what lies below it, whatever frames came before.
 *
 * Memory: for each different blur, an image with a quarter of the host's pixels, of 8 or 16 bytes each for RGBA.
 *
 * Thread-safety: one thread at a time may use a backdrop. A backdrop of a frost_gl has the thread rules of that
 * frost_gl, except that the backdrop may be destroyed on any thread.
 */
typedef struct frost_backdrop frost_backdrop;

enum {
    /* Computes only the low-resolution samples that visible panels need: the least work while the image changes. */
    FROST_COVERAGE_PANELS = 0,
    /* Computes all low-resolution samples. Panels that move over an unchanged image then cost only the drawing. */
    FROST_COVERAGE_EVERYWHERE = 1
};

enum {
    /* Every panel shows the effect of the image. Where two overlap, only the later one is visible. */
    FROST_LAYERING_FLAT = 0,
    /* Every panel shows the effect of the image with all earlier panels, to the bit as if composed in whole images of
     * the source's format; in a frost_gl of 16-bit floats, if source or target have floats, 10 bits, or encodings other
     * than sRGB. A window between panels is a panel with a Gaussian of sigma 0 and a texture or content. Each stage of
     * panels over panels keeps an image. Grey images need a grey target. */
    FROST_LAYERING_STACKED = 1
};

/* Options of the functions that create a backdrop. */
typedef struct frost_backdrop_options {
    size_t struct_size;
    int32_t coverage; /* FROST_COVERAGE_PANELS or FROST_COVERAGE_EVERYWHERE. */
    /* The number of threads, as in frost_renderer_options. It must be 0 for a backdrop of a frost_gl. */
    int32_t threads;
    /* The maximum allowed error, as in frost_render_options. */
    double error_budget;
    int32_t layering; /* FROST_LAYERING_FLAT or FROST_LAYERING_STACKED. */
    int32_t reserved;
} frost_backdrop_options;

#define FROST_BACKDROP_OPTIONS_INIT \
    { sizeof(frost_backdrop_options), FROST_COVERAGE_PANELS, 0, 0.0, FROST_LAYERING_FLAT, 0 }

/* Creates a backdrop for images in the caller's memory. The CPU renders it. */
frost_status frost_backdrop_create(const frost_backdrop_options *options, frost_backdrop **backdrop);

/* Destroys a backdrop and its memory. The next call that uses its frost_gl, if it has one, deletes its GL objects. */
void frost_backdrop_destroy(frost_backdrop *backdrop);

/* A panel: a rectangle of the image that shows an effect. */
typedef struct frost_panel {
    size_t struct_size;
    frost_rect rect; /* In pixels of the image. Parts outside the image are not visible. */
    /* The radius of the rounded corners, with the range of frost_shape.corner_radius within the insets. Outside them
     * Frost writes the pixels of the image, or of what lies below, as frost_effect_clip() does, also for "redact". So
     * these pixels belong to the panel: they hide lower panels, replace what the target showed there, and count as
     * updated. */
    double corner_radius;
    /* The effect that the panel shows. Bounds of its content are relative to the top left corner of rect; content
     * without bounds is placed in all of rect. The panel's rounded rectangle replaces the effect's clip. */
    const frost_effect *effect;
    /* A mask image that gives the strength of the effect, scaled to rect, for effects whose mask is an image and for
     * effects without a mask. May be NULL. */
    const frost_mask *mask;
    /* The curve of the corners, a FROST_CORNERS_... constant, and its parameter, as in frost_shape. */
    double corner_parameter;
    int32_t corner_curve;
    int32_t reserved;
    /* A number that identifies the panel from frame to frame, and that no other panel has. A panel with the number 0
     * continues the panel of the same index. */
    uint64_t id;
    /* Content that is drawn over that of the effect, in order, placed like it. Frost copies the pixels in each call:
     * add constant content to the effect. All elements have the same struct_size. May be NULL for none. */
    const frost_content *content;
    size_t content_count;
    /* The rectangles, at most 65536, in which the panel exists, relative to the top left corner of rect: elsewhere it
     * hides no other panel, and Frost writes nothing. They may overlap. Parts outside rect are ignored. If region is
     * NULL, the panel fills rect; with a region and a region_count of 0, it shows nothing. */
    const frost_rect *region;
    size_t region_count;
    /* How transparent the finished panel is, content included: 0 (opaque) to 1 (it does not exist and costs nothing).
     * In a flat backdrop the image shows through; panels below stay hidden. Must be 0 for the effect "redact". */
    double transparency;
    /* By how much the effect is weaker: 0 (not at all) to 1 (only content is left). It scales the blur, curve, tint,
     * saturation and noise together. Boxes and mosaics are mixed with the image instead. Must be 0 for "redact". */
    double weakening;
    /* How far the edges lie inside rect, 0 to 1 pixel each, for edges between pixels. The pixels at an edge show the
     * effect by the part of their area that is inside; "redact" fills them. */
    double inset_left, inset_top, inset_right, inset_bottom;
    /* A window: a texture over the effect, one texel a pixel from the top left corner of rect, in place of content. For
     * backdrops of a frost_gl only; may be NULL. A render copies a new texture, and the rectangles of it that `damage`
     * lists as changed since the last call. Another GL name is the same window in another buffer. */
    const struct frost_gl_source *texture;
    const frost_rect *damage;
    size_t damage_count;
} frost_panel;

#define FROST_PANEL_INIT \
    { sizeof(frost_panel), { 0, 0, 0, 0 }, 0.0, NULL, NULL, 0.0, FROST_CORNERS_CIRCULAR, 0, 0, NULL, 0, NULL, 0, \
      0.0, 0.0, 0.0, 0.0, 0.0, 0.0, NULL, NULL, 0 }

/*
 * Sets the panels for the following frames, from bottom to top. Frost compares each with the panel that was set before
 * with the same id (without an id, at the same index). So an unchanged panel costs nothing, and one that moves costs
 * the pixels that now show something else. All panels must have the same struct_size; it is the stride of the array.
 * The caller may destroy the effects and masks after the call. count is at most 4096; a few dozen are rendered fast.
 * After an error the panels are unchanged.
 */
frost_status frost_backdrop_set_panels(frost_backdrop *backdrop, const frost_panel *panels, size_t count);

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/*
 * Marks rectangles of the image as changed, before the first render whose source shows the change. count is at most
 * 65536. Parts outside the image are ignored. The order of this call and frost_backdrop_set_panels() does not matter.
 * Changes also count for panels that are hidden or not set: when such a panel appears, it shows the current image.
 */
frost_status frost_backdrop_invalidate(frost_backdrop *backdrop, const frost_rect *rects, size_t count);

/* Marks the whole image as changed, for example because the host shows a different image. */
frost_status frost_backdrop_invalidate_all(frost_backdrop *backdrop);

enum {
    /* The target still contains the last frame that Frost drew into it. Frost draws what has changed since then, and
     * all panels if there is no such frame, or if 16 or more frames have been drawn since. */
    FROST_REPAINT_CHANGED = 0,
    FROST_REPAINT_ALL = 1, /* The target may contain anything. Frost draws all panels. */
    /* The target contains the frame that buffer_age states. Frost draws what has changed since then. */
    FROST_REPAINT_AGED = 2
};

/* Options of the functions that render a frame of a backdrop. */
typedef struct frost_frame_options {
    size_t struct_size;
    int32_t repaint; /* FROST_REPAINT_CHANGED, FROST_REPAINT_ALL or FROST_REPAINT_AGED. */
    int32_t reserved;
    /* Cancels this frame; may be NULL. After a cancelled frame, the next frame does the remaining work. */
    frost_cancellation *cancellation;
    /* A number that identifies the target among the buffers of a swap chain; if 0, the address of the pixels or the GL
     * name does. Framebuffer 0 is all buffers of a window: number them or state their age. */
    uint64_t buffer;
    /* For FROST_REPAINT_AGED: 1 if the target contains the last frame of this backdrop, 2 for the frame before, and so
     * on; 0 if its content is unknown. This is EGL_BUFFER_AGE_EXT, if the program renders the backdrop once for each
     * frame that it presents. Frost draws all panels for 0, above 16, and for an unknown buffer. Else must be 0. */
    int64_t buffer_age;
} frost_frame_options;

#define FROST_FRAME_OPTIONS_INIT { sizeof(frost_frame_options), FROST_REPAINT_CHANGED, 0, NULL, 0, 0 }

/* The cost of a frame. If nothing has changed, all fields except error_bound and buffer_age are 0. */
typedef struct frost_frame_report {
    size_t struct_size;
    /* level_passes: the number of passes over low-resolution images. All panels with the same blur share these images.
     * panel_passes: the number of passes that ran for a single panel, over the panel's own area. */
    uint64_t level_passes, panel_passes;
    /* level_samples: the low-resolution samples that were computed. panel_pixels: the pixels that were written, with
     * those of the images of stages. */
    uint64_t level_samples, panel_pixels;
    /* The numbers of rectangles that frost_backdrop_updated() and frost_backdrop_uncovered() return. */
    size_t updated_count, uncovered_count;
    /* The largest error bound of a panel, in the unit of frost_report.error_bound. Those of stacked panels add up. */
    double error_bound;
    /* The age of the target's content, from which the frame was drawn: 1 if the target contained the last frame. 0 if
     * all panels were drawn, because the content was unknown or too old. */
    int64_t buffer_age;
    /* The number of panels for which frost_backdrop_content_color() returns another colour than after the last frame. */
    size_t content_changes;
    /* The number of panels for which it may return another colour after the next frame, because the GPU still reads the
     * image below them. A host that renders only when something changes renders another frame. 0 for images in memory. */
    size_t pending_choices;
} frost_frame_report;

#define FROST_FRAME_REPORT_INIT { sizeof(frost_frame_report), 0, 0, 0, 0, 0, 0, 0.0, 0, 0, 0 }

/*
 * Renders a frame: brings the target up to date. If nothing has changed, no pass runs.
 *
 * The source may differ from the source of the last frame only where the caller has invalidated it. A source of another
 * size or format counts as a different image. The target has the size and sample type of the source and the same colour
 * channels; its channel order (RGBA or BGRA) and its alpha mode may differ. It has an alpha channel if the source has
 * one. Source and target must not share memory. After an error the next frame does the remaining work.
 */
frost_status frost_backdrop_render(
    frost_backdrop *backdrop, const frost_source *source, const frost_target *target,
    const frost_frame_options *options, frost_frame_report *report);

/* Returns the rectangles of the target, without overlaps, that the last successful frame and failed frames directly
 * before it wrote. *count is the total number; at most capacity are copied to rects, which may be NULL for 0. */
frost_status frost_backdrop_updated(const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/*
 * Returns, in the same way, the rectangles of the target in which it may show panels that are no longer there; the host
 * redraws its image there. If buffer_age of the report is 0, these are all areas outside the panels, apart from two
 * cases: in the first frame there are none, and with FROST_REPAINT_ALL only those that panels have left since the last
 * frame. They overlap neither each other nor a panel, so the host may draw them after the render. They may overlap
 * updated rectangles only where a frame that failed has written.
 */
frost_status frost_backdrop_uncovered(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);

/*
 * Stores the colour of a panel's content in the last frame: red, green, blue and alpha of sRGB, 0 to 1. It is the
 * content-color of the panel's effect, or black or white if that is "auto": the one with which min-contrast changes the
 * panel's mean less. Such a choice follows the image below the panel, but moves only if the other colour needs much
 * less change, so that it does not flicker. In a backdrop of a frost_gl, the image of a frame decides for the next one,
 * so that the CPU need not wait for the GPU; it waits only when a panel appears.
 *
 * index is that of the panel in frost_backdrop_set_panels(). All numbers are 0 if the panel guarantees no contrast, was
 * not visible yet, or does not exist.
 */
frost_status frost_backdrop_content_color(const frost_backdrop *backdrop, size_t index, float rgba[4]);

/*
 * Draws a single panel into a target of the source's size: its rectangle, corners, effect, mask and content at once.
 * Frost writes only the panel's pixels. region and mask of options must be NULL. If the panel has no pixel in the
 * source, nothing is drawn and report contains zeros. The other rules are those of frost_render().
 */
frost_status frost_render_panel(
    frost_renderer *renderer, const frost_panel *panel, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);

#ifdef __cplusplus
}
#endif

#endif
