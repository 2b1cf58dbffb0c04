// Tests every function of frost_motion.h: scenes, their pictures, frames and reports, animators, contacts, and wrong uses.
//
//   motion [SCENE SECONDS FRAME]
//
// SCENE is the file of a scene, and FRAME a PAM of its frame at SECONDS, made by the command `frost animate`.
#include <frost_motion.h>
// The checks show the messages of this library.
#define frost_error_message frost_motion_error_message
#include "check.h"

#include <math.h>

enum { WIDTH = 90, HEIGHT = 60 };

static const char text[] =
    "{\"size\": [90, 60], \"duration\": 2, \"fps\": 25, \"backdrop\": {\"picture\": \"back.png\"},"
    " \"panels\": [{\"effect\": \"dark\", \"size\": [40, 30], \"corner-radius\": 6, \"rotation\": 20,"
    " \"position\": [{\"at\": 0, \"value\": [5, 5]}, {\"at\": 1, \"value\": [35.5, 20]}]}],"
    " \"dynamics\": {\"items\": [{\"id\": \"ball\", \"center\": [45, 10], \"size\": [8, 8]}],"
    " \"behaviors\": [{\"behavior\": \"gravity\"}]}}";

static frost_scene *parsed(const char *json) {
    frost_scene *scene = NULL;
    EXPECT(FROST_OK, "", frost_scene_parse(json, strlen(json), NULL, &scene));
    return scene;
}

TRY(parse, scene, (const char *json), frost_scene_parse(json, strlen(json), NULL, &made))
TRY(open, scene, (const char *path), frost_scene_open(path, &made))

// How the pictures of a scene are supplied.
typedef struct {
    frost_status status;
    const uint8_t *pixels;
    int calls;
} supply;

static frost_status supplied(void *data, const char *name, frost_source *picture) {
    supply *from = data;
    from->calls += 1;
    CHECK(strcmp(name, "back.png") == 0);
    if (from->status != FROST_OK) return from->status;
    *picture = source_of(from->pixels, WIDTH, HEIGHT);
    return FROST_OK;
}

static frost_scene_renderer_options options_of(supply *from) {
    frost_scene_renderer_options options = FROST_SCENE_RENDERER_OPTIONS_INIT;
    options.picture = supplied;
    options.user_data = from;
    return options;
}

static frost_status try_renderer(const frost_scene *scene, const frost_scene_renderer_options *options) {
    frost_scene_renderer *made = NULL;
    const frost_status status = frost_scene_renderer_create(scene, options, &made);
    frost_scene_renderer_destroy(made);
    return status;
}

