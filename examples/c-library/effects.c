// Effects as values: draws a label over a blur, limits the blur to a panel, asks for its properties, controls its strength by a
// mask, and cancels a rendering.
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 200, BYTES = WIDTH * HEIGHT * 4 };

static void check(frost_status status) {
    if (status == FROST_OK) return;
    fprintf(stderr, "%s: %s\n", frost_status_name(status), frost_error_message());
    exit(1);
}

static frost_source picture_of(const void *pixels) {
    frost_source picture = FROST_SOURCE_INIT;
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.byte_count = BYTES;
    picture.pixels = pixels;
    return picture;
}

int main(void) {
    frost_renderer *renderer = NULL;
    frost_effect *blur = NULL, *same = NULL, *panel = NULL, *labelled = NULL, *variable = NULL, *masked = NULL;
    frost_mask *mask = NULL;
    frost_cancellation *cancellation = NULL;
    frost_content content = FROST_CONTENT_INIT;
    frost_render_options options = FROST_RENDER_OPTIONS_INIT;
    frost_target target = FROST_TARGET_INIT;
    const frost_rect place = {20, 20, 100, 40};
    const frost_rounded_rect shape = {10, 10, 200, 120, 12};
    frost_shape squircle = FROST_SHAPE_INIT;
    frost_panel glass = FROST_PANEL_INIT;
    frost_effect *smooth = NULL, *soft = NULL, *hidden = NULL;
    unsigned char *pixels = malloc(BYTES), *label = calloc(1, BYTES);
    const frost_source source = picture_of(pixels), image = picture_of(label);
    double bound = 0;
    int32_t x = 0, y = 0;

    memset(pixels, 128, BYTES);
    check(frost_renderer_create(NULL, &renderer));
    /* A program that is going to render many images opens a GPU when it starts. */
    check(frost_renderer_prepare(renderer, FROST_CHANNELS_RGBA, FROST_SAMPLE_U8));

    check(frost_effect_create_gaussian(8, 8, FROST_EDGE_MIRROR, NULL, &blur));
    check(frost_effect_clip(blur, &shape, 1, &panel));
    content.picture = &image;
    content.bounds = place;
    check(frost_effect_add_content(panel, &content, &labelled));
    check(frost_effect_error_bound(labelled, &source, NULL, &bound));
    check(frost_effect_damage_expansion(labelled, &source, 0, &x, &y));
    printf("error below %.2f of 255; a change spreads by %d pixels\n", bound, (int)x);

    /* Effects are compared and hashed as values, for example as keys of a cache. */
    check(frost_effect_create_gaussian(8, 8, FROST_EDGE_MIRROR, NULL, &same));
    printf("equal: %d, same hash: %d\n", (int)frost_effect_equal(blur, same),
           frost_effect_hash(blur) == frost_effect_hash(same));

    check(frost_effect_describe_target(labelled, &source, NULL, &target));
    target.pixels = malloc(target.byte_count);
    check(frost_render(renderer, labelled, &source, &target, NULL, NULL));

    /* A rectangle with the corners of iOS. A panel has its rectangle, corners, effect and content in one struct. */
    squircle.x = squircle.y = 10, squircle.width = 200, squircle.height = 120, squircle.corner_radius = 30;
    squircle.corner_curve = FROST_CORNERS_CONTINUOUS;
    check(frost_effect_clip_shapes(blur, &squircle, 1, &smooth));
    check(frost_render(renderer, smooth, &source, &target, NULL, NULL));
    /* The same shape with a soft edge. */
    check(frost_effect_clip_rule(smooth, 12, 0, &soft));
    check(frost_render(renderer, soft, &source, &target, NULL, NULL));
    glass.rect = place;
    glass.effect = blur;
    glass.corner_radius = 12;
    check(frost_render_panel(renderer, &glass, &source, &target, NULL, NULL));

    /* Two faces: each shape has cells and a key of its own. */
    frost_shape faces[2] = {FROST_SHAPE_INIT, FROST_SHAPE_INIT};
    faces[0].x = 20, faces[0].y = 30, faces[0].width = faces[0].height = 64;
    faces[1].x = 160, faces[1].y = 40, faces[1].width = faces[1].height = 64;
    check(frost_effect_create("redact", NULL, NULL, &hidden));
    check(frost_render_shapes(renderer, hidden, faces, 2, &source, &target, NULL, NULL));

    /* The lighter the mask, the stronger the blur. */
    check(frost_mask_create(&source, &mask));
    check(frost_effect_create("variable", NULL, NULL, &variable));
    options.mask = mask;
    /* Any thread may set the flag, also while the image is rendered. */
    check(frost_cancellation_create(&cancellation));
    options.cancellation = cancellation;
    check(frost_render(renderer, variable, &source, &target, &options, NULL));
    /* Any effect may have a mask, here in a rectangle. */
    check(frost_effect_add_mask(labelled, &place, &masked));
    check(frost_render(renderer, masked, &source, &target, &options, NULL));
    frost_cancellation_cancel(cancellation);
    printf("then: %s\n", frost_status_name(frost_render(renderer, variable, &source, &target, &options, NULL)));

    frost_cancellation_destroy(cancellation);
    frost_mask_destroy(mask);
    frost_effect_destroy(blur);
    frost_effect_destroy(smooth);
    frost_effect_destroy(soft);
    frost_effect_destroy(hidden);
    frost_effect_destroy(same);
    frost_effect_destroy(panel);
    frost_effect_destroy(labelled);
    frost_effect_destroy(variable);
    frost_effect_destroy(masked);
    frost_renderer_destroy(renderer);
    free(target.pixels);
    free(pixels);
    free(label);
    return 0;
}
