// The windows of clients, with their blur regions as the Wayland protocol ext-background-effect-v1 sets them.
#include "compositor.h"

#include <math.h>
#include <string.h>

void surface_set_blur_region(surface *surface, const frost_rect *rects, size_t count) {
    if (count > REGION_RECTS) fail("a region of %zu rectangles", count);
    // A client without a region has no blur. The region is copied, so the client may destroy it.
    surface->pending.count = rects ? count : 0;
    if (rects) memcpy(surface->pending.rects, rects, count * sizeof *rects);
}

void surface_commit(surface *surface) { surface->current = surface->pending; }

bool surface_panel(const surface *surface, double scale, frost_panel *panel, frost_rect rects[REGION_RECTS]) {
    if (surface->current.count == 0) return false;
    // The edges in pixels of the output, which may lie between pixels: the panel has the whole pixels around them.
    const double left = surface->x * scale, top = surface->y * scale;
    const double right = (surface->x + surface->width) * scale, bottom = (surface->y + surface->height) * scale;
    const int x = (int)floor(left), y = (int)floor(top);
    *panel = (frost_panel)FROST_PANEL_INIT;
    panel->rect = (frost_rect){x, y, (int)ceil(right) - x, (int)ceil(bottom) - y};
    panel->inset_left = left - x;
    panel->inset_top = top - y;
    panel->inset_right = ceil(right) - right;
    panel->inset_bottom = ceil(bottom) - bottom;
    panel->corner_radius = CORNER_RADIUS * scale;
    panel->id = surface->id;
    // Frost ignores what lies outside the surface, as the protocol asks for.
    for (size_t i = 0; i < surface->current.count; i++) {
        const frost_rect part = surface->current.rects[i];
        const int part_x = (int)floor(left + part.x * scale), part_y = (int)floor(top + part.y * scale);
        rects[i] = (frost_rect){
            part_x - x, part_y - y, (int)ceil(left + (part.x + part.width) * scale) - part_x,
            (int)ceil(top + (part.y + part.height) * scale) - part_y};
    }
    panel->region = rects;
    panel->region_count = surface->current.count;
    return true;
}
