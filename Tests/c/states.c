// Tests that Frost leaves the GL state of its host as it was. The host sets much of its state to unusual values, lets
// Frost prepare, render, draw frames of a backdrop, trim and fence, and compares everything that GL lets it query.
#include "host.h"

enum { WIDTH = 192, HEIGHT = 120, BYTES = WIDTH * HEIGHT * 4, UNITS = 16, VALUES = 512 };

typedef struct {
    char name[48];
    int64_t value;
} state_value;

typedef struct {
    state_value values[VALUES];
    int count;
} gl_state;

static void add(gl_state *state, const char *name, int64_t value) {
    if (state->count == VALUES) abort();
    state_value *next = &state->values[state->count++];
    snprintf(next->name, sizeof next->name, "%s", name);
    next->value = value;
}

static void add_integers(gl_state *state, const char *name, GLenum code, int count) {
    GLint values[4] = {0, 0, 0, 0};
    glGetIntegerv(code, values);
    for (int i = 0; i < count; i++) add(state, name, values[i]);
}

#define SWITCH(code) add(state, #code, glIsEnabled(code))
#define VALUE(code, count) add_integers(state, #code, code, count)

static void read_switches(gl_state *state) {
    SWITCH(GL_BLEND);
    SWITCH(GL_CULL_FACE);
    SWITCH(GL_DEPTH_TEST);
    SWITCH(GL_DITHER);
    SWITCH(GL_POLYGON_OFFSET_FILL);
    SWITCH(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    SWITCH(GL_RASTERIZER_DISCARD);
    SWITCH(GL_SAMPLE_ALPHA_TO_COVERAGE);
    SWITCH(GL_SAMPLE_COVERAGE);
    SWITCH(GL_SCISSOR_TEST);
    SWITCH(GL_STENCIL_TEST);
}

static void read_values(gl_state *state) {
    VALUE(GL_ACTIVE_TEXTURE, 1);
    VALUE(GL_ARRAY_BUFFER_BINDING, 1);
    VALUE(GL_BLEND_DST_ALPHA, 1);
    VALUE(GL_BLEND_DST_RGB, 1);
    VALUE(GL_BLEND_EQUATION_ALPHA, 1);
    VALUE(GL_BLEND_EQUATION_RGB, 1);
    VALUE(GL_BLEND_SRC_ALPHA, 1);
    VALUE(GL_BLEND_SRC_RGB, 1);
    VALUE(GL_COLOR_CLEAR_VALUE, 4);
    VALUE(GL_COLOR_WRITEMASK, 4);
    VALUE(GL_COPY_READ_BUFFER_BINDING, 1);
    VALUE(GL_COPY_WRITE_BUFFER_BINDING, 1);
    VALUE(GL_CULL_FACE_MODE, 1);
    VALUE(GL_CURRENT_PROGRAM, 1);
    VALUE(GL_DEPTH_FUNC, 1);
    VALUE(GL_DEPTH_WRITEMASK, 1);
    VALUE(GL_DRAW_FRAMEBUFFER_BINDING, 1);
    VALUE(GL_FRONT_FACE, 1);
    VALUE(GL_PACK_ALIGNMENT, 1);
    VALUE(GL_PACK_ROW_LENGTH, 1);
    VALUE(GL_PACK_SKIP_PIXELS, 1);
    VALUE(GL_PACK_SKIP_ROWS, 1);
    VALUE(GL_PIXEL_PACK_BUFFER_BINDING, 1);
    VALUE(GL_PIXEL_UNPACK_BUFFER_BINDING, 1);
    VALUE(GL_READ_FRAMEBUFFER_BINDING, 1);
    VALUE(GL_RENDERBUFFER_BINDING, 1);
    VALUE(GL_SCISSOR_BOX, 4);
    VALUE(GL_STENCIL_FUNC, 1);
    VALUE(GL_STENCIL_WRITEMASK, 1);
    VALUE(GL_TRANSFORM_FEEDBACK_BINDING, 1);
    VALUE(GL_UNIFORM_BUFFER_BINDING, 1);
    VALUE(GL_UNPACK_ALIGNMENT, 1);
    VALUE(GL_UNPACK_IMAGE_HEIGHT, 1);
    VALUE(GL_UNPACK_ROW_LENGTH, 1);
    VALUE(GL_UNPACK_SKIP_IMAGES, 1);
    VALUE(GL_UNPACK_SKIP_PIXELS, 1);
    VALUE(GL_UNPACK_SKIP_ROWS, 1);
    VALUE(GL_VERTEX_ARRAY_BINDING, 1);
    VALUE(GL_VIEWPORT, 4);
}

// Reads the blending switch of each draw buffer, which only some versions have.
static void read_draw_buffers(gl_state *state) {
    GLint count = 0, minor = 0;
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (minor >= 2) glGetIntegerv(GL_MAX_DRAW_BUFFERS, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) add(state, "GL_BLEND indexed", glIsEnabledi(GL_BLEND, i));
}

static void read_units(gl_state *state) {
    GLint active = 0;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int unit = 0; unit < UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        VALUE(GL_TEXTURE_BINDING_2D, 1);
        VALUE(GL_TEXTURE_BINDING_2D_ARRAY, 1);
        VALUE(GL_TEXTURE_BINDING_3D, 1);
        VALUE(GL_TEXTURE_BINDING_CUBE_MAP, 1);
        VALUE(GL_SAMPLER_BINDING, 1);
    }
    glActiveTexture((GLenum)active);
    for (GLuint index = 0; index < 8; index++) {
        GLint buffer = 0;
        GLint64 start = 0, size = 0;
        glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, index, &buffer);
        glGetInteger64i_v(GL_UNIFORM_BUFFER_START, index, &start);
        glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, index, &size);
        add(state, "GL_UNIFORM_BUFFER_BINDING indexed", buffer);
        add(state, "GL_UNIFORM_BUFFER_START", start);
        add(state, "GL_UNIFORM_BUFFER_SIZE", size);
    }
}

