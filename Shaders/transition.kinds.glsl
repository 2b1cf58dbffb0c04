// The kinds of transitions. Each has a branch, which defines the function drawn() of transition.glsl and names the numbers
// of the kind's drawing. The formulas are those of the Swift type with the kind's name.

#if TRANSITION == TRANSITION_DISSOLVE
// Dissolve. Numbers: the share of the target.
Drawn drawn(ivec2 pixel) { return mixture(1.0 - number(0)); }
#endif

#if TRANSITION == TRANSITION_SWIPE
// Swipe. Numbers: the distance u (0 to 3), edge (4), slope (5), 4 * opacity (6), colour (8 to 11).
Drawn drawn(ivec2 pixel) {
    float fromEdge = clampedDistance(pixel, 0, exact(4));
    float share = unit(-fromEdge * number(5));
    Drawn d = mixture(1.0 - share);
    d.light = number(6) * share * (1.0 - share);
    d.color = numbers4(8);
    return d;
}
#endif

#if TRANSITION == TRANSITION_COPYMACHINE
// CopyMachine. Numbers: the distance u (0 to 3), bar (4), slope (5), ramp (6), opacity (7),
// colour (8 to 11).
Drawn drawn(ivec2 pixel) {
    float fromBar = clampedDistance(pixel, 0, exact(4));
    Drawn d = mixture(1.0 - unit(fromBar + number(6)));
    float part = unit(abs(fromBar) * number(5)), inside = 1.0 - part * part;
    float bell = inside * inside;
    d.light = number(7) * bell / (1.0 + max(0.0, number(7) - 1.0) * bell);
    d.color = numbers4(8);
    return d;
}
#endif

#if TRANSITION == TRANSITION_BARSSWIPE
// BarsSwipe. Numbers: the distances u (0 to 3) and v (4 to 7), width (8), barOffset (9), the
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

#if TRANSITION == TRANSITION_MOD
// Mod. Numbers: centre (0, 1), the grid's x axis (2, 3), pitch (4), stretch (5), holeRadius (6), ramp
// (7).
Drawn drawn(ivec2 pixel) {
    vec2 at = offsetFrom(0, pixel), axis = vec2(number(2), number(3));
    float pitch = number(4), scale = 1.0 + length(at) * number(5);
    vec2 grid = vec2(dot(at, axis), at.y * axis.x - at.x * axis.y) / scale;
    vec2 fromHole = grid - floor(grid / pitch + 0.5) * pitch;
    return mixture(1.0 - unit((number(6) - length(fromHole)) * scale + number(7)));
}
#endif

#if TRANSITION == TRANSITION_DISINTEGRATE
// Disintegrate. It has no numbers; the layers hold the rest and the shadow of each pixel.
Drawn drawn(ivec2 pixel) {
    vec2 layers = texelFetch(layersImage, pixel - store.zw, 0).rg;
    Drawn d = mixture(layers.r);
    d.targetBrightness = 1.0 - layers.g;
    return d;
}
#endif

