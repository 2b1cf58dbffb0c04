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

static const char transition_dissolve_glsl[] = {
#embed "transition.dissolve.glsl" suffix(, 0)
};

static const char transition_swipe_glsl[] = {
#embed "transition.swipe.glsl" suffix(, 0)
};

static const char transition_copy_machine_glsl[] = {
#embed "transition.copyMachine.glsl" suffix(, 0)
};

static const char transition_bars_swipe_glsl[] = {
#embed "transition.barsSwipe.glsl" suffix(, 0)
};

static const char transition_mod_glsl[] = {
#embed "transition.mod.glsl" suffix(, 0)
};

static const char transition_disintegrate_glsl[] = {
#embed "transition.disintegrate.glsl" suffix(, 0)
};

static const char transition_ripple_glsl[] = {
#embed "transition.ripple.glsl" suffix(, 0)
};

static const char transition_page_curl_glsl[] = {
#embed "transition.pageCurl.glsl" suffix(, 0)
};

static const char transition_accordion_fold_glsl[] = {
#embed "transition.accordionFold.glsl" suffix(, 0)
};

static const char transition_flash_glsl[] = {
#embed "transition.flash.glsl" suffix(, 0)
};

const char *frost_shader_fullscreen_vert(void) { return fullscreen_vert; }

const char *frost_shader_filter_frag(void) { return filter_frag; }

const char *frost_shader_filter_corners_glsl(void) { return filter_corners_glsl; }
const char *frost_shader_filter_output_glsl(void) { return filter_output_glsl; }

const char *frost_shader_common_glsl(void) { return common_glsl; }

const char *frost_shader_convert_frag(void) { return convert_frag; }

const char *frost_shader_transition_frag(void) { return transition_frag; }

const char *frost_shader_transition_dissolve_glsl(void) { return transition_dissolve_glsl; }

const char *frost_shader_transition_swipe_glsl(void) { return transition_swipe_glsl; }

const char *frost_shader_transition_copy_machine_glsl(void) { return transition_copy_machine_glsl; }

const char *frost_shader_transition_bars_swipe_glsl(void) { return transition_bars_swipe_glsl; }

const char *frost_shader_transition_mod_glsl(void) { return transition_mod_glsl; }

const char *frost_shader_transition_disintegrate_glsl(void) { return transition_disintegrate_glsl; }

const char *frost_shader_transition_ripple_glsl(void) { return transition_ripple_glsl; }

const char *frost_shader_transition_page_curl_glsl(void) { return transition_page_curl_glsl; }

const char *frost_shader_transition_accordion_fold_glsl(void) { return transition_accordion_fold_glsl; }

const char *frost_shader_transition_flash_glsl(void) { return transition_flash_glsl; }
