// The inner loops of the CPU backend, compiled once per instruction set and chosen at run time.
//
// Every function computes the same bits on every instruction set: each output is a sum in the order of its taps,
// multiplication and addition rounded separately. The tests hold a scalar twin of each in Swift.
//
// Rows of floats and of 16-bit integers have FROST_SLACK * 4 bytes behind their last value, and FROST_SLACK * 4 before
// the first in interpolate_u16, which may be read and
// overwritten with numbers that mean nothing. Rows of bytes have none.
#pragma once

#include <stdint.h>

#define FROST_SLACK 64

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

    // The finest level of 8-bit images in 16-bit integers. Domains: halve_u16 takes values up to 8191, interpolate_u16 and
    // interpolate_to_u8 values up to 65535 - 128 - (n + 1) / 2 and taps with a sum of at most 65536.
    //
    // Down, exactly: out[x] = sum over t of C(n-1, t) * rows[t][x], n = 4, 6 or 8.
    void (*binomial_u8)(const uint8_t *const *rows, int tap_count, uint16_t *out, int count);
    // out[i] = scale * (row[2i] + 3 row[2i+1] + 3 row[2i+2] + row[2i+3]), in pixels of 4.
    void (*halve_u16)(const uint16_t *row, float scale, float *out, int pixels);
    void (*widen_u16)(const uint16_t *row, float scale, float *out, int count);
    // To the nearest number of `scale`ths of a step, of 0...255 steps.
    void (*quantize)(const float *row, float scale, uint16_t *out, int count);
    // Up, in 256ths of a step, taps in 65536ths: each product is cut off, and half of what that takes on average is
    // added back. In pixels of 1 to 4; `cells` pairs of pixels:
    // out[2i]     = (n + 1) / 2 + sum over t of floor(row[i + even_first + t] even[t] / 65536)
    // out[2i + 1] = (n + 1) / 2 + sum over t of floor(row[i + odd_first + t] odd[t] / 65536)
    void (*interpolate_u16)(const uint16_t *row, const uint16_t *even, int even_first, const uint16_t *odd, int odd_first,
                            int tap_count, uint16_t *out, int cells, int channels);
    // out[x] = ((n + 1) / 2 + sum over t of floor(rows[t][x] taps[t] / 65536) + 128) / 256
    void (*interpolate_to_u8)(const uint16_t *const *rows, const uint16_t *taps, int tap_count, uint8_t *out, int count);

    // Direct filters of 8-bit images in 128ths of a step, taps symmetric in 65536ths: values up to 255 * 128, so that
    // sums of two fit.
    //
    // out[x] = 128 row[x]
    void (*scale_u8)(const uint8_t *row, uint16_t *out, int count);
    // out[x] = (radius + 1) / 2 + floor(rows[radius][x] taps[0] / 65536)
    //        + sum over t = 1 ... radius of floor((rows[radius - t][x] + rows[radius + t][x]) taps[t] / 65536)
    void (*convolve_u16)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint16_t *out, int count);
    // The same, then (x + 64) / 128.
    void (*convolve_to_u8)(const uint16_t *const *rows, const uint16_t *taps, int radius, uint8_t *out, int count);
} frost_kernels;

enum { FROST_BASELINE = 0, FROST_AVX2 = 1, FROST_AVX512 = 2 };

// The kernels for an instruction set, or null where this processor (or this build) lacks it. FROST_BASELINE is
// always there: SSE2 on x86-64, NEON on 64-bit Arm.
const frost_kernels *frost_kernels_for(int level);
