// The GLSL sources, without the #version line and the constants that Swift puts in front.
#pragma once

/// One triangle over the whole target, by gl_VertexID. NUL-terminated, static.
const char *frost_shader_fullscreen_vert(void);

/// One draw of a plan: a separable pass, a 2-D kernel, or the mixture of two levels. NUL-terminated, static.
const char *frost_shader_filter_frag(void);

/// The output stages, to follow filter_frag. NUL-terminated, static.
const char *frost_shader_filter_output_glsl(void);

/// A pattern, and the error of filtering it linearly. NUL-terminated, static.
const char *frost_shader_probe_frag(void);
