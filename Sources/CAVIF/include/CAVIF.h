// libavif's types, and its functions as a table that CodecLibrary.swift fills in at run time: nothing here is linked.
#pragma once

#include <avif/avif.h>
#include <stddef.h>

/// The library whose functions and structs are those of the header.
#if AVIF_VERSION_MAJOR >= 1
#define FROST_AVIF_LIBRARY "libavif.so.16"
#elif AVIF_VERSION_MINOR == 11
#define FROST_AVIF_LIBRARY "libavif.so.15"
#elif AVIF_VERSION_MINOR == 10
#define FROST_AVIF_LIBRARY "libavif.so.14"
#else
#error "Frost needs libavif 0.10 or later"
#endif

/// The functions that Frost calls.
#define FROST_AVIF_FUNCTIONS(_) \
    _(avifDecoderCreate) \
    _(avifDecoderDestroy) \
    _(avifDecoderNextImage) \
    _(avifDecoderParse) \
    _(avifDecoderSetIOMemory) \
    _(avifEncoderCreate) \
    _(avifEncoderDestroy) \
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

/// The names of the table's functions, in its order.
const char *_Nonnull const *_Nonnull frost_avif_name_list(void);
size_t frost_avif_name_count(void);
