#ifndef FROST_H
#define FROST_H 
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define FROST_VERSION "0.1.0"
const char *frost_version(void);
typedef int32_t frost_status;
enum {
    FROST_OK = 0,
    FROST_NOT_READY = 1,
    FROST_BUSY = 2,
    FROST_CANCELLED = 3,
    FROST_ERROR_ARGUMENT = -1,
    FROST_ERROR_PARAMETER = -2,
    FROST_ERROR_PIXELS = -3,
    FROST_ERROR_NO_DEVICE = -4,
    FROST_ERROR_DEVICE_FAILED = -5,
    FROST_ERROR_SURFACE = -6,
    FROST_ERROR_SYSTEM = -7
};
const char *frost_status_name(frost_status status);
const char *frost_error_message(void);
typedef struct frost_device_list frost_device_list;
enum {
    FROST_DEVICE_USABLE = 0,
    FROST_DEVICE_UNUSABLE = 1,
    FROST_DEVICE_DUPLICATE = 2
};
typedef struct frost_device_info {
    size_t struct_size;
    int32_t status;
    int32_t index;
    int32_t duplicate_of;
    int32_t is_software;
    int32_t is_automatic;
    int32_t reserved;
    char id[128];
    char platform[32];
    char render_node[64], pci_path[64];
    char vendor[128], renderer[256], version[128];
    char reason[256];
} frost_device_info;
#define FROST_DEVICE_INFO_INIT \
    { sizeof(frost_device_info), 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }
frost_status frost_device_list_create(frost_device_list **list);
size_t frost_device_list_count(const frost_device_list *list);
frost_status frost_device_list_describe(const frost_device_list *list, size_t index, frost_device_info *info);
void frost_device_list_destroy(frost_device_list *list);
typedef struct frost_renderer frost_renderer;
enum {
    FROST_BACKEND_AUTO = 0,
    FROST_BACKEND_CPU = 1,
    FROST_BACKEND_GPU = 2,
    FROST_BACKEND_EXACT = 3
};
typedef struct frost_renderer_options {
    size_t struct_size;
    int32_t backend;
    int32_t threads;
    const char *device;
} frost_renderer_options;
#define FROST_RENDERER_OPTIONS_INIT { sizeof(frost_renderer_options), FROST_BACKEND_AUTO, 0, NULL }
frost_status frost_renderer_create(const frost_renderer_options *options, frost_renderer **renderer);
frost_status frost_renderer_prepare(frost_renderer *renderer, int32_t channels, int32_t sample);
void frost_renderer_destroy(frost_renderer *renderer);
enum {
    FROST_CHANNELS_RGBA = 0,
    FROST_CHANNELS_BGRA = 1,
    FROST_CHANNELS_RGB = 2,
    FROST_CHANNELS_GREY = 3,
    FROST_CHANNELS_GREY_ALPHA = 4
};
enum { FROST_SAMPLE_U8 = 0, FROST_SAMPLE_U16 = 1, FROST_SAMPLE_F32 = 2, FROST_SAMPLE_F16 = 3 };
enum { FROST_ALPHA_STRAIGHT = 0, FROST_ALPHA_PREMULTIPLIED = 1 };
typedef struct frost_rect {
    int32_t x, y, width, height;
} frost_rect;
typedef struct frost_source {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    size_t bytes_per_row;
    const void *pixels;
    size_t byte_count;
} frost_source;
#define FROST_SOURCE_INIT \
    { sizeof(frost_source), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }
typedef struct frost_target {
    size_t struct_size;
    int32_t width, height;
    int32_t channels, sample, alpha;
    int32_t reserved;
    size_t bytes_per_row;
    void *pixels;
    size_t byte_count;
} frost_target;
#define FROST_TARGET_INIT \
    { sizeof(frost_target), 0, 0, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8, FROST_ALPHA_STRAIGHT, 0, 0, NULL, 0 }
typedef struct frost_mask frost_mask;
frost_status frost_mask_create(const frost_source *picture, frost_mask **mask);
void frost_mask_destroy(frost_mask *mask);
typedef struct frost_effect frost_effect;
enum { FROST_EDGE_CLAMP = 0, FROST_EDGE_MIRROR = 1, FROST_EDGE_REPEAT = 2, FROST_EDGE_CLEAR = 3 };
enum {
    FROST_DITHER_DEFAULT = 0,
    FROST_DITHER_OFF = 1,
    FROST_DITHER_ON = 2
};
enum {
    FROST_LIGHT_ENCODED = 0,
    FROST_LIGHT_LINEAR = 1
};
typedef struct frost_effect_options {
    size_t struct_size;
    int32_t dither;
    int32_t light;
} frost_effect_options;
#define FROST_EFFECT_OPTIONS_INIT { sizeof(frost_effect_options), FROST_DITHER_DEFAULT, FROST_LIGHT_ENCODED }
frost_status frost_effect_create(
    const char *name, const char *parameters, const frost_effect_options *options, frost_effect **effect);
