// What the example needs besides Frost: a context, a picture that changes, and files.
#include "compositor.h"

#include <fcntl.h>
#include <gbm.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static EGLDisplay egl_display;
static EGLContext egl_context;
static struct gbm_device *gbm;
static int node_descriptor = -1;

void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("compositor: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

void check(frost_status status) {
    if (status != FROST_OK) fail("%s: %s", frost_status_name(status), frost_error_message());
}

void *allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) fail("out of memory: %zu bytes", size);
    return memory;
}

void open_context(const char *node) {
    if (node) {
        node_descriptor = open(node, O_RDWR | O_CLOEXEC);
        gbm = node_descriptor < 0 ? NULL : gbm_create_device(node_descriptor);
        if (!gbm) fail("%s: no GBM device", node);
        egl_display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
    } else {
        egl_display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (egl_display == EGL_NO_DISPLAY) egl_display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglInitialize(egl_display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(egl_display, wanted, &config, 1, &count) || count == 0)
        fail("no EGL display for OpenGL ES 3: 0x%x", eglGetError());
    egl_context = eglCreateContext(egl_display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl_context))
        fail("no context: 0x%x", eglGetError());
}

void close_context(void) {
    eglMakeCurrent(egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(egl_display, egl_context);
    eglTerminate(egl_display);
    if (gbm) gbm_device_destroy(gbm);
    if (node_descriptor >= 0) close(node_descriptor);
}

frost_rect stored(const canvas *canvas, frost_rect rect) {
    check(frost_transform_to_buffer(canvas->transform, canvas->width, canvas->height, &rect, &rect));
    return rect;
}

canvas canvas_create(int width, int height, int32_t transform) {
    canvas canvas = {0, 0, width, height, transform};
    const frost_rect texels = stored(&canvas, (frost_rect){0, 0, width, height});
    glGenTextures(1, &canvas.texture);
    glBindTexture(GL_TEXTURE_2D, canvas.texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, texels.width, texels.height);
    glGenFramebuffers(1, &canvas.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas.texture, 0);
    return canvas;
}

void canvas_destroy(const canvas *canvas) {
    glDeleteFramebuffers(1, &canvas->framebuffer);
    glDeleteTextures(1, &canvas->texture);
}

// The pictures are opaque, so alpha is not read.
frost_gl_source canvas_source(const canvas *canvas) {
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    source.name = canvas->texture;
    source.width = canvas->width;
    source.height = canvas->height;
    source.transform = canvas->transform;
    source.channels = FROST_CHANNELS_RGB;
    return source;
}

frost_gl_target canvas_target(const canvas *canvas) {
    frost_gl_target target = FROST_GL_TARGET_INIT;
    target.name = canvas->texture;
    target.width = canvas->width;
    target.height = canvas->height;
    target.transform = canvas->transform;
    target.channels = FROST_CHANNELS_RGB;
    return target;
}

void copy(const canvas *from, const canvas *to, frost_rect rect) {
    rect = stored(from, rect);
    const GLint right = rect.x + rect.width, bottom = rect.y + rect.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    glBlitFramebuffer(
        rect.x, rect.y, right, bottom, rect.x, rect.y, right, bottom, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// Fills a rectangle of a canvas, whose framebuffer is bound. Negative sizes fill nothing.
static void fill(const canvas *canvas, int x, int y, int right, int bottom, float red, float green, float blue) {
    if (right <= x || bottom <= y) return;
    const frost_rect rect = stored(canvas, (frost_rect){x, y, right - x, bottom - y});
    glScissor(rect.x, rect.y, rect.width, rect.height);
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Draws a part of the background: vertical stripes of many colours over a horizon.
static void draw_background(const canvas *picture, frost_rect part) {
    enum { STRIPE = 16 };
    const int right = part.x + part.width, bottom = part.y + part.height, horizon = picture->height * 2 / 3;
    for (int x = part.x / STRIPE * STRIPE; x < right; x += STRIPE) {
        const int left = x > part.x ? x : part.x, end = x + STRIPE < right ? x + STRIPE : right;
        const float phase = (float)(x / STRIPE % 9) / 8;
        fill(picture, left, part.y, end, bottom < horizon ? bottom : horizon, phase, 0.6F, 1 - phase);
        fill(picture, left, part.y > horizon ? part.y : horizon, end, bottom, 0.2F, phase, 0.1F);
    }
}

size_t draw_picture(const canvas *picture, int frame, frost_rect *damage) {
    enum { SIDE = 24, STEP = 9 };
    const int y = picture->height / 3;
    glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffer);
    glEnable(GL_SCISSOR_TEST);
    size_t count = 0;
    if (frame == 0) {
        damage[count++] = (frost_rect){0, 0, picture->width, picture->height};
    } else {
        damage[count++] = (frost_rect){(frame - 1) * STEP % (picture->width - SIDE), y, SIDE, SIDE};
        damage[count++] = (frost_rect){frame * STEP % (picture->width - SIDE), y, SIDE, SIDE};
    }
    for (size_t i = 0; i < count; i++) draw_background(picture, damage[i]);
    // A white square moves to the right.
    const int x = frame * STEP % (picture->width - SIDE);
    fill(picture, x, y, x + SIDE, y + SIDE, 1, 1, 1);
    glDisable(GL_SCISSOR_TEST);
    return count;
}

void write_picture(const char *folder, const char *name, int number, const canvas *canvas) {
    char path[4096];
    const frost_rect texels = stored(canvas, (frost_rect){0, 0, canvas->width, canvas->height});
    const size_t count = (size_t)texels.width * (size_t)texels.height;
    uint8_t *pixels = allocate(count * 4);
    snprintf(path, sizeof path, "%s/%s-%03d.ppm", folder, name, number);
    FILE *file = fopen(path, "wb");
    if (!file) fail("%s: cannot be written", path);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glReadPixels(0, 0, texels.width, texels.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    fprintf(file, "P6\n%d %d\n255\n", texels.width, texels.height);
    for (size_t i = 0; i < count; i++) fwrite(pixels + 4 * i, 1, 3, file);
    if (fclose(file)) fail("%s: cannot be written", path);
    free(pixels);
}

void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    long length = -1;
    if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    rewind(file);
    if (length < 0) fail("%s: cannot be read", path);
    void *bytes = allocate((size_t)length);
    *size = fread(bytes, 1, (size_t)length, file);
    fclose(file);
    return bytes;
}

void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) fail("%s: cannot be written", path);
}
