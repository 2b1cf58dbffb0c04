// The GLSL sources of Frost's shaders. Swift prepends the #version line and the constants.
#pragma once

/// Returns the vertex shader, which draws one triangle over the whole target from gl_VertexID. The string is static and
/// NUL-terminated.
const char *frost_shader_fullscreen_vert(void);

/// Returns the fragment shader for one draw of a plan: a separable pass, a 2-D kernel, or the mixture of two levels.
/// The string is static and NUL-terminated.
const char *frost_shader_filter_frag(void);

/// Returns the source of the output stages, which is appended to the source of frost_shader_filter_frag. The string is
/// static and NUL-terminated.
const char *frost_shader_filter_output_glsl(void);

/// Returns the fragment shader that measures the device's linear filter: it draws a test pattern, or the error with
/// which the device filters the pattern. The string is static and NUL-terminated.
const char *frost_shader_probe_frag(void);
