#if TRANSITION == TRANSITION_PAGECURL
// The kind pageCurl: see PageCurl. Numbers: the distance u (0 to 3), axis (4), radius (5), ramp (6), shadowAmount (7),
// 1 / (√2 * shadowSigma) (8), darkening (9), paper (10), the corners of the shadow's extent (12 to 15).

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
    // x of the law, and its distance from the cylinder's outline at x = r.
    float x = fromAxis.x + fromAxis.y, outline = fromOutline.x + fromOutline.y;
    float weight = unit(outline + number(6));

    // The point on the front, and the point on the back, as distances from the axis line.
    float onRoll = unit(x / radius);
    float arc = x > 0.0 ? radius * arcSine(onRoll, unit(outline / radius)) : x;
    // In the ramp beyond the outline, the page shows the points at the outline.
    float bent = min(x, radius);
    vec2 frontShift = (bent - arc) * direction;
    vec2 rearShift = (bent - (radius * pi - arc)) * direction;
    float brightness = 1.0 - number(9) * (1.0 - sqrt(max(0.0, 1.0 - onRoll * onRoll)));

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
    d.pageBrightness = brightness * (1.0 - flapShadow);
    d.targetBrightness = 1.0 - rollShadow;
    d.back = weight * coverage(canvas.xy, pixel, rearShift);
    d.backBrightness = brightness;
    d.backShift = rearShift;
    d.paper = number(10);
    d.shading = d.back * unit(x + 0.5);
    d.shadingPosition = 0.5 - 0.5 * direction * onRoll;
    return d;
}
#endif
