#ifdef FROST_TIFF

#include "fault.h"

#include <stdlib.h>
#include <string.h>

/// The maximum size of a strip before compression, in bytes. The rows of a strip are compressed together. A row that is
/// longer than this has a strip of its own.
enum { STRIP = 256 << 10 };

struct frost_tiff_writer {
    TIFF *_Nullable tiff;
    /// The bytes of the file. They all stay in memory until the end, because libtiff seeks back to write the position
    /// of the directory.
    uint8_t *_Nullable bytes;
    size_t count, capacity, position;
    /// A copy of the current row, because libtiff may modify the row that it receives.
    uint8_t *_Nullable row;
    tmsize_t row_bytes;
    uint32_t y;
    fault fault;
};

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    frost_tiff_writer *writer = handle;
    size_t left = writer->position < writer->count ? writer->count - writer->position : 0;
    size_t count = (size_t)size < left ? (size_t)size : left;
    if (count > 0) memcpy(buffer, writer->bytes + writer->position, count);
    writer->position += count;
    return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    frost_tiff_writer *writer = handle;
    size_t end = writer->position + (size_t)size;
    if (end > writer->capacity) {
        size_t capacity = writer->capacity + writer->capacity / 2;
        if (capacity < end) capacity = end + STRIP;
        uint8_t *grown = realloc(writer->bytes, capacity);
        if (!grown) {
            frost_tiff_fault_set(&writer->fault, FROST_TIFF_NO_MEMORY, "out of memory");
            return -1;
        }
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    if (writer->position > writer->count) memset(writer->bytes + writer->count, 0, writer->position - writer->count);
    memcpy(writer->bytes + writer->position, buffer, (size_t)size);
    writer->position = end;
    if (end > writer->count) writer->count = end;
    return size;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    frost_tiff_writer *writer = handle;
    if (whence == SEEK_CUR) offset += writer->position;
    if (whence == SEEK_END) offset += writer->count;
    writer->position = (size_t)offset;
    return offset;
}

static toff_t file_size(thandle_t handle) { return ((frost_tiff_writer *)handle)->count; }

frost_tiff_writer *frost_tiff_writer_create(void) { return calloc(1, sizeof(frost_tiff_writer)); }

void frost_tiff_writer_destroy(frost_tiff_writer *writer) {
    if (!writer) return;
    if (writer->tiff) frost_libtiff.TIFFClose(writer->tiff);
    free(writer->bytes);
    free(writer->row);
    free(writer);
}

const char *frost_tiff_writer_message(const frost_tiff_writer *writer) { return writer->fault.message; }

static frost_tiff_status outcome(frost_tiff_writer *writer, bool is_done) {
    if (is_done && writer->fault.status == FROST_TIFF_OK) return FROST_TIFF_OK;
    return frost_tiff_fault_set(&writer->fault, FROST_TIFF_INVALID, "libtiff refused the picture");
}

frost_tiff_status frost_tiff_writer_start(frost_tiff_writer *writer, const frost_tiff_settings *settings) {
    writer->row_bytes = (tmsize_t)settings->width * settings->channels * settings->bits / 8;
    uint64_t bytes = (uint64_t)writer->row_bytes * settings->height;
    // Classic TIFF has 32-bit offsets, so files that may exceed 4 GiB use BigTIFF. The limit here is lower, because
    // compression may enlarge the data.
    const char *mode = bytes < 0xF0000000 ? "w" : "w8";
    writer->tiff = frost_tiff_fault_open(&writer->fault, mode, writer, 0, read_bytes, write_bytes, seek, file_size);
    writer->row = malloc((size_t)writer->row_bytes);
    if (!writer->tiff || !writer->row) return outcome(writer, false);
    TIFF *tiff = writer->tiff;
    bool has_alpha = !settings->is_cmyk && settings->channels % 2 == 0, is_float = settings->bits == 32;
    uint16_t photometric = settings->is_cmyk ? PHOTOMETRIC_SEPARATED
        : settings->channels < 3             ? PHOTOMETRIC_MINISBLACK
                                             : PHOTOMETRIC_RGB;
    uint16_t extra = EXTRASAMPLE_UNASSALPHA;
    uint32_t rows = (uint32_t)(STRIP / writer->row_bytes);
    bool done = frost_libtiff.TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, settings->width)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, settings->height)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, settings->bits)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, settings->channels)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_PREDICTOR, is_float ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL)
        && frost_libtiff.TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows > 0 ? rows : 1);
    if (has_alpha) done = done && frost_libtiff.TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
    if (settings->is_cmyk) done = done && frost_libtiff.TIFFSetField(tiff, TIFFTAG_INKSET, INKSET_CMYK);
    if (settings->has_density)
        done = done && frost_libtiff.TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, settings->density.unit)
            && frost_libtiff.TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)settings->density.x)
            && frost_libtiff.TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)settings->density.y);
    if (settings->profile.size > 0)
        done = done && frost_libtiff.TIFFSetField(tiff, TIFFTAG_ICCPROFILE, settings->profile.size, settings->profile.start);
    if (settings->xmp.size > 0)
        done = done && frost_libtiff.TIFFSetField(tiff, TIFFTAG_XMLPACKET, settings->xmp.size, settings->xmp.start);
    return outcome(writer, done);
}

frost_tiff_status frost_tiff_writer_row(frost_tiff_writer *writer, const void *row) {
    if (writer->fault.status != FROST_TIFF_OK) return writer->fault.status;
    memcpy(writer->row, row, (size_t)writer->row_bytes);
    return outcome(writer, frost_libtiff.TIFFWriteScanline(writer->tiff, writer->row, writer->y++, 0) == 1);
}

frost_tiff_status frost_tiff_writer_end(frost_tiff_writer *writer) {
    if (writer->fault.status != FROST_TIFF_OK) return writer->fault.status;
    bool done = frost_libtiff.TIFFWriteDirectory(writer->tiff);
    frost_libtiff.TIFFClose(writer->tiff);
    writer->tiff = NULL;
    return outcome(writer, done);
}

const uint8_t *frost_tiff_writer_file(const frost_tiff_writer *writer, size_t *size) {
    *size = writer->count;
    return writer->bytes;
}

#endif
