#include "fault.h"

#include <stdlib.h>
#include <string.h>

// Limits on how much memory and time a hostile file can use. The largest genuine files have an ICC profile of a few MB
// in segments of 64 KB. libjpeg-turbo recommends a limit of 500 scans. Encoders write 10 to 20 scans.
enum { INPUT_BYTES = 1 << 16, MAX_SEGMENTS = 1024, MAX_SEGMENT_BYTES = 1 << 24, MAX_SCANS = 100 };
// The number of bytes that are stored of a segment whose content is not used, and the number of such segments.
enum { HEAD_BYTES = 48, MAX_HEADS = 64 };

struct frost_jpeg_reader {
    struct jpeg_decompress_struct info;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    fault fault;
    frost_jpeg_read_fn read;
    frost_jpeg_continue_fn may_continue;
    void *context;
    uint64_t fetched;
    /// Whether the decoding of the pixels has begun. After that point, an end marker may take the place of the missing
    /// bytes of a file that ends early.
    bool is_decoding;
    frost_jpeg_segment *segments;
    size_t count, bytes;
    int heads;
    uint8_t input[INPUT_BYTES];
};

static frost_jpeg_reader *reader_of(j_decompress_ptr info) { return info->client_data; }

static void init_source(j_decompress_ptr info) { (void)info; }

static boolean fill_input(j_decompress_ptr info) {
    frost_jpeg_reader *reader = reader_of(info);
    // longjmp can happen only after the read callback has returned, so no jump crosses a stack frame of the caller.
    int64_t got = reader->read(reader->context, reader->input, INPUT_BYTES);
    if (got == 0) {
        if (!reader->is_decoding || reader->fault.raised & FROST_JPEG_TRUNCATION)
            frost_jpeg_raise(&reader->fault, FROST_JPEG_TRUNCATED, "the file ends early");
        frost_jpeg_warn(&reader->fault, "the file ends early");
        // An end marker takes the place of the missing bytes. It makes libjpeg fill the missing blocks with grey.
        reader->input[0] = 0xFF;
        reader->input[1] = JPEG_EOI;
        got = 2;
    } else if (got > 0) {
        reader->fetched += (uint64_t)got;
    }
    if (got < 0 || got > INPUT_BYTES) frost_jpeg_raise(&reader->fault, FROST_JPEG_READ_FAILED, "reading failed");
    reader->source.next_input_byte = reader->input;
    reader->source.bytes_in_buffer = (size_t)got;
    return TRUE;
}

static void skip_input(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    while (count > 0) {
        if (source->bytes_in_buffer == 0) fill_input(info);
        size_t take = source->bytes_in_buffer < (size_t)count ? source->bytes_in_buffer : (size_t)count;
        source->next_input_byte += take;
        source->bytes_in_buffer -= take;
        count -= (long)take;
    }
}

static void end_source(j_decompress_ptr info) { (void)info; }

static uint8_t next_byte(j_decompress_ptr info) {
    if (info->src->bytes_in_buffer == 0) fill_input(info);
    --info->src->bytes_in_buffer;
    return *info->src->next_input_byte++;
}

static size_t segment_size(j_decompress_ptr info) {
    size_t size = (size_t)next_byte(info) << 8;
    size |= next_byte(info);
    if (size < 2) frost_jpeg_raise(&reader_of(info)->fault, FROST_JPEG_INVALID, "a segment has an invalid length");
    return size - 2;
}

/// Stores the next `size` bytes as a segment, and returns them.
static const uint8_t *store(j_decompress_ptr info, size_t size) {
    frost_jpeg_reader *reader = reader_of(info);
    if (reader->count == MAX_SEGMENTS || reader->bytes + size > MAX_SEGMENT_BYTES)
        frost_jpeg_raise(&reader->fault, FROST_JPEG_OVER_LIMIT, "it has over 1024 segments or 16 MiB of metadata");
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes) frost_jpeg_raise(&reader->fault, FROST_JPEG_NO_MEMORY, "out of memory");
    // The reader owns the segment from here on, even if reading its bytes fails.
    reader->segments[reader->count++] =
        (frost_jpeg_segment){.marker = (uint32_t)info->unread_marker, .size = size, .bytes = bytes};
    reader->bytes += size;
    for (size_t done = 0; done < size;) {
        if (info->src->bytes_in_buffer == 0) fill_input(info);
        size_t take = info->src->bytes_in_buffer < size - done ? info->src->bytes_in_buffer : size - done;
        memcpy(bytes + done, info->src->next_input_byte, take);
        info->src->next_input_byte += take;
        info->src->bytes_in_buffer -= take;
        done += take;
    }
    return bytes;
}

