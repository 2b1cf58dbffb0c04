#define _GNU_SOURCE

#include "find.h"

#include <string.h>

const void *frost_find(const void *bytes, size_t count, const void *part, size_t part_count) {
    return memmem(bytes, count, part, part_count);
}
