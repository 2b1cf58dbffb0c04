#include "objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTURES, FRAMEBUFFERS, PROGRAMS, SHADERS, BUFFERS, FENCES, VERTEX_ARRAYS, SAMPLERS, QUERIES, SURFACES, KINDS };

// The objects of a context. The first entry stands for contexts that were not created through this layer.
struct object_list {
    EGLContext context;
    int counts[KINDS];
    struct object_list *next;
};

static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object_list outside;
static _Thread_local struct object_list *current_objects = &outside;

static void count_objects(int kind, int change) {
    pthread_mutex_lock(&objects_lock);
    current_objects->counts[kind] += change;
    pthread_mutex_unlock(&objects_lock);
}

static void count_names(int kind, int change, GLsizei count, const GLuint *names) {
    for (GLsizei i = 0; i < count; i++)
        if (names[i]) count_objects(kind, change);
}

void faulty_add_context(EGLContext context) {
    struct object_list *list = calloc(1, sizeof *list);
    if (!context || !list) return free(list);
    list->context = context;
    pthread_mutex_lock(&objects_lock);
    list->next = outside.next;
    outside.next = list;
    pthread_mutex_unlock(&objects_lock);
}

// Selects the list of the context that becomes current on this thread.
static void use_context(EGLContext context) {
    pthread_mutex_lock(&objects_lock);
    current_objects = &outside;
    for (struct object_list *list = outside.next; list && context; list = list->next)
        if (list->context == context) current_objects = list;
    pthread_mutex_unlock(&objects_lock);
}

// A context is destroyed with its objects.
static void remove_context(EGLContext context) {
    pthread_mutex_lock(&objects_lock);
    for (struct object_list **place = &outside.next; *place; place = &(*place)->next) {
        struct object_list *list = *place;
        if (list->context != context) continue;
        *place = list->next;
        outside.counts[SURFACES] += list->counts[SURFACES];
        if (current_objects == list) current_objects = &outside;
        free(list);
        break;
    }
    pthread_mutex_unlock(&objects_lock);
}

faulty_objects faulty_existing(void) {
    faulty_objects all = {0};
    pthread_mutex_lock(&objects_lock);
    for (const struct object_list *list = &outside; list; list = list->next) {
        const int *counts = list->counts;
        all.contexts += list != &outside;
        all.surfaces += counts[SURFACES];
        all.textures += counts[TEXTURES];
        all.framebuffers += counts[FRAMEBUFFERS];
        all.programs += counts[PROGRAMS];
        all.shaders += counts[SHADERS];
        all.buffers += counts[BUFFERS];
        all.fences += counts[FENCES];
        all.vertex_arrays += counts[VERTEX_ARRAYS];
        all.samplers += counts[SAMPLERS];
        all.queries += counts[QUERIES];
    }
    pthread_mutex_unlock(&objects_lock);
    return all;
}

