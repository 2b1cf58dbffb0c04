#pragma once
#include "packages.h"

#include <zimg.h>

// This constant repeats a macro of zimg, because Swift cannot import the macro.
static const unsigned frost_zimg_version = ZIMG_API_VERSION;

/// Converts the three planes of an image in one call. Each plane is completely in memory. This function is written in C
/// because zimg's buffers contain arrays of anonymous structs, which Swift cannot import.
static inline zimg_error_code_e frost_zimg_process(const zimg_filter_graph *graph, const void *const from[3],
                                                   const ptrdiff_t from_strides[3], void *const to[3],
                                                   const ptrdiff_t to_strides[3], void *scratch) {
    zimg_image_buffer_const source = {.version = ZIMG_API_VERSION};
    zimg_image_buffer target = {.version = ZIMG_API_VERSION};
    for (int i = 0; i < 3; i++) {
        source.plane[i].data = from[i];
        source.plane[i].stride = from_strides[i];
        source.plane[i].mask = ZIMG_BUFFER_MAX;
        target.plane[i].data = to[i];
        target.plane[i].stride = to_strides[i];
        target.plane[i].mask = ZIMG_BUFFER_MAX;
    }
    return zimg_filter_graph_process(graph, &source, &target, scratch, 0, 0, 0, 0);
}
