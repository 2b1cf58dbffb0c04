#pragma once
#include "packages.h"

#include <zimg.h>

// This constant repeats a macro of zimg, because Swift cannot import the macro.
static const unsigned frost_zimg_version = ZIMG_API_VERSION;

enum { FROST_ZIMG_PLANES = 4 };

/// Converts the planes of an image in one call. Each plane is completely in memory; planes that the formats do not have are
/// NULL. This function is written in C because zimg's buffers contain arrays of anonymous structs, which Swift cannot import.
static inline zimg_error_code_e frost_zimg_process(const zimg_filter_graph *graph,
                                                   const void *const from[FROST_ZIMG_PLANES],
                                                   const ptrdiff_t from_strides[FROST_ZIMG_PLANES],
                                                   void *const to[FROST_ZIMG_PLANES],
                                                   const ptrdiff_t to_strides[FROST_ZIMG_PLANES], void *scratch) {
    zimg_image_buffer_const source = {.version = ZIMG_API_VERSION};
    zimg_image_buffer target = {.version = ZIMG_API_VERSION};
    for (int i = 0; i < FROST_ZIMG_PLANES; i++) {
        source.plane[i].data = from[i];
        source.plane[i].stride = from_strides[i];
        source.plane[i].mask = ZIMG_BUFFER_MAX;
        target.plane[i].data = to[i];
        target.plane[i].stride = to_strides[i];
        target.plane[i].mask = ZIMG_BUFFER_MAX;
    }
    return zimg_filter_graph_process(graph, &source, &target, scratch, 0, 0, 0, 0);
}
