// libjpeg-turbo's row interface without its longjmp. Every function here returns normally: setjmp and longjmp stay
// inside this module, so no jump crosses a caller's frame. Nothing is printed.
//
// Thread-safety: a handle may be used by one thread at a time; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How a call ended. After a failure a handle may only be asked for its message, and destroyed.
typedef enum frost_jpeg_status {
    FROST_JPEG_OK = 0,
    /// The bytes are not a valid JPEG (reader), or libjpeg cannot write what was asked for (writer).
    FROST_JPEG_INVALID,
    /// The input ended too early.
    FROST_JPEG_TRUNCATED,
    /// The read callback reported a failure.
    FROST_JPEG_READ_FAILED,
    /// The file has more metadata or more scans than a genuine file has.
    FROST_JPEG_OVER_LIMIT,
    FROST_JPEG_NO_MEMORY,
} frost_jpeg_status;

/// A segment that is kept: APP1, APP2 or a comment.
typedef struct frost_jpeg_segment {
    /// The marker's code, 0xE1, 0xE2 or 0xFE.
    uint32_t marker;
    size_t size;
    const uint8_t *bytes;
} frost_jpeg_segment;

/// JFIF's units of density.
typedef struct frost_jpeg_density {
    /// 0: x and y only state the shape of a pixel; 1: per inch; 2: per centimetre.
    uint8_t unit;
    uint16_t x, y;
} frost_jpeg_density;

// MARK: Reading

typedef struct frost_jpeg_reader frost_jpeg_reader;

/// Fills `buffer` with up to `size` bytes and returns how many; 0 at the end of the input, negative on failure. It must
/// return normally.
typedef int64_t (*frost_jpeg_read_fn)(void *context, uint8_t *buffer, size_t size);

/// The layout of the decoded rows: grey, RGB or CMYK.
typedef struct frost_jpeg_layout {
    uint32_t width, height;
    /// 1 grey, 3 RGB, 4 CMYK.
    uint32_t channels;
    size_t row_bytes;
    /// CMYK: Adobe's marker is present, so 255 is no ink.
    bool is_adobe;
    /// The file has several scans: all of them are read and kept as coefficients before the first row.
    bool has_several_scans;
    /// A lower bound on the bytes of coded pixels.
    uint64_t minimum_bytes;
    bool has_density;
    frost_jpeg_density density;
} frost_jpeg_layout;

/// Faults of a file with which libjpeg can go on.
typedef enum frost_jpeg_fault {
    /// Every pixel was decoded.
    FROST_JPEG_WARNING = 1,
    /// Some pixels are invented.
    FROST_JPEG_DAMAGE = 2,
    /// The input ended within the pixels; the missing ones become grey.
    FROST_JPEG_TRUNCATION = 4,
} frost_jpeg_fault;

/// NULL if memory is short.
///
/// @param raised the faults that are failures: a sum of frost_jpeg_fault.
frost_jpeg_reader *_Nullable frost_jpeg_reader_create(frost_jpeg_read_fn read, void *context, unsigned raised);

/// Reads everything before the first scan, without allocating memory for pixels.
frost_jpeg_status frost_jpeg_reader_open(frost_jpeg_reader *reader, frost_jpeg_layout *layout);

/// The kept segments; valid as long as the reader.
const frost_jpeg_segment *_Nullable frost_jpeg_reader_segments(const frost_jpeg_reader *reader, size_t *count);

/// Decodes up to the first row.
frost_jpeg_status frost_jpeg_reader_start(frost_jpeg_reader *reader);

/// Reads the next row: row_bytes bytes.
frost_jpeg_status frost_jpeg_reader_row(frost_jpeg_reader *reader, void *row);

/// Reads what follows the pixels, up to the end marker.
frost_jpeg_status frost_jpeg_reader_end(frost_jpeg_reader *reader);

/// The first fault that was no failure; empty if there was none. Valid until the handle is destroyed.
const char *frost_jpeg_reader_warning(const frost_jpeg_reader *reader);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_jpeg_reader_message(const frost_jpeg_reader *reader);

/// Bytes of the file consumed so far.
uint64_t frost_jpeg_reader_offset(const frost_jpeg_reader *reader);

void frost_jpeg_reader_destroy(frost_jpeg_reader *_Nullable reader);

// MARK: Writing

typedef struct frost_jpeg_writer frost_jpeg_writer;

typedef struct frost_jpeg_settings {
    uint32_t width, height;
    /// 1 grey, 3 RGB, 4 CMYK as Adobe stores it, with 255 for no ink.
    uint32_t channels;
    /// libjpeg's quality, 1 to 100.
    int32_t quality;
    /// How many pixels share a colour sample along x and y: 1 or 2.
    int32_t subsampling_x, subsampling_y;
    bool progressive;
    /// Compute Huffman codes for this picture, which needs a second pass.
    bool optimized;
    bool has_density;
    frost_jpeg_density density;
} frost_jpeg_settings;

/// NULL if memory is short.
frost_jpeg_writer *_Nullable frost_jpeg_writer_create(void);

/// Encodes the header.
frost_jpeg_status frost_jpeg_writer_start(frost_jpeg_writer *writer, const frost_jpeg_settings *settings);

/// Encodes a segment of at most 65533 bytes, before the first row.
frost_jpeg_status frost_jpeg_writer_segment(frost_jpeg_writer *writer, frost_jpeg_segment segment);

/// Encodes an ICC profile in as many segments as it takes, before the first row.
frost_jpeg_status frost_jpeg_writer_profile(frost_jpeg_writer *writer, const uint8_t *bytes, size_t size);

/// Encodes the next row.
frost_jpeg_status frost_jpeg_writer_row(frost_jpeg_writer *writer, const void *row);

/// Encodes the end of the file.
frost_jpeg_status frost_jpeg_writer_end(frost_jpeg_writer *writer);

/// The bytes encoded since frost_jpeg_writer_clear. Valid until the next call.
const uint8_t *_Nullable frost_jpeg_writer_pending(const frost_jpeg_writer *writer, size_t *size);

/// Discards the pending bytes.
void frost_jpeg_writer_clear(frost_jpeg_writer *writer);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_jpeg_writer_message(const frost_jpeg_writer *writer);

void frost_jpeg_writer_destroy(frost_jpeg_writer *_Nullable writer);

/// The version of libjpeg-turbo that this was compiled with: "2.1.5". The library has no function that returns its own.
const char *frost_jpeg_version(void);

#pragma clang assume_nonnull end
