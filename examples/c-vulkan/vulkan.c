// Example: a Vulkan program whose image Frost blurs, without a copy through the CPU's memory.
//
//   vulkan [SIGMA]
//
// Vulkan allocates two images and exports their memory as dma-bufs. It fills the first one, and exports a semaphore as a
// sync_file. Frost imports both images into a context of OpenGL ES on the same GPU, waits for the sync_file, blurs the first
// image into the second, and returns a fence. Vulkan imports the fence as a semaphore, waits for it, and reads the result.
// The program compares the result with a blur on the CPU.
//
// If no device has the extensions of Vulkan that this needs, the program names the missing ones in one line and exits with 77.
#include "image.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 320, HEIGHT = 200, BYTES = WIDTH * HEIGHT * 4, SKIPPED = 77 };

static const char *const needed[] = {
    VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,    VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
    VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME,     VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME,
    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME,
    VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME,
};
enum { NEEDED = sizeof needed / sizeof *needed };

void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("vulkan: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

void vk(VkResult result, const char *call) {
    if (result != VK_SUCCESS) fail("%s: %d", call, result);
}

// Exits with Frost's error message if a call failed.
static void check(frost_status status) {
    if (status != FROST_OK) fail("%s: %s", frost_status_name(status), frost_error_message());
}

// ---- Vulkan ------------------------------------------------------------------------------------------------------------

// Writes the needed extensions that a device lacks to `text`, and returns their number.
static int missing_extensions(VkPhysicalDevice device, char *text, size_t size) {
    uint32_t count = 0;
    vk(vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL), "vkEnumerateDeviceExtensionProperties");
    VkExtensionProperties *all = calloc(count + 1, sizeof *all);
    if (!all) abort();
    vk(vkEnumerateDeviceExtensionProperties(device, NULL, &count, all), "vkEnumerateDeviceExtensionProperties");
    int missing = 0;
    for (int i = 0; i < NEEDED; i++) {
        int found = 0;
        for (uint32_t k = 0; k < count; k++) found |= strcmp(all[k].extensionName, needed[i]) == 0;
        if (found) continue;
        missing++;
        strncat(text, " ", size - strlen(text) - 1);
        strncat(text, needed[i], size - strlen(text) - 1);
    }
    free(all);
    return missing;
}

// Returns the first device that has everything. Exits with 77 if there is none.
static VkPhysicalDevice choose_device(VkInstance instance) {
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    const VkResult result = vkEnumeratePhysicalDevices(instance, &count, devices);
    // The loader returns this error if no driver finds a device.
    if (result == VK_ERROR_INITIALIZATION_FAILED) count = 0;
    else if (result != VK_INCOMPLETE) vk(result, "vkEnumeratePhysicalDevices");
    char lines[4096] = "";
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        char missing[1024] = "";
        if (missing_extensions(devices[i], missing, sizeof missing) == 0) return devices[i];
        const size_t used = strlen(lines);
        snprintf(lines + used, sizeof lines - used, "%s%s lacks%s", used ? "; " : "", properties.deviceName, missing);
    }
    printf("skipped: %s\n", count ? lines : "there is no Vulkan device");
    exit(SKIPPED);
}

static PFN_vkVoidFunction function(VkDevice device, const char *name) {
    PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
    if (!found) fail("the driver has no %s", name);
    return found;
}

static gpu gpu_open(VkInstance instance) {
    gpu gpu = {.physical = choose_device(instance)};
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &count, families);
    while (gpu.family < count && !(families[gpu.family].queueFlags & VK_QUEUE_GRAPHICS_BIT)) gpu.family++;
    if (gpu.family == count) fail("the device has no graphics queue");
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = gpu.family, .queueCount = 1,
        .pQueuePriorities = &priority};
    const VkDeviceCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
        .enabledExtensionCount = NEEDED, .ppEnabledExtensionNames = needed};
    vk(vkCreateDevice(gpu.physical, &wanted, NULL, &gpu.device), "vkCreateDevice");
    vkGetDeviceQueue(gpu.device, gpu.family, 0, &gpu.queue);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = gpu.family};
    vk(vkCreateCommandPool(gpu.device, &pool, NULL, &gpu.pool), "vkCreateCommandPool");
    gpu.get_memory_fd = (PFN_vkGetMemoryFdKHR)function(gpu.device, "vkGetMemoryFdKHR");
    gpu.get_modifier = (PFN_vkGetImageDrmFormatModifierPropertiesEXT)function(
        gpu.device, "vkGetImageDrmFormatModifierPropertiesEXT");
    gpu.get_semaphore_fd = (PFN_vkGetSemaphoreFdKHR)function(gpu.device, "vkGetSemaphoreFdKHR");
    gpu.import_semaphore_fd = (PFN_vkImportSemaphoreFdKHR)function(gpu.device, "vkImportSemaphoreFdKHR");
    return gpu;
}

