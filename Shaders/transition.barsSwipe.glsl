#if TRANSITION == TRANSITION_BARSSWIPE
// The kind barsSwipe: see BarsSwipe. Numbers: the distances u (0 to 3) and v (4 to 7), width (8), barOffset (9), the
// index of the last bar that has started (10), the distance that it has moved (11), lastBar (12), ramp (13).

// Returns the shift of a bar, and the weight of its pixel before it is multiplied by the pixel's part in the bar.
vec2 shiftOf(ivec2 pixel, float bar, out float weight) {
    vec2 moved = (number(10) - bar) * exact(9) + exact(11);
    if (moved.x + moved.y < 0.0) moved = vec2(0.0);
    // u - u0 - moved, where u0 is minus the end of the range.
    weight = unit(clampedDistance(pixel, 0, moved - exact(3)) + number(13));
    return -(moved.x + moved.y) * vec2(number(0), number(1));
}

Drawn drawn(ivec2 pixel) {
    // v - v0, clamped to its range over the extent.
    vec2 v = distanceOf(pixel, 4) + exact(7), end = 2.0 * exact(7), width = exact(8);
    if (v.x + v.y < 0.0) v = vec2(0.0);
    if (v.x + v.y > end.x + end.y) v = end;
    float last = number(12);
    float bar = min(floor((v.x + v.y) / (width.x + width.y)), last);
    vec2 fromStart = v - bar * width, fromEnd = width - fromStart;
    float below = fromStart.x + fromStart.y, above = fromEnd.x + fromEnd.y;

    // Between two bars the pixel belongs to both.
    float neighbour = -1.0, part = 0.0;
    if (below < 0.5 && bar > 0.0) {
        neighbour = bar - 1.0;
        part = 0.5 - below;
    } else if (above < 0.5 && bar < last) {
        neighbour = bar + 1.0;
        part = 0.5 - above;
    }
    float weight;
    Drawn d = mixture(0.0);
    d.isPageMoved = true;
    d.pageShift = shiftOf(pixel, bar, weight);
    d.page = weight * (1.0 - part);
    d.hidden = d.page * coverage(canvas.xy, pixel, d.pageShift);
    if (part > 0.0) {
        d.secondShift = shiftOf(pixel, neighbour, weight);
        d.second = weight * part;
        d.hidden += d.second * coverage(canvas.xy, pixel, d.secondShift);
    }
    return d;
}
#endif
