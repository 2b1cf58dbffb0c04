// One draw of a plan, on premultiplied values. A separable pass is
// out[i] = sum over t of weight[t] * in[first(i) + t] along one axis.
//
// In front of this file Swift puts the version, the lists DRAW_*, EDGE_* and STORE_*, TAP_VECTORS, and the switches of
// ProgramKey: DRAW, one of the list DRAW_*, and as 0 or 1
// LOAD_STRAIGHT: whether the input's colour has to be multiplied by its alpha,
// LOAD_CODE: whether it has to be decoded into light,
// EDGES: whether samples outside the image may be read. Only strips along the borders pay for that,
// OUTPUT_STAGES: whether output stages follow. filter.output.glsl then comes behind, with the switches ORIGINAL and
// CONTENT,
// INPUT_EXTERNAL, ORIGINAL_EXTERNAL: whether input or original are textures of GL_TEXTURE_EXTERNAL_OES,
// INPUT_RISES, ORIGINAL_RISES: whether their first row is the lowest,
// PLACED: whether the output is a part of a larger target, or one whose first row is the lowest.
//
// Every list has a branch for each of its values, which a test checks. Other values are errors: #error for DRAW; for what
// is known only while drawing, the colour `unknown`, or nothing.
//
// All coordinates are absolute samples of the plan's grids. Loop bounds are uniforms: constant ones would be unrolled,
// and a program compiled for every kernel.

#if DRAW == DRAW_LINEAR && INPUT_EXTERNAL
#error the linear filter was not measured on textures of the host
#endif
#if DRAW == DRAW_BLEND && !OUTPUT_STAGES
#error levels are mixed by the mask of the output stages
#endif

precision highp float;
precision highp int;
precision highp sampler2D;
#if INPUT_EXTERNAL || ORIGINAL_EXTERNAL
precision highp samplerExternalOES;
#endif

#if INPUT_EXTERNAL
uniform samplerExternalOES inputImage;
#else
uniform sampler2D inputImage;
#endif
#if INPUT_RISES || ORIGINAL_RISES
// The texel of row 0.
uniform int topRow;
#endif
#if PLACED
// From the target's pixels to the output's: an offset for each axis, and 1 or -1.
uniform ivec4 outputPlace;
#endif
#if !OUTPUT_STAGES
// One of STORE_*.
uniform int store;
#endif

#if DRAW == DRAW_PASS
// (1, 0): along x, (0, 1): along y.
uniform ivec2 axis;
// The sample of the target's first texel, and that of the input's.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
// Along the axis: the first sample that exists, how many do, a multiple of the edge rule's period that makes every index
// positive (GLSL leaves the remainder of negative numbers open), and the rule.
uniform ivec4 range;
// first(i) = (i * x + y) >> z; the weights of i start at (i & w) * tapCount.
uniform ivec4 walk;
uniform int tapCount;
#elif DRAW == DRAW_LINEAR
// One over the input's size.
uniform vec2 texelSize;
// Of a texel: added so that the device's fixed point rounds to the fraction that is meant. Measured: see FilterProbe.
uniform vec2 bias;
// For each axis what a pass has for its one.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
uniform ivec4 rangeX;
uniform ivec4 rangeY;
uniform ivec4 walkX;
uniform ivec4 walkY;
// Fetches of a phase, and where those of x and y start.
uniform ivec2 fetchCount;
uniform ivec2 fetchesAt;
#elif DRAW == DRAW_RUNS
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
// As `range`, for each axis.
uniform ivec4 rangeX;
uniform ivec4 rangeY;
uniform int runCount;
#elif DRAW == DRAW_ZOOM
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
uniform ivec4 rangeX;
uniform ivec4 rangeY;
// From pixel 0 in whole pixels, and the rest.
uniform ivec2 centre;
uniform vec2 centrePart;
// How far lines go towards the centre and away from it, as fractions of the way there.
uniform vec2 reaches;
#elif DRAW == DRAW_BLEND
// The input is the lower level.
uniform sampler2D upperImage;
// From a place to the texels of the lower and the upper, and the sizes of both.
uniform ivec4 levelOrigins;
uniform ivec4 levelSizes;
// The share of the variance at which the lower is alone, and one over how much more it takes for the upper.
uniform vec2 levelShares;
// Pixels whose share is below x, or y and more, are left to other draws.
uniform vec2 shareBounds;
#else
#error a kind of draw without a branch
#endif

