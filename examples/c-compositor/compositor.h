// The parts of the example that do not use Frost (display.c), the windows (surfaces.c), and the swap chain (chain.c).
#ifndef COMPOSITOR_H
#define COMPOSITOR_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <frost.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- display.c --------------------------------------------------------------------------------------------------------

// Prints a message and exits.
void fail(const char *format, ...);
// Exits with Frost's error message if a call failed.
void check(frost_status status);
void *allocate(size_t size);

// Makes a context of OpenGL ES 3 without a window current: on the DRM node, or if it is NULL on any device.
void open_context(const char *node);
void close_context(void);

// A texture and a framebuffer that draws into it. width and height are the size of the image as it is seen; the texture stores
// it mirrored and turned by the transform, as the output needs it.
typedef struct {
    GLuint texture, framebuffer;
    int width, height;
    int32_t transform;
} canvas;

canvas canvas_create(int width, int height, int32_t transform);
void canvas_destroy(const canvas *canvas);
frost_gl_source canvas_source(const canvas *canvas);
frost_gl_target canvas_target(const canvas *canvas);

// Returns the texels that store a rectangle of the image.
frost_rect stored(const canvas *canvas, frost_rect rect);
// Copies a rectangle from a canvas to the same place of another with the same transform.
void copy(const canvas *from, const canvas *to, frost_rect rect);
// Draws what has changed since the last frame, and returns the rectangles: two at most.
size_t draw_picture(const canvas *picture, int frame, frost_rect *damage);
// Writes the texels of a canvas to FOLDER/NAME-NUMBER.ppm.
void write_picture(const char *folder, const char *name, int number, const canvas *canvas);

// Returns a file's content, or NULL.
void *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *bytes, size_t size);

// ---- surfaces.c -------------------------------------------------------------------------------------------------------

enum { REGION_RECTS = 4, CORNER_RADIUS = 12 };

typedef struct {
    frost_rect rects[REGION_RECTS];
    size_t count;
} blur_region;

// A window. All numbers are logical: `scale` pixels of the output are one unit.
typedef struct {
    uint64_t id;
    double x, y;
    int width, height;
    blur_region pending, current;
} surface;

// Sets the part of the window that shows a blur. The rectangles are relative to the window. NULL removes the region.
void surface_set_blur_region(surface *surface, const frost_rect *rects, size_t count);
// Makes what the client has set since the last commit take effect.
void surface_commit(surface *surface);
// Fills in the panel of a window, without its effect. Returns false if it blurs nothing. rects must live as long as the panel.
bool surface_panel(const surface *surface, double scale, frost_panel *panel, frost_rect rects[REGION_RECTS]);

// ---- chain.c ----------------------------------------------------------------------------------------------------------

enum { BUFFERS = 3 };

// A buffer of the swap chain. `stale` contains everything that differs from the frame.
typedef struct {
    canvas canvas;
    frost_gl_buffer *imported;
    frost_rect stale;
    // The fence that is signalled after the display has read the buffer, or -1.
    int released;
} buffer;

typedef struct {
    frost_gl *gl;
    frost_dmabuf_allocator *allocator;
    buffer buffers[BUFFERS];
    int shown;
} chain;

// Creates the buffers: dma-bufs of the DRM node, or textures if it is NULL.
chain chain_create(frost_gl *gl, const char *node, const canvas *frame);
void chain_destroy(chain *chain);
// Marks a rectangle as changed in all buffers.
void chain_invalidate(chain *chain, frost_rect rect);
// Brings the next buffer up to date and shows it. Returns the number of copied pixels.
uint64_t chain_present(chain *chain, const canvas *frame);
// The buffer that is shown.
const canvas *chain_shown(const chain *chain);

#endif
