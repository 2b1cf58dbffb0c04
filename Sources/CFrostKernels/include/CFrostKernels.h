// The inner loops of the CPU backend, compiled once per instruction set and chosen at run time.
//
// Every function computes the same bits on every instruction set: it adds the products of an output in the order of the
// taps, and rounds each multiplication and each addition. The tests compare each function with a scalar twin in Swift.
//
// Rows of floats and of 16-bit integers have FROST_SLACK * 4 more bytes after their last value. A function may read
// these and overwrite them with meaningless numbers. Rows of bytes have no such bytes.
#pragma once

#include <stdint.h>

#define FROST_SLACK 64

// A colour stage on premultiplied floats. After each stage all channels are clamped to 0...maximum, and colours to at
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
    // GRAIN: the row's hash, from PixelHash.row.
    uint32_t hash_row;
    // SCATTER: the address of floats, four for each pixel, the first for column `hashes_first`. Each is multiplied by
    // the pixel's alpha and added to its channel.
    uint32_t hashes_first;
    uintptr_t hashes;
    // MATRIX: five columns. The first is multiplied by red, the next ones by green, blue, alpha and one, and their sum
    // is the result.
    // LUMINANCE: column 0 has the weights of the luminance y. Columns 1 to 4 have the coefficients of t^0 to t^3 in the
    // curve of each channel, with t = y / alpha, clamped to 0...1. Column 5 has the amounts:
    // x = x - amount x + alpha curve(t).
    // GRAIN: column 0 has the amplitude for each channel, as a fraction of alpha.
    // TRANSFER: column 0 has threshold, slope, factor, offset; column 1 exponent, gain, lift. A colour divided by
    // alpha, x, becomes slope x up to the threshold, and gain (factor x + offset) ^ exponent + lift above it. The
    // result is multiplied by alpha again.
    float columns[6][4];
} frost_color_stage;

// A colour stage on premultiplied fixed-point numbers: 64ths of a step, with factors in 32768ths.
//
// x is a channel of a pixel and a its alpha. X is 2 x with one more bit of precision at the first stage, where the
// arriving numbers have it. With
//     mul(p, q) = floor((p q + 2^14) / 2^15),
//     high(p, q) = floor(p q / 2^16), `scale` unsigned,
//     y = floor(sum over the channels of weights X / 2^16):
//
// SCALE: x = mul(x, scale) + add.
// FACTOR: x = mul(x, scale).
// LIFT: x = min(x + mul(2 a, add), a).
// SINK: x = max(x - mul(2 a, add), 0).
// SPREAD: colours x = max(high(X, scale) - y, 0); alpha high(X, scale).
// SPREAD_FAR: twice the result of SPREAD, at most 32767.
// SHIFT: x = mul(X, scale) + Y + mul(2 a, add) with Y = floor(sum of weights X / 2^15); alpha without Y.
// CURVE: with Y = floor(sum of weights x / 2^14), A = 2 a, and t = Y for opaque pixels, otherwise 32640 Y / A, rounded,
// at most 32640, and 0 if A is 0: x = mul(x, scale) + mul(mul(mul(mul(c3, t) + c2, t) + c1, t) + c0, A); alpha without
// the second term.
//
// Afterwards `limits` clamps all channels to 0...FROST_FIXED_TOP (ALPHA), and all to 0...alpha (COLORS); SHIFT clamps
// to the alpha before the stage.
enum frost_fixed_kind {
    FROST_FIXED_SCALE = 0,
    FROST_FIXED_FACTOR = 1,
    FROST_FIXED_LIFT = 2,
    FROST_FIXED_SINK = 3,
    FROST_FIXED_SPREAD = 4,
    FROST_FIXED_SPREAD_FAR = 5,
    FROST_FIXED_SHIFT = 6,
    FROST_FIXED_CURVE = 7
};
enum { FROST_LIMIT_ALPHA = 1, FROST_LIMIT_COLORS = 2 };
// Full scale.
#define FROST_FIXED_TOP 16320
// Pixels with at least this alpha are opaque: the roundings of filters lower full scale by one or two.
#define FROST_FIXED_OPAQUE (FROST_FIXED_TOP - 2)
// The maximum number of stages.
#define FROST_FIXED_STAGES 6
typedef struct frost_fixed_stage {
    enum frost_fixed_kind kind;
    int32_t limits;
    uint16_t scale[4];
    int16_t add[4], weights[4], curve[4];
} frost_fixed_stage;

// How alpha is treated. STRAIGHT: colours are divided by it. OPAQUE: all pixels count as opaque, and the results are
// RGB. KEEPS_OPAQUE (with STRAIGHT or alone): pixels that arrive opaque stay opaque. The alpha of opaque pixels counts
// as FROST_FIXED_TOP before and after every stage.
enum { FROST_ALPHA_STRAIGHT = 1, FROST_ALPHA_OPAQUE = 2, FROST_ALPHA_KEEPS_OPAQUE = 4 };