frost_status frost_effect_create_gaussian(
    double sigma_x, double sigma_y, int32_t edge, const frost_effect_options *options, frost_effect **effect);
typedef struct frost_content {
    size_t struct_size;
    const frost_source *picture;
    const char *vibrancy;
    const char *mode;
    frost_rect bounds;
} frost_content;
#define FROST_CONTENT_INIT { sizeof(frost_content), NULL, NULL, NULL, { 0, 0, 0, 0 } }
frost_status frost_effect_add_content(
    const frost_effect *effect, const frost_content *content, frost_effect **result);
typedef struct frost_rounded_rect {
    double x, y, width, height;
    double radius;
} frost_rounded_rect;
frost_status frost_effect_clip(
    const frost_effect *effect, const frost_rounded_rect *rects, size_t count, frost_effect **result);
void frost_effect_destroy(frost_effect *effect);
typedef struct frost_effect_info {
    size_t struct_size;
    const char *name;
    const char *family;
    const char *summary;
    size_t parameter_count;
} frost_effect_info;
#define FROST_EFFECT_INFO_INIT { sizeof(frost_effect_info), NULL, NULL, NULL, 0 }
enum { FROST_PARAMETER_NUMBER = 0, FROST_PARAMETER_COLOR = 1, FROST_PARAMETER_CHOICE = 2 };
typedef struct frost_parameter_info {
    size_t struct_size;
    const char *name;
    const char *help;
    const char *default_value;
    const char *unit;
    const char *choices;
    double minimum, maximum;
    int32_t kind;
    int32_t reserved;
} frost_parameter_info;
#define FROST_PARAMETER_INFO_INIT { sizeof(frost_parameter_info), NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0, 0 }
size_t frost_effect_count(void);
frost_status frost_effect_describe(size_t effect, frost_effect_info *info);
frost_status frost_effect_describe_parameter(size_t effect, size_t parameter, frost_parameter_info *info);
typedef struct frost_cancellation frost_cancellation;
frost_status frost_cancellation_create(frost_cancellation **cancellation);
void frost_cancellation_cancel(frost_cancellation *cancellation);
void frost_cancellation_destroy(frost_cancellation *cancellation);
typedef struct frost_render_options {
    size_t struct_size;
    const frost_rect *region;
    const frost_mask *mask;
    frost_cancellation *cancellation;
    double error_budget;
} frost_render_options;
#define FROST_RENDER_OPTIONS_INIT { sizeof(frost_render_options), NULL, NULL, NULL, 0.0 }
typedef struct frost_report {
    size_t struct_size;
    int32_t backend;
    int32_t passes;
    double error_bound;
    double upload_ms, blur_ms, readback_ms, gpu_ms;
    char device[128];
    char reason[256];
    char warning[256];
} frost_report;
#define FROST_REPORT_INIT { sizeof(frost_report), 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, { 0 }, { 0 }, { 0 } }
frost_status frost_effect_describe_target(
    const frost_effect *effect, const frost_source *source, const frost_rect *region, frost_target *target);
frost_status frost_effect_error_bound(
    const frost_effect *effect, const frost_source *source, const frost_render_options *options, double *bound);
frost_status frost_effect_damage_expansion(
    const frost_effect *effect, const frost_source *source, double error_budget, int32_t *x, int32_t *y);
frost_status frost_render(
    frost_renderer *renderer, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_report *report);
typedef struct frost_transition frost_transition;
typedef struct frost_transition_options {
    size_t struct_size;
    const frost_rect *extent;
    const frost_rect *shadow_extent;
    int32_t light;
    int32_t reserved;
} frost_transition_options;
#define FROST_TRANSITION_OPTIONS_INIT { sizeof(frost_transition_options), NULL, NULL, FROST_LIGHT_ENCODED, 0 }
frost_status frost_transition_create(
    const char *name, const char *parameters, const frost_transition_options *options, frost_transition **transition);