#if DRAW == DRAW_PASS || DRAW == DRAW_LINEAR || DRAW == DRAW_RUNS
layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };
#endif

// What is written for a value that no branch knows.
const vec4 unknown = vec4(1.0, 0.0, 1.0, 1.0);

layout(location = 0) out vec4 result;

// The output's pixel, counted from its first.
ivec2 pixelPlace() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#if PLACED
    pixel = pixel * outputPlace.zw + outputPlace.xy;
#endif
    return pixel;
}

#if LOAD_CODE
// Threshold, slope, factor and offset; exponent.
uniform vec4 decoding;
uniform float decodingExponent;
#endif

vec4 fetch(ivec2 texel) {
#if INPUT_RISES
    texel.y = topRow - texel.y;
#endif
    vec4 value = texelFetch(inputImage, texel, 0);
#if LOAD_CODE
#if !LOAD_STRAIGHT
    value.rgb *= value.a > 0.0 ? 1.0 / value.a : 0.0;
#endif
    vec3 curve = pow(max(value.rgb * decoding.z + decoding.w, vec3(1e-9)), vec3(decodingExponent));
    value.rgb = mix(curve, value.rgb * decoding.y, lessThanEqual(value.rgb, vec3(decoding.x)));
#endif
#if LOAD_STRAIGHT || LOAD_CODE
    value.rgb *= value.a;
#endif
    return value;
}

#if EDGES || ORIGINAL
// The texel to read for an index, counted from the range's start, that may lie outside; negative for transparent black.
int outside(int index, ivec4 range) {
    int count = range.y;
    if (range.w == EDGE_MIRROR) {
        int phase = (index + range.z) % (2 * count);
        return min(phase, 2 * count - 1 - phase);
    }
    if (range.w == EDGE_REPEAT) return (index + range.z) % count;
    if (range.w == EDGE_CLEAR) return index < 0 || index >= count ? -1 : index;
    if (range.w == EDGE_CLAMP) return clamp(index, 0, count - 1);
    return -1;
}
#endif

#if DRAW == DRAW_RUNS || DRAW == DRAW_ZOOM
vec4 read(ivec2 at) {
#if EDGES
    ivec2 place = ivec2(outside(at.x - rangeX.x, rangeX), outside(at.y - rangeY.x, rangeY));
    if (place.x < 0 || place.y < 0) return vec4(0.0);
    at = place + ivec2(rangeX.x, rangeY.x);
#endif
    return fetch(at - inputOrigin);
}
#endif

#if DRAW == DRAW_PASS
float weight(int index) { return taps[index >> 2][index & 3]; }

vec4 filtered(ivec2 at) {
    int i = at.x * axis.x + at.y * axis.y;
    int first = ((i * walk.x + walk.y) >> walk.z) - range.x;
    int firstTap = (i & walk.w) * tapCount;
    // The texel of the range's first sample in this row or column.
    ivec2 base = (at - inputOrigin) * (1 - axis) + (range.x * axis - inputOrigin * axis);

    vec4 sum = vec4(0.0);
#if EDGES
    for (int t = 0; t < tapCount; ++t) {
        int index = outside(first + t, range);
        if (index >= 0) sum += weight(firstTap + t) * fetch(base + axis * index);
    }
#else
    ivec2 texel = base + axis * first;
    for (int t = 0; t < tapCount; ++t) {
        sum += weight(firstTap + t) * fetch(texel);
        texel += axis;
    }
#endif
    return sum;
}
#elif DRAW == DRAW_LINEAR
// Offset in texels, and weight.
vec2 tap(int index) { return (index & 1) == 0 ? taps[index >> 1].xy : taps[index >> 1].zw; }

