// Tests every function of frost_images.h: all formats, damaged sources, limits, wrong options, threads, forks, and the
// sandbox if there is an argument.
//
//   images [FROST]
//
// FROST is the path of the command, for the sandbox.
#define _POSIX_C_SOURCE 200809L
#include <frost_images.h>
// The checks show the messages of this library.
#define frost_error_message frost_images_error_message
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 61, HEIGHT = 47 };

typedef struct {
    uint8_t *data;
    size_t byte_count;
} file;

static const frost_encoded_options defaults = FROST_ENCODED_OPTIONS_INIT;

// Returns a PPM with noise in it.
static file ppm(int width, int height, uint32_t seed) {
    char head[64];
    const size_t start = (size_t)snprintf(head, sizeof head, "P6\n%d %d\n255\n", width, height);
    const size_t bytes = (size_t)width * (size_t)height * 3;
    uint8_t *pixels = noise(bytes, seed);
    file made = {malloc(start + bytes), start + bytes};
    if (!made.data) abort();
    memcpy(made.data, head, start);
    memcpy(made.data + start, pixels, bytes);
    free(pixels);
    return made;
}

static frost_status blur(file source, double sigma, const frost_encoded_options *options, frost_encoded *result) {
    return frost_blur_encoded(source.data, source.byte_count, sigma, sigma, FROST_EDGE_CLAMP, options, result);
}

// Calls with a result that is freed immediately, and returns the status.
static frost_status attempt(file source, double sigma, const frost_encoded_options *options) {
    frost_encoded result = FROST_ENCODED_INIT;
    const frost_status status = blur(source, sigma, options, &result);
    frost_encoded_free(&result);
    return status;
}

// Calls with a result of any size, which is freed immediately.
static frost_status attempt_into(file source, frost_encoded *result) {
    const frost_status status = blur(source, 1, NULL, result);
    if (status == FROST_OK) frost_encoded_free(result);
    return status;
}

static int same(const frost_encoded *first, const frost_encoded *second) {
    return first->byte_count == second->byte_count && memcmp(first->data, second->data, first->byte_count) == 0;
}

static file file_of(const frost_encoded *encoded) { return (file){encoded->data, encoded->byte_count}; }

// Encodes a picture in each format, and decodes it again. Formats without loss keep every bit.
static void formats(void) {
    static const struct {
        const char *name, *official;
        int is_lossless, has_option;
    } all[] = {{"png", "png", 1, 0},   {"jpeg", "jpeg", 0, 0}, {"JPG", "jpeg", 0, 0}, {"webp", "webp", 0, 0},
               {"webp", "webp", 1, 1}, {"qoi", "qoi", 1, 0},   {"ppm", "ppm", 1, 0},  {"pnm", "pnm", 1, 0},
               {"pam", "pam", 1, 0},   {"tiff", "tiff", 1, 0}, {"tif", "tiff", 1, 0}, {"avif", "avif", 0, 0},
               {"avif", "avif", 1, 1}, {"jxl", "jxl", 0, 0},   {"jxl", "jxl", 1, 1}};
    const file source = ppm(WIDTH, HEIGHT, 1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        frost_encoded_options options = defaults, back = defaults;
        options.format = all[i].name;
        options.lossless = all[i].has_option;
        back.format = "ppm";
        frost_encoded made = FROST_ENCODED_INIT, again = FROST_ENCODED_INIT, kept = FROST_ENCODED_INIT;
        EXPECT(FROST_OK, "", blur(source, 0, &options, &made));
        CHECK(made.width == WIDTH && made.height == HEIGHT && made.byte_count > 0);
        CHECK(strcmp(made.format, all[i].official) == 0);
        CHECK(made.warning[0] == 0);
        EXPECT(FROST_OK, "", blur(file_of(&made), 0, &back, &again));
        CHECK(again.byte_count == source.byte_count);
        CHECK((memcmp(again.data, source.data, source.byte_count) == 0) == all[i].is_lossless);
        // Without a format, the result has that of the source.
        EXPECT(FROST_OK, "", blur(file_of(&made), 1, NULL, &kept));
        if (strcmp(all[i].official, "pnm") != 0) CHECK(strcmp(kept.format, all[i].official) == 0);
        frost_encoded_free(&made);
        frost_encoded_free(&again);
        frost_encoded_free(&kept);
        CHECK(made.data == NULL && made.byte_count == 0);
    }
    frost_encoded result = FROST_ENCODED_INIT;
    frost_encoded_free(&result);
    frost_encoded_free(NULL);
    free(source.data);
}

