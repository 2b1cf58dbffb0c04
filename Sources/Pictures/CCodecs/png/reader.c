#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits, in bytes and in chunks, on how much a hostile file can make libpng store. The largest useful ancillary chunk
// is an ICC profile of a few MB. For chunks that follow the pixels, the limit is higher (MAX_LATE_CHUNK_BYTES), because
// libpng also applies the limit to chunks that it skips. The frames of an animation are such chunks.
enum {
    INPUT_BYTES = 1 << 16,
    MAX_CHUNKS = 1024,
    MAX_CHUNK_BYTES = 1 << 24,
    MAX_LATE_CHUNK_BYTES = 1 << 26,
    MAX_RAW_BYTES = 1 << 24,
    // The number of names of chunks that are noted.
    MAX_NAMES = 32,
    // The maximum number of compressed bytes that may follow those of the last row.
    MAX_REST = 1 << 13,
    // The number of colours of the largest palette, and of its alphas.
    MAX_ALPHA = 256,
};

// The letters IDAT as a number: the type of the chunks that hold the pixels.
static const uint32_t IDAT = 0x49444154;

struct frost_png_reader {
    png_structp png;
    png_infop info;
    fault fault;
    frost_png_read_fn read;
    void *context;
    uint64_t offset;
    size_t next, end;
    uint32_t height;
    int passes;
    /// The metadata from chunks that libpng does not parse itself.
    frost_png_metadata found;
    size_t chunks, raw_bytes;
    /// The names of the chunks whose content is not used, each four letters and a zero byte.
    char names[MAX_NAMES][5];
    size_t name_count;
    /// Whether the pixels have been read.
    bool is_after_pixels;
    /// Whether the last row is being read. While libpng reads the last row, it also decompresses all remaining bytes of
    /// the IDAT chunks, and a file may have any number of them. `rest` is the number of IDAT bytes that may still be
    /// read then.
    bool is_ending;
    size_t rest, row_bytes;
    /// A whole tRNS chunk that precedes the palette to which it belongs, where libpng would drop it. `early_next` is the
    /// number of its bytes that libpng has got: none before the palette.
    uint8_t early[MAX_ALPHA + 12];
    size_t early_size, early_next;
    bool has_seen_palette;
    uint64_t rows;
    frost_png_raw_chunk raw[MAX_CHUNKS];
    uint8_t input[INPUT_BYTES];
};

