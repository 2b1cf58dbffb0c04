/*
 * frost_pixels.h - images in the caller's memory: sources that Frost reads, and targets that it writes.
 *
 * A frame is: fill in a frost_source with the address, size and format of the pixels, and a frost_target likewise, or
 * by frost_effect_describe_target(); then pass both to frost_render(), frost_backdrop_render() or another function.
 *
 * The memory stays the caller's. Frost reads and writes it in place, and only during the call.
 * frost_queue_submit() is the exception: until its image is done, the pixels must stay valid, and the program must not
 * modify the source or access the target. Masks, content and reveals copy the pixels of their sources.
 */
#ifndef FROST_PIXELS_H
#define FROST_PIXELS_H

#include "frost_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An image in the caller's memory that Frost reads. Rows are stored from top to bottom; row y begins at the address
 * pixels + y * bytes_per_row. Frost does not read the bytes between the end of one row and the start of the next, so an
 * image may be a part of a larger one. channels, sample and alpha are FROST_CHANNELS_..., FROST_SAMPLE_... and
 * FROST_ALPHA_... constants. reserved is 0.
 */
typedef struct frost_source {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    /* The distance in bytes between the starts of two rows: at least width * number of channels * size of a sample, and
     * a multiple of the sample's size. 0 means rows without padding. */
    size_t bytes_per_row;
    /* The address of the first row, aligned to the size of a sample. */
    const void *pixels;
    /* The number of readable bytes from pixels on: at least (height - 1) * bytes_per_row plus the bytes of the last
     * row's pixels. */
    size_t byte_count;
} frost_source;

/* Sets struct_size and the format RGBA, 8 bits, straight alpha. All other fields are 0. */
#define FROST_SOURCE_INIT \
    { sizeof(frost_source), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

/*
 * An image in the caller's memory that Frost writes. The fields have the same meaning as in frost_source, except that
 * Frost writes to pixels. Frost does not write the bytes between the end of one row and the start of the next.
 */
typedef struct frost_target {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    size_t bytes_per_row;
    void *pixels;
    size_t byte_count;
} frost_target;

/* Sets struct_size and the format RGBA, 8 bits, straight alpha. All other fields are 0. */
#define FROST_TARGET_INIT \
    { sizeof(frost_target), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }

#ifdef __cplusplus
}
#endif

#endif
