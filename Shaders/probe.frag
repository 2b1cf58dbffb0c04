// How exact a device's linear filter is. Swift puts the version in front, and as 0 or 1
// PATTERN: whether to draw the texture that is then filtered, or the error of filtering it.

precision highp float;
precision highp int;
precision highp sampler2D;

#if PATTERN
layout(location = 0) out vec4 result;

// Neighbours as different as can be along either axis and both, and hashes of 16 bits.
void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint hash = uint(texel.x) * 2654435761u + uint(texel.y) * 2246822519u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash = (hash ^ (hash >> 13)) * 3266489917u;
    result = vec4(texel.x & 1, texel.y & 1, float(hash >> 16) / 65535.0, (texel.x ^ texel.y) & 1);
}
#else
uniform sampler2D inputImage;
// (1, 0): along x, (0, 1): along y.
uniform ivec2 axis;
uniform vec2 texelSize;
uniform vec2 bias;
// Of a texel: how far rounding may move a place.
uniform float shift;
// Of a texel: 0; something else stands for a device that is worse than it is.
uniform float fault;
uniform int eighths;

layout(location = 0) out vec4 result;

// The largest error at this texel: of every fraction, at the place meant and at both ends of where rounding moves it.
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
