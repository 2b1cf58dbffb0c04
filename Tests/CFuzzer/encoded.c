/*
 * Calls of frost_images.h with options and pictures that bytes choose, for libFuzzer: `Tools/fuzz encoded`. With REPLAY, see
 * bytes.h. A call must return. If it succeeds, it has made a picture that the library reads.
 */
#include "CFuzzer.h"
#include "bytes.h"
#include <frost_images.h>
#include <math.h>

/* Large pictures would only make each call slower. */
enum { PIXELS = 1 << 14 };

static int64_t limit(int64_t maximum) {
    int64_t value = 0;
    uint8_t kind = byte();
    if (kind % 8 == 0) take(&value, sizeof value);
    return value == 0 || value > maximum ? maximum : value;
}

/* A number that an option allows, or with a few of the bytes any number. */
static int32_t choice(int32_t count) {
    int32_t value;
    uint8_t kind = byte();
    if (kind < 248) return kind % count;
    take(&value, sizeof value);
    return value;
}

static const char *word(const char *const *words, size_t count, char buffer[64]) {
    uint8_t kind = byte();
    if (kind % 4 == 0) return NULL;
    return kind % 16 == 1 ? text(buffer) : words[kind / 4 % count];
}

#define WORD(buffer, ...) \
    word((const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *), buffer)

static void check(frost_status status, const frost_encoded *result) {
    const char *message = frost_images_error_message();
    if (status != FROST_OK) {
        expect(result->data == NULL, "no picture if the call fails");
        expect(message[0] != 0, "a message if the call fails");
        for (; *message; ++message) expect((unsigned char)*message >= 32 && *message != 127, "a message of one line");
        return;
    }
    expect(result->data != NULL && result->byte_count > 0, "a picture if the call succeeds");
    expect(result->width > 0 && result->height > 0 && (int64_t)result->width * result->height <= PIXELS,
           "a size within the limit");
    expect(isfinite(result->error_bound) && result->error_bound >= 0, "an error bound is a number");
    expect(memchr(result->format, 0, sizeof result->format) && memchr(result->warning, 0, sizeof result->warning),
           "texts end");
}

/* A picture of the library is read without faults, has the same size, and sigma 0 keeps its format. */
static void read_again(const frost_encoded *made) {
    frost_encoded again = FROST_ENCODED_INIT;
    frost_encoded_options options = FROST_ENCODED_OPTIONS_INIT;
    options.threads = 1;
    frost_status status =
        frost_blur_encoded(made->data, made->byte_count, 0, 0, FROST_EDGE_CLAMP, &options, &again);
    expect(status == FROST_OK, "a picture of the library can be read");
    expect(again.width == made->width && again.height == made->height, "a picture keeps its size");
    expect(strcmp(again.format, made->format) == 0, "a picture keeps its format");
    frost_encoded_free(&again);
}

int frost_fuzz_encoded(const uint8_t *data, size_t size) {
    char format[64], background[64], rects[64], name[64], parameters[64];
    start(data, size);
    frost_encoded_options options = FROST_ENCODED_OPTIONS_INIT;
    uint8_t kind = byte();
    if (kind == 255) take(&options.struct_size, sizeof options.struct_size);
    /* AVIF and JPEG XL take a hundred times as long as the others. */
    options.format = WORD(format, "png", "jpeg", "webp", "tiff", "qoi", "ppm", "pam", "pfm", "apng", kind % 8 ? "jpg" : "avif",
                          kind % 8 ? "PNG" : "jxl");
    options.quality = choice(101);
    options.lossless = choice(2);
    options.subsampling = choice(4);
    options.progressive = choice(2);
    options.optimize = choice(2);
    options.depth = byte() % 4 ? 0 : choice(17);
    options.keep = choice(3);
    options.fail_on = choice(4);
    options.first_frame = choice(2);
    options.threads = 1 + byte() % 2;
    options.light = choice(3);
    options.dither = choice(4);
    options.background = WORD(background, "white", "#123", "#11223344");
    options.rects = WORD(rects, "2,3,9,7", "50%,0,50%,100%", "center,8x6 0,0,3,3", "-5,-5,200,9", "northeast,4x4");
    if (options.rects != NULL) {
        options.corner_radius = number();
        options.corner_parameter = number();
        options.corner_curve = choice(3);
        options.bounded = choice(2);
    }
    options.max_side = limit(1024);
    options.max_pixels = limit(PIXELS);
    options.max_pixels_per_byte = limit(INT64_MAX);
    options.max_memory = byte() % 8 ? 0 : limit(1 << 30);
    options.max_time = byte() % 8 ? 0 : number();
    int is_blur = byte() % 2;
    double x = number(), y = number();
    int32_t edge = choice(4);
    const char *effect = is_blur ? NULL : WORD(name, "light", "gaussian", "mosaic", "motion", "progressive", "material-thin-dark");
    const char *values = is_blur ? NULL : WORD(parameters, "sigma=3", "scale=4", "tint=#fff8", "");
    /* The rest is the picture. The mask is a part of it, which is a picture if the generator copied one. */
    uint16_t mask;
    take(&mask, sizeof mask);
    if (mask % 4 == 0 && left > 0) {
        size_t from = mask / 4 % left;
        options.mask = bytes + from;
        options.mask_byte_count = left - from;
    }
    frost_encoded result = FROST_ENCODED_INIT;
    frost_status status = is_blur ? frost_blur_encoded(bytes, left, x, y, edge, &options, &result)
                                  : frost_effect_encoded(bytes, left, effect, values, &options, &result);
    check(status, &result);
    if (status == FROST_OK) read_again(&result);
    frost_encoded_free(&result);
    expect(result.data == NULL && result.byte_count == 0, "a freed result is empty");
    return 0;
}

REPLAY_WITH(frost_fuzz_encoded)