static void effects(void) {
    const file source = ppm(WIDTH, HEIGHT, 2);
    frost_encoded first = FROST_ENCODED_INIT, second = FROST_ENCODED_INIT, third = FROST_ENCODED_INIT;
    // The blur is the effect "gaussian".
    EXPECT(FROST_OK, "", blur(source, 3, NULL, &first));
    EXPECT(FROST_OK, "", frost_effect_encoded(
        source.data, source.byte_count, "gaussian", "sigma=3", NULL, &second));
    CHECK(same(&first, &second));
    CHECK(first.error_bound > 0 && first.error_bound < 1);
    EXPECT(FROST_OK, "", frost_effect_encoded(source.data, source.byte_count, "light", "scale=2", NULL, &third));
    CHECK(!same(&first, &third));
    frost_encoded_free(&second);
    // Outside a rectangle the pixels are those of the source.
    frost_encoded_options options = defaults;
    options.rects = "10,10,20,20 75%,0,25%,10%";
    options.corner_radius = 2;
    EXPECT(FROST_OK, "", blur(source, 3, &options, &second));
    const size_t start = source.byte_count - WIDTH * HEIGHT * 3;
    CHECK(second.byte_count == source.byte_count);
    int changed = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const size_t at = start + (size_t)(y * WIDTH + x) * 3;
            const int is_equal = memcmp((uint8_t *)second.data + at, source.data + at, 3) == 0;
            const int inside = (x >= 10 && x < 30 && y >= 10 && y < 30) || (x >= 45 && y < 6);
            CHECK(is_equal || inside);
            changed += !is_equal;
        }
    }
    CHECK(changed > 300);
    frost_encoded_free(&second);
    // A mask that is white everywhere changes nothing; a black one keeps the source.
    for (int white = 0; white < 2; white++) {
        uint8_t mask[] = "P5\n1 1\n255\n\0";
        mask[sizeof mask - 2] = white ? 255 : 0;
        options = defaults;
        options.mask = mask;
        options.mask_byte_count = sizeof mask - 1;
        EXPECT(FROST_OK, "", blur(source, 3, &options, &second));
        CHECK(white ? same(&first, &second) : memcmp(second.data, source.data, source.byte_count) == 0);
        frost_encoded_free(&second);
    }
    frost_encoded_free(&first);
    frost_encoded_free(&third);
    free(source.data);
}

// Damaged files give a result or an error, and an error leaves the result untouched. The library's own tests damage files of
// every format in every place.
static void damage(void) {
    const file source = ppm(WIDTH, HEIGHT, 3);
    frost_encoded_options options = defaults;
    options.format = "png";
    frost_encoded made = FROST_ENCODED_INIT, result = FROST_ENCODED_INIT;
    EXPECT(FROST_OK, "", blur(source, 0, &options, &made));
    // A copy of the right size lets tools find reads beyond it.
    file part = {malloc(made.byte_count * 9 / 10), made.byte_count * 9 / 10};
    if (!part.data) abort();
    memcpy(part.data, made.data, part.byte_count);
    EXPECT(FROST_ERROR_UNREADABLE, "picture: ", blur(part, 1, NULL, &result));
    CHECK(result.data == NULL);
    // Missing pixels become grey on request.
    options.fail_on = FROST_FAIL_ON_NONE;
    EXPECT(FROST_OK, "", blur(part, 1, &options, &result));
    CHECK(strstr(result.warning, "the file ends") != NULL);
    frost_encoded_free(&result);
    for (size_t i = 0; i < part.byte_count; i += part.byte_count / 20) {
        part.data[i] ^= 0x55;
        const frost_status status = attempt(part, 1, NULL);
        CHECK(status <= FROST_ERROR_UNREADABLE && frost_images_error_message()[0]);
    }
    frost_encoded_free(&made);
    free(part.data);
    EXPECT(FROST_ERROR_UNREADABLE, "empty", attempt((file){NULL, 0}, 1, NULL));
    EXPECT(FROST_ERROR_UNREADABLE, "ICO", attempt((file){(uint8_t *)"\0\0\1\0ab", 6}, 1, NULL));
    free(source.data);
}

