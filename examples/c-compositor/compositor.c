// Example: how a compositor uses Frost in its own OpenGL ES context. Three windows of frosted glass lie over each other and
// over a picture that changes; one of them fades in. The output may be turned and have a fractional scale. Only what has
// changed is drawn: by the program, by Frost, and in each buffer of the swap chain.
//
//   compositor [--frames N] [--size WIDTHxHEIGHT] [--scale S] [--transform N] [--effect NAME] [--node DRM_NODE]
//              [--programs FILE] FOLDER
//
// --size is the size of the output in pixels, as it is seen, --scale the pixels of a logical unit, and --transform a number
// of wl_output.transform: the buffers store the frames so. The program writes the buffers to FOLDER/frame-000.ppm and so on,
// the picture without windows to FOLDER/scene-000.ppm and so on, and prints the windows of each frame: effect, place, radius,
// opacity and region, in logical units. The buffers of the swap chain are textures. With --node they are
// dma-bufs of this device, as a compositor shows them on a display. --programs names a file that keeps the compiled GL
// programs for the next run.
//
// surfaces.c has the windows, chain.c the swap chain, and display.c what is not about Frost: the context, the picture and the
// files.
#include "compositor.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// Writes the warnings of Frost to standard error: fallbacks, messages of the driver and unusable GL programs. Frost may call
// this function from any thread.
static void log_message(void *user_data, int32_t level, const char *message) {
    static const char *const names[] = {"error", "warning", "info", "debug"};
    (void)user_data;
    fprintf(stderr, "frost %s: %s\n", names[level], message);
}

// ---- GL programs ------------------------------------------------------------------------------------------------------

// Gives Frost the GL programs of the last run. A missing or useless file only costs time: Frost compiles the programs.
static void load_programs(frost_gl *gl, const char *file) {
    size_t size, accepted = 0;
    void *bytes = read_file(file, &size);
    if (!bytes) return;
    check(frost_gl_load_programs(gl, bytes, size, &accepted));
    fprintf(stderr, "%zu GL programs loaded\n", accepted);
    free(bytes);
}

static void save_programs(frost_gl *gl, const char *file) {
    size_t size = 0;
    check(frost_gl_save_programs(gl, NULL, 0, &size));
    void *bytes = allocate(size);
    check(frost_gl_save_programs(gl, bytes, size, &size));
    write_file(file, bytes, size);
    free(bytes);
}

// ---- A frame ----------------------------------------------------------------------------------------------------------

enum { RECTS = 64 };

// Copies the parts of the frame that a frame of the backdrop has written or left to the list of outdated parts of all
// buffers. `rects` returns them, as frost_backdrop_updated() does.
static void spread(
    frost_status (*rects)(const frost_backdrop *, frost_rect *, size_t, size_t *), const frost_backdrop *backdrop,
    chain *chain, const canvas *from, const canvas *frame) {
    frost_rect list[RECTS];
    size_t count = 0;
    check(rects(backdrop, list, RECTS, &count));
    // Of more rectangles than fit, the sum of all is the whole image.
    if (count > RECTS) list[0] = (frost_rect){0, 0, frame->width, frame->height}, count = 1;
    for (size_t i = 0; i < count; i++) {
        if (from) copy(from, frame, list[i]);
        chain_invalidate(chain, list[i]);
    }
}

enum { PANELS = 3 };

// A window, a dialog over it, and a menu over both.
static const char *effect_names[PANELS] = {"material-thin-dark", "blur-light", "blur-dark"};

