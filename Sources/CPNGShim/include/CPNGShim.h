// libpng's row interface without its longjmp. Every function here returns normally: setjmp and longjmp stay
// inside this module, so no jump crosses a frame of the caller's. Nothing is printed.
//
// Thread-safety: a handle may be used by one thread at a time; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How a call ended. After anything but FROST_PNG_OK a handle is good for its message and for destruction only.
typedef enum frost_png_status {
    FROST_PNG_OK = 0,
    /// The bytes are not a valid PNG (reader), or the request is not one libpng writes (writer).
    FROST_PNG_INVALID,
    /// The input ended too early.
    FROST_PNG_TRUNCATED,
    /// The read callback reported a failure.
    FROST_PNG_READ_FAILED,
    /// There are more chunks besides the pixels' than any honest file has.
    FROST_PNG_OVER_LIMIT,
    FROST_PNG_NO_MEMORY,
} frost_png_status;

/// Which members of frost_png_metadata are filled in.
typedef enum frost_png_chunk {
    FROST_PNG_ICCP = 1,
    FROST_PNG_SRGB = 2,
    FROST_PNG_GAMA = 4,
    FROST_PNG_CHRM = 8,
    FROST_PNG_PHYS = 16,
    /// The picture is animated. Only read.
    FROST_PNG_ACTL = 32,
    /// There is a profile, which libpng did not take. Only read.
    FROST_PNG_ICCP_REFUSED = 64,
} frost_png_chunk;

/// A chunk that is kept as it is.
typedef struct frost_png_raw_chunk {
    /// Ends in zero.
    char name[5];
    size_t size;
    const uint8_t *bytes;
} frost_png_raw_chunk;

/// The ancillary chunks that are kept, with the numbers as they stand in the file.
typedef struct frost_png_metadata {
    /// Bits of frost_png_chunk.
    uint32_t present;
    uint32_t gamma;
    /// White x, y, red x, y, green x, y, blue x, y.
    uint32_t chromaticities[8];
    uint32_t density_x, density_y;
    uint8_t density_unit;
    uint8_t intent;
    uint32_t icc_size;
    /// Latin-1. From a reader: valid until its next call.
    const char *_Nullable icc_name;
    const uint8_t *_Nullable icc_bytes;
    /// eXIf, tIME and the chunks of text. From a reader: those before the pixels, valid as long as it is.
    size_t raw_count;
    const frost_png_raw_chunk *_Nullable raw_chunks;
} frost_png_metadata;

// MARK: Reading

typedef struct frost_png_reader frost_png_reader;

/// Fills `buffer` with up to `size` bytes and returns how many; 0 at the end of the input, negative on failure.
/// Has to return normally.
typedef int64_t (*frost_png_read_fn)(void *context, uint8_t *buffer, size_t size);

/// What the rows that are handed out look like: 8 or 16 bits in the machine's byte order; palettes, grey of less
/// than 8 bits and tRNS are expanded.
typedef struct frost_png_layout {
    uint32_t width, height;
    uint32_t channels, bits;
    size_t row_bytes;
    bool interlaced;
} frost_png_layout;

/// NULL when out of memory.
frost_png_reader *_Nullable frost_png_reader_create(
    frost_png_read_fn read, void *context, uint32_t max_width, uint32_t max_height);

/// Reads everything before the first pixel.
frost_png_status frost_png_reader_start(
    frost_png_reader *reader, frost_png_layout *layout, frost_png_metadata *metadata);

/// Reads the next row of an image that is not interlaced: row_bytes bytes.
frost_png_status frost_png_reader_row(frost_png_reader *reader, void *row);

/// Reads all rows, interlaced or not, to `base`, `base + stride`, … Bytes between rows are left alone.
frost_png_status frost_png_reader_image(frost_png_reader *reader, void *base, size_t stride);

/// Reads what follows the pixels, up to IEND.
frost_png_status frost_png_reader_end(frost_png_reader *reader);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_png_reader_message(const frost_png_reader *reader);

/// Bytes of the file consumed so far.
uint64_t frost_png_reader_offset(const frost_png_reader *reader);

void frost_png_reader_destroy(frost_png_reader *_Nullable reader);

// MARK: Writing

typedef struct frost_png_writer frost_png_writer;

typedef struct frost_png_settings {
    uint32_t width, height;
    /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
    uint32_t channels;
    /// 8 or 16.
    uint32_t bits;
} frost_png_settings;

/// NULL when out of memory.
frost_png_writer *_Nullable frost_png_writer_create(void);

/// Encodes everything before the first pixel.
frost_png_status frost_png_writer_start(
    frost_png_writer *writer, const frost_png_settings *settings, const frost_png_metadata *metadata);

/// Encodes the next piece of the zlib stream that holds the rows, as a chunk of its own. It is the caller's to filter
/// and to compress them, with the functions below, since libpng does that on one thread.
frost_png_status frost_png_writer_data(frost_png_writer *writer, const uint8_t *bytes, size_t size);

/// Encodes the end of the file.
frost_png_status frost_png_writer_end(frost_png_writer *writer);

/// The bytes encoded since frost_png_writer_clear. The writer does no output itself: whoever calls it takes the
/// bytes from here. Valid until the next call.
const uint8_t *_Nullable frost_png_writer_pending(const frost_png_writer *writer, size_t *size);

/// Forgets the pending bytes.
void frost_png_writer_clear(frost_png_writer *writer);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_png_writer_message(const frost_png_writer *writer);

void frost_png_writer_destroy(frost_png_writer *_Nullable writer);

/// The version of libpng that is loaded: "1.6.39".
const char *frost_png_version(void);

// MARK: Rows

/// PNG's row filters, by their numbers in the file.
typedef enum frost_png_filter {
    FROST_PNG_FILTER_NONE = 0,
    FROST_PNG_FILTER_SUB,
    FROST_PNG_FILTER_UP,
    FROST_PNG_FILTER_AVERAGE,
    FROST_PNG_FILTER_PAETH,
} frost_png_filter;

/// Brings `size` bytes of pixels into the file's order: 16-bit samples from the machine's byte order, and, with `bgra`,
/// red and blue of four channels exchanged.
void frost_png_order(uint8_t *pixels, size_t size, uint32_t bits, bool bgra);

/// Filters a row: 1 + `size` bytes go to `out`, the filter's number first.
///
/// `above` is the row before, or zeros; `pixel` the bytes of a pixel, at most `size`.
void frost_png_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
    frost_png_filter filter);

#pragma clang assume_nonnull end
