#include "FrostShaders.h"

static const char fullscreen_vert[] = {
#embed "fullscreen.vert" suffix(, 0)
};

static const char filter_frag[] = {
#embed "filter.frag" suffix(, 0)
};

static const char filter_output_glsl[] = {
#embed "filter.output.glsl" suffix(, 0)
};

static const char probe_frag[] = {
#embed "probe.frag" suffix(, 0)
};

const char *frost_shader_fullscreen_vert(void) { return fullscreen_vert; }

const char *frost_shader_filter_frag(void) { return filter_frag; }

const char *frost_shader_filter_output_glsl(void) { return filter_output_glsl; }

const char *frost_shader_probe_frag(void) { return probe_frag; }