// Does what the clients do before a frame. width and height are the logical size of the output.
static void update_surfaces(surface surfaces[PANELS], int frame, int width, int height) {
    if (frame == 0) {
        surfaces[0] = (surface){.id = 1, .x = 7, .y = 8, .width = width / 2, .height = height / 2};
        surfaces[1] = (surface){.id = 2, .x = width / 4, .y = height / 4, .width = width / 3, .height = height / 3};
        surfaces[2] = (surface){.id = 3, .x = width / 3, .y = height / 6, .width = width / 4, .height = height / 2};
        for (int i = 0; i < PANELS; i++) {
            const frost_rect whole = {0, 0, surfaces[i].width, surfaces[i].height};
            surface_set_blur_region(&surfaces[i], &whole, 1);
            surface_commit(&surfaces[i]);
        }
    }
    // The window moves in each fourth frame, so most frames have panels at rest over a picture that changes.
    if (frame > 0 && frame % 4 == 0) surfaces[0].x += 4.25;
    // The dialog changes its region to its title and a side bar that is cut by its edge. A region takes effect when it is
    // committed.
    const frost_rect bars[] = {{0, 0, surfaces[1].width, 30}, {surfaces[1].width - 20, 0, 90, surfaces[1].height}};
    if (frame == 5) surface_set_blur_region(&surfaces[1], bars, 2);
    if (frame == 6) surface_commit(&surfaces[1]);
    if (frame == 7) {
        surface_set_blur_region(&surfaces[2], NULL, 0);
        surface_commit(&surfaces[2]);
    }
}

static void print_surface(const char *effect, const surface *surface, double opacity) {
    printf(" %s:%g,%g,%d,%d:%d:%g:", effect, surface->x, surface->y, surface->width, surface->height, CORNER_RADIUS, opacity);
    for (size_t i = 0; i < surface->current.count; i++) {
        const frost_rect part = surface->current.rects[i];
        printf("%s%d,%d,%d,%d", i ? ";" : "", (int)part.x, (int)part.y, (int)part.width, (int)part.height);
    }
}

