/*
 * frost_motion.h - scenes, which describe animated panels over a backdrop as JSON, and the dynamics of items.
 *
 * A frame of a scene is:
 *
 *   once           frost_scene_open(), then frost_scene_renderer_create(), which reads the scene's pictures
 *   each frame     frost_scene_renderer_draw() at a time in seconds
 *
 * A frame of items that fall, bounce and swing is:
 *
 *   once           frost_animator_create(), frost_animator_add_item() and frost_animator_add_behavior(), or
 *                  frost_animator_of_scene()
 *   each frame     frost_animator_step() with the time since the last frame, then frost_animator_item() for each item
 *
 * docs/Animation.md describes scenes, and docs/scene.schema.json is their JSON Schema.
 *
 * The functions are in a library of their own, libfrost-motion.so, which needs Box2D and the libraries of the image formats.
 * libfrost.so needs none of them. The conventions of frost.h apply here as well: statuses, structs that begin with
 * struct_size, fields that are 0 have their defaults, UTF-8 strings, handles. Messages of errors are those of
 * frost_motion_error_message(). Handles of this library and those of libfrost.so cannot be exchanged.
 */
#ifndef FROST_MOTION_H
#define FROST_MOTION_H

#include "frost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

/*
 * A scene: what each frame of an animation shows.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_scene frost_scene;

/* Reads the JSON file of a scene. Names of pictures and videos are relative to its folder. Returns FROST_ERROR_UNREADABLE if
 * the file cannot be read, and FROST_ERROR_PARAMETER, with the member, its value and what is allowed, if it is not a scene. */
frost_status frost_scene_open(const char *path, frost_scene **scene);

/* Reads a scene from a JSON text of byte_count bytes in UTF-8. folder is the folder to which names are relative; NULL means
 * the working folder. */
frost_status frost_scene_parse(const char *json, size_t byte_count, const char *folder, frost_scene **scene);

/* What a scene says about its frames. */
typedef struct frost_scene_info {
    size_t struct_size;
    /* The size of a frame in pixels. */
    int32_t width, height;
    /* The length in seconds, and the frames per second. Frame n is at n / frames_per_second. */
    double duration, frames_per_second;
    /* The number of frames at that rate. */
    int64_t frame_count;
    /* The number of panels, and of the items of the dynamics. */
    size_t panel_count, item_count;
} frost_scene_info;

#define FROST_SCENE_INFO_INIT { sizeof(frost_scene_info), 0, 0, 0.0, 0.0, 0, 0, 0 }

frost_status frost_scene_describe(const frost_scene *scene, frost_scene_info *info);

void frost_scene_destroy(frost_scene *scene);

/* Returns the JSON Schema of scenes as a text. The string lives as long as the library. */
const char *frost_scene_schema(void);

/*
 * A function that supplies a picture of a scene by its name. It fills in picture, whose pixels must stay valid until
 * frost_scene_renderer_create() returns, and returns FROST_OK; or it returns FROST_NOT_READY, and Frost reads the file of
 * that name. Any other status ends frost_scene_renderer_create() with this status. Colours are used as they are.
 */
typedef frost_status (*frost_scene_picture_callback)(void *user_data, const char *name, frost_source *picture);

/* Options of frost_scene_renderer_create(). */
typedef struct frost_scene_renderer_options {
    size_t struct_size;
    /* The factor from the scene's pixels to those of the frames; 0 means 1. */
    double scale;
    /* The type of the frames' samples, FROST_SAMPLE_... */
    int32_t sample;
    /* The number of threads, 1 to 256; 0 means one for each processor. */
    int32_t threads;
    /* A function that supplies pictures, and the pointer that it is called with. NULL means files only. */
    frost_scene_picture_callback picture;
    void *user_data;
    /* Limits of the files that the scene names, as in frost_images.h: the side of a picture, the number of its pixels, and the
     * bytes of memory. 0 means the default. */
    int64_t max_side, max_pixels, max_memory;
    /* The formats that these files may have, as in frost_images.h, and "y4m" for videos. NULL allows all. */
    const char *allow;
} frost_scene_renderer_options;

#define FROST_SCENE_RENDERER_OPTIONS_INIT \
    { sizeof(frost_scene_renderer_options), 0.0, FROST_SAMPLE_U8, 0, NULL, NULL, 0, 0, 0, NULL }

/*
 * Draws the frames of a scene on the CPU. What did not change since the last frame is not computed again. Each frame has the
 * same bytes whatever frames were drawn before, and for any number of threads.
 * Thread-safety: one thread at a time may use a renderer.
 */
typedef struct frost_scene_renderer frost_scene_renderer;

/* Creates a renderer, reads all pictures and opens all videos of the scene. Returns FROST_ERROR_UNREADABLE for a file that
 * cannot be read, and FROST_ERROR_OVER_LIMIT for one that exceeds a limit. */
frost_status frost_scene_renderer_create(
    const frost_scene *scene, const frost_scene_renderer_options *options, frost_scene_renderer **renderer);

/* Sets the size and the format of the frames in target: RGBA with straight alpha. pixels keeps its value. */
frost_status frost_scene_renderer_describe_target(const frost_scene_renderer *renderer, frost_target *target);

