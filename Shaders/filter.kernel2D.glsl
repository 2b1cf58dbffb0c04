// Reads pixels for 2-D kernels.

// rangeX, rangeY: the uniform `range` of filter.pass.glsl, along x and along y.
uniform ivec4 rangeX;
uniform ivec4 rangeY;

vec4 read(ivec2 at) {
#if EDGES
    ivec2 place = ivec2(outside(at.x - rangeX.x, rangeX), outside(at.y - rangeY.x, rangeY));
    if (place.x < 0 || place.y < 0) return vec4(0.0);
    at = place + ivec2(rangeX.x, rangeY.x);
#endif
    return fetch(at - inputOrigin);
}
