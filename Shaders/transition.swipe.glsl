#if TRANSITION == TRANSITION_SWIPE
// The kind swipe: see Swipe. Numbers: the distance u (0 to 3), edge (4), slope (5), 4 * opacity (6), colour (8 to 11).
Drawn drawn(ivec2 pixel) {
    float fromEdge = clampedDistance(pixel, 0, exact(4));
    float share = unit(-fromEdge * number(5));
    Drawn d = mixture(1.0 - share);
    d.light = number(6) * share * (1.0 - share);
    d.color = numbers4(8);
    return d;
}
#endif