// Creates a semaphore. One that is exported becomes a sync_file after its signal was submitted.
static VkSemaphore semaphore_create(const gpu *gpu, int is_exported) {
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkSemaphoreCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = is_exported ? &export : NULL};
    VkSemaphore semaphore;
    vk(vkCreateSemaphore(gpu->device, &wanted, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

// Moves an image between layouts, and between Vulkan's queue and the foreign queue of OpenGL ES.
static void move(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to, uint32_t source,
                 uint32_t target) {
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = source,
        .dstQueueFamilyIndex = target,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
}

static VkCommandBuffer begin(const gpu *gpu) {
    const VkCommandBufferAllocateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1};
    VkCommandBuffer commands;
    vk(vkAllocateCommandBuffers(gpu->device, &wanted, &commands), "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo once = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    vk(vkBeginCommandBuffer(commands, &once), "vkBeginCommandBuffer");
    return commands;
}

// Submits commands. Both semaphores may be VK_NULL_HANDLE.
static void submit(const gpu *gpu, VkCommandBuffer commands, VkSemaphore wait, VkSemaphore signal) {
    vk(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo work = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = wait != VK_NULL_HANDLE, .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage, .commandBufferCount = 1, .pCommandBuffers = &commands,
        .signalSemaphoreCount = signal != VK_NULL_HANDLE, .pSignalSemaphores = &signal};
    vk(vkQueueSubmit(gpu->queue, 1, &work, VK_NULL_HANDLE), "vkQueueSubmit");
}

static const VkBufferImageCopy whole = {
    .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {WIDTH, HEIGHT, 1}};

// Fills the source image, and gives both images to OpenGL ES. Returns a sync_file that is signalled when that is done.
static int draw_source(const gpu *gpu, const staging *pixels, const image *source, const image *target,
                       VkSemaphore drawn) {
    VkCommandBuffer commands = begin(gpu);
    const uint32_t none = VK_QUEUE_FAMILY_IGNORED, foreign = VK_QUEUE_FAMILY_FOREIGN_EXT;
    const VkImageLayout undefined = VK_IMAGE_LAYOUT_UNDEFINED, filled = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        general = VK_IMAGE_LAYOUT_GENERAL;
    move(commands, source->image, undefined, filled, none, none);
    vkCmdCopyBufferToImage(commands, pixels->buffer, source->image, filled, 1, &whole);
    move(commands, source->image, filled, general, gpu->family, foreign);
    move(commands, target->image, undefined, general, none, none);
    move(commands, target->image, general, general, gpu->family, foreign);
    submit(gpu, commands, VK_NULL_HANDLE, drawn);
    const VkSemaphoreGetFdInfoKHR request = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = drawn,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    int fd = -1;
    vk(gpu->get_semaphore_fd(gpu->device, &request, &fd), "vkGetSemaphoreFdKHR");
    return fd;
}

// Takes the target image back, after the fence if there is one, and copies its pixels. Takes the ownership of the fence.
static void read_target(const gpu *gpu, const staging *pixels, const image *target, VkSemaphore blurred, int fence) {
    VkSemaphore wait = VK_NULL_HANDLE;
    if (fence >= 0) {
        const VkImportSemaphoreFdInfoKHR import = {
            .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, .semaphore = blurred,
            .flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT, .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
            .fd = fence};
        vk(gpu->import_semaphore_fd(gpu->device, &import), "vkImportSemaphoreFdKHR");
        wait = blurred;
    }
    VkCommandBuffer commands = begin(gpu);
    move(commands, target->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
         VK_QUEUE_FAMILY_FOREIGN_EXT, gpu->family);
    vkCmdCopyImageToBuffer(commands, target->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels->buffer, 1, &whole);
    submit(gpu, commands, wait, VK_NULL_HANDLE);
    vk(vkQueueWaitIdle(gpu->queue), "vkQueueWaitIdle");
}

// ---- OpenGL ES and Frost -----------------------------------------------------------------------------------------------

// Makes a context of OpenGL ES current on the device of Vulkan.
static void open_context(const gpu *gpu) {
    VkPhysicalDeviceDrmPropertiesEXT drm = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &drm};
    vkGetPhysicalDeviceProperties2(gpu->physical, &properties);
    char node[64];
    snprintf(node, sizeof node, "/dev/dri/renderD%lld", (long long)drm.renderMinor);
    PFNEGLQUERYDEVICESEXTPROC devices_of = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC text_of =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!devices_of || !text_of || !devices_of(16, devices, &count)) fail("EGL cannot list devices");
    EGLDisplay display = EGL_NO_DISPLAY;
    for (EGLint i = 0; i < count && !display; i++) {
        const char *path = text_of(devices[i], EGL_DRM_RENDER_NODE_FILE_EXT);
        if (path && strcmp(path, node) == 0) display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
    }
    if (!display || !eglInitialize(display, NULL, NULL)) fail("EGL has no device %s", node);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        fail("EGL has no OpenGL ES 3 on %s: 0x%x", node, eglGetError());
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("no context: 0x%x", eglGetError());
}

