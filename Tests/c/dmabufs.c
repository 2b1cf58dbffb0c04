// Tests dma-bufs in the program's own GL context. Invalid buffers must be refused. If FROST_DRM_NODE names a DRM node,
// effects are also drawn from one dma-buf into another.
#include "host.h"

#include <drm_fourcc.h>
#include <sys/mman.h>

enum { WIDTH = 48, HEIGHT = 20, STRIDE = 256, BYTES = WIDTH * HEIGHT * 4 };

static frost_dmabuf buffer_of(int fd) {
    frost_dmabuf buffer = FROST_DMABUF_INIT;
    buffer.width = WIDTH;
    buffer.height = HEIGHT;
    buffer.fourcc = DRM_FORMAT_ABGR8888;
    buffer.plane_count = 1;
    buffer.planes[0] = (frost_dmabuf_plane){fd, 0, STRIDE};
    return buffer;
}

TRY(import, gl_buffer, (frost_gl *gl, const frost_dmabuf *buffer, int32_t use), frost_gl_import(gl, buffer, use, &made))

static void arguments(frost_gl *gl) {
    const int memory = memfd_create("image", MFD_CLOEXEC);
    CHECK(memory >= 0 && ftruncate(memory, STRIDE * HEIGHT) == 0);
    const frost_dmabuf buffer = buffer_of(memory);
    frost_gl_buffer *made = NULL;
    size_t count = 0;
    frost_dmabuf_kind kind = FROST_DMABUF_KIND_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_dmabuf_kind_count(NULL, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "count is NULL", frost_gl_dmabuf_kind_count(gl, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_describe_dmabuf_kind(NULL, 0, &kind));
    EXPECT(FROST_ERROR_ARGUMENT, "kind", frost_gl_describe_dmabuf_kind(gl, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "kind", frost_gl_describe_dmabuf_kind(gl, SIZE_MAX, &kind));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_import(NULL, &buffer, 0, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "buffer is NULL", frost_gl_import(gl, NULL, 0, &made));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_gl_import(gl, &buffer, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "use 3", frost_gl_import(gl, &buffer, 3, &made));
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    frost_gl_target target = FROST_GL_TARGET_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "buffer is NULL", frost_gl_buffer_source(NULL, &source));
    EXPECT(FROST_ERROR_ARGUMENT, "buffer is NULL", frost_gl_buffer_target(NULL, &target));
    frost_gl_buffer_destroy(NULL);

#define WITH(status, evidence, change)                                \
    do {                                                              \
        frost_dmabuf b = buffer;                                      \
        change;                                                       \
        EXPECT(status, evidence, frost_gl_import(gl, &b, 0, &made));  \
    } while (0)
    WITH(FROST_ERROR_ARGUMENT, "plane_count 0", b.plane_count = 0);
    WITH(FROST_ERROR_ARGUMENT, "plane_count 5", b.plane_count = 5);
    WITH(FROST_ERROR_ARGUMENT, "plane_count", b.plane_count = UINT32_MAX);
    WITH(FROST_ERROR_ARGUMENT, "yuv_matrix", b.yuv_matrix = 3);
    WITH(FROST_ERROR_ARGUMENT, "yuv_range", b.yuv_range = -1);
    WITH(FROST_ERROR_ARGUMENT, "yuv_siting_x", b.yuv_siting_x = 2);
    WITH(FROST_ERROR_ARGUMENT, "yuv_siting_y", b.yuv_siting_y = 2);
    // The message names the format and the modifier, whichever driver is used.
    WITH(FROST_ERROR_SURFACE, "ZZZZ, modifier 0x0 (linear)", b.fourcc = fourcc_code('Z', 'Z', 'Z', 'Z'));
    WITH(FROST_ERROR_SURFACE, "AB24, modifier 0xfe00000000000001", b.modifier = 0xfe00000000000001);
    WITH(FROST_ERROR_SURFACE, "AB24", b.width = 0);
    WITH(FROST_ERROR_SURFACE, "AB24", b.height = -1);
    WITH(FROST_ERROR_SURFACE, "AB24", b.height = INT32_MAX);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].stride = WIDTH * 4 - 1);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].stride = UINT32_MAX);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].offset = UINT32_MAX);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].offset = STRIDE);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].fd = -1);
    WITH(FROST_ERROR_SURFACE, "AB24", b.planes[0].fd = 9999);
    WITH(FROST_ERROR_SURFACE, "AB24", b.plane_count = 2);
    WITH(FROST_ERROR_SURFACE, "NV12", (b.fourcc = DRM_FORMAT_NV12, b.plane_count = 2, b.planes[1] = b.planes[0]));
