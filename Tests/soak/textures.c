// Jobs in a program's own context of OpenGL ES, whose textures have random sizes.
#define _GNU_SOURCE
#include "../c/host.h"
#include "soak.h"

static host context;
static frost_gl *gl;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The bytes that are read back, for two results.
static uint8_t *first, *second;

bool open_textures(void) {
    context = host_open();
    if (failures == 0) gl = frost_gl_of();
    make_none_current(&context);
    first = malloc(CAPACITY);
    second = malloc(CAPACITY);
    return failures == 0 && gl != NULL && first != NULL && second != NULL;
}

static frost_status render(
    const frost_effect *effect, const frost_mask *mask, const frost_rect *region, GLuint from, GLuint to, int32_t width,
    int32_t height) {
    frost_gl_source source = gl_source_of(from, width, height);
    frost_gl_target target = gl_target_of(to, width, height);
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    options.mask = mask;
    options.region = region;
    target.x = region->x;
    target.y = region->y;
    return frost_gl_render(gl, effect, &source, &target, &options, NULL);
}

void render_textures(job *job) {
    generator *random = &job->random;
    frost_mask *mask = NULL;
    frost_effect *effect = random_effect(job, &mask);
    if (effect == NULL) return;
    const int32_t width = between(random, 1, 256), height = between(random, 1, 256);
    const frost_rect part = random_part(random, width, height), all = {0, 0, width, height};
    const frost_rect *region = one_in(random, 3) ? &part : &all;
    const uint8_t *pixels = common.bytes + 16 * (size_t)between(random, 0, CAPACITY / 32);
    pthread_mutex_lock(&lock);
    make_current(&context);
    const GLuint from = texture_of(GL_RGBA8, width, height, pixels), to = texture_of(GL_RGBA8, width, height, pixels);
    start_clock(job);
    const bool holds = succeeded(job, "frost_gl_render", render(effect, mask, region, from, to, width, height));
    glFinish();
    stop_clock(job);
    if (holds && one_in(random, 8)) {
        // What is rendered in between changes what the textures of the pool contain.
        read_texture(to, width, height, first);
        frost_effect *other = NULL;
        succeeded(job, "create", frost_effect_create_gaussian(9, 9, FROST_EDGE_MIRROR, NULL, &other));
        succeeded(job, "between", render(other, NULL, &all, from, to, width, height));
        frost_effect_destroy(other);
        if (region == &all) {
            succeeded(job, "again", render(effect, mask, region, from, to, width, height));
            read_texture(to, width, height, second);
            if (memcmp(first, second, (size_t)width * (size_t)height * 4) != 0) fail(job, "the second rendering differs");
        }
    }
    const GLuint names[] = {from, to};
    glDeleteTextures(2, names);
    make_none_current(&context);
    pthread_mutex_unlock(&lock);
    frost_effect_destroy(effect);
    frost_mask_destroy(mask);
}

static frost_gl_info describe(void) {
    frost_gl_info info = FROST_GL_INFO_INIT;
    EXPECT(FROST_OK, "", frost_gl_describe(gl, &info));
    return info;
}

void report_textures(void) {
    frost_gl_info info = describe();
    printf(
        "host's context: %llu renderings, %llu GL objects made, %llu exist, %.1f MiB, %llu programs\n",
        (unsigned long long)info.renders, (unsigned long long)info.objects_created, (unsigned long long)info.objects,
        (double)info.bytes / 0x1p20, (unsigned long long)info.programs_compiled);
    make_current(&context);
    const double resident = measure().resident;
    EXPECT(FROST_OK, "", frost_gl_trim(gl));
    info = describe();
    printf(
        "after trimming: %.1f MiB of GL memory freed, %llu objects exist, %.1f MiB less resident\n",
        (double)info.trimmed_bytes / 0x1p20, (unsigned long long)info.objects, resident - measure().resident);
    make_none_current(&context);
}

void close_textures(void) {
    if (gl == NULL) return;
    make_current(&context);
    frost_gl_destroy(gl);
    host_close(&context);
    free(first);
    free(second);
}
