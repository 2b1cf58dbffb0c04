#include "image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The format ABGR8888 of drm_fourcc.h: red is the first byte. Vulkan calls it R8G8B8A8.
#define FORMAT_ABGR8888 0x34324241u

enum { MAX_MODIFIERS = 64 };

// Returns whether Frost can draw into buffers of the modifier. A driver of GL that lists nothing is asked by the import.
static int frost_supports(frost_gl *gl, uint64_t modifier) {
    size_t count = 0;
    if (frost_gl_dmabuf_kind_count(gl, &count) != FROST_OK) fail("%s", frost_error_message());
    for (size_t i = 0; i < count; i++) {
        frost_dmabuf_kind kind = FROST_DMABUF_KIND_INIT;
        if (frost_gl_describe_dmabuf_kind(gl, i, &kind) != FROST_OK) fail("%s", frost_error_message());
        if (kind.fourcc == FORMAT_ABGR8888 && kind.modifier == modifier && !kind.is_external_only) return 1;
    }
    return count == 0;
}

// Lists the modifiers of one plane that both sides support. Vulkan copies to and from the images.
static uint32_t common_modifiers(const gpu *gpu, frost_gl *gl, uint64_t *modifiers) {
    VkDrmFormatModifierPropertiesEXT known[MAX_MODIFIERS];
    VkDrmFormatModifierPropertiesListEXT list = {
        .sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT, .drmFormatModifierCount = MAX_MODIFIERS,
        .pDrmFormatModifierProperties = known};
    VkFormatProperties2 format = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
    vkGetPhysicalDeviceFormatProperties2(gpu->physical, VK_FORMAT_R8G8B8A8_UNORM, &format);
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    uint32_t count = 0;
    for (uint32_t i = 0; i < list.drmFormatModifierCount && i < MAX_MODIFIERS; i++) {
        if (known[i].drmFormatModifierPlaneCount != 1) continue;
        if ((known[i].drmFormatModifierTilingFeatures & needed) != needed) continue;
        if (frost_supports(gl, known[i].drmFormatModifier)) modifiers[count++] = known[i].drmFormatModifier;
    }
    return count;
}

// Returns the index of a memory type with some properties.
static uint32_t memory_type(const gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags properties) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if (allowed & 1u << i && (memory.memoryTypes[i].propertyFlags & properties) == properties) return i;
    }
    fail("no memory type with the properties 0x%x", properties);
    abort();
}

image image_create(const gpu *gpu, frost_gl *gl, int width, int height) {
    image made = {VK_NULL_HANDLE, VK_NULL_HANDLE, FROST_DMABUF_INIT};
    uint64_t modifiers[MAX_MODIFIERS];
    const uint32_t count = common_modifiers(gpu, gl, modifiers);
    if (count == 0) fail("Vulkan and OpenGL ES have no modifier of ABGR8888 in common");
    const VkImageDrmFormatModifierListCreateInfoEXT arrangements = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT, .drmFormatModifierCount = count,
        .pDrmFormatModifiers = modifiers};
    const VkExternalMemoryImageCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .pNext = &arrangements,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    const VkImageCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .pNext = &external, .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {(uint32_t)width, (uint32_t)height, 1}, .mipLevels = 1,
        .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT, .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    vk(vkCreateImage(gpu->device, &wanted, NULL, &made.image), "vkCreateImage");

    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->device, made.image, &needs);
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = made.image};
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .pNext = &dedicated,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &export, .allocationSize = needs.size,
        .memoryTypeIndex = memory_type(gpu, needs.memoryTypeBits, 0)};
    vk(vkAllocateMemory(gpu->device, &allocation, NULL, &made.memory), "vkAllocateMemory");
    vk(vkBindImageMemory(gpu->device, made.image, made.memory, 0), "vkBindImageMemory");

    // The description for Frost: size, format, the modifier that the driver chose, and the place of the only plane.
    const VkMemoryGetFdInfoKHR request = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = made.memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    int fd = -1;
    vk(gpu->get_memory_fd(gpu->device, &request, &fd), "vkGetMemoryFdKHR");
    VkImageDrmFormatModifierPropertiesEXT chosen = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT};
    vk(gpu->get_modifier(gpu->device, made.image, &chosen), "vkGetImageDrmFormatModifierPropertiesEXT");
    const VkImageSubresource plane = {.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT};
    VkSubresourceLayout layout;
    vkGetImageSubresourceLayout(gpu->device, made.image, &plane, &layout);
    made.shared.width = width;
    made.shared.height = height;
    made.shared.fourcc = FORMAT_ABGR8888;
    made.shared.modifier = chosen.drmFormatModifier;
    made.shared.plane_count = 1;
    made.shared.planes[0] = (frost_dmabuf_plane){fd, (uint32_t)layout.offset, (uint32_t)layout.rowPitch};
    return made;
}

void image_destroy(const gpu *gpu, image *image) {
    vkDestroyImage(gpu->device, image->image, NULL);
    vkFreeMemory(gpu->device, image->memory, NULL);
    close(image->shared.planes[0].fd);
}

staging staging_create(const gpu *gpu, size_t size) {
    staging made;
    const VkBufferCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    vk(vkCreateBuffer(gpu->device, &wanted, NULL, &made.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, made.buffer, &needs);
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
        .memoryTypeIndex = memory_type(
            gpu, needs.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)};
    vk(vkAllocateMemory(gpu->device, &allocation, NULL, &made.memory), "vkAllocateMemory");
    vk(vkBindBufferMemory(gpu->device, made.buffer, made.memory, 0), "vkBindBufferMemory");
    vk(vkMapMemory(gpu->device, made.memory, 0, size, 0, (void **)&made.bytes), "vkMapMemory");
    return made;
}

void staging_destroy(const gpu *gpu, staging *staging) {
    vkDestroyBuffer(gpu->device, staging->buffer, NULL);
    vkFreeMemory(gpu->device, staging->memory, NULL);
}