#undef WITH
    CHECK(!made);
    // No device has allocated this memory. Whether the import succeeds depends on the driver.
    const frost_status taken = try_import(gl, &buffer, FROST_DMABUF_ANY);
    CHECK(taken == FROST_OK || taken == FROST_ERROR_SURFACE);
    SIZES(frost_dmabuf, buffer, taken, try_import(gl, shorter, FROST_DMABUF_ANY));
    close(memory);
}

// Tests what frost_gl_submit() reports, and points of timelines. A real timeline needs a device; these tests need none.
static void submissions(frost_gl *gl) {
    frost_gl_submission submission = FROST_GL_SUBMISSION_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_submit(NULL, -1, &submission));
    EXPECT(FROST_ERROR_ARGUMENT, "submission is NULL", frost_gl_submit(gl, -1, NULL));
    EXPECT(FROST_OK, "", frost_gl_submit(gl, -1, &submission));
    CHECK((submission.state == FROST_WORK_SUBMITTED) == (submission.fd >= 0));
    CHECK(submission.state == FROST_WORK_SUBMITTED || submission.state == FROST_WORK_FINISHED);
    CHECK(submission.waited_seconds >= 0);
    if (submission.fd >= 0) close(submission.fd);
    SIZES(frost_gl_submission, submission, FROST_OK, frost_gl_submit(gl, -1, shorter));
    EXPECT(FROST_ERROR_ARGUMENT, "fd -1", frost_gl_wait_fence(gl, -1, 0, NULL));

    const int memory = memfd_create("no device", MFD_CLOEXEC);
    frost_timeline_point point = FROST_TIMELINE_POINT_INIT;
    point.device_fd = memory;
    point.handle = 1;
    point.point = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_wait_point(NULL, &point, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "point is NULL", frost_gl_wait_point(gl, NULL, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "point is NULL", frost_gl_signal_point(gl, NULL, 0, NULL));
    EXPECT(FROST_ERROR_DEVICE_FAILED, "DRM_IOCTL_GET_CAP", frost_gl_wait_point(gl, &point, 0, NULL));
    EXPECT(FROST_ERROR_DEVICE_FAILED, "DRM_IOCTL_GET_CAP", frost_gl_signal_point(gl, &point, 0, &submission));
    SIZES(frost_timeline_point, point, FROST_ERROR_DEVICE_FAILED, frost_gl_wait_point(gl, shorter, 0, NULL));
    point.syncobj_fd = memory;
    EXPECT(FROST_ERROR_ARGUMENT, "both handle 1 and syncobj_fd", frost_gl_wait_point(gl, &point, 0, NULL));
    point.handle = 0;
    point.syncobj_fd = -1;
    EXPECT(FROST_ERROR_ARGUMENT, "neither handle nor syncobj_fd", frost_gl_wait_point(gl, &point, 0, NULL));
    point.reserved = 7;
    EXPECT(FROST_ERROR_ARGUMENT, "reserved is 7", frost_gl_wait_point(gl, &point, 0, NULL));
    close(memory);
}

TRY(allocator, dmabuf_allocator, (const char *node), frost_dmabuf_allocator_create(node, &made))

static void close_planes(frost_dmabuf *buffer) {
    for (uint32_t i = 0; i < buffer->plane_count; i++) CHECK(close(buffer->planes[i].fd) == 0);
}

// Allocates a buffer and closes it again.
static frost_status try_allocate(
    frost_dmabuf_allocator *allocator, const frost_dmabuf_request *request, frost_dmabuf *buffer) {
    const frost_status status = frost_dmabuf_allocate(allocator, request, buffer);
    if (status == FROST_OK) close_planes(buffer);
    return status;
}

static frost_dmabuf_request request_of(uint32_t fourcc) {
    frost_dmabuf_request request = FROST_DMABUF_REQUEST_INIT;
    request.width = WIDTH;
    request.height = HEIGHT;
    request.fourcc = fourcc;
    return request;
}

