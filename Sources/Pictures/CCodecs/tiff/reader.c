#ifdef FROST_TIFF

#include "fault.h"

#include <stdlib.h>
#include <string.h>

/// The maximum number of pages that find_pages skips because they are reduced copies or masks. A file with more such
/// pages counts as a file with several pictures.
enum { COPIES = 64 };
/// In one allocation, libtiff may request at most the size of the file plus this number of bytes.
static const uint64_t SPARE = 16 << 20;

/// The decoded rows of one strip, or of one row of tiles.
typedef struct band {
    uint8_t *_Nullable rows;
    uint32_t first, count;
} band;

struct frost_tiff_reader {
    frost_tiff_read_fn read;
    void *context;
    uint64_t size, position;
    TIFF *_Nullable tiff;
    uint64_t row_bytes;
    uint32_t height, planes, band_rows;
    /// One band per plane; NULL if the reader decodes rows one by one.
    band *_Nullable bands;
    uint8_t *_Nullable tile;
    /// Whether libtiff converts a strip or a tile to RGBA at a time, for Y'CbCr and the JPEG of 1992. `raster` is memory for
    /// it: a number for each pixel, from the bottom row to the top.
    bool is_converted;
    uint32_t *_Nullable raster;
    bool has_read_failed;
    fault fault;
};

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    frost_tiff_reader *reader = handle;
    if (size <= 0) return 0;
    int64_t got = reader->read(reader->context, reader->position, buffer, (size_t)size);
    if (got < 0) {
        reader->has_read_failed = true;
        return 0;
    }
    reader->position += (uint64_t)got;
    return (tmsize_t)got;
}

static tmsize_t write_nothing(thandle_t handle, void *buffer, tmsize_t size) {
    (void)handle;
    (void)buffer;
    (void)size;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    frost_tiff_reader *reader = handle;
    if (whence == SEEK_CUR) offset += reader->position;
    if (whence == SEEK_END) offset += reader->size;
    reader->position = offset;
    return offset;
}

static toff_t file_size(thandle_t handle) { return ((frost_tiff_reader *)handle)->size; }

/// Records the result of a libtiff call. On failure the message is libtiff's own. If libtiff reported no message, it is
/// `otherwise`.
static frost_tiff_status outcome(frost_tiff_reader *reader, bool is_done, const char *otherwise) {
    if (reader->has_read_failed) reader->fault.status = FROST_TIFF_READ_FAILED;
    if (is_done && reader->fault.status == FROST_TIFF_OK) return FROST_TIFF_OK;
    return frost_tiff_fault_set(&reader->fault, FROST_TIFF_INVALID, otherwise);
}

frost_tiff_reader *frost_tiff_reader_create(frost_tiff_read_fn read, void *context, uint64_t size) {
    frost_tiff_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->read = read;
    reader->context = context;
    reader->size = size;
    return reader;
}

void frost_tiff_reader_destroy(frost_tiff_reader *reader) {
    if (!reader) return;
    if (reader->tiff) frost_libtiff.TIFFClose(reader->tiff);
    for (uint32_t i = 0; reader->bands && i < reader->planes; i++) free(reader->bands[i].rows);
    free(reader->bands);
    free(reader->tile);
    free(reader->raster);
    free(reader);
}

const char *frost_tiff_reader_message(const frost_tiff_reader *reader) { return reader->fault.message; }

bool frost_tiff_decodes(uint16_t compression) { return frost_libtiff.TIFFIsCODECConfigured(compression); }

const char *frost_tiff_version(void) {
    // libtiff's version string consists of "LIBTIFF, Version 4.5.0" and a copyright line.
    static const char prefix[] = "LIBTIFF, Version ";
    static _Thread_local char version[16];
    const char *text = frost_libtiff.TIFFGetVersion();
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
    size_t length = strcspn(text, "\n ");
    if (length >= sizeof version) length = sizeof version - 1;
    memcpy(version, text, length);
    version[length] = 0;
    return version;
}

