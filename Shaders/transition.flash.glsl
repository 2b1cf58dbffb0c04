#if TRANSITION == TRANSITION_FLASH
// The kind flash: see Flash. Numbers: centre (0, 1), reach (2), radius (3), rayGain (4), rayReach (5), the weight of
// the colour in a fade (6), whether this is a fade (7), colour (8 to 11).

float ray(int index) { return rays[index >> 2][index & 3]; }

Drawn drawn(ivec2 pixel) {
    bool isFade = number(7) > 0.0;
    Drawn d = mixture(isFade ? 0.0 : 1.0);
    d.color = numbers4(8);
    if (isFade) {
        d.light = number(6);
        return d;
    }
    vec2 at = offsetFrom(0, pixel);
    float r = clamp(length(at), 0.5, number(2)), radius = number(3);
    float ratio = r > radius ? radius / r : 1.0;
    float near = max(0.0, 1.0 - (r - radius) * number(5));
    float place = turns(at) * float(RAY_COUNT);
    int index = min(int(place), RAY_COUNT - 1);
    float t = place - float(index);
    float noise = mix(ray(index), ray((index + 1) % RAY_COUNT), t * t * (3.0 - 2.0 * t));
    d.light = unit(ratio * ratio * ratio * ratio + number(4) * noise * noise * near * near);
    return d;
}
#endif
