#if TRANSITION == TRANSITION_MOD
// The kind mod: see Mod. Numbers: centre (0, 1), the grid's x axis (2, 3), pitch (4), stretch (5), holeRadius (6), ramp
// (7).
Drawn drawn(ivec2 pixel) {
    vec2 at = offsetFrom(0, pixel), axis = vec2(number(2), number(3));
    float pitch = number(4), scale = 1.0 + length(at) * number(5);
    vec2 grid = vec2(dot(at, axis), at.y * axis.x - at.x * axis.y) / scale;
    vec2 fromHole = grid - floor(grid / pitch + 0.5) * pitch;
    return mixture(1.0 - unit((number(6) - length(fromHole)) * scale + number(7)));
}
#endif
