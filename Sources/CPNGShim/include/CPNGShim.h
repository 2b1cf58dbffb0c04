// A row interface to libpng without longjmp. Every function in this header returns normally: setjmp and longjmp stay
// inside this module, so no jump crosses a frame of the caller. The functions print nothing.
//
// Thread-safety: one thread at a time may use a handle; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The result of a call. After a failure, the caller may only read the message of the handle and destroy the handle.
typedef enum frost_png_status {
    /// The call succeeded.
    FROST_PNG_OK = 0,
    /// The bytes are not a valid PNG file (reader), or libpng cannot write what the caller passed (writer).
    FROST_PNG_INVALID,
    /// The input ended too early.
    FROST_PNG_TRUNCATED,
    /// The read callback reported a failure.
    FROST_PNG_READ_FAILED,
    /// The file has more ancillary chunks than a genuine file has.
    FROST_PNG_OVER_LIMIT,
    /// Memory ran out.
    FROST_PNG_NO_MEMORY,
} frost_png_status;

/// Bits that state which members of frost_png_metadata are set.
typedef enum frost_png_chunk {
    FROST_PNG_ICCP = 1,
    FROST_PNG_SRGB = 2,
    FROST_PNG_GAMA = 4,
    FROST_PNG_CHRM = 8,
    FROST_PNG_PHYS = 16,
    /// The picture is animated. Only the reader sets this bit.
    FROST_PNG_ACTL = 32,
    /// libpng rejected the ICC profile of the file. Only the reader sets this bit.
    FROST_PNG_ICCP_REFUSED = 64,
} frost_png_chunk;

/// A chunk that is stored unchanged.
typedef struct frost_png_raw_chunk {
    /// The name of the chunk: four letters and a zero byte.
    char name[5];
    size_t size;
    const uint8_t *bytes;
} frost_png_raw_chunk;

/// The stored ancillary chunks. Numbers have the same encoding as in the file.
typedef struct frost_png_metadata {
    /// Bits of frost_png_chunk, which state the members that are set.
    uint32_t present;
    uint32_t gamma;
    /// The CIE x and y, times 100000, of white, red, green and blue.
    uint32_t chromaticities[8];
    uint32_t density_x, density_y;
    uint8_t density_unit;
    uint8_t intent;
    uint32_t icc_size;
    /// The name of the ICC profile in Latin-1, zero-terminated. A pointer from the reader is valid until the next call
    /// of the reader.
    const char *_Nullable icc_name;
    const uint8_t *_Nullable icc_bytes;
    /// The eXIf, iTXt, tEXt, zTXt and tIME chunks. The reader returns the chunks that precede the pixels; they stay
    /// valid as long as the reader.
    size_t raw_count;
    const frost_png_raw_chunk *_Nullable raw_chunks;
} frost_png_metadata;

// MARK: Reading

/// A PNG reader. The caller owns it and must destroy it.
typedef struct frost_png_reader frost_png_reader;

/// Fills `buffer` with up to `size` bytes of the input and returns their number: 0 at the end of the input, negative on
/// failure. The callback must return normally.
typedef int64_t (*frost_png_read_fn)(void *context, uint8_t *buffer, size_t size);

/// The layout of the decoded rows: 8 or 16 bits per sample in the byte order of the machine. The reader expands
/// palettes, grey of less than 8 bits, and tRNS.
typedef struct frost_png_layout {
    uint32_t width, height;
    uint32_t channels, bits;
    size_t row_bytes;
    bool interlaced;
} frost_png_layout;

/// Creates a reader. Returns NULL if memory runs out.
///
/// @param max_width, max_height the maximum size of a picture that the reader accepts, in pixels.
frost_png_reader *_Nullable frost_png_reader_create(
    frost_png_read_fn read, void *context, uint32_t max_width, uint32_t max_height);

/// Reads everything before the first pixel.
frost_png_status frost_png_reader_start(
    frost_png_reader *reader, frost_png_layout *layout, frost_png_metadata *metadata);