// MARK: The directory

static uint16_t number(TIFF *tiff, uint32_t tag) {
    uint16_t value = 0;
    frost_libtiff.TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

static uint32_t kind(TIFF *tiff) {
    uint32_t value = 0;
    frost_libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &value);
    return value;
}

/// Sets `has_pages` to whether a page after the first one is a picture: neither a reduced copy nor a mask. Then makes
/// the first page the current one again. Returns false on failure.
static bool find_pages(frost_tiff_reader *reader, bool *has_pages) {
    TIFF *tiff = reader->tiff;
    *has_pages = false;
    if (frost_libtiff.TIFFLastDirectory(tiff)) return true;
    for (int i = 0; !*has_pages && !frost_libtiff.TIFFLastDirectory(tiff); i++) {
        if (!frost_libtiff.TIFFReadDirectory(tiff)) return false;
        *has_pages = i == COPIES || !(kind(tiff) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
    }
    frost_tiff_fault_clear(&reader->fault);
    return frost_libtiff.TIFFSetDirectory(tiff, 0);
}

/// Returns a number of a few bytes in the byte order of the file.
static uint64_t decode(frost_tiff_reader *reader, const uint8_t *digits, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | digits[frost_libtiff.TIFFIsBigEndian(reader->tiff) ? i : size - 1 - i];
    return value;
}

/// Returns whether a tag describes the pixels of a page, or is one of those that the reader passes on.
static bool is_used(uint16_t tag) {
    // Of the basic tags, the strips or tiles, and the samples.
    if ((tag >= 254 && tag <= 266) || (tag >= 273 && tag <= 284) || tag == 296 || (tag >= 317 && tag <= 325)) return true;
    return tag == 332 || tag == 338 || tag == 339 || tag == 347 || (tag >= 529 && tag <= 532) || tag == 700 || tag == 34675;
}

/// Stores the tags of the current directory that are not used. Returns whether the directory lies completely within the
/// file. The last bytes of a directory are a link to the next directory. This check is necessary because libtiff reports
/// no fault if the link is missing: it assumes that no directory follows.
static bool read_tags(frost_tiff_reader *reader, frost_tiff_layout *layout) {
    bool is_big = frost_libtiff.TIFFIsBigTIFF(reader->tiff);
    size_t wide = is_big ? 8 : 2;
    uint64_t start = frost_libtiff.TIFFCurrentDirOffset(reader->tiff), count = 0;
    uint8_t digits[8];
    if (reader->read(reader->context, start, digits, wide) != (int64_t)wide) return false;
    count = decode(reader, digits, wide);
    uint64_t entry = is_big ? 20 : 12, capacity = sizeof layout->left_out / sizeof *layout->left_out;
    if (start > reader->size || count > reader->size) return false;
    // No genuine directory has more than a few dozen tags.
    for (uint64_t i = 0; i < count && i < 4096 && layout->left_out_count < capacity; i++) {
        if (reader->read(reader->context, start + wide + i * entry, digits, 2) != 2) return false;
        uint16_t tag = (uint16_t)decode(reader, digits, 2);
        if (!is_used(tag)) layout->left_out[layout->left_out_count++] = tag;
    }
    return start + wide + count * entry + (is_big ? 8 : 4) <= reader->size;
}

static frost_tiff_bytes bytes(TIFF *tiff, uint32_t tag) {
    frost_tiff_bytes found = {NULL, 0};
    void *start = NULL;
    uint32_t size = 0;
    if (frost_libtiff.TIFFGetField(tiff, tag, &size, &start) && start) found = (frost_tiff_bytes){start, size};
    return found;
}

/// Returns the product of three numbers, or UINT64_MAX if it is larger.
static uint64_t product(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t result;
    if (__builtin_mul_overflow(a, b, &result) || __builtin_mul_overflow(result, c, &result)) return UINT64_MAX;
    return result;
}

/// Returns the number of pixels of a strip or a tile.
static uint64_t raster_pixels(frost_tiff_reader *reader) {
    uint32_t wide = 0, rows = 0;
    if (frost_libtiff.TIFFIsTiled(reader->tiff)) {
        frost_libtiff.TIFFGetField(reader->tiff, TIFFTAG_TILEWIDTH, &wide);
        frost_libtiff.TIFFGetField(reader->tiff, TIFFTAG_TILELENGTH, &rows);
    } else {
        frost_libtiff.TIFFGetField(reader->tiff, TIFFTAG_IMAGEWIDTH, &wide);
        frost_libtiff.TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        if (rows > reader->height) rows = reader->height;
    }
    return product(wide, rows, 1);
}

/// Makes libtiff convert the pixels to RGB of 8 bits, if it can: Y'CbCr, and the JPEG of 1992.
static void convert(frost_tiff_reader *reader, frost_tiff_layout *layout) {
    char message[1024];
    bool is_old_jpeg = layout->compression == COMPRESSION_OJPEG;
    if (layout->bits != 8 || (layout->photometric != PHOTOMETRIC_YCBCR && !is_old_jpeg)) return;
    if (!frost_libtiff.TIFFRGBAImageOK(reader->tiff, message)) return;
    // The reader turns the picture itself.
    frost_libtiff.TIFFSetField(reader->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    layout->is_converted = reader->is_converted = true;
    layout->photometric = PHOTOMETRIC_RGB;
    layout->samples = 3;
    layout->sample_format = SAMPLEFORMAT_UINT;
    layout->is_planar = false;
    layout->extra_count = layout->extra = 0;
    layout->row_bytes = product(layout->width, 3, 1);
}

/// Returns the number of bytes that take_bands will allocate.
static uint64_t band_bytes(frost_tiff_reader *reader) {
    uint32_t rows = 0;
    // Four bytes for each pixel of libtiff's, and three for each of a band.
    if (reader->is_converted) return product(raster_pixels(reader), frost_libtiff.TIFFIsTiled(reader->tiff) ? 8 : 7, 1);
    if (!frost_libtiff.TIFFIsTiled(reader->tiff)) {
        if (reader->planes == 1) return 0;
        frost_libtiff.TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        return product(rows < reader->height ? rows : reader->height, reader->row_bytes, reader->planes);
    }
    frost_libtiff.TIFFGetField(reader->tiff, TIFFTAG_TILELENGTH, &rows);
    uint64_t bands = product(rows, reader->row_bytes, reader->planes), sum;
    return __builtin_add_overflow(bands, frost_libtiff.TIFFTileSize64(reader->tiff), &sum) ? UINT64_MAX : sum;
}

frost_tiff_status frost_tiff_reader_open(frost_tiff_reader *reader, frost_tiff_layout *layout) {
    if (reader->size > INT64_MAX - SPARE) return frost_tiff_fault_set(&reader->fault, FROST_TIFF_INVALID, "its size is unknown");
    // The mode "rmD" means: read, do not map the file into memory, and load lists of strips only for the page that is
    // used.
    TIFF *tiff = frost_tiff_fault_open(
        &reader->fault, "rmD", reader, (tmsize_t)(reader->size + SPARE), read_bytes, write_nothing, seek, file_size);
    if (!tiff) return outcome(reader, false, "its structure is not valid");
    reader->tiff = tiff;
    // The file is open, so libtiff has worked around every fault that it reported.
    frost_tiff_fault_clear(&reader->fault);
    *layout = (frost_tiff_layout){0};
    layout->has_more = !frost_libtiff.TIFFLastDirectory(tiff);
    if (!find_pages(reader, &layout->has_pages)) return outcome(reader, false, "its list of pages is broken");
    frost_tiff_fault_clear(&reader->fault);
    if (reader->has_read_failed) return outcome(reader, false, "");
    if (!read_tags(reader, layout)) return outcome(reader, false, "the file ends early");

    layout->compression = number(tiff, TIFFTAG_COMPRESSION);
    layout->photometric = PHOTOMETRIC_MINISWHITE;
    uint16_t photometric;
    if (frost_libtiff.TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) layout->photometric = photometric;
    layout->is_planar = number(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    if (layout->photometric == PHOTOMETRIC_YCBCR && layout->compression == COMPRESSION_JPEG && !layout->is_planar
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB))
        layout->photometric = PHOTOMETRIC_RGB;
    frost_libtiff.TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &layout->width);
    frost_libtiff.TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &layout->height);
    layout->bits = number(tiff, TIFFTAG_BITSPERSAMPLE);
    layout->samples = number(tiff, TIFFTAG_SAMPLESPERPIXEL);
    layout->is_planar = layout->is_planar && layout->samples > 1;
    layout->sample_format = number(tiff, TIFFTAG_SAMPLEFORMAT);
    layout->orientation = number(tiff, TIFFTAG_ORIENTATION);
    layout->ink_set = number(tiff, TIFFTAG_INKSET);
    uint16_t *extras = NULL;
    if (frost_libtiff.TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &layout->extra_count, &extras) && layout->extra_count > 0)
        layout->extra = extras[0];
    layout->is_reduced = (kind(tiff) & FILETYPE_REDUCEDIMAGE) != 0;
    uint16_t *palette[3];
    if (layout->photometric == PHOTOMETRIC_PALETTE
        && frost_libtiff.TIFFGetField(tiff, TIFFTAG_COLORMAP, &palette[0], &palette[1], &palette[2]))
        for (int i = 0; i < 3; i++) layout->palette[i] = palette[i];
    layout->density.unit = number(tiff, TIFFTAG_RESOLUTIONUNIT);
    layout->has_density = frost_libtiff.TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &layout->density.x)
        && frost_libtiff.TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &layout->density.y);
    layout->profile = bytes(tiff, TIFFTAG_ICCPROFILE);
    layout->xmp = bytes(tiff, TIFFTAG_XMLPACKET);
    layout->row_bytes = frost_libtiff.TIFFScanlineSize64(tiff);
    reader->height = layout->height;
    convert(reader, layout);
    frost_tiff_fault_clear(&reader->fault);

    reader->row_bytes = layout->row_bytes;
    reader->planes = layout->is_planar ? layout->samples : 1;
    layout->band_bytes = band_bytes(reader);
    frost_tiff_fault_clear(&reader->fault);
    return FROST_TIFF_OK;
}

