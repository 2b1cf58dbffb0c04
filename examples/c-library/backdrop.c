// Renders three frames of a panel over a picture in memory. Only the first frame, and the third, which states a change, run passes.
#include <frost.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 480 };

int main(void) {
    frost_backdrop *backdrop = NULL;
    frost_effect *glass = NULL;
    frost_panel panel = FROST_PANEL_INIT;
    frost_source picture = FROST_SOURCE_INIT;
    frost_target screen = FROST_TARGET_INIT;
    const frost_rect place = {40, 40, 300, 200}, damage = {120, 200, 64, 64};
    int frame;

    picture.width = screen.width = WIDTH;
    picture.height = screen.height = HEIGHT;
    picture.byte_count = screen.byte_count = WIDTH * HEIGHT * 4;
    picture.pixels = calloc(1, picture.byte_count);
    screen.pixels = calloc(1, screen.byte_count);
    if (frost_backdrop_create(NULL, &backdrop) != FROST_OK ||
        frost_effect_create("glass", "min-contrast=4.5 content-color=auto", NULL, &glass) != FROST_OK) {
        fprintf(stderr, "%s\n", frost_error_message());
        return 1;
    }
    panel.rect = place;
    panel.corner_radius = 20;
    panel.effect = glass;
    for (frame = 0; frame < 3; frame++) {
        frost_frame_report report = FROST_FRAME_REPORT_INIT;
        frost_rect updated[16];
        float text[4];
        size_t count = 0;
        if (frame == 2) frost_backdrop_invalidate(backdrop, &damage, 1);
        if (frost_backdrop_set_panels(backdrop, &panel, 1) != FROST_OK ||
            frost_backdrop_render(backdrop, &picture, &screen, NULL, &report) != FROST_OK ||
            frost_backdrop_updated(backdrop, updated, 16, &count) != FROST_OK ||
            frost_backdrop_content_color(backdrop, 0, text) != FROST_OK) {
            fprintf(stderr, "%s\n", frost_error_message());
            return 1;
        }
        printf("frame %d: %d passes, %d rectangles to show, %s text\n", frame,
               (int)(report.level_passes + report.panel_passes), (int)count, text[0] > 0.5f ? "white" : "black");
    }
    frost_effect_destroy(glass);
    frost_backdrop_destroy(backdrop);
    free((void *)picture.pixels);
    free(screen.pixels);
    return 0;
}
