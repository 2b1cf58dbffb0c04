#define _GNU_SOURCE
#include "CFaultyGL.h"
#include "objects.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "driver-calls.h"

static _Atomic faulty_kind wanted;
static atomic_int calls_left, lasting, failures;
// The status of a reset that has happened; 0 if there was none.
static atomic_uint reset_status;
// Simulated error codes of the current thread; 0 if there is none. The next glGetError returns and clears `gl_error`,
// and the next eglGetError returns and clears `egl_error`.
static _Thread_local GLenum gl_error;
static _Thread_local EGLint egl_error;

void faulty_set(faulty_kind kind, int after, int lasts) {
    wanted = kind;
    calls_left = after;
    lasting = lasts;
    failures = 0;
    reset_status = 0;
}

int faulty_count(void) { return failures; }

// Returns whether a call of this kind fails now, and counts the failure.
static int fails(faulty_kind kind) {
    if (wanted != kind) return 0;
    if (atomic_fetch_sub(&calls_left, 1) > 0) return 0;
    failures++;
    return 1;
}

function faulty_driver_function(const char *name) {
    static function (*get)(const char *);
    // The hardware kit takes the place of libEGL.so.1, and names the real library.
    const char *path = getenv("FAULTY_EGL");
    if (!get) {
        void *library = dlopen(path ? path : "libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return 0;
        *(void **)&get = dlsym(library, "eglGetProcAddress");
    }
    return get ? get(name) : 0;
}

// Calls the driver's function that has the same name as the function in which the macro is used.
#define REAL(type, name) ((type)faulty_driver_function(name))

static EGLBoolean EGLAPIENTRY initialize(EGLDisplay display, EGLint *major, EGLint *minor) {
    if (fails(FAULTY_DISPLAY)) {
        egl_error = EGL_NOT_INITIALIZED;
        return EGL_FALSE;
    }
    return REAL(PFNEGLINITIALIZEPROC, "eglInitialize")(display, major, minor);
}

static EGLContext EGLAPIENTRY create_context(EGLDisplay d, EGLConfig c, EGLContext share, const EGLint *list) {
    if (fails(FAULTY_CONTEXT)) {
        egl_error = EGL_BAD_MATCH;
        return EGL_NO_CONTEXT;
    }
    if (reset_status && !lasting) {
        wanted = FAULTY_NOTHING;
        reset_status = 0;
    }
    const EGLContext context = REAL(PFNEGLCREATECONTEXTPROC, "eglCreateContext")(d, c, share, list);
    faulty_add_context(context);
    return context;
}

static EGLint EGLAPIENTRY get_egl_error(void) {
    const EGLint error = egl_error;
    egl_error = 0;
    return error ? error : REAL(PFNEGLGETERRORPROC, "eglGetError")();
}

static GLenum GL_APIENTRY get_error(void) {
    if (reset_status) return GL_CONTEXT_LOST;
    const GLenum error = gl_error;
    gl_error = 0;
    return error ? error : REAL(PFNGLGETERRORPROC, "glGetError")();
}

static GLenum GL_APIENTRY get_reset_status(void) { return reset_status; }

static void GL_APIENTRY get_shader(GLuint shader, GLenum name, GLint *value) {
    REAL(PFNGLGETSHADERIVPROC, "glGetShaderiv")(shader, name, value);
    if (name == GL_COMPILE_STATUS && fails(FAULTY_COMPILER)) *value = GL_FALSE;
}

static GLenum GL_APIENTRY check_framebuffer(GLenum target) {
    if (fails(FAULTY_FRAMEBUFFER)) return GL_FRAMEBUFFER_UNSUPPORTED;
    return REAL(PFNGLCHECKFRAMEBUFFERSTATUSPROC, "glCheckFramebufferStatus")(target);
}

static void GL_APIENTRY make_texture(GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height) {
    if (fails(FAULTY_MEMORY)) {
        gl_error = GL_OUT_OF_MEMORY;
        return;
    }
    REAL(PFNGLTEXSTORAGE2DPROC, "glTexStorage2D")(target, levels, format, width, height);
}

static void GL_APIENTRY draw(GLenum mode, GLint first, GLsizei count) {
    if (fails(FAULTY_DRAWS)) return;
    if (fails(FAULTY_RESET)) reset_status = GL_GUILTY_CONTEXT_RESET;
    if (!reset_status) REAL(PFNGLDRAWARRAYSPROC, "glDrawArrays")(mode, first, count);
}

static void GL_APIENTRY dispatch(GLuint x, GLuint y, GLuint z) {
    if (fails(FAULTY_DRAWS)) return;
    if (fails(FAULTY_RESET)) reset_status = GL_GUILTY_CONTEXT_RESET;
    if (!reset_status) REAL(PFNGLDISPATCHCOMPUTEPROC, "glDispatchCompute")(x, y, z);
}

static GLenum GL_APIENTRY wait_for(GLsync sync, GLbitfield flags, GLuint64 nanoseconds) {
    if (fails(FAULTY_FENCE)) {
        const struct timespec pause = {.tv_nsec = nanoseconds < 1000000 ? (long)nanoseconds : 1000000};
        nanosleep(&pause, 0);
        return GL_TIMEOUT_EXPIRED;
    }
    return REAL(PFNGLCLIENTWAITSYNCPROC, "glClientWaitSync")(sync, flags, nanoseconds);
}

static void GL_APIENTRY read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                                    void *out) {
    if (fails(FAULTY_READBACK)) {
        gl_error = GL_INVALID_OPERATION;
        return;
    }
    REAL(PFNGLREADPIXELSPROC, "glReadPixels")(x, y, width, height, format, type, out);
}