static void limits(void) {
    const file source = ppm(WIDTH, HEIGHT, 4), large = ppm(1200, 1000, 4);
    frost_encoded_options options = defaults;
    options.max_side = WIDTH - 1;
    EXPECT(FROST_ERROR_OVER_LIMIT, "width of 61 exceeds the limit of 60", attempt(source, 1, &options));
    options = defaults;
    options.max_pixels = WIDTH * HEIGHT - 1;
    EXPECT(FROST_ERROR_OVER_LIMIT, "number of pixels", attempt(source, 1, &options));
    options.max_pixels++;
    EXPECT(FROST_OK, "", attempt(source, 1, &options));
    options = defaults;
    options.max_memory = 1;
    EXPECT(FROST_ERROR_OVER_LIMIT, "not enough memory", attempt(large, 100, &options));
    // The memory of a mask counts as well.
    options.mask = large.data;
    options.mask_byte_count = large.byte_count;
    EXPECT(FROST_ERROR_OVER_LIMIT, "mask: not enough memory", attempt(source, 1, &options));
    options = defaults;
    options.max_time = 0.001;
    options.format = "png";
    EXPECT(FROST_ERROR_OVER_LIMIT, "longer than the limit of 0.001 s", attempt(large, 100, &options));
    free(source.data);
    free(large.data);
}

