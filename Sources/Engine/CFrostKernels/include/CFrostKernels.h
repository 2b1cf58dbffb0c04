// The inner loops of the CPU backend. They are compiled once for each instruction set, and Frost chooses a set at run
// time.
//
// Every function computes the same bits on every instruction set: it adds the products of an output in the order of the
// taps, and rounds after each multiplication and each addition. The tests compare each function with the
// baseline's, or with a scalar version in Swift.
//
// Rows of floats and of 16-bit integers are followed by FROST_SLACK * 4 additional bytes. A function may read these
// bytes and overwrite them with meaningless numbers. Rows of bytes have no additional bytes.
#pragma once

#include <stdint.h>

// The number of additional floats after each row of floats.
#define FROST_SLACK 64

// The maximum radius of filter_row and of convolutions in fixed point. A direct Gaussian with a larger radius costs
// more than any other method.
#define FROST_MAXIMUM_RADIUS 12

// A colour stage for premultiplied floats. After each stage, all channels are clamped to 0...maximum and colours to at
// most alpha.
enum frost_stage_kind {
    FROST_STAGE_MATRIX = 0,
    FROST_STAGE_LUMINANCE = 1,
    FROST_STAGE_GRAIN = 2,
    FROST_STAGE_TRANSFER = 3,
    FROST_STAGE_SCATTER = 4,
    FROST_STAGE_RAISE = 5,
    FROST_STAGE_LOWER = 6,
    FROST_STAGE_VIVID = 7,
    FROST_STAGE_EXTENDED_TRANSFER = 8
};
typedef struct frost_color_stage {
    enum frost_stage_kind kind;
    // For GRAIN: the hash of the row, from PixelHash.row.
    uint32_t hash_row;
    // For SCATTER: `hashes` is the address of a row with four floats for each pixel. The first pixel of this row
    // belongs to column `hashes_first`. Each float is multiplied by the pixel's alpha and added to the pixel's channel.
    uint32_t hashes_first;
    uintptr_t hashes;
    // For MATRIX: columns 0 to 4 are multiplied by red, green, blue, alpha and one, and the sum is the result.
    // For LUMINANCE: column 0 has the weights of the luminance y. Columns 1 to 4 have the coefficients of t^0 to t^3 in
    // the curve of each channel, with t = y / alpha, clamped to 0...1. Column 5 has the parts that are taken away, and
    // column 6 the parts of y that are added: x = x - part x + alpha curve(t) + added y.
    // For GRAIN: column 0 has the amplitude for each channel, as a fraction of alpha.
    // For TRANSFER: column 0 has threshold, slope, factor and offset; column 1 has exponent, gain and lift. Let x be a
    // colour divided by alpha. Up to the threshold the result is slope x. Above the threshold it is
    // gain (factor x + offset) ^ exponent + lift. The result is multiplied by alpha again.
    // EXTENDED_TRANSFER is the same without the clamping that follows all other stages.
    // For RAISE and LOWER (see ContrastFloor): columns 0 and 1 decode light as in TRANSFER, and columns 2 and 3 encode it. Column
    // 4 has the weights of the luminance Y. Column 5 has for RAISE 1 / K, c0 and c1: with A = max(0, 1 - Y / K), light becomes
    // light + (1 - light) w with w = A (c0 + c1 A^2) / (1 - Y). For LOWER it has K, h and the strength s: with u = max(0, Y - K),
    // light is multiplied by 1 - s u^2 / ((h + u) Y). Where w or u is 0, the pixel keeps its bits.
    // For VIVID (see Vividness): column 0 has the weights of the luma y and the smallest room e. Column 1 has the factor a, the
    // limit b, the strength w, and the target v, which is 0 or 1. Let k be a colour divided by alpha, and d = k - y. With
    // L = b^2 (sum of d^2)^2 (sum of 1 / max(k (1 - k), e)^4), k becomes k + d a / (1 + L)^(1/4), and then
    // k + (v - k) w t^2 (3 - 2t), t = (2v - 1) (2y - 1) clamped to 0...1. The result is multiplied by alpha again.
    float columns[7][4];
} frost_color_stage;

