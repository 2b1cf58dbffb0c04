// This module declares libavif's types, and a table of libavif's functions. CodecLibrary.swift fills the table at run
// time, so Frost does not link against libavif.
#pragma once

#if !__has_include(<avif/avif.h>)
#error "FrostImages with the trait AVIF needs headers: apt-get install libavif-dev"
#endif
#include <avif/avif.h>
#include <stddef.h>

/// The file name of libavif, in the version to which the included header belongs.
#if AVIF_VERSION_MAJOR >= 1
#define FROST_AVIF_LIBRARY "libavif.so.16"
#elif AVIF_VERSION_MINOR == 11
#define FROST_AVIF_LIBRARY "libavif.so.15"
#elif AVIF_VERSION_MINOR == 10
#define FROST_AVIF_LIBRARY "libavif.so.14"
#else
#error "Frost needs libavif 0.10 or later"
#endif

/// An X macro that lists the libavif functions that Frost calls. It applies its argument to each name.
#define FROST_AVIF_FUNCTIONS(_) \
    _(avifDecoderCreate) \
    _(avifDecoderDestroy) \
    _(avifDecoderNextImage) \
    _(avifDecoderNthImageTiming) \
    _(avifDecoderParse) \
    _(avifDecoderSetIOMemory) \
    _(avifEncoderAddImage) \
    _(avifEncoderCreate) \
    _(avifEncoderDestroy) \
    _(avifEncoderFinish) \
    _(avifEncoderSetCodecSpecificOption) \
    _(avifEncoderWrite) \
    _(avifImageAllocatePlanes) \
    _(avifImageCreate) \
    _(avifImageCreateEmpty) \
    _(avifImageDestroy) \
    _(avifImageRGBToYUV) \
    _(avifImageSetMetadataExif) \
    _(avifImageSetMetadataXMP) \
    _(avifImageSetProfileICC) \
    _(avifImageSetViewRect) \
    _(avifImageYUVToRGB) \
    _(avifRGBImageSetDefaults) \
    _(avifRWDataFree) \
    _(avifResultToString) \
    _(avifVersion)

#define FROST_AVIF_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct frost_avif {
    FROST_AVIF_FUNCTIONS(FROST_AVIF_FIELD)
} frost_avif;
#undef FROST_AVIF_FIELD

/// The names of the functions in the table frost_avif, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_avif_name_list(void);
size_t frost_avif_name_count(void);
