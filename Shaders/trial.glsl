// The work by which Frost compares fragment shaders and compute shaders on a device: see ShaderTrial.

precision highp sampler2D;

uniform sampler2D inputImage;
// fetches.x: number of texels side by side. fetches.y: number of texels at scattered places. fetches.z: the side of the
// input in texels, a power of two, minus 1.
uniform ivec4 fetches;

void draw() {
    ivec2 pixel = targetPixel();
    vec4 sum = vec4(0.0);
    for (int i = 0; i < fetches.x; ++i) sum += texelFetch(inputImage, ivec2(pixel.x + i & fetches.z, pixel.y), 0);
    uint place = uint(pixel.y * 4096 + pixel.x);
    for (int i = 0; i < fetches.y; ++i) {
        place = place * 1664525u + 1013904223u;
        sum += texelFetch(inputImage, ivec2(int(place >> 8), int(place >> 20)) & fetches.z, 0);
    }
    result = floor(sum / float(fetches.x + fetches.y) * 255.0 + 0.5) * (1.0 / 255.0);
}
