// Tests effects on the program's own textures. Every function is called with invalid arguments, on the wrong thread,
// and correctly.
#include "host.h"

#include <math.h>
#include <pthread.h>

enum { WIDTH = 45, HEIGHT = 31, BYTES = WIDTH * HEIGHT * 4 };

static const int32_t extremes[] = {INT32_MIN, -1, 0, 1, 7, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

static GLuint pictures[2];
static frost_gl_source source;
static frost_gl_target target;

TRY(gl, gl, (const frost_gl_options *options), frost_gl_create(options, &made))

static void without_context(void) {
    frost_gl *gl = NULL;
    EXPECT(FROST_ERROR_NO_DEVICE, "no EGL context is current", frost_gl_create(NULL, &gl));
    CHECK(!gl);
}

static void nulls(frost_gl *gl, const frost_effect *effect) {
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_create(NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_trim(NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_describe(NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_gl_describe(gl, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_render(NULL, effect, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "effect is NULL", frost_gl_render(gl, NULL, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_gl_render(gl, effect, NULL, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_gl_render(gl, effect, &source, NULL, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_gl_render((frost_gl *)(uintptr_t)effect, effect, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_gl_render(gl, (const frost_effect *)gl, &source, &target, NULL, NULL));
    frost_gl_destroy(NULL);
}

static void structs(frost_gl *gl, const frost_effect *effect) {
    const frost_gl_options defaults = FROST_GL_OPTIONS_INIT;
    SIZES_FROM(frost_gl_options, 16, defaults, FROST_OK, try_gl(shorter));
    const frost_gl_info info = FROST_GL_INFO_INIT;
    SIZES_FROM(frost_gl_info, 200, info, FROST_OK, frost_gl_describe(gl, shorter));
    SIZES_FROM(frost_gl_source, 40, source, FROST_OK, frost_gl_render(gl, effect, shorter, &target, NULL, NULL));
    SIZES_FROM(frost_gl_target, 48, target, FROST_OK, frost_gl_render(gl, effect, &source, shorter, NULL, NULL));
    SIZES(frost_render_options, FROST_RENDER_OPTIONS_INIT, FROST_OK,
          frost_gl_render(gl, effect, &source, &target, shorter, NULL));
    frost_report report = FROST_REPORT_INIT;
    SIZES_FROM(frost_report, FIRST_REPORT, report, FROST_OK, frost_gl_render(gl, effect, &source, &target, NULL, shorter));
    frost_gl_options options = FROST_GL_OPTIONS_INIT;
    options.idle_bytes = UINT64_MAX;
    EXPECT(FROST_OK, "", try_gl(&options));
}

// Tests structs whose fields do not match the GL objects. These calls draw nothing.
static void surfaces(frost_gl *gl, const frost_effect *effect) {
#define WITH(status, evidence, change)                                                      \
    do {                                                                                    \
        frost_gl_source s = source;                                                         \
        frost_gl_target t = target;                                                         \
        change;                                                                             \
        EXPECT(status, evidence, frost_gl_render(gl, effect, &s, &t, NULL, NULL));          \
    } while (0)
    for (int i = 0; i < EXTREMES; i++) {
        for (int j = 0; j < EXTREMES; j++) {
            frost_gl_source s = source;
            s.width = extremes[i];
            s.height = extremes[j];
            CHECK(frost_gl_render(gl, effect, &s, &target, NULL, NULL) < 0);
            frost_gl_target t = target;
            t.width = extremes[i];
            t.height = extremes[j];
            CHECK(frost_gl_render(gl, effect, &source, &t, NULL, NULL) < 0);
            t = target;
            t.x = extremes[i];
            t.y = extremes[j];
            CHECK((frost_gl_render(gl, effect, &source, &t, NULL, NULL) < 0) == (t.x || t.y));
            const frost_rect region = {extremes[i], extremes[j], extremes[j], extremes[i]};
            frost_render_options options = FROST_RENDER_OPTIONS_INIT;
            options.region = &region;
            const int fits = region.width > 0 && region.width <= WIDTH && region.height > 0 && region.height <= HEIGHT;
            CHECK((frost_gl_render(gl, effect, &source, &target, &options, NULL) < 0) == !fits);
        }
    }
    WITH(FROST_ERROR_ARGUMENT, "kind 2", s.kind = FROST_GL_FRAMEBUFFER);
    WITH(FROST_ERROR_ARGUMENT, "kind -1", s.kind = -1);
    WITH(FROST_ERROR_ARGUMENT, "kind 1", t.kind = FROST_GL_TEXTURE_EXTERNAL);
    WITH(FROST_ERROR_ARGUMENT, "channels 5", s.channels = 5);
    WITH(FROST_ERROR_SURFACE, "RGB or RGBA", s.channels = t.channels = FROST_CHANNELS_BGRA);
    WITH(FROST_ERROR_PIXELS, "format", t.channels = FROST_CHANNELS_RGB);
    WITH(FROST_ERROR_ARGUMENT, "alpha 2", t.alpha = 2);
    WITH(FROST_ERROR_ARGUMENT, "rises 2", s.rises = 2);
    WITH(FROST_ERROR_ARGUMENT, "rises -1", t.rises = -1);
    WITH(FROST_ERROR_ARGUMENT, "sample 4", s.sample = 4);
    WITH(FROST_ERROR_SURFACE, "RGB or RGBA", s.sample = FROST_SAMPLE_U16);
    WITH(FROST_ERROR_SURFACE, "does not hold floats", s.sample = FROST_SAMPLE_F16);
    WITH(FROST_ERROR_SURFACE, "does not hold floats", t.sample = FROST_SAMPLE_F16);

    WITH(FROST_ERROR_ARGUMENT, "source's transfer 6", s.transfer = 6);
    WITH(FROST_ERROR_ARGUMENT, "target's transfer -1", t.transfer = -1);
    WITH(FROST_ERROR_ARGUMENT, "source's primaries 3", s.primaries = 3);
    WITH(FROST_ERROR_ARGUMENT, "target's primaries -1", t.primaries = -1);
    WITH(FROST_ERROR_ARGUMENT, "bits 9", t.bits = 9);
    WITH(FROST_ERROR_ARGUMENT, "reserved is 1", s.reserved = 1);
    WITH(FROST_ERROR_ARGUMENT, "source's transform 8", s.transform = 8);
    WITH(FROST_ERROR_ARGUMENT, "target's transform -1", t.transform = -1);
    WITH(FROST_ERROR_PARAMETER, "white 0.5", s.white = 0.5);
    WITH(FROST_ERROR_PARAMETER, "white", t.white = nan(""));
    WITH(FROST_ERROR_PARAMETER, "primaries of scRGB", (s.transfer = FROST_TRANSFER_SCRGB, s.primaries = 2));
    WITH(FROST_ERROR_SURFACE, "10 bits per colour, but has 8", t.bits = 10);
    WITH(FROST_OK, "", t.bits = 8);
    WITH(FROST_OK, "", (s.transfer = FROST_TRANSFER_GAMMA22, s.primaries = FROST_PRIMARIES_DISPLAY_P3));

    WITH(FROST_ERROR_SURFACE, "does not exist", s.name = 0);
    WITH(FROST_ERROR_SURFACE, "does not exist", s.name = 12345);
    WITH(FROST_ERROR_SURFACE, "does not exist", (s.name = 12345, s.kind = FROST_GL_TEXTURE_EXTERNAL));
    WITH(FROST_ERROR_SURFACE, "does not exist", t.name = 12345);
    WITH(FROST_ERROR_SURFACE, "does not exist", (t.name = 12345, t.kind = FROST_GL_FRAMEBUFFER));
    WITH(FROST_ERROR_SURFACE, "the source", t.name = s.name);
    WITH(FROST_ERROR_SURFACE, "lies outside it", t.x = 1);
    WITH(FROST_ERROR_SURFACE, "source texture", s.width -= 1);
    WITH(FROST_ERROR_SURFACE, "45x31", (t.width += 1, t.height += 1));
    // The context has no window surface, so framebuffer 0 cannot be drawn to.
    WITH(FROST_ERROR_DEVICE_FAILED, "rendered to", (t.kind = FROST_GL_FRAMEBUFFER, t.name = 0));

    GLuint srgb = texture_of(GL_SRGB8_ALPHA8, WIDTH, HEIGHT, NULL), half = texture_of(GL_RGBA16F, WIDTH, HEIGHT, NULL);
    GLuint whole = texture_of(GL_RGBA8UI, WIDTH, HEIGHT, NULL), opaque = texture_of(GL_RGB8, WIDTH, HEIGHT, NULL);
    GLuint depth = texture_of(GL_DEPTH_COMPONENT24, WIDTH, HEIGHT, NULL), empty = 0, cube = 0;
    WITH(FROST_ERROR_SURFACE, "sRGB", s.name = srgb);
    WITH(FROST_ERROR_SURFACE, "normalised", s.name = half);
    WITH(FROST_ERROR_SURFACE, "normalised", t.name = half);
    WITH(FROST_ERROR_SURFACE, "normalised", s.name = whole);
    WITH(FROST_ERROR_SURFACE, "normalised", s.name = depth);
    WITH(FROST_ERROR_SURFACE, "no alpha", t.name = opaque);
    WITH(FROST_OK, "", (s.channels = t.channels = FROST_CHANNELS_RGB, t.name = opaque));
    glGenTextures(1, &empty);
    glBindTexture(GL_TEXTURE_2D, empty);
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    WITH(FROST_ERROR_SURFACE, "0x0", s.name = empty);
    WITH(FROST_ERROR_SURFACE, "0x0", t.name = empty);
    WITH(FROST_ERROR_SURFACE, "another type", s.name = cube);
    WITH(FROST_ERROR_SURFACE, "another type", t.name = cube);

    GLuint framebuffer = framebuffer_of(pictures[1]);
    WITH(FROST_OK, "", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer));
    WITH(FROST_ERROR_SURFACE, "45x31", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer, t.height += 1));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLenum none = GL_NONE, first = GL_COLOR_ATTACHMENT0;
    glDrawBuffers(1, &none);
    WITH(FROST_ERROR_SURFACE, "draw buffer", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer));
    glDrawBuffers(1, &first);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, pictures[0], 0);
    WITH(FROST_ERROR_SURFACE, "the source", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer));
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    WITH(FROST_ERROR_DEVICE_FAILED, "rendered to", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer));
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    WITH(FROST_OK, "", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer));
    WITH(FROST_ERROR_SURFACE, "45x31", (t.kind = FROST_GL_FRAMEBUFFER, t.name = framebuffer, t.width += 1));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &buffer);
    const GLuint textures[] = {srgb, half, whole, opaque, depth, empty, cube};
    glDeleteTextures(7, textures);
#undef WITH
}

// Tests that pixels arrive as by rendering from memory to memory, up to the rounding of another backend.
static void results(frost_gl *gl, const frost_effect *effect, const uint8_t *from) {
    uint8_t *expected = malloc(BYTES), *made = malloc(BYTES);
    if (!expected || !made) abort();
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, &report));
    CHECK(report.backend == FROST_BACKEND_GPU && report.passes > 0 && report.device[0]);
    read_texture(pictures[1], WIDTH, HEIGHT, made);
    render_in_memory(effect, from, WIDTH, HEIGHT, FROST_CHANNELS_RGBA, expected);
    CHECK(largest_difference(made, expected, BYTES) <= 1 && largest_difference(made, from, BYTES) > 20);
    free(expected), free(made);
}

