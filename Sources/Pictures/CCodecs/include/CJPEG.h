// An interface to libjpeg-turbo that passes pixels row by row. Every function in this header returns normally: only
// this module uses setjmp and longjmp, so no jump crosses a stack frame of the caller. The functions print nothing.
//
// Thread-safety: only one thread at a time may use a handle (a reader or a writer). Different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The result of a call. After a failure, the caller may only read the message of the handle and destroy the handle.
typedef enum frost_jpeg_status {
    /// The call succeeded.
    FROST_JPEG_OK = 0,
    /// The bytes are not a valid JPEG file (reader), or libjpeg cannot write what the caller passed (writer).
    FROST_JPEG_INVALID,
    /// The input ended too early.
    FROST_JPEG_TRUNCATED,
    /// The read callback reported a failure.
    FROST_JPEG_READ_FAILED,
    /// The file has more metadata or more scans than a genuine file has.
    FROST_JPEG_OVER_LIMIT,
    /// Memory ran out.
    FROST_JPEG_NO_MEMORY,
    /// The file is of a kind that libjpeg does not read, such as a lossless JPEG.
    FROST_JPEG_UNSUPPORTED,
} frost_jpeg_status;

/// A metadata segment that the reader stores: APP1, APP2 or a comment.
typedef struct frost_jpeg_segment {
    /// The marker code: 0xE1 (APP1), 0xE2 (APP2) or 0xFE (comment).
    uint32_t marker;
    size_t size;
    const uint8_t *bytes;
} frost_jpeg_segment;

/// A pixel density in the units of JFIF.
typedef struct frost_jpeg_density {
    /// The unit of x and y. 1: pixels per inch. 2: pixels per centimetre. 0: no unit; x and y state only the aspect
    /// ratio of a pixel.
    uint8_t unit;
    uint16_t x, y;
} frost_jpeg_density;

// MARK: Reading

/// A JPEG reader. The caller owns it and must destroy it.
typedef struct frost_jpeg_reader frost_jpeg_reader;

/// Fills `buffer` with up to `size` bytes of the input and returns their number: 0 at the end of the input, negative on
/// failure. The callback must return normally.
typedef int64_t (*frost_jpeg_read_fn)(void *context, uint8_t *buffer, size_t size);

/// Returns whether decoding may go on. The reader calls this often while it decodes. If the result is false, decoding
/// fails with FROST_JPEG_READ_FAILED. The callback must return normally.
typedef bool (*frost_jpeg_continue_fn)(void *context);

/// The layout of the decoded rows: 8-bit grey, RGB or CMYK.
typedef struct frost_jpeg_layout {
    uint32_t width, height;
    /// The number of channels: 1 for grey, 3 for RGB, 4 for CMYK, where 255 means no ink. Programs read files so with and
    /// without Adobe's marker.
    uint32_t channels;
    size_t row_bytes;
    /// Whether the file has several scans. If it has, the reader reads all scans and stores their coefficients before
    /// the first row.
    bool has_several_scans;
    /// A lower bound on the number of bytes of the encoded pixels.
    uint64_t minimum_bytes;
    /// The memory that the coefficients of the whole picture take.
    uint64_t coefficient_bytes;
    bool has_density;
    frost_jpeg_density density;
} frost_jpeg_layout;

/// The kinds of faults after which libjpeg can continue decoding.
typedef enum frost_jpeg_fault {
    /// A fault that affects no pixel: every pixel was decoded.
    FROST_JPEG_WARNING = 1,
    /// A fault after which some pixels are invented.
    FROST_JPEG_DAMAGE = 2,
    /// The input ended within the pixels. The missing pixels become grey.
    FROST_JPEG_TRUNCATION = 4,
} frost_jpeg_fault;

/// Creates a reader. Returns NULL if memory runs out.
///
/// @param raised the faults that count as failures: a bit set of frost_jpeg_fault.
frost_jpeg_reader *_Nullable frost_jpeg_reader_create(
    frost_jpeg_read_fn read, frost_jpeg_continue_fn may_continue, void *context, unsigned raised);

