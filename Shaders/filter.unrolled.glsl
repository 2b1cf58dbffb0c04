// A run of passes along one axis, whose filter has a program of its own. Swift (UnrolledFilter) defines ALONG_Y (1 for a
// filter along y, 0 along x), STEP, OFFSET, SHIFT and PHASES, which have the meaning of the uniform `walk` of
// filter.pass.glsl, and TAPS(ONE, TWO). TAPS applies ONE to the offset and the weight of a tap, and TWO to the offsets and
// the weight of two taps. A weight may depend on the variable `phase`.

// With the switch WHOLE the program covers a whole output: filter.pass.glsl, which is placed before this file, computes the
// pixels along the borders.

#if EDGES && !WHOLE
#error strips along the borders have no unrolled filters
#endif
#if WHOLE && !EDGES
#error a whole output has borders
#endif

const ivec2 along = ivec2(1 - ALONG_Y, ALONG_Y);

#if !WHOLE
layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };
#endif

vec4 filtered(ivec2 at) {
    int i = at.x * along.x + at.y * along.y;
    int phase = i & (PHASES - 1);
    int first = (i * STEP + OFFSET) >> SHIFT;
#if WHOLE
    if (first < range.x || first + tapCount > range.x + range.y) return filteredByLoop(at);
#endif
    ivec2 across = (at - inputOrigin) * (1 - along);
#if SAMPLED
    // The sum of a coordinate and an offset is rounded by far less than the half texel to the next texel.
    vec2 texelSize = 1.0 / vec2(textureSize(inputImage, 0));
    vec2 place = (vec2(across + (first - inputOrigin) * along) + 0.5) * texelSize;
#define READ(k) textureLod(inputImage, place + float(k) * texelSize * vec2(along), 0.0)
#else
    ivec2 texel = across + (first - inputOrigin) * along;
#define READ(k) fetch(texel + k * along)
#endif
#define ONE(k, weight) sum += weight * READ(k);
#define TWO(j, k, weight) sum += weight * (READ(j) + READ(k));
    vec4 sum = vec4(0.0);
    TAPS(ONE, TWO)
    return sum;
}