void frost_transition_destroy(frost_transition *transition);
enum {
    FROST_EXTRA_MASK = 1,
    FROST_EXTRA_SHADING = 2,
    FROST_EXTRA_BACKSIDE = 4
};
typedef struct frost_transition_info {
    size_t struct_size;
    const char *name;
    const char *filter;
    const char *summary;
    size_t parameter_count;
    uint32_t extra_images;
    uint32_t reserved;
} frost_transition_info;
#define FROST_TRANSITION_INFO_INIT { sizeof(frost_transition_info), NULL, NULL, NULL, 0, 0, 0 }
size_t frost_transition_count(void);
frost_status frost_transition_describe(size_t transition, frost_transition_info *info);
frost_status frost_transition_describe_parameter(size_t transition, size_t parameter, frost_parameter_info *info);
typedef struct frost_transition_render_options {
    size_t struct_size;
    const frost_rect *region;
    const frost_mask *mask;
    const frost_source *shading;
    const frost_source *backside;
    frost_cancellation *cancellation;
} frost_transition_render_options;
#define FROST_TRANSITION_RENDER_OPTIONS_INIT \
    { sizeof(frost_transition_render_options), NULL, NULL, NULL, NULL, NULL }
frost_status frost_transition_describe_target(
    const frost_transition *transition, const frost_source *from, const frost_source *to,
    const frost_transition_render_options *options, frost_target *target);
frost_status frost_render_transition(
    frost_renderer *renderer, const frost_transition *transition, double time, const frost_source *from,
    const frost_source *to, const frost_target *target, const frost_transition_render_options *options,
    frost_report *report);
typedef struct frost_backdrop frost_backdrop;
enum {
    FROST_COVERAGE_PANELS = 0,
    FROST_COVERAGE_EVERYWHERE = 1
};
typedef struct frost_backdrop_options {
    size_t struct_size;
    int32_t coverage;
    int32_t threads;
    double error_budget;
} frost_backdrop_options;
#define FROST_BACKDROP_OPTIONS_INIT { sizeof(frost_backdrop_options), FROST_COVERAGE_PANELS, 0, 0.0 }
frost_status frost_backdrop_create(const frost_backdrop_options *options, frost_backdrop **backdrop);
void frost_backdrop_destroy(frost_backdrop *backdrop);
typedef struct frost_panel {
    size_t struct_size;
    frost_rect rect;
    double corner_radius;
    const frost_effect *effect;
    const frost_mask *mask;
} frost_panel;
#define FROST_PANEL_INIT { sizeof(frost_panel), { 0, 0, 0, 0 }, 0.0, NULL, NULL }
frost_status frost_backdrop_set_panels(frost_backdrop *backdrop, const frost_panel *panels, size_t count);
frost_status frost_backdrop_invalidate(frost_backdrop *backdrop, const frost_rect *rects, size_t count);
frost_status frost_backdrop_invalidate_all(frost_backdrop *backdrop);
enum {
    FROST_REPAINT_CHANGED = 0,
    FROST_REPAINT_ALL = 1
};
typedef struct frost_frame_options {
    size_t struct_size;
    int32_t repaint;
    int32_t reserved;
    frost_cancellation *cancellation;
} frost_frame_options;
#define FROST_FRAME_OPTIONS_INIT { sizeof(frost_frame_options), FROST_REPAINT_CHANGED, 0, NULL }
typedef struct frost_frame_report {
    size_t struct_size;
    uint64_t level_passes, panel_passes;
    uint64_t level_samples, panel_pixels;
    size_t updated_count, uncovered_count;
    double error_bound;
} frost_frame_report;
#define FROST_FRAME_REPORT_INIT { sizeof(frost_frame_report), 0, 0, 0, 0, 0, 0, 0.0 }
frost_status frost_backdrop_render(
    frost_backdrop *backdrop, const frost_source *source, const frost_target *target,
    const frost_frame_options *options, frost_frame_report *report);
frost_status frost_backdrop_updated(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);
frost_status frost_backdrop_uncovered(
    const frost_backdrop *backdrop, frost_rect *rects, size_t capacity, size_t *count);
