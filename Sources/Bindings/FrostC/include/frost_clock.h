/*
 * frost_clock.h - animation: when to draw a frame, and the frames of transitions.
 *
 * A frame is one of these:
 *
 *   at a refresh       frost_display_link_create() once. Each tick goes to its callback, on the thread that the kind of
 *                      the link determines, or is returned to the program: draw the frame for its target_timestamp.
 *   at an interval     frost_update_timer_wait() in a loop, for programs that cannot tell what changes; then
 *                      frost_backdrop_invalidate_all() and frost_backdrop_render()
 *   of a transition    frost_transition_create() once; in each frame frost_animation_progress() computes the time, 0 to
 *                      1, and frost_render_transition() renders the image, on any thread
 *
 * Ticks that come due during a frame are dropped and counted. The program destroys links, timers and transitions. After
 * it has destroyed a link, no callback runs.
 */
#ifndef FROST_CLOCK_H
#define FROST_CLOCK_H

#include "frost_blur.h"
#include "frost_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The display link -------------------------------------------------------------------------------------------- */

/*
 * A display link delivers a tick for every refresh of a display, or for every n-th. A program draws a frame for each
 * tick. If a callback takes too long, the ticks that it misses are dropped and counted; they are not queued.
 * Thread-safety: may be used from any thread, also from its callback. Only one thread may destroy it.
 */
typedef struct frost_display_link frost_display_link;

enum {
    /* A timer of CLOCK_MONOTONIC, on a thread of its own, which calls the callback. Refresh n takes place exactly
     * n/rate seconds after the creation, which is refresh 0. The first tick is refresh 1. */
    FROST_CLOCK_TIMER = 0,
    /* The same timer without a thread. The program waits until frost_display_link_descriptor() is readable, and then
     * calls frost_display_link_dispatch(). */
    FROST_CLOCK_DESCRIPTOR = 1,
    /* The program reports each refresh with frost_display_link_tick(), for example from a frame callback of Wayland or
     * a vblank of DRM. The first reported refresh is refresh 0. */
    FROST_CLOCK_MANUAL = 2,
    /* A virtual clock for files and tests. Its time begins at 0 and advances only by frost_display_link_advance(). The
     * first tick is refresh 0, at the time 0. */
    FROST_CLOCK_VIRTUAL = 3
};

/* Options of frost_display_link_create(). */
typedef struct frost_display_link_options {
    size_t struct_size;
    /* FROST_CLOCK_TIMER, FROST_CLOCK_DESCRIPTOR, FROST_CLOCK_MANUAL or FROST_CLOCK_VIRTUAL. */
    int32_t source;
    /* The number of refreshes from one tick to the next, 1 to 1000000; 0 means 1. */
    int32_t frame_interval;
    /* The refreshes per second as a fraction, 0.01 to 1000, for example 60000 and 1001. 0 and 0 mean 60. For
     * FROST_CLOCK_MANUAL it gives only the durations and target timestamps. */
    int32_t rate_numerator, rate_denominator;
    /* 1 if the link begins paused, otherwise 0. */
    int32_t is_paused;
    int32_t reserved;
} frost_display_link_options;

#define FROST_DISPLAY_LINK_OPTIONS_INIT { sizeof(frost_display_link_options), FROST_CLOCK_TIMER, 1, 60, 1, 0, 0 }

/* A refresh for which a program draws a frame. All times are in nanoseconds of the link's clock, rounded down. */
typedef struct frost_tick {
    size_t struct_size;
    /* The number of the refresh, counted from 0. Refreshes without a tick are counted, too. */
    int64_t frame_index;
    /* timestamp: when the last frame was shown. target_timestamp: when the next frame will be shown, frame_interval
     * refreshes later. duration: the duration of one refresh, whatever the frame interval. */
    int64_t timestamp, target_timestamp, duration;
    /* The number of ticks that were dropped since the previous tick. */
    uint64_t dropped;
} frost_tick;

