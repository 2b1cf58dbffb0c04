// The functions of libtiff, which is opened at run time: nothing here is linked.
#pragma once

#include <tiffio.h>

/// The functions that the shim calls.
#define FROST_TIFF_FUNCTIONS(_) \
    _(TIFFClientOpenExt) \
    _(TIFFClose) \
    _(TIFFComputeStrip) \
    _(TIFFComputeTile) \
    _(TIFFCurrentDirOffset) \
    _(TIFFGetField) \
    _(TIFFGetFieldDefaulted) \
    _(TIFFGetStrileByteCount) \
    _(TIFFGetStrileOffset) \
    _(TIFFGetVersion) \
    _(TIFFIsBigEndian) \
    _(TIFFIsBigTIFF) \
    _(TIFFIsCODECConfigured) \
    _(TIFFIsTiled) \
    _(TIFFLastDirectory) \
    _(TIFFNumberOfStrips) \
    _(TIFFNumberOfTiles) \
    _(TIFFOpenOptionsAlloc) \
    _(TIFFOpenOptionsFree) \
    _(TIFFOpenOptionsSetErrorHandlerExtR) \
    _(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    _(TIFFOpenOptionsSetWarningHandlerExtR) \
    _(TIFFReadDirectory) \
    _(TIFFReadEncodedStrip) \
    _(TIFFReadEncodedTile) \
    _(TIFFReadScanline) \
    _(TIFFScanlineSize64) \
    _(TIFFSetDirectory) \
    _(TIFFSetField) \
    _(TIFFTileRowSize64) \
    _(TIFFTileSize64) \
    _(TIFFWriteDirectory) \
    _(TIFFWriteScanline)

#define FROST_TIFF_FIELD(name) __typeof__(name) *name;
/// Filled in before any reader or writer is made; constant from then on.
extern struct frost_tiff_functions {
    FROST_TIFF_FUNCTIONS(FROST_TIFF_FIELD)
} frost_libtiff;
#undef FROST_TIFF_FIELD