// Dither repeats after this number of pixels of a row. A table has FROST_DITHER_PERIOD + FROST_SLACK pixels of four
// numbers. These are 64ths of a step that are added before the fraction is cut off: the dither for colours, and 32 for
// alpha.
#define FROST_DITHER_PERIOD 256
// A table for pairs of pixels whose first and second pixels are stored apart. It is in 256ths of a step, with half a
// 64th added: first the offsets of even places, and this number of pixels after them the offsets of odd places.
enum { FROST_PAIR_OFFSETS = FROST_DITHER_PERIOD / 2 + FROST_SLACK };

// Limits for numbers with an arbitrary range within 16 bits, for each channel: y = factor min(max(x - low, 0), span),
// at most alpha's y if that is below `opaque`. The result, y + add, is in 256ths of a step.
typedef struct frost_late_limits {
    uint16_t low[4], span[4], add[4];
    uint16_t factor, opaque;
} frost_late_limits;

// How rows become bytes: the stages, the treatment of alpha, and the table of offsets, which includes `add` besides the
// dither.
typedef struct frost_fixed_output {
    const frost_fixed_stage *stages;
    int32_t stage_count, alpha;
    const int16_t *add, *offsets;
} frost_fixed_output;

// Two interpolations: the number of samples that each reads, and their weights.
enum { FROST_MAXIMUM_TAPS = 5 };
typedef struct frost_interpolations {
    uint16_t taps[2][FROST_MAXIMUM_TAPS];
    int32_t samples[2];
} frost_interpolations;

