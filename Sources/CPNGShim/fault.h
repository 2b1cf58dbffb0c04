// What the reader and the writer share: reporting a failure inside libpng.
#pragma once

#include "CPNGShim.h"

#include <png.h>

typedef struct fault {
    frost_png_status status;
    char message[192];
    /// libpng's first warning; empty if there was none.
    char warning[192];
} fault;

/// Records a failure. Later failures do not replace it.
void fault_set(fault *fault, frost_png_status status, const char *message);

/// libpng's error callback. Its error pointer is the handle's fault. It does not return.
_Noreturn void fault_raise(png_structp png, png_const_charp message);

/// Makes every later failure in the calling function return to this line, and refuses a handle that has failed. This is
/// a macro because the function that calls setjmp must still be running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_PNG_OK || setjmp(png_jmpbuf((handle)->png)) != 0)                          \
            return (handle)->fault.status;                                                                             \
    } while (0)