/// Reads everything before the first scan, without allocating memory for pixels.
frost_jpeg_status frost_jpeg_reader_open(frost_jpeg_reader *reader, frost_jpeg_layout *layout);

/// Returns the stored segments, and stores their number in `count`. The segments stay valid until the reader is
/// destroyed.
const frost_jpeg_segment *_Nullable frost_jpeg_reader_segments(const frost_jpeg_reader *reader, size_t *count);

/// Starts decoding, so that the first row can be read. If the file has several scans, this call reads all of them.
frost_jpeg_status frost_jpeg_reader_start(frost_jpeg_reader *reader);

/// Reads the next row into `row`, which must have room for row_bytes bytes.
frost_jpeg_status frost_jpeg_reader_row(frost_jpeg_reader *reader, void *row);

/// Reads the part of the file that follows the pixels, up to the end marker.
frost_jpeg_status frost_jpeg_reader_end(frost_jpeg_reader *reader);

/// Returns the message of the first fault that did not count as a failure. If there was no such fault, the message is
/// empty. It is valid until the reader is destroyed.
const char *frost_jpeg_reader_warning(const frost_jpeg_reader *reader);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_jpeg_reader_message(const frost_jpeg_reader *reader);

/// Returns the number of bytes of the file consumed so far.
uint64_t frost_jpeg_reader_offset(const frost_jpeg_reader *reader);

/// Destroys the reader and all memory that it returned. NULL is allowed.
void frost_jpeg_reader_destroy(frost_jpeg_reader *_Nullable reader);

// MARK: Writing

/// A JPEG writer. The caller owns it and must destroy it.
typedef struct frost_jpeg_writer frost_jpeg_writer;

/// The size and the compression options of a JPEG file to write.
typedef struct frost_jpeg_settings {
    uint32_t width, height;
    /// The number of channels: 1 for grey, 3 for RGB, 4 for CMYK as Adobe stores it, where 255 means no ink.
    uint32_t channels;
    /// libjpeg's quality, 1 to 100.
    int32_t quality;
    /// The number of pixels along a row, and the number of pixels along a column, that share a chroma sample. Each
    /// number is 1 or 2.
    int32_t subsampling_x, subsampling_y;
    bool progressive;
    /// Whether to compute Huffman codes from this picture instead of using standard codes. This needs a second pass.
    bool optimized;
    bool has_density;
    frost_jpeg_density density;
} frost_jpeg_settings;

/// Creates a writer. Returns NULL if memory runs out.
frost_jpeg_writer *_Nullable frost_jpeg_writer_create(void);

/// Encodes the header.
frost_jpeg_status frost_jpeg_writer_start(frost_jpeg_writer *writer, const frost_jpeg_settings *settings);

/// Encodes a segment of at most 65533 bytes. Call this before the first row.
frost_jpeg_status frost_jpeg_writer_segment(frost_jpeg_writer *writer, frost_jpeg_segment segment);

/// Encodes an ICC profile in as many segments as necessary. Call this before the first row.
frost_jpeg_status frost_jpeg_writer_profile(frost_jpeg_writer *writer, const uint8_t *bytes, size_t size);

/// Encodes the next row.
frost_jpeg_status frost_jpeg_writer_row(frost_jpeg_writer *writer, const void *row);

/// Encodes the end of the file.
frost_jpeg_status frost_jpeg_writer_end(frost_jpeg_writer *writer);

/// Returns the bytes encoded since the last frost_jpeg_writer_clear, and stores their number in `size`. The pointer is
/// valid until the next call for this writer.
const uint8_t *_Nullable frost_jpeg_writer_pending(const frost_jpeg_writer *writer, size_t *size);

/// Discards the pending bytes, after the caller has taken them.
void frost_jpeg_writer_clear(frost_jpeg_writer *writer);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_jpeg_writer_message(const frost_jpeg_writer *writer);

/// Destroys the writer and all memory that it returned. NULL is allowed.
void frost_jpeg_writer_destroy(frost_jpeg_writer *_Nullable writer);

/// Returns the version of libjpeg-turbo whose headers this module was compiled with, for example "2.1.5". The library
/// has no function that returns its own version.
const char *frost_jpeg_version(void);

#pragma clang assume_nonnull end
