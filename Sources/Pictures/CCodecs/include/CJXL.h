// This module declares libjxl's types, and a table of libjxl's functions. CodecLibrary.swift fills the table at run
// time, so Frost does not link against libjxl.
#pragma once

#if !__has_include(<jxl/decode.h>)
#error "FrostImages with the trait JPEGXL needs headers: apt-get install libjxl-dev"
#endif
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>

/// An X macro that lists the functions of libjxl and libjxl_threads that Frost calls. It applies its argument to each
/// name.
#define FROST_JXL_FUNCTIONS(_) \
    _(JxlColorEncodingSetToSRGB) \
    _(JxlDecoderCloseInput) \
    _(JxlDecoderCreate) \
    _(JxlDecoderDestroy) \
    _(JxlDecoderGetBasicInfo) \
    _(JxlDecoderGetBoxType) \
    _(JxlDecoderGetColorAsEncodedProfile) \
    _(JxlDecoderGetColorAsICCProfile) \
    _(JxlDecoderGetICCProfileSize) \
    _(JxlDecoderProcessInput) \
    _(JxlDecoderReleaseBoxBuffer) \
    _(JxlDecoderReleaseInput) \
    _(JxlDecoderSetBoxBuffer) \
    _(JxlDecoderSetDecompressBoxes) \
    _(JxlDecoderSetImageOutBuffer) \
    _(JxlDecoderSetInput) \
    _(JxlDecoderSetParallelRunner) \
    _(JxlDecoderSetUnpremultiplyAlpha) \
    _(JxlDecoderSubscribeEvents) \
    _(JxlDecoderVersion) \
    _(JxlEncoderAddBox) \
    _(JxlEncoderAddImageFrame) \
    _(JxlEncoderCloseBoxes) \
    _(JxlEncoderCloseInput) \
    _(JxlEncoderCreate) \
    _(JxlEncoderDestroy) \
    _(JxlEncoderFrameSettingsCreate) \
    _(JxlEncoderFrameSettingsSetOption) \
    _(JxlEncoderGetError) \
    _(JxlEncoderGetRequiredCodestreamLevel) \
    _(JxlEncoderInitBasicInfo) \
    _(JxlEncoderProcessOutput) \
    _(JxlEncoderSetBasicInfo) \
    _(JxlEncoderSetCodestreamLevel) \
    _(JxlEncoderSetColorEncoding) \
    _(JxlEncoderSetFrameDistance) \
    _(JxlEncoderSetFrameLossless) \
    _(JxlEncoderSetICCProfile) \
    _(JxlEncoderSetParallelRunner) \
    _(JxlEncoderUseBoxes) \
    _(JxlEncoderUseContainer) \
    _(JxlThreadParallelRunner) \
    _(JxlThreadParallelRunnerCreate) \
    _(JxlThreadParallelRunnerDestroy)

#define FROST_JXL_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct frost_jxl {
    FROST_JXL_FUNCTIONS(FROST_JXL_FIELD)
} frost_jxl;
#undef FROST_JXL_FIELD

/// The names of the functions in the table frost_jxl, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_jxl_name_list(void);
size_t frost_jxl_name_count(void);

/// The file names of libjxl and libjxl_threads, in the version to which the included headers belong.
const char *_Nonnull frost_jxl_library(void);
const char *_Nonnull frost_jxl_threads_library(void);
