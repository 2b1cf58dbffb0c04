#include "CPNG.h"

#include <string.h>

// These functions are plain loops over bytes. The compiler can vectorise them, because no result depends on another
// result.

void frost_png_order(uint8_t *pixels, size_t size, uint32_t bits, bool bgra) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bits == 16)
        for (size_t i = 0; i + 1 < size; i += 2) {
            uint8_t low = pixels[i];
            pixels[i] = pixels[i + 1];
            pixels[i + 1] = low;
        }
#endif
    if (!bgra) return;
    size_t sample = bits / 8;
    for (size_t i = 0; i + 4 * sample <= size; i += 4 * sample)
        for (size_t j = i; j < i + sample; ++j) {
            uint8_t blue = pixels[j];
            pixels[j] = pixels[j + 2 * sample];
            pixels[j + 2 * sample] = blue;
        }
}

static void sub(uint8_t *restrict out, const uint8_t *restrict row, size_t size, size_t pixel) {
    memcpy(out, row, pixel);
    for (size_t i = pixel; i < size; ++i) out[i] = row[i] - row[i - pixel];
}

static void up(uint8_t *restrict out, const uint8_t *restrict row, const uint8_t *restrict above, size_t size) {
    for (size_t i = 0; i < size; ++i) out[i] = row[i] - above[i];
}

static void average(
    uint8_t *restrict out, const uint8_t *restrict row, const uint8_t *restrict above, size_t size, size_t pixel) {
    for (size_t i = 0; i < pixel; ++i) out[i] = row[i] - above[i] / 2;
    for (size_t i = pixel; i < size; ++i) out[i] = row[i] - (uint8_t)((row[i - pixel] + above[i]) / 2);
}

static void paeth(
    uint8_t *restrict out, const uint8_t *restrict row, const uint8_t *restrict above, size_t size, size_t pixel) {
    for (size_t i = 0; i < pixel; ++i) out[i] = row[i] - above[i];
    for (size_t i = pixel; i < size; ++i) {
        int16_t left = row[i - pixel], over = above[i], corner = above[i - pixel];
        // Paeth's predictor is left + over - corner. These are the distances of the predictor from the three
        // neighbours.
        int16_t to_left = over - corner, to_over = left - corner, to_corner = to_left + to_over;
        to_left = to_left < 0 ? -to_left : to_left;
        to_over = to_over < 0 ? -to_over : to_over;
        to_corner = to_corner < 0 ? -to_corner : to_corner;
        int16_t second = to_over <= to_corner ? over : corner;
        int16_t nearest = to_left <= to_over && to_left <= to_corner ? left : second;
        out[i] = (uint8_t)(row[i] - nearest);
    }
}

void frost_png_filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel,
    frost_png_filter filter) {
    *out++ = (uint8_t)filter;
    switch (filter) {
        case FROST_PNG_FILTER_NONE: memcpy(out, row, size); break;
        case FROST_PNG_FILTER_SUB: sub(out, row, size, pixel); break;
        case FROST_PNG_FILTER_UP: up(out, row, above, size); break;
        case FROST_PNG_FILTER_AVERAGE: average(out, row, above, size, pixel); break;
        case FROST_PNG_FILTER_PAETH: paeth(out, row, above, size, pixel); break;
    }
}
