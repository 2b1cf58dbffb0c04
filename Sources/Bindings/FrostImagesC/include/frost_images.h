/*
 * frost_images.h - blurs encoded images, such as the bytes of a JPEG file: decodes, blurs and encodes them in one call.
 *
 * The functions are in a library of their own, libfrost-images.so, which needs the libraries of the image formats.
 * libfrost.so needs none of them. A program may use either library or both. The conventions of frost.h apply here as well:
 * statuses, structs that begin with struct_size, fields that are 0 have their defaults, UTF-8 strings.
 *
 * The result has the same bytes as that of the command `frost` with the same options on the CPU. Each option has the name of
 * the command's option, with underscores; `--rect` is rects, and `--linear` is light. As with `--strict`, integers of more bits
 * than the format holds are refused with FROST_ERROR_UNWRITABLE, unless depth reduces them.
 *
 * Rows are decoded, blurred and encoded one after the other if the effect and the formats allow, so that a picture takes a
 * few megabytes, whatever its height.
 *
 * Thread-safety: all functions may be called from any thread. Calls of several threads run in parallel. A process may fork
 * while its threads are in these functions; the child may call them.
 *
 * Messages for the program are only those of frost_images_error_message() and frost_encoded.warning. The libraries libtiff,
 * libavif and libjxl may print messages of their own to standard error.
 *
 * docs/Embedding-C.md has an example.
 */
#ifndef FROST_IMAGES_H
#define FROST_IMAGES_H

#include "frost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which metadata of the source the result keeps. */
enum {
    /* What gives the pixels their colours: the ICC profile, or values such as PNG's gamma. */
    FROST_KEEP_COLOR = 0,
    /* Also EXIF, XMP, comments and the pixel density. */
    FROST_KEEP_ALL = 1,
    /* Nothing. */
    FROST_KEEP_NONE = 2
};

/* The least serious fault for which a source is refused. Less serious faults become warnings. */
enum {
    /* Truncated files and damaged pixels are refused. */
    FROST_FAIL_ON_ERROR = 0,
    /* Only truncated files are refused. Missing pixels become grey. */
    FROST_FAIL_ON_TRUNCATED = 1,
    /* Files are refused for any fault that a decoder reports, even if all pixels were decoded. */
    FROST_FAIL_ON_WARNING = 2,
    /* No file with a readable header is refused. Missing pixels become grey. */
    FROST_FAIL_ON_NONE = 3
};

/* The number of pixels that share one chroma sample of a JPEG. */
enum {
    /* FROST_SUBSAMPLING_444 from quality 90 on, otherwise FROST_SUBSAMPLING_420. */
    FROST_SUBSAMPLING_DEFAULT = 0,
    /* One pixel. */
    FROST_SUBSAMPLING_444 = 1,
    /* Two pixels side by side. */
    FROST_SUBSAMPLING_422 = 2,
    /* Two by two pixels. */
    FROST_SUBSAMPLING_420 = 3
};

