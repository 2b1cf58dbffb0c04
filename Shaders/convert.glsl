// Shader that converts colours from one ColorEncoding (FrostCore) to another, for sources and targets of the
// embedding program.
//
// Swift (ConversionKey) prepends the #version line, the constants DECODE_*, ENCODE_* and KIND_*, the switches of a key,
// and common.glsl. DECODE, ENCODE and KIND are each one of the constants. The other switches are 0 or 1:
// - CONVERTS: colours are converted. Otherwise they are only rounded for the target.
// - LOAD_STRAIGHT: the input's colour is straight. Otherwise it is premultiplied.
// - OPAQUE: the input's alpha counts as 1.
// - INPUT_EXTERNAL: the input is a GL_TEXTURE_EXTERNAL_OES texture.
// - STRAIGHT: the output's colour is straight. Otherwise it is multiplied by the alpha that is stored.
// - INPUT_SWAPS: the input's texture stores rows as columns. OUTPUT_SWAPS: the target does.
// - DITHER: an offset is added to colours before they are rounded to steps.
//
// Light and numbers are continued by symmetry below 0. A number that is not finite stays as it is.
//
// The shader does not use pow(), exp2() and log2() of the driver. Their precision differs between drivers, and PQ
// enlarges an error of the logarithm 79 times.

precision highp float;
precision highp int;
precision highp sampler2D;
#if INPUT_EXTERNAL
precision highp samplerExternalOES;
uniform samplerExternalOES inputImage;
#else
uniform sampler2D inputImage;
#endif

// inputPlace maps a pixel of the output to a texel of the input: `texel = pixel * zw + xy`, after an exchange of coordinates
// with INPUT_SWAPS. outputPlace maps a texel of the target to a pixel of the output in the same way. Each component of zw is 1
// or -1, times the distance of the pixels that are read.
uniform ivec4 inputPlace;
uniform ivec4 outputPlace;
// Columns of the matrix from decoded light to the light that is encoded.
uniform vec4 redColumn;
uniform vec4 greenColumn;
uniform vec4 blueColumn;
// The shares of red, green and blue in the luminance of the input (HLG only), and of the output.
uniform vec4 inputLuminance;
uniform vec4 outputLuminance;
// steps.x: number of steps of colour from 0 to 1; for content, the width of the image. steps.y: number of steps of alpha.
uniform vec4 steps;
// ditherAt.xy: absolute position of the output's first pixel, modulo 2^32. ditherAt.z: seed.
uniform ivec4 ditherAt;

// Returns the base-2 logarithm, with a relative error below 2^-22 also near 1. x must be positive and normal.
vec3 logarithm(vec3 x) {
    ivec3 bits = floatBitsToInt(x);
    // The mantissa is in sqrt(1/2)...sqrt(2), so the exponent is 0 for numbers near 1.
    ivec3 exponent = (bits - 0x3f3504f3) >> 23;
    vec3 mantissa = intBitsToFloat(bits - (exponent << 23));
    // log(m) = 2 artanh((m - 1) / (m + 1)). The part is at most 0.172, so the first omitted term is below 2^-33.
    vec3 part = (mantissa - 1.0) / (mantissa + 1.0), square = part * part;
    vec3 series = ((square * (1.0 / 9.0) + 1.0 / 7.0) * square + 0.2) * square + 1.0 / 3.0;
    return vec3(exponent) + 2.8853900817779268 * (part + part * square * series);
}

// Returns 2^x, with a relative error below 2^-22. Results outside the range of normal floats become its ends.
vec3 exponential(vec3 x) {
    x = clamp(x, -126.0, 127.0);
    vec3 whole = floor(x + 0.5);
    // |r| <= log(2) / 2, so the first omitted term of the series is below 2^-27.
    vec3 r = (x - whole) * 0.6931471805599453;
    vec3 series = (r * (1.0 / 720.0) + 1.0 / 120.0) * r + 1.0 / 24.0;
    series = ((series * r + 1.0 / 6.0) * r + 0.5) * r;
    return (series * r + r + 1.0) * intBitsToFloat((ivec3(whole) + 127) << 23);
}

// Returns x^exponent for x >= 0, and 0 if x is nearly 0.
vec3 power(vec3 x, float exponent) {
    return mix(exponential(exponent * logarithm(max(x, vec3(1e-37)))), vec3(0.0), lessThan(x, vec3(1e-37)));
}