/// Stores the next metadata segment. libjpeg's own function for this purpose has no limit on the total size of the
/// segments.
static boolean keep_segment(j_decompress_ptr info) {
    store(info, segment_size(info));
    return TRUE;
}

/// Stores the first bytes of the next segment, which name it, and skips the rest. Reads the density from a JFIF segment,
/// as libjpeg does if this function does not take its place.
static boolean keep_head(j_decompress_ptr info) {
    frost_jpeg_reader *reader = reader_of(info);
    size_t size = segment_size(info), head = size < HEAD_BYTES ? size : HEAD_BYTES;
    bool is_jfif = info->unread_marker == JPEG_APP0 && !info->saw_JFIF_marker && head >= 14;
    if (is_jfif || reader->heads++ < MAX_HEADS) {
        const uint8_t *bytes = store(info, head);
        if (is_jfif && memcmp(bytes, "JFIF", 5) == 0) {
            info->saw_JFIF_marker = TRUE;
            info->JFIF_major_version = bytes[5];
            info->JFIF_minor_version = bytes[6];
            info->density_unit = bytes[7];
            info->X_density = (UINT16)(bytes[8] << 8 | bytes[9]);
            info->Y_density = (UINT16)(bytes[10] << 8 | bytes[11]);
        }
        size -= head;
    }
    skip_input(info, (long)size);
    return TRUE;
}

/// Refuses a file with more than MAX_SCANS scans, and stops if the caller wants to stop. libjpeg calls this function
/// after each row of blocks. Each scan covers the whole picture, so a small file with very many scans would otherwise
/// keep the machine busy for hours.
static void check_progress(j_common_ptr common) {
    j_decompress_ptr info = (j_decompress_ptr)common;
    if (info->input_scan_number > MAX_SCANS)
        frost_jpeg_raise(&reader_of(info)->fault, FROST_JPEG_OVER_LIMIT, "it has over 100 scans");
    frost_jpeg_reader *reader = reader_of(info);
    if (!reader->may_continue(reader->context)) frost_jpeg_raise(&reader->fault, FROST_JPEG_READ_FAILED, "stopped");
}

