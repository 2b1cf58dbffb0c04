#pragma once
#include <lcms2.h>

// Swift cannot import these macros.
/// Four bytes; 255 is no ink.
static const cmsUInt32Number frost_cmyk_inverted = TYPE_CMYK_8_REV;
static const cmsUInt32Number frost_rgb = TYPE_RGB_8;
static const cmsUInt32Number frost_intent = INTENT_RELATIVE_COLORIMETRIC;
static const cmsUInt32Number frost_flags = cmsFLAGS_BLACKPOINTCOMPENSATION;

/// Pixels of `colors` colours, optionally followed by alpha, of 1 or 2 bytes, or of 4 for floats.
static inline cmsUInt32Number frost_pixels(cmsUInt32Number colors, cmsUInt32Number alpha, cmsUInt32Number bytes) {
    return FLOAT_SH(bytes == 4) | COLORSPACE_SH(colors == 1 ? PT_GRAY : PT_RGB) | EXTRA_SH(alpha) | CHANNELS_SH(colors)
        | BYTES_SH(bytes);
}
static const cmsUInt32Number frost_copy_alpha = cmsFLAGS_COPY_ALPHA;

/// Floats of `colors` colours.
static inline cmsUInt32Number frost_floats(cmsUInt32Number colors) {
    return FLOAT_SH(1) | CHANNELS_SH(colors) | BYTES_SH(4);
}
static const cmsUInt32Number frost_xyz = TYPE_XYZ_FLT;
/// For a transform that is only created, never applied.
static const cmsUInt32Number frost_unoptimised = cmsFLAGS_NOOPTIMIZE;
