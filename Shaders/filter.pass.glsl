// A run of passes along one axis, with any filter.

#if WHOLE
#define filtered filteredByLoop
#endif

// axis: direction of the pass, (1, 0) along x or (0, 1) along y.
uniform ivec2 axis;
// range: samples of the input along the axis. x: index of the first sample that exists. y: number of samples. z: a
// multiple of the edge mode's period that makes every index non-negative, because the remainder of a negative number is
// undefined in GLSL. w: edge mode, one of EDGE_*.
uniform ivec4 range;
// walk: describes the taps of output sample i. The first input sample that it reads is `(i * x + y) >> z`. Its weights
// start at index `(i & w) * tapCount`. x, y, z and w are the components of walk.
uniform ivec4 walk;
uniform int tapCount;
// pairCount: the number of pairs of samples, from the ends of a symmetric filter to its middle, that have the same
// weight.
uniform int pairCount;

layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

float weight(int index) { return taps[index >> 2][index & 3]; }

#if EDGES
// Whether all samples that the pixel reads exist, so that the edge mode need not be applied.
bool isInside = false;
#endif

// Returns the sample at an index relative to the range's first sample, whose texel is `base`.
vec4 read(ivec2 base, int index) {
#if EDGES
    if (!isInside) {
        index = outside(index, range);
        if (index < 0) return vec4(0.0);
    }
#endif
    return fetch(base + axis * index);
}

vec4 filtered(ivec2 at) {
    int i = at.x * axis.x + at.y * axis.y;
    int first = ((i * walk.x + walk.y) >> walk.z) - range.x;
    int firstTap = (i & walk.w) * tapCount;
    // The texel that holds the input's first sample, in the row or column that the pass filters.
    ivec2 base = (at - inputOrigin) * (1 - axis) + (range.x * axis - inputOrigin * axis);

#if EDGES && COMPUTE
    // A dispatch covers the whole output. Fragment draws have strips along the borders, in which few pixels lie inside.
    isInside = first >= 0 && first + tapCount <= range.y;
#endif
    vec4 sum = vec4(0.0);
    // The order of the sum is that of filter.unrolled.glsl, so both have the same bits.
    int last = tapCount - 1;
    for (int t = 0; t < pairCount; ++t) {
        sum += weight(firstTap + t) * (read(base, first + t) + read(base, first + last - t));
    }
    for (int t = pairCount; t < tapCount - pairCount; ++t) sum += weight(firstTap + t) * read(base, first + t);
    return sum;
}

#if WHOLE
#undef filtered
#endif
