// What the reader and the writer share: reporting a failure inside libjpeg.
#pragma once

#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

/// Must be the first member: libjpeg passes a pointer to it, which is cast to the fault.
typedef struct fault {
    struct jpeg_error_mgr manager;
    frost_jpeg_status status;
    jmp_buf target;
    char message[JMSG_LENGTH_MAX];
    /// The faults that are failures, of frost_jpeg_fault.
    unsigned raised;
    /// The first fault that was no failure; empty if there was none.
    char warning[JMSG_LENGTH_MAX];
} fault;

/// Makes libjpeg report failures to `fault`.
void frost_jpeg_fault_init(fault *fault);

/// Keeps the message of a fault that is no failure, if it is the first.
void frost_jpeg_warn(fault *fault, const char *message);

/// Records a failure and jumps back to the guard.
_Noreturn void frost_jpeg_raise(fault *fault, frost_jpeg_status status, const char *message);

/// Makes every later failure in the calling function return to this line, and refuses a handle that has failed. This is
/// a macro because the function that calls setjmp must still be running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_JPEG_OK || setjmp((handle)->fault.target) != 0)                            \
            return (handle)->fault.status;                                                                             \
    } while (0)
