// A driver that goes wrong where a test wants it to: hands out EGL's and GL's functions, some of them behind others that fail.
#pragma once

typedef enum {
    FAULTY_NOTHING,
    // eglInitialize fails.
    FAULTY_DISPLAY,
    // No context can be made.
    FAULTY_CONTEXT,
    // No shader compiles.
    FAULTY_COMPILER,
    // No framebuffer is complete.
    FAULTY_FRAMEBUFFER,
    // There is no memory for a texture.
    FAULTY_MEMORY,
    // The GPU was reset.
    FAULTY_RESET,
    // Fences are never passed.
    FAULTY_FENCE,
    // Pixels cannot be read back.
    FAULTY_READBACK,
    // Draws leave what was there.
    FAULTY_DRAWS,
} faulty_kind;

// What goes wrong from now on, after so many calls of the function in question. A reset passes when a context is made anew
// after it, if `lasts` is 0; so many draws later it comes again, if it lasts.
void faulty_set(faulty_kind kind, int after, int lasts);

// How often something went wrong since then.
int faulty_count(void);

// eglGetProcAddress of this driver.
void (*faulty_get_proc_address(const char *name))(void);
