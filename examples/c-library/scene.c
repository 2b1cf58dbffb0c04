/* Draws a scene, a panel that follows a falling item, and then moves the item by itself. */
#include <frost_motion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "{\"size\": [160, 120], \"duration\": 1, \"fps\": 30, \"backdrop\": {\"picture\": \"photo.png\"},"
    " \"panels\": [{\"effect\": \"light\", \"follow\": {\"item\": \"card\"}, \"corner-radius\": 8, \"shadow\": {}}],"
    " \"dynamics\": {\"items\": [{\"id\": \"card\", \"center\": [80, 30], \"size\": [60, 40], \"rotation\": 10}],"
    " \"behaviors\": [{\"behavior\": \"gravity\", \"magnitude\": 0.4},"
    " {\"behavior\": \"collision\", \"boundaries\": [[[-99, 110], [259, 110]]]}]}}";

/* Supplies the pictures of the scene: here a grey one, of any name. */
static frost_status supply(void *user_data, const char *name, frost_source *picture) {
    (void)name;
    picture->width = 160;
    picture->height = 120;
    picture->pixels = user_data;
    picture->byte_count = 160 * 120 * 4;
    return FROST_OK;
}

static int fail(void) {
    fprintf(stderr, "%s\n", frost_motion_error_message());
    return 1;
}

/* Draws all frames of a scene. */
static int draw(const frost_scene *scene) {
    frost_scene_info info = FROST_SCENE_INFO_INIT;
    frost_scene_renderer_options options = FROST_SCENE_RENDERER_OPTIONS_INIT;
    frost_scene_renderer *renderer = NULL;
    frost_target target = FROST_TARGET_INIT;
    frost_scene_report report = FROST_SCENE_REPORT_INIT;
    int64_t frame;
    int failed = 0;

    options.picture = supply;
    options.user_data = malloc(160 * 120 * 4);
    if (!options.user_data) return 1;
    memset(options.user_data, 128, 160 * 120 * 4);
    failed = frost_scene_describe(scene, &info) != FROST_OK
             || frost_scene_renderer_create(scene, &options, &renderer) != FROST_OK
             || frost_scene_renderer_describe_target(renderer, &target) != FROST_OK;
    free(options.user_data);
    if (failed) return fail();
    target.pixels = malloc(target.byte_count);
    if (!target.pixels) return 1;
    for (frame = 0; frame < info.frame_count && !failed; frame++) {
        failed = frost_scene_renderer_draw(
                     renderer, (double)frame / info.frames_per_second, &target, &report) != FROST_OK;
    }
    printf("%d frames of %dx%d\n", (int)frame, (int)info.width, (int)info.height);
    free(target.pixels);
    frost_scene_renderer_destroy(renderer);
    return failed ? fail() : 0;
}

/* Lets the item of a scene fall, beside an item that a program adds. */
static int fall(const frost_scene *scene) {
    static const char snap[] = "{\"behavior\": \"snap\", \"items\": [\"ball\"], \"point\": [100, 60]}";
    frost_animator *animator = NULL;
    frost_item item = FROST_ITEM_INIT, ball = FROST_ITEM_INIT;
    frost_contact contacts[8];
    uint64_t number = 0;
    size_t count = 0;
    int32_t is_running = 1;
    int step;

    ball.center_x = ball.center_y = 20;
    ball.width = ball.height = 10;
    if (frost_animator_of_scene(scene, &animator) != FROST_OK
        || frost_animator_add_item(animator, "ball", &ball) != FROST_OK
        || frost_animator_add_behavior(animator, snap, strlen(snap), &number) != FROST_OK) return fail();
    for (step = 0; step < 600 && is_running; step++) {
        if (frost_animator_step(animator, 1.0 / 60) != FROST_OK) return fail();
        /* A program drags the ball once, and lets it go. */
        if (step == 30) {
            ball.center_x = 40;
            frost_animator_move_item(animator, "ball", &ball);
        }
        if (step == 60) frost_animator_remove_behavior(animator, number);
        if (frost_animator_contacts(animator, contacts, 8, &count) == FROST_OK && count > 0 && contacts[0].is_beginning
            && strcmp(contacts[0].other, "") == 0) printf("step %d: %s touches the floor\n", step, contacts[0].item);
        frost_animator_is_running(animator, &is_running);
    }
    if (frost_animator_item(animator, "card", &item) != FROST_OK) return fail();
    printf("at rest: %d\n", !is_running && item.velocity_y * item.velocity_y < 1);
    frost_animator_destroy(animator);
    /* An animator of a program's own. */
    if (frost_animator_create(NULL, &animator) != FROST_OK) return fail();
    frost_animator_destroy(animator);
    return 0;
}

int main(int count, char **words) {
    frost_scene *scene = NULL;
    int failed;
    const frost_status status =
        count > 1 ? frost_scene_open(words[1], &scene) : frost_scene_parse(text, strlen(text), NULL, &scene);
    if (status != FROST_OK) return fail();
    printf("frost %s, a schema of %d bytes\n", frost_motion_version(), (int)strlen(frost_scene_schema()));
    failed = draw(scene) || fall(scene);
    frost_scene_destroy(scene);
    return failed;
}
