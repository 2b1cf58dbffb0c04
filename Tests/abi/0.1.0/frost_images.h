#ifndef FROST_IMAGES_H
#define FROST_IMAGES_H 
#include "frost.h"
#ifdef __cplusplus
extern "C" {
#endif
enum {
    FROST_KEEP_COLOR = 0,
    FROST_KEEP_ALL = 1,
    FROST_KEEP_NONE = 2
};
enum {
    FROST_FAIL_ON_ERROR = 0,
    FROST_FAIL_ON_TRUNCATED = 1,
    FROST_FAIL_ON_WARNING = 2,
    FROST_FAIL_ON_NONE = 3
};
enum {
    FROST_SUBSAMPLING_DEFAULT = 0,
    FROST_SUBSAMPLING_444 = 1,
    FROST_SUBSAMPLING_422 = 2,
    FROST_SUBSAMPLING_420 = 3
};
typedef struct frost_encoded_options {
    size_t struct_size;
    const char *format;
    int32_t quality;
    int32_t lossless;
    int32_t subsampling, progressive, optimize;
    int32_t depth;
    int32_t keep;
    int32_t fail_on;
    int32_t first_frame;
    int32_t threads;
    int32_t light, dither;
    const char *background;
    const char *rects;
    double corner_radius, corner_parameter;
    int32_t corner_curve;
    int32_t bounded;
    const void *mask;
    size_t mask_byte_count;
    int64_t max_side, max_pixels, max_pixels_per_byte, max_memory;
    double max_time;
    const char *sandbox;
} frost_encoded_options;
#define FROST_ENCODED_OPTIONS_INIT \
    { sizeof(frost_encoded_options), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0.0, 0.0, 0, 0, NULL, 0, \
      0, 0, 0, 0, 0.0, NULL }
typedef struct frost_encoded {
    size_t struct_size;
    void *data;
    size_t byte_count;
    int32_t width, height;
    double error_bound;
    char format[16];
    char warning[512];
} frost_encoded;
#define FROST_ENCODED_INIT { sizeof(frost_encoded), NULL, 0, 0, 0, 0.0, { 0 }, { 0 } }
frost_status frost_blur_encoded(
    const void *data, size_t byte_count, double sigma_x, double sigma_y, int32_t edge,
    const frost_encoded_options *options, frost_encoded *result);
frost_status frost_effect_encoded(
    const void *data, size_t byte_count, const char *name, const char *parameters,
    const frost_encoded_options *options, frost_encoded *result);
void frost_encoded_free(frost_encoded *result);
const char *frost_images_error_message(void);
const char *frost_images_version(void);
#ifdef __cplusplus
}
#endif
#endif
