// Calls every kernel with pseudo-random arguments and prints a digest of its results, one line per kernel.
//
//     digests [LEVEL]      0: baseline, the default; 1: AVX2; 2: AVX-512
//
// Tools/check-arm compiles this program for the machine and for 64-bit Arm, and compares the outputs. The Swift tests
// compare the machine's kernels with the baseline's and with scalar versions, bit for bit. So equal digests mean that the NEON
// kernels compute the same. The arguments contain no NaN, because its sign differs between instruction sets. The arguments must
// not depend on the instruction set either.
#pragma STDC FP_CONTRACT OFF

#include "CFrostKernels.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 300, ROW = 4 * PIXELS + 2 * FROST_SLACK, ROWS = 40 };

static uint64_t state = 0x9E3779B97F4A7C15;
static uint64_t digest;
static const frost_kernels *k;

static uint32_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 24);
}
static int below(int limit) { return (int)(next() % (uint32_t)limit); }
static float between(float low, float high) { return low + (high - low) * ((float)(next() >> 8) * 0x1p-24f); }

// FNV-1a.
static void add(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) digest = (digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3;
}

#define ADD(row, count) add(row, (size_t)(count) * sizeof *(row))

// The input and output rows. They begin at odd multiples of their elements, so that no kernel can rely on alignment.
static uint8_t bytes[ROWS][2 * ROW + 1], byte_out[4][4 * ROW + 1];
static uint16_t words[ROWS][ROW + 1], word_out[4][2 * ROW + 1];
static float floats[ROWS][ROW + 1], float_out[4][ROW + 1];
static const uint8_t *byte_rows[ROWS];
static const uint16_t *word_rows[ROWS], *second_rows[ROWS];
static const float *float_rows[ROWS];

static uint8_t some_byte(void) {
    static const uint8_t extremes[] = {0, 255, 1, 254, 127, 128};
    return below(4) ? (uint8_t)next() : extremes[below(6)];
}
static uint16_t some_word(uint16_t limit) {
    const uint16_t extremes[] = {0, limit, 1, (uint16_t)(limit - 1)};
    return below(4) ? (uint16_t)(next() % (limit + 1u)) : extremes[below(4)];
}
static float some_float(void) {
    static const float extremes[] = {0, -0.0f, 255, 0x1p-133f, -3, 65504, 0.5f, 1.5f, 254.5f};
    return below(4) ? between(-1, 256) : extremes[below(9)];
}

static void fill(uint16_t limit) {
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < 2 * ROW + 1; x++) bytes[y][x] = some_byte();
        for (int x = 0; x < ROW + 1; x++) {
            words[y][x] = some_word(limit);
            floats[y][x] = some_float();
        }
        byte_rows[y] = bytes[y] + 1;
        word_rows[y] = words[y] + 1;
        second_rows[y] = words[(y + ROWS / 2) % ROWS] + 1;
        float_rows[y] = floats[y] + 1;
    }
}

// Makes premultiplied pixels of floats in 0...maximum.
static void fill_colors(float maximum) {
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x + 4 <= ROW; x += 4) {
            const float alpha = below(3) ? between(0, maximum) : below(2) ? maximum : 0;
            for (int c = 0; c < 3; c++) floats[y][1 + x + c] = between(0, alpha);
            floats[y][1 + x + 3] = alpha;
        }
    }
}

// Makes premultiplied pixels of fixed-point numbers.
static void fill_fixed_colors(void) {
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x + 4 <= ROW; x += 4) {
            const uint16_t alpha = some_word(65280);
            for (int c = 0; c < 3; c++) words[y][1 + x + c] = some_word(alpha);
            words[y][1 + x + 3] = alpha;
        }
    }
}

// Makes weights in 1/65536 with a sum of at most 65536.
static void make_weights(uint16_t *weights, int count) {
    for (int t = 0; t < count; t++) weights[t] = (uint16_t)below(65536 / count);
}

static const int counts[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 65, 100, 129, 257, PIXELS};
enum { COUNTS = sizeof counts / sizeof counts[0] };