// MARK: Pixels

/// Returns whether the size of a tile is plausible. A tile may be larger than the picture. It may always have up to
/// 2^22 pixels; a larger tile may have up to four times as many pixels as the picture.
static bool is_honest(uint32_t width, uint32_t height, uint64_t picture) {
    uint64_t pixels = (uint64_t)width * height;
    return pixels <= 1 << 22 || pixels / 4 <= picture;
}

static frost_tiff_status take_bands(frost_tiff_reader *reader) {
    TIFF *tiff = reader->tiff;
    uint32_t width = 0;
    frost_libtiff.TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    if (frost_libtiff.TIFFIsTiled(tiff)) {
        uint32_t wide = 0;
        frost_libtiff.TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &wide);
        frost_libtiff.TIFFGetField(tiff, TIFFTAG_TILELENGTH, &reader->band_rows);
        if (!wide || !reader->band_rows || !is_honest(wide, reader->band_rows, (uint64_t)width * reader->height))
            return frost_tiff_fault_set(&reader->fault, FROST_TIFF_OVER_LIMIT, "its tiles are far larger than the picture");
        // TIFF requires a tile width that is a multiple of 16, so each row of a tile begins at a byte boundary.
        if (wide % 16 != 0 && wide < width)
            return frost_tiff_fault_set(&reader->fault, FROST_TIFF_INVALID, "its tile width is not a multiple of 16");
        uint64_t size = frost_libtiff.TIFFTileSize64(tiff);
        if (!reader->is_converted && (size == 0 || size > INT64_MAX || !(reader->tile = malloc(size))))
            return frost_tiff_fault_set(&reader->fault, FROST_TIFF_NO_MEMORY, "out of memory");
    } else {
        frost_libtiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &reader->band_rows);
        if (reader->band_rows > reader->height) reader->band_rows = reader->height;
        // If the page has strips and a single plane, no band is needed, because the rows are decoded one by one.
        if (reader->planes == 1 && !reader->is_converted) return FROST_TIFF_OK;
    }
    if (reader->is_converted && !(reader->raster = calloc(raster_pixels(reader), sizeof *reader->raster)))
        return frost_tiff_fault_set(&reader->fault, FROST_TIFF_NO_MEMORY, "out of memory");
    reader->bands = calloc(reader->planes, sizeof *reader->bands);
    for (uint32_t i = 0; reader->bands && i < reader->planes; i++) {
        reader->bands[i].rows = calloc(reader->band_rows, reader->row_bytes);
        if (!reader->bands[i].rows) return frost_tiff_fault_set(&reader->fault, FROST_TIFF_NO_MEMORY, "out of memory");
    }
    return reader->bands ? FROST_TIFF_OK : frost_tiff_fault_set(&reader->fault, FROST_TIFF_NO_MEMORY, "out of memory");
}

