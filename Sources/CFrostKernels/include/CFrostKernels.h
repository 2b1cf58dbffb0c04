// The inner loops of the CPU backend, compiled once per instruction set and chosen at run time.
//
// Every function computes the same bits on every instruction set: each output is a sum in the order of its taps,
// multiplication and addition rounded separately. The tests hold a scalar twin of each in Swift.
//
// Rows of floats and of 16-bit integers have FROST_SLACK * 4 bytes behind their last value, which may be read, and
// overwritten with numbers that mean nothing. Rows of bytes have none.
#pragma once

#include <stdint.h>

#define FROST_SLACK 64

// A stage of colour for floats: after it, all is limited to 0...maximum, and colours to at most alpha.
enum frost_stage_kind {
    FROST_STAGE_MATRIX = 0,
    FROST_STAGE_LUMINANCE = 1,
    FROST_STAGE_GRAIN = 2,
    FROST_STAGE_TRANSFER = 3,
    FROST_STAGE_SCATTER = 4
};
typedef struct frost_color_stage {
    enum frost_stage_kind kind;
    // Of a grain, what PixelHash.row gives.
    uint32_t hash_row;
    // Of a scatter, the address of the floats that are added to each channel, of alpha, from column `hashes_first` on.
    uint32_t hashes_first;
    uintptr_t hashes;
    // MATRIX: what red, green, blue, alpha and one add to each channel, in this order.
    // LUMINANCE: the weights of luma y; what t^0 to t^3 are multiplied by in the curve of each channel, where t is y over
    // alpha a, within 0...1; and the amounts: x = x - amount x + a curve(t).
    // GRAIN: the amplitude for each channel, of alpha.
    // TRANSFER: threshold, slope, factor, offset; exponent, gain, lift: colour divided by alpha, x, becomes slope x up to the
    // threshold and gain (factor x + offset) ^ exponent + lift above, multiplied by alpha again.
    float columns[6][4];
} frost_color_stage;

// A stage of colour for fixed-point numbers of 64ths of a step, with factors of 32768ths. Of a pixel x, a is alpha, and X is
// 2 x, or at the first stage with the bit below. mul(p, q) = floor((p q + 2^14) / 2^15), high(p, q) = floor(p q / 2^16) with
// `scale` unsigned, y = floor(sum of weights X / 2^16).
// SCALE: x = mul(x, scale) + add.
// FACTOR: x = mul(x, scale).
// LIFT: x = min(x + mul(2 a, add), a). SINK: x = max(x - mul(2 a, add), 0).
// SPREAD: x = max(high(X, scale) - y, 0), alpha high(X, scale). SPREAD_FAR: twice that, at most 32767.
// SHIFT: x = mul(X, scale) + Y + mul(2 a, add) with Y = floor(sum of weights X / 2^15), not to alpha.
// CURVE: with Y = floor(sum of weights x / 2^14), A = 2 a, t = Y of opaque pixels and elsewhere 32640 Y / A, rounded, at most
// 32640, and 0 where A is: x = mul(x, scale) + mul(mul(mul(mul(c3, t) + c2, t) + c1, t) + c0, A), the latter
// not to alpha.
// Then, by `limits`, all to 0...FROST_FIXED_TOP, and all to 0...alpha; of SHIFT, to alpha as it was.
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
// Alpha from which on a pixel is opaque: filters leave it a place or two below full scale.
#define FROST_FIXED_OPAQUE (FROST_FIXED_TOP - 2)
// At the most.
#define FROST_FIXED_STAGES 6
typedef struct frost_fixed_stage {
    enum frost_fixed_kind kind;
    int32_t limits;
    uint16_t scale[4];
    int16_t add[4], weights[4], curve[4];
} frost_fixed_stage;

// What alpha is: nothing; or what colours are divided by; or that all pixels are opaque, whatever it is, and results are RGB;
// and, with any but the last, that those are opaque that arrive so. Of an opaque pixel it counts as FROST_FIXED_TOP before and
// after every stage.
enum { FROST_ALPHA_STRAIGHT = 1, FROST_ALPHA_OPAQUE = 2, FROST_ALPHA_KEEPS_OPAQUE = 4 };

