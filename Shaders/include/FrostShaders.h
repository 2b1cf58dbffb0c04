// The GLSL sources, without their #version line and without the constants that Swift puts in front.
#pragma once

/// One triangle over the whole target, by gl_VertexID. NUL-terminated, static.
const char *frost_shader_fullscreen_vert(void);

/// One pass of a plan: any separable filter along one axis, or along both at once. NUL-terminated, static.
const char *frost_shader_filter_frag(void);

/// What follows filter_frag where its result is changed before it is rounded. NUL-terminated, static.
const char *frost_shader_filter_output_glsl(void);

/// A pattern, and the error of filtering it linearly. NUL-terminated, static.
const char *frost_shader_probe_frag(void);