vec4 filtered(ivec2 at) {
    ivec2 scale = ivec2(walkX.x, walkY.x);
    ivec2 first = (at * scale + ivec2(walkX.y, walkY.y)) >> ivec2(walkX.z, walkY.z);
    ivec2 from = fetchesAt + (at & ivec2(walkX.w, walkY.w)) * fetchCount;
    vec4 sum = vec4(0.0);
#if EDGES
    ivec2 base = ivec2(rangeX.x, rangeY.x) - inputOrigin;
    for (int v = 0; v < fetchCount.y; ++v) {
        vec2 tapY = tap(from.y + v);
        int y = outside(first.y + int(tapY.x) - rangeY.x, rangeY);
        for (int u = 0; u < fetchCount.x; ++u) {
            vec2 tapX = tap(from.x + u);
            int x = outside(first.x + int(tapX.x) - rangeX.x, rangeX);
            if (x >= 0 && y >= 0) sum += tapX.y * tapY.y * fetch(base + ivec2(x, y));
        }
    }
#else
    // Sums of eighths and less than 2^15 texels: nothing is rounded before the multiplication.
    vec2 center = vec2(first - inputOrigin) + 0.5 + bias;
    for (int v = 0; v < fetchCount.y; ++v) {
        vec2 tapY = tap(from.y + v);
        for (int u = 0; u < fetchCount.x; ++u) {
            vec2 tapX = tap(from.x + u);
            vec2 place = (center + vec2(tapX.x, tapY.x)) * texelSize;
            sum += tapX.y * tapY.y * textureLod(inputImage, place, 0.0);
        }
    }
#endif
    return sum;
}
#elif DRAW == DRAW_RUNS
vec4 filtered(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int index = 0; index < runCount; ++index) {
        // Where it begins, how long it is, and the weight of each pixel.
        vec4 run = taps[index];
        ivec2 place = at + ivec2(run.xy);
        int end = place.x + int(run.z);
        vec4 part = vec4(0.0);
        for (; place.x < end; ++place.x) part += read(place);
        sum += run.w * part;
    }
    return sum;
}
#elif DRAW == DRAW_ZOOM
// The samples of a line from a pixel on: see Kernel2D.Zoom. Sample k lies k steps away and k slopes across.
void addLine(ivec2 at, ivec2 direction, ivec2 across, float slope, float length, inout vec4 sum, inout float total) {
    for (int k = 1; length - (float(k) - 0.5) > 0.0; ++k) {
        float place = float(k) * slope;
        float below = floor(place);
        ivec2 first = at + k * direction + int(below) * across;
        float part = min(1.0, length - (float(k) - 0.5));
        sum += part * mix(read(first), read(first + across), place - below);
        total += part;
    }
}

vec4 filtered(ivec2 at) {
    vec2 d = vec2(centre - at) + centrePart;
    ivec2 along = abs(d.x) >= abs(d.y) ? ivec2(1, 0) : ivec2(0, 1);
    ivec2 across = 1 - along;
    float steps = dot(d, vec2(along));
    float slope = steps == 0.0 ? 0.0 : dot(d, vec2(across)) / abs(steps);
    along *= steps < 0.0 ? -1 : 1;
    vec2 lengths = reaches * abs(steps);
    float total = min(lengths.x, 0.5) + min(lengths.y, 0.5);
    vec4 sum = read(at);
    if (total <= 0.0) return sum;
    sum *= total;
    addLine(at, along, across, slope, lengths.x, sum, total);
    addLine(at, -along, across, -slope, lengths.y, sum, total);
    return sum / total;
}
#endif

#if !OUTPUT_STAGES
vec4 quantize(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) * (1.0 / 255.0); }

void main() {
    vec4 sum = filtered(pixelPlace() + outputOrigin);
    if (store == STORE_VALUE) {
        result = sum;
    } else if (store == STORE_PREMULTIPLIED) {
        result = quantize(sum);
    } else if (store == STORE_STRAIGHT) {
        // Divided by the alpha that a reader will find, not by the exact one: see RowConversion.
        float alpha = floor(clamp(sum.a, 0.0, 1.0) * 255.0 + 0.5);
        vec3 color = alpha > 0.0 ? sum.rgb * (255.0 / alpha) : vec3(0.0);
        result = quantize(vec4(color, alpha * (1.0 / 255.0)));
    } else {
        result = unknown;
    }
}
#endif
