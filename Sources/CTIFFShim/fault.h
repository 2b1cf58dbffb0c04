// What the reader and the writer share: collecting libtiff's messages.
#pragma once

#include "CTIFFShim.h"

#include "functions.h"

typedef struct fault {
    frost_tiff_status status;
    /// Whether libtiff's warnings count as failures: while decoding pixels libtiff warns and continues with invented
    /// ones.
    bool is_strict;
    char message[256];
} fault;

/// Records a failure unless one is recorded already, and returns the recorded one.
frost_tiff_status frost_tiff_fault_set(fault *fault, frost_tiff_status status, const char *message);

/// Discards a failure that libtiff could work around.
void frost_tiff_fault_clear(fault *fault);

/// Opens a file whose messages go to the fault; NULL on failure, with a message.
TIFF *frost_tiff_fault_open(
    fault *fault, const char *mode, void *handle, tmsize_t largest, TIFFReadWriteProc read, TIFFReadWriteProc write,
    TIFFSeekProc seek, TIFFSizeProc size);
