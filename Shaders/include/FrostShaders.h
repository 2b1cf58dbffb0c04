// The GLSL sources of Frost's shaders. Swift prepends the #version line and the constants.
#pragma once

/// Returns the text of a shader file, for example "filter.glsl"; NULL if there is no such file. The text is static and
/// NUL-terminated.
const char *frost_shader(const char *name);