static _Noreturn void end_of_input(frost_png_reader *reader) {
    char message[] = "the file ends in chunk xxxx";
    if ((png_get_io_state(reader->png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR) {
        fault_set(&reader->fault, FROST_PNG_TRUNCATED, "the file ends where a chunk should begin");
    } else {
        uint32_t type = png_get_io_chunk_type(reader->png);
        char *name = strchr(message, 'x');
        for (int i = 0; i < 4; ++i) name[i] = (char)(type >> (24 - 8 * i));
        fault_set(&reader->fault, FROST_PNG_TRUNCATED, message);
    }
    png_longjmp(reader->png, 1);
}

/// Notes the name of a chunk whose content is not used.
static void note_name(frost_png_reader *reader, const char *name) {
    for (size_t i = 0; i < reader->name_count; ++i)
        if (memcmp(reader->names[i], name, 4) == 0) return;
    if (reader->name_count < MAX_NAMES) memcpy(reader->names[reader->name_count++], name, 4);
}

/// Notes the name of a chunk that follows the pixels. libpng skips these chunks.
static void note_late(frost_png_reader *reader) {
    uint32_t type = png_get_io_chunk_type(reader->png);
    char name[] = {(char)(type >> 24), (char)(type >> 16), (char)(type >> 8), (char)type};
    bool is_frame = memcmp(name, "fcTL", 4) == 0 || memcmp(name, "fdAT", 4) == 0;
    if (type != IDAT && !is_frame && memcmp(name, "IEND", 4) != 0) note_name(reader, name);
}

static void take(frost_png_reader *reader, png_bytep out, size_t size);

/// Reads the length and the name of the next chunk. The alpha of a palette comes after the palette, also if the file has it
/// before.
static void take_header(frost_png_reader *reader, png_bytep out) {
    if (reader->has_seen_palette && reader->early_size > 0 && reader->early_next == 0) {
        memcpy(out, reader->early, 8);
        reader->early_next = 8;
        return;
    }
    take(reader, out, 8);
    bool has_palette = png_get_color_type(reader->png, reader->info) == PNG_COLOR_TYPE_PALETTE;
    if (has_palette && !reader->has_seen_palette && memcmp(out + 4, "tRNS", 4) == 0 && reader->early_size == 0) {
        size_t size = png_get_uint_32(out);
        if (size > MAX_ALPHA) return;
        memcpy(reader->early, out, 8);
        take(reader, reader->early + 8, size + 4);
        reader->early_size = size + 12;
        take(reader, out, 8);
    }
    if (memcmp(out + 4, "PLTE", 4) == 0) reader->has_seen_palette = true;
}

static void read_data(png_structp png, png_bytep out, size_t size) {
    frost_png_reader *reader = png_get_io_ptr(png);
    if (reader->early_next > 0 && reader->early_next < reader->early_size) {
        size_t left = reader->early_size - reader->early_next;
        // libpng reads no further than the end of a chunk at a time.
        if (size > left) size = left;
        memcpy(out, reader->early + reader->early_next, size);
        reader->early_next += size;
        return;
    }
    if (size == 8 && (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR) return take_header(reader, out);
    take(reader, out, size);
}

/// Reads the next bytes of the file.
static void take(frost_png_reader *reader, png_bytep out, size_t size) {
    png_structp png = reader->png;
    if (reader->is_after_pixels && (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_CRC) note_late(reader);
    while (size > 0) {
        if (reader->next == reader->end) {
            // longjmp can happen only after the read callback has returned, so no jump crosses a stack frame of the
            // caller.
            int64_t got = reader->read(reader->context, reader->input, INPUT_BYTES);
            if (got == 0) end_of_input(reader);
            if (got < 0 || got > INPUT_BYTES) {
                fault_set(&reader->fault, FROST_PNG_READ_FAILED, "reading failed");
                png_longjmp(png, 1);
            }
            reader->next = 0;
            reader->end = (size_t)got;
        }
        size_t count = reader->end - reader->next;
        if (count > size) count = size;
        if (reader->is_ending && png_get_io_chunk_type(png) == IDAT) {
            if (count > reader->rest) {
                fault_set(&reader->fault, FROST_PNG_INVALID, "IDAT: far more data than pixels");
                png_longjmp(png, 1);
            }
            reader->rest -= count;
        }
        memcpy(out, reader->input + reader->next, count);
        reader->next += count;
        reader->offset += count;
        out += count;
        size -= count;
    }
}

// The callback for libpng's warnings. libpng warns about faulty ancillary chunks and drops these chunks. If the
// checksum of the pixels is wrong, libpng only warns too, because it has already returned all rows when it reads the
// checksum. This callback turns a wrong checksum into a failure.
static void warn(png_structp png, png_const_charp message) {
    // libpng passes no pointer to the reader here. The context of the read callback points to the reader, and is NULL
    // until the callback has been set.
    frost_png_reader *reader = png_get_io_ptr(png);
    fault *fault = png_get_error_ptr(png);
    // The first warning is stored. Warnings about ICC profiles are not stored, because FROST_PNG_ICCP_REFUSED reports
    // them.
    if (!fault->warning[0] && strncmp(message, "iCCP", 4) != 0)
        snprintf(fault->warning, sizeof fault->warning, "%s", message);
    if (reader && strncmp(message, "iCCP", 4) == 0) reader->found.present |= FROST_PNG_ICCP_REFUSED;
    if (strcmp(message, "IDAT: incorrect data check") == 0)
        fault_set(fault, FROST_PNG_INVALID, message);
    else if (strncmp(message, "iCCP", 4) == 0 && strstr(message, "exceeds application limits"))
        fault_set(fault, FROST_PNG_OVER_LIMIT, "its colour profile exceeds 16 MiB");
}

static void keep_chunk(frost_png_metadata *out, const png_unknown_chunk *chunk) {
    const png_byte *bytes = chunk->data;
    const char *name = (const char *)chunk->name;
    // If a file has several chunks of the same type, only the first one counts. Values that PNG does not allow are
    // ignored.
    if (strcmp(name, "gAMA") == 0 && chunk->size == 4 && !(out->present & FROST_PNG_GAMA)) {
        out->gamma = png_get_uint_32(bytes);
        if (out->gamma > 0 && out->gamma <= PNG_UINT_31_MAX) out->present |= FROST_PNG_GAMA;
    } else if (strcmp(name, "cHRM") == 0 && chunk->size == 32 && !(out->present & FROST_PNG_CHRM)) {
        out->present |= FROST_PNG_CHRM;
        for (int i = 0; i < 8; ++i) out->chromaticities[i] = png_get_uint_32(bytes + 4 * i);
    } else if (strcmp(name, "sRGB") == 0 && chunk->size == 1 && !(out->present & FROST_PNG_SRGB)) {
        out->intent = bytes[0];
        if (out->intent < PNG_sRGB_INTENT_LAST) out->present |= FROST_PNG_SRGB;
    } else if (strcmp(name, "pHYs") == 0 && chunk->size == 9 && !(out->present & FROST_PNG_PHYS)) {
        out->density_x = png_get_uint_32(bytes);
        out->density_y = png_get_uint_32(bytes + 4);
        out->density_unit = bytes[8];
        if (out->density_unit < PNG_RESOLUTION_LAST) out->present |= FROST_PNG_PHYS;
    }
}

/// Stores a chunk unchanged, so that the writer can write it again.
static int keep_raw(frost_png_reader *reader, const png_unknown_chunk *chunk) {
    if (reader->raw_bytes + chunk->size > MAX_RAW_BYTES) return -1;
    uint8_t *bytes = malloc(chunk->size ? chunk->size : 1);
    if (!bytes) return -1;
    if (chunk->size) memcpy(bytes, chunk->data, chunk->size);
    reader->raw_bytes += chunk->size;
    frost_png_raw_chunk *raw = &reader->raw[reader->found.raw_count++];
    *raw = (frost_png_raw_chunk){.size = chunk->size, .bytes = bytes};
    memcpy(raw->name, chunk->name, 4);
    return 1;
}

/// libpng's callback for every chunk that libpng does not need for decoding. A negative result makes reading fail.
static int see_chunk(png_structp png, png_unknown_chunkp chunk) {
    static const char *const kept[] = {"cICP", "cLLI", "eXIf", "iTXt", "mDCV", "tEXt", "tIME", "zTXt"};
    // Chunks that are parsed, and those that only describe the pixels of an animation or of the background.
    static const char *const used[] = {"acTL", "bKGD", "cHRM", "gAMA", "pHYs", "sRGB"};
    frost_png_reader *reader = png_get_user_chunk_ptr(png);
    const char *name = (const char *)chunk->name;
    // fcTL and fdAT hold the frames of an animation. A file may have many such chunks, so they do not count towards
    // MAX_CHUNKS.
    if (strcmp(name, "fcTL") == 0 || strcmp(name, "fdAT") == 0) return 1;
    if (strcmp(name, "acTL") == 0 && chunk->size == 8 && png_get_uint_32(chunk->data) > 1)
        reader->found.present |= FROST_PNG_ACTL;
    int result = 1;
    if (++reader->chunks > MAX_CHUNKS) result = -1;
    bool is_used = false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && result > 0; ++i)
        if (strcmp(name, kept[i]) == 0) {
            result = keep_raw(reader, chunk);
            is_used = true;
        }
    for (size_t i = 0; i < sizeof used / sizeof *used; ++i) is_used = is_used || strcmp(name, used[i]) == 0;
    if (!is_used) note_name(reader, name);
    keep_chunk(&reader->found, chunk);
    if (result < 0)
        fault_set(&reader->fault, FROST_PNG_OVER_LIMIT, "it has over 1024 chunks or 16 MiB of metadata");
    return result;
}

static const png_byte *name_of(const char *name) { return (const png_byte *)name; }

frost_png_reader *frost_png_reader_create(
    frost_png_read_fn read, void *context, uint32_t max_width, uint32_t max_height) {
    frost_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->read = read;
    reader->context = context;
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, &reader->fault, fault_raise, warn, &reader->fault, fault_allocate, fault_free);
    if (!reader->png || !(reader->info = png_create_info_struct(reader->png))) {
        frost_png_reader_destroy(reader);
        return NULL;
    }
    if (setjmp(png_jmpbuf(reader->png)) != 0) {
        frost_png_reader_destroy(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, read_data);
    png_set_user_limits(reader->png, max_width, max_height);
    png_set_chunk_malloc_max(reader->png, MAX_CHUNK_BYTES);
    // libpng must not parse these chunks itself, because it would compare them with each other, drop some of them, and
    // add others that the file does not contain.
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER,
        name_of("bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0"
                "zTXt"),
        17);
    png_set_read_user_chunk_fn(reader->png, reader, see_chunk);
    return reader;
}

frost_png_status frost_png_reader_start(
    frost_png_reader *reader, frost_png_layout *layout, frost_png_metadata *metadata) {
    FAULT_GUARD(reader);
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_read_info(png, info);

    *metadata = reader->found;
    metadata->raw_chunks = reader->raw;
    png_charp icc_name = NULL;
    png_bytep icc_bytes = NULL;
    int compression = 0;
    if (png_get_iCCP(png, info, &icc_name, &compression, &icc_bytes, &metadata->icc_size) != 0) {
        // If libpng warned about the ICC profile, the bit FROST_PNG_ICCP_REFUSED is set. It is cleared here, because libpng
        // has kept the profile.
        metadata->present &= ~(uint32_t)FROST_PNG_ICCP_REFUSED;
        metadata->present |= FROST_PNG_ICCP;
        metadata->icc_name = icc_name;
        metadata->icc_bytes = icc_bytes;
    }

    png_set_expand(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
#endif
    reader->passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);

    reader->height = png_get_image_height(png, info);
    reader->row_bytes = png_get_rowbytes(png, info);
    reader->rows = (uint64_t)reader->height * (uint64_t)reader->passes;
    *layout = (frost_png_layout){
        .width = png_get_image_width(png, info),
        .height = reader->height,
        .channels = png_get_channels(png, info),
        .bits = png_get_bit_depth(png, info),
        .row_bytes = png_get_rowbytes(png, info),
        .interlaced = reader->passes > 1,
    };
    return reader->fault.status;
}

static void read_row(frost_png_reader *reader, png_bytep row) {
    if (--reader->rows == 0) {
        // The compressed row may be a little longer than the row itself: deflate enlarges incompressible data, by less
        // than a thousandth.
        reader->is_ending = true;
        reader->rest = reader->row_bytes + reader->row_bytes / 1000 + MAX_REST;
    }
    png_read_row(reader->png, row, NULL);
}

frost_png_status frost_png_reader_row(frost_png_reader *reader, void *row) {
    FAULT_GUARD(reader);
    if (reader->passes != 1) png_error(reader->png, "an interlaced image cannot be read row by row");
    read_row(reader, row);
    return reader->fault.status;
}

frost_png_status frost_png_reader_image(frost_png_reader *reader, void *base, size_t stride) {
    FAULT_GUARD(reader);
    // Each pass of an interlaced image writes only its own pixels. After the last pass, all pixels have been written.
    for (int pass = 0; pass < reader->passes; ++pass)
        for (uint32_t y = 0; y < reader->height; ++y)
            read_row(reader, (png_bytep)base + y * stride);
    return reader->fault.status;
}

frost_png_status frost_png_reader_end(frost_png_reader *reader) {
    FAULT_GUARD(reader);
    reader->is_after_pixels = true;
    png_set_chunk_malloc_max(reader->png, MAX_LATE_CHUNK_BYTES);
    png_read_end(reader->png, NULL);
    return reader->fault.status;
}

const char *frost_png_reader_left_out(const frost_png_reader *reader, size_t index) {
    return index < reader->name_count ? reader->names[index] : NULL;
}

const char *frost_png_reader_warning(const frost_png_reader *reader) { return reader->fault.warning; }

const char *frost_png_reader_message(const frost_png_reader *reader) { return reader->fault.message; }

uint64_t frost_png_reader_offset(const frost_png_reader *reader) { return reader->offset; }

void frost_png_reader_destroy(frost_png_reader *reader) {
    if (!reader) return;
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    for (size_t i = 0; i < reader->found.raw_count; ++i) free((void *)reader->raw[i].bytes);
    free(reader);
}

const char *frost_png_version(void) { return png_get_libpng_ver(NULL); }
