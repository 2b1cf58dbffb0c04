#pragma once
#include <lcms2.h>

// The macros' values, which Swift cannot read.
/// Four bytes, 255 for no ink.
static const cmsUInt32Number frost_cmyk_inverted = TYPE_CMYK_8_REV;
static const cmsUInt32Number frost_rgb = TYPE_RGB_8;
static const cmsUInt32Number frost_intent = INTENT_RELATIVE_COLORIMETRIC;
static const cmsUInt32Number frost_flags = cmsFLAGS_BLACKPOINTCOMPENSATION;

/// The layout of pixels: colours, and whether alpha stands behind them, of 1, 2 or, for floats, 4 bytes.
static inline cmsUInt32Number frost_pixels(cmsUInt32Number colors, cmsUInt32Number alpha, cmsUInt32Number bytes) {
    return FLOAT_SH(bytes == 4) | COLORSPACE_SH(colors == 1 ? PT_GRAY : PT_RGB) | EXTRA_SH(alpha) | CHANNELS_SH(colors)
        | BYTES_SH(bytes);
}
static const cmsUInt32Number frost_copy_alpha = cmsFLAGS_COPY_ALPHA;

/// Floats, of as many colours.
static inline cmsUInt32Number frost_floats(cmsUInt32Number colors) {
    return FLOAT_SH(1) | CHANNELS_SH(colors) | BYTES_SH(4);
}
static const cmsUInt32Number frost_xyz = TYPE_XYZ_FLT;
/// For a transform that is made and not used.
static const cmsUInt32Number frost_unoptimised = cmsFLAGS_NOOPTIMIZE;
