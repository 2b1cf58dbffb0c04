// Shows a blurred image through lenses along the edges of shapes: Refraction, ShapeField and Lens (FrostCore) have the formulas
// and say what the numbers mean. Swift places filter.shapes.glsl before this file, and prepends the constants LENS_*.

// lensRange: the first and the last texel of the input, in pixels of the output.
uniform ivec4 lensRange;
// lensCounts: the number of shapes, of samples along each axis of a pixel, and the profile.
uniform ivec4 lensCounts;
// lensNumbers: the sine of the bevel's angle, and its depth; the part by which the offset of red is smaller and that of blue
// larger; -1 over the distance at which the soft profile falls to 1/e.
uniform vec4 lensNumbers;
// The radius within which the shapes flow together.
uniform float lensJoin;

// Five vectors for each shape: see distanceFrom(). The fourth number of the third vector is the depth.
layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

vec4 read(ivec2 at) { return fetch(clamp(at, lensRange.xy, lensRange.zw) - inputOrigin); }

vec4 interpolated(vec2 offset, ivec2 at) {
    vec2 whole = floor(offset), part = offset - whole;
    ivec2 place = at + ivec2(whole);
    vec4 above = mix(read(place), read(place + ivec2(1, 0)), part.x);
    vec4 below = mix(read(place + ivec2(0, 1)), read(place + ivec2(1, 1)), part.x);
    return mix(above, below, part.y);
}

float profile(float t) {
    float rest = 1.0 - t * t, height = lensNumbers.x * (1.0 - t);
    if (lensCounts.z == LENS_SOFT || lensCounts.z == LENS_GENTLE) return exp(t * lensNumbers.w) * rest * rest;
    if (lensCounts.z == LENS_BEVEL) return (1.0 - sqrt(max(1.0 - height * height, 0.0))) / lensNumbers.y;
    // An unknown profile moves pixels far away, which tests notice.
    return 100.0;
}

// Returns the offset of a point, given as a pixel and a place in it.
vec2 lensOffset(ivec2 pixel, vec2 part) {
    vec3 found[groupLimit];
    for (int index = 0; index < lensCounts.x; ++index) {
        int at = 5 * index;
        found[index] =
            distanceFrom(pixel, part, taps[at], taps[at + 1], taps[at + 2], taps[at + 3], taps[at + 4], lensJoin);
    }
    int first;
    vec3 deepest = grouped(found, lensCounts.x, lensJoin, first);
    vec4 lens = taps[5 * first + 2];
    if (deepest.x >= lens.z || deepest.x <= -1e9) return vec2(0.0);
    return deepest.yz * (-lens.w * profile(max(deepest.x, 0.0) / lens.z));
}

vec4 filtered(ivec2 at) {
    int count = lensCounts.y;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < count * count; ++i) {
        vec2 part = (vec2(i % count, i / count) + 0.5) / float(count);
        vec2 offset = lensOffset(at, part);
        vec4 value;
        if (offset == vec2(0.0)) {
            value = read(at);
        } else {
            value = interpolated(offset, at);
            if (lensNumbers.z > 0.0) {
                value.r = interpolated(offset * (1.0 - lensNumbers.z), at).r;
                value.b = interpolated(offset * (1.0 + lensNumbers.z), at).b;
            }
        }
        sum += value;
    }
    if (count > 1) sum /= float(count * count);
    // Colours at other places may exceed the alpha of this one.
    if (lensNumbers.z > 0.0) sum.rgb = min(sum.rgb, sum.a);
    return sum;
}
