// This header provides EGL's types and constants. libEGL is opened at run time, so the declared functions are never called.
#pragma once
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns the kernel's number of the calling thread. pthread_self does not work here: it is declared const, so the Swift
// optimiser may reuse an old result of pthread_self after a suspension. The function calls syscall, because glibc hides
// gettid from strict C.
static inline int frost_thread_id(void) { return (int)syscall(SYS_gettid); }

// Returns free memory of the heap to the system, if the C library can do so.
static inline void frost_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Names the calling thread, for debuggers and top. Swift cannot call prctl itself, because prctl is variadic.
static inline void frost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