#if DECODE == DECODE_PQ || ENCODE == ENCODE_PQ
// The numbers m1, m2 and c3 of SMPTE ST 2084. The numbers c1 = 1 - k and c2 = c3 + k follow from k.
const float pqExponent = 2610.0 / 16384.0;
const float pqOuterExponent = 2523.0 / 32.0;
const float pqSlope = 2392.0 / 128.0;
const float pqGap = 672.0 / 4096.0;
#endif

#if DECODE == DECODE_HLG || ENCODE == ENCODE_HLG
// The numbers a, b and c of HLG in ITU-R BT.2100, and the system gamma for a peak of 1000 nits.
const vec3 hlg = vec3(0.17883277, 0.28466892, 0.55991073);
const float systemGamma = 1.2;
// Below this luminance a constant factor replaces the system gamma, because its factor for black would be infinite.
const float darkest = 1e-9;
#endif

// Returns the light of the absolute values of numbers.
vec3 lightOf(vec3 code) {
#if DECODE == DECODE_LINEAR
    return code;
#elif DECODE == DECODE_SRGB
    return mix(power((code + 0.055) * (1.0 / 1.055), 2.4), code * (1.0 / 12.92), lessThanEqual(code, vec3(0.04045)));
#elif DECODE == DECODE_GAMMA22
    return power(code, 2.2);
#elif DECODE == DECODE_PQ
    // The standard's (root - c1) / (c2 - c3 root) with root = code^(1 / m2) loses seven bits, because root is nearly 1.
    // So the code computes 1 - root directly, by the series of the exponential function. Below -0.2 the light is 0.
    vec3 x = max(logarithm(clamp(code, 1e-37, 1.0)) * (0.6931471805599453 / pqOuterExponent), -0.2);
    vec3 series = ((x * (1.0 / 720.0) + 1.0 / 120.0) * x + 1.0 / 24.0) * x + 1.0 / 6.0;
    vec3 distance = -x * ((series * x + 0.5) * x + 1.0);
    return power(max(pqGap - distance, 0.0) / (pqGap + pqSlope * distance), 1.0 / pqExponent);
#elif DECODE == DECODE_HLG
    vec3 upper = (exponential((code - hlg.z) * (1.4426950408889634 / hlg.x)) + hlg.y) * (1.0 / 12.0);
    return mix(upper, code * code * (1.0 / 3.0), lessThanEqual(code, vec3(0.5)));
#else
#error a curve without a branch
#endif
}

// Returns the numbers of the absolute values of light.
vec3 codeOf(vec3 light) {
#if ENCODE == ENCODE_LINEAR
    return light;
#elif ENCODE == ENCODE_SRGB
    return mix(power(light, 1.0 / 2.4) * 1.055 - 0.055, light * 12.92, lessThanEqual(light, vec3(0.0031308)));
#elif ENCODE == ENCODE_GAMMA22
    return power(light, 1.0 / 2.2);
#elif ENCODE == ENCODE_PQ
    vec3 root = power(min(light, 1.0), pqExponent);
    // (c1 + c2 root) / (1 + c3 root) is 1 - distance. Its logarithm is 2 artanh(-distance / (2 - distance)).
    vec3 distance = pqGap * (1.0 - root) / (1.0 + pqSlope * root);
    vec3 part = -distance / (2.0 - distance), square = part * part;
    vec3 series = (square * (1.0 / 7.0) + 0.2) * square + 1.0 / 3.0;
    vec3 code = exponential((2.8853900817779268 * pqOuterExponent) * (part + part * square * series));
    // The standard's number for no light is 7e-7. Black stays 0.
    return mix(code, vec3(0.0), equal(light, vec3(0.0)));
#elif ENCODE == ENCODE_HLG
    vec3 upper = hlg.x * 0.6931471805599453 * logarithm(max(12.0 * light - hlg.y, vec3(1e-6))) + hlg.z;
    return mix(upper, sqrt(3.0 * light), lessThanEqual(light, vec3(1.0 / 12.0)));
#else
#error a curve without a branch
#endif
}

bvec3 isFinite(vec3 x) { return lessThan(abs(x), vec3(3.4e38)); }

vec3 signsOf(vec3 x) { return mix(vec3(1.0), vec3(-1.0), lessThan(x, vec3(0.0))); }

