#if TRANSITION == TRANSITION_RIPPLE
// The kind ripple: see Ripple. Numbers: centre (0, 1), crest (2), reach (3), width (4), scale (5).
Drawn drawn(ivec2 pixel) {
    const float pi = 3.14159265;
    vec2 at = offsetFrom(0, pixel);
    float r = length(at), width = number(4);
    float q = (min(r, number(3)) - number(2)) / width;
    float inWave = clamp(q, -1.0, 1.0);
    // Outside the wave the height is exactly 0, so that the shift is 0 too.
    float height = abs(q) < 1.0 ? 0.5 * (1.0 + cosineOfPi(inWave)) : 0.0;
    // The shift as a fraction of the distance. It is at most 1, so that no position passes the centre.
    float fraction = r > 0.0 ? min(1.0, number(5) * height * min(1.0, r / width) / r) : 0.0;
    vec2 shift = clamp(-at * fraction, -vec2(pixel), vec2(canvas.xy - 1 - pixel));

    Drawn d = mixture(1.0 - unit(0.5 - 0.5 * q));
    d.isPageMoved = true;
    d.pageShift = shift;
    d.isTargetMoved = true;
    d.targetShift = shift;
    float tilt = number(5) * pi / (2.0 * width) * sineOfPi(inWave);
    d.shading = height;
    d.shadingPosition = 0.5 + (r > 0.0 ? 0.5 * at * (tilt / (sqrt(1.0 + tilt * tilt) * r)) : vec2(0.0));
    return d;
}
#endif
