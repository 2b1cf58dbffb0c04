#pragma once

#include <stddef.h>

// Returns the first place of `part` in `bytes`; null if it does not occur. It is memmem, which Swift's import of glibc leaves out.
const void *_Nullable frost_find(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull part, size_t part_count);