frost_jpeg_reader *frost_jpeg_reader_create(
    frost_jpeg_read_fn read, frost_jpeg_continue_fn may_continue, void *context, unsigned raised) {
    frost_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->read = read;
    reader->may_continue = may_continue;
    reader->context = context;
    frost_jpeg_fault_init(&reader->fault);
    reader->fault.raised = raised;
    reader->info.err = &reader->fault.manager;
    reader->segments = calloc(MAX_SEGMENTS, sizeof *reader->segments);
    if (!reader->segments || setjmp(reader->fault.target) != 0) {
        frost_jpeg_reader_destroy(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    reader->info.client_data = reader;
    reader->source = (struct jpeg_source_mgr){
        .init_source = init_source, .fill_input_buffer = fill_input, .skip_input_data = skip_input,
        .resync_to_restart = jpeg_resync_to_restart, .term_source = end_source};
    reader->info.src = &reader->source;
    reader->progress.progress_monitor = check_progress;
    reader->info.progress = &reader->progress;
    // libjpeg itself reads Adobe's segment, APP14.
    for (int i = 0; i < 16; ++i)
        if (i != 14) jpeg_set_marker_processor(&reader->info, JPEG_APP0 + i, keep_head);
    jpeg_set_marker_processor(&reader->info, JPEG_APP0 + 1, keep_segment);
    jpeg_set_marker_processor(&reader->info, JPEG_APP0 + 2, keep_segment);
    jpeg_set_marker_processor(&reader->info, JPEG_COM, keep_segment);
    return reader;
}

frost_jpeg_status frost_jpeg_reader_open(frost_jpeg_reader *reader, frost_jpeg_layout *layout) {
    FAULT_GUARD(reader);
    j_decompress_ptr info = &reader->info;
    jpeg_read_header(info, TRUE);
    switch (info->num_components) {
    case 1: info->out_color_space = JCS_GRAYSCALE; break;
    case 3: info->out_color_space = JCS_RGB; break;
    case 4: info->out_color_space = JCS_CMYK; break;
    default: frost_jpeg_raise(&reader->fault, FROST_JPEG_INVALID, "it has neither 1, 3 nor 4 components");
    }
    jpeg_calc_output_dimensions(info);
    // Each block has at least one bit in the Huffman-coded data, for its lowest coefficient. This gives a lower bound
    // on the file size.
    uint64_t blocks = 0;
    for (int i = 0; i < info->num_components; ++i)
        blocks += (uint64_t)info->comp_info[i].width_in_blocks * info->comp_info[i].height_in_blocks;
    *layout = (frost_jpeg_layout){
        .width = info->output_width,
        .height = info->output_height,
        .channels = (uint32_t)info->num_components,
        .row_bytes = (size_t)info->output_width * (size_t)info->num_components,
        .has_several_scans = jpeg_has_multiple_scans(info),
        .minimum_bytes = info->arith_code ? 0 : blocks / 8,
        .coefficient_bytes = blocks * sizeof(JBLOCK),
        .has_density = info->saw_JFIF_marker,
        .density = {.unit = info->density_unit, .x = info->X_density, .y = info->Y_density},
    };
    return reader->fault.status;
}

const frost_jpeg_segment *frost_jpeg_reader_segments(const frost_jpeg_reader *reader, size_t *count) {
    *count = reader->count;
    return reader->segments;
}

frost_jpeg_status frost_jpeg_reader_start(frost_jpeg_reader *reader) {
    FAULT_GUARD(reader);
    j_decompress_ptr info = &reader->info;
    reader->is_decoding = true;
    jpeg_start_decompress(info);
    // If a progressive file ends before the first scan of a component, the picture lacks this component, which is a
    // fault.
    if (info->progressive_mode && info->coef_bits) {
        for (int i = 0; i < info->num_components; ++i)
            if (info->coef_bits[i][0] < 0) {
                if (reader->fault.raised & FROST_JPEG_DAMAGE)
                    frost_jpeg_raise(&reader->fault, FROST_JPEG_INVALID, "a component has no scan");
                frost_jpeg_warn(&reader->fault, "a component has no scan");
            }
    }
    return reader->fault.status;
}

frost_jpeg_status frost_jpeg_reader_row(frost_jpeg_reader *reader, void *row) {
    FAULT_GUARD(reader);
    JSAMPROW rows[] = {row};
    if (jpeg_read_scanlines(&reader->info, rows, 1) != 1)
        frost_jpeg_raise(&reader->fault, FROST_JPEG_INVALID, "a row is missing");
    return reader->fault.status;
}

frost_jpeg_status frost_jpeg_reader_end(frost_jpeg_reader *reader) {
    FAULT_GUARD(reader);
    jpeg_finish_decompress(&reader->info);
    return reader->fault.status;
}

const char *frost_jpeg_reader_warning(const frost_jpeg_reader *reader) { return reader->fault.warning; }

const char *frost_jpeg_reader_message(const frost_jpeg_reader *reader) { return reader->fault.message; }

uint64_t frost_jpeg_reader_offset(const frost_jpeg_reader *reader) {
    return reader->fetched - reader->source.bytes_in_buffer;
}

void frost_jpeg_reader_destroy(frost_jpeg_reader *reader) {
    if (!reader) return;
    // jpeg_destroy_decompress does nothing if the decompressor was never created.
    jpeg_destroy_decompress(&reader->info);
    for (size_t i = 0; i < reader->count; ++i) free((void *)reader->segments[i].bytes);
    free(reader->segments);
    free(reader);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *frost_jpeg_version(void) { return TEXT(LIBJPEG_TURBO_VERSION); }