static void read_state(gl_state *state) {
    state->count = 0;
    read_switches(state);
    read_values(state);
    read_draw_buffers(state);
    read_units(state);
    CHECK(glGetError() == GL_NO_ERROR);
}

// Returns the number of values that differ. Prints each of them if `tells` is set.
static int differences(const gl_state *before, const gl_state *after, int tells) {
    int count = before->count != after->count;
    for (int i = 0; i < before->count && i < after->count; i++) {
        const state_value *old = &before->values[i], *new = &after->values[i];
        if (old->value == new->value) continue;
        count++;
        if (tells) fprintf(stderr, "%s: %lld, then %lld\n", old->name, (long long)old->value, (long long)new->value);
    }
    return count;
}

// Sets state that Frost's own draws need to values with which they would fail.
static void disturb(GLuint texture, GLuint framebuffer) {
    GLuint buffers[3], sampler = 0, array = 0;
    glGenBuffers(3, buffers);
    glGenSamplers(1, &sampler);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    const GLenum targets[] = {GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER, GL_UNIFORM_BUFFER};
    for (int i = 0; i < 3; i++) {
        glBindBuffer(targets[i], buffers[i]);
        glBufferData(targets[i], 4096, NULL, GL_STREAM_DRAW);
    }
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[2], 1024, 512);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, buffers[2]);
    for (GLuint unit = 0; unit < 4; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, texture);
        glBindSampler(unit, sampler);
    }
    const GLenum switches[] = {
        GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_SAMPLE_COVERAGE, GL_RASTERIZER_DISCARD};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) glEnable(switches[i]);
    glBlendFuncSeparate(GL_DST_COLOR, GL_ONE, GL_ZERO, GL_DST_ALPHA);
    glBlendEquationSeparate(GL_FUNC_REVERSE_SUBTRACT, GL_MAX);
    glColorMask(0, 1, 0, 0);
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glViewport(3, 4, 5, 6);
    glScissor(1, 2, 3, 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
    glPixelStorei(GL_PACK_ROW_LENGTH, 33);
    glPixelStorei(GL_PACK_SKIP_ROWS, 2);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 44);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 6);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 7);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
}

