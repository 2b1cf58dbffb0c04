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
    {"convert.glsl", (const char[]){
#embed "convert.glsl" suffix(, 0)
    }},
    {"entry.glsl", (const char[]){
#embed "entry.glsl" suffix(, 0)
    }},
    {"filter.blend.glsl", (const char[]){
#embed "filter.blend.glsl" suffix(, 0)
    }},
    {"filter.corners.glsl", (const char[]){
#embed "filter.corners.glsl" suffix(, 0)
    }},
    {"filter.glsl", (const char[]){
#embed "filter.glsl" suffix(, 0)
    }},
    {"filter.kernel2D.glsl", (const char[]){
#embed "filter.kernel2D.glsl" suffix(, 0)
    }},
    {"filter.lens.glsl", (const char[]){
#embed "filter.lens.glsl" suffix(, 0)
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
    {"filter.shapes.glsl", (const char[]){
#embed "filter.shapes.glsl" suffix(, 0)
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
    {"straight.glsl", (const char[]){
#embed "straight.glsl" suffix(, 0)
    }},
    {"transition.glsl", (const char[]){
#embed "transition.glsl" suffix(, 0)
    }},
    {"trial.glsl", (const char[]){
#embed "trial.glsl" suffix(, 0)
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
