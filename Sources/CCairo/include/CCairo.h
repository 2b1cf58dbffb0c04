// The functions of Cairo that draw effect sheets, as a table that Drawing.swift fills in at run time: nothing is linked.
//
// The declarations repeat those of cairo.h, whose binary interface has been stable since Cairo 1.0. So a build does not
// need libcairo2-dev, which depends on the development packages of X11 and GLib.
#pragma once

#include <stddef.h>

typedef struct frost_cairo_surface frost_cairo_surface;
typedef struct frost_cairo_context frost_cairo_context;

/// cairo_text_extents_t.
typedef struct frost_cairo_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
} frost_cairo_extents;

enum {
    /// CAIRO_FORMAT_ARGB32: premultiplied, 0xAARRGGBB in the machine's byte order.
    FROST_CAIRO_ARGB32 = 0,
    /// CAIRO_FONT_SLANT_NORMAL.
    FROST_CAIRO_UPRIGHT = 0,
    /// CAIRO_FONT_WEIGHT_NORMAL and CAIRO_FONT_WEIGHT_BOLD.
    FROST_CAIRO_REGULAR = 0,
    FROST_CAIRO_BOLD = 1,
};

/// Name, result and parameters of each function.
#define FROST_CAIRO_FUNCTIONS(_) \
    _(arc, void, (frost_cairo_context *_Nonnull, double x, double y, double radius, double from, double to)) \
    _(clip, void, (frost_cairo_context *_Nonnull)) \
    _(close_path, void, (frost_cairo_context *_Nonnull)) \
    _(create, frost_cairo_context *_Nonnull, (frost_cairo_surface *_Nonnull)) \
    _(destroy, void, (frost_cairo_context *_Nonnull)) \
    _(fill, void, (frost_cairo_context *_Nonnull)) \
    _(image_surface_create_for_data, frost_cairo_surface *_Nonnull, \
        (unsigned char *_Nonnull, int format, int width, int height, int stride)) \
    _(move_to, void, (frost_cairo_context *_Nonnull, double x, double y)) \
    _(new_sub_path, void, (frost_cairo_context *_Nonnull)) \
    _(paint, void, (frost_cairo_context *_Nonnull)) \
    _(rectangle, void, (frost_cairo_context *_Nonnull, double x, double y, double width, double height)) \
    _(reset_clip, void, (frost_cairo_context *_Nonnull)) \
    _(select_font_face, void, (frost_cairo_context *_Nonnull, const char *_Nonnull family, int slant, int weight)) \
    _(set_font_size, void, (frost_cairo_context *_Nonnull, double)) \
    _(set_line_width, void, (frost_cairo_context *_Nonnull, double)) \
    _(set_source_rgba, void, (frost_cairo_context *_Nonnull, double red, double green, double blue, double alpha)) \
    _(set_source_surface, void, (frost_cairo_context *_Nonnull, frost_cairo_surface *_Nonnull, double x, double y)) \
    _(show_text, void, (frost_cairo_context *_Nonnull, const char *_Nonnull)) \
    _(status, int, (frost_cairo_context *_Nonnull)) \
    _(status_to_string, const char *_Nonnull, (int)) \
    _(stroke, void, (frost_cairo_context *_Nonnull)) \
    _(surface_destroy, void, (frost_cairo_surface *_Nonnull)) \
    _(surface_flush, void, (frost_cairo_surface *_Nonnull)) \
    _(text_extents, void, (frost_cairo_context *_Nonnull, const char *_Nonnull, frost_cairo_extents *_Nonnull))

#define FROST_CAIRO_FIELD(name, result, parameters) result (*_Nonnull name) parameters;
typedef struct frost_cairo {
    FROST_CAIRO_FUNCTIONS(FROST_CAIRO_FIELD)
} frost_cairo;
#undef FROST_CAIRO_FIELD

/// The names of the table's functions, in its order.
const char *_Nonnull const *_Nonnull frost_cairo_name_list(void);
size_t frost_cairo_name_count(void);
