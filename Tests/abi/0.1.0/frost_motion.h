#ifndef FROST_MOTION_H
#define FROST_MOTION_H 
#include "frost.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct frost_scene frost_scene;
frost_status frost_scene_open(const char *path, frost_scene **scene);
frost_status frost_scene_parse(const char *json, size_t byte_count, const char *folder, frost_scene **scene);
typedef struct frost_scene_info {
    size_t struct_size;
    int32_t width, height;
    double duration, frames_per_second;
    int64_t frame_count;
    size_t panel_count, item_count;
} frost_scene_info;
#define FROST_SCENE_INFO_INIT { sizeof(frost_scene_info), 0, 0, 0.0, 0.0, 0, 0, 0 }
frost_status frost_scene_describe(const frost_scene *scene, frost_scene_info *info);
void frost_scene_destroy(frost_scene *scene);
const char *frost_scene_schema(void);
typedef frost_status (*frost_scene_picture_callback)(void *user_data, const char *name, frost_source *picture);
typedef struct frost_scene_renderer_options {
    size_t struct_size;
    double scale;
    int32_t sample;
    int32_t threads;
    frost_scene_picture_callback picture;
    void *user_data;
    int64_t max_side, max_pixels, max_memory;
} frost_scene_renderer_options;
#define FROST_SCENE_RENDERER_OPTIONS_INIT \
    { sizeof(frost_scene_renderer_options), 0.0, FROST_SAMPLE_U8, 0, NULL, NULL, 0, 0, 0 }
typedef struct frost_scene_renderer frost_scene_renderer;
frost_status frost_scene_renderer_create(
    const frost_scene *scene, const frost_scene_renderer_options *options, frost_scene_renderer **renderer);
frost_status frost_scene_renderer_describe_target(const frost_scene_renderer *renderer, frost_target *target);
typedef struct frost_scene_report {
    size_t struct_size;
    uint64_t passes, panel_pixels;
    uint64_t composed_pixels;
    double error_bound;
} frost_scene_report;
#define FROST_SCENE_REPORT_INIT { sizeof(frost_scene_report), 0, 0, 0, 0.0 }
frost_status frost_scene_renderer_draw(
    frost_scene_renderer *renderer, double seconds, const frost_target *target, frost_scene_report *report);
void frost_scene_renderer_destroy(frost_scene_renderer *renderer);
typedef struct frost_animator frost_animator;
typedef struct frost_item {
    size_t struct_size;
    double center_x, center_y, width, height;
    double rotation;
    double velocity_x, velocity_y, angular_velocity;
} frost_item;
#define FROST_ITEM_INIT { sizeof(frost_item), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }
frost_status frost_animator_create(const double reference[4], frost_animator **animator);
frost_status frost_animator_of_scene(const frost_scene *scene, frost_animator **animator);
frost_status frost_animator_add_item(frost_animator *animator, const char *name, const frost_item *item);
frost_status frost_animator_add_behavior(
    frost_animator *animator, const char *json, size_t byte_count, uint64_t *number);
frost_status frost_animator_remove_behavior(frost_animator *animator, uint64_t number);
frost_status frost_animator_step(frost_animator *animator, double seconds);
frost_status frost_animator_is_running(const frost_animator *animator, int32_t *is_running);
frost_status frost_animator_item(const frost_animator *animator, const char *name, frost_item *item);
frost_status frost_animator_move_item(frost_animator *animator, const char *name, const frost_item *item);
typedef struct frost_contact {
    char item[64], other[64];
    int32_t is_beginning;
} frost_contact;
frost_status frost_animator_contacts(
    const frost_animator *animator, frost_contact *contacts, size_t capacity, size_t *count);
void frost_animator_destroy(frost_animator *animator);
const char *frost_motion_error_message(void);
const char *frost_motion_version(void);
#ifdef __cplusplus
}
#endif
#endif
