// One pass of a plan: out[i] = sum over t of weight[t] * in[first(i) + t] along one axis, on premultiplied values.
//
// In front of this file Swift puts the version, the constants EDGE_*, STORE_* and TAP_VECTORS, and as 0 or 1
// LOAD_STRAIGHT: whether the input's colour still has to be multiplied by its alpha,
// EDGES: whether cells may be read that do not exist. Only strips along the borders pay for that.
//
// All coordinates are absolute cells of the plan's grids. Loop bounds are uniforms: constant ones would be unrolled,
// and a program compiled for every kernel.

precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D inputImage;
// (1, 0): along x, (0, 1): along y.
uniform ivec2 axis;
// The cell of the target's first texel, and that of the input's.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
// Along the axis: the first cell that exists, how many do, a multiple of the edge rule's period that makes every index
// positive (GLSL leaves the remainder of negative numbers open), and the rule.
uniform ivec4 range;
// first(i) = (i * x + y) >> z; the weights of i start at (i & w) * tapCount.
uniform ivec4 walk;
uniform int tapCount;
uniform int store;

layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

layout(location = 0) out vec4 result;

vec4 fetch(ivec2 texel) {
    vec4 value = texelFetch(inputImage, texel, 0);
#if LOAD_STRAIGHT
    value.rgb *= value.a;
#endif
    return value;
}

float weight(int index) { return taps[index >> 2][index & 3]; }

#if EDGES
// The texel to read for an index, counted from the range's start, that may lie outside; negative for transparent black.
int outside(int index) {
    int count = range.y;
    if (range.w == EDGE_MIRROR) {
        int phase = (index + range.z) % (2 * count);
        return min(phase, 2 * count - 1 - phase);
    }
    if (range.w == EDGE_REPEAT) return (index + range.z) % count;
    if (range.w == EDGE_CLEAR && (index < 0 || index >= count)) return -1;
    return clamp(index, 0, count - 1);
}
#endif

vec4 quantize(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) * (1.0 / 255.0); }

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy) + outputOrigin;
    int i = cell.x * axis.x + cell.y * axis.y;
    int first = ((i * walk.x + walk.y) >> walk.z) - range.x;
    int firstTap = (i & walk.w) * tapCount;
    // The texel of the range's first cell in this row or column.
    ivec2 base = (cell - inputOrigin) * (1 - axis) + (range.x * axis - inputOrigin * axis);

    vec4 sum = vec4(0.0);
#if EDGES
    for (int t = 0; t < tapCount; ++t) {
        int index = outside(first + t);
        if (index >= 0) sum += weight(firstTap + t) * fetch(base + axis * index);
    }
#else
    ivec2 texel = base + axis * first;
    for (int t = 0; t < tapCount; ++t) {
        sum += weight(firstTap + t) * fetch(texel);
        texel += axis;
    }
#endif

    if (store == STORE_VALUE) {
        result = sum;
    } else if (store == STORE_PREMULTIPLIED) {
        result = quantize(sum);
    } else {
        // Divided by the alpha that a reader will find, not by the exact one: see RowConversion.
        float alpha = floor(clamp(sum.a, 0.0, 1.0) * 255.0 + 0.5);
        vec3 color = alpha > 0.0 ? sum.rgb * (255.0 / alpha) : vec3(0.0);
        result = quantize(vec4(color, alpha * (1.0 / 255.0)));
    }
}
