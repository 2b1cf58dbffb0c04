// This module imports only the types and constants of OpenGL ES 3.2. The functions come from eglGetProcAddress.
#pragma once
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