// Blurs one image into the other. Waits for the producer's fence, and returns a fence, or -1 if the work is finished.
static int blur(frost_gl *gl, const frost_effect *effect, const image *from, const image *to, int producer) {
    frost_gl_buffer *input = NULL, *output = NULL;
    check(frost_gl_import(gl, &from->shared, FROST_DMABUF_TEXTURE_2D, &input));
    check(frost_gl_import(gl, &to->shared, FROST_DMABUF_TEXTURE_2D, &output));
    frost_gl_source source = FROST_GL_SOURCE_INIT;
    frost_gl_target target = FROST_GL_TARGET_INIT;
    check(frost_gl_buffer_source(input, &source));
    check(frost_gl_buffer_target(output, &target));
    // A producer whose work is already finished may return -1.
    if (producer >= 0) check(frost_gl_wait_fence(gl, producer, 1000, NULL));
    check(frost_gl_render(gl, effect, &source, &target, NULL, NULL));
    frost_gl_submission submission = FROST_GL_SUBMISSION_INIT;
    check(frost_gl_submit(gl, 1000, &submission));
    // A real program keeps the imported buffers, because it uses the same images in each frame.
    frost_gl_buffer_destroy(input);
    frost_gl_buffer_destroy(output);
    return submission.state == FROST_WORK_SUBMITTED ? submission.fd : -1;
}

// Returns the largest difference between the pixels and a blur on the CPU.
static int difference(const frost_effect *effect, unsigned char *picture, const unsigned char *pixels) {
    static unsigned char wanted[BYTES];
    frost_renderer *renderer = NULL;
    frost_renderer_options options = FROST_RENDERER_OPTIONS_INIT;
    options.backend = FROST_BACKEND_CPU;
    check(frost_renderer_create(&options, &renderer));
    frost_source source = FROST_SOURCE_INIT;
    source.pixels = picture;
    source.width = WIDTH;
    source.height = HEIGHT;
    source.alpha = FROST_ALPHA_PREMULTIPLIED;
    frost_target target = FROST_TARGET_INIT;
    target.pixels = wanted;
    target.width = WIDTH;
    target.height = HEIGHT;
    target.alpha = FROST_ALPHA_PREMULTIPLIED;
    check(frost_render(renderer, effect, &source, &target, NULL, NULL));
    frost_renderer_destroy(renderer);
    int most = 0;
    for (int i = 0; i < BYTES; i++) {
        const int distance = abs(pixels[i] - wanted[i]);
        if (distance > most) most = distance;
    }
    return most;
}

int main(int count, char **words) {
    const double sigma = count > 1 ? atof(words[1]) : 8;
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    const VkResult opened = vkCreateInstance(&wanted, NULL, &instance);
    if (opened == VK_ERROR_INCOMPATIBLE_DRIVER) {
        puts("skipped: there is no Vulkan driver");
        return SKIPPED;
    }
    vk(opened, "vkCreateInstance");
    gpu gpu = gpu_open(instance);
    open_context(&gpu);
    frost_gl *gl = NULL;
    check(frost_gl_create(NULL, &gl));
    frost_effect *effect = NULL;
    check(frost_effect_create_gaussian(sigma, sigma, FROST_EDGE_MIRROR, NULL, &effect));

    static unsigned char picture[BYTES];
    for (int i = 0; i < BYTES; i++) {
        const int x = i / 4 % WIDTH, y = i / 4 / WIDTH;
        picture[i] = i % 4 == 3 ? 255 : (unsigned char)((x / 16 + y / 16) % 2 ? 230 - x / 2 : 20 + (i % 4) * 60);
    }
    staging pixels = staging_create(&gpu, BYTES);
    memcpy(pixels.bytes, picture, BYTES);
    image source = image_create(&gpu, gl, WIDTH, HEIGHT), target = image_create(&gpu, gl, WIDTH, HEIGHT);
    VkSemaphore drawn = semaphore_create(&gpu, 1), blurred = semaphore_create(&gpu, 0);

    const int producer = draw_source(&gpu, &pixels, &source, &target, drawn);
    const int fence = blur(gl, effect, &source, &target, producer);
    if (producer >= 0) close(producer);
    read_target(&gpu, &pixels, &target, blurred, fence);
    const int most = difference(effect, picture, pixels.bytes);
    printf("%s: largest difference %d, modifier 0x%llx\n", fence >= 0 ? "by a fence" : "waited", most,
           (unsigned long long)target.shared.modifier);

    frost_effect_destroy(effect);
    frost_gl_destroy(gl);
    vkDestroySemaphore(gpu.device, drawn, NULL);
    vkDestroySemaphore(gpu.device, blurred, NULL);
    image_destroy(&gpu, &source);
    image_destroy(&gpu, &target);
    staging_destroy(&gpu, &pixels);
    vkDestroyCommandPool(gpu.device, gpu.pool, NULL);
    vkDestroyDevice(gpu.device, NULL);
    vkDestroyInstance(instance, NULL);
    return most <= 1 ? 0 : 1;
}
