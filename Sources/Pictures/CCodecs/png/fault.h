// Handles the failures that libpng reports. The reader and the writer share this code.
#pragma once

#include "CPNG.h"
#include "packages.h"

#include <png.h>
#include <stdbool.h>

typedef struct fault {
    frost_png_status status;
    /// Whether libpng was refused memory. Its messages do not always mention this.
    bool lacks_memory;
    char message[192];
    /// libpng's first warning; empty if there was none.
    char warning[192];
} fault;

/// Records a failure. Later failures do not replace the first one.
void fault_set(fault *fault, frost_png_status status, const char *message);

/// libpng's error callback. The error pointer of `png` must point to the `fault` of a reader or a writer. The callback
/// does not return.
_Noreturn void fault_raise(png_structp png, png_const_charp message);

/// libpng's memory functions. The memory pointer of `png` must point to the `fault` of a reader or a writer.
png_voidp fault_allocate(png_structp png, png_alloc_size_t size);
void fault_free(png_structp png, png_voidp memory);

/// Makes the function that contains this line return the status of `handle` in two cases: immediately, if the handle
/// has already failed; and later, if libpng jumps back to this line. This is a macro and not a function, because the
/// function that calls setjmp must still be running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_PNG_OK || setjmp(png_jmpbuf((handle)->png)) != 0)                          \
            return (handle)->fault.status;                                                                             \
    } while (0)
