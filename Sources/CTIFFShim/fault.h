// What the reader and the writer share: where libtiff's messages go.
#pragma once

#include "CTIFFShim.h"

#include <tiffio.h>

typedef struct fault {
    frost_tiff_status status;
    /// Whether libtiff's warnings count as failures: where pixels are decoded it goes on with made-up ones.
    bool is_strict;
    char message[256];
} fault;

/// Records a failure, unless there is one already, and returns what is recorded.
frost_tiff_status frost_tiff_fault_set(fault *fault, frost_tiff_status status, const char *message);

/// Forgets a failure that libtiff found a way around.
void frost_tiff_fault_clear(fault *fault);

/// A file whose messages go to the fault; NULL on failure, with a message.
TIFF *frost_tiff_fault_open(
    fault *fault, const char *mode, void *handle, tmsize_t largest, TIFFReadWriteProc read, TIFFReadWriteProc write,
    TIFFSeekProc seek, TIFFSizeProc size);