/// Reads the next row of an image that is not interlaced: row_bytes bytes.
frost_png_status frost_png_reader_row(frost_png_reader *reader, void *row);

/// Reads all rows, interlaced or not, to `base`, `base + stride`, and so on. The bytes between the rows are not
/// written.
frost_png_status frost_png_reader_image(frost_png_reader *reader, void *base, size_t stride);

/// Reads the part of the file that follows the pixels, up to IEND.
frost_png_status frost_png_reader_end(frost_png_reader *reader);

/// Returns libpng's first warning; empty if there was none. Valid until the handle is destroyed.
const char *frost_png_reader_warning(const frost_png_reader *reader);

/// Returns the reason why the last call failed. Valid until the handle is destroyed.
const char *frost_png_reader_message(const frost_png_reader *reader);

/// Returns the number of bytes of the file consumed so far.
uint64_t frost_png_reader_offset(const frost_png_reader *reader);

/// Destroys the reader and everything it returned. NULL is allowed.
void frost_png_reader_destroy(frost_png_reader *_Nullable reader);

// MARK: Writing

/// A PNG writer. The caller owns it and must destroy it.
typedef struct frost_png_writer frost_png_writer;

/// The size and the sample format of a PNG file to write.
typedef struct frost_png_settings {
    uint32_t width, height;
    /// The number of channels: 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGBA.
    uint32_t channels;
    /// The number of bits per sample: 8 or 16.
    uint32_t bits;
} frost_png_settings;

/// Creates a writer. Returns NULL if memory runs out.
frost_png_writer *_Nullable frost_png_writer_create(void);

/// Encodes everything that precedes the first pixel.
frost_png_status frost_png_writer_start(
    frost_png_writer *writer, const frost_png_settings *settings, const frost_png_metadata *metadata);

/// Encodes the next piece of the zlib stream of the rows as one IDAT chunk. The caller filters the rows with the
/// functions below and compresses them itself, because libpng would use only one thread.
frost_png_status frost_png_writer_data(frost_png_writer *writer, const uint8_t *bytes, size_t size);

/// Encodes the end of the file.
frost_png_status frost_png_writer_end(frost_png_writer *writer);

/// Returns the bytes encoded since the last frost_png_writer_clear. The writer has no other output, so the caller must
/// take the bytes from here. Valid until the next call.
const uint8_t *_Nullable frost_png_writer_pending(const frost_png_writer *writer, size_t *size);

/// Discards the pending bytes, after the caller has taken them.
void frost_png_writer_clear(frost_png_writer *writer);

/// Returns the reason why the last call failed. Valid until the handle is destroyed.
const char *frost_png_writer_message(const frost_png_writer *writer);

/// Destroys the writer and everything it returned. NULL is allowed.
void frost_png_writer_destroy(frost_png_writer *_Nullable writer);

/// Returns the version of the loaded libpng, for example "1.6.39".
const char *frost_png_version(void);

// MARK: Rows

/// The row filters of PNG, with their numbers in the file.
typedef enum frost_png_filter {
    FROST_PNG_FILTER_NONE = 0,
    FROST_PNG_FILTER_SUB,
    FROST_PNG_FILTER_UP,
    FROST_PNG_FILTER_AVERAGE,
    FROST_PNG_FILTER_PAETH,
} frost_png_filter;

/// Converts `size` bytes of pixels to the order of a PNG file: 16-bit samples become big-endian. If `bgra` is true, red
/// and blue of the four channels are swapped.
void frost_png_order(uint8_t *pixels, size_t size, uint32_t bits, bool bgra);

/// Filters a row. Writes 1 + `size` bytes to `out`, of which the first is the number of the filter.
///
/// `above` is the previous row, or zeros for the first row. `pixel` is the number of bytes per pixel, at most `size`.
void frost_png_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
    frost_png_filter filter);

#pragma clang assume_nonnull end