// Tests that images that are stored mirrored and turned give the same pixels, and the functions that map rectangles.
static void transforms(frost_gl *gl, const frost_effect *effect, const uint8_t *from) {
    uint8_t *expected = malloc(BYTES), *stored = malloc(BYTES), *made = malloc(BYTES);
    if (!expected || !stored || !made) abort();
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    read_texture(pictures[1], WIDTH, HEIGHT, expected);
    for (int32_t transform = 0; transform < 8; transform++) {
        const int turns = transform & 1, width = turns ? HEIGHT : WIDTH, height = turns ? WIDTH : HEIGHT;
        int places[WIDTH * HEIGHT];
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            frost_rect pixel = {i % WIDTH, i / WIDTH, 1, 1}, place = {0, 0, 0, 0}, back = {0, 0, 0, 0};
            EXPECT(FROST_OK, "", frost_transform_to_buffer(transform, WIDTH, HEIGHT, &pixel, &place));
            EXPECT(FROST_OK, "", frost_transform_from_buffer(transform, WIDTH, HEIGHT, &place, &back));
            CHECK(back.x == pixel.x && back.y == pixel.y && back.width == 1 && back.height == 1);
            places[i] = place.y * width + place.x;
            memcpy(stored + 4 * places[i], from + 4 * i, 4);
        }
        const GLuint names[] = {texture_of(GL_RGBA8, width, height, stored), texture_of(GL_RGBA8, width, height, NULL)};
        frost_gl_source turned = gl_source_of(names[0], WIDTH, HEIGHT);
        frost_gl_target output = gl_target_of(names[1], WIDTH, HEIGHT);
        turned.transform = output.transform = transform;
        EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &turned, &output, NULL, NULL));
        read_texture(names[1], width, height, made);
        for (int i = 0; i < WIDTH * HEIGHT; i++) CHECK(memcmp(made + 4 * places[i], expected + 4 * i, 4) == 0);
        if (turns) {
            output.transform = FROST_TRANSFORM_NORMAL;
            EXPECT(FROST_ERROR_SURFACE, "31x45", frost_gl_render(gl, effect, &turned, &output, NULL, NULL));
        }
        glDeleteTextures(2, names);
    }
    frost_rect rect = {3, 4, 5, 6};
    EXPECT(FROST_OK, "", frost_transform_to_buffer(FROST_TRANSFORM_90, WIDTH, HEIGHT, &rect, &rect));
    CHECK(rect.x == 4 && rect.y == WIDTH - 3 - 5 && rect.width == 6 && rect.height == 5);
    const frost_rect far = {INT32_MIN, 0, 1, 1};
    EXPECT(FROST_ERROR_ARGUMENT, "32 bits", frost_transform_to_buffer(FROST_TRANSFORM_180, 9, 9, &far, &rect));
    EXPECT(FROST_ERROR_ARGUMENT, "transform 8", frost_transform_to_buffer(8, 9, 9, &rect, &rect));
    EXPECT(FROST_ERROR_ARGUMENT, "0x9", frost_transform_from_buffer(0, 0, 9, &rect, &rect));
    EXPECT(FROST_ERROR_ARGUMENT, "rect is NULL", frost_transform_from_buffer(0, 9, 9, NULL, &rect));
    EXPECT(FROST_ERROR_ARGUMENT, "result is NULL", frost_transform_to_buffer(0, 9, 9, &rect, NULL));
    free(expected), free(stored), free(made);
}

