// libtiff without its variadic functions, and with its messages collected per handle. Nothing is printed.
//
// Thread-safety: a handle may be used by one thread at a time; different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How a call ended. After a failure a handle may only be asked for its message, and destroyed.
typedef enum frost_tiff_status {
    FROST_TIFF_OK = 0,
    /// The bytes are not a valid TIFF (reader), or libtiff cannot write what was asked for (writer).
    FROST_TIFF_INVALID,
    /// The read callback reported a failure.
    FROST_TIFF_READ_FAILED,
    /// Something is larger than in a genuine file.
    FROST_TIFF_OVER_LIMIT,
    FROST_TIFF_NO_MEMORY,
} frost_tiff_status;

/// Borrowed bytes.
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

// MARK: Loading

/// The file name of the library.
const char *frost_tiff_library(void);

/// The names of the functions that the shim calls.
const char *_Nonnull const *_Nonnull frost_tiff_name_list(void);
size_t frost_tiff_name_count(void);

/// Takes the addresses of these functions, in the order of their names. To be called once, before all functions below.
void frost_tiff_use(void *_Nullable const *_Nonnull functions);

// MARK: Reading

typedef struct frost_tiff_reader frost_tiff_reader;

/// Fills `buffer` with up to `size` bytes from `offset` on and returns how many; fewer at the end of the file, negative
/// on failure. It must return normally.
typedef int64_t (*frost_tiff_read_fn)(void *context, uint64_t offset, void *buffer, size_t size);

/// The facts of the first page, in TIFF's own numbers.
typedef struct frost_tiff_layout {
    uint32_t width, height;
    uint16_t bits, samples, sample_format;
    /// RGB also for JPEG's YCbCr, which libtiff converts.
    uint16_t photometric;
    uint16_t compression, orientation;
    /// How many samples are not colours, and the kind of the first of them.
    uint16_t extra_count, extra;
    /// 1 for CMYK.
    uint16_t ink_set;
    /// Whether each sample has its own plane of rows.
    bool is_planar;
    /// Whether the page is a smaller copy of another picture.
    bool is_reduced;
    /// Whether a later page is neither a smaller copy nor a mask.
    bool has_pages;
    /// Bytes per row; with planes, per row of one plane.
    uint64_t row_bytes;
    /// The palette's 2^bits entries of red, green and blue; NULL if there is none.
    const uint16_t *_Nullable palette[3];
    bool has_density;
    frost_tiff_density density;
    /// The ICC profile and XMP packet, valid as long as the reader.
    frost_tiff_bytes profile, xmp;
} frost_tiff_layout;

/// NULL if memory is short.
///
/// @param size the file's size in bytes.
frost_tiff_reader *_Nullable frost_tiff_reader_create(frost_tiff_read_fn read, void *context, uint64_t size);

/// Reads the directory of the first page and looks for other pages. Allocates no memory for pixels.
frost_tiff_status frost_tiff_reader_open(frost_tiff_reader *reader, frost_tiff_layout *layout);

/// Checks that all strips or tiles lie within the file, and allocates memory for those that are decoded together.
frost_tiff_status frost_tiff_reader_start(frost_tiff_reader *reader);

/// Reads row_bytes bytes of row `y` of a plane (0 if there is only one). The rows of a plane must be read in order.
frost_tiff_status frost_tiff_reader_row(frost_tiff_reader *reader, uint32_t y, uint32_t plane, void *row);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_tiff_reader_message(const frost_tiff_reader *reader);

void frost_tiff_reader_destroy(frost_tiff_reader *_Nullable reader);

/// Whether libtiff was built with this compression.
bool frost_tiff_decodes(uint16_t compression);

/// The version of the loaded library: "4.5.0".
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
    /// Copied during the call.
    frost_tiff_bytes profile, xmp;
} frost_tiff_settings;

/// NULL if memory is short.
frost_tiff_writer *_Nullable frost_tiff_writer_create(void);

/// Writes the header. The compression is deflate with horizontal differencing.
frost_tiff_status frost_tiff_writer_start(frost_tiff_writer *writer, const frost_tiff_settings *settings);

/// Encodes the next row.
frost_tiff_status frost_tiff_writer_row(frost_tiff_writer *writer, const void *row);

/// Ends the file.
frost_tiff_status frost_tiff_writer_end(frost_tiff_writer *writer);

/// The whole file, after frost_tiff_writer_end. Valid until the handle is destroyed.
const uint8_t *_Nullable frost_tiff_writer_file(const frost_tiff_writer *writer, size_t *size);

/// Why the last call failed. Valid until the handle is destroyed.
const char *frost_tiff_writer_message(const frost_tiff_writer *writer);

void frost_tiff_writer_destroy(frost_tiff_writer *_Nullable writer);

#pragma clang assume_nonnull end
