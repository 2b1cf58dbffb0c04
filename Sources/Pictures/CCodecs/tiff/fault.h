// Collects libtiff's messages. The reader and the writer share this code.
#pragma once

#include "CTIFF.h"

#include "functions.h"

typedef struct fault {
    frost_tiff_status status;
    /// Whether libtiff's warnings count as failures. This is true while pixels are decoded: if pixels are damaged,
    /// libtiff only warns and continues with invented pixels.
    bool is_strict;
    char message[256];
} fault;

/// Records a failure, unless an earlier failure is already recorded. Returns the status of the recorded failure.
frost_tiff_status frost_tiff_fault_set(fault *fault, frost_tiff_status status, const char *message);

/// Discards the recorded failure. Call this after libtiff has worked around the fault.
void frost_tiff_fault_clear(fault *fault);

/// Opens a TIFF file. libtiff's messages about the file go to `fault`. Returns NULL on failure; in that case `fault`
/// holds a message.
TIFF *frost_tiff_fault_open(
    fault *fault, const char *mode, void *handle, tmsize_t largest, TIFFReadWriteProc read, TIFFReadWriteProc write,
    TIFFSeekProc seek, TIFFSizeProc size);