// Tests that the white, transfer function, primaries and bits of surfaces arrive, and that the report has a bound in nits if
// light is blurred.
static void encodings(frost_gl *gl) {
    uint8_t *white = malloc(BYTES);
    if (!white) abort();
    memset(white, 255, BYTES);
    const GLuint names[] = {texture_of(GL_RGBA8, WIDTH, HEIGHT, white), texture_of(GL_RGB10_A2, WIDTH, HEIGHT, NULL),
                            texture_of(GL_RGBA16F, WIDTH, HEIGHT, NULL)};
    frost_gl_source srgb = gl_source_of(names[0], WIDTH, HEIGHT), hdr = gl_source_of(names[1], WIDTH, HEIGHT);
    frost_gl_target pq = gl_target_of(names[1], WIDTH, HEIGHT), linear = gl_target_of(names[2], WIDTH, HEIGHT);
    pq.transfer = hdr.transfer = FROST_TRANSFER_PQ;
    pq.primaries = hdr.primaries = FROST_PRIMARIES_BT2020;
    pq.bits = 10;
    linear.transfer = FROST_TRANSFER_SCRGB;
    linear.sample = FROST_SAMPLE_F16;
    frost_effect *encoded = NULL, *light = NULL;
    frost_effect_options options = FROST_EFFECT_OPTIONS_INIT;
    EXPECT(FROST_OK, "", frost_effect_create("gaussian", "sigma=3", &options, &encoded));
    options.light = FROST_LIGHT_LINEAR;
    EXPECT(FROST_OK, "", frost_effect_create("gaussian", "sigma=3", &options, &light));

    EXPECT(FROST_OK, "", frost_gl_render(gl, encoded, &srgb, &pq, NULL, NULL));
    const GLuint framebuffers[] = {framebuffer_of(names[1]), framebuffer_of(names[2])};
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    uint32_t word = 0;
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, &word);
    // 203 nits are 0.5807 in PQ (BT.2408, table 1: 58 %).
    CHECK(word == (594u | 594u << 10 | 594u << 20 | 3u << 30));
    // The white of a source has 203 nits, or those that the source states. 80 nits are 1 in scRGB.
    for (int i = 0; i < 2; i++) {
        float pixel[4] = {0, 0, 0, 0};
        srgb.white = i ? 100 : 0;
        EXPECT(FROST_OK, "", frost_gl_render(gl, encoded, &srgb, &linear, NULL, NULL));
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, pixel);
        CHECK(fabs(pixel[0] - (i ? 100.0 : 203.0) / 80) < 0.002 && pixel[3] == 1);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }

    linear.transfer = FROST_TRANSFER_PQ;
    linear.primaries = FROST_PRIMARIES_BT2020;
    frost_report report = FROST_REPORT_INIT;
    EXPECT(FROST_OK, "", frost_gl_render(gl, light, &hdr, &linear, NULL, &report));
    CHECK(report.error_nits > 0 && report.error_nits < 0.1);
    EXPECT(FROST_OK, "", frost_gl_render(gl, encoded, &hdr, &linear, NULL, &report));
    CHECK(report.error_nits == 0 && report.error_bound < 0.01);
    CHECK(glGetError() == GL_NO_ERROR);
    frost_effect_destroy(encoded);
    frost_effect_destroy(light);
    glDeleteFramebuffers(2, framebuffers);
    glDeleteTextures(3, names);
    free(white);
}