#define EACH_COUNT(n) for (int i_##n = 0, n; i_##n < COUNTS && (n = counts[i_##n], 1); i_##n++)
#define KERNEL(name)                                                     \
    for (int once = (digest = 0xCBF29CE484222325, fill(65280), 1); once; \
         once = 0, printf("%s %016llx\n", #name, (unsigned long long)digest))

static const enum frost_samples kinds[] = {
    FROST_NUMBERS, FROST_U8, FROST_RGBA8, FROST_U16, FROST_RGBA16, FROST_F32, FROST_RGBA32F, FROST_F16, FROST_RGBA16F};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void float_kernels(void) {
    float taps[64];
    KERNEL(weighted_sum) EACH_COUNT(n) for (int t = 1; t < 30; t += 3) {
        for (int i = 0; i < t; i++) taps[i] = between(-0.25f, 1);
        k->weighted_sum(float_rows, taps, t, float_out[0] + 1, n);
        ADD(float_out[0] + 1, n);
    }
    KERNEL(filter_row) EACH_COUNT(n) for (int radius = 1; radius <= FROST_MAXIMUM_RADIUS; radius++) {
        for (int i = 0; i <= radius; i++) taps[i] = between(-0.25f, 1);
        for (int channels = 1; channels <= 4 && n + 2 * radius <= PIXELS; channels++) {
            k->filter_row(float_rows[0] + radius * channels, taps, radius, float_out[0] + 1, n, channels);
            ADD(float_out[0] + 1, n * channels);
        }
    }
    KERNEL(filter_rows) EACH_COUNT(n) for (int f = 0; f < KINDS; f++) {
        for (int t = 0; t < KINDS; t++) {
            const int from = kinds[f], to = kinds[t];
            // Straight alpha needs whole pixels.
            const int count = (from | to) & 1 ? 4 * n : n, symmetric = below(2), tap_count = 1 + below(12);
            if (count > 4 * PIXELS) continue;
            enum { OUT = 3 };
            const void *rows[16];
            const float *tap_rows[OUT] = {taps, taps, taps};
            int32_t starts[OUT];
            void *out[OUT];
            for (int i = 0; i < tap_count; i++) taps[i] = between(-0.25f, 1);
            for (int i = 0; symmetric && i < tap_count / 2; i++) taps[tap_count - 1 - i] = taps[i];
            for (int y = 0; y < 15; y++) rows[y] = from ? (const void *)(floats[y] + 1) : (const void *)float_rows[y];
            // Any two bytes are a number of 16 bits, but a half could be NaN.
            for (int y = 0; y < 15; y++) {
                if ((from & ~1) == FROST_F16) {
                    for (int x = 0; x < 2 * ROW; x += 2) bytes[y][1 + x + 1] &= 0xBF;
                    rows[y] = byte_rows[y];
                } else if (from && (from & ~1) != FROST_F32) {
                    rows[y] = byte_rows[y];
                }
            }
            for (int i = 0; i < OUT; i++) {
                starts[i] = below(15 - tap_count);
                out[i] = float_out[i] + 1;
            }
            memset(float_out, 0, sizeof float_out);
            k->filter_rows(&(frost_row_filter){
                .rows = rows, .starts = starts, .taps = tap_rows, .out = out, .input_count = 15, .tap_count = tap_count,
                .row_count = OUT, .count = count, .is_symmetric = symmetric, .from = (enum frost_samples)from,
                .to = (enum frost_samples)to});
            const int size = to ? to >> 2 : 4;
            for (int i = 0; i < OUT; i++) add(out[i], (size_t)(count * size));
        }
    }
    KERNEL(load_floats) EACH_COUNT(n) for (int i = 1; i < KINDS; i++) {
        const int kind = kinds[i];
        if ((kind & ~1) == FROST_F32) continue;
        for (int x = 0; (kind & ~1) == FROST_F16 && x < 2 * ROW; x += 2) bytes[3][1 + x + 1] &= 0xBF;
        k->load_floats((enum frost_samples)kind, byte_rows[3], float_out[0] + 1, 4 * n);
        ADD(float_out[0] + 1, 4 * n);
        k->load_floats(kind & 1 ? FROST_RGBA32F : FROST_F32, float_rows[3], float_out[0] + 1, 4 * n);
        ADD(float_out[0] + 1, 4 * n);
    }
    KERNEL(store_floats) EACH_COUNT(n) for (int i = 1; i < KINDS; i++) {
        k->store_floats(kinds[i], float_rows[i], float_out[1] + 1, 4 * n, 0);
        add(float_out[1] + 1, (size_t)(4 * n * (kinds[i] >> 2)));
    }
    KERNEL(decimate) EACH_COUNT(n) for (int channels = 1; channels <= 4; channels++) {
        for (int t = 2; t <= 14; t += 2) {
            if (2 * n + t > PIXELS) continue;
            for (int i = 0; i < t / 2; i++) taps[i] = taps[t - 1 - i] = between(0, 1);
            k->decimate(float_rows[2], taps, t, float_out[0] + 1, n, channels);
            ADD(float_out[0] + 1, n * channels);
        }
    }
    KERNEL(interpolate) EACH_COUNT(n) for (int channels = 1; channels <= 4; channels++) {
        for (int t = 1; t <= 7; t++) {
            float odd[8];
            const int half = below(2 * t), first = below(9);
            for (int i = 0; i < t; i++) taps[i] = between(0, 1), odd[i] = between(0, 1);
            k->interpolate(float_rows[5] + 16, taps, odd, t, half, float_out[0] + 1, first, n, channels);
            ADD(float_out[0] + 1, n * channels);
        }
    }
}

static void conversion_kernels(void) {
    KERNEL(fixed_load) EACH_COUNT(n) {
        uint16_t *out = word_out[0] + 1;
        k->fixed_load_u8(byte_rows[0], out, n), ADD(out, n);
        k->fixed_load_rgba8(byte_rows[1], out, 4 * n), ADD(out, 4 * n);
        k->fixed_load_rgb8(byte_rows[2], out, n), ADD(out, 4 * n);
        k->fixed_load_floats(float_rows[3], out, n), ADD(out, n);
        int opaque = k->is_opaque_rgba8(byte_rows[4], 4 * n);
        add(&opaque, sizeof opaque);
        memset(bytes[5], 255, sizeof bytes[5]);
        opaque = k->is_opaque_rgba8(byte_rows[5], 4 * n);
        add(&opaque, sizeof opaque);
        opaque = k->is_opaque_fixed(word_rows[6], 4 * n);
        add(&opaque, sizeof opaque);
    }
    KERNEL(fixed_store) EACH_COUNT(n) {
        uint8_t *out = byte_out[0] + 1;
        k->fixed_store_u8(word_rows[0], out, n), ADD(out, n);
        k->fixed_store_rgba8(word_rows[1], out, 4 * n), ADD(out, 4 * n);
        k->fixed_store_floats(word_rows[2], float_out[0] + 1, n), ADD(float_out[0] + 1, n);
        k->expand_rgb8(byte_rows[3], out, n), ADD(out, 4 * n);
        k->compress_rgb8(byte_rows[4], out, n), ADD(out, 3 * n);
    }
}

static void fixed_kernels(void) {
    uint16_t taps[32];
    uint16_t *first[2] = {word_out[0] + 1, word_out[2] + 1}, *second[2] = {word_out[1] + 1, word_out[3] + 1};
    KERNEL(fixed_decimate) EACH_COUNT(n) for (int channels = 1; channels <= 4; channels++) {
        const int half = channels * ((n + 1) / 2), rest = channels * (n / 2);
        for (int t = 4; t <= 8; t += 2) {
            for (int rows = 1; rows <= 2; rows++) {
                k->fixed_decimate_bytes(byte_rows, t, first, second, rows, 2, n & 1 ? bytes[ROWS - 1] : NULL, t > 4 ? t / 4 : 0, n,
                                        channels);
                for (int i = 0; i < rows; i++) ADD(first[i], half), ADD(second[i], rest);
            }
            k->fixed_decimate_rows(word_rows, t, first[0], second[0], n, channels);
            ADD(first[0], half), ADD(second[0], rest);
            if (n + t > PIXELS) continue;
            k->fixed_decimate_row(word_rows[7], word_rows[8], t, word_out[0] + 1, n, channels);
            ADD(word_out[0] + 1, n * channels);
        }
    }
    KERNEL(fixed_convolve) EACH_COUNT(n) for (int radius = 1; radius <= 12; radius++) {
        make_weights(taps, 2 * radius + 1);
        for (int rows = 1; rows <= 3; rows++) {
            uint16_t *out[3] = {word_out[0] + 1, word_out[1] + 1, word_out[2] + 1};
            uint8_t *to[3] = {byte_out[0] + 1, byte_out[1] + 1, byte_out[2] + 1};
            k->fixed_convolve(word_rows, taps, radius, out, rows, n);
            for (int i = 0; i < rows; i++) ADD(out[i], n);
            for (int channels = 1; channels <= 4 && rows == 1 && n + 2 * radius <= PIXELS; channels++) {
                k->fixed_convolve_row(word_rows[0] + radius * channels, taps, radius, out[0], n, channels, 0);
                ADD(out[0], n * channels);
            }
            for (int straight = 0; straight < 2; straight++) {
                k->fixed_convolve_to_u8(word_rows, taps, radius, to, rows, 4 * n, straight, 0);
                for (int i = 0; i < rows; i++) ADD(to[i], 4 * n);
            }
        }
    }
    KERNEL(fixed_interpolate) EACH_COUNT(n) for (int t = 2; t <= 5; t++) {
        make_weights(taps, t);
        for (int channels = 1; channels <= 4; channels++) {
            k->fixed_interpolate_row(word_rows[1], taps, t, first[0], second[0], n, channels);
            ADD(first[0], n * channels), ADD(second[0], n * channels);
            k->fixed_interpolate_rows(word_rows, second_rows, taps, t, first[0], second[0], n, channels);
            ADD(first[0], 2 * n * channels), ADD(second[0], 2 * n * channels);
            k->fixed_interpolate_to_u8(word_rows, second_rows, taps, t, byte_out[0] + 1, byte_out[1] + 1, n, channels, 0);
            ADD(byte_out[0] + 1, n * channels), ADD(byte_out[1] + 1, n * channels);
        }
    }
}

static void color_kernels(void) {
    static float hashes[4 * ROW];
    static int16_t dither[FROST_DITHER_PERIOD + FROST_SLACK];
    for (int i = 0; i < 4 * ROW; i++) hashes[i] = between(-0.1f, 0.1f);
    // Tables of dither repeat after their period.
    for (int i = 0; i < FROST_DITHER_PERIOD + FROST_SLACK; i++)
        dither[i] = i < FROST_DITHER_PERIOD ? (int16_t)below(128) : dither[i - FROST_DITHER_PERIOD];
    KERNEL(color_stages) EACH_COUNT(n) for (int kind = 0; kind <= FROST_STAGE_EXTENDED_TRANSFER; kind++) {
        frost_color_stage stage = {.kind = (enum frost_stage_kind)kind, .hash_row = next(), .hashes = (uintptr_t)hashes};
        for (int i = 0; i < 7; i++) for (int c = 0; c < 4; c++) stage.columns[i][c] = between(0, 1);
        fill_colors(255);
        memcpy(float_out[0], floats[0], sizeof floats[0]);
        k->color_stages(float_out[0] + 1, n, &stage, 1, 255, (uint32_t)below(3));
        ADD(float_out[0] + 1, 4 * n);
        if (kind != FROST_STAGE_TRANSFER) continue;
        for (int channels = 1; channels <= 4; channels++) {
            memcpy(float_out[0], floats[1], sizeof floats[1]);
            k->transfer(float_out[0] + 1, n, channels, &stage, 255);
            ADD(float_out[0] + 1, n * channels);
        }
    }
    KERNEL(color_mix) EACH_COUNT(n) {
        static float parts[ROW];
        for (int i = 0; i < ROW; i++) parts[i] = below(4) ? between(0, 1) : (float)below(2);
        fill_colors(255);
        memcpy(float_out[0], floats[0], sizeof floats[0]);
        k->color_mix(float_out[0] + 1, float_rows[1], parts, n);
        ADD(float_out[0] + 1, 4 * n);
        k->blend_level(float_out[0] + 1, float_rows[2], parts, n, between(0, 0.4f), between(1, 9), between(0.6f, 1), 3);
        ADD(float_out[0] + 1, 4 * n);
        const int chunk = (n + 1) / 2;
        k->blend_shares(parts, n, chunk, float_out[0] + 1);
        ADD(parts, n);
        ADD(float_out[0] + 1, 2 * ((n + chunk - 1) / chunk));
        fill_fixed_colors();
        memcpy(word_out[0], words[0], sizeof words[0]);
        k->fixed_blend_level(word_out[0] + 1, word_rows[1], parts, n, between(0, 0.4f), between(1, 9), between(0.6f, 1), 3);
        ADD(word_out[0] + 1, 4 * n);
        k->fixed_blend_pair(word_out[0] + 1, word_rows[1], parts, n, between(0, 0.4f), between(1, 9), below(2));
        ADD(word_out[0] + 1, 4 * n);
        memcpy(word_out[0] + 1, word_rows[0], 4 * (size_t)n * sizeof(uint16_t));
        k->fixed_mix(word_out[0] + 1, word_rows[1], parts, n);
        ADD(word_out[0] + 1, 4 * n);
        k->copy_bytes(byte_rows[2], byte_out[0] + 1, n, 0);
        ADD(byte_out[0] + 1, n);
        k->circle_parts(float_out[0] + 1, below(9), n, between(-50, 0), between(0.1f, 1), between(0, 900), between(0, 9), 0.05f);
        ADD(float_out[0] + 1, n);
        k->ramp_parts(float_out[0] + 1, below(9), n, between(-1, 1), between(-0.1f, 0.1f));
        ADD(float_out[0] + 1, n);
        static int32_t lefts[ROW];
        for (int i = 1; i < ROW; i++) lefts[i] = lefts[i - 1] + (i < n ? below(2) : 0);
        k->stretch_row(float_rows[1], lefts, parts, float_out[0] + 1, n);
        ADD(float_out[0] + 1, n);
    }
    KERNEL(content) EACH_COUNT(n) for (int taps = 1; taps <= 3; taps++) {
        static float weights[3 * ROW];
        static int32_t firsts[ROW];
        for (int i = 0; i < 3 * ROW; i++) weights[i] = between(0, 1);
        for (int i = 0; i < n; i++) firsts[i] = below(n);
        fill_colors(1);
        k->place_pixels(float_rows[0], firsts, weights, taps, float_out[0] + 1, float_out[1] + 1, n);
        ADD(float_out[0] + 1, 4 * n);
        ADD(float_out[1] + 1, n);
        k->draw_pixels(float_out[0] + 1, float_rows[1], 255, n);
        ADD(float_out[0] + 1, 4 * n);
    }
    KERNEL(color_settle) EACH_COUNT(n) for (int straight = 0; straight < 2; straight++) {
        fill_colors(255);
        memcpy(float_out[0], floats[0], sizeof floats[0]);
        k->color_settle(float_out[0] + 1, n, straight, 255, dither, (uint32_t)below(FROST_DITHER_PERIOD));
        ADD(float_out[0] + 1, 4 * n);
    }
    KERNEL(cells) EACH_COUNT(n) for (int channels = 1; channels <= 4; channels++) {
        const int level = below(7), cells = (n >> level) + 2;
        memcpy(word_out[0], words[0], sizeof words[0]);
        k->cell_sums(byte_rows, 1 + below(9), word_out[0] + 1, n * channels, below(2));
        ADD(word_out[0] + 1, n * channels);
        k->cell_means(word_out[0] + 1, -below(90), n, level, below(9), float_out[0] + 1, cells, channels);
        ADD(float_out[0] + 1, cells * channels);
        k->cell_copies(float_out[0] + 1, cells, level, -below(90), float_out[1] + 1, n, channels);
        ADD(float_out[1] + 1, n * channels);
        fill_colors(255);
        k->dither_steps(float_rows[0], n, below(2), byte_out[0] + 1, byte_out[1] + 1);
        ADD(byte_out[1] + 1, 4 * n);
        memcpy(bytes[0] + 1025, bytes[0] + 1, 4 * FROST_SLACK);
        k->dither_bytes(byte_out[0] + 1, byte_out[1] + 1, byte_rows[0], below(1024), 1024, byte_out[2] + 1, 4 * n, 0);
        ADD(byte_out[2] + 1, 4 * n);
    }
    KERNEL(fixed_output) EACH_COUNT(n) for (int kind = 0; kind <= FROST_FIXED_VIVID; kind++) {
        frost_fixed_stage stage = {.kind = (enum frost_fixed_kind)kind, .scale = (int16_t)below(20000)};
        if (kind != FROST_FIXED_TINT && below(2)) stage.scale = (int16_t)-stage.scale;
        for (int c = 0; c < 4; c++) {
            // Tints keep colours within alpha, and the weights have a sum of at most 1.
            stage.add[c] = (int16_t)(c < 3 ? below(2000) : 2000);
            stage.weights[c] = (int16_t)(below(16000) - 8000), stage.curve[c] = (int16_t)below(8000);
        }
        if (kind == FROST_FIXED_VIVID) {
            const int black = below(2);
            stage.add[0] = black ? 0 : FROST_FIXED_TOP;
            stage.curve[0] = black ? -1 : 0, stage.curve[1] = black ? 16321 : -16320;
            stage.scale = (int16_t)below(32768);
            stage.weights[0] = 6966, stage.weights[2] = 2366;
            stage.limits[0] = between(0, 0x1p-24f), stage.limits[1] = between(0, 0x1p-78f);
        }
        for (int format = 0; format <= FROST_OUTPUT_RGB; format++) {
            const frost_fixed_output how = {&stage, 1, (enum frost_output_format)format, dither};
            fill_fixed_colors();
            k->fixed_output(word_rows[0], &how, byte_out[0] + 1, n, (uint32_t)below(FROST_DITHER_PERIOD), 0);
            ADD(byte_out[0] + 1, format == FROST_OUTPUT_RGB ? 3 * n : 4 * n);
        }
        memcpy(word_out[0] + 1, word_rows[0], 4 * (size_t)n * sizeof(uint16_t));
        k->fixed_stages(word_out[0] + 1, &stage, 1, n);
        ADD(word_out[0] + 1, 4 * n);
    }
    KERNEL(fixed_interpolate_to_rgba8) EACH_COUNT(n) for (int t = 2; t <= 5; t++) {
        uint16_t taps[5];
        make_weights(taps, t);
        fill_fixed_colors();
        for (int opaque = 0; opaque < 2; opaque++) {
            k->fixed_interpolate_to_rgba8(word_rows, second_rows, taps, t, byte_out[0] + 1, byte_out[1] + 1, n, opaque, 0);
            ADD(byte_out[0] + 1, 4 * n), ADD(byte_out[1] + 1, 4 * n);
        }
    }
    KERNEL(fixed_interpolate_to_output) EACH_COUNT(n) for (int t = 2; t <= 5; t++) {
        uint16_t taps[10];
        make_weights(taps, t), make_weights(taps + t, t);
        fill_fixed_colors();
        const frost_fixed_stage stage = {.kind = FROST_FIXED_TINT, .scale = 20000, .add = {1000, 1000, 1000, 2000}};
        for (int format = 0; format <= FROST_OUTPUT_RGB; format++) {
            const frost_fixed_output how = {&stage, 1, (enum frost_output_format)format, below(2) ? dither : NULL};
            const int bytes = format == FROST_OUTPUT_RGB ? 3 * n : 4 * n;
            k->fixed_interpolate_to_output(word_rows, second_rows, taps, t, byte_out[0] + 1, byte_out[1] + 1, n, &how, 3, 9, 0);
            ADD(byte_out[0] + 1, bytes), ADD(byte_out[1] + 1, bytes);
        }
    }
}

static void run_kernels(void) {
    enum { GROUPS = 4, RUNS = 5, LONGEST = 50 };
    static uint16_t values[ROWS][ROW + 1], sums[ROWS][ROW + 5];
    static const uint16_t *value_rows[ROWS], *sum_rows[ROWS];
    KERNEL(prefix_sums) for (int channels = 1; channels <= 4; channels++) EACH_COUNT(n) {
        const int step = 1 + below(2), y = below(ROWS);
        k->prefix_sums(bytes[y] + 1, step, values[0] + 1, sums[0] + 1, n, channels);
        ADD(values[0] + 1, n * channels);
        ADD(sums[0] + 1, (n + 1) * channels);
    }
    KERNEL(sum_runs) for (int channels = 1; channels <= 4; channels++) EACH_COUNT(n) {
        frost_run runs[GROUPS * RUNS];
        frost_run_group groups[GROUPS];
        if (n > PIXELS - LONGEST) continue;
        for (int y = 0; y < ROWS; y++) {
            k->prefix_sums(bytes[y] + 1, 1, values[y] + 1, sums[y] + 1, n + LONGEST, channels);
            value_rows[y] = values[y] + 1, sum_rows[y] = sums[y] + 1;
        }
        for (int g = 0; g < GROUPS; g++) {
            const int longs = below(RUNS);
            groups[g] = (frost_run_group){between(0, 0.01f), longs, RUNS - longs, 0, 0};
            for (int i = 0; i < RUNS; i++) {
                const int length = i < longs ? 2 + below(LONGEST - 2) : 1, first = below(LONGEST - length);
                runs[g * RUNS + i] = (frost_run){below(ROWS), first * channels, (first + length) * channels};
            }
        }
        k->sum_runs(value_rows, sum_rows, runs, groups, GROUPS, 1, float_out[0] + 1, 0, n * channels);
        k->sum_runs(value_rows, sum_rows, runs, groups, GROUPS, 1.0f / 256, float_out[0] + 1, 1, n * channels);
        ADD(float_out[0] + 1, n * channels);
        uint16_t sum[4 * PIXELS + FROST_SLACK];
        for (int g = 0; g < GROUPS; g++) groups[g].factor = (uint16_t)below(1 << 13), groups[g].shift = 0;
        for (int adds = 0; adds < 2; adds++) k->sum_runs_fixed(value_rows, sum_rows, runs, groups, GROUPS, sum, adds, n * channels);
        ADD(sum, n * channels);
    }
    KERNEL(sum_columns) for (int channels = 1; channels <= 4; channels++) EACH_COUNT(n) {
        enum { STRIDE = ROW + 64 };
        static uint16_t prefix[(ROWS + 1) * STRIDE], sums[2 * STRIDE], out[(ROWS - 2) * STRIDE];
        if (n > PIXELS - 3) continue;
        const frost_run column_runs[2] = {{0, STRIDE, 2 * STRIDE}, {0, 0, 3 * STRIDE}};
        const frost_column_term terms[3] = {{0, 700, 0}, {1, 30, 1}, {1, 90, 1}};
        const int32_t columns[3] = {STRIDE, channels, STRIDE + 2 * channels};
        const frost_columns c = {
            .rows = byte_rows, .row_count = ROWS, .width = (n + 2) * channels, .runs = column_runs, .run_count = 2, .terms = terms,
            .term_count = 3, .columns = columns, .column_count = 3, .shift = 6, .constant = 3, .prefix = prefix, .sums = sums,
            .stride = STRIDE, .out = out, .out_stride = STRIDE, .out_count = ROWS - 2, .count = n * channels};
        k->sum_columns(&c);
        for (int y = 0; y < ROWS - 2; y++) ADD(out + y * STRIDE, n * channels);
    }
}

static void sampling_kernels(void) {
    KERNEL(zoom) for (int channels = 1; channels <= 4; channels++) for (int turn = 0; turn < 30; turn++) {
        const float *rows[ROWS];
        for (int y = 0; y < ROWS; y++) rows[y] = float_rows[y] + 4 * 40;
        const int pixels = 1 + below(60);
        k->zoom(rows + ROWS / 2, between(-40, 90), between(-15, 15), between(0, 0.2f), between(0, 0.1f), float_out[0] + 1, 0,
                pixels, channels);
        ADD(float_out[0] + 1, pixels * channels);
    }
    KERNEL(zoom_rays) for (int channels = 1; channels <= 4; channels++) for (int turn = 0; turn < 10; turn++) {
        enum { WIDTH = 40, HEIGHT = 12, MARGIN = 12 };
        static float result[HEIGHT][4 * WIDTH + FROST_SLACK];
        static int32_t starts[9 << 11];
        static frost_zoom_bend bends[1 << 14];
        static int32_t links[1 << 14];
        const float *rows[ROWS];
        for (int y = 0; y < ROWS; y++) {
            // Numbers of this kernel are converted to integers, so they are in the range of samples.
            for (int x = 0; x < ROW; x++) floats[y][1 + x] = bytes[y][x];
            rows[y] = float_rows[y] + MARGIN * channels;
        }
        memset(result, 0, sizeof result);
        const frost_zoom_rays zoom = {
            .rows = rows + MARGIN, .read_first_column = -MARGIN, .read_end_column = WIDTH + MARGIN,
            .read_first_row = -MARGIN, .read_end_row = HEIGHT + MARGIN, .end_column = WIDTH, .end_row = HEIGHT,
            .out = result[0], .out_stride = 4 * WIDTH + FROST_SLACK, .channels = channels,
            .centre_x = between(12, 28), .centre_y = between(0, 12), .inward = between(0.3f, 1), .outward = between(0, 0.4f),
            .near = 6, .far = 16, .scale = 1024, .rays_per_pixel = turn % 2 ? 20 : 32, .bend_limit = turn % 2 ? 0.002f : -1, .starts = starts, .bends = bends, .links = links};
        k->zoom_rays(&zoom);
        for (int y = 0; y < HEIGHT; y++) ADD(result[y], WIDTH * channels);
    }
    KERNEL(sample) EACH_COUNT(n) {
        static float xs[PIXELS], ys[PIXELS];
        for (int i = 0; i < n; i++) xs[i] = between(-3, 70), ys[i] = between(-3, ROWS + 3);
        for (int straight = 0; straight < 2; straight++) {
            k->sample_u8(byte_rows[0], sizeof bytes[0], 66, ROWS, xs, ys, float_out[0] + 1, n, straight);
            ADD(float_out[0] + 1, 4 * n);
        }
        k->sample_f32(float_rows[0], sizeof floats[0], 66, ROWS, xs, ys, float_out[0] + 1, n);
        ADD(float_out[0] + 1, 4 * n);
    }
    KERNEL(lens) EACH_COUNT(n) {
        static float offsets[8 * PIXELS];
        for (int i = 0; i < 8 * n; i++) offsets[i] = between(-4, 4);
        const frost_lens lens = {.rows = (const void *const *)float_rows, .row_count = ROWS, .width = 66, .own_row = 2,
                                 .channels = 4, .samples = 4};
        k->lens_floats(&lens, 0, offsets, 8, float_out[0] + 1, n < 66 ? n : 66);
        ADD(float_out[0] + 1, 4 * (n < 66 ? n : 66));
        k->mix_floats(float_rows[0], float_rows[1], 0.3f, float_out[0] + 1, n);
        ADD(float_out[0] + 1, n);
    }
}

int main(int count, char **arguments) {
    k = frost_kernels_for(count > 1 ? atoi(arguments[1]) : FROST_BASELINE);
    if (!k) return 2;
    float_kernels();
    conversion_kernels();
    fixed_kernels();
    color_kernels();
    run_kernels();
    sampling_kernels();
    k->end_streaming();
    return 0;
}