typedef struct frost_kernels {
    const char *name;

    // out[x] = sum over t of taps[t] * rows[t][x]
    void (*weighted_sum)(const float *const *rows, const float *taps, int tap_count, float *out, int count);
    // The same from and to rows of 8-bit samples, and of straight RGBA, which is premultiplied as it is read and
    // divided as it is written. Counts are of samples, in whole pixels.
    void (*weighted_sum_from_u8)(const uint8_t *const *rows, const float *taps, int tap_count, float *out, int count);
    void (*weighted_sum_from_rgba8)(const uint8_t *const *rows, const float *taps, int tap_count, float *out, int count);
    void (*weighted_sum_to_u8)(const float *const *rows, const float *taps, int tap_count, uint8_t *out, int count);
    void (*weighted_sum_to_rgba8)(const float *const *rows, const float *taps, int tap_count, uint8_t *out, int count);

    // Convert `count` samples between 8 bits and floats; rgba8 is straight, the floats are premultiplied.
    void (*load_u8)(const uint8_t *row, float *out, int count);
    void (*load_rgba8)(const uint8_t *row, float *out, int count);
    void (*store_u8)(const float *row, uint8_t *out, int count);
    void (*store_rgba8)(const float *row, uint8_t *out, int count);

    // out[i] = sum over t of taps[t] * row[2i + t], for pixels of 1 to 4 floats.
    void (*decimate)(const float *row, const float *taps, int tap_count, float *out, int count, int channels);
    // Pixels first ..< first + count of an interpolation; row points at pixel (first - half) >> 1.
    void (*interpolate)(const float *row, const float *even, const float *odd, int tap_count, int half, float *out,
                        int first, int count, int channels);

    // Fixed-point numbers are 256ths of a step: 0...65280, and slightly outside because of roundings. In the formulas,
    // avg(a, b) = floor((a + b + 1) / 2), mul(a, w) = floor(a w / 65536).
    // Pixels have 1, 2 or 4 channels.
    //
    // u8: out[x] = 256 row[x]. rgba8, from straight to premultiplied: c a + mul(c a, 257). rgb8: to opaque RGBA.
    void (*fixed_load_u8)(const uint8_t *row, uint16_t *out, int count);
    void (*fixed_load_rgba8)(const uint8_t *row, uint16_t *out, int count);
    void (*fixed_load_rgb8)(const uint8_t *row, uint16_t *out, int pixels);
    // Clamps to 0...255 and rounds to the nearest 256th.
    void (*fixed_load_floats)(const float *row, uint16_t *out, int count);
    // u8: out[x] = floor((row[x] + 128) / 256), for row[x] of at most 65407. rgb8: the same, from RGBA. rgba8, to
    // straight RGBA, and floats: row[x] / 256 is converted.
    void (*fixed_store_u8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_rgba8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_rgb8)(const uint16_t *row, uint8_t *out, int pixels);
    void (*fixed_store_floats)(const uint16_t *row, float *out, int count);
    // RGB to opaque RGBA.
    void (*expand_rgb8)(const uint8_t *row, uint8_t *out, int pixels);

    // Decimation along y: sums of n = 4, 6 or 8 rows with binomial weights. The pixels of even places are stored in
    // `first`, those of odd places in `second`. Sums of bytes are exact, sums of fixed-point numbers are
    // binomial(rows[t], n). The version for bytes makes `row_count` rows, 1 or 2; the second one reads from two rows
    // further on. After the rows that it reads, the list has `ahead` more, which the next call reads and which may be
    // prefetched.
    void (*fixed_decimate_bytes)(const uint8_t *const *rows, int tap_count, uint16_t *const first[2], uint16_t *const second[2],
                              int row_count, int ahead, int pixels, int channels);
    void (*fixed_decimate_rows)(const uint16_t *const *rows, int tap_count, uint16_t *first, uint16_t *second, int pixels,
                             int channels);
    // Decimation along x: out[i] = binomial(first[i], second[i], first[i + 1], second[i + 1], ...) with n arguments.
    //
    // binomial with n = 4: avg(avg(m, avg(x0, x3)), m) with m = avg(x1, x2).
    // With n = 6 and 8: floor(n / 4) + sum over t < n / 2 of mul(avg(x[t], x[n-1-t]), C(n-1, t) 2^(18 - n)).
    void (*fixed_decimate_row)(const uint16_t *first, const uint16_t *second, int tap_count, uint16_t *out, int pixels,
                            int channels);

    // out[x] = floor((radius + 1) / 2) + mul(rows[radius][x], taps[0])
    //        + sum over t = 1 ... radius of mul(avg(rows[radius - t][x], rows[radius + t][x]), taps[t])
    // The sum of the taps is at most 65536. Bytes are made as by fixed_store_u8.
    // If `below` is not null, it gets the same from rows[1] on; the list then has 2 radius + 2 rows.
    // With `stream` bytes may be written past the caches, which is faster for pictures larger than these; see
    // end_streaming.
    void (*fixed_convolve)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint16_t *above,
                           uint16_t *below, int count);
    void (*fixed_convolve_to_u8)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint8_t *above,
                                 uint8_t *below, int count, int stream);

    // Interpolation: two outputs, the first and the second of a pair, from n = 2 ... 5 samples.
    // n = 2: avg(avg(x0, x1), x0) and avg(avg(x0, x1), x1). n > 2: floor(n / 2) + sum over t of mul(x[t], taps[t]),
    // and the same with the taps in reverse order. The sum of the taps is at most 65536.
    //
    // Along x, from the n samples that begin at each sample: `first` and `second` get the outputs of the pairs.
    void (*fixed_interpolate_row)(const uint16_t *row, const uint16_t *taps, int n, uint16_t *first, uint16_t *second,
                             int samples, int channels);
    // Along y, from n rows whose first and second pixels are stored apart, to two rows with all pixels in place. Bytes
    // are made as by fixed_store_u8; for these, either output row may be null.
    void (*fixed_interpolate_rows)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                              uint16_t *above, uint16_t *below, int pairs, int channels);
    void (*fixed_interpolate_to_u8)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                               uint8_t *above, uint8_t *below, int pixels, int channels, int stream);
    // Two interpolations along both axes in one call, for RGBA: pairs of pixels of two rows from rows of samples. The
    // outputs of the first interpolation are the samples of the second, without the first `skip_x` of each row and the
    // first `skip_y` rows (0 or 1 each).
    void (*fixed_interpolate_twice)(const uint16_t *const *samples, const frost_interpolations *interpolations, int skip_x, int skip_y,
                               uint16_t *above, uint16_t *below, int pairs);

    // Colour stages on RGBA floats, in place. `x` is the first pixel's column, for grain and scatter.
    void (*color_stages)(float *row, int pixels, const frost_color_stage *stages, int stage_count, float maximum,
                         uint32_t x);
    // One stage of TRANSFER on rows of 1 to 4 channels; the 2nd of 2 and the 4th of 4 are alpha. Nothing is clamped.
    void (*transfer)(float *row, int pixels, int channels, const frost_color_stage *stage, float maximum);
    // row = original + (row - original) * parts, with one part for each pixel. A pixel with part 1 keeps its bits, so
    // that its result does not depend on the parts of its neighbours.
    void (*color_mix)(float *row, const float *original, const float *parts, int pixels);
    // sum += row * w, with w = min((v - below) * rise, (above - v) * fall), clamped to 0...1, for the pixel's share v.
    void (*blend_level)(float *sum, const float *row, const float *shares, int pixels, float below, float rise,
                        float above, float fall);
    // Rounds to whole steps of 0...maximum: colours with dither, whose table is read from pixel `phase` on, and alpha
    // without. Colours are clamped to alpha, or, with `straight`, divided by it.
    void (*color_settle)(float *row, int pixels, int straight, float maximum, const int16_t *dither,
                         uint32_t phase);
    // RGBA to RGB.
    void (*compress_rgb8)(const uint8_t *row, uint8_t *out, int pixels);
    // Colour stages on RGBA fixed-point numbers, with X = floor(row / 2) at the first, then to bytes: floor((x +
    // offset) / 64) with the table's offsets from pixel `phase` on, colours at most alpha. Straight colours are (x +
    // add) divided by the alpha that is written, and get the dither after that, shifted by 1/128 of a step. `stream` as
    // for fixed_convolve.
    void (*fixed_output)(const uint16_t *row, const frost_fixed_output *how, uint8_t *out, int pixels, uint32_t phase,
                         int stream);

    // One stage of MATRIX on low-resolution RGBA samples in fixed point, without clamping: row[x] / 256, then as
    // color_stages, rounded to the nearest 256th. Returns whether the alpha of all samples is at least `opaque`.
    int (*color_samples)(const uint16_t *row, const frost_color_stage *matrix, uint16_t *out, float opaque, int samples);
    // fixed_interpolate_to_u8 for RGBA, with dither from a table of pairs: floor((x + offset) / 256), at most alpha's.
    // With `limits`, n is 2 and their y takes the place of x. `opaque` says that the alpha of all results is 255, and
    // not less than the limits' `opaque`. `stream` as for fixed_convolve.
    void (*fixed_interpolate_dithered)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                                  uint8_t *above, uint8_t *below, int pixels, const uint16_t *offsets,
                                  uint32_t phase_above, uint32_t phase_below, const frost_late_limits *limits, int opaque,
                                  int stream);
    // The same to straight RGBA: x / 256, or with limits (y + add) / 256, is divided by the alpha that is written, as
    // by fixed_store_rgba8. Each colour then gets its pixel's difference, from a table of pairs. If `differences` is
    // null, nothing is added.
    void (*fixed_interpolate_divided)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                                 uint8_t *above, uint8_t *below, int pixels, const float *differences, uint32_t phase_above,
                                 uint32_t phase_below, const frost_late_limits *limits, int stream);
    // Replaces RGBA numbers by the limits' y + add.
    void (*fixed_limit)(uint16_t *row, const frost_late_limits *limits, int pixels);

    // Other threads see the bytes that were written past the caches before anything that is written after this call.
    void (*end_streaming)(void);

    // Mixes a row of RGBA with the original by parts 0...1, one for each pixel: out = 2 (o + mul(x - o, part)), with x
    // and o half the numbers, and the part in 32767ths, rounded to nearest even. Part 32767 gives the row's own
    // numbers.
    void (*fixed_mix)(const uint16_t *row, const uint16_t *original, const float *parts, uint16_t *out, int pixels);

    // Parts of a mask that grow from 0 to 1 outwards from a circle: t t (3 - 2 t) with t = (d - lowest) slope, clamped
    // to 0...1, and d = sqrt(dx dx + square), dx = start + x step, for the pixels x from `first` on.
    void (*circle_parts)(float *out, int first, int count, float start, float step, float square, float lowest, float slope);

    // Means along the lines to a centre, for `pixels` pixels from `first` on, written from out[first * channels] on.
    // rows[j][i * channels] is the first channel of pixel i in the row j below the output's; j and i may be negative.
    // The centre lies `centre` from pixel 0. Let d be the vector from a pixel to the centre, and m = max(|dx|, |dy|).
    // The mean consists of the pixel itself, with weight min(inward m, 1/2) + min(outward m, 1/2), and of samples k =
    // 1, 2, ... towards the centre, with weight min(1, inward m - (k - 1/2)) if that is above 0, and likewise outwards.
    // Sample k lies k pixels away along the axis of m, and k d / m along the other axis, where the neighbours before
    // and after it are interpolated:
    // before + (after - before) part.
    // The sums begin with the inward samples. Four samples with weight 1 are added as (a + b) + (c + d). The total is
    // divided by inward m + outward m.
    void (*zoom)(const float *const *rows, double centre_x, double centre_y, float inward, float outward, float *out,
                 int first, int pixels, int channels);
} frost_kernels;

enum { FROST_BASELINE = 0, FROST_AVX2 = 1, FROST_AVX512 = 2 };

// The kernels for an instruction set; null if this processor or this build lacks it. FROST_BASELINE always exists: SSE2
// on x86-64, NEON on 64-bit Arm.
const frost_kernels *frost_kernels_for(int level);
