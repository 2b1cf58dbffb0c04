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

void frost_jpeg_warn(fault *fault, const char *message) {
    if (!fault->warning[0]) snprintf(fault->warning, sizeof fault->warning, "%s", message);
}

/// Returns libjpeg's current message in the style of Frost's messages. It removes libjpeg's prefix, and makes the first
/// letter small.
static const char *reason(j_common_ptr info, char message[JMSG_LENGTH_MAX]) {
    info->err->format_message(info, message);
    char *first = message;
    // libjpeg's prefix is removed, because Frost's own message already states that the JPEG is damaged.
    static const char prefix[] = "Corrupt JPEG data: ";
    if (strncmp(message, prefix, sizeof prefix - 1) == 0) first += sizeof prefix - 1;
    if (isupper((unsigned char)first[0]) && islower((unsigned char)first[1]))
        *first = (char)tolower((unsigned char)*first);
    return first;
}

static _Noreturn void error_exit(j_common_ptr info) {
    char message[JMSG_LENGTH_MAX];
    frost_jpeg_status status = FROST_JPEG_INVALID;
    switch (info->err->msg_code) {
    case JERR_OUT_OF_MEMORY: status = FROST_JPEG_NO_MEMORY; break;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED: status = FROST_JPEG_UNSUPPORTED; break;
    default: break;
    }
    frost_jpeg_raise((struct fault *)info->err, status, reason(info, message));
}

/// The callback that libjpeg calls with each message. This module handles only the warnings. Some warnings concern
/// faults that affect no pixel. After all other faults, libjpeg continues with invented pixels.
static void emit_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    unsigned kind = FROST_JPEG_DAMAGE;
    switch (info->err->msg_code) {
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC: return;
    case JWRN_EXTRANEOUS_DATA:
        // Some cameras write padding after the last pixel. Such padding is not a fault.
        if (info->err->msg_parm.i[1] == 0xD9) return;
        // Extra bytes before any other marker are a warning and not damage, because all coefficients before that marker
        // have been decoded.
        kind = FROST_JPEG_WARNING;
        break;
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_TOO_MUCH_DATA: kind = FROST_JPEG_WARNING; break;
    default: break;
    }
    fault *fault = (struct fault *)info->err;
    char message[JMSG_LENGTH_MAX];
    if (fault->raised & kind) frost_jpeg_raise(fault, FROST_JPEG_INVALID, reason(info, message));
    frost_jpeg_warn(fault, reason(info, message));
}

static void output_message(j_common_ptr info) { (void)info; }

void frost_jpeg_fault_init(fault *fault) {
    jpeg_std_error(&fault->manager);
    fault->manager.error_exit = error_exit;
    fault->manager.emit_message = emit_message;
    fault->manager.output_message = output_message;
    fault->raised = FROST_JPEG_WARNING | FROST_JPEG_DAMAGE | FROST_JPEG_TRUNCATION;
}