static void reading(void) {
    frost_scene_info info = FROST_SCENE_INFO_INIT;
    frost_scene *scene = parsed(text);
    EXPECT(FROST_OK, "", frost_scene_describe(scene, &info));
    CHECK(info.width == WIDTH && info.height == HEIGHT && info.duration == 2 && info.frames_per_second == 25);
    CHECK(info.frame_count == 50 && info.panel_count == 1 && info.item_count == 1);
    SIZES(frost_scene_info, FROST_SCENE_INFO_INIT, FROST_OK, frost_scene_describe(scene, shorter));
    EXPECT(FROST_ERROR_PARAMETER, "size is missing", try_parse("{}"));
    EXPECT(FROST_ERROR_PARAMETER, "", try_parse("{"));
    EXPECT(FROST_ERROR_PARAMETER, "", try_parse(""));
    EXPECT(FROST_ERROR_PARAMETER, "did you mean",
           try_parse("{\"size\": [9, 9], \"duration\": 1, \"backdrop\": {\"color\": \"red\"}, \"panls\": []}"));
    EXPECT(FROST_ERROR_UNREADABLE, "no-such-scene.json", try_open("no-such-scene.json"));
    EXPECT(FROST_ERROR_UNREADABLE, "", try_open("/"));
    EXPECT(FROST_ERROR_ARGUMENT, "path is NULL", frost_scene_open(NULL, &scene));
    EXPECT(FROST_ERROR_ARGUMENT, "scene is NULL", frost_scene_open("x", NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "json is NULL", frost_scene_parse(NULL, 1, NULL, &scene));
    EXPECT(FROST_ERROR_ARGUMENT, "json", frost_scene_parse(text, SIZE_MAX, NULL, &scene));
    EXPECT(FROST_ERROR_ARGUMENT, "scene is NULL", frost_scene_describe(NULL, &info));
    EXPECT(FROST_ERROR_ARGUMENT, "info is NULL", frost_scene_describe(scene, NULL));
    CHECK(strstr(frost_scene_schema(), "Frost scene") && strcmp(frost_motion_version(), "") != 0);
    frost_scene_destroy(scene);
    frost_scene_destroy(NULL);
}

static void drawing(void) {
    uint8_t *pixels = noise((size_t)WIDTH * HEIGHT * 4, 3);
    for (size_t i = 3; i < (size_t)WIDTH * HEIGHT * 4; i += 4) pixels[i] = 255;
    supply from = {FROST_OK, pixels, 0};
    frost_scene *scene = parsed(text);
    const frost_scene_renderer_options options = options_of(&from);
    frost_scene_renderer *renderer = NULL, *twice = NULL;
    EXPECT(FROST_OK, "", frost_scene_renderer_create(scene, &options, &renderer));
    CHECK(from.calls == 1);
    frost_target target = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_scene_renderer_describe_target(renderer, &target));
    CHECK(target.width == WIDTH && target.height == HEIGHT && target.byte_count == (size_t)WIDTH * HEIGHT * 4);
    uint8_t *frames[3];
    for (int i = 0; i < 3; i++) {
        frames[i] = calloc(1, target.byte_count);
        if (!frames[i]) abort();
    }
    frost_scene_report report = FROST_SCENE_REPORT_INIT;
    target.pixels = frames[0];
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, 0.5, &target, &report));
    CHECK(report.passes > 0 && report.composed_pixels == (uint64_t)WIDTH * HEIGHT && report.error_bound > 0);
    // The picture is seen outside the panel, and not inside.
    CHECK(memcmp(frames[0] + 4 * (WIDTH - 1), pixels + 4 * (WIDTH - 1), 4) == 0);
    CHECK(memcmp(frames[0], pixels, target.byte_count) != 0);
    target.pixels = frames[1];
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, 0.5, &target, &report));
    CHECK(report.passes == 0 && memcmp(frames[0], frames[1], target.byte_count) == 0);
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, 0.8, &target, NULL));
    CHECK(memcmp(frames[0], frames[1], target.byte_count) != 0);
    // A frame does not depend on those before it. Rows may have padding.
    target.pixels = frames[2];
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, 0.5, &target, NULL));
    CHECK(memcmp(frames[0], frames[2], target.byte_count) == 0);
    frost_scene_renderer_options larger = options;
    larger.scale = 2;
    larger.sample = FROST_SAMPLE_F32;
    larger.threads = 1;
    EXPECT(FROST_OK, "", frost_scene_renderer_create(scene, &larger, &twice));
    frost_target floats = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_scene_renderer_describe_target(twice, &floats));
    CHECK(floats.width == 2 * WIDTH && floats.sample == FROST_SAMPLE_F32);
    EXPECT(FROST_ERROR_PIXELS, "frames are", frost_scene_renderer_draw(twice, 0, &target, NULL));

    EXPECT(FROST_ERROR_PARAMETER, "time", frost_scene_renderer_draw(renderer, NAN, &target, NULL));
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, -1, &target, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_scene_renderer_draw(NULL, 0, &target, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_scene_renderer_draw(renderer, 0, NULL, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "another kind",
           frost_scene_renderer_draw((frost_scene_renderer *)(uintptr_t)scene, 0, &target, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_scene_renderer_describe_target(NULL, &floats));
    EXPECT(FROST_ERROR_ARGUMENT, "target is NULL", frost_scene_renderer_describe_target(renderer, NULL));
    SIZES(frost_scene_report, FROST_SCENE_REPORT_INIT, FROST_OK, frost_scene_renderer_draw(renderer, 0, &target, shorter));
    target.byte_count -= 1;
    EXPECT(FROST_ERROR_ARGUMENT, "byte_count", frost_scene_renderer_draw(renderer, 0, &target, NULL));

    SIZES(frost_scene_renderer_options, options_of(&from), FROST_OK, try_renderer(scene, shorter));
    EXPECT(FROST_ERROR_ARGUMENT, "renderer is NULL", frost_scene_renderer_create(scene, &options, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "scene is NULL", try_renderer(NULL, &options));
    const struct {
        double scale;
        int32_t sample, threads;
        int64_t side;
        frost_status status;
    } wrong[] = {{NAN, 0, 0, 0, FROST_ERROR_PARAMETER}, {-1, 0, 0, 0, FROST_ERROR_PARAMETER},
                 {1e-9, 0, 0, 0, FROST_ERROR_PARAMETER}, {1e300, 0, 0, 0, FROST_ERROR_PARAMETER},
                 {1000, 0, 0, 0, FROST_ERROR_OVER_LIMIT}, {1, 9, 0, 0, FROST_ERROR_ARGUMENT},
                 {1, 0, -1, 0, FROST_ERROR_ARGUMENT}, {1, 0, 257, 0, FROST_ERROR_ARGUMENT},
                 {1, 0, 0, -1, FROST_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        frost_scene_renderer_options some = options;
        some.scale = wrong[i].scale;
        some.sample = wrong[i].sample;
        some.threads = wrong[i].threads;
        some.max_side = wrong[i].side;
        EXPECT(wrong[i].status, "", try_renderer(scene, &some));
    }
    frost_scene_renderer_options unknown = options;
    unknown.allow = "png,mng";
    EXPECT(FROST_ERROR_ARGUMENT, "allow: unknown format", try_renderer(scene, &unknown));
    // Without the function, and if it has no picture, Frost looks for a file.
    EXPECT(FROST_ERROR_UNREADABLE, "back.png", try_renderer(scene, NULL));
    from.status = FROST_NOT_READY;
    EXPECT(FROST_ERROR_UNREADABLE, "back.png", try_renderer(scene, &options));
    from.status = FROST_ERROR_SYSTEM;
    EXPECT(FROST_ERROR_SYSTEM, "callback", try_renderer(scene, &options));
    from.status = FROST_OK;
    from.pixels = NULL;
    EXPECT(FROST_ERROR_ARGUMENT, "pixels is NULL", try_renderer(scene, &options));

    frost_scene_renderer_destroy(renderer);
    frost_scene_renderer_destroy(twice);
    frost_scene_renderer_destroy(NULL);
    frost_scene_destroy(scene);
    for (int i = 0; i < 3; i++) free(frames[i]);
    free(pixels);
}

static frost_item item_at(double x, double y) {
    frost_item item = FROST_ITEM_INIT;
    item.center_x = x;
    item.center_y = y;
    item.width = item.height = 10;
    return item;
}

static uint64_t add(frost_animator *animator, const char *json) {
    uint64_t number = 0;
    EXPECT(FROST_OK, "", frost_animator_add_behavior(animator, json, strlen(json), &number));
    return number;
}

static frost_status refused(frost_animator *animator, const char *json) {
    return frost_animator_add_behavior(animator, json, strlen(json), NULL);
}

static frost_item now(const frost_animator *animator, const char *name) {
    frost_item item = FROST_ITEM_INIT;
    EXPECT(FROST_OK, "", frost_animator_item(animator, name, &item));
    return item;
}

TRY(animator, animator, (const double *reference), frost_animator_create(reference, &made))

static void dynamics(void) {
    frost_animator *animator = NULL;
    const double reference[4] = {0, 0, 300.5, 200};
    EXPECT(FROST_OK, "", frost_animator_create(reference, &animator));
    const frost_item ball = item_at(50, 20), wall = item_at(150, 100);
    EXPECT(FROST_OK, "", frost_animator_add_item(animator, "ball", &ball));
    EXPECT(FROST_OK, "", frost_animator_add_item(animator, "wall", &wall));
    int32_t is_running = -1;
    EXPECT(FROST_OK, "", frost_animator_is_running(animator, &is_running));
    CHECK(is_running == 0);
    add(animator, "{\"behavior\": \"properties\", \"resistance\": 0, \"items\": [\"ball\"]}");
    const uint64_t gravity = add(animator, "{\"behavior\": \"gravity\", \"items\": [\"ball\"]}");
    EXPECT(FROST_OK, "", frost_animator_is_running(animator, &is_running));
    CHECK(is_running == 1);
    for (int i = 0; i < 30; i++) EXPECT(FROST_OK, "", frost_animator_step(animator, 1.0 / 120));
    // After n steps the distance is g n(n + 1)/2 steps squared; Box2D computes in floats.
    frost_item item = now(animator, "ball");
    CHECK(fabs(item.center_y - 20 - 1000.0 * 30 * 31 / 2 / 14400) < 1e-2 && fabs(item.center_x - 50) < 1e-3);
    CHECK(fabs(item.velocity_y - 250) < 0.1 && now(animator, "wall").center_y == 100);
    // Without gravity the velocity stays.
    EXPECT(FROST_OK, "", frost_animator_remove_behavior(animator, gravity));
    EXPECT(FROST_ERROR_ARGUMENT, "no such", frost_animator_remove_behavior(animator, gravity));
    EXPECT(FROST_ERROR_ARGUMENT, "no such", frost_animator_remove_behavior(animator, UINT64_MAX));
    EXPECT(FROST_OK, "", frost_animator_step(animator, 0.1));
    CHECK(fabs(now(animator, "ball").velocity_y - 250) < 0.1);
    // A drag keeps the velocity.
    const frost_item place = item_at(150, 40);
    EXPECT(FROST_OK, "", frost_animator_move_item(animator, "ball", &place));
    EXPECT(FROST_OK, "", frost_animator_step(animator, 1.0 / 120));
    item = now(animator, "ball");
    CHECK(fabs(item.center_x - 150) < 1e-3 && item.center_y > 40 && item.center_y < 45);
    // The ball meets the wall, which a behaviour waits for.
    add(animator, "{\"behavior\": \"properties\", \"items\": [\"wall\"], \"anchored\": true}");
    add(animator, "{\"behavior\": \"collision\"}");
    add(animator, "{\"behavior\": \"properties\", \"items\": [\"ball\"], \"angular-velocity\": 90,"
                  " \"on-contact\": {\"item\": \"ball\", \"with\": \"wall\"}}");
    size_t count = 9, begun = 0, ended = 0;
    for (int i = 0; i < 120; i++) {
        frost_contact contacts[4];
        EXPECT(FROST_OK, "", frost_animator_step(animator, 1.0 / 60));
        EXPECT(FROST_OK, "", frost_animator_contacts(animator, contacts, 4, &count));
        for (size_t c = 0; c < count && c < 4; c++) {
            CHECK(strcmp(contacts[c].item, "ball") == 0 || strcmp(contacts[c].other, "ball") == 0);
            CHECK(strcmp(contacts[c].item, "wall") == 0 || strcmp(contacts[c].other, "wall") == 0);
            if (contacts[c].is_beginning) begun++;
            else ended++;
        }
        if (begun == 0) CHECK(now(animator, "ball").rotation == 0);
    }
    CHECK(begun >= 1 && ended >= 1 && now(animator, "ball").rotation != 0);

    EXPECT(FROST_ERROR_PARAMETER, "no other item", frost_animator_add_item(animator, "ball", &ball));
    frost_item fast = item_at(1, 1);
    fast.velocity_x = 1;
    EXPECT(FROST_ERROR_ARGUMENT, "velocity", frost_animator_add_item(animator, "fast", &fast));
    EXPECT(FROST_ERROR_ARGUMENT, "name is NULL", frost_animator_add_item(animator, NULL, &ball));
    EXPECT(FROST_ERROR_ARGUMENT, "item is NULL", frost_animator_add_item(animator, "x", NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "no such item", frost_animator_item(animator, "none", &item));
    EXPECT(FROST_ERROR_ARGUMENT, "no such item", frost_animator_move_item(animator, "none", &ball));
    const frost_item nowhere = item_at(NAN, 0);
    EXPECT(FROST_ERROR_PARAMETER, "centre", frost_animator_move_item(animator, "ball", &nowhere));
    EXPECT(FROST_ERROR_PARAMETER, "did you mean", refused(animator, "{\"behavior\": \"gravty\"}"));
    EXPECT(FROST_ERROR_PARAMETER, "unknown item", refused(animator, "{\"behavior\": \"gravity\", \"items\": [\"x\"]}"));
    EXPECT(FROST_ERROR_PARAMETER, "", refused(animator, "[1]"));
    EXPECT(FROST_ERROR_PARAMETER, "", refused(animator, ""));
    EXPECT(FROST_ERROR_ARGUMENT, "json is NULL", frost_animator_add_behavior(animator, NULL, 3, NULL));
    for (int i = 0; i < 3; i++) {
        const double seconds[] = {NAN, -1, INFINITY};
        EXPECT(FROST_ERROR_PARAMETER, "time", frost_animator_step(animator, seconds[i]));
    }
    EXPECT(FROST_ERROR_ARGUMENT, "animator is NULL", frost_animator_step(NULL, 1));
    EXPECT(FROST_ERROR_ARGUMENT, "is_running is NULL", frost_animator_is_running(animator, NULL));
    EXPECT(FROST_ERROR_ARGUMENT, "count is NULL", frost_animator_contacts(animator, NULL, 0, NULL));
    EXPECT(FROST_OK, "", frost_animator_contacts(animator, NULL, 0, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "capacity", frost_animator_contacts(animator, NULL, SIZE_MAX, &count));
    EXPECT(FROST_ERROR_ARGUMENT, "animator is NULL", frost_animator_create(NULL, NULL));
    EXPECT(FROST_OK, "", try_animator(NULL));
    for (int i = 0; i < 4; i++) {
        double wrong[4] = {0, 0, 10, 10};
        wrong[i] = i < 2 ? NAN : 0;
        EXPECT(FROST_ERROR_PARAMETER, "reference", try_animator(wrong));
    }
    SIZES(frost_item, FROST_ITEM_INIT, FROST_OK, frost_animator_item(animator, "ball", shorter));
    frost_animator_destroy(animator);
    frost_animator_destroy(NULL);
}

// The items of a scene's animator are where its panels are.
static void of_scene(void) {
    frost_animator *animator = NULL;
    frost_scene *scene = parsed(text);
    EXPECT(FROST_OK, "", frost_animator_of_scene(scene, &animator));
    for (int i = 0; i < 12; i++) EXPECT(FROST_OK, "", frost_animator_step(animator, 1.0 / 60));
    const frost_item ball = now(animator, "ball");
    CHECK(ball.width == 8 && ball.center_y > 25 && ball.center_y < 35);
    frost_animator_destroy(animator);
    frost_scene_destroy(scene);
    scene = parsed("{\"size\": [9, 9], \"duration\": 1, \"backdrop\": {\"color\": \"red\"}}");
    EXPECT(FROST_ERROR_PARAMETER, "no dynamics", frost_animator_of_scene(scene, &animator));
    EXPECT(FROST_ERROR_ARGUMENT, "scene is NULL", frost_animator_of_scene(NULL, &animator));
    frost_scene_destroy(scene);
}

// A frame has the bytes of the command's.
static void command(const char *path, double seconds, const char *frame) {
    frost_scene *scene = NULL;
    frost_scene_renderer *renderer = NULL;
    frost_target target = FROST_TARGET_INIT;
    EXPECT(FROST_OK, "", frost_scene_open(path, &scene));
    EXPECT(FROST_OK, "", frost_scene_renderer_create(scene, NULL, &renderer));
    EXPECT(FROST_OK, "", frost_scene_renderer_describe_target(renderer, &target));
    uint8_t *drawn = malloc(target.byte_count), *expected = malloc(target.byte_count);
    if (!drawn || !expected) abort();
    target.pixels = drawn;
    EXPECT(FROST_OK, "", frost_scene_renderer_draw(renderer, seconds, &target, NULL));
    FILE *file = fopen(frame, "rb");
    CHECK(file && fseek(file, -(long)target.byte_count, SEEK_END) == 0);
    if (file) {
        CHECK(fread(expected, 1, target.byte_count, file) == target.byte_count);
        CHECK(memcmp(drawn, expected, target.byte_count) == 0);
        fclose(file);
    }
    free(drawn);
    free(expected);
    frost_scene_renderer_destroy(renderer);
    frost_scene_destroy(scene);
}

int main(int count, char **words) {
    reading();
    drawing();
    dynamics();
    of_scene();
    if (count == 4) command(words[1], atof(words[2]), words[3]);
    return finish("motion");
}
