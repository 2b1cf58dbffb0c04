// Counts the EGL and GL objects that exist, by functions in front of the driver's that create and destroy objects.
#pragma once

#define EGL_NO_X11
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
// gl32.h must be first.
#include <GLES2/gl2ext.h>

#include "CFaultyGL.h"

typedef void (*function)(void);

// Returns the driver's function, or NULL.
function faulty_driver_function(const char *name);

// Returns the function that counts objects and calls the driver's function; the driver's function itself if it creates
// and destroys no objects; NULL if the driver does not have it.
function faulty_counting_function(const char *name);

// Counts a context that the driver has created; NULL is ignored.
void faulty_add_context(EGLContext context);