/* Options of the functions below. Pointers need to be valid only during the call. */
typedef struct frost_encoded_options {
    size_t struct_size;
    /* The format of the result: "png", "jpeg", "webp", "avif", "jxl", "tiff" or another name or suffix that
     * `frost blur --format` accepts. NULL means the format of the source. */
    const char *format;
    /* The quality of lossy formats, 1 to 100; 0 means the default of the format. Not together with lossless. */
    int32_t quality;
    /* 1 to write WebP, AVIF and JPEG XL without loss. */
    int32_t lossless;
    /* Options of JPEG: the chroma subsampling (FROST_SUBSAMPLING_...), 1 to write progressive files, and 1 to optimise the
     * Huffman tables, which makes files smaller and takes longer. */
    int32_t subsampling, progressive, optimize;
    /* The maximum number of bits per sample: 8, 16, and for AVIF 10 or 12; 0 keeps all bits. */
    int32_t depth;
    /* Which metadata to keep: FROST_KEEP_... */
    int32_t keep;
    /* The faults of the source that are errors: FROST_FAIL_ON_... */
    int32_t fail_on;
    /* 1 to read the first frame of an animated source or mask, or the first page. Otherwise such pictures are refused. */
    int32_t first_frame;
    /* The number of threads for one call, 1 to 256; 0 means frost_default_threads() of frost.h. With 1, the call runs on the
     * caller's thread alone. This suits programs that process several pictures at the same time. */
    int32_t threads;
    /* Light and dither, as in frost_effect_options: FROST_LIGHT_... and FROST_DITHER_... FROST_LIGHT_LINEAR decodes with the
     * transfer function of the source's colour space. */
    int32_t light, dither;
    /* An opaque colour to put behind transparent pixels, such as "white" or "#ffeedd"; NULL keeps alpha. */
    const char *background;
    /* The rectangles to which the effect is applied, separated by spaces; NULL means the whole picture. Each is X,Y,W,H in
     * pixels or percent of the picture, such as "120,80,200,200" or "50%,0,50%,100%", or GRAVITY,WxH, such as
     * "center,320x200". All other pixels are decoded and encoded only. */
    const char *rects;
    /* The corners of the rectangles, as in frost_shape: the radius in pixels, the parameter of the curve, and the curve
     * (FROST_CORNERS_...). */
    double corner_radius, corner_parameter;
    int32_t corner_curve;
    /* 1 if only pixels inside a rectangle contribute to its result: the blur treats each rectangle as a picture. */
    int32_t bounded;
    /* An encoded picture that gives the strength of the effect at each pixel: its alpha, or its luma if it has no alpha or
     * is opaque everywhere, which is a warning. NULL means no mask. */
    const void *mask;
    size_t mask_byte_count;
    /* Limits. A source that exceeds one is refused with FROST_ERROR_OVER_LIMIT, before its pixels are decoded if the header
     * tells. 0 means the default: sides of 32768 pixels, 2^30 pixels, 1000 pixels for each byte of sources of more than 64
     * megapixels, 2^30 bytes of memory or what the limits of the process leave, and 60 seconds for a picture. */
    int64_t max_side, max_pixels, max_pixels_per_byte, max_memory;
    double max_time;
    /* The path of the command `frost` of the same version, to decode the source and the mask, and to encode the result, in
     * processes that can only read them and return pixels or the result; see docs/Security.md. NULL, the default, does
     * this in the process of the caller. If the system cannot run or isolate the processes, the call fails with
     * FROST_ERROR_SYSTEM; it never decodes without the isolation. */
    const char *sandbox;
    /* The width in pixels, 0 to 4096, over which the effect fades out beside the rectangles. Inside, it has its full
     * strength. Not together with bounded, and not for "redact". */
    double feather;
    /* 1 to apply the effect outside the rectangles, and to keep what is inside. Not together with bounded. For ellipses,
     * corner_curve is FROST_CORNERS_ELLIPSE. */
    int32_t invert_rects;
    int32_t reserved;
    /* The formats that the source and the mask may have, separated by commas, such as "png,jpeg,webp": the names of format, and
     * "bmp", "gif" and "heic". A source of another format is refused with FROST_ERROR_UNREADABLE before its decoder sees it.
     * A picture inside a file of another format, such as a TIFF that is compressed as JPEG, needs both. NULL allows all. */
    const char *allow;
} frost_encoded_options;

/* Initialises a frost_encoded_options: sets struct_size, and all other fields to their defaults. */
#define FROST_ENCODED_OPTIONS_INIT \
    { sizeof(frost_encoded_options), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0.0, 0.0, 0, 0, NULL, 0, \
      0, 0, 0, 0, 0.0, NULL, 0.0, 0, 0, NULL }

/* An encoded picture that one of the functions below has made. Its bytes belong to the library: free them with
 * frost_encoded_free(). */
