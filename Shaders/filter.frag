// One pass of a plan: out[i] = sum over t of weight[t] * in[first(i) + t] along one axis, on premultiplied values.
//
// In front of this file Swift puts the version, the constants EDGE_*, STORE_* and TAP_VECTORS, and as 0 or 1
// LOAD_STRAIGHT: whether the input's colour still has to be multiplied by its alpha,
// LOAD_CODE: whether it has to be decoded into light,
// EDGES: whether cells may be read that do not exist. Only strips along the borders pay for that,
// OUTPUT_STAGES: whether more becomes of the result than rounding: then filter.output.glsl follows, whose switches are
// ORIGINAL and CONTENT,
// BLEND: whether two levels of a blend are mixed instead, by filter.output.glsl, which then follows, too,
// LINEAR: whether the taps of both axes are applied at once, two neighbours by one fetch of the device's linear filter
// where no edge is near,
// GATHER: whether the output is an average in two dimensions: of runs of pixels, or along lines to a centre,
// INPUT_EXTERNAL, ORIGINAL_EXTERNAL: whether input or original are textures of GL_TEXTURE_EXTERNAL_OES,
// INPUT_RISES, ORIGINAL_RISES: whether their first row is the lowest,
// PLACED: whether the output is a part of a larger target, or one whose first row is the lowest.
//
// All coordinates are absolute cells of the plan's grids. Loop bounds are uniforms: constant ones would be unrolled,
// and a program compiled for every kernel.

#if LINEAR && INPUT_EXTERNAL
#error the linear filter was not measured on textures of the host
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
#if BLEND
// The input is the lower level.
uniform sampler2D upperImage;
// From a place to the texels of the lower and the upper, and the sizes of both.
uniform ivec4 levelOrigins;
uniform ivec4 levelSizes;
// The share of the variance at which the lower is alone, and one over how much more it takes for the upper.
uniform vec2 levelShares;
// Other pixels than those of a share from x to less than y are left to other draws.
uniform vec2 shareBounds;
#else
uniform int store;
#endif
#if GATHER
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
// As `range`, for each axis.
uniform ivec4 rangeX;
uniform ivec4 rangeY;
// 0: lines to a centre.
uniform int runCount;
// From cell 0 in whole pixels, and the rest.
uniform ivec2 centre;
uniform vec2 centrePart;
// How far lines go towards the centre and away from it, as parts of the way there.
uniform vec2 reaches;
#elif LINEAR
// One over the input's size.
uniform vec2 texelSize;
// Of a texel: added so that the device's fixed point rounds to the fraction that is meant. Measured: see FilterProbe.
uniform vec2 bias;
// For each axis what the other variant has for its one.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
uniform ivec4 rangeX;
uniform ivec4 rangeY;
uniform ivec4 walkX;
uniform ivec4 walkY;
// Fetches of a phase, and where those of x and y start.
uniform ivec2 fetchCount;
uniform ivec2 fetchesAt;
#else
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
#endif

layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

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

float weight(int index) { return taps[index >> 2][index & 3]; }

#if LINEAR && !BLEND
// Offset in cells, and weight.
vec2 tap(int index) { return (index & 1) == 0 ? taps[index >> 1].xy : taps[index >> 1].zw; }
#endif

#if EDGES || ORIGINAL
// The texel to read for an index, counted from the range's start, that may lie outside; negative for transparent black.
int outside(int index, ivec4 range) {
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

#if BLEND
#elif GATHER
vec4 read(ivec2 cell) {
#if EDGES
    ivec2 place = ivec2(outside(cell.x - rangeX.x, rangeX), outside(cell.y - rangeY.x, rangeY));
    if (place.x < 0 || place.y < 0) return vec4(0.0);
    cell = place + ivec2(rangeX.x, rangeY.x);
#endif
    return fetch(cell - inputOrigin);
}

// The samples of a line from a cell on: see Gather.Zoom. Sample k lies k steps away and k slopes across.
void addLine(ivec2 cell, ivec2 direction, ivec2 across, float slope, float length, inout vec4 sum, inout float total) {
    for (int k = 1; length - (float(k) - 0.5) > 0.0; ++k) {
        float place = float(k) * slope;
        float below = floor(place);
        ivec2 first = cell + k * direction + int(below) * across;
        float weight = min(1.0, length - (float(k) - 0.5));
        sum += weight * mix(read(first), read(first + across), place - below);
        total += weight;
    }
}

vec4 zoomed(ivec2 cell) {
    vec2 d = vec2(centre - cell) + centrePart;
    ivec2 along = abs(d.x) >= abs(d.y) ? ivec2(1, 0) : ivec2(0, 1);
    ivec2 across = 1 - along;
    float steps = dot(d, vec2(along));
    float slope = steps == 0.0 ? 0.0 : dot(d, vec2(across)) / abs(steps);
    along *= steps < 0.0 ? -1 : 1;
    vec2 lengths = reaches * abs(steps);
    float total = min(lengths.x, 0.5) + min(lengths.y, 0.5);
    vec4 sum = read(cell);
    if (total <= 0.0) return sum;
    sum *= total;
    addLine(cell, along, across, slope, lengths.x, sum, total);
    addLine(cell, -along, across, -slope, lengths.y, sum, total);
    return sum / total;
}

vec4 filtered(ivec2 cell) {
    if (runCount == 0) return zoomed(cell);
    vec4 sum = vec4(0.0);
    for (int index = 0; index < runCount; ++index) {
        // Where it begins, how long it is, and the weight of each pixel.
        vec4 run = taps[index];
        ivec2 place = cell + ivec2(run.xy);
        int end = place.x + int(run.z);
        vec4 part = vec4(0.0);
        for (; place.x < end; ++place.x) part += read(place);
        sum += run.w * part;
    }
    return sum;
}
#elif LINEAR
vec4 filtered(ivec2 cell) {
    ivec2 scale = ivec2(walkX.x, walkY.x);
    ivec2 first = (cell * scale + ivec2(walkX.y, walkY.y)) >> ivec2(walkX.z, walkY.z);
    ivec2 from = fetchesAt + (cell & ivec2(walkX.w, walkY.w)) * fetchCount;
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
#else
vec4 filtered(ivec2 cell) {
    int i = cell.x * axis.x + cell.y * axis.y;
    int first = ((i * walk.x + walk.y) >> walk.z) - range.x;
    int firstTap = (i & walk.w) * tapCount;
    // The texel of the range's first cell in this row or column.
    ivec2 base = (cell - inputOrigin) * (1 - axis) + (range.x * axis - inputOrigin * axis);

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
#endif

#if !OUTPUT_STAGES && !BLEND
vec4 quantize(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) * (1.0 / 255.0); }

void main() {
    vec4 sum = filtered(pixelPlace() + outputOrigin);
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
#endif
