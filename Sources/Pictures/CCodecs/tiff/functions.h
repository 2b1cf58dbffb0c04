// The table of libtiff's functions. Frost opens libtiff at run time, so it does not link against libtiff.
#pragma once

#if !__has_include(<tiffio.h>)
#error "FrostImages with the trait TIFF needs headers: apt-get install libtiff-dev"
#endif
#include <tiffio.h>

/// An X macro that lists the libtiff functions that the shim calls. It applies its argument to each name.
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
    _(TIFFRGBAImageOK) \
    _(TIFFReadDirectory) \
    _(TIFFReadEncodedStrip) \
    _(TIFFReadEncodedTile) \
    _(TIFFReadRGBAStripExt) \
    _(TIFFReadRGBATileExt) \
    _(TIFFReadScanline) \
    _(TIFFScanlineSize64) \
    _(TIFFSetDirectory) \
    _(TIFFSetField) \
    _(TIFFTileRowSize64) \
    _(TIFFTileSize64) \
    _(TIFFWriteDirectory) \
    _(TIFFWriteScanline)

#define FROST_TIFF_FIELD(name) __typeof__(name) *name;
/// The addresses of libtiff's functions. frost_tiff_use sets them before any reader or writer is created. The addresses
/// never change afterwards.
extern struct frost_tiff_functions {
    FROST_TIFF_FUNCTIONS(FROST_TIFF_FIELD)
} frost_libtiff;
#undef FROST_TIFF_FIELD
