/*
 * frost_gl_programs.h - what Frost keeps in a GL context: compiled programs and idle textures.
 *
 * No frame needs these functions. But the first frame compiles GL programs, which takes up to some hundred
 * milliseconds, so a program that must show each frame in time calls, while it starts:
 *
 *   frost_gl_load_programs()     with the bytes of an earlier run, which the host has stored
 *   frost_gl_prepare()           compiles what is missing for the effects, the source and the target; draws nothing
 *   frost_gl_save_programs()     copies the programs to the host's memory, for the next start
 *
 * frost_gl_trim() gives memory back, for example when nothing is shown. frost_gl_describe() counts objects, bytes and
 * programs. The thread rules are those of frost_gl.
 */
#ifndef FROST_GL_PROGRAMS_H
#define FROST_GL_PROGRAMS_H

#include "frost_gl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* The uses of effects in a frost_gl. Each is one bit. */
enum {
    /* frost_gl_render(). */
    FROST_GL_FOR_RENDERING = 1,
    /* Panels of a backdrop, without rounded corners and with corners of every curve. */
    FROST_GL_FOR_BACKDROPS = 2,
    /* Panels of a backdrop with FROST_LAYERING_STACKED. */
    FROST_GL_FOR_STACKS = 4,
    /* Panels with a texture, whose format is that of the source, in the backdrops and stacks that are prepared. */
    FROST_GL_FOR_TEXTURES = 8
};

/*
 * Compiles the GL programs that effects need, or loads them from the cache on disk, without drawing. A program that
 * must show each frame in time calls this function while it starts, because compiling takes up to some hundred
 * milliseconds.
 *
 * The programs depend on the blur and its sigma, on the kinds of output stages, and on the kinds, formats and encodings
 * of source and target. They do not depend on numbers such as those of a colour. So prepare the sigmas that will be
 * used. source and target describe the images; their names are ignored. uses is the sum of FROST_GL_FOR_... constants.
 * Afterwards, programs_compiled of frost_gl_info no longer grows for such effects and images. Drivers may still
 * translate a part of a program when it draws for the first time. A frost_gl keeps the 128 programs that were used or
 * prepared last; an effect needs up to about ten.
 */
frost_status frost_gl_prepare(
    frost_gl *gl, const frost_effect *const *effects, size_t count, const frost_gl_source *source,
    const frost_gl_target *target, uint32_t uses);

/*
 * Copies the GL programs that were used or prepared so far to bytes, so that the host can store them and give them to
 * frost_gl_load_programs() later. *size is the size of all programs in bytes. If capacity is smaller than *size,
 * nothing is copied; bytes may be NULL if capacity is 0. If the driver does not support program binaries, the copy
 * contains no programs.
 */
frost_status frost_gl_save_programs(frost_gl *gl, void *bytes, size_t capacity, size_t *size);

/*
 * Adds programs that frost_gl_save_programs() has copied, in this or another process. They are used instead of
 * compiling. Returns in *accepted the number of programs that can be used; accepted may be NULL.
 *
 * Bytes that are damaged, or that come from another driver, device or version of Frost, are no error: they are ignored
 * and logged as a warning, and these programs are compiled when they are needed. A checksum finds accidental damage. A
 * driver may crash on bytes that were forged, so do not accept the bytes from strangers. Frost copies the bytes.
 */
frost_status frost_gl_load_programs(frost_gl *gl, const void *bytes, size_t size, size_t *accepted);

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/*
 * Deletes the textures that are kept for the next frames, and returns their memory to the system. Waits for the GPU,
 * but at most for a second. frost_gl_info.bytes decreases by the number of freed bytes, and frost_gl_info.trimmed_bytes
 * increases by it.
 */
frost_status frost_gl_trim(frost_gl *gl);

/* Describes the device of a GL context and what Frost has done and allocated in the context. */
typedef struct frost_gl_info {
    size_t struct_size;
    /* The number of effects that were rendered, and the number of passes that were drawn for them. */
    uint64_t renders, passes;
    /* GL objects of any kind. objects_created is the number of all objects that Frost has created. objects is the
     * number of objects that exist now, and bytes is their memory. */
    uint64_t objects_created, objects, bytes;
    /* The number of GL programs that were compiled, and the number that were loaded: from the cache on disk, or from
     * the bytes of frost_gl_load_programs(). */
    uint64_t programs_compiled, programs_loaded;
    /* The maximum width and height of an image, in pixels. */
    int32_t maximum_side;
    int32_t reserved;
    char device[128];
    /* The number of bytes that all calls of frost_gl_trim() have freed. */
    uint64_t trimmed_bytes;
} frost_gl_info;

#define FROST_GL_INFO_INIT { sizeof(frost_gl_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 }, 0 }

/* Fills in info. The GL context need not be current. */
frost_status frost_gl_describe(const frost_gl *gl, frost_gl_info *info);

#ifdef __cplusplus
}
#endif

#endif
