// The GLSL sources of Frost's shaders. Swift prepends the #version line and the constants.
#pragma once

/// Returns the vertex shader, which draws one triangle over the whole target from gl_VertexID. The string is static and
/// NUL-terminated.
const char *frost_shader_fullscreen_vert(void);

/// Returns the fragment shader for one draw of a plan: a separable pass, a 2-D kernel, or the mixture of two levels. The
/// files of the draw's kind are appended to it. The string is static and NUL-terminated.
const char *frost_shader_filter_frag(void);

/// Returns the file NAME.glsl of a kind of draw, or NULL if there is none. The string is static and NUL-terminated.
const char *frost_shader_draw(const char *name);

/// Returns the source of the areas outside rounded corners, which stands before the source of the output stages. The
/// string is static and NUL-terminated.
const char *frost_shader_filter_corners_glsl(void);

/// Returns the source of the output stages, which is appended to the source of frost_shader_filter_frag. The string is
/// static and NUL-terminated.
const char *frost_shader_filter_output_glsl(void);

/// Returns functions that stand before the sources of frost_shader_filter_frag and frost_shader_convert_frag. The string is
/// static and NUL-terminated.
const char *frost_shader_common_glsl(void);

/// Returns the fragment shader that converts colours from one encoding to another. The string is static and
/// NUL-terminated.
const char *frost_shader_convert_frag(void);

/// Returns the common part of the fragment shader for one frame of a transition. The string is static and NUL-terminated.
const char *frost_shader_transition_frag(void);

/// Returns the source of the kinds of transitions, which is appended to the source of frost_shader_transition_frag. The
/// string is static and NUL-terminated.
const char *frost_shader_transition_kinds_glsl(void);
