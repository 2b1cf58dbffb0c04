#include "fault.h"

#include <ctype.h>
#include <jerror.h>
#include <string.h>

_Noreturn void frost_jpeg_raise(fault *fault, frost_jpeg_status status, const char *message) {
    if (fault->status == FROST_JPEG_OK) {
        fault->status = status;
        snprintf(fault->message, sizeof fault->message, "%s", message);
    }
    longjmp(fault->target, 1);
}

static _Noreturn void raise_formatted(j_common_ptr info) {
    fault *fault = (struct fault *)info->err;
    char message[JMSG_LENGTH_MAX];
    info->err->format_message(info, message);
    const char *reason = message;
    // libjpeg's prefix, which repeats what Frost's own message says.
    static const char prefix[] = "Corrupt JPEG data: ";
    if (strncmp(reason, prefix, sizeof prefix - 1) == 0) reason += sizeof prefix - 1;
    char *first = message + (reason - message);
    if (isupper((unsigned char)first[0]) && islower((unsigned char)first[1]))
        *first = (char)tolower((unsigned char)*first);
    bool is_memory = info->err->msg_code == JERR_OUT_OF_MEMORY;
    frost_jpeg_raise(fault, is_memory ? FROST_JPEG_NO_MEMORY : FROST_JPEG_INVALID, reason);
}

static _Noreturn void error_exit(j_common_ptr info) { raise_formatted(info); }

/// libjpeg warns where it continues with invented pixels. Here these warnings are failures, unless they concern no
/// pixel.
static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    const struct jpeg_error_mgr *manager = info->err;
    switch (manager->msg_code) {
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC: return;
    // Padding after the last pixel, which some cameras write.
    case JWRN_EXTRANEOUS_DATA:
        if (manager->msg_parm.i[1] == 0xD9) return;
        break;
    default: break;
    }
    raise_formatted(info);
}

static void output_message(j_common_ptr info) { (void)info; }

void frost_jpeg_fault_init(fault *fault) {
    jpeg_std_error(&fault->manager);
    fault->manager.error_exit = error_exit;
    fault->manager.emit_message = emit_message;
    fault->manager.output_message = output_message;
}
