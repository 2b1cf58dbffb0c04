// What the reader and the writer share: how a failure inside libjpeg gets out.
#pragma once

#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

/// libjpeg finds its error manager by pointer: the first member, so that the rest is found with it.
typedef struct fault {
    struct jpeg_error_mgr manager;
    frost_jpeg_status status;
    jmp_buf target;
    char message[JMSG_LENGTH_MAX];
} fault;

/// Makes libjpeg report to the fault.
void frost_jpeg_fault_init(fault *fault);

/// Records a failure and jumps back to the guard.
_Noreturn void frost_jpeg_raise(fault *fault, frost_jpeg_status status, const char *message);

/// Makes every later failure in the calling function come back to this line, and refuses a handle that has failed.
/// A macro because setjmp's caller must not have returned when the jump happens.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_JPEG_OK || setjmp((handle)->fault.target) != 0)                            \
            return (handle)->fault.status;                                                                             \
    } while (0)
