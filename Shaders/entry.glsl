// How a shader receives its pixel and gives back the result: as a fragment, or in a dispatch of a compute shader. Swift
// (ProgramSource) places this file first, and prepends the constant COMPUTE, which is 0 or 1. A compute shader also has the
// constants GROUP_WIDTH, GROUP_HEIGHT and IMAGE_FORMAT.
//
// The files behind this one define draw(), which calls targetPixel() and sets `result`, or sets `isSkipped` if other draws
// cover the pixel.

precision highp float;
precision highp int;

bool isSkipped = false;

void draw();

#if COMPUTE
layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;
layout(IMAGE_FORMAT, binding = 0) writeonly uniform highp image2D resultImage;
// area: the pixels of the target that the dispatch covers, from xy up to zw.
uniform ivec4 area;

vec4 result = vec4(0.0);

ivec2 targetPixel() { return area.xy + ivec2(gl_GlobalInvocationID.xy); }

void main() {
    ivec2 pixel = targetPixel();
    if (any(greaterThanEqual(pixel, area.zw))) return;
    draw();
    if (!isSkipped) imageStore(resultImage, pixel, result);
}
#else
layout(location = 0) out vec4 result;

ivec2 targetPixel() { return ivec2(gl_FragCoord.xy); }

void main() {
    draw();
    if (isSkipped) discard;
}
#endif
