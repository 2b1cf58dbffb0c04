#include "FrostShaders.h"

#include <string.h>

// clang-format off
static const struct {
    const char *name;
    const char *text;
} files[] = {
    {"common.glsl", (const char[]){
#embed "common.glsl" suffix(, 0)
    }},
    {"convert.frag", (const char[]){
#embed "convert.frag" suffix(, 0)
    }},
    {"filter.blend.glsl", (const char[]){
#embed "filter.blend.glsl" suffix(, 0)
    }},
    {"filter.corners.glsl", (const char[]){
#embed "filter.corners.glsl" suffix(, 0)
    }},
    {"filter.frag", (const char[]){
#embed "filter.frag" suffix(, 0)
    }},
    {"filter.kernel2D.glsl", (const char[]){
#embed "filter.kernel2D.glsl" suffix(, 0)
    }},
    {"filter.output.glsl", (const char[]){
#embed "filter.output.glsl" suffix(, 0)
    }},
    {"filter.pass.glsl", (const char[]){
#embed "filter.pass.glsl" suffix(, 0)
    }},
    {"filter.runs.glsl", (const char[]){
#embed "filter.runs.glsl" suffix(, 0)
    }},
    {"filter.unrolled.glsl", (const char[]){
#embed "filter.unrolled.glsl" suffix(, 0)
    }},
    {"filter.zoom.glsl", (const char[]){
#embed "filter.zoom.glsl" suffix(, 0)
    }},
    {"fullscreen.vert", (const char[]){
#embed "fullscreen.vert" suffix(, 0)
    }},
    {"transition.frag", (const char[]){
#embed "transition.frag" suffix(, 0)
    }},
    {"transition.kinds.glsl", (const char[]){
#embed "transition.kinds.glsl" suffix(, 0)
    }},
};
// clang-format on

const char *frost_shader(const char *name) {
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (strcmp(files[i].name, name) == 0) return files[i].text;
    }
    return NULL;
}
