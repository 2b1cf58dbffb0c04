// The parts of the example that do not use Frost (display.c), and the swap chain (chain.c).
#ifndef COMPOSITOR_H
#define COMPOSITOR_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <frost.h>
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

// A texture and a framebuffer that draws into it. The first row of the texture is the top row of the image.
typedef struct {
    GLuint texture, framebuffer;
    int width, height;
} canvas;

canvas canvas_create(int width, int height);
void canvas_destroy(const canvas *canvas);
frost_gl_source canvas_source(const canvas *canvas);
frost_gl_target canvas_target(const canvas *canvas);

// Copies a rectangle from a canvas to the same place of another.
void copy(const canvas *from, const canvas *to, frost_rect rect);
// Draws what has changed since the last frame, and returns the rectangles: two at most.
size_t draw_picture(const canvas *picture, int frame, frost_rect *damage);
// Writes the pixels of a framebuffer to FOLDER/NAME-NUMBER.ppm.
void write_picture(const char *folder, const char *name, int number, GLuint framebuffer, int width, int height);

// Returns a file's content, or NULL.
void *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *bytes, size_t size);

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
chain chain_create(frost_gl *gl, const char *node, int width, int height);
void chain_destroy(chain *chain);
// Marks a rectangle as changed in all buffers.
void chain_invalidate(chain *chain, frost_rect rect);
// Brings the next buffer up to date and shows it. Returns the number of copied pixels.
uint64_t chain_present(chain *chain, const canvas *frame);
// The framebuffer of the buffer that is shown.
GLuint chain_framebuffer(const chain *chain);

#endif