/* What a frame cost. */
typedef struct frost_scene_report {
    size_t struct_size;
    /* The number of passes that were computed, 0 if all panels rest; and of pixels of panels that were drawn. */
    uint64_t passes, panel_pixels;
    /* The number of pixels of the frame that differ from the last frame, or may differ. */
    uint64_t composed_pixels;
    /* The maximum difference of any value of a panel from the exact effect before it is rounded, in 8-bit steps. */
    double error_bound;
} frost_scene_report;

#define FROST_SCENE_REPORT_INIT { sizeof(frost_scene_report), 0, 0, 0, 0.0 }

/* Draws the frame at a time in seconds. target has the size and format of frost_scene_renderer_describe_target(). report may
 * be NULL. Before 0 a scene is as at 0, and after its end it goes on until 86,400. */
frost_status frost_scene_renderer_draw(
    frost_scene_renderer *renderer, double seconds, const frost_target *target, frost_scene_report *report);

void frost_scene_renderer_destroy(frost_scene_renderer *renderer);

/* ---- Dynamics ---------------------------------------------------------------------------------------------------- */

/*
 * Moves items, rectangles with names, as behaviours say. Time advances in steps of 1/120 s, so that places do not depend on
 * the frame rate. Lengths are in points, and angles in degrees, clockwise. Equal calls give equal bits on one machine.
 * Thread-safety: one thread at a time may use an animator.
 */
typedef struct frost_animator frost_animator;

/* An item. */
typedef struct frost_item {
    size_t struct_size;
    /* The centre, and the size before it is turned, 0.1 to 100000. */
    double center_x, center_y, width, height;
    /* The angle, which is not reduced to one turn. */
    double rotation;
    /* The velocity in points per second, and the angular velocity in degrees per second. Only frost_animator_item() sets
     * them; behaviours change them. */
    double velocity_x, velocity_y, angular_velocity;
} frost_item;

#define FROST_ITEM_INIT { sizeof(frost_item), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/* Creates an animator without items. reference is x, y, width and height of the rectangle that items must overlap when a
 * behaviour begins to move them, and that `insets` of a collision refer to; NULL means no such rectangle. */
frost_status frost_animator_create(const double reference[4], frost_animator **animator);

/* Creates an animator with the items and behaviours of a scene's dynamics, and the scene's frame as the reference. Returns
 * FROST_ERROR_PARAMETER if the scene has none. */
frost_status frost_animator_of_scene(const frost_scene *scene, frost_animator **animator);

/* Adds an item, whose name no other item has. Its velocities are 0. Its place and size are checked when a behaviour begins to
 * move it. */
frost_status frost_animator_add_item(frost_animator *animator, const char *name, const frost_item *item);

/* Adds a behaviour: a JSON text in the form of a scene's dynamics.behaviors, such as {"behavior": "gravity"}. Its times count
 * from the animator's beginning. number, which may be NULL, is for frost_animator_remove_behavior(). */
frost_status frost_animator_add_behavior(
    frost_animator *animator, const char *json, size_t byte_count, uint64_t *number);

/* Removes a behaviour. Returns FROST_ERROR_ARGUMENT for a number that has none. */
frost_status frost_animator_remove_behavior(frost_animator *animator, uint64_t number);

/* Lets time pass: the seconds since the last call. More than 0.5 counts as 1/60, so that an animation goes on smoothly after
 * an interruption. */
frost_status frost_animator_step(frost_animator *animator, double seconds);

/* Returns in *is_running 1 if an item moves, otherwise 0. While none does, no frame changes until a behaviour begins or
 * ends. */
frost_status frost_animator_is_running(const frost_animator *animator, int32_t *is_running);

/* Returns where an item is and how it moves. */
frost_status frost_animator_item(const frost_animator *animator, const char *name, frost_item *item);

/* Moves an item to the centre and the rotation of *item, as when a user drags it. It keeps its velocity and its size. */
frost_status frost_animator_move_item(frost_animator *animator, const char *name, const frost_item *item);

/* The beginning or the end of a contact. Longer names are cut. */
typedef struct frost_contact {
    /* The name of an item, and that of the other item or "" for a boundary. */
    char item[64], other[64];
    /* 1 if the contact began, 0 if it ended. */
    int32_t is_beginning;
} frost_contact;

/* Copies up to `capacity` contacts that began and ended during the last frost_animator_step(), and stores their number in
 * *count. contacts may be NULL if capacity is 0. */
frost_status frost_animator_contacts(
    const frost_animator *animator, frost_contact *contacts, size_t capacity, size_t *count);

void frost_animator_destroy(frost_animator *animator);

/* ---- The library ------------------------------------------------------------------------------------------------- */

/*
 * Returns a one-line description of the last failed call of this library on the calling thread, or "" if no call has failed
 * on this thread. The string is valid until the thread's next call of this library.
 */
const char *frost_motion_error_message(void);

/* Returns the version of this library, such as "0.1.0". The string lives as long as the library. */
const char *frost_motion_version(void);

#ifdef __cplusplus
}
#endif

#endif
