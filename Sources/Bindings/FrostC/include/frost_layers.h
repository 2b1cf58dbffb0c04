/*
 * frost_layers.h - what effects can have besides a blur and its colours: mask images, content, and clips to shapes.
 *
 * A frame is: the same effect with its layers, which are prepared once.
 *
 *   frost_mask_create()            once for each mask image; it then goes to frost_render_options or a frost_panel
 *   frost_effect_add_content()     once for each icon or text that stays the same; returns a new effect
 *   frost_effect_clip()            in each frame if a shape moves; returns a new effect, and is cheap
 *
 * All three copy what they are given, so the caller may free it after the call. They return handles, which the caller
 * destroys. They may be called on any thread. Panels have corners, a mask and content of their own, and need no clip.
 */
#ifndef FROST_LAYERS_H
#define FROST_LAYERS_H

#include "frost_effect.h"
#include "frost_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Masks ------------------------------------------------------------------------------------------------------- */

/*
 * A mask image that gives the strength of an effect at each pixel, from 0 to 1, for effects whose mask is an image. The
 * strength is the image's alpha if it has an alpha channel, otherwise its luma. The mask image is scaled to the size of
 * the image that the effect is applied to.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_mask frost_mask;

/*
 * Creates a copy of an effect whose strength the mask of frost_render_options gives at each pixel. The mask scales the blur
 * and the colours of a style of UIBlurEffect; the results of other effects it mixes with the original image. The mask image is
 * scaled to bounds, or to the whole image if bounds is NULL; outside bounds it continues with its nearest pixel. Effects that
 * use a mask image anyway, such as "variable", only get the bounds. Effects with a mask of their own, and "redact", are
 * refused. Panels need no such copy: their mask is scaled to their rectangle.
 */
frost_status frost_effect_add_mask(const frost_effect *effect, const frost_rect *bounds, frost_effect **result);

/* Creates a mask from an image. Frost copies the pixels, so the caller may free them after the call. */
frost_status frost_mask_create(const frost_source *picture, frost_mask **mask);
/* Destroys a mask. */
void frost_mask_destroy(frost_mask *mask);

/* ---- Content ----------------------------------------------------------------------------------------------------- */

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

#define FROST_CONTENT_INIT { sizeof(frost_content), NULL, NULL, NULL, { 0, 0, 0, 0 } }

/*
 * Creates a copy of an effect that also draws the given content. New content is drawn over the content that the effect
 * already has. Frost copies the pixels of the content.
 */
frost_status frost_effect_add_content(
    const frost_effect *effect, const frost_content *content, frost_effect **result);

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

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
 * original image, byte for byte, except under the shadow of glass. This holds for round corners of "redact" too. Pixels
 * that a rectangle covers partly are a mixture of the effect and the original image; "redact" fills them. The call is
 * cheap enough for every frame. To render a single panel, also set the region to the smallest rectangle of whole pixels
 * around the panel. count is at most 65536; a GPU supports fewer rectangles.
 */
frost_status frost_effect_clip(
    const frost_effect *effect, const frost_rounded_rect *rects, size_t count, frost_effect **result);

/* A rectangle with rounded corners of any curve, in pixels of the image that the effect is applied to. */
typedef struct frost_shape {
    size_t struct_size;
    /* The top left corner and the size. Magnitudes are at most 2^30. */
    double x, y, width, height;
    /* The radius of the corners, from 0 to half the shorter side; for FROST_CORNERS_CONTINUOUS, half the shorter side
     * divided by 1 + smoothing. "redact" hides nothing outside round corners. */
    double corner_radius;
    /* The smoothing or the exponent; 0 for the default of the curve. */
    double corner_parameter;
    /* The curve of the corners: a FROST_CORNERS_... constant. */
    int32_t corner_curve;
    int32_t reserved;
} frost_shape;

#define FROST_SHAPE_INIT { sizeof(frost_shape), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, FROST_CORNERS_CIRCULAR, 0 }

/*
 * Does the same as frost_effect_clip() for rectangles whose corners may have any curve. All shapes must have the same
 * struct_size; it is the stride of the array.
 */
frost_status frost_effect_clip_shapes(
    const frost_effect *effect, const frost_shape *shapes, size_t count, frost_effect **result);

/*
 * Creates a copy of an effect that covers pixels beside its shapes by a rule. With a feather, 0 to 4096 pixels, it fades out
 * over this distance beside the shapes; inside, it has its full strength. If outside is 1, it is visible outside the shapes,
 * and fades out inside them. The rule holds for the shapes of frost_effect_clip() and frost_effect_clip_shapes(), whether they
 * are set before or after. A rule cannot be combined with a lens, lit edges, a shadow or joined shapes, and a feather not with
 * "redact".
 */
frost_status frost_effect_clip_rule(
    const frost_effect *effect, double feather, int32_t outside, frost_effect **result);

#ifdef __cplusplus
}
#endif

#endif
