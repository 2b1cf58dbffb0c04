// libtiff without its variadic calls, and with its messages kept to the handle. Nothing is printed.
//
// Thread-safety: a handle may be used by one thread at a time; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How a call ended. After anything but FROST_TIFF_OK a handle is good for its message and for destruction only.
typedef enum frost_tiff_status {
    FROST_TIFF_OK = 0,
    /// The bytes are not a valid TIFF (reader), or the request is not one libtiff writes (writer).
    FROST_TIFF_INVALID,
    /// The read callback reported a failure.
    FROST_TIFF_READ_FAILED,
    /// Something is larger than in any honest file.
    FROST_TIFF_OVER_LIMIT,
    FROST_TIFF_NO_MEMORY,
} frost_tiff_status;

/// Bytes that belong to somebody else.
typedef struct frost_tiff_bytes {
    const uint8_t *_Nullable start;
    uint32_t size;
} frost_tiff_bytes;

/// Pixels per unit of length.
typedef struct frost_tiff_density {
    /// TIFF's RESUNIT: 1 none, 2 inch, 3 centimetre.
    uint16_t unit;
    float x, y;
} frost_tiff_density;

// MARK: Reading

typedef struct frost_tiff_reader frost_tiff_reader;

/// Fills `buffer` with up to `size` bytes from `offset` on and returns how many; fewer at the end of the file, negative
/// on failure. Has to return normally.
typedef int64_t (*frost_tiff_read_fn)(void *context, uint64_t offset, void *buffer, size_t size);

/// What the first page says, by TIFF's own numbers.
typedef struct frost_tiff_layout {
    uint32_t width, height;
    uint16_t bits, samples, sample_format;
    /// RGB also for the Y'CbCr of a JPEG, which libtiff converts.
    uint16_t photometric;
    uint16_t compression, orientation;
    /// How many of the samples are no colours, and what the first of them is.
    uint16_t extra_count, extra;
    /// 1 for CMYK.
    uint16_t ink_set;
    /// Each sample has rows of its own.
    bool is_planar;
    /// A smaller copy of another picture.
    bool is_reduced;
    /// There is a page behind it that is neither a smaller copy nor a mask.
    bool has_pages;
    /// Bytes of a row, of one plane where each sample has its own.
    uint64_t row_bytes;
    /// The palette's 2^bits entries of red, green and blue; NULL without one.
    const uint16_t *_Nullable palette[3];
    bool has_density;
    frost_tiff_density density;
    /// The ICC profile and XMP packet, valid as long as the reader.
    frost_tiff_bytes profile, xmp;
} frost_tiff_layout;

/// NULL when out of memory.
///
/// @param size of the file.
frost_tiff_reader *_Nullable frost_tiff_reader_create(frost_tiff_read_fn read, void *context, uint64_t size);

/// Reads the directory of the first page and looks for others. Takes no memory for pixels.
frost_tiff_status frost_tiff_reader_open(frost_tiff_reader *reader, frost_tiff_layout *layout);

/// Checks that all strips or tiles lie within the file, and takes memory for those that are decoded together.
frost_tiff_status frost_tiff_reader_start(frost_tiff_reader *reader);

/// Reads row_bytes bytes of row `y` of a plane, 0 if there is but one; rows of a plane in order.
frost_tiff_status frost_tiff_reader_row(frost_tiff_reader *reader, uint32_t y, uint32_t plane, void *row);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_tiff_reader_message(const frost_tiff_reader *reader);

void frost_tiff_reader_destroy(frost_tiff_reader *_Nullable reader);

/// Whether libtiff was built with this compression.
bool frost_tiff_decodes(uint16_t compression);

/// The version of the library that is loaded: "4.5.0".
const char *frost_tiff_version(void);

// MARK: Writing

typedef struct frost_tiff_writer frost_tiff_writer;

typedef struct frost_tiff_settings {
    uint32_t width, height;
    /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha, or CMYK with 0 for no ink. Alpha is straight.
    uint16_t channels;
    bool is_cmyk;
    /// 8, 16, or 32 for floats.
    uint16_t bits;
    bool has_density;
    frost_tiff_density density;
    /// Copied.
    frost_tiff_bytes profile, xmp;
} frost_tiff_settings;

/// NULL when out of memory.
frost_tiff_writer *_Nullable frost_tiff_writer_create(void);

/// Makes the header: deflate, of differences between pixels.
frost_tiff_status frost_tiff_writer_start(frost_tiff_writer *writer, const frost_tiff_settings *settings);

/// Encodes the next row.
frost_tiff_status frost_tiff_writer_row(frost_tiff_writer *writer, const void *row);

/// Ends the file.
frost_tiff_status frost_tiff_writer_end(frost_tiff_writer *writer);

/// The whole file, once it has been ended. Valid until the handle is destroyed.
const uint8_t *_Nullable frost_tiff_writer_file(const frost_tiff_writer *writer, size_t *size);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_tiff_writer_message(const frost_tiff_writer *writer);

void frost_tiff_writer_destroy(frost_tiff_writer *_Nullable writer);

#pragma clang assume_nonnull end
