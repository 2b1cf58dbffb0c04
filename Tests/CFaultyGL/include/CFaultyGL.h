// A GL driver for tests that fails if a test asks for it. It passes on the real driver's EGL and GL functions. Some of
// them are wrapped by functions that can fail.
#pragma once

typedef enum {
    FAULTY_NOTHING,
    // eglInitialize fails.
    FAULTY_DISPLAY,
    // eglCreateContext fails.
    FAULTY_CONTEXT,
    // Every shader reports a compile error.
    FAULTY_COMPILER,
    // Every framebuffer reports that it is incomplete.
    FAULTY_FRAMEBUFFER,
    // glTexStorage2D reports out of memory.
    FAULTY_MEMORY,
    // A draw or a dispatch resets the GPU.
    FAULTY_RESET,
    // Waiting for a fence always times out.
    FAULTY_FENCE,
    // Reading pixels back fails, both by glReadPixels and by mapping a buffer.
    FAULTY_READBACK,
    // A fault: draws and dispatches have no effect.
    FAULTY_DRAWS,
} faulty_kind;

// Selects the failure. The first `after` calls of the function concerned succeed, and the failure begins with the next
// call. If `lasts` is 0, a GPU reset ends when a new context is created; otherwise the reset persists across new
// contexts.
void faulty_set(faulty_kind kind, int after, int lasts);

// Returns how many failures have occurred since the last faulty_set or faulty_call.
int faulty_count(void);

// What happens in the call that fails.
typedef enum {
    // It records the error `code`, or none if it is 0, has no effect, and returns what a failed call returns.
    FAULTY_REFUSED,
    // It records the error `code`, and does what it would do otherwise.
    FAULTY_REPORTED,
    // It resets the GPU. The reset status is `code`. The reset ends when a new context is created.
    FAULTY_LOST,
    // It does what it would do otherwise, but only after about `code` milliseconds, or after the next faulty_call.
    FAULTY_BLOCKED,
} faulty_outcome;

// Makes one call of an EGL or GL function fail: the call after the next `after` calls. The function is given by its
// index in the list of functions. Counts of calls start at 0.
void faulty_call(int function, int after, faulty_outcome outcome, unsigned code);

// Returns the number of calls of a function since the last faulty_call.
int faulty_calls(int function);

// Returns the name of the function with an index, or NULL behind the last.
const char *faulty_function(int function);

// Returns whether the function with an index has a result that tells whether it failed.
int faulty_has_result(int function);

// Numbers of EGL and GL objects.
typedef struct {
    int contexts, surfaces, textures, framebuffers, programs, shaders, buffers, fences, vertex_arrays, samplers, queries;
} faulty_objects;

// Returns the numbers of all objects that were created through this layer and exist. Objects end with their context.
faulty_objects faulty_existing(void);

// This driver's replacement for eglGetProcAddress.
void (*faulty_get_proc_address(const char *name))(void);
