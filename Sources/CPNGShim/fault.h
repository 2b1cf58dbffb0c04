// The failure handling inside libpng, which the reader and the writer share.
#pragma once

#include "CPNGShim.h"

#include <png.h>

typedef struct fault {
    frost_png_status status;
    char message[192];
    /// libpng's first warning; empty if there was none.
    char warning[192];
} fault;

/// Records a failure. Later failures do not replace the first one.
void fault_set(fault *fault, frost_png_status status, const char *message);

/// libpng's error callback. The error pointer of `png` must be the `fault` of a handle. The callback does not return.
_Noreturn void fault_raise(png_structp png, png_const_charp message);

/// Makes the calling function return the status of `handle` at this line: at once if the handle has already failed, or
/// later if libpng jumps back to this line. This is a macro because the function that calls setjmp must still be
/// running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_PNG_OK || setjmp(png_jmpbuf((handle)->png)) != 0)                          \
            return (handle)->fault.status;                                                                             \
    } while (0)
