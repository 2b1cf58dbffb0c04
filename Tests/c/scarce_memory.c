// A library for LD_PRELOAD that makes a program run out of memory. FROST_SCARCE is the number of allocations that succeed before all of
// them fail; see scarce.h.
#define _GNU_SOURCE
#include "scarce.h"

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("FROST_SCARCE");
    if (text) atomic_store(&scarce_left, atoi(text));
}
