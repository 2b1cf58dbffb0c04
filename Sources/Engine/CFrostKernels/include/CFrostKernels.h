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

// A colour stage for premultiplied floats. After each stage, all channels are clamped to 0...maximum and colours to at
// most alpha.
enum frost_stage_kind {
    FROST_STAGE_MATRIX = 0,
    FROST_STAGE_LUMINANCE = 1,
    FROST_STAGE_GRAIN = 2,
    FROST_STAGE_TRANSFER = 3,
    FROST_STAGE_SCATTER = 4
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
    // the curve of each channel, with t = y / alpha, clamped to 0...1. Column 5 has the amounts: x = x - amount x +
    // alpha curve(t).
    // For GRAIN: column 0 has the amplitude for each channel, as a fraction of alpha.
    // For TRANSFER: column 0 has threshold, slope, factor and offset; column 1 has exponent, gain and lift. Let x be a
    // colour divided by alpha. Up to the threshold the result is slope x. Above the threshold it is
    // gain (factor x + offset) ^ exponent + lift. The result is multiplied by alpha again.
    float columns[6][4];
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
//
// After every stage except TINT, colours are clamped to 0...a. A TINT stage must keep colours in this range.
enum frost_fixed_kind {
    FROST_FIXED_ADJUST = 0,
    FROST_FIXED_ADJUST_HALF = 1,
    FROST_FIXED_LIFT = 2,
    FROST_FIXED_TINT = 3,
    FROST_FIXED_LUMINANCE = 4
};
// Full scale (1.0) of the numbers of colour stages: 255 * 128.
#define FROST_FIXED_TOP 32640
// Pixels with at least this alpha are opaque: their alpha is replaced by FROST_FIXED_TOP. The rounding errors of filters may
// lower the alpha of an opaque pixel by a few units.
#define FROST_FIXED_OPAQUE (FROST_FIXED_TOP - 4)
typedef struct frost_fixed_stage {
    enum frost_fixed_kind kind;
    int16_t scale, add[4], weights[4], curve[4];
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
} frost_run_group;

// The numbers of rays of a zoom that are computed together, and of rays between two neighbouring pixels at the distance `far`.
#define FROST_ZOOM_RAYS 512
#define FROST_ZOOM_RAYS_PER_PIXEL 32

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
    // The factor that converts samples to the integers that are summed.
    float scale;
    // Memory for the sums at the beginning of lines (8 numbers for each pixel of a wedge), for the bends of a wedge and one
    // more, and for the number of the bend before each of them between the same two rays.
    int32_t *starts;
    frost_zoom_bend *bends;
    int32_t *links;
} frost_zoom_rays;

