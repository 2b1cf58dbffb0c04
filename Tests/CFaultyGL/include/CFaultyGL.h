// A driver that fails where a test wants it to: it returns EGL's and GL's functions, some of them behind wrappers that
// fail.
#pragma once

typedef enum {
    FAULTY_NOTHING,
    // eglInitialize fails.
    FAULTY_DISPLAY,
    // No context can be made.
    FAULTY_CONTEXT,
    // No shader can be compiled.
    FAULTY_COMPILER,
    // No framebuffer is complete.
    FAULTY_FRAMEBUFFER,
    // No memory is left for a texture.
    FAULTY_MEMORY,
    // The GPU was reset.
    FAULTY_RESET,
    // Fences are never signalled.
    FAULTY_FENCE,
    // Pixels cannot be read back.
    FAULTY_READBACK,
    // Draws change nothing.
    FAULTY_DRAWS,
} faulty_kind;

// Selects the failure, which begins after `after` calls of the function in question. With `lasts` 0 a reset ends when a
// new context is created; otherwise it occurs again after `lasts` draws.
void faulty_set(faulty_kind kind, int after, int lasts);

// How often a failure has occurred since then.
int faulty_count(void);

// This driver's eglGetProcAddress.
void (*faulty_get_proc_address(const char *name))(void);
