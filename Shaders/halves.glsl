// Rounding to floats of 16 bits. Swift places this file before filter.frag and convert.frag.
precision highp float;
precision highp int;

// Rounds to the nearest floats with 11 significant bits, ties to even. Floats of 16 bits have as many, except near 0. The
// bits of infinity and NaN must not change.
vec4 nearestHalves(vec4 value) {
    uvec4 bits = floatBitsToUint(value);
    uvec4 isFinite = uvec4(notEqual(bits & 0x7f800000u, uvec4(0x7f800000u)));
    return uintBitsToFloat((bits + isFinite * (0xfffu + ((bits >> 13) & 1u))) & (0xffffffffu - isFinite * 0x1fffu));
}
