// What the reader and the writer share: how a failure inside libpng gets out.
#pragma once

#include "CPNGShim.h"

#include <png.h>

typedef struct fault {
    frost_png_status status;
    char message[192];
} fault;

/// Records a failure. The first one stands.
void fault_set(fault *fault, frost_png_status status, const char *message);

/// libpng's error callback; its error pointer is the handle's fault. Does not return.
_Noreturn void fault_raise(png_structp png, png_const_charp message);

/// Makes every later failure in the calling function come back to this line, and refuses a handle that has failed.
/// A macro because setjmp's caller must not have returned when the jump happens.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_PNG_OK || setjmp(png_jmpbuf((handle)->png)) != 0)                          \
            return (handle)->fault.status;                                                                             \
    } while (0)
