// The shader of one draw of a plan. All values are premultiplied. A separable pass computes
// out[i] = sum over t of weight[t] * in[first(i) + t] along one axis.
//
// Swift (ProgramSource) prepends the #version line, the constants EDGE_* and STORE_*, the array size TAP_VECTORS, the
// switches of ProgramKey, and common.glsl. It appends the files of the draw's kind, for example filter.pass.glsl. They
// declare the kind's own uniforms and define the function filtered(). The switches are 0 or 1, except for STORE:
// - LOAD_STRAIGHT: the input's colour is straight, and the shader multiplies it by alpha.
// - LOAD_CODE: the input's colour is encoded, and the shader decodes it into linear light with a transfer function.
// - EDGES: the draw may read samples outside the image. Only the draws of strips along the borders have this switch, so
//   only these strips pay for the edge mode.
// - OUTPUT_STAGES: output stages follow. Swift then appends filter.output.glsl, which has further switches. Without
//   output stages, STORE is one of the constants STORE_*: the format in which the result is written.
// - INPUT_EXTERNAL: the input's texture is a GL_TEXTURE_EXTERNAL_OES texture. ORIGINAL_EXTERNAL: the texture of the
//   original image is one.
// - INPUT_TURNED: the input's texture stores the image mirrored or turned. INPUT_SWAPS: it also stores rows as columns.
//   ORIGINAL_TURNED and ORIGINAL_SWAPS: the same of the original's texture.
// - INPUT_OPAQUE: the input's alpha counts as 1, whatever is stored. ORIGINAL_OPAQUE: the original's alpha does.
// - SAMPLED: the input of an unrolled filter contains all samples that the draw reads, apart from samples with the weight
//   0, and is read by texture coordinates.
// - WHOLE: a dispatch covers a whole output with borders, and filter.pass.glsl precedes filter.unrolled.glsl.
// - BLENDS: the draw mixes the levels of a blend.
// - PLACED: the output is only a part of a larger target, or the target stores it mirrored or turned. OUTPUT_SWAPS: the target
//   also stores rows as columns.
//
// The shader has a branch for each of the constants EDGE_* and STORE_*. A test checks this. A STORE value without a branch
// is a compile error (#error). An edge mode without a branch reads transparent black.
//
// Coordinates are sample indices in the plan's grids, counted from an origin that Swift chooses for each draw. Loop
// bounds are uniforms, so that one program serves every filter, except for unrolled filters.

#if SAMPLED && (INPUT_EXTERNAL || INPUT_TURNED || INPUT_OPAQUE || LOAD_STRAIGHT || LOAD_CODE)
#error only images between two draws are read by texture coordinates
#endif
#if BLENDS && !OUTPUT_STAGES
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
#if INPUT_TURNED || ORIGINAL_TURNED
// imagePlace maps a pixel of the image to a texel: `texel = pixel * zw + xy`, after an exchange of coordinates if the texture
// stores rows as columns. Each component of zw is 1 or -1.
uniform ivec4 imagePlace;
#endif
#if PLACED
// outputPlace maps a texel of the target to a pixel of the output in the same way.
uniform ivec4 outputPlace;
#endif
// outputOrigin: sample index of the output's first texel. inputOrigin: sample index of the input texture's first texel.
uniform ivec2 outputOrigin;
uniform ivec2 inputOrigin;

// The colour of the result if the shader has no branch for a value: opaque magenta.
const vec4 unknown = vec4(1.0, 0.0, 1.0, 1.0);

// Returns the output pixel of this fragment, relative to the output's first pixel.
ivec2 pixelPlace() {
    ivec2 pixel = targetPixel();
#if OUTPUT_SWAPS
    pixel = pixel.yx;
#endif
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
#if INPUT_SWAPS
    texel = texel.yx;
#endif
#if INPUT_TURNED
    texel = texel * imagePlace.zw + imagePlace.xy;
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
    // NaN is not above the threshold, so the line keeps it.
    value.rgb = mix(value.rgb * decoding.y, curve, greaterThan(value.rgb, vec3(decoding.x)));
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

// Returns the filtered value of a sample of the output. The file of the draw's kind defines this function.
vec4 filtered(ivec2 at);

#if !OUTPUT_STAGES
vec4 quantize(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) * (1.0 / 255.0); }

void draw() {
    vec4 sum = filtered(pixelPlace() + outputOrigin);
#if STORE == STORE_VALUE
    result = sum;
#elif STORE == STORE_PREMULTIPLIED
    result = quantize(sum);
#elif STORE == STORE_STRAIGHT
    float exact = clamp(sum.a, 0.0, 1.0) * 255.0, alpha = floor(exact + 0.5);
    result = quantize(vec4(sum.rgb * straightening(exact, alpha, 255.0), alpha * (1.0 / 255.0)));
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