static void steady_state(frost_gl *gl, const frost_effect *effect) {
    frost_gl_info early = FROST_GL_INFO_INIT, late = FROST_GL_INFO_INIT;
    for (int frame = 0; frame < 300; frame++) {
        EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
        if (frame == 9) EXPECT(FROST_OK, "", frost_gl_describe(gl, &early));
    }
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &late));
    CHECK(late.objects_created == early.objects_created && late.objects == early.objects && late.bytes == early.bytes);
    CHECK(late.renders == early.renders + 290 && late.passes > late.renders && late.device[0]);
    CHECK(late.maximum_side >= 2048);
    EXPECT(FROST_OK, "", frost_gl_trim(gl));
    frost_gl_info trimmed = FROST_GL_INFO_INIT;
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &trimmed));
    CHECK(trimmed.bytes < late.bytes && late.trimmed_bytes == 0);
    CHECK(trimmed.trimmed_bytes == late.bytes - trimmed.bytes);
}

static void fences(frost_gl *gl) {
    int ends[2], fd = -7;
    int32_t on_gpu = -7;
    CHECK(pipe(ends) == 0);
    EXPECT(FROST_NOT_READY, "", frost_gl_wait_fence(gl, ends[0], 0, &on_gpu));
    EXPECT(FROST_NOT_READY, "", frost_gl_wait_fence(gl, ends[0], 10, NULL));
    CHECK(write(ends[1], "x", 1) == 1);
    EXPECT(FROST_OK, "", frost_gl_wait_fence(gl, ends[0], -1, &on_gpu));
    CHECK(on_gpu == 0);
    EXPECT(FROST_OK, "", frost_gl_wait_fence(gl, ends[0], INT64_MAX, NULL));
    EXPECT(FROST_OK, "", frost_gl_wait_fence(gl, ends[0], INT64_MIN, NULL));
    close(ends[0]);
    close(ends[1]);
    EXPECT(FROST_ERROR_DEVICE_FAILED, "not open", frost_gl_wait_fence(gl, ends[0], 10, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "fd -1", frost_gl_wait_fence(gl, -1, 10, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_wait_fence(NULL, 0, 10, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "fd is NULL", frost_gl_fence(gl, 10, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_fence(NULL, 10, &fd));
    EXPECT(FROST_OK, "", frost_gl_fence(gl, -1, &fd));
    if (fd >= 0) {
        EXPECT(FROST_OK, "", frost_gl_wait_fence(gl, fd, -1, NULL));
        CHECK(close(fd) == 0);
    } else {
        CHECK(fd == -1);
    }
}

static const frost_effect *foreign_effect;

// Makes every call on a thread on which the context is not current.
static void *foreign(void *gl) {
    size_t count = 0;
    int32_t fd;
    frost_gl_info info = FROST_GL_INFO_INIT;
    frost_dmabuf buffer = FROST_DMABUF_INIT;
    frost_gl_buffer *made = NULL;
    frost_gl *other = NULL;
    buffer.plane_count = 1;
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_create(NULL, &other));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_render(gl, foreign_effect, &source, &target, NULL, NULL));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_trim(gl));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_import(gl, &buffer, 0, &made));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_fence(gl, 0, &fd));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_wait_fence(gl, 0, 0, NULL));
    EXPECT(FROST_ERROR_NO_DEVICE, "current", frost_gl_dmabuf_kind_count(gl, &count));
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &info));
    CHECK(!other && !made && info.objects > 0);
    return NULL;
}

