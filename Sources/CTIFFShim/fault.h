// The collection of libtiff's messages, which the reader and the writer share.
#pragma once

#include "CTIFFShim.h"

#include "functions.h"

typedef struct fault {
    frost_tiff_status status;
    /// Whether libtiff's warnings count as failures. They do while pixels are decoded, because libtiff then warns and
    /// continues with invented pixels.
    bool is_strict;
    char message[256];
} fault;

/// Records a failure unless one is already recorded. Returns the recorded failure.
frost_tiff_status frost_tiff_fault_set(fault *fault, frost_tiff_status status, const char *message);

/// Discards the recorded failure, because libtiff could work around it.
void frost_tiff_fault_clear(fault *fault);

/// Opens a TIFF file whose messages go to `fault`. Returns NULL on failure; `fault` then holds a message.
TIFF *frost_tiff_fault_open(
    fault *fault, const char *mode, void *handle, tmsize_t largest, TIFFReadWriteProc read, TIFFReadWriteProc write,
    TIFFSeekProc seek, TIFFSizeProc size);