vec3 decoded(vec3 code) {
    vec3 light = mix(code, lightOf(abs(code)) * signsOf(code), isFinite(code));
#if DECODE == DECODE_HLG
    // From the light of the scene to the light of the display.
    light *= power(max(vec3(abs(dot(light, inputLuminance.xyz))), vec3(darkest)), systemGamma - 1.0);
#endif
    return light;
}

vec3 encoded(vec3 light) {
#if ENCODE == ENCODE_HLG
    // From the light of the display to the light of the scene. The smallest luminance is that of `darkest`.
    vec3 luminance = max(vec3(abs(dot(light, outputLuminance.xyz))), power(vec3(darkest), systemGamma));
    light *= power(luminance, (1.0 - systemGamma) / systemGamma);
#endif
    return mix(light, codeOf(abs(light)) * signsOf(light), isFinite(light));
}

// Converts straight colour.
vec3 converted(vec3 color) {
#if CONVERTS
    vec3 light = decoded(color);
    light = redColumn.xyz * light.r + greenColumn.xyz * light.g + blueColumn.xyz * light.b;
    return encoded(light);
#else
    return color;
#endif
}

// Whether main() holds straight colour, as conversions need it. Otherwise it holds the stored premultiplied colour,
// because a division would lose colour whose alpha is 0.
#define DIVIDED (CONVERTS || STRAIGHT || LOAD_STRAIGHT || OPAQUE)

// Returns premultiplied colour for `alpha`, which is color.a after rounding. Colour whose alpha is below the smallest
// normal float is not scaled, because the inverse of such an alpha is infinite.
vec3 multiplied(vec4 color, float alpha) {
#if DIVIDED
    return color.rgb * alpha;
#else
    return color.a >= 1.17549435e-38 ? color.rgb * (alpha / color.a) : color.rgb;
#endif
}

void draw() {
    ivec2 place = targetPixel();
#if OUTPUT_SWAPS
    place = place.yx;
#endif
    place = place * outputPlace.zw + outputPlace.xy;
#if KIND == KIND_CONTENT
    bool isLower = place.x >= int(steps.x);
    if (isLower) place.x -= int(steps.x);
#endif
    ivec2 texel = place;
#if INPUT_SWAPS
    texel = texel.yx;
#endif
    vec4 color = texelFetch(inputImage, texel * inputPlace.zw + inputPlace.xy, 0);
#if OPAQUE
    color.a = 1.0;
#elif DIVIDED && !LOAD_STRAIGHT
    color.rgb *= color.a >= 1.17549435e-38 ? 1.0 / color.a : 0.0;
#endif
    color.rgb = converted(color.rgb);
#if KIND == KIND_FLOATS
    result = vec4(multiplied(color, color.a), color.a);
#elif KIND == KIND_HALVES
    float alpha = nearestHalves(color).a;
#if !STRAIGHT
    color.rgb = multiplied(color, alpha);
#endif
    result = nearestHalves(vec4(color.rgb, alpha));
#elif KIND == KIND_STEPS
    float alpha = floor(clamp(color.a, 0.0, 1.0) * steps.y + 0.5) / steps.y;
#if STRAIGHT
    color.rgb *= alpha > 0.0 ? steps.x : 0.0;
#else
    color.rgb = multiplied(color, alpha) * steps.x;
#endif
#if !STRAIGHT && (DIVIDED || DITHER)
    // The colour is straight colour of 0...1, times alpha. Dither must not lift it above alpha. steps.x is a multiple of
    // steps.y, so the limit is a whole number.
    float limit = floor(alpha * steps.x + 0.5);
#else
    float limit = steps.x;
#endif
#if DITHER
    color.rgb += ditherOffset(uvec2(place + ditherAt.xy), uint(ditherAt.z));
#endif
    result = vec4(floor(clamp(color.rgb, 0.0, limit) + 0.5) / steps.x, alpha);
#elif KIND == KIND_CONTENT
    // The upper or the lower byte of 16-bit numbers, as content from memory has them: no colour exceeds alpha, and NaN is 0.
    color.rgb = multiplied(color, color.a);
    float alpha = color.a > 0.0 ? floor(min(color.a, 1.0) * 65535.0 + 0.5) : 0.0;
    vec4 value = vec4(mix(vec3(0.0), min(floor(color.rgb * 65535.0 + 0.5), alpha), greaterThan(color.rgb, vec3(0.0))), alpha);
    vec4 upper = floor(value / 256.0);
    result = (isLower ? value - upper * 256.0 : upper) / 255.0;
#else
#error a kind of output without a branch
#endif
}
