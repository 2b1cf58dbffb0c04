// libpng's row interface without its longjmp. Every function here returns normally: setjmp and longjmp stay inside this
// module, so no jump crosses a caller's frame. Nothing is printed.
//
// Thread-safety: a handle may be used by one thread at a time; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How a call ended. After a failure a handle may only be asked for its message, and destroyed.
typedef enum frost_png_status {
    FROST_PNG_OK = 0,
    /// The bytes are not a valid PNG (reader), or libpng cannot write what was asked for (writer).
    FROST_PNG_INVALID,
    /// The input ended too early.
    FROST_PNG_TRUNCATED,
    /// The read callback reported a failure.
    FROST_PNG_READ_FAILED,
    /// The file has more ancillary chunks than a genuine file has.
    FROST_PNG_OVER_LIMIT,
    FROST_PNG_NO_MEMORY,
} frost_png_status;

/// Which members of frost_png_metadata are set.
typedef enum frost_png_chunk {
    FROST_PNG_ICCP = 1,
    FROST_PNG_SRGB = 2,
    FROST_PNG_GAMA = 4,
    FROST_PNG_CHRM = 8,
    FROST_PNG_PHYS = 16,
    /// The picture is animated. Set only by the reader.
    FROST_PNG_ACTL = 32,
    /// libpng refused the file's profile. Set only by the reader.
    FROST_PNG_ICCP_REFUSED = 64,
} frost_png_chunk;

/// A chunk that is kept unchanged.
typedef struct frost_png_raw_chunk {
    /// Zero-terminated.
    char name[5];
    size_t size;
    const uint8_t *bytes;
} frost_png_raw_chunk;

/// The ancillary chunks that are kept, with the numbers as they are in the file.
typedef struct frost_png_metadata {
    /// Bits of frost_png_chunk.
    uint32_t present;
    uint32_t gamma;
    /// x and y of white, red, green and blue.
    uint32_t chromaticities[8];
    uint32_t density_x, density_y;
    uint8_t density_unit;
    uint8_t intent;
    uint32_t icc_size;
    /// Latin-1. A reader's pointer is valid until its next call.
    const char *_Nullable icc_name;
    const uint8_t *_Nullable icc_bytes;
    /// eXIf, tIME and text chunks. A reader's are those before the pixels, valid as long as the reader.
    size_t raw_count;
    const frost_png_raw_chunk *_Nullable raw_chunks;
} frost_png_metadata;

// MARK: Reading

typedef struct frost_png_reader frost_png_reader;

/// Fills `buffer` with up to `size` bytes and returns how many; 0 at the end of the input, negative on failure. It must
/// return normally.
typedef int64_t (*frost_png_read_fn)(void *context, uint8_t *buffer, size_t size);

/// The layout of the decoded rows: 8 or 16 bits in the machine's byte order. Palettes, grey of less than 8 bits and
/// tRNS are expanded.
typedef struct frost_png_layout {
    uint32_t width, height;
    uint32_t channels, bits;
    size_t row_bytes;
    bool interlaced;
} frost_png_layout;

/// NULL if memory is short.
frost_png_reader *_Nullable frost_png_reader_create(
    frost_png_read_fn read, void *context, uint32_t max_width, uint32_t max_height);

/// Reads everything before the first pixel.
frost_png_status frost_png_reader_start(
    frost_png_reader *reader, frost_png_layout *layout, frost_png_metadata *metadata);

/// Reads the next row of an image that is not interlaced: row_bytes bytes.
frost_png_status frost_png_reader_row(frost_png_reader *reader, void *row);

/// Reads all rows, interlaced or not, to `base`, `base + stride`, … Bytes between the rows are not written.
frost_png_status frost_png_reader_image(frost_png_reader *reader, void *base, size_t stride);

/// Reads what follows the pixels, up to IEND.
frost_png_status frost_png_reader_end(frost_png_reader *reader);

/// libpng's first warning; empty if there was none. Valid until the handle is destroyed.
const char *frost_png_reader_warning(const frost_png_reader *reader);

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

/// NULL if memory is short.
frost_png_writer *_Nullable frost_png_writer_create(void);

/// Encodes everything that precedes the first pixel.
frost_png_status frost_png_writer_start(
    frost_png_writer *writer, const frost_png_settings *settings, const frost_png_metadata *metadata);

/// Encodes the next piece of the zlib stream that holds the rows as one chunk. The caller filters and compresses the
/// rows itself, with the functions below, because libpng would do so on one thread.
frost_png_status frost_png_writer_data(frost_png_writer *writer, const uint8_t *bytes, size_t size);

/// Encodes the end of the file.
frost_png_status frost_png_writer_end(frost_png_writer *writer);

/// The bytes encoded since frost_png_writer_clear. The writer itself outputs nothing: the caller takes the bytes from
/// here. Valid until the next call.
const uint8_t *_Nullable frost_png_writer_pending(const frost_png_writer *writer, size_t *size);

/// Discards the pending bytes.
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

/// Converts `size` bytes of pixels to the file's order: 16-bit samples become big-endian, and, with `bgra`, red and
/// blue of four channels are exchanged.
void frost_png_order(uint8_t *pixels, size_t size, uint32_t bits, bool bgra);

/// Filters a row: writes 1 + `size` bytes to `out`, first the filter's number.
///
/// `above` is the previous row, or zeros; `pixel` is the number of bytes per pixel, at most `size`.
void frost_png_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
    frost_png_filter filter);

#pragma clang assume_nonnull end