typedef struct frost_gl frost_gl;
typedef struct frost_gl_options {
    size_t struct_size;
    uint64_t idle_bytes;
} frost_gl_options;
#define FROST_GL_OPTIONS_INIT { sizeof(frost_gl_options), 0 }
frost_status frost_gl_create(const frost_gl_options *options, frost_gl **gl);
void frost_gl_destroy(frost_gl *gl);
frost_status frost_gl_trim(frost_gl *gl);
typedef struct frost_gl_info {
    size_t struct_size;
    uint64_t renders, passes;
    uint64_t objects_created, objects, bytes;
    uint64_t programs_compiled, programs_loaded;
    int32_t maximum_side;
    int32_t reserved;
    char device[128];
} frost_gl_info;
#define FROST_GL_INFO_INIT { sizeof(frost_gl_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 } }
frost_status frost_gl_describe(const frost_gl *gl, frost_gl_info *info);
enum {
    FROST_GL_TEXTURE_2D = 0,
    FROST_GL_TEXTURE_EXTERNAL = 1,
    FROST_GL_FRAMEBUFFER = 2
};
typedef struct frost_gl_source {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    int32_t sample;
} frost_gl_source;
#define FROST_GL_SOURCE_INIT \
    { sizeof(frost_gl_source), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0 }
typedef struct frost_gl_target {
    size_t struct_size;
    uint32_t name;
    int32_t kind;
    int32_t width, height;
    int32_t channels;
    int32_t alpha;
    int32_t rises;
    int32_t x, y;
    int32_t sample;
} frost_gl_target;
#define FROST_GL_TARGET_INIT \
    { sizeof(frost_gl_target), 0, FROST_GL_TEXTURE_2D, 0, 0, FROST_CHANNELS_RGBA, FROST_ALPHA_PREMULTIPLIED, 0, 0, 0, 0 }
frost_status frost_gl_render(
    frost_gl *gl, const frost_effect *effect, const frost_gl_source *source, const frost_gl_target *target,
    const frost_render_options *options, frost_report *report);
frost_status frost_gl_backdrop_create(
    frost_gl *gl, const frost_backdrop_options *options, frost_backdrop **backdrop);
frost_status frost_gl_backdrop_render(
    frost_backdrop *backdrop, const frost_gl_source *source, const frost_gl_target *target,
    const frost_frame_options *options, frost_frame_report *report);
typedef struct frost_dmabuf_plane {
    int32_t fd;
    uint32_t offset, stride;
} frost_dmabuf_plane;
enum { FROST_YUV_BT601 = 0, FROST_YUV_BT709 = 1, FROST_YUV_BT2020 = 2 };
enum { FROST_YUV_NARROW = 0, FROST_YUV_FULL = 1 };
enum { FROST_YUV_SITING_FIRST = 0, FROST_YUV_SITING_MIDDLE = 1 };
typedef struct frost_dmabuf {
    size_t struct_size;
    int32_t width, height;
    uint32_t fourcc;
    uint32_t plane_count;
    uint64_t modifier;
    frost_dmabuf_plane planes[4];
    int32_t yuv_matrix, yuv_range, yuv_siting_x, yuv_siting_y;
} frost_dmabuf;
#define FROST_DMABUF_INIT \
    { sizeof(frost_dmabuf), 0, 0, 0, 0, 0, { { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 }, { -1, 0, 0 } }, 0, 0, 0, 0 }
typedef struct frost_dmabuf_allocator frost_dmabuf_allocator;
frost_status frost_dmabuf_allocator_create(const char *node, frost_dmabuf_allocator **allocator);
void frost_dmabuf_allocator_destroy(frost_dmabuf_allocator *allocator);
enum {
    FROST_DMABUF_FOR_RENDERING = 0,
    FROST_DMABUF_FOR_READING = 1
};
typedef struct frost_dmabuf_request {
    size_t struct_size;
    int32_t width, height;
    uint32_t fourcc;
    int32_t purpose;
    const uint64_t *modifiers;
    size_t modifier_count;
} frost_dmabuf_request;
#define FROST_DMABUF_REQUEST_INIT { sizeof(frost_dmabuf_request), 0, 0, 0, FROST_DMABUF_FOR_RENDERING, NULL, 0 }
frost_status frost_dmabuf_allocate(
    frost_dmabuf_allocator *allocator, const frost_dmabuf_request *request, frost_dmabuf *buffer);