static void *GL_APIENTRY map_buffer(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    if (access & GL_MAP_READ_BIT && fails(FAULTY_READBACK)) {
        gl_error = GL_OUT_OF_MEMORY;
        return 0;
    }
    return REAL(PFNGLMAPBUFFERRANGEPROC, "glMapBufferRange")(target, offset, length, access);
}

// Returns a function that fails as faulty_set demands, or the driver's function.
static function chosen(const char *name) {
    static const struct {
        const char *name;
        function replacement;
    } own[] = {
        {"eglInitialize", (function)initialize},
        {"eglCreateContext", (function)create_context},
        {"eglGetError", (function)get_egl_error},
        {"glGetError", (function)get_error},
        {"glGetGraphicsResetStatus", (function)get_reset_status},
        {"glGetGraphicsResetStatusKHR", (function)get_reset_status},
        {"glGetGraphicsResetStatusEXT", (function)get_reset_status},
        {"glGetShaderiv", (function)get_shader},
        {"glCheckFramebufferStatus", (function)check_framebuffer},
        {"glTexStorage2D", (function)make_texture},
        {"glDispatchCompute", (function)dispatch},
        {"glDrawArrays", (function)draw},
        {"glClientWaitSync", (function)wait_for},
        {"glReadPixels", (function)read_pixels},
        {"glMapBufferRange", (function)map_buffer},
    };
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0) return faulty_driver_function(name) ? own[i].replacement : 0;
    return faulty_counting_function(name);
}

// MARK: - Calls that fail one by one

#define CALL_INDEX(type, name, ...) INDEX_##name,
#define CALL_NAME(type, name, ...) #name,
#define HAS_NO_RESULT(...) 0,
#define HAS_RESULT(...) 1,
enum { DRIVER_CALLS(CALL_INDEX, CALL_INDEX) CALL_COUNT };
static const char *const call_names[] = {DRIVER_CALLS(CALL_NAME, CALL_NAME)};
static const int has_results[] = {DRIVER_CALLS(HAS_NO_RESULT, HAS_RESULT)};

static atomic_int call_counts[CALL_COUNT];
static atomic_int failing_function = -1, failing_after, failing_outcome, generation;
static atomic_uint failing_code;

void faulty_call(int function, int after, faulty_outcome outcome, unsigned code) {
    failing_function = -1;
    generation++;
    for (int i = 0; i < CALL_COUNT; i++) call_counts[i] = 0;
    failures = 0;
    lasting = 0;
    reset_status = 0;
    failing_after = after;
    failing_outcome = outcome;
    failing_code = code;
    failing_function = function;
}

int faulty_calls(int function) { return function >= 0 && function < CALL_COUNT ? call_counts[function] : 0; }

const char *faulty_function(int function) {
    return function >= 0 && function < CALL_COUNT ? call_names[function] : 0;
}

int faulty_has_result(int function) { return function >= 0 && function < CALL_COUNT && has_results[function]; }

// Returns the driver's function, or a function of this layer in its place. The answer is kept, because looking a name up
// takes longer than most calls.
static function kept(int index, const char *name) {
    static _Atomic(function) functions[CALL_COUNT];
    function found = functions[index];
    if (!found) functions[index] = found = chosen(name);
    return found;
}

// Counts a call, and returns whether it has to be left out.
static int is_left_out(int function) {
    const int before = atomic_fetch_add(&call_counts[function], 1);
    if (failing_function != function || failing_after != before) return 0;
    failures++;
    switch ((faulty_outcome)failing_outcome) {
    case FAULTY_REFUSED:
    case FAULTY_REPORTED:
        // EGL and the GL keep the first error until it is read.
        if (strncmp(call_names[function], "egl", 3) == 0) {
            if (!egl_error) egl_error = failing_code;
        } else if (!gl_error) {
            gl_error = failing_code;
        }
        return failing_outcome == FAULTY_REFUSED;
    case FAULTY_LOST:
        reset_status = failing_code;
        return 0;
    case FAULTY_BLOCKED: {
        const struct timespec pause = {.tv_nsec = 1000000};
        const int own = generation;
        for (unsigned slept = 0; slept < failing_code && generation == own; slept++) nanosleep(&pause, 0);
        return 0;
    }
    }
    return 0;
}

#define CALL(type, name, parameters, arguments) \
    static void KHRONOS_APIENTRY counted_##name parameters { \
        if (!is_left_out(INDEX_##name)) ((type)kept(INDEX_##name, #name))arguments; \
    }
#define RESULT(type, name, result, failed, parameters, arguments) \
    static result KHRONOS_APIENTRY counted_##name parameters { \
        return is_left_out(INDEX_##name) ? (result)failed : ((type)kept(INDEX_##name, #name))arguments; \
    }
DRIVER_CALLS(CALL, RESULT)

#define CALL_FUNCTION(type, name, ...) (function)counted_##name,

void (*faulty_get_proc_address(const char *name))(void) {
    static const function counted[] = {DRIVER_CALLS(CALL_FUNCTION, CALL_FUNCTION)};
    for (int i = 0; i < CALL_COUNT; i++)
        if (strcmp(name, call_names[i]) == 0) return faulty_driver_function(name) ? counted[i] : 0;
    return chosen(name);
}
