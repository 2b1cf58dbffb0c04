/*
 * Arguments that the bytes of libFuzzer choose, for the files of this folder. With REPLAY, a file is a program that reads the
 * files that it is given.
 */
#ifndef FROST_FUZZ_BYTES_H
#define FROST_FUZZ_BYTES_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *bytes;
static size_t left;

static inline void start(const uint8_t *data, size_t size) {
    bytes = data;
    left = size;
}

/* Copies the next bytes; zeros if there are no more. */
static inline void take(void *to, size_t size) {
    memset(to, 0, size);
    size_t count = size < left ? size : left;
    memcpy(to, bytes, count);
    bytes += count;
    left -= count;
}

static inline uint8_t byte(void) {
    uint8_t value;
    take(&value, 1);
    return value;
}

/* Copies a text of at most 63 characters. */
static inline const char *text(char buffer[64]) {
    size_t length = byte() % 64;
    take(buffer, length);
    buffer[length] = 0;
    return byte() % 8 == 0 ? NULL : buffer;
}

static inline void expect(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static inline double number(void) {
    uint8_t kind = byte();
    double value;
    if (kind % 4 == 0) {
        take(&value, sizeof value);
        return value;
    }
    return kind / 4.0 - 4;
}

#ifdef REPLAY
#define REPLAY_WITH(call) \
    int main(int count, char **names) { return replay(count, names, call); }

static int replay(int count, char **names, int (*call)(const uint8_t *data, size_t size)) {
    static uint8_t file[1 << 16];
    for (int i = 1; i < count; ++i) {
        FILE *stream = fopen(names[i], "rb");
        if (stream == NULL) return 1;
        size_t size = fread(file, 1, sizeof file, stream);
        fclose(stream);
        call(file, size);
    }
    return 0;
}
#else
#define REPLAY_WITH(call)
#endif
#endif