typedef struct frost_dmabuf_kind {
    size_t struct_size;
    uint64_t modifier;
    uint32_t fourcc;
    int32_t is_external_only;
} frost_dmabuf_kind;
#define FROST_DMABUF_KIND_INIT { sizeof(frost_dmabuf_kind), 0, 0, 0 }
frost_status frost_gl_dmabuf_kind_count(frost_gl *gl, size_t *count);
frost_status frost_gl_describe_dmabuf_kind(frost_gl *gl, size_t index, frost_dmabuf_kind *kind);
typedef struct frost_gl_buffer frost_gl_buffer;
enum {
    FROST_DMABUF_ANY = 0,
    FROST_DMABUF_TEXTURE_2D = 1,
    FROST_DMABUF_EXTERNAL = 2
};
frost_status frost_gl_import(frost_gl *gl, const frost_dmabuf *buffer, int32_t use, frost_gl_buffer **result);
frost_status frost_gl_buffer_source(const frost_gl_buffer *buffer, frost_gl_source *source);
frost_status frost_gl_buffer_target(const frost_gl_buffer *buffer, frost_gl_target *target);
void frost_gl_buffer_destroy(frost_gl_buffer *buffer);
frost_status frost_gl_wait_fence(frost_gl *gl, int32_t fd, int64_t milliseconds, int32_t *on_gpu);
frost_status frost_gl_fence(frost_gl *gl, int64_t milliseconds, int32_t *fd);
typedef struct frost_queue frost_queue;
typedef struct frost_ticket frost_ticket;
typedef struct frost_queue_options {
    size_t struct_size;
    int32_t depth;
    int32_t concurrency;
} frost_queue_options;
#define FROST_QUEUE_OPTIONS_INIT { sizeof(frost_queue_options), 0, 0 }
frost_status frost_queue_create(
    frost_renderer *renderer, const frost_queue_options *options, frost_queue **queue);
typedef void (*frost_callback)(void *user_data, frost_status status, const frost_report *report);
frost_status frost_queue_submit(
    frost_queue *queue, const frost_effect *effect, const frost_source *source, const frost_target *target,
    const frost_render_options *options, frost_callback callback, void *user_data, frost_ticket **ticket);
size_t frost_queue_count(const frost_queue *queue);
void frost_queue_cancel_all(frost_queue *queue);
frost_status frost_queue_wait(frost_queue *queue);
void frost_queue_destroy(frost_queue *queue);
frost_status frost_ticket_poll(const frost_ticket *ticket, frost_report *report);
frost_status frost_ticket_wait(const frost_ticket *ticket, int64_t milliseconds, frost_report *report);
void frost_ticket_cancel(frost_ticket *ticket);
void frost_ticket_destroy(frost_ticket *ticket);
typedef struct frost_display_link frost_display_link;
enum {
    FROST_CLOCK_TIMER = 0,
    FROST_CLOCK_DESCRIPTOR = 1,
    FROST_CLOCK_MANUAL = 2,
    FROST_CLOCK_VIRTUAL = 3
};
typedef struct frost_display_link_options {
    size_t struct_size;
    int32_t source;
    int32_t frame_interval;
    int32_t rate_numerator, rate_denominator;
    int32_t is_paused;
    int32_t reserved;
} frost_display_link_options;
#define FROST_DISPLAY_LINK_OPTIONS_INIT { sizeof(frost_display_link_options), FROST_CLOCK_TIMER, 1, 60, 1, 0, 0 }
typedef struct frost_tick {
    size_t struct_size;
    int64_t frame_index;
    int64_t timestamp, target_timestamp, duration;
    uint64_t dropped;
} frost_tick;
#define FROST_TICK_INIT { sizeof(frost_tick), 0, 0, 0, 0, 0 }
typedef void (*frost_tick_callback)(void *user_data, const frost_tick *tick);
frost_status frost_display_link_create(
    const frost_display_link_options *options, frost_tick_callback callback, void *user_data, frost_display_link **link);
void frost_display_link_invalidate(frost_display_link *link);
void frost_display_link_destroy(frost_display_link *link);
frost_status frost_display_link_status(const frost_display_link *link);
frost_status frost_display_link_set_paused(frost_display_link *link, int32_t is_paused);
frost_status frost_display_link_set_frame_interval(frost_display_link *link, int32_t frame_interval);
frost_status frost_display_link_tick(
    frost_display_link *link, int64_t timestamp, int64_t refreshes, frost_tick *tick);
frost_status frost_display_link_advance(frost_display_link *link, int64_t refreshes, frost_tick *tick);
frost_status frost_display_link_dispatch(frost_display_link *link, frost_tick *tick);
frost_status frost_display_link_descriptor(const frost_display_link *link, int32_t *fd);
frost_status frost_animation_progress(int64_t start, int64_t duration, int64_t time, double *progress);
#ifdef __cplusplus
}
#endif
#endif