#define FROST_TICK_INIT { sizeof(frost_tick), 0, 0, 0, 0, 0 }

/*
 * A function that Frost calls for each tick: on the link's own thread for FROST_CLOCK_TIMER, otherwise on the thread
 * that reports the refresh. Calls never overlap. tick is valid only during the call. The function may pause, invalidate
 * and destroy the link, but may not make the next tick.
 */
typedef void (*frost_tick_callback)(void *user_data, const frost_tick *tick);

/* Creates a display link. callback may be NULL if the program uses the results of the functions below. A timer starts
 * immediately, so the callback may be called before this function returns. Returns FROST_ERROR_SYSTEM if there are no
 * file descriptors or threads left. */
frost_status frost_display_link_create(
    const frost_display_link_options *options, frost_tick_callback callback, void *user_data, frost_display_link **link);

/* Ends a link, and waits until a running callback has returned, unless it is called from that callback. After this call
 * Frost does not call the callback. May be called more than once. */
void frost_display_link_invalidate(frost_display_link *link);

/* Invalidates and destroys a link, and closes its file descriptor. */
void frost_display_link_destroy(frost_display_link *link);

/*
 * Returns FROST_OK if the link is valid, FROST_CANCELLED after frost_display_link_invalidate(), and an error if the
 * link stopped by itself because its timer failed.
 */
frost_status frost_display_link_status(const frost_display_link *link);

/*
 * Suspends the ticks if is_paused is 1, and continues if it is 0. After a pause, the refreshes of the pause do not
 * count as dropped.
 */
frost_status frost_display_link_set_paused(frost_display_link *link, int32_t is_paused);

/* Sets the number of refreshes from one tick to the next, 1 to 1000000. It counts from the last tick. */
frost_status frost_display_link_set_frame_interval(frost_display_link *link, int32_t frame_interval);

/*
 * The three functions below make a tick if one is due: they call the callback, fill in tick and return FROST_OK. If no
 * tick is due, they return FROST_NOT_READY. tick may be NULL. After frost_display_link_invalidate() they return
 * FROST_CANCELLED. For a link of another source, and in the link's own callback, they return FROST_ERROR_ARGUMENT.
 */

/*
 * Reports a refresh to a link of the source FROST_CLOCK_MANUAL. timestamp is the time at which the last frame was
 * shown, in nanoseconds of the program's clock, at most 4e18 and not earlier than the previous timestamp. refreshes is
 * the number of refreshes since the last call: 1, or more if the program missed some. At most 1000000000.
 */
frost_status frost_display_link_tick(
    frost_display_link *link, int64_t timestamp, int64_t refreshes, frost_tick *tick);

/*
 * Advances a link of the source FROST_CLOCK_VIRTUAL by 1 to 1000000000 refreshes. Makes at most one tick; earlier ones
 * are dropped.
 */
frost_status frost_display_link_advance(frost_display_link *link, int64_t refreshes, frost_tick *tick);

/* Makes the tick of a link of the source FROST_CLOCK_DESCRIPTOR. Does not wait. */
frost_status frost_display_link_dispatch(frost_display_link *link, frost_tick *tick);

/*
 * Returns in *fd the file descriptor of a link of the source FROST_CLOCK_DESCRIPTOR. It is readable when a tick is due.
 * The link owns it: do not read or close it.
 */
frost_status frost_display_link_descriptor(const frost_display_link *link, int32_t *fd);

/* Computes the elapsed part of an animation, 0 to 1, at the given time: usually the target_timestamp of a tick. All
 * times are nanoseconds of the same clock; magnitudes are at most 4e18. An animation of the duration 0 ends when it
 * begins. */
frost_status frost_animation_progress(int64_t start, int64_t duration, int64_t time, double *progress);

/* ---- Updates at an interval -------------------------------------------------------------------------------------- */