// Sets the state that reading a texture needs.
static void calm(void) {
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

// The objects of the test.
typedef struct {
    frost_gl *gl;
    frost_effect *effect;
    frost_backdrop *backdrop;
    frost_gl_source source;
    frost_gl_target target;
} scene;

// Makes every call of Frost that uses the context.
static void use_frost(const scene *scene, int frame) {
    const frost_effect *const effects[] = {scene->effect};
    int32_t fence = -1;
    EXPECT(FROST_OK, "", frost_gl_prepare(
        scene->gl, effects, 1, &scene->source, &scene->target, FROST_GL_FOR_BACKDROPS | FROST_GL_FOR_RENDERING));
    frost_panel panel = FROST_PANEL_INIT;
    panel.rect = (frost_rect){10 + frame, 12, WIDTH / 2, HEIGHT / 2};
    panel.corner_radius = 9;
    panel.effect = scene->effect;
    const frost_rect damage = {20, 20, 30, 30};
    EXPECT(FROST_OK, "", frost_backdrop_set_panels(scene->backdrop, &panel, 1));
    EXPECT(FROST_OK, "", frost_backdrop_invalidate(scene->backdrop, &damage, 1));
    EXPECT(FROST_OK, "", frost_gl_backdrop_render(scene->backdrop, &scene->source, &scene->target, NULL, NULL));
    EXPECT(FROST_OK, "", frost_gl_render(scene->gl, scene->effect, &scene->source, &scene->target, NULL, NULL));
    EXPECT(FROST_OK, "", frost_gl_fence(scene->gl, 10000, &fence));
    if (fence >= 0) close(fence);
    if (frame % 4 == 3) EXPECT(FROST_OK, "", frost_gl_trim(scene->gl));
}

int main(void) {
    const host host = host_open();
    printf("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    uint8_t *from = noise(BYTES, 9), *expected = malloc(BYTES), *made = malloc(BYTES);
    gl_state *before = malloc(sizeof *before), *after = malloc(sizeof *after);
    if (!expected || !made || !before || !after) abort();
    for (int i = 3; i < BYTES; i += 4) from[i] = 255;
    const GLuint picture = texture_of(GL_RGBA8, WIDTH, HEIGHT, from), shown = texture_of(GL_RGBA8, WIDTH, HEIGHT, NULL);
    scene scene = {frost_gl_of(), NULL, NULL, gl_source_of(picture, WIDTH, HEIGHT), gl_target_of(shown, WIDTH, HEIGHT)};
    EXPECT(FROST_OK, "", frost_effect_create_gaussian(9, 9, FROST_EDGE_MIRROR, NULL, &scene.effect));
    EXPECT(FROST_OK, "", frost_gl_backdrop_create(scene.gl, NULL, &scene.backdrop));

    disturb(picture, framebuffer_of(shown));
    read_state(before);
    for (int frame = 0; frame < 12; frame++) {
        use_frost(&scene, frame);
        read_state(after);
        CHECK(differences(before, after, 1) == 0);
    }
    // An advanced blend equation forbids draws while any draw buffer blends.
    if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_KHR_blend_equation_advanced ")) {
        glBlendEquation(GL_MULTIPLY_KHR);
        read_state(before);
        for (int frame = 12; frame < 17; frame++) {
            use_frost(&scene, frame);
            read_state(after);
            CHECK(differences(before, after, 1) == 0);
        }
    }
    printf("%d values of the GL state compared after each of 17 frames\n", before->count);
    // The comparison must see each kind of change.
    glClearColor(0, 0.5f, 0.75f, 1);
    glActiveTexture(GL_TEXTURE0 + 2);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_CULL_FACE);
    read_state(after);
    CHECK(differences(before, after, 0) == 4);

    calm();
    read_texture(shown, WIDTH, HEIGHT, made);
    render_in_memory(scene.effect, from, WIDTH, HEIGHT, FROST_CHANNELS_RGBA, expected);
    CHECK(largest_difference(made, expected, BYTES) <= 1);
    CHECK(largest_difference(made, from, BYTES) > 20);

    frost_backdrop_destroy(scene.backdrop);
    frost_effect_destroy(scene.effect);
    frost_gl_destroy(scene.gl);
    CHECK(glGetError() == GL_NO_ERROR);
    free(from), free(expected), free(made), free(before), free(after);
    host_close(&host);
    return finish("states");
}
