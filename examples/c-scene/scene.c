// Example: a program that draws with OpenGL ES and lets Frost draw a frosted panel over its scene, in the same GL context.
// The pixels stay on the GPU, except for the frames that are written to files.
//
//   scene [--frames N] [--size WIDTHxHEIGHT] [--effect NAME] [--scenes] FOLDER
//
// The program writes the frames to FOLDER/frame-000.ppm and so on, and prints the panel's position in each frame. With
// --scenes it also writes the scene without the panel to FOLDER/scene-000.ppm and so on. A program with a window would draw
// into the window and swap buffers instead.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <frost.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("scene: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

// Exits with Frost's error message if a call failed.
static void check(frost_status status) {
    if (status != FROST_OK) fail("%s: %s", frost_status_name(status), frost_error_message());
}

// ---- The program's own drawing, which does not use Frost -----------------------------------------------------------------

static void open_context(void) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        fail("no EGL display for OpenGL ES 3: 0x%x", eglGetError());
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("no context: 0x%x", eglGetError());
}

static const char vertex_source[] =
    "#version 300 es\n"
    "out vec2 place;\n"
    "void main() {\n"
    "    place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
    "    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);\n"
    "}\n";

// The fragment shader draws hills under a sky with a setting sun, and lamps in front.
static const char fragment_source[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "in vec2 place;\n"
    "uniform vec2 size;\n"
    "uniform float time;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    vec2 p = place * size / size.y;\n"
    "    color.rgb = mix(vec3(0.95, 0.55, 0.35), vec3(0.13, 0.22, 0.5), smoothstep(0.25, 1.0, p.y));\n"
    "    float sun = distance(p, vec2(0.9, 0.75 - 0.2 * time));\n"
    "    color.rgb = mix(vec3(1.0, 0.9, 0.6), color.rgb, smoothstep(0.12, 0.125, sun));\n"
    "    for (float i = 0.0; i < 4.0; i += 1.0) {\n"
    "        float top = 0.5 - 0.11 * i + 0.05 * sin(p.x * (5.0 + 2.0 * i) + 1.7 * i + time * (1.0 + i));\n"
    "        vec3 hill = mix(vec3(0.35, 0.3, 0.45), vec3(0.05, 0.12, 0.1), i / 3.0);\n"
    "        color.rgb = mix(hill, color.rgb, smoothstep(top - 0.002, top + 0.002, p.y));\n"
    "    }\n"
    "    vec2 cell = fract(vec2(p.x - 0.3 * time, p.y) * 8.0) - 0.5;\n"
    "    float lamp = smoothstep(0.2, 0.17, length(cell)) * step(p.y, 0.25);\n"
    "    color.rgb = mix(color.rgb, vec3(1.0, 0.75, 0.2), lamp);\n"
    "    color.a = 1.0;\n"
    "}\n";

static GLuint shader(GLenum kind, const char *source) {
    const GLuint name = glCreateShader(kind);
    GLint works = 0;
    glShaderSource(name, 1, &source, NULL);
    glCompileShader(name);
    glGetShaderiv(name, GL_COMPILE_STATUS, &works);
    char log[1024] = "";
    glGetShaderInfoLog(name, sizeof log, NULL, log);
    if (!works) fail("%s", log);
    return name;
}

static GLuint program(void) {
    const GLuint name = glCreateProgram();
    glAttachShader(name, shader(GL_VERTEX_SHADER, vertex_source));
    glAttachShader(name, shader(GL_FRAGMENT_SHADER, fragment_source));
    glLinkProgram(name);
    return name;
}

typedef struct {
    GLuint texture, framebuffer;
    int width, height;
} canvas;

static canvas canvas_of(int width, int height) {
    canvas made = {0, 0, width, height};
    glGenTextures(1, &made.texture);
    glBindTexture(GL_TEXTURE_2D, made.texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glGenFramebuffers(1, &made.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, made.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made.texture, 0);
    return made;
}

static void draw_scene(GLuint program, const canvas *scene, float time) {
    glBindFramebuffer(GL_FRAMEBUFFER, scene->framebuffer);
    glViewport(0, 0, scene->width, scene->height);
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "size"), (float)scene->width, (float)scene->height);
    glUniform1f(glGetUniformLocation(program, "time"), time);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void copy(const canvas *from, const canvas *to) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    glBlitFramebuffer(0, 0, from->width, from->height, 0, 0, to->width, to->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void write_ppm(const canvas *canvas, const char *folder, const char *name, int number) {
    const size_t width = (size_t)canvas->width, height = (size_t)canvas->height;
    unsigned char *pixels = malloc(width * height * 4);
    char path[4096];
    if (!pixels) fail("out of memory");
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    snprintf(path, sizeof path, "%s/%s-%03d.ppm", folder, name, number);
    FILE *file = fopen(path, "wb");
    if (!file) fail("%s cannot be written", path);
    fprintf(file, "P6\n%zu %zu\n255\n", width, height);
    // Rows are written from last to first, because GL's first row is the bottom row.
    for (size_t y = height; y-- > 0;) {
        for (size_t x = 0; x < width; x++) fwrite(pixels + (y * width + x) * 4, 1, 3, file);
    }
    if (fclose(file) != 0) fail("%s cannot be written", path);
    free(pixels);
}

// ---- The frosted panel ---------------------------------------------------------------------------------------------------

// Applies the effect to `scene` and draws the result into a rounded rectangle of `frame`.
static void draw_panel(
    frost_gl *gl, const frost_effect *effect, const canvas *scene, const canvas *frame, frost_rect panel, double radius) {
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    source.name = scene->texture;
    source.width = scene->width;
    source.height = scene->height;
    // The scene is opaque. Its first row in memory is the bottom row, as usual in GL.
    source.channels = FROST_CHANNELS_RGB;
    source.rises = 1;
    frost_gl_target target = FROST_GL_TARGET_INIT;
    target.kind = FROST_GL_FRAMEBUFFER;
    target.name = frame->framebuffer;
    target.width = frame->width;
    target.height = frame->height;
    target.channels = FROST_CHANNELS_RGB;
    target.rises = 1;
    target.x = panel.x;
    target.y = panel.y;

    const frost_rounded_rect shape = {panel.x, panel.y, panel.width, panel.height, radius};
    frost_effect *clipped = NULL;
    check(frost_effect_clip(effect, &shape, 1, &clipped));
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    options.region = &panel;
    check(frost_gl_render(gl, clipped, &source, &target, &options, NULL));
    frost_effect_destroy(clipped);
}

int main(int argc, char **argv) {
    int frames = 60, width = 1280, height = 720, writes_scenes = 0;
    const char *effect_name = "material-thin-dark", *folder = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--scenes") == 0) writes_scenes = 1;
        else if (strcmp(argv[i], "--frames") == 0 && i + 1 < argc) frames = atoi(argv[++i]);
        else if (strcmp(argv[i], "--effect") == 0 && i + 1 < argc) effect_name = argv[++i];
        else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc && sscanf(argv[++i], "%dx%d", &width, &height) == 2) continue;
        else if (argv[i][0] != '-' && !folder) folder = argv[i];
        else fail("unknown argument %s", argv[i]);
    }
    if (!folder || width < 64 || height < 64 || frames < 1) fail("give a folder; sizes of 64 and more; frames of 1 and more");

    open_context();
    const GLuint drawing = program();
    const canvas scene = canvas_of(width, height), frame = canvas_of(width, height);

    // Frost adopts the current GL context. This happens once.
    frost_gl *gl = NULL;
    frost_effect *effect = NULL;
    frost_gl_info early = FROST_GL_INFO_INIT, info = FROST_GL_INFO_INIT;
    check(frost_gl_create(NULL, &gl));
    check(frost_effect_create(effect_name, NULL, NULL, &effect));

    for (int number = 0; number < frames; number++) {
        const float time = (float)number / (float)(frames > 1 ? frames - 1 : 1);
        draw_scene(drawing, &scene, time);
        copy(&scene, &frame);
        // The panel moves to the right and back again.
        const int way = number < frames - number ? number : frames - 1 - number;
        const frost_rect panel = {width / 16 + way * (width * 3 / 4) / frames, height / 5, width / 2, height / 2};
        const double radius = height / 18.0;
        draw_panel(gl, effect, &scene, &frame, panel, radius);

        write_ppm(&frame, folder, "frame", number);
        if (writes_scenes) write_ppm(&scene, folder, "scene", number);
        printf("%03d %d,%d,%d,%d %g\n", number, panel.x, panel.y, panel.width, panel.height, radius);
        if (number == frames / 2) check(frost_gl_describe(gl, &early));
    }

    check(frost_gl_describe(gl, &info));
    fprintf(stderr, "%s: %llu frames, %llu passes, %llu GL objects\n", info.device, (unsigned long long)info.renders,
            (unsigned long long)info.passes, (unsigned long long)info.objects);
    // On its way back the panel takes positions that it had before, so all GL objects that Frost needs exist already.
    if (frames > 1 && info.objects_created != early.objects_created) fail("frames made GL objects again and again");
    if (glGetError() != GL_NO_ERROR) fail("GL found fault");
    frost_effect_destroy(effect);
    frost_gl_destroy(gl);
    return 0;
}
