/*
 * frost_base.h - what all headers of Frost share: conventions, statuses, formats of pixels, cancellation.
 *
 * Conventions of all functions:
 *
 * - Errors: a function that can fail returns a frost_status. FROST_OK is 0; errors are negative. After an error,
 *   frost_error_message() on the same thread describes the error. Results are returned through the last parameters, and
 *   only if the status is FROST_OK.
 * - Invalid arguments: Frost returns an error for NULL, for structs that are too short, and for sizes and numbers out
 *   of range; it does not crash. Frost cannot check pointers and handles: the caller must ensure that pointers refer to
 *   live memory and that handles have not been destroyed.
 * - Handles: handles are opaque, and each is destroyed exactly once. Every destroy function accepts NULL and then does
 *   nothing. If a handle was created from another handle, as a queue is created from a renderer, the two handles may be
 *   destroyed in any order.
 * - Structs: each struct begins with struct_size. The caller sets struct_size to the sizeof the struct; the
 *   FROST_..._INIT macros do this and set the other fields to their defaults. A field that is 0 has its default value
 *   unless its comment states otherwise. Later versions of Frost add fields at the end and still accept structs of this
 *   version. Of infos, reports, ticks and submissions, Frost reads only struct_size and overwrites the other fields.
 * - NULL: options may be NULL, which means the defaults. A report may be NULL.
 * - Threads: the comment of a handle's type states on which threads it may be used. Functions without a handle may be
 *   called from any thread.
 * - fork(): a process may fork while its threads render. In the child, rendering on the CPU works as before. Calls that
 *   need the parent's GPU, or a queue or a display link with a timer of the parent, return FROST_ERROR_FORKED;
 *   frost_display_link_descriptor() still works. Handles of the child may be destroyed.
 * - Strings: all strings are UTF-8 and zero-terminated.
 * - Global state: except for frost_set_log(), no call changes global state that another call depends on.
 */
#ifndef FROST_BASE_H
#define FROST_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/*
 * The status of a call: one of the FROST_... values below. 0 is success. Positive values are not errors; they mean that
 * the work was not done. Negative values are errors.
 */
typedef int32_t frost_status;
enum {
    FROST_OK = 0, /* The call succeeded. */
    FROST_NOT_READY = 1, /* The work is not finished yet. Call again later, or wait longer. */
    FROST_BUSY = 2, /* The queue is full. Nothing was submitted. */
    FROST_CANCELLED = 3, /* The work was cancelled on request. The content of the target image is undefined. */
    /* An argument is invalid: NULL, a struct that is too short, an unknown constant, or pixel memory that is too
     * small. */
    FROST_ERROR_ARGUMENT = -1,
    FROST_ERROR_PARAMETER = -2, /* An effect, transition or parameter is unknown, or a value is out of range. */
    /* The size or format of an image is invalid, or those of two images do not match, or their memory overlaps. */
    FROST_ERROR_PIXELS = -3,
    /* There is no usable GPU although the caller required one, or the caller's GL context is not current. */
    FROST_ERROR_NO_DEVICE = -4,
    FROST_ERROR_DEVICE_FAILED = -5, /* The caller required a GPU, and that GPU failed during the work. */
    /* A texture, framebuffer or dma-buf does not match its description or cannot be used so. Nothing was drawn. */
    FROST_ERROR_SURFACE = -6,
    FROST_ERROR_SYSTEM = -7, /* The operating system refused a timer, a file descriptor, a thread or memory. */
    /* A parent of this process has used the GPU, the queue or the display link before fork(). Rendering on the CPU works. */
    FROST_ERROR_FORKED = -8,
    /* Only functions of frost_images.h return the following values. */
    FROST_ERROR_UNREADABLE = -9, /* An encoded picture is damaged, truncated or not supported. */
    FROST_ERROR_OVER_LIMIT = -10, /* An encoded picture exceeds a limit of size, memory or time. */
    FROST_ERROR_UNWRITABLE = -11 /* The format of the result cannot hold the picture. */
};

/* Returns the English name of a status, such as "busy" for FROST_BUSY, or "unknown status". Never returns NULL. */
const char *frost_status_name(frost_status status);

/*
 * Returns a one-line description of the last failed call on the calling thread, or "" if no call has failed on this
 * thread. The string is valid until the thread's next call of a Frost function. Each thread has its own message.
 */
const char *frost_error_message(void);

/* ---- Formats and rectangles -------------------------------------------------------------------------------------- */

/* The channels of a pixel, in the order in which they are stored in memory. */
enum {
    FROST_CHANNELS_RGBA = 0, FROST_CHANNELS_BGRA = 1, FROST_CHANNELS_RGB = 2, FROST_CHANNELS_GREY = 3,
    FROST_CHANNELS_GREY_ALPHA = 4
};

/*
 * The data type of one sample (one channel of one pixel), in the machine's byte order. For the integer types, full
 * scale (1.0) is the largest value: 255 or 65535. F16 and F32 are IEEE 754 floats of 16 and 32 bits; they may be
 * negative or larger than 1.0. Values that are written as F16 are rounded to the nearest number, ties to even.
 */
enum { FROST_SAMPLE_U8 = 0, FROST_SAMPLE_U16 = 1, FROST_SAMPLE_F32 = 2, FROST_SAMPLE_F16 = 3 };

/* Whether the colour values are already multiplied by alpha (premultiplied) or not (straight). Ignored for formats
 * without an alpha channel. */
enum { FROST_ALPHA_STRAIGHT = 0, FROST_ALPHA_PREMULTIPLIED = 1 };

/* A rectangle of whole pixels. x and y are the top left corner; y increases downwards. A negative side is an error. */
typedef struct frost_rect {
    int32_t x, y, width, height;
} frost_rect;

/* ---- Cancellation ------------------------------------------------------------------------------------------------ */

/*
 * A cancellation flag. Functions that were given the flag stop within about 10 milliseconds after
 * frost_cancellation_cancel() is called, on every backend, and return FROST_CANCELLED; a zoom of a large picture takes
 * longer, because it frees a copy of the picture in floats. Three steps cannot be interrupted: opening a GPU, compiling a
 * GL program, and waiting for another thread's work on the same renderer's GPU. On software GL, work with a flag waits for
 * its draws piece by piece. The flag cannot be reset: create one for each piece of work that is cancelled separately.
 * Thread-safety: may be used from any thread.
 */
typedef struct frost_cancellation frost_cancellation;

frost_status frost_cancellation_create(frost_cancellation **cancellation);
/* Sets the flag: requests that all work with this cancellation flag stop. */
void frost_cancellation_cancel(frost_cancellation *cancellation);
/* Destroys a cancellation flag. */
void frost_cancellation_destroy(frost_cancellation *cancellation);

#ifdef __cplusplus
}
#endif

#endif
