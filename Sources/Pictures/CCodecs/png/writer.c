#include "fault.h"

#include <stdlib.h>
#include <string.h>

struct frost_png_writer {
    png_structp png;
    png_infop info;
    fault fault;
    uint8_t *pending;
    size_t count, capacity;
};

static void write_data(png_structp png, png_bytep bytes, size_t size) {
    frost_png_writer *writer = png_get_io_ptr(png);
    if (size > writer->capacity - writer->count) {
        size_t capacity = writer->capacity * 2;
        if (capacity < writer->count + size) capacity = writer->count + size;
        uint8_t *grown = realloc(writer->pending, capacity);
        if (!grown) {
            fault_set(&writer->fault, FROST_PNG_NO_MEMORY, "out of memory");
            png_longjmp(png, 1);
        }
        writer->pending = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->pending + writer->count, bytes, size);
    writer->count += size;
}

static void flush_data(png_structp png) { (void)png; }

static void warn(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

frost_png_writer *frost_png_writer_create(void) {
    frost_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->png = png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, &writer->fault, fault_raise, warn, &writer->fault, fault_allocate, fault_free);
    if (!writer->png || !(writer->info = png_create_info_struct(writer->png))) {
        frost_png_writer_destroy(writer);
        return NULL;
    }
    return writer;
}

static void write_kept(png_structp png, const frost_png_metadata *metadata) {
    png_byte bytes[32];
    // PNG allows only one of the chunks sRGB and iCCP.
    if ((metadata->present & FROST_PNG_SRGB) && !(metadata->present & FROST_PNG_ICCP)) {
        bytes[0] = metadata->intent;
        png_write_chunk(png, (const png_byte *)"sRGB", bytes, 1);
    }
    if (metadata->present & FROST_PNG_GAMA) {
        png_save_uint_32(bytes, metadata->gamma);
        png_write_chunk(png, (const png_byte *)"gAMA", bytes, 4);
    }
    if (metadata->present & FROST_PNG_CHRM) {
        for (int i = 0; i < 8; ++i) png_save_uint_32(bytes + 4 * i, metadata->chromaticities[i]);
        png_write_chunk(png, (const png_byte *)"cHRM", bytes, 32);
    }
    if (metadata->present & FROST_PNG_PHYS) {
        png_save_uint_32(bytes, metadata->density_x);
        png_save_uint_32(bytes + 4, metadata->density_y);
        bytes[8] = metadata->density_unit;
        png_write_chunk(png, (const png_byte *)"pHYs", bytes, 9);
    }
    for (size_t i = 0; i < metadata->raw_count; ++i) {
        const frost_png_raw_chunk *chunk = &metadata->raw_chunks[i];
        png_write_chunk(png, (const png_byte *)chunk->name, chunk->bytes, chunk->size);
    }
}

frost_png_status frost_png_writer_start(
    frost_png_writer *writer, const frost_png_settings *settings, const frost_png_metadata *metadata) {
    static const int color_types[] = {
        PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    FAULT_GUARD(writer);
    png_structp png = writer->png;
    png_infop info = writer->info;
    if (settings->channels < 1 || settings->channels > 4) png_error(png, "unsupported channels");
    png_set_write_fn(png, writer, write_data, flush_data);
    // libpng's default size limits are meant for reading. The writer sets the limits of the PNG format instead.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, settings->width, settings->height, (int)settings->bits,
        color_types[settings->channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    if (metadata->present & FROST_PNG_ICCP) {
        // libpng checks an ICC profile. By default, libpng only warns about a faulty profile when it reads a file, but
        // fails when it writes one. With the next call, libpng only warns in both cases. The check below then reports
        // the fault.
        png_set_benign_errors(png, 1);
        png_set_iCCP(png, info, metadata->icc_name, PNG_COMPRESSION_TYPE_BASE, metadata->icc_bytes,
            metadata->icc_size);
        if (!png_get_valid(png, info, PNG_INFO_iCCP)) png_error(png, "its colour profile is not valid");
    }

    png_write_info_before_PLTE(png, info);
    write_kept(png, metadata);
    png_write_info(png, info);
    return writer->fault.status;
}

frost_png_status frost_png_writer_chunk(
    frost_png_writer *writer, const char *type, const uint8_t *bytes, size_t size) {
    FAULT_GUARD(writer);
    if (strlen(type) != 4) png_error(writer->png, "a chunk type without four letters");
    png_write_chunk(writer->png, (const png_byte *)type, bytes, size);
    return writer->fault.status;
}

frost_png_status frost_png_writer_end(frost_png_writer *writer) {
    FAULT_GUARD(writer);
    // IEND is written directly. png_write_end would fail, because it expects that libpng itself wrote IDAT.
    png_write_chunk(writer->png, (const png_byte *)"IEND", NULL, 0);
    return writer->fault.status;
}

const uint8_t *frost_png_writer_pending(const frost_png_writer *writer, size_t *size) {
    *size = writer->count;
    return writer->pending;
}

void frost_png_writer_clear(frost_png_writer *writer) { writer->count = 0; }

const char *frost_png_writer_message(const frost_png_writer *writer) { return writer->fault.message; }

void frost_png_writer_destroy(frost_png_writer *writer) {
    if (!writer) return;
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->pending);
    free(writer);
}