// Tests what happens if a frost_gl is destroyed while its context is not current.
static void destroyed_elsewhere(const host *host, const frost_effect *effect) {
    frost_gl *gl = frost_gl_of();
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    make_none_current(host);
    frost_gl_destroy(gl);
    make_current(host);
    CHECK(glGetError() == GL_NO_ERROR);
}

// The host's context, and how often it was made current and released.
typedef struct {
    const host *host;
    int makes, releases, fails;
} binding;

static int32_t make_for_frost(void *user) {
    binding *b = user;
    if (b->fails) return 7;
    b->makes++;
    make_current(b->host);
    return 0;
}

static int32_t release_for_frost(void *user) {
    binding *b = user;
    b->releases++;
    make_none_current(b->host);
    return 0;
}

// Tests a frost_gl whose context is current on no thread when it is called.
static void callbacks(const host *host, const frost_effect *effect) {
    binding b = {host, 0, 0, 0};
    frost_gl_options options = FROST_GL_OPTIONS_INIT;
    options.make_current = make_for_frost;
    options.user_data = &b;
    EXPECT(FROST_ERROR_ARGUMENT, "release_current is NULL", try_gl(&options));
    options.make_current = NULL;
    options.release_current = release_for_frost;
    EXPECT(FROST_ERROR_ARGUMENT, "make_current is NULL", try_gl(&options));
    options.make_current = make_for_frost;

    uint8_t *expected = malloc(BYTES), *made = malloc(BYTES);
    if (!expected || !made) abort();
    frost_gl *gl = frost_gl_of();
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    read_texture(pictures[1], WIDTH, HEIGHT, expected);
    frost_gl_destroy(gl);
    // The textures are drawn again, with other pixels before.
    memset(made, 0, BYTES);
    glBindTexture(GL_TEXTURE_2D, pictures[1]);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, made);
    glBindTexture(GL_TEXTURE_2D, 0);

    make_none_current(host);
    EXPECT(FROST_OK, "", frost_gl_create(&options, &gl));
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    CHECK(b.makes > 0 && b.makes == b.releases && eglGetCurrentContext() == EGL_NO_CONTEXT);
    b.fails = 1;
    EXPECT(FROST_ERROR_NO_DEVICE, "make_current returned 7", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    b.fails = 0;
    CHECK(b.makes == b.releases);
    frost_gl_destroy(gl);
    CHECK(b.makes == b.releases && eglGetCurrentContext() == EGL_NO_CONTEXT);
    make_current(host);
    read_texture(pictures[1], WIDTH, HEIGHT, made);
    CHECK(largest_difference(made, expected, BYTES) == 0);
    free(expected), free(made);
}