// Tests buffers that Frost allocates. Requests for impossible buffers must be refused. The allocated buffers can be
// drawn into, and stay valid after their allocator has been destroyed.
static void allocation(frost_gl *gl) {
    frost_dmabuf_allocator *allocator = NULL;
    frost_dmabuf buffer = FROST_DMABUF_INIT;
    frost_dmabuf_request request = request_of(DRM_FORMAT_ABGR8888);
    EXPECT(FROST_ERROR_ARGUMENT, "allocator is NULL", frost_dmabuf_allocator_create("/dev/null", NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "node is NULL", frost_dmabuf_allocator_create(NULL, &allocator));
    EXPECT(FROST_ERROR_ARGUMENT, "allocator is NULL", frost_dmabuf_allocate(NULL, &request, &buffer));
    EXPECT(FROST_ERROR_NO_DEVICE, "/dev/dri/renderD999", try_allocator("/dev/dri/renderD999"));
    EXPECT(FROST_ERROR_NO_DEVICE, "", try_allocator(""));
    EXPECT(FROST_ERROR_NO_DEVICE, "/etc", try_allocator("/etc"));
    frost_dmabuf_allocator_destroy(NULL);
    CHECK(!allocator);
    const char *node = getenv("FROST_DRM_NODE");
    if (!node) return;

    EXPECT(FROST_OK, "", frost_dmabuf_allocator_create(node, &allocator));
    EXPECT(FROST_ERROR_ARGUMENT, "request is NULL", frost_dmabuf_allocate(allocator, NULL, &buffer));
    EXPECT(FROST_ERROR_ARGUMENT, "buffer is NULL", frost_dmabuf_allocate(allocator, &request, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_dmabuf_allocate((frost_dmabuf_allocator *)(void *)gl, &request, &buffer));
    SIZES(frost_dmabuf_request, request, FROST_OK, try_allocate(allocator, shorter, &buffer));
    SIZES(frost_dmabuf, buffer, FROST_OK, try_allocate(allocator, &request, shorter));
    const uint64_t modifiers[2] = {DRM_FORMAT_MOD_INVALID, DRM_FORMAT_MOD_LINEAR}, strange = 0xfe00000000000001;
#define WITH(status, evidence, change)                                        \
    do {                                                                      \
        frost_dmabuf_request r = request;                                       \
        change;                                                               \
        EXPECT(status, evidence, try_allocate(allocator, &r, &buffer));       \
    } while (0)
    WITH(FROST_OK, "", r.purpose = FROST_DMABUF_FOR_READING);
    WITH(FROST_OK, "", (r.modifiers = modifiers, r.modifier_count = 2));
    WITH(FROST_OK, "", (r.modifiers = modifiers, r.modifier_count = 1));
    WITH(FROST_ERROR_SURFACE, "0xfe00000000000001", (r.modifiers = &strange, r.modifier_count = 1));
    WITH(FROST_ERROR_SURFACE, "AB24", r.width = 0);
    WITH(FROST_ERROR_SURFACE, "AB24", r.height = INT32_MIN);
    WITH(FROST_ERROR_SURFACE, "AB24", (r.width = INT32_MAX, r.height = INT32_MAX));
    WITH(FROST_ERROR_SURFACE, "ZZZZ", r.fourcc = fourcc_code('Z', 'Z', 'Z', 'Z'));
    WITH(FROST_ERROR_ARGUMENT, "purpose 2", r.purpose = 2);
    WITH(FROST_ERROR_ARGUMENT, "modifiers is NULL", r.modifier_count = 1);
    WITH(FROST_ERROR_ARGUMENT, "count", (r.modifiers = modifiers, r.modifier_count = SIZE_MAX));
    WITH(FROST_ERROR_ARGUMENT, "count", (r.modifiers = modifiers, r.modifier_count = 1025));
#undef WITH
    buffer = (frost_dmabuf)FROST_DMABUF_INIT;
    EXPECT(FROST_OK, "", frost_dmabuf_allocate(allocator, &request, &buffer));
    frost_dmabuf_allocator_destroy(allocator);
    CHECK(buffer.width == WIDTH && buffer.height == HEIGHT && buffer.fourcc == DRM_FORMAT_ABGR8888);
    CHECK(buffer.plane_count == 1 && buffer.modifier == DRM_FORMAT_MOD_LINEAR && buffer.planes[0].stride >= WIDTH * 4);
    CHECK(buffer.planes[0].fd >= 0 && buffer.planes[1].fd == -1);
    frost_gl_buffer *imported = NULL;
    EXPECT(FROST_OK, "", frost_gl_import(gl, &buffer, FROST_DMABUF_TEXTURE_2D, &imported));
    close_planes(&buffer);
    frost_gl_target target = FROST_GL_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_gl_buffer_target(imported, &target));
    uint8_t *from = noise(BYTES, 6), *expected = malloc(BYTES), *made = malloc(BYTES);
    if (!expected || !made) abort();
    for (int i = 3; i < BYTES; i += 4) from[i] = 255;
    const GLuint picture = texture_of(GL_RGBA8, WIDTH, HEIGHT, from);
    const frost_gl_source source = gl_source_of(picture, WIDTH, HEIGHT);
    frost_effect *effect = gaussian(4);
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    read_texture(target.name, WIDTH, HEIGHT, made);
    render_in_memory(effect, from, WIDTH, HEIGHT, FROST_CHANNELS_RGBA, expected);
    CHECK(largest_difference(made, expected, BYTES) <= 1);
    CHECK(largest_difference(made, from, BYTES) > 20);
    frost_effect_destroy(effect);
    frost_gl_buffer_destroy(imported);
    glDeleteTextures(1, &picture);
    free(from), free(expected), free(made);
}

// Tests that every listed kind of buffer can be imported.
static void kinds(frost_gl *gl) {
    size_t count = 0;
    EXPECT(FROST_OK, "", frost_gl_dmabuf_kind_count(gl, &count));
    int has_linear = 0;
    for (size_t i = 0; i < count; i++) {
        frost_dmabuf_kind kind = FROST_DMABUF_KIND_INIT;
        EXPECT(FROST_OK, "", frost_gl_describe_dmabuf_kind(gl, i, &kind));
        has_linear |= kind.fourcc == DRM_FORMAT_ARGB8888 && kind.modifier == DRM_FORMAT_MOD_LINEAR && !kind.is_external_only;
    }
    frost_dmabuf_kind kind = FROST_DMABUF_KIND_INIT;
    EXPECT(FROST_ERROR_ARGUMENT, "kind", frost_gl_describe_dmabuf_kind(gl, count, &kind));
    if (count) SIZES(frost_dmabuf_kind, kind, FROST_OK, frost_gl_describe_dmabuf_kind(gl, 0, shorter));
    if (getenv("FROST_DRM_NODE")) CHECK(has_linear);
}

// Draws an effect from one dma-buf into another, and reads the result with the CPU. The bytes must equal those of a
// renderer that copies pixels. After a device refuses a buffer, the test ends without freeing memory.
static void draw(const host *host, frost_gl *gl, uint32_t fourcc, int32_t channels, int32_t use) {
    uint8_t *from = noise(BYTES, 5), *expected = malloc(BYTES);
    struct gbm_bo *objects[2];
    frost_gl_buffer *buffers[2] = {NULL, NULL};
    int fds[2];
    if (!expected) abort();
    for (int i = 0; i < BYTES; i++) {
        if (channels == FROST_CHANNELS_RGB && i % 4 == 3) from[i] = 255;
        if (i % 4 != 3) from[i] = (uint8_t)(from[i] * from[i | 3] / 255);
    }
    for (int i = 0; i < 2; i++) {
        objects[i] = gbm_bo_create(host->gbm, WIDTH, HEIGHT, fourcc, GBM_BO_USE_LINEAR | GBM_BO_USE_RENDERING);
        CHECK(objects[i]);
        if (!objects[i]) return;
        fds[i] = gbm_bo_get_fd(objects[i]);
        frost_dmabuf buffer = buffer_of(fds[i]);
        buffer.fourcc = fourcc;
        buffer.planes[0].stride = gbm_bo_get_stride(objects[i]);
        EXPECT(FROST_OK, "", frost_gl_import(gl, &buffer, i == 0 ? use : FROST_DMABUF_ANY, &buffers[i]));
        // The import keeps the memory alive.
        close(fds[i]);
    }
    void *map = NULL;
    uint32_t stride = 0;
    uint8_t *bytes = gbm_bo_map(objects[0], 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_WRITE, &stride, &map);
    CHECK(bytes);
    if (!bytes) return;
    const int swaps = fourcc == DRM_FORMAT_ARGB8888 || fourcc == DRM_FORMAT_XRGB8888;
    for (int i = 0; i < BYTES; i++) {
        const int channel = i % 4, to = swaps && channel != 3 ? 2 - channel : channel;
        bytes[(size_t)(i / 4 / WIDTH) * stride + (size_t)(i / 4 % WIDTH * 4 + to)] = from[i];
    }
    gbm_bo_unmap(objects[0], map);

    frost_gl_source source = FROST_GL_SOURCE_INIT;
    frost_gl_target target = FROST_GL_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_gl_buffer_source(buffers[0], &source));
    EXPECT(FROST_OK, "", frost_gl_buffer_target(buffers[1], &target));
    CHECK(source.width == WIDTH && source.height == HEIGHT && source.channels == channels);
    CHECK(source.kind == (use == FROST_DMABUF_EXTERNAL ? FROST_GL_TEXTURE_EXTERNAL : FROST_GL_TEXTURE_2D));
    frost_gl_source filled = FROST_GL_SOURCE_INIT;
    SIZES_FROM(frost_gl_source, 40, filled, FROST_OK, frost_gl_buffer_source(buffers[0], shorter));
    frost_gl_target empty = FROST_GL_TARGET_INIT;
    SIZES_FROM(frost_gl_target, 48, empty, FROST_OK, frost_gl_buffer_target(buffers[1], shorter));
    if (use == FROST_DMABUF_EXTERNAL) {
        EXPECT(FROST_ERROR_SURFACE, "external", frost_gl_buffer_target(buffers[0], &empty));
    }

    frost_effect *effect = NULL;
    int32_t fence = -7;
    EXPECT(FROST_OK, "", frost_effect_create_gaussian(4, 4, FROST_EDGE_MIRROR, NULL, &effect));
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    EXPECT(FROST_OK, "", frost_gl_fence(gl, -1, &fence));
    EXPECT(FROST_OK, "", fence < 0 ? FROST_OK : frost_gl_wait_fence(gl, fence, -1, NULL));
    if (fence >= 0) close(fence);
    map = NULL;
    bytes = gbm_bo_map(objects[1], 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_READ, &stride, &map);
    CHECK(bytes);
    if (!bytes) return;
    render_in_memory(effect, from, WIDTH, HEIGHT, FROST_CHANNELS_RGBA, expected);
    int most = 0;
    for (int i = 0; i < BYTES; i++) {
        const int channel = i % 4, to = swaps && channel != 3 ? 2 - channel : channel;
        if (channel == 3 && channels == FROST_CHANNELS_RGB) continue;
        const uint8_t made = bytes[(size_t)(i / 4 / WIDTH) * stride + (size_t)(i / 4 % WIDTH * 4 + to)];
        if (abs(made - expected[i]) > most) most = abs(made - expected[i]);
    }
    CHECK(most <= 1);
    CHECK(largest_difference(from, expected, BYTES) > 20);
    gbm_bo_unmap(objects[1], map);
    frost_effect_destroy(effect);
    for (int i = 0; i < 2; i++) {
        frost_gl_buffer_destroy(buffers[i]);
        gbm_bo_destroy(objects[i]);
    }
    free(from);
    free(expected);
}

int main(void) {
    const host host = host_open();
    frost_gl *gl = frost_gl_of();
    arguments(gl);
    submissions(gl);
    kinds(gl);
    frost_gl_info before = FROST_GL_INFO_INIT;
    allocation(gl);
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &before));
    if (host.gbm) {
        draw(&host, gl, DRM_FORMAT_ABGR8888, FROST_CHANNELS_RGBA, FROST_DMABUF_TEXTURE_2D);
        draw(&host, gl, DRM_FORMAT_ARGB8888, FROST_CHANNELS_RGBA, FROST_DMABUF_ANY);
        draw(&host, gl, DRM_FORMAT_XRGB8888, FROST_CHANNELS_RGB, FROST_DMABUF_EXTERNAL);
        frost_gl_info info = FROST_GL_INFO_INIT;
        EXPECT(FROST_OK, "", frost_gl_trim(gl));
        EXPECT(FROST_OK, "", frost_gl_describe(gl, &info));
        CHECK(info.renders == before.renders + 3);
    }
    frost_gl_destroy(gl);
    host_close(&host);
    return finish("dmabufs");
}