/*
 * A timer for programs that cannot tell what has changed in a picture, and therefore update a whole backdrop again and
 * again. For each tick such a program calls frost_backdrop_invalidate_all() and frost_backdrop_render().
 *
 * Tick n is due n intervals after the creation. A tick is delivered only to a program that waits for it, so two updates
 * never run at the same time. Ticks that become due during an update are dropped and counted.
 * Thread-safety: may be used from any thread. If several threads wait, each tick is delivered to one of them. Only one
 * thread may destroy it, when no other thread waits.
 */
typedef struct frost_update_timer frost_update_timer;

/* A tick of a frost_update_timer. */
typedef struct frost_update_tick {
    size_t struct_size;
    /* The number of the tick, counted from 0. Dropped ticks are counted too. */
    int64_t number;
    /* The number of ticks that were dropped since the last delivered tick. */
    int64_t dropped;
} frost_update_tick;

#define FROST_UPDATE_TICK_INIT { sizeof(frost_update_tick), 0, 0 }

/* Creates a timer. interval is in nanoseconds, from a millisecond to a day. */
frost_status frost_update_timer_create(int64_t interval, frost_update_timer **timer);

/*
 * Waits for the next tick: returns the first one at once, and every later one at the next multiple of the interval.
 * Waits at most the given number of milliseconds, or without a limit if the number is negative. Returns FROST_NOT_READY
 * if the time is over, and FROST_CANCELLED after frost_update_timer_cancel(). tick may be NULL.
 */
frost_status frost_update_timer_wait(frost_update_timer *timer, int64_t milliseconds, frost_update_tick *tick);

/* Ends all waits for a timer, and those that begin later. */
void frost_update_timer_cancel(frost_update_timer *timer);

/* Destroys a timer. */
void frost_update_timer_destroy(frost_update_timer *timer);

/* ---- Transitions ------------------------------------------------------------------------------------------------- */

/*
 * A transition from one image to another. It is rendered one frame at a time, for a time from 0 to 1. The frame at time
 * 0 is the first image, and the frame at time 1 is the second image.
 *
 * Both images lie with their top left corners at the origin, and each is transparent outside its rectangle. Their sizes
 * may differ.
 * Thread-safety: immutable; may be used from any thread.
 */
typedef struct frost_transition frost_transition;

/* Options of frost_transition_create(). */
typedef struct frost_transition_options {
    size_t struct_size;
    /* The rectangle in which the transition takes place, in pixels. Centres, directions and distances refer to it. NULL
     * means the rectangle of the first image. */
    const frost_rect *extent;
    /* The rectangle to which the shadow of a page curl is limited, in pixels. NULL means the extent. */
    const frost_rect *shadow_extent;
    /* FROST_LIGHT_ENCODED or FROST_LIGHT_LINEAR: how the images are mixed. */
    int32_t light;
    int32_t reserved;
} frost_transition_options;

#define FROST_TRANSITION_OPTIONS_INIT { sizeof(frost_transition_options), NULL, NULL, FROST_LIGHT_ENCODED, 0 }

/* Creates a transition by name: any name that `frost transitions` lists. parameters is a list of "name=value" pairs
 * separated by spaces, such as "angle=45 width=80"; NULL and "" select the defaults. Frost copies the rectangles. */
frost_status frost_transition_create(
    const char *name, const char *parameters, const frost_transition_options *options, frost_transition **transition);

/* Returns 1 if two transitions are equal, otherwise 0, as frost_effect_equal() does for effects. */
int32_t frost_transition_equal(const frost_transition *first, const frost_transition *second);

/* Returns a number that is the same for equal transitions, as frost_effect_hash() does for effects. */
uint64_t frost_transition_hash(const frost_transition *transition);

/* Destroys a transition. */
void frost_transition_destroy(frost_transition *transition);

