#pragma once
#include "packages.h"

#include <lcms2.h>

// These constants repeat macros of Little CMS, because Swift cannot import the macros.
// frost_cmyk_inverted is the format of four-byte CMYK pixels in which 255 means no ink, and frost_cmyk16_inverted that of 16
// bits for each ink.
static const cmsUInt32Number frost_cmyk_inverted = TYPE_CMYK_8_REV;
static const cmsUInt32Number frost_cmyk16_inverted = TYPE_CMYK_16_REV;
static const cmsUInt32Number frost_rgb = TYPE_RGB_8;
static const cmsUInt32Number frost_rgb16 = TYPE_RGB_16;
static const cmsUInt32Number frost_intent = INTENT_RELATIVE_COLORIMETRIC;
static const cmsUInt32Number frost_flags = cmsFLAGS_BLACKPOINTCOMPENSATION;

/// Returns Little CMS's format number for pixels that have `colors` colour channels and `alpha` alpha channels (0 or
/// 1). `bytes` is the number of bytes per sample: 1 or 2 for integers, 4 for floats.
static inline cmsUInt32Number frost_pixels(cmsUInt32Number colors, cmsUInt32Number alpha, cmsUInt32Number bytes) {
    return FLOAT_SH(bytes == 4) | COLORSPACE_SH(colors == 1 ? PT_GRAY : PT_RGB) | EXTRA_SH(alpha) | CHANNELS_SH(colors)
        | BYTES_SH(bytes);
}
static const cmsUInt32Number frost_copy_alpha = cmsFLAGS_COPY_ALPHA;

/// Returns Little CMS's format number for pixels that have `colors` colour channels and float samples.
static inline cmsUInt32Number frost_floats(cmsUInt32Number colors) {
    return FLOAT_SH(1) | CHANNELS_SH(colors) | BYTES_SH(4);
}
static const cmsUInt32Number frost_xyz = TYPE_XYZ_FLT;
/// The flags for a transform that only serves to check a profile. Frost creates such a transform and never applies it.
static const cmsUInt32Number frost_unoptimised = cmsFLAGS_NOOPTIMIZE;