// The inner loops for one instruction set.
typedef struct frost_kernels {
    // The name of the instruction set: "baseline", "avx2" or "avx512".
    const char *name;

    // Weighted sum of rows: out[x] = sum over t of taps[t] * rows[t][x].
    void (*weighted_sum)(const float *const *rows, const float *taps, int tap_count, float *out, int count);
    // Filters across rows; see frost_row_filter.
    void (*filter_rows)(const frost_row_filter *filter);

    // Convert `count` numbers between samples and floats. If `stream` is not 0, samples may be written around the caches,
    // which is faster for images larger than the caches; see end_streaming.
    void (*load_floats)(enum frost_samples kind, const void *row, float *out, int count);
    void (*store_floats)(enum frost_samples kind, const float *row, void *out, int count, int stream);

    // Decimates a row: out[i] = sum over t < n / 2 of taps[t] * (row[2i + t] + row[2i + n - 1 - t]), for pixels of 1 to 4
    // floats and n = `tap_count`, which is even and at most 14.
    void (*decimate)(const float *row, const float *taps, int tap_count, float *out, int count, int channels);
    // Computes pixels first ..< first + count of an interpolation. `row` points at pixel (first - half) >> 1 of the
    // input.
    void (*interpolate)(const float *row, const float *even, const float *odd, int tap_count, int half, float *out,
                        int first, int count, int channels);

    // Fixed-point numbers of rows are in 1/256 of an 8-bit step. They lie in 0...65280, and slightly outside because of
    // roundings. In the formulas, avg(a, b) = floor((a + b + 1) / 2) and mul(a, w) = floor(a w / 65536). Pixels have 1
    // to 4 channels.
    //
    // The following functions convert bytes to fixed-point numbers. u8: out[x] = 256 row[x]. rgba8 converts from
    // straight to premultiplied alpha: a colour c with alpha a becomes c a + mul(c a + 1, 257). rgb8 converts to opaque
    // RGBA.
    void (*fixed_load_u8)(const uint8_t *row, uint16_t *out, int count);
    // is_opaque_rgba8 returns whether the alpha of all RGBA pixels is 255. is_opaque_fixed returns the same for fixed-point
    // RGBA: whether every alpha is at least FROST_OPAQUE, so that it is written as 255, also after interpolations.
    int (*is_opaque_rgba8)(const uint8_t *row, int count);
    int (*is_opaque_fixed)(const uint16_t *row, int count);
    void (*fixed_load_rgba8)(const uint8_t *row, uint16_t *out, int count);
    void (*fixed_load_rgb8)(const uint8_t *row, uint16_t *out, int pixels);
    // Converts floats: clamps to 0...255 and rounds to the nearest 1/256.
    void (*fixed_load_floats)(const float *row, uint16_t *out, int count);
    // Convert fixed-point numbers to bytes and floats. u8: out[x] = floor((row[x] + 128) / 256), for row[x] of at most
    // 65407. rgba8 converts row[x] / 256 to straight RGBA, and floats converts row[x] / 256 to floats.
    void (*fixed_store_u8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_rgba8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_floats)(const uint16_t *row, float *out, int count);
    // Converts 8-bit RGB to opaque RGBA.
    void (*expand_rgb8)(const uint8_t *row, uint8_t *out, int pixels);

    // Decimation along y: sums of n = 4, 6 or 8 rows (`tap_count`) with binomial weights. The pixels of even columns
    // are stored in `first`, those of odd columns in `second`.
    //
    // Sums of bytes are exact. Sums of fixed-point numbers are binomial(rows[t], n), which is defined below. The
    // version for bytes computes `row_count` output rows, 1 or 2; the second output row begins two input rows later. It adds
    // `bias` to each sum. With the bias floor(n / 4) for n > 4, the sums equal those of fixed-point numbers: these are
    // exact too, except for the same constant, if all numbers are multiples of 256.
    // The list `rows` continues with `ahead` more rows, which this call does not read. The next call reads them, and
    // this call may prefetch them. The bytes after a row may be read too, up to the address `end`: rows of an image are
    // followed by more rows.
    void (*fixed_decimate_bytes)(const uint8_t *const *rows, int tap_count, uint16_t *const first[2], uint16_t *const second[2],
                              int row_count, int ahead, const uint8_t *end, int bias, int pixels, int channels);
    void (*fixed_decimate_rows)(const uint16_t *const *rows, int tap_count, uint16_t *first, uint16_t *second, int pixels,
                             int channels);
    // Decimation along x: out[i] = binomial(first[i], second[i], first[i + 1], second[i + 1], ...) with n arguments.
    //
    // For n = 4, binomial is avg(avg(m, avg(x0, x3)), m) with m = avg(x1, x2).
    // For n = 6 and 8, binomial is floor(n / 4) + sum over t < n / 2 of mul(avg(x[t], x[n-1-t]), C(n-1, t) 2^(18 - n)).
    void (*fixed_decimate_row)(const uint16_t *first, const uint16_t *second, int tap_count, uint16_t *out, int pixels,
                            int channels);

    // Convolution with a symmetric filter, for `row_count` output rows:
    //     out[i][x] = floor((radius + 1) / 2) + mul(rows[i + radius][x], taps[0])
    //               + sum over t = 1 ... radius of mul(avg(rows[i + radius - t][x], rows[i + radius + t][x]), taps[t])
    // The sum of the taps is at most 65536. `rows` has 2 radius + row_count rows. The version for bytes converts the result as
    // fixed_store_rgba8 does if `straight` is not 0, otherwise as fixed_store_u8 does. If `stream` is not 0, bytes may be
    // written around the caches, which is faster for images larger than the caches; see end_streaming.
    void (*fixed_convolve)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint16_t *const *out, int row_count,
                           int count);
    void (*fixed_convolve_to_u8)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint8_t *const *out,
                                 int row_count, int count, int straight, int stream);

    // Interpolation: a pair of outputs, the first and the second, is computed from n = 2 ... 5 samples. For n = 2 the
    // outputs are avg(avg(x0, x1), x0) and avg(avg(x0, x1), x1). For n > 2 the first output is floor(n / 2) + sum over
    // t of mul(x[t], taps[t]), and the second output is the same with the taps in reverse order. The sum of the taps is
    // at most 65536.
    //
    // Interpolation along x: for each sample, `first` and `second` receive the two outputs that are computed from n
    // samples, beginning with this sample.
    void (*fixed_interpolate_row)(const uint16_t *row, const uint16_t *taps, int n, uint16_t *first, uint16_t *second,
                             int samples, int channels);
    // Interpolation along y: computes two output rows from n rows of samples. In the input, the first and the second
    // pixels of pairs are stored in separate rows. In the output rows, all pixels are in order. Bytes are rounded as by
    // fixed_store_u8; in the version for bytes, either output row may be null.
    void (*fixed_interpolate_rows)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                              uint16_t *above, uint16_t *below, int pairs, int channels);
    void (*fixed_interpolate_to_u8)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                               uint8_t *above, uint8_t *below, int pixels, int channels, int stream);
    // The version for straight RGBA bytes: a pixel is rounded as by fixed_store_rgba8. If `opaque` is not 0, the caller
    // guarantees that the alpha of all results is written as 255.
    void (*fixed_interpolate_to_rgba8)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps,
                                       int n, uint8_t *above, uint8_t *below, int pixels, int opaque, int stream);

    // Applies colour stages to RGBA floats, in place. `x` is the column of the first pixel, for grain and scatter.
    void (*color_stages)(float *row, int pixels, const frost_color_stage *stages, int stage_count, float maximum,
                         uint32_t x);
    // Applies a TRANSFER stage to rows of 1 to 4 channels. The second of 2 channels and the fourth of 4 channels are
    // alpha. Nothing is clamped.
    void (*transfer)(float *row, int pixels, int channels, const frost_color_stage *stage, float maximum);
    // Mixes a row with the original: row = original + (row - original) * parts, with one part for each pixel. A pixel
    // with part 1 keeps its bits, so that its result does not depend on the parts of its neighbours.
    void (*color_mix)(float *row, const float *original, const float *parts, int pixels);
    // Adds a weighted row to a sum: sum += row * w. The weight w of a pixel is clamped to 0...1; v is the pixel's element
    // of `shares`:
    //     w = min((v - below) * rise, (above - v) * fall)
    void (*blend_level)(float *sum, const float *row, const float *shares, int pixels, float below, float rise,
                        float above, float fall);
    // The same in fixed point: sum += part(row, (v - below) * rise) - part(row, (v - share) * fall). part(x, w) is floor(x n /
    // 65536) with n = 65536 w rounded to the nearest integer, ties to even; it is 0 for w <= 0 and x for n >= 65535. Two levels
    // between which the weight changes have the same w, so the sum of two equal numbers is the number.
    void (*fixed_blend_level)(uint16_t *sum, const uint16_t *row, const float *shares, int pixels, float below, float rise,
                              float share, float fall);
    // Mixes two levels: low - part(low, w) + part(high, w) with w = (v - below) * rise, which has the same bits as the two sums of
    // fixed_blend_level that begin at 0. One level is in `sum`, which receives the result. The other level is `row`; it is the
    // lower level if `is_lower` is not 0.
    void (*fixed_blend_pair)(uint16_t *sum, const uint16_t *row, const float *shares, int pixels, float below, float rise,
                             int is_lower);
    // Replaces each value v of a mask by min(v v, 1). Stores in `ranges` the minimum and the maximum of the results for each
    // `chunk` values; the last chunk may be shorter.
    void (*blend_shares)(float *values, int count, int chunk, float *ranges);
    // Rounds to whole numbers in 0...maximum. Colours are rounded with dither, whose table is read from pixel `phase`
    // on, in 1/128 of a step; alpha is rounded without dither. If `straight` is 0, colours are clamped to alpha; otherwise they are divided
    // by alpha before they are rounded.
    void (*color_settle)(float *row, int pixels, int straight, float maximum, const int16_t *dither,
                         uint32_t phase);
    // Converts 8-bit RGBA to RGB.
    void (*compress_rgb8)(const uint8_t *row, uint8_t *out, int pixels);
    // Applies colour stages to RGBA fixed-point numbers, in place: first x = floor(row[x] / 2), after the stages row[x] = 2 x.
    // See frost_fixed_stage.
    void (*fixed_stages)(uint16_t *row, const frost_fixed_stage *stages, int stage_count, int pixels);
    // Applies colour stages in the same way, and converts the results to bytes: floor((x + offset) / 128), where the offset of
    // alpha is 64; the byte of a colour is at most the byte of alpha. The first pixel uses the offset of pixel `phase` in the
    // table. With straight alpha, colours are divided by the alpha that is written. (offset + 0.5) / 128 - 0.5 is added
    // after the division, and the sum is rounded to the nearest integer. `stream` has the same meaning as for
    // fixed_convolve_to_u8.
    void (*fixed_output)(const uint16_t *row, const frost_fixed_output *how, uint8_t *out, int pixels, uint32_t phase,
                         int stream);
    // Computes two output rows of an interpolation, as fixed_interpolate_to_u8 does, and converts them as fixed_output does.
    // Each row has a phase of its own.
    void (*fixed_interpolate_to_output)(const uint16_t *const *first, const uint16_t *const *second,
                                        const uint16_t *taps, int n, uint8_t *above, uint8_t *below, int pixels,
                                        const frost_fixed_output *how, uint32_t phase_above, uint32_t phase_below,
                                        int stream);

    // Makes the bytes that were written around the caches visible to other threads. They become visible before anything
    // that this thread writes after the call.
    void (*end_streaming)(void);

    // Mixes an RGBA row with the original by parts 0...1, one for each pixel: row = 4 (o + mul(x - o, part)). x and o are the
    // numbers of `row` and `original` divided by 4, rounded down, and at most 255 * 64. The part is converted to 1/32767 and
    // rounded to the nearest integer, ties to even. mul is defined at frost_fixed_stage. A pixel with part 32767 keeps the
    // row's own numbers.
    void (*fixed_mix)(uint16_t *row, const uint16_t *original, const float *parts, int pixels);
    // Copies bytes. `stream` has the same meaning as for fixed_convolve_to_u8. The memory does not overlap.
    void (*copy_bytes)(const uint8_t *from, uint8_t *to, int count, int stream);

    // Computes values of a mask that grow from 0 to 1 outwards from a circle. The value in column x is t t (3 - 2 t),
    // where t = (d - lowest) slope, clamped to 0...1. The distance d is sqrt(dx dx + square), where dx = start + x
    // step. The first column is `first`.
    void (*circle_parts)(float *out, int first, int count, float start, float step, float square, float lowest, float slope);

    // Resamples a row of RGBA pixels with `tap_count` weights for each pixel of the result, n in the formula. Copies the alphas
    // of the result.
    //     out[i] = sum over t < n of row[firsts[i] + t] * weights[n i + t]
    void (*place_pixels)(const float *row, const int32_t *firsts, const float *weights, int tap_count, float *out,
                         float *alphas, int pixels);
    // Draws premultiplied RGBA pixels with values 0...1 over a row: row = content * maximum + row * (1 - alpha of content).
    void (*draw_pixels)(float *row, const float *content, float maximum, int pixels);

    // Computes values of a mask that is a ramp: start + step x, clamped to 0...1, in columns x = first, first + 1, ...
    void (*ramp_parts)(float *out, int first, int count, double start, double step);
    // Enlarges a row of a mask. `lefts` grows by at most 1 from one element to the next. Lists and row are followed by slack,
    // and the slack of `lefts` continues the list.
    //     out[i] = row[lefts[i]] + (row[lefts[i] + 1] - row[lefts[i]]) * weights[i]
    void (*stretch_row)(const float *row, const int32_t *lefts, const float *weights, float *out, int count);

    // Prepares a row for sum_runs. It has c channels, and its bytes are `step` bytes apart: `values` receives the bytes, and
    // sums[c + i] the sum of all values of a channel up to values[i]. The first c sums are 0. Sums wrap around.
    void (*prefix_sums)(const uint8_t *in, int step, uint16_t *values, uint16_t *sums, int pixels, int channels);

    // Computes weighted sums of runs of pixels: out[x] = sum over the groups of float(s) * (weight * scale), where s is the
    // sum of sums[row][end + x] - sums[row][first + x] over the group's long runs, and of values[row][first + x] over its
    // single pixels. A group has at most 257 pixels. So each s is below 2^16 and exact, although sums wrap around. If `adds`
    // is not 0, the sum begins with out[x] instead of 0.
    void (*sum_runs)(const uint16_t *const *values, const uint16_t *const *sums, const frost_run *runs,
                     const frost_run_group *groups, int group_count, float scale, float *out, int adds, int count);

    // Computes means along the lines to a centre (zoom blur) for `pixels` pixels from pixel `first` on. The results are
    // written from out[first * channels] on. rows[j][i * channels] is the first channel of pixel i in the j-th row
    // below the output row; j and i may be negative. (centre_x, centre_y) is the position of the centre relative to
    // pixel 0 of the output row.
    //
    // Let d = (dx, dy) be the vector from a pixel to the centre, and m = max(|dx|, |dy|). The mean is taken over the
    // pixel itself, samples towards the centre, and samples away from the centre. The weight of the pixel itself is
    // min(inward m, 1/2) + min(outward m, 1/2). The samples towards the centre are numbered k = 1, 2, ...; the weight
    // of sample k is min(1, inward m - (k - 1/2)), and samples whose weight is not above 0 are left out. The samples
    // away from the centre have the same weights with outward instead of inward. Sample k lies k pixels away along the
    // axis of m, and k d / m along the other axis. Along the other axis it is interpolated between its two neighbours:
    // before + (after - before) part.
    //
    // The sums begin with the inward samples. Four samples with weight 1 are added as (a + b) + (c + d). The total is
    // divided by inward m + outward m.
    void (*zoom)(const float *const *rows, double centre_x, double centre_y, float inward, float outward, float *out,
                 int first, int pixels, int channels);

    // Computes the same means for the pixels of a block at distances m in near ..< far.
    //
    // Let D be the distance of a column from the centre. The rays have the slopes s / (far FROST_ZOOM_RAYS_PER_PIXEL), for
    // integers s. In each column, a ray has the sample before + (after - before) part, which is multiplied by `scale` and
    // rounded to an integer. Integers are summed exactly. A pixel's line lies between two rays, at part u of their distance:
    // its sum is low + (high - low) u, minus change min(u (1 - b), b (1 - u)) for each bend at part b between the two rays.
    // `change` is the second difference of the three pixels around the bend, times the distance of the rays in this column.
    // The line's samples with a weight below 1 are added one by one.
    void (*zoom_rays)(const frost_zoom_rays *zoom);

    // Reads an RGBA image of bytes at positions by bilinear interpolation. Position (x + 0.5, y + 0.5) is the centre of
    // pixel (x, y), and pixels outside the image are transparent. `stride` is the number of bytes from one row to the next.
    // The result is premultiplied, with numbers in 0...255. If `straight` is not 0, the image is straight, and each of its
    // pixels is premultiplied before it is interpolated: colour * (alpha * (1 / 255)). With tx and ty as the fractions of
    // the position minus 0.5, the result is a + (b - a) tx along x for both rows, and then the same with ty along y.
    void (*sample_u8)(const uint8_t *base, int64_t stride, int width, int height, const float *xs, const float *ys,
                      float *out, int count, int straight);
    // The same for an image of premultiplied floats. `stride` is in bytes too.
    void (*sample_f32)(const float *base, int64_t stride, int width, int height, const float *xs, const float *ys,
                       float *out, int count);
} frost_kernels;

// The instruction sets for which frost_kernels_for returns kernels.
enum { FROST_BASELINE = 0, FROST_AVX2 = 1, FROST_AVX512 = 2 };

// Returns the kernels for an instruction set (FROST_BASELINE, FROST_AVX2 or FROST_AVX512), or null if this processor or
// this build does not support it. FROST_BASELINE always exists: SSE2 on x86-64, NEON on 64-bit Arm.
const frost_kernels *frost_kernels_for(int level);
