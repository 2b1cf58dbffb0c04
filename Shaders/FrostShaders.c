#include "FrostShaders.h"

#include <string.h>

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

// The files that kinds of draws add to filter.frag.
static const struct {
    const char *name;
    const char *text;
} draws[] = {
    {"filter.pass",
     (const char[]){
#embed "filter.pass.glsl" suffix(, 0)
     }},
    {"filter.unrolled",
     (const char[]){
#embed "filter.unrolled.glsl" suffix(, 0)
     }},
    {"filter.kernel2D",
     (const char[]){
#embed "filter.kernel2D.glsl" suffix(, 0)
     }},
    {"filter.runs",
     (const char[]){
#embed "filter.runs.glsl" suffix(, 0)
     }},
    {"filter.zoom",
     (const char[]){
#embed "filter.zoom.glsl" suffix(, 0)
     }},
    {"filter.blend",
     (const char[]){
#embed "filter.blend.glsl" suffix(, 0)
     }},
};

const char *frost_shader_draw(const char *name) {
    for (size_t i = 0; i < sizeof(draws) / sizeof(draws[0]); i++) {
        if (strcmp(draws[i].name, name) == 0) return draws[i].text;
    }
    return NULL;
}

const char *frost_shader_fullscreen_vert(void) { return fullscreen_vert; }

const char *frost_shader_filter_frag(void) { return filter_frag; }

const char *frost_shader_filter_corners_glsl(void) { return filter_corners_glsl; }
const char *frost_shader_filter_output_glsl(void) { return filter_output_glsl; }

const char *frost_shader_common_glsl(void) { return common_glsl; }

const char *frost_shader_convert_frag(void) { return convert_frag; }

const char *frost_shader_transition_frag(void) { return transition_frag; }

const char *frost_shader_transition_kinds_glsl(void) { return transition_kinds_glsl; }