/// Makes libtiff decompress strips with zlib. By default libtiff uses libdeflate for a strip that it decodes in one call.
/// Some programs write a last strip with more data than pixels. libdeflate then leaves out the end of the pixels, and
/// libtiff reports success. Tiles keep libdeflate, which compares their checksum. A valid tile has no more data than pixels.
/// If a damaged tile has more, the end of its pixels is 0.
static void use_zlib(TIFF *tiff) {
    uint16_t compression = number(tiff, TIFFTAG_COMPRESSION);
    if (frost_libtiff.TIFFIsTiled(tiff) || (compression != COMPRESSION_ADOBE_DEFLATE && compression != COMPRESSION_DEFLATE)) return;
    frost_libtiff.TIFFSetField(tiff, TIFFTAG_DEFLATE_SUBCODEC, DEFLATE_SUBCODEC_ZLIB);
}

frost_tiff_status frost_tiff_reader_start(frost_tiff_reader *reader) {
    TIFF *tiff = reader->tiff;
    uint32_t count = frost_libtiff.TIFFIsTiled(tiff) ? frost_libtiff.TIFFNumberOfTiles(tiff) : frost_libtiff.TIFFNumberOfStrips(tiff);
    bool is_old_jpeg = number(tiff, TIFFTAG_COMPRESSION) == COMPRESSION_OJPEG;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t offset = frost_libtiff.TIFFGetStrileOffset(tiff, i), size = frost_libtiff.TIFFGetStrileByteCount(tiff, i);
        if (reader->fault.status != FROST_TIFF_OK || reader->has_read_failed) return outcome(reader, false, "");
        // Files of the JPEG of 1992 need not state sizes.
        if (size == 0 && is_old_jpeg) continue;
        if (size == 0) return frost_tiff_fault_set(&reader->fault, FROST_TIFF_INVALID, "some of its pixels are missing");
        if (offset > reader->size || size > reader->size - offset)
            return frost_tiff_fault_set(&reader->fault, FROST_TIFF_INVALID, "its pixels extend past the end of the file");
    }
    use_zlib(tiff);
    // libtiff warns of every file of the JPEG of 1992.
    reader->fault.is_strict = !is_old_jpeg;
    return take_bands(reader);
}

