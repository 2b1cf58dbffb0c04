// This header provides EGL's types and constants. libEGL is opened at run time, so the declared functions are never called.
#pragma once
#include "packages.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <malloc.h>

// Returns free memory of the heap to the system, if the C library can do so.
static inline void frost_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
