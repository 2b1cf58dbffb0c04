// The swap chain. A display reads one buffer while the program draws into another. Fences order both.
#include "compositor.h"

#include <string.h>
#include <unistd.h>

// The format XRGB8888 of drm_fourcc.h.
#define FORMAT_XRGB8888 0x34325258u

// How long the program waits for a fence, in milliseconds.
enum { PATIENCE = 1000 };

// Exits if the device cannot draw into linear buffers of the format.
static void require_format(frost_gl *gl) {
    size_t count = 0;
    check(frost_gl_dmabuf_kind_count(gl, &count));
    // Some drivers cannot list what they support. Then the import shows whether it works.
    for (size_t i = 0; i < count; i++) {
        frost_dmabuf_kind kind = FROST_DMABUF_KIND_INIT;
        check(frost_gl_describe_dmabuf_kind(gl, i, &kind));
        if (kind.fourcc == FORMAT_XRGB8888) return;
    }
    if (count > 0) fail("the device does not support buffers of the format XRGB8888");
}

// Allocates a dma-buf and imports it once. A real program also gives its descriptors to the display.
static buffer dmabuf_buffer(frost_gl *gl, frost_dmabuf_allocator *allocator, const canvas *frame) {
    const frost_rect whole = {0, 0, frame->width, frame->height}, memory_size = stored(frame, whole);
    buffer buffer = {*frame, NULL, whole, -1};
    frost_dmabuf_request request = FROST_DMABUF_REQUEST_INIT;
    request.width = memory_size.width;
    request.height = memory_size.height;
    request.fourcc = FORMAT_XRGB8888;
    frost_dmabuf memory = FROST_DMABUF_INIT;
    check(frost_dmabuf_allocate(allocator, &request, &memory));
    check(frost_gl_import(gl, &memory, FROST_DMABUF_TEXTURE_2D, &buffer.imported));
    // The imported buffer keeps the memory alive.
    for (uint32_t i = 0; i < memory.plane_count; i++) close(memory.planes[i].fd);
    // The texture belongs to the imported buffer. A program that lets Frost draw into the buffer passes `target` to
    // frost_gl_render(), and `source` if Frost reads the buffer, for example the buffer of a client.
    frost_gl_target target = FROST_GL_TARGET_INIT;
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    source.transform = target.transform = frame->transform;
    check(frost_gl_buffer_target(buffer.imported, &target));
    check(frost_gl_buffer_source(buffer.imported, &source));
    if (source.name != target.name || target.width != frame->width) fail("the imported buffer is not the one requested");
    buffer.canvas.texture = target.name;
    glGenFramebuffers(1, &buffer.canvas.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer.canvas.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.name, 0);
    return buffer;
}

chain chain_create(frost_gl *gl, const char *node, const canvas *frame) {
    chain chain = {gl, NULL, {{{0, 0, 0, 0, 0}, NULL, {0, 0, 0, 0}, -1}}, 0};
    if (node) {
        require_format(gl);
        check(frost_dmabuf_allocator_create(node, &chain.allocator));
    }
    for (int i = 0; i < BUFFERS; i++) {
        if (node) {
            chain.buffers[i] = dmabuf_buffer(gl, chain.allocator, frame);
        } else {
            const canvas canvas = canvas_create(frame->width, frame->height, frame->transform);
            chain.buffers[i] = (buffer){canvas, NULL, {0, 0, frame->width, frame->height}, -1};
        }
    }
    return chain;
}

void chain_destroy(chain *chain) {
    for (int i = 0; i < BUFFERS; i++) {
        buffer *buffer = &chain->buffers[i];
        if (buffer->released >= 0) close(buffer->released);
        if (buffer->imported) {
            glDeleteFramebuffers(1, &buffer->canvas.framebuffer);
            frost_gl_buffer_destroy(buffer->imported);
        } else {
            canvas_destroy(&buffer->canvas);
        }
    }
    frost_dmabuf_allocator_destroy(chain->allocator);
}

// Returns the smallest rectangle that contains two others.
static frost_rect hull(frost_rect a, frost_rect b) {
    if (a.width == 0) return b;
    if (b.width == 0) return a;
    const int right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    const int bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    const int x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    return (frost_rect){x, y, right - x, bottom - y};
}

void chain_invalidate(chain *chain, frost_rect rect) {
    for (int i = 0; i < BUFFERS; i++) chain->buffers[i].stale = hull(chain->buffers[i].stale, rect);
}

// Takes the place of a display. A display would show the buffer when the fence `ready` is signalled, and return a fence for
// the end of its reading. This one takes the fence and returns it, as if it read the buffer at that moment.
static int display(int ready) { return ready; }

uint64_t chain_present(chain *chain, const canvas *frame) {
    chain->shown = (chain->shown + 1) % BUFFERS;
    buffer *buffer = &chain->buffers[chain->shown];

    // Draws into the buffer must come after the display's last read. If the driver cannot let the GPU wait, this call waits.
    if (buffer->released >= 0) {
        const frost_status status = frost_gl_wait_fence(chain->gl, buffer->released, PATIENCE, NULL);
        if (status == FROST_NOT_READY) fail("the display still reads the buffer after %d ms", PATIENCE);
        check(status);
        close(buffer->released);
        buffer->released = -1;
    }

    // Buffers that were not shown for a while miss the changes of several frames.
    const frost_rect stale = buffer->stale;
    if (stale.width > 0) copy(frame, &buffer->canvas, stale);
    buffer->stale = (frost_rect){0, 0, 0, 0};

    // The fence is signalled when all draws up to here are complete. It is -1 if the driver has no fences; the call has
    // waited for the draws then.
    int32_t ready = -1;
    const frost_status status = frost_gl_fence(chain->gl, PATIENCE, &ready);
    if (status == FROST_NOT_READY) fail("the GPU is not done after %d ms", PATIENCE);
    check(status);
    buffer->released = display(ready);
    return (uint64_t)stale.width * (uint64_t)stale.height;
}

const canvas *chain_shown(const chain *chain) { return &chain->buffers[chain->shown].canvas; }