// libtiff may report success for pixels that it has decoded only in part, and leaves the rest of the memory as it was. So
// memory is cleared before each call that decodes into it.

/// Converts the strip, or the row of tiles, that begins with the first row of `band`, to RGB.
static bool fill_converted(frost_tiff_reader *reader, band *band) {
    TIFF *tiff = reader->tiff;
    bool is_tiled = frost_libtiff.TIFFIsTiled(tiff);
    uint32_t width = (uint32_t)(reader->row_bytes / 3), wide = width, tall = band->count;
    if (is_tiled) {
        frost_libtiff.TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &wide);
        tall = reader->band_rows;
    }
    for (uint32_t x = 0; x < width; x += wide) {
        memset(reader->raster, 0, sizeof *reader->raster * wide * tall);
        bool is_done = is_tiled ? frost_libtiff.TIFFReadRGBATileExt(tiff, x, band->first, reader->raster, 1)
                                : frost_libtiff.TIFFReadRGBAStripExt(tiff, band->first, reader->raster, 1);
        if (!is_done) return false;
        uint32_t columns = width - x < wide ? width - x : wide;
        for (uint32_t y = 0; y < band->count; y++) {
            const uint32_t *from = reader->raster + (uint64_t)(tall - 1 - y) * wide;
            uint8_t *to = band->rows + y * reader->row_bytes + 3 * (uint64_t)x;
            for (uint32_t i = 0; i < columns; i++) {
                *to++ = (uint8_t)TIFFGetR(from[i]);
                *to++ = (uint8_t)TIFFGetG(from[i]);
                *to++ = (uint8_t)TIFFGetB(from[i]);
            }
        }
    }
    return true;
}

