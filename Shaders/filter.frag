// Fragment shader for one draw of a plan. All values are premultiplied. A separable pass computes
// out[i] = sum over t of weight[t] * in[first(i) + t] along one axis.
//
// Swift (ProgramSource) prepends the #version line, the constants DRAW_*, EDGE_* and STORE_*, the array size
// TAP_VECTORS, the switches of ProgramKey, and common.glsl. The switch DRAW is one of the constants DRAW_*. The other
// switches are 0 or 1, except for STORE:
// - LOAD_STRAIGHT: the input's colour is straight, and the shader multiplies it by alpha.
// - LOAD_CODE: the input's colour is encoded, and the shader decodes it into linear light with a transfer function.
// - EDGES: the draw may read samples outside the image. Only the draws of strips along the borders have this switch, so
//   only these strips pay for the edge mode.
// - OUTPUT_STAGES: output stages follow. Swift then appends filter.output.glsl, which has further switches. Without
//   output stages, STORE is one of the constants STORE_*: the format in which the result is written.
// - INPUT_EXTERNAL: the input's texture is a GL_TEXTURE_EXTERNAL_OES texture. ORIGINAL_EXTERNAL: the texture of the
//   original image is one.
// - INPUT_RISES: the first row of the input's texture is the image's bottom row. ORIGINAL_RISES: the first row of the
//   original's texture is the image's bottom row.
// - INPUT_OPAQUE: the input's alpha counts as 1, whatever is stored. ORIGINAL_OPAQUE: the original's alpha does.
// - SAMPLED: the input of a draw DRAW_UNROLLED contains all samples that the draw reads, apart from samples with the
//   weight 0, and is read by texture coordinates.
// - PLACED: the output is only a part of a larger target, or the first row of the target in memory is its bottom row.
//
// The shader has a branch for each of the constants DRAW_*, EDGE_* and STORE_*. A test checks this. A DRAW or STORE
// value without a branch is a compile error (#error). An edge mode without a branch reads transparent black.
//
// Coordinates are sample indices in the plan's grids, counted from an origin that Swift chooses for each draw. Loop
// bounds are uniforms, so that one program serves every filter. Only DRAW_UNROLLED has programs for single filters:
// Swift defines ALONG_Y (1 for a filter along y, 0 along x), STEP, OFFSET, SHIFT and PHASES, which have the meaning of
// the uniform `walk`, and TAPS(ONE, TWO). TAPS applies ONE to the offset and the weight of a tap, and TWO to the
// offsets and the weight of two taps. A weight may depend on the variable `phase`.

#if SAMPLED && (INPUT_EXTERNAL || INPUT_RISES || INPUT_OPAQUE || LOAD_STRAIGHT || LOAD_CODE)
#error only images between two draws are read by texture coordinates
#endif
#if DRAW == DRAW_UNROLLED && EDGES
#error strips along the borders have no unrolled filters
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
// topRow: the texel row that holds row 0 of the image. It is needed for a texture whose first row is the image's bottom
// row: row y of the image is texel row topRow - y.
uniform int topRow;
#endif
#if PLACED
// outputPlace maps a pixel of the target to a pixel of the output: `outputPixel = targetPixel * zw + xy`. Each
// component of zw is 1 or -1.
uniform ivec4 outputPlace;
#endif
#if DRAW == DRAW_PASS
// axis: direction of the pass, (1, 0) along x or (0, 1) along y.
uniform ivec2 axis;
// outputOrigin: sample index of the output's first texel. inputOrigin: sample index of the input texture's first texel.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
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
#elif DRAW == DRAW_UNROLLED
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
const ivec2 along = ivec2(1 - ALONG_Y, ALONG_Y);
#elif DRAW == DRAW_RUNS
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
// rangeX, rangeY: the uniform `range` of DRAW_PASS, along x and along y.
uniform ivec4 rangeX;
uniform ivec4 rangeY;
uniform int runCount;
#elif DRAW == DRAW_ZOOM
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;
uniform ivec4 rangeX;
uniform ivec4 rangeY;
// centre, centrePart: the sum of both is the position of the zoom's centre relative to the output's pixel 0. centre
// holds whole pixels, and centrePart holds the fractional remainder.
uniform ivec2 centre;
uniform vec2 centrePart;
// reaches: length of the sampled line towards the zoom's centre (x) and away from it (y), as fractions of the pixel's
// distance to the centre.
uniform vec2 reaches;
#elif DRAW == DRAW_BLEND
// The texture of the blend's upper level. The texture inputImage holds the lower level.
uniform sampler2D upperImage;
// levelOrigins: offset from an output pixel to its texel in the lower level (xy) and in the upper level (zw).
// levelSizes: sizes of the lower level (xy) and the upper level (zw) in texels.
uniform ivec4 levelOrigins;
uniform ivec4 levelSizes;
// levelShares.x: share of the variance at which only the lower level is visible. levelShares.y:
// `1 / (u - levelShares.x)`, where u is the share at which only the upper level is visible; 0 if the lower and the
// upper level are the same.
uniform vec2 levelShares;
// shareBounds: this draw covers the pixels whose share of the variance is in x <= share < y. Pixels with other shares
// are discarded, because other draws cover them.
uniform vec2 shareBounds;
#else
#error a kind of draw without a branch
#endif

