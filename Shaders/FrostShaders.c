#include "FrostShaders.h"

static const char fullscreen_vert[] = {
#embed "fullscreen.vert" suffix(, 0)
};

static const char filter_frag[] = {
#embed "filter.frag" suffix(, 0)
};

static const char filter_corners_glsl[] = {
#embed "filter.corners.glsl" suffix(, 0)
};

static const char filter_output_glsl[] = {
#embed "filter.output.glsl" suffix(, 0)
};

static const char common_glsl[] = {
#embed "common.glsl" suffix(, 0)
};

static const char convert_frag[] = {
#embed "convert.frag" suffix(, 0)
};

static const char transition_frag[] = {
#embed "transition.frag" suffix(, 0)
};

static const char transition_kinds_glsl[] = {
#embed "transition.kinds.glsl" suffix(, 0)
};

const char *frost_shader_fullscreen_vert(void) { return fullscreen_vert; }

const char *frost_shader_filter_frag(void) { return filter_frag; }

const char *frost_shader_filter_corners_glsl(void) { return filter_corners_glsl; }
const char *frost_shader_filter_output_glsl(void) { return filter_output_glsl; }

const char *frost_shader_common_glsl(void) { return common_glsl; }

const char *frost_shader_convert_frag(void) { return convert_frag; }

const char *frost_shader_transition_frag(void) { return transition_frag; }

const char *frost_shader_transition_kinds_glsl(void) { return transition_kinds_glsl; }
