// Measures the error of the device's linear texture filter. Swift prepends the #version line and the switch PATTERN. If
// PATTERN is 1, the shader draws the test pattern. If PATTERN is 0, the shader draws the error with which the device
// filters the pattern.

precision highp float;
precision highp int;
precision highp sampler2D;

#if PATTERN
layout(location = 0) out vec4 result;

// Draws the test pattern. Neighbouring texels differ as much as possible: 0 and 1 alternate along x (red), along y
// (green) and along both axes (alpha). Blue is a 16-bit hash of the position.
void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint hash = uint(texel.x) * 2654435761u + uint(texel.y) * 2246822519u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash = (hash ^ (hash >> 13)) * 3266489917u;
    result = vec4(texel.x & 1, texel.y & 1, float(hash >> 16) / 65535.0, (texel.x ^ texel.y) & 1);
}
#else
uniform sampler2D inputImage;
// axis: direction of filtering, (1, 0) along x or (0, 1) along y.
uniform ivec2 axis;
uniform vec2 texelSize;
uniform vec2 bias;
// shift: the largest distance, in texels, by which rounding may move a coordinate.
uniform float shift;
// fault: an error, in texels, that is added to every coordinate. Tests use it to simulate a less exact device.
// Otherwise it is 0.
uniform float fault;
uniform int eighths;

layout(location = 0) out vec4 result;

// Writes the largest error of filtering between this texel and the next texel along the axis. The filter is tested at
// every fraction k/8. Each fraction is tested at three coordinates: the intended coordinate, and both ends of the
// interval into which rounding may move it.
void main() {
    int i = axis.x == 1 ? int(gl_FragCoord.x) : int(gl_FragCoord.y);
    ivec2 texel = axis * i + (1 - axis);
    vec4 first = texelFetch(inputImage, texel, 0);
    vec4 second = texelFetch(inputImage, texel + axis, 0);
    vec4 worst = vec4(0.0);
    for (int k = 0; k < eighths; ++k) {
        float part = float(k) / 8.0;
        vec4 expected = first + (second - first) * part;
        for (int end = -1; end <= 1; ++end) {
            vec2 place = vec2(texel) + 0.5 + bias + vec2(axis) * (part + fault + float(end) * shift);
            worst = max(worst, abs(textureLod(inputImage, place * texelSize, 0.0) - expected));
        }
    }
    result = worst;
}
#endif