static void wrong_options(void) {
    const file source = ppm(WIDTH, HEIGHT, 5);
    frost_encoded result = FROST_ENCODED_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "data is NULL", attempt((file){NULL, 5}, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "too many", attempt((file){source.data, SIZE_MAX}, 1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", blur(source, 1, NULL, NULL));
    EXPECT(FROST_ERROR_PARAMETER, "0 to 1000", attempt(source, -1, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "edge 5", frost_blur_encoded(source.data, source.byte_count, 1, 1, 5, NULL, &result));
    EXPECT(FROST_ERROR_ARGUMENT, "name is NULL", frost_effect_encoded(
        source.data, source.byte_count, NULL, NULL, NULL, &result));
    EXPECT(FROST_ERROR_PARAMETER, "lihgt", frost_effect_encoded(
        source.data, source.byte_count, "lihgt", NULL, NULL, &result));
    EXPECT(FROST_ERROR_PARAMETER, "wide", frost_effect_encoded(
        source.data, source.byte_count, "light", "wide=1", NULL, &result));
#define WRONG(status, evidence, field, value)                    \
    do {                                                         \
        frost_encoded_options options = defaults;                \
        options.field = (value);                                 \
        EXPECT((status), (evidence), attempt(source, 1, &options)); \
    } while (0)
    WRONG(FROST_ERROR_ARGUMENT, "\"gif\" is invalid (allowed: png, jpeg", format, "gif");
    WRONG(FROST_ERROR_ARGUMENT, "quality 101", quality, 101);
    WRONG(FROST_ERROR_ARGUMENT, "quality -1", quality, -1);
    WRONG(FROST_ERROR_ARGUMENT, "lossless 2", lossless, 2);
    WRONG(FROST_ERROR_ARGUMENT, "subsampling 4", subsampling, 4);
    WRONG(FROST_ERROR_ARGUMENT, "progressive -1", progressive, -1);
    WRONG(FROST_ERROR_ARGUMENT, "optimize 7", optimize, 7);
    WRONG(FROST_ERROR_ARGUMENT, "depth 9", depth, 9);
    WRONG(FROST_ERROR_ARGUMENT, "keep 3", keep, 3);
    WRONG(FROST_ERROR_ARGUMENT, "fail_on 4", fail_on, 4);
    WRONG(FROST_ERROR_ARGUMENT, "first_frame 2", first_frame, 2);
    WRONG(FROST_ERROR_PARAMETER, "threads", threads, 257);
    WRONG(FROST_ERROR_PARAMETER, "threads", threads, -1);
    WRONG(FROST_ERROR_ARGUMENT, "light 2", light, 2);
    WRONG(FROST_ERROR_ARGUMENT, "dither 3", dither, 3);
    WRONG(FROST_ERROR_ARGUMENT, "background", background, "colourful");
    WRONG(FROST_ERROR_ARGUMENT, "opaque", background, "#ffffff80");
    WRONG(FROST_ERROR_ARGUMENT, "\"1,2,3\" is not X,Y,W,H", rects, "1,2,3");
    WRONG(FROST_ERROR_ARGUMENT, "rects names no rectangle", rects, "");
    WRONG(FROST_ERROR_ARGUMENT, "rects names no rectangle", rects, " ");
    WRONG(FROST_ERROR_PARAMETER, "image", rects, "100,100,5,5");
    WRONG(FROST_ERROR_ARGUMENT, "need rects", corner_radius, 3);
    WRONG(FROST_ERROR_ARGUMENT, "need rects", bounded, 1);
    WRONG(FROST_ERROR_ARGUMENT, "corner_curve 4", corner_curve, 4);
    WRONG(FROST_ERROR_ARGUMENT, "need rects", corner_curve, FROST_CORNERS_ELLIPSE);
    WRONG(FROST_ERROR_ARGUMENT, "need rects", invert_rects, 1);
    WRONG(FROST_ERROR_ARGUMENT, "invert_rects 2", invert_rects, 2);
    WRONG(FROST_ERROR_ARGUMENT, "need rects", feather, 3);
    WRONG(FROST_ERROR_PARAMETER, "feather", feather, -1);
    WRONG(FROST_ERROR_PARAMETER, "feather", feather, NAN);
    WRONG(FROST_ERROR_ARGUMENT, "reserved", reserved, 1);
    WRONG(FROST_ERROR_ARGUMENT, "circular corners have no parameter", corner_parameter, 1);
    WRONG(FROST_ERROR_UNREADABLE, "mask: ", mask, "P5");
    WRONG(FROST_ERROR_ARGUMENT, "max_side -1", max_side, -1);
    WRONG(FROST_ERROR_ARGUMENT, "max_memory", max_memory, INT64_MIN);
    WRONG(FROST_ERROR_ARGUMENT, "max_time -1", max_time, -1);
    WRONG(FROST_ERROR_ARGUMENT, "sandbox is empty", sandbox, "");
    WRONG(FROST_ERROR_ARGUMENT, "allow: unknown format \"mng\"", allow, "png,mng");
    WRONG(FROST_ERROR_ARGUMENT, "allow: a name is missing", allow, "");
    WRONG(FROST_ERROR_UNREADABLE, "which allow does not list", allow, "bmp,heic");
    frost_encoded_options options = defaults;
    options.format = "png";
    options.quality = 80;
    EXPECT(FROST_ERROR_ARGUMENT, "quality does not apply to PNG output", attempt(source, 1, &options));
    options = defaults;
    options.rects = "1,1,4,4";
    options.feather = 2;
    options.bounded = 1;
    EXPECT(FROST_ERROR_PARAMETER, "bounded rectangles cannot be combined with feather", attempt(source, 1, &options));
    options = defaults;
    options.rects = "1,1,4,4";
    options.corner_radius = -1;
    EXPECT(FROST_ERROR_PARAMETER, "radius", attempt(source, 1, &options));
    // A radius that is too large is reduced.
    options.corner_radius = 3;
    EXPECT(FROST_OK, "", attempt(source, 1, &options));
    // A format that cannot hold the picture, and the option that helps.
    frost_encoded made = FROST_ENCODED_INIT;
    EXPECT(FROST_OK, "", frost_blur_encoded(
        source.data, source.byte_count, 2, 2, FROST_EDGE_CLEAR, &(frost_encoded_options){
            .struct_size = sizeof defaults, .format = "pam"}, &made));
    options = defaults;
    options.format = "jpeg";
    EXPECT(FROST_ERROR_UNWRITABLE, "use background, for example white", attempt(file_of(&made), 1, &options));
    options.background = "white";
    EXPECT(FROST_OK, "", attempt(file_of(&made), 1, &options));
    frost_encoded_free(&made);
    SIZES(frost_encoded_options, FROST_ENCODED_OPTIONS_INIT, FROST_OK, attempt(source, 1, shorter));
    SIZES(frost_encoded, FROST_ENCODED_INIT, FROST_OK, attempt_into(source, shorter));
    free(source.data);
}

typedef struct {
    const file *sources;
    const frost_encoded *expected;
    int first, threads;
} worker;

enum { SOURCES = 6 };

static void *work(void *user_data) {
    const worker *worker = user_data;
    frost_encoded_options options = defaults;
    options.threads = worker->threads;
    for (int round = 0; round < 3 * SOURCES; round++) {
        const int index = (worker->first + round) % SOURCES;
        frost_encoded result = FROST_ENCODED_INIT;
        EXPECT(FROST_OK, "", blur(worker->sources[index], 4, &options, &result));
        CHECK(same(&result, &worker->expected[index]));
        frost_encoded_free(&result);
        // Each thread has its own message.
        if (worker->first % 2) {
            EXPECT(FROST_ERROR_UNREADABLE, "empty", attempt((file){NULL, 0}, 1, &options));
        } else {
            EXPECT(FROST_ERROR_PARAMETER, "0 to 1000", attempt(worker->sources[index], 2000, &options));
        }
    }
    return NULL;
}

// Several threads work at the same time, some calls with threads of their own. One of the main thread's children works too.
static void threads_and_forks(void) {
    static const char *const names[SOURCES] = {"png", "jpeg", "webp", "tiff", "avif", "jxl"};
    file sources[SOURCES];
    frost_encoded made[SOURCES], expected[SOURCES];
    for (int i = 0; i < SOURCES; i++) {
        const file source = ppm(200 + i, 150 + i, (uint32_t)i);
        frost_encoded_options options = defaults;
        options.format = names[i];
        options.threads = 1;
        made[i] = expected[i] = (frost_encoded)FROST_ENCODED_INIT;
        EXPECT(FROST_OK, "", blur(source, 0, &options, &made[i]));
        sources[i] = file_of(&made[i]);
        options.format = NULL;
        EXPECT(FROST_OK, "", blur(sources[i], 4, &options, &expected[i]));
        free(source.data);
    }
    enum { WORKERS = 8 };
    pthread_t threads[WORKERS];
    worker workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){sources, expected, i, i % 3 + 1};
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    for (int child = 0; child < (instrumented ? 0 : 10); child++) {
        const pid_t process = fork();
        if (process == 0) {
            alarm(60);
            frost_encoded result = FROST_ENCODED_INIT;
            frost_encoded_options options = defaults;
            options.threads = child % 3 + 1;
            const int index = child % 3;
            const int ok = blur(sources[index], 4, &options, &result) == FROST_OK && same(&result, &expected[index]);
            _exit(ok ? 0 : 1);
        }
        int status = -1;
        CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    }
    for (int i = 0; i < WORKERS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < SOURCES; i++) {
        frost_encoded_free(&made[i]);
        frost_encoded_free(&expected[i]);
    }
}

// The process of a sandbox gives the same bytes and the same errors. Without a program nothing is decoded.
static void sandbox(const char *program) {
    const file source = ppm(WIDTH, HEIGHT, 6);
    frost_encoded_options options = defaults;
    options.sandbox = "/nowhere/frost";
    EXPECT(FROST_ERROR_SYSTEM, "cannot be isolated: /nowhere/frost", attempt(source, 1, &options));
    if (program) {
        options.sandbox = program;
        frost_encoded plain = FROST_ENCODED_INIT, isolated = FROST_ENCODED_INIT;
        EXPECT(FROST_OK, "", blur(source, 2, NULL, &plain));
        EXPECT(FROST_OK, "", blur(source, 2, &options, &isolated));
        CHECK(same(&plain, &isolated));
        frost_encoded_free(&plain);
        frost_encoded_free(&isolated);
        EXPECT(FROST_ERROR_UNREADABLE, "picture: damaged PPM", attempt(
            (file){source.data, source.byte_count / 2}, 1, &options));
        options.mask = source.data;
        options.mask_byte_count = source.byte_count / 2;
        EXPECT(FROST_ERROR_UNREADABLE, "mask: damaged PPM", attempt(source, 1, &options));
        // A program that is not frost sends no picture.
        options = defaults;
        options.sandbox = "/bin/true";
        EXPECT(FROST_ERROR_SYSTEM, "it is not the command frost of this version", attempt(source, 1, &options));
    }
    free(source.data);
}

int main(int argc, char **argv) {
    CHECK(strcmp(frost_images_version(), FROST_VERSION) == 0);
    CHECK(frost_images_error_message()[0] == 0);
    formats();
    effects();
    damage();
    limits();
    wrong_options();
    threads_and_forks();
    sandbox(argc > 1 ? argv[1] : NULL);
    return finish("images");
}