/// Decodes the strip, or the row of tiles, that contains row `y` into `band`.
static bool fill(frost_tiff_reader *reader, band *band, uint32_t y, uint32_t plane) {
    TIFF *tiff = reader->tiff;
    band->first = y - y % reader->band_rows;
    band->count = reader->height - band->first < reader->band_rows ? reader->height - band->first : reader->band_rows;
    if (reader->is_converted) return fill_converted(reader, band);
    if (!reader->tile) {
        uint32_t strip = frost_libtiff.TIFFComputeStrip(tiff, band->first, (uint16_t)plane);
        uint64_t size = band->count * reader->row_bytes;
        memset(band->rows, 0, size);
        return frost_libtiff.TIFFReadEncodedStrip(tiff, strip, band->rows, (tmsize_t)size) >= 0;
    }
    uint64_t across = frost_libtiff.TIFFTileRowSize64(tiff);
    uint32_t wide = 1;
    frost_libtiff.TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &wide);
    uint32_t x = 0;
    for (uint64_t at = 0; at < reader->row_bytes; at += across, x += wide) {
        uint32_t tile = frost_libtiff.TIFFComputeTile(tiff, x, band->first, 0, (uint16_t)plane);
        memset(reader->tile, 0, (size_t)frost_libtiff.TIFFTileSize64(tiff));
        if (frost_libtiff.TIFFReadEncodedTile(tiff, tile, reader->tile, (tmsize_t)-1) < 0) return false;
        uint64_t size = reader->row_bytes - at < across ? reader->row_bytes - at : across;
        for (uint32_t i = 0; i < band->count; i++)
            memcpy(band->rows + i * reader->row_bytes + at, reader->tile + i * across, size);
    }
    return true;
}

frost_tiff_status frost_tiff_reader_row(frost_tiff_reader *reader, uint32_t y, uint32_t plane, void *row) {
    if (reader->fault.status != FROST_TIFF_OK) return reader->fault.status;
    const char *reason = "its pixels are not valid";
    if (!reader->bands) {
        memset(row, 0, reader->row_bytes);
        return outcome(reader, frost_libtiff.TIFFReadScanline(reader->tiff, row, y, 0) == 1, reason);
    }
    band *band = &reader->bands[plane];
    if (band->count == 0 || y < band->first || y - band->first >= band->count) {
        frost_tiff_status status = outcome(reader, fill(reader, band, y, plane), reason);
        if (status != FROST_TIFF_OK) return status;
    }
    memcpy(row, band->rows + (y - band->first) * reader->row_bytes, reader->row_bytes);
    return FROST_TIFF_OK;
}

#endif
