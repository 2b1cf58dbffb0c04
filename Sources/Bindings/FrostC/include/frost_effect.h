/*
 * frost_effect.h - effects: blurs with their colours, as values.
 *
 * A program creates an effect once, by name or by sigma, and uses it for any number of frames:
 *
 *   frost_effect_create()                                 once; `frost effects` lists the names
 *   frost_render(), frost_gl_render() or a frost_panel    in each frame, on any thread
 *   frost_effect_destroy()                                at any time: panels and queues keep what they use
 *
 * Effects never change: functions that change an effect return a copy. frost_layers.h adds content and clips to
 * effects, and has mask images. frost_info.h lists the effects and their parameters.
 */
#ifndef FROST_EFFECT_H
#define FROST_EFFECT_H

#include "frost_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An effect: a blur, followed by output stages such as colour changes, a mask, content, a clip and dither.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_effect frost_effect;

/*
 * The edge mode: the values that a blur reads outside the image. CLAMP reads the nearest pixel of the image, MIRROR the
 * reflected image, REPEAT the periodically repeated image, CLEAR transparent black. REFLECT_101 reflects the image at the
 * middle of its edge pixels, so that these are not repeated, as BORDER_REFLECT_101 of OpenCV does.
 */
enum {
    FROST_EDGE_CLAMP = 0,
    FROST_EDGE_MIRROR = 1,
    FROST_EDGE_REPEAT = 2,
    FROST_EDGE_CLEAR = 3,
    FROST_EDGE_REFLECT_101 = 4
};

enum {
    /* Dither is on for named effects, and off for effects of frost_effect_create_gaussian() and for "gaussian". */
    FROST_DITHER_DEFAULT = 0,
    FROST_DITHER_OFF = 1, /* The result is rounded to the nearest value. */
    /* Pseudo-random offsets of less than one step of the sample type are added to the colours before the result is
     * rounded. Dither hides the contours that 8 bits show in smooth gradients. */
    FROST_DITHER_ON = 2
};

enum {
    FROST_LIGHT_ENCODED = 0, /* Blurs the stored (encoded) sample values directly, as most software does. */
    /* Decodes the sample values from sRGB to linear light, and blurs the linear light. The values of a frost_gl_source
     * are decoded by its own transfer function. */
    FROST_LIGHT_LINEAR = 1
};

/* Options of the functions that create an effect. */
typedef struct frost_effect_options {
    size_t struct_size;
    int32_t dither; /* FROST_DITHER_DEFAULT, FROST_DITHER_OFF or FROST_DITHER_ON. */
    int32_t light;  /* FROST_LIGHT_ENCODED or FROST_LIGHT_LINEAR. */
} frost_effect_options;

#define FROST_EFFECT_OPTIONS_INIT { sizeof(frost_effect_options), FROST_DITHER_DEFAULT, FROST_LIGHT_ENCODED }

/*
 * Creates an effect by name: "gaussian", or any name that `frost effects` lists. parameters is a list of "name=value"
 * pairs separated by spaces, such as "radius=24 edge=mirror"; NULL and "" select the defaults. With seed=0, the
 * default, "redact" uses a secret key of the process. In memory, the same picture gives the same result; on textures
 * and backdrops, the shift of a cell depends on its position alone.
 */
frost_status frost_effect_create(
    const char *name, const char *parameters, const frost_effect_options *options, frost_effect **effect);

/*
 * Creates a plain Gaussian blur. sigma_x and sigma_y are standard deviations in pixels of the input image, 0 to 1000.
 * edge is a FROST_EDGE_... constant.
 */
frost_status frost_effect_create_gaussian(
    double sigma_x, double sigma_y, int32_t edge, const frost_effect_options *options, frost_effect **effect);

/* Destroys an effect. */
void frost_effect_destroy(frost_effect *effect);

/* The curve of the rounded corners of panels and clips. */
enum {
    FROST_CORNERS_CIRCULAR = 0, /* A quarter circle. */
    /* An arc between two transitions, along which the curvature falls to 0. The parameter is the smoothing, 0 to 1; 0
     * in the struct means 0.6, which is close to iOS. On each side a corner takes 1 + smoothing radii. */
    FROST_CORNERS_CONTINUOUS = 1,
    /* A superellipse. The parameter is its exponent, 1 to 16; 0 in the struct means 4, a squircle. 2 is a circle. */
    FROST_CORNERS_SUPERELLIPSE = 2,
    /* The ellipse that fills the rectangle. It has no radius and no parameter, and cannot be combined with a lens, lit
     * edges, a shadow or joined shapes. */
    FROST_CORNERS_ELLIPSE = 3
};

#ifdef __cplusplus
}
#endif

#endif
