#include "fault.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 1 << 16 };

struct frost_jpeg_writer {
    struct jpeg_compress_struct info;
    struct jpeg_destination_mgr destination;
    fault fault;
    uint8_t *pending;
    size_t capacity;
};

static frost_jpeg_writer *writer_of(j_compress_ptr info) { return info->client_data; }

static void init_destination(j_compress_ptr info) { (void)info; }

/// Doubles the output buffer. libjpeg calls this function when the buffer is full. The value of free_in_buffer is not
/// up to date then, so this function does not read it.
static boolean grow_output(j_compress_ptr info) {
    frost_jpeg_writer *writer = writer_of(info);
    uint8_t *grown = realloc(writer->pending, writer->capacity * 2);
    if (!grown) frost_jpeg_raise(&writer->fault, FROST_JPEG_NO_MEMORY, "out of memory");
    writer->pending = grown;
    writer->destination.next_output_byte = grown + writer->capacity;
    writer->destination.free_in_buffer = writer->capacity;
    writer->capacity *= 2;
    return TRUE;
}

static void end_destination(j_compress_ptr info) { (void)info; }

frost_jpeg_writer *frost_jpeg_writer_create(void) {
    frost_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    frost_jpeg_fault_init(&writer->fault);
    writer->info.err = &writer->fault.manager;
    writer->pending = malloc(FIRST_BYTES);
    writer->capacity = FIRST_BYTES;
    if (!writer->pending || setjmp(writer->fault.target) != 0) {
        frost_jpeg_writer_destroy(writer);
        return NULL;
    }
    jpeg_create_compress(&writer->info);
    writer->info.client_data = writer;
    writer->destination = (struct jpeg_destination_mgr){
        .next_output_byte = writer->pending, .free_in_buffer = writer->capacity, .init_destination = init_destination,
        .empty_output_buffer = grow_output, .term_destination = end_destination};
    writer->info.dest = &writer->destination;
    return writer;
}

frost_jpeg_status frost_jpeg_writer_start(frost_jpeg_writer *writer, const frost_jpeg_settings *settings) {
    FAULT_GUARD(writer);
    j_compress_ptr info = &writer->info;
    info->image_width = settings->width;
    info->image_height = settings->height;
    info->input_components = (int)settings->channels;
    switch (settings->channels) {
    case 1: info->in_color_space = JCS_GRAYSCALE; break;
    case 3: info->in_color_space = JCS_RGB; break;
    case 4: info->in_color_space = JCS_CMYK; break;
    default: frost_jpeg_raise(&writer->fault, FROST_JPEG_INVALID, "unsupported channels");
    }
    jpeg_set_defaults(info);
    if (settings->channels == 4) jpeg_set_colorspace(info, JCS_YCCK);
    jpeg_set_quality(info, settings->quality, TRUE);
    if (settings->channels > 1) {
        info->comp_info[0].h_samp_factor = settings->subsampling_x;
        info->comp_info[0].v_samp_factor = settings->subsampling_y;
        // The fourth channel is the black of CMYK. It gets the same sampling factors as luma, so it is not subsampled.
        if (settings->channels == 4) {
            info->comp_info[3].h_samp_factor = settings->subsampling_x;
            info->comp_info[3].v_samp_factor = settings->subsampling_y;
        }
    }
    info->optimize_coding = settings->optimized;
    if (settings->progressive) jpeg_simple_progression(info);
    if (settings->has_density) {
        info->density_unit = settings->density.unit;
        info->X_density = settings->density.x;
        info->Y_density = settings->density.y;
    }
    jpeg_start_compress(info, TRUE);
    return writer->fault.status;
}

frost_jpeg_status frost_jpeg_writer_segment(frost_jpeg_writer *writer, frost_jpeg_segment segment) {
    FAULT_GUARD(writer);
    jpeg_write_marker(&writer->info, (int)segment.marker, segment.bytes, (unsigned)segment.size);
    return writer->fault.status;
}

frost_jpeg_status frost_jpeg_writer_profile(frost_jpeg_writer *writer, const uint8_t *bytes, size_t size) {
    FAULT_GUARD(writer);
    jpeg_write_icc_profile(&writer->info, bytes, (unsigned)size);
    return writer->fault.status;
}

frost_jpeg_status frost_jpeg_writer_row(frost_jpeg_writer *writer, const void *row) {
    FAULT_GUARD(writer);
    // The cast removes const, which is safe because libjpeg does not write through this pointer.
    JSAMPROW rows[] = {(JSAMPROW)row};
    jpeg_write_scanlines(&writer->info, rows, 1);
    return writer->fault.status;
}

frost_jpeg_status frost_jpeg_writer_end(frost_jpeg_writer *writer) {
    FAULT_GUARD(writer);
    jpeg_finish_compress(&writer->info);
    return writer->fault.status;
}

const uint8_t *frost_jpeg_writer_pending(const frost_jpeg_writer *writer, size_t *size) {
    *size = writer->capacity - writer->destination.free_in_buffer;
    return writer->pending;
}

void frost_jpeg_writer_clear(frost_jpeg_writer *writer) {
    writer->destination.next_output_byte = writer->pending;
    writer->destination.free_in_buffer = writer->capacity;
}

const char *frost_jpeg_writer_message(const frost_jpeg_writer *writer) { return writer->fault.message; }

void frost_jpeg_writer_destroy(frost_jpeg_writer *writer) {
    if (!writer) return;
    // jpeg_destroy_compress does nothing if the compressor was never created.
    jpeg_destroy_compress(&writer->info);
    free(writer->pending);
    free(writer);
}
