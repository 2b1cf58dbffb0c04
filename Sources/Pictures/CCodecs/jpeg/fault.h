// Handles the failures that libjpeg reports. The reader and the writer share this code.
#pragma once

#include "CJPEG.h"
#include "packages.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

/// The failures of one handle (a reader or a writer). `manager` must be the first member: libjpeg passes a pointer to
/// `manager` to the callbacks, and they cast it to a pointer to this struct.
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

/// Stores the message of a fault that does not count as a failure. Only the first such message is stored.
void frost_jpeg_warn(fault *fault, const char *message);

/// Records a failure and jumps back, with longjmp, to the FAULT_GUARD of the public function that is running.
_Noreturn void frost_jpeg_raise(fault *fault, frost_jpeg_status status, const char *message);

/// Makes the function that contains this line return the status of `handle` in two cases: immediately, if the handle
/// has already failed; and later, if frost_jpeg_raise jumps back to this line. This is a macro and not a function,
/// because the function that calls setjmp must still be running when longjmp is called.
#define FAULT_GUARD(handle)                                                                                            \
    do {                                                                                                               \
        if ((handle)->fault.status != FROST_JPEG_OK || setjmp((handle)->fault.target) != 0)                            \
            return (handle)->fault.status;                                                                             \
    } while (0)