typedef struct frost_encoded {
    size_t struct_size;
    /* The bytes of the file, and their number. */
    void *data;
    size_t byte_count;
    /* The size in pixels. */
    int32_t width, height;
    /* The maximum difference of any value from the exact effect before it is rounded and encoded, in 8-bit steps. */
    double error_bound;
    /* The name of the format, such as "jpeg". */
    char format[16];
    /* What could not be done as asked, such as "its ICC profile is not usable; it was left out"; "" if there is nothing.
     * Several warnings are separated by "; ". */
    char warning[512];
} frost_encoded;

/* Initialises a frost_encoded: sets struct_size. Frost reads only struct_size and overwrites the other fields. */
#define FROST_ENCODED_INIT { sizeof(frost_encoded), NULL, 0, 0, 0, 0.0, { 0 }, { 0 } }

/*
 * Blurs an encoded picture with a Gaussian. data has byte_count bytes: a whole file of any format that Frost reads.
 * sigma_x and sigma_y are standard deviations in pixels, 0 to 1000. edge is a FROST_EDGE_... constant. options may be NULL,
 * which means the defaults. result is filled in if the status is FROST_OK.
 *
 * Returns FROST_ERROR_UNREADABLE, FROST_ERROR_OVER_LIMIT or FROST_ERROR_UNWRITABLE for the picture, FROST_ERROR_PARAMETER
 * for the effect, FROST_ERROR_ARGUMENT for the options, and FROST_ERROR_SYSTEM for the sandbox.
 */
frost_status frost_blur_encoded(
    const void *data, size_t byte_count, double sigma_x, double sigma_y, int32_t edge,
    const frost_encoded_options *options, frost_encoded *result);

/*
 * Applies an effect to an encoded picture: "gaussian", or any name that `frost effects` lists. parameters is a list of
 * "name=value" pairs separated by spaces, as in frost_effect_create(). The rest is as in frost_blur_encoded().
 */
frost_status frost_effect_encoded(
    const void *data, size_t byte_count, const char *name, const char *parameters,
    const frost_encoded_options *options, frost_encoded *result);

/*
 * Frees the bytes of a result, and sets data to NULL and byte_count to 0. Does nothing if result or its data is NULL.
 * The bytes of a picture may be freed on another thread than the one that made them.
 */
void frost_encoded_free(frost_encoded *result);

/* The boxes of a file, such as the faces that a detector has found. */
typedef struct frost_box_list frost_box_list;

/*
 * Reads a file of boxes, as the command's --rects does: CSV with a header, or a JSON object on each line, with the columns
 * x,y,w,h or x1,y1,x2,y2 in pixels, and the optional columns file and frame. docs/Recipes.md has examples. An error names the
 * line.
 *
 * Returns FROST_ERROR_UNREADABLE for the file.
 */
frost_status frost_box_list_create(const char *path, frost_box_list **list);

/*
 * Writes the boxes of a picture, each the smallest rectangle of whole pixels that contains the numbers of the file. name is the
 * path of the picture, which ends in the name in the file; NULL finds only boxes without a name. frame is the number of a
 * video's frame, from 0; -1 finds only boxes without a frame. Boxes without a name or a frame belong to every picture and frame.
 * *count is the total number; at most capacity are copied to rects, which may be NULL for 0.
 */
frost_status frost_box_list_rects(
    const frost_box_list *list, const char *name, int64_t frame, frost_rect *rects, size_t capacity, size_t *count);

/* Destroys a list. */
void frost_box_list_destroy(frost_box_list *list);

/*
 * Returns a one-line description of the last failed call of this library on the calling thread, or "" if no call has failed
 * on this thread. The string is valid until the thread's next call of this library.
 */
const char *frost_images_error_message(void);

/* Returns the version of this library, such as "0.1.0". The string lives as long as the library. */
const char *frost_images_version(void);

#ifdef __cplusplus
}
#endif

#endif
