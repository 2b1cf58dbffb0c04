#if TRANSITION == TRANSITION_COPYMACHINE
// The kind copyMachine: see CopyMachine. Numbers: the distance u (0 to 3), bar (4), slope (5), ramp (6), opacity (7),
// colour (8 to 11).
Drawn drawn(ivec2 pixel) {
    float fromBar = clampedDistance(pixel, 0, exact(4));
    Drawn d = mixture(1.0 - unit(fromBar + number(6)));
    float near = max(0.0, 1.0 - abs(fromBar) * number(5));
    d.light = unit(number(7) * near * near);
    d.color = numbers4(8);
    return d;
}
#endif