// A colour stage for premultiplied fixed-point numbers, in 1/128 of an 8-bit step, with factors in 1/32768.
//
// In the formulas, x is a colour channel of a pixel, a is the pixel's alpha, and w are the weights of red, green, blue and
// alpha. Definition: mul(p, q) = floor((p q + 2^14) / 2^15).
//
// ADJUST: x = x + mul(x, scale) + y, with y = the sum over red, green, blue and alpha of mul(channel, w), in -32768...32767.
// ADJUST_HALF: x = 2 (floor(x / 2) + mul(x, scale) + y).
// LIFT: x = x + mul(a, w of alpha).
// TINT: every channel, also alpha, becomes mul(x, scale) + add.
// LUMINANCE: x = mul(x, scale) + 2 g, with g = mul(mul(mul(mul(c3, t) + c2, t) + c1, t) + c0, a). For opaque pixels t is
// the sum over the colours of mul(channel, w). For other pixels it is this sum times FROST_FIXED_TOP / a, rounded to the
// nearest integer, ties to even, and at most FROST_FIXED_TOP; it is 0 if a is 0.
// VIVID: nearly opaque pixels become opaque, as for LUMINANCE. The k of other pixels is the colour times FROST_FIXED_TOP / a,
// rounded to the nearest integer, ties to even, and at most FROST_FIXED_TOP. With y = k of green + the sum over red and blue of
// mul(k - k of green, w), and d = k - y, k becomes k + mul(d, f), where f is (limits[0] p) r^(-1/4) rounded to the nearest
// integer, p the product of the three mul(k, FROST_FIXED_TOP - k), s the sum of d^2, q the sum of the fourth powers of the
// products of two of the three, and r = (p^2 2^-78)^2 + (limits[1] s)^2 q, at least 2^-120. Then k becomes
// k + mul(add[0] - k, mul(g, scale)). Here u = max(0, 2 ((y xor curve[0]) + curve[1])), t = u + floor(u / 256), e = mul(t, t) and
// g = e + 2 mul(e, 32767 - t). x is k, or mul(k, a + floor(a / 256)) if the pixel is not opaque.
//
// After every stage except TINT, colours are clamped to 0...a. A TINT stage must keep colours in this range.
enum frost_fixed_kind {
    FROST_FIXED_ADJUST = 0,
    FROST_FIXED_ADJUST_HALF = 1,
    FROST_FIXED_LIFT = 2,
    FROST_FIXED_TINT = 3,
    FROST_FIXED_LUMINANCE = 4,
    FROST_FIXED_VIVID = 5
};
// Full scale (1.0) of the numbers of colour stages: 255 * 128.
#define FROST_FIXED_TOP 32640
// Pixels with at least this alpha are opaque: LUMINANCE and VIVID replace their alpha by FROST_FIXED_TOP first. The rounding errors of
// filters may lower the alpha of an opaque pixel by a few units.
#define FROST_FIXED_OPAQUE (FROST_FIXED_TOP - 4)
typedef struct frost_fixed_stage {
    enum frost_fixed_kind kind;
    int16_t scale, add[4], weights[4], curve[4];
    float limits[2];
} frost_fixed_stage;

// The number of pixels in a row after which dither repeats. A table of offsets has one number for each of
// FROST_DITHER_PERIOD + FROST_SLACK pixels.
#define FROST_DITHER_PERIOD 256

// The parameters of fixed_output: colour stages, the pixels to write, and a table of offsets in 1/128 of an 8-bit step. Without
// a table (null), the offset of every pixel is 64, which rounds to nearest.
enum frost_output_format { FROST_OUTPUT_PREMULTIPLIED = 0, FROST_OUTPUT_STRAIGHT = 1, FROST_OUTPUT_RGB = 2 };
typedef struct frost_fixed_output {
    const frost_fixed_stage *stages;
    int32_t stage_count;
    enum frost_output_format format;
    const int16_t *offsets;
} frost_fixed_output;

// The samples of an image, or rows of floats with slack between filters (NUMBERS). Floats are on the scale of the image's
// samples. RGBA8, RGBA16, RGBA16F and RGBA32F have straight alpha: colours are multiplied by alpha when they are read, and
// divided by the alpha that is written when they are written. Integers are clamped. Integers and 16-bit floats are rounded to
// the nearest number, ties to even. The bits of a value: the size of a sample in bytes, whether it is a float, and whether alpha
// is straight.
enum frost_samples {
    FROST_NUMBERS = 0,
    FROST_U8 = 1 << 2, FROST_RGBA8 = FROST_U8 | 1,
    FROST_U16 = 2 << 2, FROST_RGBA16 = FROST_U16 | 1,
    FROST_F16 = 2 << 2 | 2, FROST_RGBA16F = FROST_F16 | 1,
    FROST_F32 = 4 << 2 | 2, FROST_RGBA32F = FROST_F32 | 1
};

// A filter across rows, for `row_count` output rows:
//     out[i][x] = sum over t < n of taps[i][t] * rows[starts[i] + t][x], where n = tap_count
// If `is_symmetric` is not 0, the taps are symmetric. The sum is then that of taps[i][t] * (row t + row n - 1 - t) for t < n / 2,
// and of the middle row last if n is odd. `rows` has `input_count` rows; at most FROST_TILE_ROWS unless `from` is NUMBERS.
// `from` and `to` are values of frost_samples. For `stream` see store_floats.
enum { FROST_TILE_ROWS = 64, FROST_TILE = 8192 };
typedef struct frost_row_filter {
    const void *const *rows;
    const int32_t *starts;
    const float *const *taps;
    void *const *out;
    int32_t input_count, tap_count, row_count, count, is_symmetric, stream;
    enum frost_samples from, to;
} frost_row_filter;

// The minimum alpha of opaque pixels in fixed point. It is larger than 254.5 steps by more than the rounding errors of an
// interpolation along both axes.
enum { FROST_OPAQUE = 65200 };