#if DRAW == DRAW_PASS || DRAW == DRAW_UNROLLED || DRAW == DRAW_RUNS
layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };
#endif

// The colour of the result if the shader has no branch for a value: opaque magenta.
const vec4 unknown = vec4(1.0, 0.0, 1.0, 1.0);

layout(location = 0) out vec4 result;

// Returns the output pixel of this fragment, relative to the output's first pixel.
ivec2 pixelPlace() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#if PLACED
    pixel = pixel * outputPlace.zw + outputPlace.xy;
#endif
    return pixel;
}

#if LOAD_CODE
// Transfer function that decodes colour into light: `code * y` if code <= x, else `(code * z + w)^decodingExponent`,
// with x, y, z and w from `decoding`.
uniform vec4 decoding;
uniform float decodingExponent;
#endif

vec4 fetch(ivec2 texel) {
#if INPUT_RISES
    texel.y = topRow - texel.y;
#endif
    vec4 value = texelFetch(inputImage, texel, 0);
#if INPUT_OPAQUE
    value.a = 1.0;
#endif
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

#if EDGES || ORIGINAL_EDGES
// Applies the edge mode to an index. `index` is relative to the range's first sample and may lie outside the range.
// Returns the index of the sample to read, or a negative number for transparent black.
int outside(int index, ivec4 range) {
    int count = range.y;
    int mode = range.w & (EDGE_FIRST_SHARED - 1);
    if (mode == EDGE_MIRROR) {
        // The end samples appear twice, unless the image's border runs through them.
        int reflection = 2 * count - ((range.w & EDGE_LAST_SHARED) != 0 ? 2 : 1);
        int period = reflection + ((range.w & EDGE_FIRST_SHARED) != 0 ? 0 : 1);
        int phase = (index + range.z) % period;
        return min(phase, reflection - phase);
    }
    if (mode == EDGE_REPEAT) return (index + range.z) % count;
    if (mode == EDGE_CLEAR) return index < 0 || index >= count ? -1 : index;
    if (mode == EDGE_CLAMP) return clamp(index, 0, count - 1);
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

// Returns the sample at an index relative to the range's first sample, whose texel is `base`.
vec4 read(ivec2 base, int index) {
#if EDGES
    index = outside(index, range);
    if (index < 0) return vec4(0.0);
#endif
    return fetch(base + axis * index);
}

vec4 filtered(ivec2 at) {
    int i = at.x * axis.x + at.y * axis.y;
    int first = ((i * walk.x + walk.y) >> walk.z) - range.x;
    int firstTap = (i & walk.w) * tapCount;
    // The texel that holds the input's first sample, in the row or column that the pass filters.
    ivec2 base = (at - inputOrigin) * (1 - axis) + (range.x * axis - inputOrigin * axis);

    vec4 sum = vec4(0.0);
    // The order of the sum is that of DRAW_UNROLLED, so both have the same bits.
    int last = tapCount - 1;
    for (int t = 0; t < pairCount; ++t) {
        sum += weight(firstTap + t) * (read(base, first + t) + read(base, first + last - t));
    }
    for (int t = pairCount; t < tapCount - pairCount; ++t) sum += weight(firstTap + t) * read(base, first + t);
    return sum;
}
#elif DRAW == DRAW_UNROLLED
vec4 filtered(ivec2 at) {
    int i = at.x * along.x + at.y * along.y;
    int phase = i & (PHASES - 1);
    int first = (i * STEP + OFFSET) >> SHIFT;
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
#elif DRAW == DRAW_RUNS
vec4 filtered(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int index = 0; index < runCount; ++index) {
        // A run of pixels with equal weights: xy is the offset of the run's first pixel from the output pixel, z the
        // number of pixels, w the weight of each pixel.
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
// Adds the samples of one half of a zoom's line to `sum`, and their weights to `total` (see Kernel2D.Zoom). The half
// starts after pixel `at`. Sample k lies k pixels along `direction` and k * slope pixels along `across`; it is
// interpolated between the two nearest pixels.
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
#if STORE == STORE_VALUE
    result = sum;
#elif STORE == STORE_PREMULTIPLIED
    result = quantize(sum);
#elif STORE == STORE_STRAIGHT
    // Divides colour by the rounded alpha, not by the exact alpha, because a reader multiplies by the rounded alpha
    // (see RowConversion).
    float alpha = floor(clamp(sum.a, 0.0, 1.0) * 255.0 + 0.5);
    vec3 color = alpha > 0.0 ? sum.rgb * (255.0 / alpha) : vec3(0.0);
    result = quantize(vec4(color, alpha * (1.0 / 255.0)));
#elif STORE == STORE_HALVES
    result = nearestHalves(sum);
#elif STORE == STORE_DIVIDEDHALVES
    float alpha = nearestHalves(sum).a;
    result = nearestHalves(vec4(alpha > 0.0 ? sum.rgb / alpha : vec3(0.0), alpha));
#else
#error a format of the result without a branch
#endif
}
#endif