// Functions that create and delete objects with names, and count them.
#define NAMES(kind, generate, generate_type, delete, delete_type) \
    static void GL_APIENTRY own_##generate(GLsizei count, GLuint *names) { \
        ((generate_type)faulty_driver_function(#generate))(count, names); \
        count_names(kind, 1, count, names); \
    } \
    static void GL_APIENTRY own_##delete(GLsizei count, const GLuint *names) { \
        ((delete_type)faulty_driver_function(#delete))(count, names); \
        count_names(kind, -1, count, names); \
    }
NAMES(TEXTURES, glGenTextures, PFNGLGENTEXTURESPROC, glDeleteTextures, PFNGLDELETETEXTURESPROC)
NAMES(FRAMEBUFFERS, glGenFramebuffers, PFNGLGENFRAMEBUFFERSPROC, glDeleteFramebuffers, PFNGLDELETEFRAMEBUFFERSPROC)
NAMES(BUFFERS, glGenBuffers, PFNGLGENBUFFERSPROC, glDeleteBuffers, PFNGLDELETEBUFFERSPROC)
NAMES(VERTEX_ARRAYS, glGenVertexArrays, PFNGLGENVERTEXARRAYSPROC, glDeleteVertexArrays, PFNGLDELETEVERTEXARRAYSPROC)
NAMES(SAMPLERS, glGenSamplers, PFNGLGENSAMPLERSPROC, glDeleteSamplers, PFNGLDELETESAMPLERSPROC)
NAMES(QUERIES, glGenQueries, PFNGLGENQUERIESPROC, glDeleteQueries, PFNGLDELETEQUERIESPROC)

static GLuint GL_APIENTRY own_glCreateProgram(void) {
    const GLuint name = ((PFNGLCREATEPROGRAMPROC)faulty_driver_function("glCreateProgram"))();
    count_names(PROGRAMS, 1, 1, &name);
    return name;
}

static void GL_APIENTRY own_glDeleteProgram(GLuint name) {
    ((PFNGLDELETEPROGRAMPROC)faulty_driver_function("glDeleteProgram"))(name);
    count_names(PROGRAMS, -1, 1, &name);
}

static GLuint GL_APIENTRY own_glCreateShader(GLenum type) {
    const GLuint name = ((PFNGLCREATESHADERPROC)faulty_driver_function("glCreateShader"))(type);
    count_names(SHADERS, 1, 1, &name);
    return name;
}

static void GL_APIENTRY own_glDeleteShader(GLuint name) {
    ((PFNGLDELETESHADERPROC)faulty_driver_function("glDeleteShader"))(name);
    count_names(SHADERS, -1, 1, &name);
}

static GLsync GL_APIENTRY own_glFenceSync(GLenum condition, GLbitfield flags) {
    const GLsync fence = ((PFNGLFENCESYNCPROC)faulty_driver_function("glFenceSync"))(condition, flags);
    if (fence) count_objects(FENCES, 1);
    return fence;
}

static void GL_APIENTRY own_glDeleteSync(GLsync fence) {
    ((PFNGLDELETESYNCPROC)faulty_driver_function("glDeleteSync"))(fence);
    if (fence) count_objects(FENCES, -1);
}

static EGLBoolean EGLAPIENTRY own_eglMakeCurrent(EGLDisplay d, EGLSurface draw, EGLSurface read, EGLContext context) {
    const EGLBoolean is_done = ((PFNEGLMAKECURRENTPROC)faulty_driver_function("eglMakeCurrent"))(d, draw, read, context);
    if (is_done) use_context(context);
    return is_done;
}

static EGLBoolean EGLAPIENTRY own_eglDestroyContext(EGLDisplay display, EGLContext context) {
    const EGLBoolean is_done = ((PFNEGLDESTROYCONTEXTPROC)faulty_driver_function("eglDestroyContext"))(display, context);
    if (is_done) remove_context(context);
    return is_done;
}

static EGLSurface EGLAPIENTRY own_eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const EGLint *list) {
    const EGLSurface surface =
        ((PFNEGLCREATEPBUFFERSURFACEPROC)faulty_driver_function("eglCreatePbufferSurface"))(display, config, list);
    if (surface) count_objects(SURFACES, 1);
    return surface;
}

static EGLBoolean EGLAPIENTRY own_eglDestroySurface(EGLDisplay display, EGLSurface surface) {
    const EGLBoolean is_done = ((PFNEGLDESTROYSURFACEPROC)faulty_driver_function("eglDestroySurface"))(display, surface);
    if (is_done) count_objects(SURFACES, -1);
    return is_done;
}

function faulty_counting_function(const char *name) {
#define OWN(name) {#name, (function)own_##name}
    static const struct {
        const char *name;
        function replacement;
    } own[] = {
        OWN(eglMakeCurrent), OWN(eglDestroyContext), OWN(eglCreatePbufferSurface), OWN(eglDestroySurface),
        OWN(glGenTextures), OWN(glDeleteTextures), OWN(glGenFramebuffers), OWN(glDeleteFramebuffers),
        OWN(glGenBuffers), OWN(glDeleteBuffers), OWN(glGenVertexArrays), OWN(glDeleteVertexArrays),
        OWN(glGenSamplers), OWN(glDeleteSamplers), OWN(glGenQueries), OWN(glDeleteQueries),
        OWN(glCreateProgram), OWN(glDeleteProgram), OWN(glCreateShader), OWN(glDeleteShader),
        OWN(glFenceSync), OWN(glDeleteSync),
    };
    const function driver = faulty_driver_function(name);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (driver && strcmp(name, own[i].name) == 0) return own[i].replacement;
    return driver;
}
