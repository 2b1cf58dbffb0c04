#ifdef FROST_TIFF

#include "fault.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

frost_tiff_status frost_tiff_fault_set(fault *fault, frost_tiff_status status, const char *message) {
    if (fault->status != FROST_TIFF_OK) return fault->status;
    fault->status = status;
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return status;
}

void frost_tiff_fault_clear(fault *fault) { fault->status = FROST_TIFF_OK; }

static void record(fault *fault, const char *format, va_list arguments) {
    if (fault->status != FROST_TIFF_OK) return;
    char message[sizeof fault->message];
    vsnprintf(message, sizeof message, format, arguments);
    // The message may quote the file, so every character that is not printable ASCII becomes "?". The message then also
    // fits on one line.
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~') *c = '?';
    if (isupper((unsigned char)message[0]) && islower((unsigned char)message[1]))
        message[0] = (char)tolower((unsigned char)message[0]);
    for (size_t n = strlen(message); n > 0 && strchr(".; ", message[n - 1]); n--) message[n - 1] = 0;
    frost_tiff_fault_set(fault, FROST_TIFF_INVALID, message);
}

static int on_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    record(context, format, arguments);
    return 1;
}

static int on_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    fault *fault = context;
    // libtiff decodes old-style LZW correctly, so the warning about this encoding does not count as a failure.
    if (fault->is_strict && strncmp(format, "Old-style LZW", 13) != 0) record(fault, format, arguments);
    return 1;
}

static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}

TIFF *frost_tiff_fault_open(
    fault *fault, const char *mode, void *handle, tmsize_t largest, TIFFReadWriteProc read, TIFFReadWriteProc write,
    TIFFSeekProc seek, TIFFSizeProc size) {
    TIFFOpenOptions *options = frost_libtiff.TIFFOpenOptionsAlloc();
    if (!options) {
        frost_tiff_fault_set(fault, FROST_TIFF_NO_MEMORY, "out of memory");
        return NULL;
    }
    frost_libtiff.TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, fault);
    frost_libtiff.TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, fault);
    frost_libtiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest);
    TIFF *tiff = frost_libtiff.TIFFClientOpenExt("the file", mode, handle, read, write, seek, on_close, size, NULL, NULL, options);
    frost_libtiff.TIFFOpenOptionsFree(options);
    if (!tiff) frost_tiff_fault_set(fault, FROST_TIFF_INVALID, "its structure is not valid");
    return tiff;
}

#endif
