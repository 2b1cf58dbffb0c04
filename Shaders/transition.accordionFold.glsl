#if TRANSITION == TRANSITION_ACCORDIONFOLD
// The kind accordionFold: see AccordionFold. Numbers: top (0), fullHeight (1), height (2), pleat (3), shade (4), ramp
// (5), opacity (6).

// Returns the part of a pixel's height that lies on pleats which face away from the light. `y` is the distance of the
// pixel's upper edge from the top.
float darkPart(vec2 y) {
    vec2 pair = 2.0 * exact(3);
    float period = pair.x + pair.y, pleat = 0.5 * period;
    vec2 inPair = y - floor((y.x + y.y) / period) * pair;
    float first = inPair.x + inPair.y, last = first + 1.0;
    float pairs = floor(last / period);
    return unit(pairs * pleat + max(0.0, last - pairs * period - pleat) - max(0.0, first - pleat));
}

Drawn drawn(ivec2 pixel) {
    vec2 fromTop = vec2(float(pixel.y), 0.5) - exact(0);
    vec2 uncovered = exact(2) - fromTop, folded = exact(1) - exact(2);
    float full = number(1), height = number(2);
    // height - y, with y clamped to 0...full.
    float rest = clamp(uncovered.x + uncovered.y, -(folded.x + folded.y), height);
    float weight = number(6) * unit(rest + number(5));

    Drawn d = mixture(weight);
    d.isPageMoved = true;
    d.pageShift = vec2(0.0, clamp(fromTop.x + fromTop.y, 0.0, full) * ((folded.x + folded.y) / height));
    d.hidden = weight * coverage(canvas.xy, pixel, d.pageShift);
    d.pageBrightness = 1.0 - number(4) * darkPart(fromTop - vec2(0.0, 0.5));
    return d;
}
#endif
