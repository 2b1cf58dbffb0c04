// Rounding to floats of 16 bits, pseudo-random numbers of pixels, and dither. Swift places this file before filter.glsl
// and convert.glsl, and prepends the constant DITHER_PERIOD.
precision highp float;
precision highp int;

// Rounds to the nearest floats with 11 significant bits, ties to even. Floats of 16 bits have as many, except near 0.
// The bits of infinity and NaN must not change.
vec4 nearestHalves(vec4 value) {
    uvec4 bits = floatBitsToUint(value);
    uvec4 isFinite = uvec4(notEqual(bits & 0x7f800000u, uvec4(0x7f800000u)));
    return uintBitsToFloat((bits + isFinite * (0xfffu + ((bits >> 13) & 1u))) & (0xffffffffu - isFinite * 0x1fffu));
}

// The hash of a pixel, as PixelHash (FrostCore) defines it. hashRow returns the part that all pixels of a row share;
// hashBits returns the hash of one pixel.
uint hashRow(uint y, uint seed) {
    uint row = y * 0x9E3779B1u + seed;
    row = (row ^ (row >> 16)) * 0x85EBCA6Bu;
    row = (row ^ (row >> 13)) * 0xC2B2AE35u;
    return row ^ (row >> 16);
}

uint hashBits(uint x, uint row) {
    uint h = (x * 0x9E3779B1u) ^ row;
    return (h ^ (h >> 15)) * 0x2C1B3C6Du;
}

// Returns the dither offset of the pixel at an absolute position, in steps of the output. The sum of colour and offset
// is rounded to the nearest step (see Dither).
float ditherOffset(uvec2 pixel, uint seed) {
    uint column = (pixel.x + hashRow(pixel.y, seed)) % uint(DITHER_PERIOD);
    uint bits = hashBits(column, hashRow(0u, ~seed));
    return (float(((bits - (bits >> 3)) >> 26) + 4u) + 0.5) * (1.0 / 64.0) - 0.5;
}