/* The images that a transition can use in addition to the two images. Each is one bit. */
enum {
    /* A mask, which is stretched over the extent. A transition that can use a mask needs one. */
    FROST_EXTRA_MASK = 1,
    /* A picture of a shaded sphere that fills the picture. It gives the colour of the light for each direction of a
     * surface. */
    FROST_EXTRA_SHADING = 2,
    /* The back of a page, which is stretched over the first image's rectangle. */
    FROST_EXTRA_BACKSIDE = 4
};

/* Describes a transition that frost_transition_create() accepts. The strings live as long as the library. */
typedef struct frost_transition_info {
    size_t struct_size;
    const char *name;
    /* The filter of Core Image that the transition recreates, such as "CIFlashTransition". */
    const char *filter;
    /* A one-line description of the transition. */
    const char *summary;
    /* The number of parameters; frost_transition_describe_parameter() describes each. */
    size_t parameter_count;
    /* The extra images that the transition can use: the sum of their FROST_EXTRA_... constants. */
    uint32_t extra_images;
    uint32_t reserved;
} frost_transition_info;

#define FROST_TRANSITION_INFO_INIT { sizeof(frost_transition_info), NULL, NULL, NULL, 0, 0, 0 }

/* Returns the number of transitions that frost_transition_create() accepts. */
size_t frost_transition_count(void);
/* Fills in info for a transition, counted from 0. Returns FROST_ERROR_ARGUMENT if the index is out of range. */
frost_status frost_transition_describe(size_t transition, frost_transition_info *info);
/* Fills in info for a parameter of a transition; both are counted from 0. Returns FROST_ERROR_ARGUMENT if an index is
 * out of range. */
frost_status frost_transition_describe_parameter(size_t transition, size_t parameter, frost_parameter_info *info);

/* Options of frost_render_transition(). */
typedef struct frost_transition_render_options {
    size_t struct_size;
    /* The rectangle of the frame to compute, in pixels. It may extend outside the images, where the frame is
     * transparent. NULL selects the smallest rectangle that contains both images. */
    const frost_rect *region;
    /* The extra images; NULL for none. An image that the transition cannot use is an error. shading and backside have
     * the sample type of the two images. */
    const frost_mask *mask;
    const frost_source *shading;
    const frost_source *backside;
    /* A flag that stops the rendering when it is set; may be NULL. */
    frost_cancellation *cancellation;
} frost_transition_render_options;

#define FROST_TRANSITION_RENDER_OPTIONS_INIT \
    { sizeof(frost_transition_render_options), NULL, NULL, NULL, NULL, NULL }

/*
 * Fills in target with the layout that a frame of the transition needs: width, height, channels, sample, alpha,
 * bytes_per_row (without padding) and byte_count. The frame has all channels that either image has. It has an alpha
 * channel if the sizes of the images differ, and colour channels if the transition draws a colour that is not grey.
 * pixels is not changed. The pixels of from, to, shading and backside may be NULL.
 */
frost_status frost_transition_describe_target(
    const frost_transition *transition, const frost_source *from, const frost_source *to,
    const frost_transition_render_options *options, frost_target *target);

/*
 * Renders the frame of a transition at a time from 0 to 1, and returns when the target is complete.
 *
 * from is the image at time 0, and to is the image at time 1. Both have the same sample type. The target has the size
 * of the region, the sample type of the images, and the colour channels that frost_transition_describe_target()
 * returns. It needs an alpha channel if that function returns one. Its channel order (RGBA or BGRA) and its alpha mode
 * may differ; only without such a difference are the frames at time 0 and 1 exact copies. The target must not share a
 * pixel with any of the images. After an error the content of the target is undefined.
 *
 * With FROST_BACKEND_AUTO the CPU renders transitions, which takes little more time than a copy. The report states
 * which backend rendered the frame. The result does not depend on the number of threads.
 */
frost_status frost_render_transition(
    frost_renderer *renderer, const frost_transition *transition, double time, const frost_source *from,
    const frost_source *to, const frost_target *target, const frost_transition_render_options *options,
    frost_report *report);

#ifdef __cplusplus
}
#endif

#endif
