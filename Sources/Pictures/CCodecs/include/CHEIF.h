// This module declares libheif's types, and a table of libheif's functions. CodecLibrary.swift fills the table at run
// time, so Frost does not link against libheif, nor against x265, which is under the GPL and which many systems' libheif
// links.
#pragma once

#if !__has_include(<libheif/heif.h>)
#error "FrostImages with the trait HEIC needs headers: apt-get install libheif-dev"
#endif
#include <libheif/heif.h>
#include <stdbool.h>
#include <stddef.h>

#if !LIBHEIF_HAVE_VERSION(1, 13, 0)
#error "Frost needs libheif 1.13 or later"
#endif

/// The file name of libheif. All versions have the same interface, to which functions are added.
#define FROST_HEIF_LIBRARY "libheif.so.1"

/// An X macro that lists the libheif functions that Frost calls. It applies its argument to each name.
#define FROST_HEIF_FUNCTIONS(_) \
    _(heif_context_alloc) \
    _(heif_context_free) \
    _(heif_context_get_primary_image_handle) \
    _(heif_context_read_from_memory_without_copy) \
    _(heif_context_set_max_decoding_threads) \
    _(heif_context_set_maximum_image_size_limit) \
    _(heif_decode_image) \
    _(heif_decoding_options_alloc) \
    _(heif_decoding_options_free) \
    _(heif_depth_representation_info_free) \
    _(heif_get_version) \
    _(heif_image_get_bits_per_pixel_range) \
    _(heif_image_get_decoding_warnings) \
    _(heif_image_get_height) \
    _(heif_image_get_plane_readonly) \
    _(heif_image_get_width) \
    _(heif_image_handle_get_depth_image_handle) \
    _(heif_image_handle_get_depth_image_representation_info) \
    _(heif_image_handle_get_height) \
    _(heif_image_handle_get_list_of_depth_image_IDs) \
    _(heif_image_handle_get_list_of_metadata_block_IDs) \
    _(heif_image_handle_get_luma_bits_per_pixel) \
    _(heif_image_handle_get_metadata) \
    _(heif_image_handle_get_metadata_content_type) \
    _(heif_image_handle_get_metadata_size) \
    _(heif_image_handle_get_metadata_type) \
    _(heif_image_handle_get_nclx_color_profile) \
    _(heif_image_handle_get_raw_color_profile) \
    _(heif_image_handle_get_raw_color_profile_size) \
    _(heif_image_handle_get_width) \
    _(heif_image_handle_has_alpha_channel) \
    _(heif_image_handle_is_premultiplied_alpha) \
    _(heif_image_handle_release) \
    _(heif_image_release) \
    _(heif_init) \
    _(heif_nclx_color_profile_free)

#define FROST_HEIF_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct frost_heif {
    FROST_HEIF_FUNCTIONS(FROST_HEIF_FIELD)
} frost_heif;
#undef FROST_HEIF_FIELD

/// The names of the functions in the table frost_heif, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_heif_name_list(void);
size_t frost_heif_name_count(void);

/// Sets whether malloc clears the memory that it returns, in all threads.
void frost_clear_memory(bool clears);
