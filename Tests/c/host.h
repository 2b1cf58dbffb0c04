// A host program with its own OpenGL ES context and no window.
#ifndef HOST_H
#define HOST_H

#include "check.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gbm.h>
#include <unistd.h>

typedef struct {
    EGLDisplay display;
    EGLContext context;
    // The GBM device of the node that FROST_DRM_NODE names. Without that variable it is NULL, and dma-bufs are not tested.
    struct gbm_device *gbm;
} host;

static inline void make_current(const host *host) {
    CHECK(eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, host->context));
}

static inline void make_none_current(const host *host) {
    CHECK(eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
}

// Returns the display of one of the devices that EGL lists.
static inline EGLDisplay device_display(int index) {
    EGLDeviceEXT devices[64];
    EGLint count = 0;
    const PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    CHECK(query && query(64, devices, &count) && index < count);
    return eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[index], NULL);
}

// Opens the device that FROST_DRM_NODE or FROST_EGL_DEVICE names. The latter is the number of a device that EGL lists.
// Without these variables, opens EGL's default device.
static inline host host_open(void) {
    host host = {EGL_NO_DISPLAY, EGL_NO_CONTEXT, NULL};
    const char *node = getenv("FROST_DRM_NODE"), *device = getenv("FROST_EGL_DEVICE");
    if (node) {
        // Opened when it is needed, because machines with a GPU may lack the library.
        void *library = dlopen("libgbm.so.1", RTLD_NOW);
        CHECK(library);
        struct gbm_device *(*create)(int) = NULL;
        // ISO C has no conversion from an object's address to a function's.
        *(void **)&create = dlsym(library, "gbm_create_device");
        CHECK(create);
        host.gbm = create(open(node, O_RDWR | O_CLOEXEC));
        CHECK(host.gbm);
        host.display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, host.gbm, NULL);
    } else if (device) {
        host.display = device_display(atoi(device));
    } else {
        host.display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (!host.display) host.display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
    CHECK(eglInitialize(host.display, NULL, NULL));
    CHECK(eglBindAPI(EGL_OPENGL_ES_API));
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    CHECK(eglChooseConfig(host.display, wanted, &config, 1, &count) && count == 1);
    host.context = eglCreateContext(host.display, config, EGL_NO_CONTEXT, version);
    CHECK(host.context != EGL_NO_CONTEXT);
    make_current(&host);
    return host;
}

static inline void host_close(const host *host) {
    make_none_current(host);
    CHECK(eglDestroyContext(host->display, host->context));
}

// Creates a texture. `pixels` may be NULL.
static inline GLuint texture_of(GLenum format, int width, int height, const uint8_t *pixels) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    if (pixels) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

static inline GLuint framebuffer_of(GLuint texture) {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return name;
}

// Reads a texture as RGBA, in the texture's row order.
static inline void read_texture(GLuint texture, int width, int height, uint8_t *pixels) {
    const GLuint framebuffer = framebuffer_of(texture);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static inline frost_gl_source gl_source_of(GLuint texture, int32_t width, int32_t height) {
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    source.name = texture;
    source.width = width;
    source.height = height;
    return source;
}

static inline frost_gl_target gl_target_of(GLuint texture, int32_t width, int32_t height) {
    frost_gl_target target = FROST_GL_TARGET_INIT;
    target.name = texture;
    target.width = width;
    target.height = height;
    return target;
}

// Creates a frost_gl with the default options.
static inline frost_gl *frost_gl_of(void) {
    frost_gl *gl = NULL;
    EXPECT(FROST_OK, "", frost_gl_create(NULL, &gl));
    return gl;
}

static inline int largest_difference(const uint8_t *a, const uint8_t *b, size_t count) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        const int difference = abs((int)a[i] - (int)b[i]);
        if (difference > most) most = difference;
    }
    return most;
}

// Computes the result of frost_render() for premultiplied pixels. It is computed on the CPU.
static inline void render_in_memory(
    const frost_effect *effect, const uint8_t *from, int32_t width, int32_t height, int32_t channels, uint8_t *to) {
    frost_renderer *renderer = renderer_of(FROST_BACKEND_CPU, 0);
    frost_source source = source_of(from, width, height);
    frost_target target = target_of(to, width, height);
    source.alpha = target.alpha = FROST_ALPHA_PREMULTIPLIED;
    source.channels = target.channels = channels;
    EXPECT(FROST_OK, "", frost_render(renderer, effect, &source, &target, NULL, NULL));
    frost_renderer_destroy(renderer);
}

#endif
