// Tests programs that are prepared before the first frame, and that the host keeps as bytes.
#include "host.h"

enum { WIDTH = 64, HEIGHT = 48, BYTES = 4 * WIDTH * HEIGHT, EFFECTS = 3 };

static GLuint pictures[2];
static frost_effect *effects[EFFECTS];
static frost_gl_source source;
static frost_gl_target target;

static frost_gl_info info_of(frost_gl *gl) {
    frost_gl_info info = FROST_GL_INFO_INIT;
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &info));
    return info;
}

// Renders all effects one after the other, and stores the pixels of each.
static void render_all(frost_gl *gl, uint8_t *pixels) {
    for (int i = 0; i < EFFECTS; i++) {
        EXPECT(FROST_OK, "", frost_gl_render(gl, effects[i], &source, &target, NULL, NULL));
        read_texture(pictures[1], WIDTH, HEIGHT, pixels + (size_t)i * BYTES);
    }
}

static const frost_effect *const *list(void) { return (const frost_effect *const *)effects; }

static void arguments(frost_gl *gl) {
    const uint32_t both = FROST_GL_FOR_RENDERING | FROST_GL_FOR_BACKDROPS;
    size_t size = 0;
    uint8_t bytes[64] = {0};
    const frost_effect *const none[] = {effects[0], NULL};
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_prepare(NULL, list(), 1, &source, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "effects is NULL", frost_gl_prepare(gl, NULL, 1, &source, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "effects is NULL", frost_gl_prepare(gl, none, 2, &source, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "count", frost_gl_prepare(gl, list(), SIZE_MAX, &source, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "source is NULL", frost_gl_prepare(gl, list(), 1, NULL, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_gl_prepare(gl, list(), 1, &source, NULL, both));
    EXPECT(FROST_ERROR_ARGUMENT, "uses 0", frost_gl_prepare(gl, list(), 1, &source, &target, 0));
    EXPECT(FROST_ERROR_ARGUMENT, "uses 16", frost_gl_prepare(gl, list(), 1, &source, &target, 16));
    EXPECT(FROST_OK, "", frost_gl_prepare(gl, NULL, 0, &source, &target, both));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_save_programs(NULL, NULL, 0, &size));
    EXPECT(FROST_ERROR_ARGUMENT, "size is NULL", frost_gl_save_programs(gl, NULL, 0, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "bytes is NULL", frost_gl_save_programs(gl, NULL, 1, &size));
    EXPECT(FROST_ERROR_ARGUMENT, "gl is NULL", frost_gl_load_programs(NULL, bytes, sizeof bytes, &size));
    EXPECT(FROST_ERROR_ARGUMENT, "bytes is NULL", frost_gl_load_programs(gl, NULL, 0, &size));
    EXPECT(FROST_ERROR_ARGUMENT, "size", frost_gl_load_programs(gl, bytes, SIZE_MAX, &size));
    CHECK(info_of(gl).programs_compiled == 0);
}

int main(void) {
    // The counts below are those of a cache on disk that is empty.
    CHECK(setenv("FROST_PROGRAM_CACHE", "off", 1) == 0);
    const host host = host_open();
    uint8_t *from = noise(BYTES, 3), *first = noise(EFFECTS * BYTES, 4), *second = noise(EFFECTS * BYTES, 5);
    for (int i = 0; i < BYTES; i++) {
        if (i % 4 != 3) from[i] = (uint8_t)(from[i] * from[i | 3] / 255);
    }
    pictures[0] = texture_of(GL_RGBA8, WIDTH, HEIGHT, from);
    pictures[1] = texture_of(GL_RGBA8, WIDTH, HEIGHT, NULL);
    source = gl_source_of(pictures[0], WIDTH, HEIGHT);
    target = gl_target_of(pictures[1], WIDTH, HEIGHT);
    EXPECT(FROST_OK, "", frost_effect_create_gaussian(3, 9, FROST_EDGE_MIRROR, NULL, &effects[0]));
    EXPECT(FROST_OK, "", frost_effect_create("blur-dark", NULL, NULL, &effects[1]));
    EXPECT(FROST_OK, "", frost_effect_create("disc", NULL, NULL, &effects[2]));

    frost_gl *gl = frost_gl_of();
    arguments(gl);
    frost_gl_source described = source;
    described.name = 9999;
    EXPECT(FROST_OK, "", frost_gl_prepare(gl, list(), EFFECTS, &described, &target, FROST_GL_FOR_RENDERING));
    const uint64_t compiled = info_of(gl).programs_compiled;
    CHECK(compiled > 0 && info_of(gl).passes == 0);
    render_all(gl, first);
    CHECK(info_of(gl).programs_compiled == compiled);

    size_t size = 0, again = 0, accepted = 0;
    EXPECT(FROST_OK, "", frost_gl_save_programs(gl, NULL, 0, &size));
    CHECK(size > 16);
    uint8_t *programs = noise(size, 6);
    EXPECT(FROST_OK, "", frost_gl_save_programs(gl, programs, size - 1, &again));
    CHECK(again == size && memcmp(programs, "Frost", 5) != 0);
    EXPECT(FROST_OK, "", frost_gl_save_programs(gl, programs, size, &again));
    CHECK(again == size && memcmp(programs, "Frost", 5) == 0);
    frost_gl_destroy(gl);

    // Another frost_gl that gets the bytes compiles nothing; if the bytes are damaged, it compiles everything.
    for (int damaged = 0; damaged < 2; damaged++) {
        gl = frost_gl_of();
        for (size_t i = 16; damaged && i < size; i += 997) programs[i] ^= 0x55;
        EXPECT(FROST_OK, "", frost_gl_load_programs(gl, programs, size, &accepted));
        CHECK(accepted == (damaged ? 0 : compiled));
        render_all(gl, second);
        CHECK(info_of(gl).programs_compiled == (damaged ? compiled : 0));
        CHECK(info_of(gl).programs_loaded == (damaged ? 0 : compiled));
        CHECK(memcmp(first, second, EFFECTS * BYTES) == 0);
        frost_gl_destroy(gl);
    }

    CHECK(glGetError() == GL_NO_ERROR);
    for (int i = 0; i < EFFECTS; i++) frost_effect_destroy(effects[i]);
    glDeleteTextures(2, pictures);
    free(from);
    free(first);
    free(second);
    free(programs);
    host_close(&host);
    return finish("programs");
}