int main(int argc, char **argv) {
    int frames = 8, width = 640, height = 400, transform = FROST_TRANSFORM_NORMAL;
    double scale = 1;
    const char *node = NULL, *programs = NULL;
    const struct option options[] = {
        {"frames", required_argument, NULL, 'n'}, {"size", required_argument, NULL, 's'},
        {"scale", required_argument, NULL, 'x'}, {"transform", required_argument, NULL, 't'},
        {"effect", required_argument, NULL, 'e'}, {"node", required_argument, NULL, 'd'},
        {"programs", required_argument, NULL, 'p'}, {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'n') frames = atoi(optarg);
        else if (option == 's' && sscanf(optarg, "%dx%d", &width, &height) == 2) continue;
        else if (option == 'x') scale = atof(optarg);
        else if (option == 't') transform = atoi(optarg);
        else if (option == 'e') effect_names[0] = optarg;
        else if (option == 'd') node = optarg;
        else if (option == 'p') programs = optarg;
        else fail("invalid option; see the head of compositor.c");
    }
    if (optind != argc - 1 || frames < 1 || width < 64 || height < 64 || !(scale >= 1 && scale <= 3))
        fail("invalid arguments; see compositor.c");
    const char *folder = argv[optind];

    // ---- Set-up -------------------------------------------------------------------------------------------------------
    check(frost_set_log(log_message, FROST_LOG_WARNING, NULL));
    open_context(node);
    frost_gl *gl = NULL;
    check(frost_gl_create(NULL, &gl));
    // All canvases store their images as the output does, so that no draw has to turn them.
    const canvas picture = canvas_create(width, height, transform), frame = canvas_create(width, height, transform);
    chain chain = chain_create(gl, node, &frame);

    frost_effect *effects[PANELS] = {NULL};
    // The blur keeps its size in logical units.
    char parameters[32];
    snprintf(parameters, sizeof parameters, "scale=%g", scale);
    for (int i = 0; i < PANELS; i++) check(frost_effect_create(effect_names[i], parameters, NULL, &effects[i]));
    // Every panel blurs the panels below it.
    frost_backdrop_options of_backdrop = FROST_BACKDROP_OPTIONS_INIT;
    of_backdrop.layering = FROST_LAYERING_STACKED;
    frost_backdrop *backdrop = NULL;
    check(frost_gl_backdrop_create(gl, &of_backdrop, &backdrop));
    const frost_gl_source source = canvas_source(&picture);
    const frost_gl_target target = canvas_target(&frame);

    // All GL programs are compiled before the first frame, and the next run of this program loads them.
    if (programs) load_programs(gl, programs);
    check(frost_gl_prepare(gl, (const frost_effect *const *)effects, PANELS, &source, &target, FROST_GL_FOR_STACKS));
    if (programs) save_programs(gl, programs);
    frost_gl_info prepared = FROST_GL_INFO_INIT, info = FROST_GL_INFO_INIT;
    check(frost_gl_describe(gl, &prepared));

    // ---- Frames -------------------------------------------------------------------------------------------------------
    surface surfaces[PANELS];
    for (int n = 0; n < frames; n++) {
        // The program draws its own picture, and knows what has changed: in the first frame everything.
        frost_rect damage[2];
        const size_t count = draw_picture(&picture, n, damage);
        if (n == 0) check(frost_backdrop_invalidate_all(backdrop));
        else check(frost_backdrop_invalidate(backdrop, damage, count));
        for (size_t i = 0; i < count; i++) {
            copy(&picture, &frame, damage[i]);
            chain_invalidate(&chain, damage[i]);
        }

        // Frost draws the panels where their pixels have changed. It compares the panels with those of the last frame.
        update_surfaces(surfaces, n, (int)(width / scale), (int)(height / scale));
        // The menu fades in within the first five frames.
        const double opacity[PANELS] = {1, 1, n < 4 ? 0.25 * n : 1};
        frost_panel panels[PANELS];
        frost_rect regions[PANELS][REGION_RECTS];
        size_t shown = 0;
        for (int i = 0; i < PANELS; i++) {
            if (!surface_panel(&surfaces[i], scale, &panels[shown], regions[i])) continue;
            panels[shown].effect = effects[i];
            panels[shown++].transparency = 1 - opacity[i];
        }
        check(frost_backdrop_set_panels(backdrop, panels, shown));
        frost_frame_report report = FROST_FRAME_REPORT_INIT;
        check(frost_gl_backdrop_render(backdrop, &source, &target, NULL, &report));

        // Panels may have left pixels, which show the picture again.
        spread(frost_backdrop_updated, backdrop, &chain, NULL, &frame);
        spread(frost_backdrop_uncovered, backdrop, &chain, &picture, &frame);

        const uint64_t copied = chain_present(&chain, &frame);
        printf("%03d panel-pixels %llu copied %llu", n, (unsigned long long)report.panel_pixels, (unsigned long long)copied);
        for (int i = 0; i < PANELS; i++) print_surface(effect_names[i], &surfaces[i], opacity[i]);
        printf("\n");
        write_picture(folder, "scene", n, &picture);
        write_picture(folder, "frame", n, chain_shown(&chain));
    }
    check(frost_gl_describe(gl, &info));
    printf(
        "programs: %llu compiled, %llu loaded, %llu after the set-up\n", (unsigned long long)info.programs_compiled,
        (unsigned long long)info.programs_loaded,
        (unsigned long long)(info.programs_compiled - prepared.programs_compiled));

    // ---- Tear-down ----------------------------------------------------------------------------------------------------
    // While nothing is shown, a compositor frees Frost's textures. The next frame would create them again.
    check(frost_gl_trim(gl));
    // The order is free, except that the context must be current until frost_gl_destroy() has returned.
    frost_backdrop_destroy(backdrop);
    for (int i = 0; i < PANELS; i++) frost_effect_destroy(effects[i]);
    chain_destroy(&chain);
    frost_gl_destroy(gl);
    canvas_destroy(&picture);
    canvas_destroy(&frame);
    close_context();
    check(frost_set_log(NULL, FROST_LOG_WARNING, NULL));
    return 0;
}