#if TRANSITION == TRANSITION_RIPPLE
// Ripple. Numbers: centre (0, 1), crest (2), reach (3), width (4), scale (5).
Drawn drawn(ivec2 pixel) {
    const float pi = 3.14159265;
    vec2 at = offsetFrom(0, pixel);
    float r = length(at), width = number(4);
    float q = (min(r, number(3)) - number(2)) / width;
    float inWave = clamp(q, -1.0, 1.0);
    // Outside the wave the height is exactly 0, so that the shift is 0 too.
    float height = abs(q) < 1.0 ? 0.5 * (1.0 + cosineOfPi(inWave)) : 0.0;
    // The shift as a fraction of the distance. It is below 1, so no position passes the centre.
    float fraction = r > 0.0 ? number(5) * height * min(1.0, r / width) / r : 0.0;
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

#if TRANSITION == TRANSITION_FLASH
// Flash. Numbers: centre (0, 1), reach (2), radius (3), rayGain (4), rayReach (5), the gain of the light inside the burst
// or in the fade (6), whether this is a fade (7), colour (8 to 11).

float ray(int index) { return rays[index >> 2][index & 3]; }

Drawn drawn(ivec2 pixel) {
    bool isFade = number(7) > 0.0;
    Drawn d = mixture(0.0);
    d.color = numbers4(8);
    d.isColorAdded = true;
    d.light = number(6);
    if (isFade) return d;
    vec2 at = offsetFrom(0, pixel);
    float r = clamp(length(at), 0.5, number(2)), radius = number(3);
    float ratio = r > radius ? radius / r : 1.0;
    float near = max(0.0, 1.0 - (r - radius) * number(5));
    float place = turns(at) * float(RAY_COUNT);
    int index = min(int(place), RAY_COUNT - 1);
    float t = place - float(index);
    float noise = mix(ray(index), ray((index + 1) % RAY_COUNT), t * t * (3.0 - 2.0 * t));
    float glow = ratio * ratio * ratio * ratio;
    d.page = 1.0 - unit(5.0 * glow - 4.0);
    d.hidden = d.page;
    float ray = r > radius ? number(4) * noise * noise * near * near : 0.0;
    d.light = min(number(6), number(6) * glow + ray);
    return d;
}
#endif

#if TRANSITION == TRANSITION_ACCORDIONFOLD
// AccordionFold. Numbers: top (0), fullHeight (1), height (2), pleat (3), shade (4), ramp
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

#if TRANSITION == TRANSITION_PAGECURL
// PageCurl. Numbers: the distance u (0 to 3), axis (4), radius (5), ramp (6), shadowAmount (7),
// 1 / (√2 * shadowSigma) (8), darkening (9), paper (10), sheen (11), the corners of the shadow's extent (12 to 15),
// flatBrightness (16), outlineBrightness (17).

// Returns the blur of the page's rectangle at a point of the page.
float rectangleShadow(vec2 at) {
    float sharpness = number(8);
    vec2 size = vec2(canvas.xy);
    float x = errorFunction(at.x * sharpness) - errorFunction((at.x - size.x) * sharpness);
    float y = errorFunction(at.y * sharpness) - errorFunction((at.y - size.y) * sharpness);
    return 0.25 * x * y;
}

Drawn drawn(ivec2 pixel) {
    const float pi = 3.14159265;
    vec2 direction = vec2(number(0), number(1));
    float radius = number(5);
    vec2 fromAxis = exact(4) - distanceOf(pixel, 0), fromOutline = exact(5) - fromAxis;
    // x of the formulas, and its distance from the cylinder's outline at x = r.
    float x = fromAxis.x + fromAxis.y, outline = fromOutline.x + fromOutline.y;
    float weight = unit(outline + number(6));

    // The point on the front, and the point on the back, as distances from the axis line.
    float onRoll = unit(x / radius);
    float arc = x > 0.0 ? radius * arcSine(onRoll, unit(outline / radius)) : x;
    // In the ramp beyond the outline, the page shows the points at the outline.
    float bent = min(x, radius);
    vec2 frontShift = (bent - arc) * direction;
    vec2 rearShift = (bent - (radius * pi - arc)) * direction;
    float cosine = sqrt(max(0.0, 1.0 - onRoll * onRoll)), halfGloss = 4.0 * onRoll * (1.0 - onRoll);
    float gloss = number(11) * halfGloss * halfGloss;

    float rollShadow = 0.0, flapShadow = 0.0;
    vec2 center = vec2(pixel) + 0.5;
    vec4 limits = numbers4(12);
    if (number(7) > 0.0 && all(greaterThan(center, limits.xy)) && all(lessThan(center, limits.zw))) {
        rollShadow = number(7) * 0.5 * (1.0 - errorFunction(-outline * number(8)));
        flapShadow = number(7) * rectangleShadow(center + rearShift);
    }

    Drawn d = mixture(weight);
    d.isPageMoved = true;
    d.pageShift = frontShift;
    d.hidden = weight * coverage(canvas.xy, pixel, frontShift);
    d.pageBrightness = (1.0 - number(9) * (1.0 - cosine)) * (1.0 - flapShadow);
    d.targetBrightness = 1.0 - rollShadow;
    // The back's pixels contain their coverage.
    float covered = coverage(canvas.xy, pixel, rearShift);
    d.back = covered > 0.0 ? weight : 0.0;
    d.backBrightness = (number(16) * cosine + number(17) * onRoll) * (1.0 - gloss);
    d.backWhite = gloss;
    d.backShift = rearShift;
    d.paper = number(10);
    d.shading = weight * covered * unit(x + 0.5);
    d.shadingPosition = 0.5 - 0.5 * direction * onRoll;
    return d;
}
#endif
