// An interface to libtiff. It has no variadic functions, because Swift cannot call them. It collects libtiff's messages
// separately for each reader and each writer, and prints nothing.
//
// Thread-safety: only one thread at a time may use a handle (a reader or a writer). Different handles are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The result of a call. After a failure, the caller may only read the message of the handle and destroy the handle.
typedef enum frost_tiff_status {
    /// The call succeeded.
    FROST_TIFF_OK = 0,
    /// The bytes are not a valid TIFF file (reader), or libtiff cannot write what the caller passed (writer).
    FROST_TIFF_INVALID,
    /// The read callback reported a failure.
    FROST_TIFF_READ_FAILED,
    /// A part of the file is larger than in any genuine file.
    FROST_TIFF_OVER_LIMIT,
    /// Memory ran out.
    FROST_TIFF_NO_MEMORY,
} frost_tiff_status;

/// A range of bytes that the holder of this struct does not own.
typedef struct frost_tiff_bytes {
    const uint8_t *_Nullable start;
    uint32_t size;
} frost_tiff_bytes;

/// A pixel density: the numbers of pixels per unit of length.
typedef struct frost_tiff_density {
    /// The unit of length, as in TIFF's ResolutionUnit tag: 1 means no unit, 2 inch, 3 centimetre.
    uint16_t unit;
    float x, y;
} frost_tiff_density;

// MARK: Loading

/// Returns the file name of libtiff.
const char *frost_tiff_library(void);

/// Returns the names of the libtiff functions that the shim calls.
const char *_Nonnull const *_Nonnull frost_tiff_name_list(void);
size_t frost_tiff_name_count(void);

/// Stores the addresses of libtiff's functions, in the order of frost_tiff_name_list. Call this once, before the first
/// call of any function that is declared below.
void frost_tiff_use(void *_Nullable const *_Nonnull functions);

// MARK: Reading

/// A TIFF reader. The caller owns it and must destroy it.
typedef struct frost_tiff_reader frost_tiff_reader;

/// Fills `buffer` with up to `size` bytes of the file, beginning at `offset`, and returns the number of these bytes. It
/// is smaller than `size` only at the end of the file, and negative on failure. The callback must return normally.
typedef int64_t (*frost_tiff_read_fn)(void *context, uint64_t offset, void *buffer, size_t size);

/// The properties of the first page. Properties such as the compression are given by the numbers of the TIFF format.
typedef struct frost_tiff_layout {
    uint32_t width, height;
    uint16_t bits, samples, sample_format;
    /// The value of the PhotometricInterpretation tag. For YCbCr of 8 bits the value is RGB instead, because libtiff
    /// converts such pixels to RGB.
    uint16_t photometric;
    uint16_t compression, orientation;
    /// `extra_count` is the number of samples per pixel that are not colours, for example alpha. `extra` is the kind of
    /// the first such sample.
    uint16_t extra_count, extra;
    /// The value of the InkSet tag; 1 means CMYK.
    uint16_t ink_set;
    /// Whether the rows of each sample are stored in a separate plane.
    bool is_planar;
    /// Whether the reader converts the pixels to RGB of 8 bits, which the other fields then describe.
    bool is_converted;
    /// Whether the page is a reduced copy of another picture.
    bool is_reduced;
    /// Whether the file has another page that is a picture: neither a reduced copy nor a mask.
    bool has_pages;
    /// Whether the file has another page of any kind.
    bool has_more;
    /// The number of bytes per row. If the page has planes, this is the size of a row of one plane.
    uint64_t row_bytes;
    /// The memory that the reader takes for decoded strips or tiles: a row of tiles, or the strips of all planes. It is 0
    /// if the rows are decoded one by one.
    uint64_t band_bytes;
    /// The palette: an array of 2^bits entries for each of red, green and blue. The pointers are NULL if the page has
    /// no palette.
    const uint16_t *_Nullable palette[3];
    bool has_density;
    frost_tiff_density density;
    /// The ICC profile and the XMP packet. Both stay valid until the reader is destroyed.
    frost_tiff_bytes profile, xmp;
    /// The first tags that may hold anything: those that neither describe the pixels nor are members of this struct.
    uint16_t left_out[64];
    uint32_t left_out_count;
} frost_tiff_layout;

/// Creates a reader. Returns NULL if memory runs out.
///
/// @param size the size of the file in bytes.
frost_tiff_reader *_Nullable frost_tiff_reader_create(frost_tiff_read_fn read, void *context, uint64_t size);

/// Reads the directory of the first page and looks for other pages. Allocates no memory for pixels.
frost_tiff_status frost_tiff_reader_open(frost_tiff_reader *reader, frost_tiff_layout *layout);

/// Checks that all strips or tiles lie within the file, and allocates memory for the rows that are decoded together.
frost_tiff_status frost_tiff_reader_start(frost_tiff_reader *reader);

/// Reads row `y` of a plane into `row`, which must have room for row_bytes bytes. If the page has only one plane,
/// `plane` is 0. Read the rows of each plane from top to bottom.
frost_tiff_status frost_tiff_reader_row(frost_tiff_reader *reader, uint32_t y, uint32_t plane, void *row);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_tiff_reader_message(const frost_tiff_reader *reader);

/// Destroys the reader and all memory that it returned. NULL is allowed.
void frost_tiff_reader_destroy(frost_tiff_reader *_Nullable reader);

/// Returns whether libtiff was built with support for this compression.
bool frost_tiff_decodes(uint16_t compression);

/// Returns the version of the loaded libtiff, for example "4.5.0".
const char *frost_tiff_version(void);

// MARK: Writing

/// A TIFF writer. The caller owns it and must destroy it.
typedef struct frost_tiff_writer frost_tiff_writer;

/// The size, the sample format and the metadata of a TIFF file to write.
typedef struct frost_tiff_settings {
    uint32_t width, height;
    /// The number of channels. 1: grey. 2: grey and alpha. 3: RGB. 4: RGB and alpha, or CMYK if is_cmyk is true. Alpha
    /// is straight. In CMYK, 0 means no ink.
    uint16_t channels;
    bool is_cmyk;
    /// The number of bits per sample: 8, 16, or 32 for floats.
    uint16_t bits;
    bool has_density;
    frost_tiff_density density;
    /// The ICC profile and the XMP packet. The writer copies them during the call.
    frost_tiff_bytes profile, xmp;
} frost_tiff_settings;

/// Creates a writer. Returns NULL if memory runs out.
frost_tiff_writer *_Nullable frost_tiff_writer_create(void);

/// Writes the header. The compression is deflate with horizontal differencing.
frost_tiff_status frost_tiff_writer_start(frost_tiff_writer *writer, const frost_tiff_settings *settings);

/// Encodes the next row.
frost_tiff_status frost_tiff_writer_row(frost_tiff_writer *writer, const void *row);

/// Writes the end of the file.
frost_tiff_status frost_tiff_writer_end(frost_tiff_writer *writer);

/// Returns the bytes of the whole file, and stores their number in `size`. Call this after frost_tiff_writer_end. The
/// bytes are valid until the writer is destroyed.
const uint8_t *_Nullable frost_tiff_writer_file(const frost_tiff_writer *writer, size_t *size);

/// Returns the reason why the last call failed. The text is valid until the handle is destroyed.
const char *frost_tiff_writer_message(const frost_tiff_writer *writer);

/// Destroys the writer and all memory that it returned. NULL is allowed.
void frost_tiff_writer_destroy(frost_tiff_writer *_Nullable writer);

#pragma clang assume_nonnull end