// Dither repeats after so many pixels of a row. A table has FROST_DITHER_PERIOD + FROST_SLACK pixels of four numbers, 64ths
// of a step that are added before the fraction is cut off: those of colours, and 32 for alpha.
#define FROST_DITHER_PERIOD 256
// The same for pairs of pixels that come apart, in 256ths and half a 64th more: the offsets of even places, and so many numbers
// of pixels behind these those of odd ones.
enum { FROST_PAIR_OFFSETS = FROST_DITHER_PERIOD / 2 + FROST_SLACK };

// Limits of numbers that begin and end anywhere in 16 bits, of each channel: y = factor min(max(x - low, 0), span), no more than
// that of alpha where this is below `opaque`, and y + add are 256ths of a step.
typedef struct frost_late_limits {
    uint16_t low[4], span[4], add[4];
    uint16_t factor, opaque;
} frost_late_limits;

// How rows become bytes: stages, what alpha is, and the offsets, in which `add` is included and is not dither.
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
    // The same from rows of 8-bit samples, of straight RGBA (premultiplied on the way; whole pixels), and to either.
    void (*weighted_sum_from_u8)(const uint8_t *const *rows, const float *taps, int tap_count, float *out, int count);
    void (*weighted_sum_from_rgba8)(const uint8_t *const *rows, const float *taps, int tap_count, float *out, int count);
    void (*weighted_sum_to_u8)(const float *const *rows, const float *taps, int tap_count, uint8_t *out, int count);
    void (*weighted_sum_to_rgba8)(const float *const *rows, const float *taps, int tap_count, uint8_t *out, int count);

    // Between 8-bit samples and floats, `count` samples.
    void (*load_u8)(const uint8_t *row, float *out, int count);
    void (*load_rgba8)(const uint8_t *row, float *out, int count);
    void (*store_u8)(const float *row, uint8_t *out, int count);
    void (*store_rgba8)(const float *row, uint8_t *out, int count);

    // out[i] = sum over t of taps[t] * row[2i + t], in pixels of 1 to 4 floats
    void (*decimate)(const float *row, const float *taps, int tap_count, float *out, int count, int channels);
    // Pixels first ..< first + count of an interpolation; row points at pixel (first - half) >> 1.
    void (*interpolate)(const float *row, const float *even, const float *odd, int tap_count, int half, float *out,
                        int first, int count, int channels);

    // Fixed-point numbers: 256ths of a step, 0...65280 and a few more or less because of roundings. In the formulas,
    // avg(a, b) = floor((a + b + 1) / 2), mul(a, w) = floor(a w / 65536).
    // The numbers of pixels are of 1, 2 or 4 channels.
    //
    // out[x] = 256 row[x]; the same of straight RGBA, premultiplied: c a + mul(c a, 257); of RGB, as opaque RGBA.
    void (*fixed_load_u8)(const uint8_t *row, uint16_t *out, int count);
    void (*fixed_load_rgba8)(const uint8_t *row, uint16_t *out, int count);
    void (*fixed_load_rgb8)(const uint8_t *row, uint16_t *out, int pixels);
    // To the nearest 256th of 0...255.
    void (*fixed_load_floats)(const float *row, uint16_t *out, int count);
    // out[x] = floor((row[x] + 128) / 256), of at most 65407; the same to RGB from RGBA. To straight RGBA and to floats
    // by way of row[x] / 256.
    void (*fixed_store_u8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_rgba8)(const uint16_t *row, uint8_t *out, int count);
    void (*fixed_store_rgb8)(const uint16_t *row, uint8_t *out, int pixels);
    void (*fixed_store_floats)(const uint16_t *row, float *out, int count);
    // RGB to opaque RGBA.
    void (*expand_rgb8)(const uint8_t *row, uint8_t *out, int pixels);

    // Decimation along y: the sums of n = 4, 6 or 8 rows with binomial weights, the pixels of even and of odd places apart.
    // From bytes they are exact, from fixed-point numbers they are binomial(rows[t], n).
    // From bytes they are one row or two, of `tap_count` rows and the two behind them; `ahead` more rows follow in the
    // list, which the next call will read.
    void (*fixed_decimate_bytes)(const uint8_t *const *rows, int tap_count, uint16_t *const first[2], uint16_t *const second[2],
                              int row_count, int ahead, int pixels, int channels);
    void (*fixed_decimate_rows)(const uint16_t *const *rows, int tap_count, uint16_t *first, uint16_t *second, int pixels,
                             int channels);
    // Decimation along x: out[i] = binomial(first[i], second[i], first[i + 1], second[i + 1], ...), n of them.
    //
    // binomial of 4: m = avg(x1, x2); avg(avg(m, avg(x0, x3)), m).
    // Of 6 and 8: floor(n / 4) + the sum over t < n / 2 of mul(avg(x[t], x[n-1-t]), C(n-1, t) 2^(18 - n)).
    void (*fixed_decimate_row)(const uint16_t *first, const uint16_t *second, int tap_count, uint16_t *out, int pixels,
                            int channels);

    // out[x] = floor((radius + 1) / 2) + mul(rows[radius][x], taps[0])
    //        + sum over t = 1 ... radius of mul(avg(rows[radius - t][x], rows[radius + t][x]), taps[t])
    // The sum of the taps is at most 65536. To bytes as fixed_store_u8.
    // `below`, if it is not null, gets the same of rows[1] and on, 2 radius + 2 in all.
    // With `stream` bytes may go past the caches, which pays for pictures that no cache holds; see end_streaming.
    void (*fixed_convolve)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint16_t *above,
                           uint16_t *below, int count);
    void (*fixed_convolve_to_u8)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint8_t *above,
                                 uint8_t *below, int count, int stream);

    // Interpolation: between n = 2 ... 5 numbers lie two.
    // Of 2: avg(avg(x0, x1), x0) and avg(avg(x0, x1), x1). Of more: floor(n / 2) + sum over t of mul(x[t], taps[t]),
    // and the same with the taps in reverse. The sum of the taps is at most 65536.
    //
    // Along x, of n pixels from each on: the first of each pair of pixels, and the second.
    void (*fixed_interpolate_row)(const uint16_t *row, const uint16_t *taps, int n, uint16_t *first, uint16_t *second,
                             int samples, int channels);
    // Along y, of n rows, in which first and second pixels come apart: two rows with all pixels in their places. To
    // bytes as fixed_store_u8, of which either row may be null.
    void (*fixed_interpolate_rows)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                              uint16_t *above, uint16_t *below, int pairs, int channels);
    void (*fixed_interpolate_to_u8)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                               uint8_t *above, uint8_t *below, int pixels, int channels, int stream);
    // Twice, of RGBA: pairs of pixels of two rows, from rows of samples. The outputs of the first interpolation are the samples
    // of the second, except for the `skip_x` first of each row and the `skip_y` first rows, 0 or 1.
    void (*fixed_interpolate_twice)(const uint16_t *const *samples, const frost_interpolations *interpolations, int skip_x, int skip_y,
                               uint16_t *above, uint16_t *below, int pairs);

    // Stages of colour on RGBA of floats, in place; `x` is the first pixel's column, for grain.
    void (*color_stages)(float *row, int pixels, const frost_color_stage *stages, int stage_count, float maximum,
                         uint32_t x);
    // The same of one stage of TRANSFER on rows of 1 to 4 channels, of which the 2nd or 4th is alpha. Nothing is limited.
    void (*transfer)(float *row, int pixels, int channels, const frost_color_stage *stage, float maximum);
    // row = original + (row - original) * parts, a part a pixel; to the bit what it was where the part is 1, so that a pixel's
    // neighbours, for whose sake it is mixed, change nothing.
    void (*color_mix)(float *row, const float *original, const float *parts, int pixels);
    // sum += row * w, with w of a pixel of share v the smaller of (v - below) * rise and (above - v) * fall, within 0...1.
    void (*blend_level)(float *sum, const float *row, const float *shares, int pixels, float below, float rise,
                        float above, float fall);
    // Rounds with dither, from pixel `phase` of the table on, to whole steps of 0...maximum, alpha without, and colours to at
    // most alpha; or to straight colours.
    void (*color_settle)(float *row, int pixels, int straight, float maximum, const int16_t *dither,
                         uint32_t phase);
    // RGBA to RGB.
    void (*compress_rgb8)(const uint8_t *row, uint8_t *out, int pixels);
    // Stages of colour on RGBA of fixed-point numbers, X = floor(row / 2), and their results to bytes:
    // floor((x + offset) / 64) with those of the table, and of colours at most alpha. `add` is what the offsets
    // have in them besides the dither: straight colours are x + add divided by the alpha that is written, and the dither comes
    // after that, 1/128 of a step off. The first pixel's offset is that of `phase`. `stream` as of fixed_convolve.
    void (*fixed_output)(const uint16_t *row, const frost_fixed_output *how, uint8_t *out, int pixels, uint32_t phase,
                         int stream);

    // Low-resolution samples of RGBA in fixed point, after a stage of MATRIX without limits: row[x] / 256, then as color_stages,
    // to the nearest 256th. Returns whether the alpha of all samples is at least `opaque`.
    int (*color_samples)(const uint16_t *row, const frost_color_stage *matrix, uint16_t *out, float opaque, int samples);
    // Of RGBA, fixed_interpolate_to_u8 with dither, from a table of pairs: min((x + offset) / 256, that of alpha).
    // If all is `opaque`, alpha comes to 255, and to no less than the limits' `opaque`. With `limits`, n is 2, and x is their y.
    // `stream` as of fixed_output.
    void (*fixed_interpolate_dithered)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                                  uint8_t *above, uint8_t *below, int pixels, const uint16_t *offsets,
                                  uint32_t phase_above, uint32_t phase_below, const frost_late_limits *limits, int opaque,
                                  int stream);
    // The same to straight RGBA: x / 256, or with limits (y + add) / 256, is divided by the alpha that is written, as
    // fixed_store_rgba8 does; colours then get the difference of their pixel, from a table of pairs. Without a table there is none.
    void (*fixed_interpolate_divided)(const uint16_t *const *first, const uint16_t *const *second, const uint16_t *taps, int n,
                                 uint8_t *above, uint8_t *below, int pixels, const float *differences, uint32_t phase_above,
                                 uint32_t phase_below, const frost_late_limits *limits, int stream);
    // Of RGBA the limits' y + add, in place.
    void (*fixed_limit)(uint16_t *row, const frost_late_limits *limits, int pixels);

    // What went past the caches is seen by other threads before what is written from here on.
    void (*end_streaming)(void);

    // A row of RGBA over another, by parts 0...1 of its pixels: out = 2 (o + mul(x - o, part)), of halves x and o of the
    // numbers, and the part in 32767ths, rounded to nearest even; with all of these the numbers themselves.
    void (*fixed_mix)(const uint16_t *row, const uint16_t *original, const float *parts, uint16_t *out, int pixels);

    // Parts of a mask that grow from 0 to 1 along the way out from a circle: t t (3 - 2 t) with t = (d - lowest) slope, within 0...1,
    // and d = sqrt(dx dx + square), dx = start + x step, for pixels x from `first` on.
    void (*circle_parts)(float *out, int first, int count, float start, float step, float square, float lowest, float slope);

    // Means along the lines to a centre, of pixels `first` and on, at out[first * channels] and on. rows[j][i * channels]
    // is the first channel of pixel i in the row j below that of the output; j and i may be negative. The centre lies `centre` from pixel 0.
    // With d from a pixel to the centre and m = max(|dx|, |dy|), the pixel is the mean of itself, by
    // min(inward m, 1/2) + min(outward m, 1/2), and of the samples k = 1, 2, ... towards the centre and away from it, by
    // min(1, inward m - (k - 1/2)), or outward, as far as that is above 0. They lie k pixels away along the axis of m and
    // k s along the other, s = d / m there, with the numbers before and behind mixed by first + (second - first) part.
    // Sums go inwards first, four samples that count in full at a time, (a + b) + (c + d), and are divided by
    // inward m + outward m.
    void (*zoom)(const float *const *rows, double centre_x, double centre_y, float inward, float outward, float *out,
                 int first, int pixels, int channels);
} frost_kernels;

enum { FROST_BASELINE = 0, FROST_AVX2 = 1, FROST_AVX512 = 2 };

// The kernels for an instruction set, or null where this processor (or this build) lacks it. FROST_BASELINE is
// always there: SSE2 on x86-64, NEON on 64-bit Arm.
const frost_kernels *frost_kernels_for(int level);
