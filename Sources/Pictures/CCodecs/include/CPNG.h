// An interface to libpng that passes pixels row by row. Every function in this header returns normally: only this
// module uses setjmp and longjmp, so no jump crosses a stack frame of the caller. The functions print nothing.
//
// Thread-safety: only one thread at a time may use a handle (a reader or a writer). Different handles are independent.
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

/// The metadata (the ancillary chunks) of a file. Numbers have the same encoding as in the file.
typedef struct frost_png_metadata {
    /// A bit set of frost_png_chunk. It states which members of this struct are set.
    uint32_t present;
    uint32_t gamma;
    /// The CIE coordinates x and y of white, red, green and blue, in this order. Each is multiplied by 100000.
    uint32_t chromaticities[8];
    uint32_t density_x, density_y;
    uint8_t density_unit;
    uint8_t intent;
    uint32_t icc_size;
    /// The name of the ICC profile in Latin-1, zero-terminated. If the reader returned this pointer, it is valid until
    /// the next call for the reader.
    const char *_Nullable icc_name;
    const uint8_t *_Nullable icc_bytes;
    /// The eXIf, iTXt, tEXt, zTXt and tIME chunks. The reader returns only the chunks that precede the pixels. These
    /// chunks are valid until the reader is destroyed.
    size_t raw_count;
    const frost_png_raw_chunk *_Nullable raw_chunks;
} frost_png_metadata;

// MARK: Reading

/// A PNG reader. The caller owns it and must destroy it.
typedef struct frost_png_reader frost_png_reader;

/// Fills `buffer` with up to `size` bytes of the input and returns their number: 0 at the end of the input, negative on
/// failure. The callback must return normally.
typedef int64_t (*frost_png_read_fn)(void *context, uint8_t *buffer, size_t size);

/// The layout of the decoded rows. A sample has 8 or 16 bits, in the byte order of the machine. The reader converts
/// palette indices to colours, grey of less than 8 bits to 8 bits, and a tRNS chunk to an alpha channel.
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

/// Reads the next row into `row`, which must have room for row_bytes bytes. The image must not be interlaced.
frost_png_status frost_png_reader_row(frost_png_reader *reader, void *row);

/// Reads all rows of an image, which may be interlaced. Writes row y to `base + y * stride`, and does not write the
/// bytes between the rows.
frost_png_status frost_png_reader_image(frost_png_reader *reader, void *base, size_t stride);

/// Reads the part of the file that follows the pixels, up to IEND.
frost_png_status frost_png_reader_end(frost_png_reader *reader);

/// Returns the name of a chunk whose content the reader does not use, or NULL if there are not so many names. Each name
/// occurs once. The chunks that follow the pixels are known after frost_png_reader_end.
const char *_Nullable frost_png_reader_left_out(const frost_png_reader *reader, size_t index);

/// Returns libpng's first warning. If there was no warning, the text is empty. It is valid until the reader is
/// destroyed.
const char *frost_png_reader_warning(const frost_png_reader *reader);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_png_reader_message(const frost_png_reader *reader);

/// Returns the number of bytes of the file consumed so far.
uint64_t frost_png_reader_offset(const frost_png_reader *reader);

/// Destroys the reader and all memory that it returned. NULL is allowed.
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

/// Encodes a chunk after the header. `type` has four letters. In IDAT chunks, the bytes are the next part of the
/// compressed rows (a zlib stream). The caller has filtered the rows with the functions below, and has compressed them.
/// libpng could do both, but would use only one thread.
frost_png_status frost_png_writer_chunk(
    frost_png_writer *writer, const char *type, const uint8_t *bytes, size_t size);

/// Encodes the end of the file.
frost_png_status frost_png_writer_end(frost_png_writer *writer);

/// Returns the bytes encoded since the last frost_png_writer_clear, and stores their number in `size`. The writer has
/// no other output, so the caller must take the bytes from here. The pointer is valid until the next call for this
/// writer.
const uint8_t *_Nullable frost_png_writer_pending(const frost_png_writer *writer, size_t *size);

/// Discards the pending bytes, after the caller has taken them.
void frost_png_writer_clear(frost_png_writer *writer);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_png_writer_message(const frost_png_writer *writer);

/// Destroys the writer and all memory that it returned. NULL is allowed.
void frost_png_writer_destroy(frost_png_writer *_Nullable writer);

/// Returns the version of the loaded libpng, for example "1.6.39".
const char *frost_png_version(void);

// MARK: Rows

/// The row filters of PNG. Each value is the number of the filter in a PNG file.
typedef enum frost_png_filter {
    FROST_PNG_FILTER_NONE = 0,
    FROST_PNG_FILTER_SUB,
    FROST_PNG_FILTER_UP,
    FROST_PNG_FILTER_AVERAGE,
    FROST_PNG_FILTER_PAETH,
} frost_png_filter;

/// Changes the byte order of `size` bytes of pixels to that of a PNG file: 16-bit samples become big-endian. If `bgra`
/// is true, the pixels have four channels, and red and blue are swapped.
void frost_png_order(uint8_t *pixels, size_t size, uint32_t bits, bool bgra);

/// Filters a row. Writes 1 + `size` bytes to `out`, of which the first is the number of the filter.
///
/// `above` is the previous row, or zeros for the first row. `pixel` is the number of bytes per pixel, at most `size`.
void frost_png_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
    frost_png_filter filter);

#pragma clang assume_nonnull end
