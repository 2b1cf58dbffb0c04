#pragma once
#include <lcms2.h>

// The macros' values, which Swift cannot read.
/// Four bytes, 255 for no ink.
static const cmsUInt32Number frost_cmyk_inverted = TYPE_CMYK_8_REV;
static const cmsUInt32Number frost_rgb = TYPE_RGB_8;
static const cmsUInt32Number frost_intent = INTENT_RELATIVE_COLORIMETRIC;
static const cmsUInt32Number frost_flags = cmsFLAGS_BLACKPOINTCOMPENSATION;