// A run of pixels in one row. `row` is the index in a list of rows; `first` and `end` are the positions of the first
// number and of the number after the last one.
typedef struct frost_run {
    int32_t row, first, end;
} frost_run;

// Runs that have the same weight: `long_runs` runs, followed by `pixels` runs of one pixel each. The list of a group's
// runs follows that of the group before it.
typedef struct frost_run_group {
    float weight;
    int32_t long_runs, pixels;
    // The weight in fixed point: factor = weight * 2^(24 - shift).
    uint16_t factor, shift;
} frost_run_group;

// The maximum number of different runs of a column.
#define FROST_COLUMN_RUNS 64

// The sum of a run of a column's pixels, multiplied by factor = weight * 2^(24 - shift).
typedef struct frost_column_term {
    uint16_t run, factor;
    // Whether it is the last term of its kernel.
    int32_t is_last;
} frost_column_term;

// A block of rows that sum_columns computes.
typedef struct frost_columns {
    // The bytes that are read: row_count rows of `width` bytes.
    const uint8_t *const *rows;
    int32_t row_count, width;
    // The runs of a column: sums of the rows first / stride ..< end / stride under the kernel. `row` is not used.
    const frost_run *runs;
    int32_t run_count;
    // The terms of the kernels of columns, one kernel after the other.
    const frost_column_term *terms;
    int32_t term_count;
    // For each column under the kernel, from left to right, the position in `sums` of what its kernel adds to the first number of
    // the result.
    const int32_t *columns;
    int32_t column_count;
    // The factor of the bytes is 2^shift, and `constant` is added to the result.
    uint16_t shift, constant;
    // Memory for row_count + 1 rows of prefix sums, and for a row of sums of each kernel, which are `stride` numbers apart.
    uint16_t *prefix, *sums;
    int32_t stride;
    // The rows of the result, and the numbers in a row.
    uint16_t *out;
    int32_t out_stride, out_count, count;
} frost_columns;

// The rows that a lens reads, and how.
typedef struct frost_lens {
    // The rows, each of `width` pixels, and the index of the row of the pixels that are computed.
    const void *const *rows;
    int32_t row_count, width, own_row;
    int32_t channels;
    // The number of samples of a pixel.
    int32_t samples;
    // The factor of the offset of each channel; NULL if all are 1.
    const float *factors;
} frost_lens;

// The number of rays of a zoom that are computed together, and the minimum of frost_zoom_rays.rays_per_pixel.
#define FROST_ZOOM_RAYS 512
#define FROST_ZOOM_FEWEST_RAYS 16

// A slope between two rays at which lines cross a pixel's centre; see zoom_rays.
typedef struct frost_zoom_bend {
    float change[4], part;
    int32_t at;
} frost_zoom_bend;

// A block of pixels of a zoom blur, and the rays through it.
typedef struct frost_zoom_rays {
    // rows[y] is the address of the pixel in column 0 of row y.
    const float *const *rows;
    // The pixels that can be read.
    int32_t read_first_column, read_end_column, read_first_row, read_end_row;
    // The pixels of the block. The first of them is written to `out`; rows of the result are out_stride floats apart.
    int32_t first_column, end_column, first_row, end_row;
    float *out;
    int32_t out_stride, channels;
    double centre_x, centre_y, inward, outward;
    // Only pixels at distances near ..< far are computed.
    double near, far;
    // The number of rays between two neighbouring pixels at the distance `far`.
    int32_t rays_per_pixel;
    // The factor that converts samples to the integers that are summed.
    float scale;
    // Bends are left out if the sum of their bounds is at most bend_limit times the length of the line; all count if this is
    // negative. See zoom-rays.inc.
    float bend_limit;
    // Memory for the sums at the beginning of lines (9 numbers for each pixel of a wedge), for the bends of a wedge and one
    // more, and for the number of the bend before each of them between the same two rays.
    int32_t *starts;
    frost_zoom_bend *bends;
    int32_t *links;
    // Is called now and then; the work ends without a result if it does not return 0. NULL to finish in any case.
    int (*is_cancelled)(const void *cancellation);
    const void *cancellation;
} frost_zoom_rays;

// The inner loops for one instruction set. kernel-list.inc has what each of them computes.
typedef struct frost_kernels {
    // The name of the instruction set: "baseline", "avx2" or "avx512".
    const char *name;
#define KERNEL(result, function, ...) result (*function)(__VA_ARGS__);
#include "../kernel-list.inc"
#undef KERNEL
} frost_kernels;

// The instruction sets for which frost_kernels_for returns kernels.
enum { FROST_BASELINE = 0, FROST_AVX2 = 1, FROST_AVX512 = 2 };

// Returns the kernels for an instruction set (FROST_BASELINE, FROST_AVX2 or FROST_AVX512), or null if this processor or
// this build does not support it. FROST_BASELINE always exists: SSE2 on x86-64, NEON on 64-bit Arm.
const frost_kernels *frost_kernels_for(int level);
