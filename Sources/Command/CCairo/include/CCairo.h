// This module declares a table of the Cairo functions that Frost uses to draw the sheets of `frost effects --sheet`.
// Canvas.swift fills the table at run time, so Frost does not link against Cairo.
//
// The declarations repeat those of cairo.h. A build therefore does not need the package libcairo2-dev, which depends on
// the development packages of X11 and GLib. The copies stay correct, because Cairo's binary interface has been stable
// since Cairo 1.0.
#pragma once

#include <stddef.h>

typedef struct frost_cairo_surface frost_cairo_surface;
typedef struct frost_cairo_context frost_cairo_context;

/// A copy of Cairo's struct cairo_text_extents_t.
typedef struct frost_cairo_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
} frost_cairo_extents;

enum {
    /// The value of CAIRO_FORMAT_ARGB32. In this format, a pixel is the 32-bit number 0xAARRGGBB in the machine's byte
    /// order, and its colours are premultiplied by alpha.
    FROST_CAIRO_ARGB32 = 0,
    /// The value of CAIRO_FONT_SLANT_NORMAL.
    FROST_CAIRO_UPRIGHT = 0,
    /// The values of CAIRO_FONT_WEIGHT_NORMAL and CAIRO_FONT_WEIGHT_BOLD.
    FROST_CAIRO_REGULAR = 0,
    FROST_CAIRO_BOLD = 1,
};

/// An X macro that lists the Cairo functions that Frost calls. It applies its argument to the name (without "cairo_"),
/// the result type and the parameters of each function.
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

/// The names of the functions in the table frost_cairo, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_cairo_name_list(void);
size_t frost_cairo_name_count(void);
