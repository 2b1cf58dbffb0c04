#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fault_set(fault *fault, frost_png_status status, const char *message) {
    if (fault->status != FROST_PNG_OK) return;
    fault->status = status;
    // libpng's messages have the form "IDAT: CRC error". Frost puts the name of the chunk after the reason.
    if (strlen(message) > 6 && message[4] == ':' && message[5] == ' ') {
        const char *reason = message + 6;
        if (strcmp(reason, "CRC error") == 0) reason = "CRC mismatch";
        // zlib reports a wrong checksum with this message.
        if (strcmp(reason, "incorrect data check") == 0) reason = "checksum mismatch";
        snprintf(fault->message, sizeof fault->message, "%s in %.4s", reason, message);
    } else {
        snprintf(fault->message, sizeof fault->message, "%s", message);
    }
}

_Noreturn void fault_raise(png_structp png, png_const_charp message) {
    fault *fault = png_get_error_ptr(png);
    fault_set(fault, fault->lacks_memory ? FROST_PNG_NO_MEMORY : FROST_PNG_INVALID, message);
    png_longjmp(png, 1);
}

png_voidp fault_allocate(png_structp png, png_alloc_size_t size) {
    void *memory = malloc(size);
    if (!memory) ((fault *)png_get_mem_ptr(png))->lacks_memory = true;
    return memory;
}

void fault_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}
