// The failure handling inside libjpeg, which the reader and the writer share.
#pragma once

#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

/// The state of failures of one handle. `manager` must be the first member, because libjpeg passes a pointer to it,
/// which is cast to a pointer to this struct.
typedef struct fault {
    struct jpeg_error_mgr manager;
    frost_jpeg_status status;
    jmp_buf target;
    char message[JMSG_LENGTH_MAX];
    /// The faults that count as failures: a bit set of frost_jpeg_fault.
    unsigned raised;
    /// The message of the first fault that did not count as a failure; empty if there was none.
    char warning[JMSG_LENGTH_MAX];
} fault;

/// Makes libjpeg report its failures to `fault`.
void frost_jpeg_fault_init(fault *fault);

/// Stores the message of a fault that does not count as a failure, unless an earlier message is stored.
void frost_jpeg_warn(fault *fault, const char *message);

/// Records a failure and jumps back to the FAULT_GUARD of the calling function.
_Noreturn void frost_jpeg_raise(fault *fault, frost_jpeg_status status, const char *message);

/// Makes the calling function return the status of `handle` at this line: at once if the handle has already failed, or
/// later if frost_jpeg_raise jumps back to this line. This is a macro because the function that calls setjmp must still
/// be running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_JPEG_OK || setjmp((handle)->fault.target) != 0)                            \
            return (handle)->fault.status;                                                                             \
    } while (0)