int main(void) {
    without_context();
    const host host = host_open();
    uint8_t *from = noise(BYTES, 3);
    // This loop multiplies the colours by alpha, because the pixels have to be premultiplied.
    for (int i = 0; i < BYTES; i++) {
        if (i % 4 != 3) from[i] = (uint8_t)(from[i] * from[i | 3] / 255);
    }
    pictures[0] = texture_of(GL_RGBA8, WIDTH, HEIGHT, from);
    pictures[1] = texture_of(GL_RGBA8, WIDTH, HEIGHT, NULL);
    source = gl_source_of(pictures[0], WIDTH, HEIGHT);
    target = gl_target_of(pictures[1], WIDTH, HEIGHT);
    frost_effect *effect = gaussian(3);
    frost_gl *gl = frost_gl_of();

    nulls(gl, effect);
    structs(gl, effect);
    surfaces(gl, effect);
    encodings(gl);
    results(gl, effect, from);
    transforms(gl, effect, from);
    steady_state(gl, effect);
    fences(gl);
    callbacks(&host, effect);
    foreign_effect = effect;
    pthread_t thread;
    EXPECT(FROST_OK, "", frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    CHECK(pthread_create(&thread, NULL, foreign, gl) == 0 && pthread_join(thread, NULL) == 0);
    destroyed_elsewhere(&host, effect);
    CHECK(glGetError() == GL_NO_ERROR);

    frost_gl_destroy(gl);
    frost_effect_destroy(effect);
    glDeleteTextures(2, pictures);
    free(from);
    host_close(&host);
    return finish("textures");
}
