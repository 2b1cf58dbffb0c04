// Images that Vulkan allocates and shares as dma-bufs, and the memory in which the CPU reads and writes pixels.
#ifndef IMAGE_H
#define IMAGE_H

#include <frost.h>
#include <vulkan/vulkan.h>

// The Vulkan device, and the functions of extensions.
typedef struct {
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    PFN_vkGetMemoryFdKHR get_memory_fd;
    PFN_vkGetImageDrmFormatModifierPropertiesEXT get_modifier;
    PFN_vkGetSemaphoreFdKHR get_semaphore_fd;
    PFN_vkImportSemaphoreFdKHR import_semaphore_fd;
} gpu;

// An image of RGBA pixels with 8 bits, and its description for Frost. The descriptors of `shared` belong to the image.
typedef struct {
    VkImage image;
    VkDeviceMemory memory;
    frost_dmabuf shared;
} image;

// Memory that the CPU has mapped.
typedef struct {
    VkBuffer buffer;
    VkDeviceMemory memory;
    unsigned char *bytes;
} staging;

void fail(const char *format, ...);
// Exits with a message if a Vulkan call failed.
void vk(VkResult result, const char *call);

// Creates an image that is shared as a dma-buf, in one of the arrangements that both Vulkan and Frost support.
image image_create(const gpu *gpu, frost_gl *gl, int width, int height);
void image_destroy(const gpu *gpu, image *image);
staging staging_create(const gpu *gpu, size_t size);
void staging_destroy(const gpu *gpu, staging *staging);

#endif
