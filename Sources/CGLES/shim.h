// Only OpenGL ES 3.2's types and constants: functions come from eglGetProcAddress.
#pragma once
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
