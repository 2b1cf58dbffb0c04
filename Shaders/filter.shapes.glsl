// Distances from the edges of shapes: ShapeField (FrostCore) has the formulas and says what the numbers mean. Swift prepends the
// constants GAUGE_*. Lenses use this file, and the light along edges of filter.output.glsl.

// The most steps of Newton's method.
const int newtonSteps = 8;
// By how much a later shape must be deeper to count.
const float shapeTie = 1e-3;

// Returns the gauge of a continuous corner and its derivatives at a point with x at most y.
vec3 continuousGauge(vec2 point, float radius, float reach, vec4 curve) {
    float b = curve.x, c = curve.y, d = curve.z, ratio = point.x / point.y, factor;
    vec2 normal;
    if (ratio > curve.w) {
        float middle = reach - radius, sum = point.x + point.y, size = dot(point, point);
        factor = (middle * sum + sqrt(middle * middle * sum * sum - size * (2.0 * middle * middle - radius * radius))) / size;
        normal = factor * point - middle;
    } else {
        float t = ratio * reach / (6.0 * b);
        for (int i = 0; i < 4; ++i) {
            float value = ((c * t - 3.0 * b) * t + 6.0 * b) * t - ratio * (reach - d * t * t * t);
            t -= value / ((3.0 * c * t - 6.0 * b) * t + 6.0 * b + ratio * 3.0 * d * t * t);
        }
        t = clamp(t, 0.0, 1.0);
        factor = (reach - d * t * t * t) / point.y;
        normal = vec2(3.0 * d * t * t, (3.0 * c * t - 6.0 * b) * t + 6.0 * b);
    }
    float size = reach / factor;
    return vec3(size, normal * (size / dot(normal, point)));
}

// Returns the gauge of a point, whose coordinates are at least 0, and its derivatives.
vec3 gauge(vec2 point, int kind, float number, vec4 curve, float reach) {
    if (point.x <= 0.0 && point.y <= 0.0) return vec3(0.0);
    if (point.y <= 0.0) return vec3(point.x, 1.0, 0.0);
    if (point.x <= 0.0) return vec3(point.y, 0.0, 1.0);
    if (kind == GAUGE_SUPERELLIPSE) {
        float larger = max(point.x, point.y);
        vec2 part = max(point / larger, vec2(1e-9));
        float size = larger * pow(pow(part.x, number) + pow(part.y, number), 1.0 / number);
        return vec3(size, pow(max(point / size, vec2(1e-9)), vec2(number - 1.0)));
    }
    if (kind == GAUGE_CONTINUOUS) {
        if (point.x <= point.y) return continuousGauge(point, number, reach, curve);
        return continuousGauge(point.yx, number, reach, curve).xzy;
    }
    if (kind == GAUGE_CIRCULAR) {
        float size = length(point);
        return vec3(size, point / size);
    }
    return vec3(0.0);
}

// Returns the distance of a point, given as a pixel and a place in it, from the edge of a shape, and the direction in which it
// falls most steeply. `join` is the radius within which shapes flow together. The shape has five vectors: its left and top edges
// before a turn, as whole pixels and fractions; its right and bottom edges; R, β and w; the sine and cosine of its turn, and the
// kind of its gauge and a number; the gauge's other numbers.
vec3 distanceFrom(ivec2 pixel, vec2 part, vec4 low, vec4 high, vec4 numbers, vec4 kind, vec4 curve, float join) {
    float reach = numbers.x, grow = numbers.y, band = numbers.z;
    // Pixels that the shape does not touch; those beside a turned one are clipped in any case.
    bool isBeside = any(lessThan(pixel, ivec2(low.xy))) || any(greaterThanEqual(vec2(pixel), high.xy + ceil(high.zw)));
    if (isBeside && kind.x == 0.0 && join == 0.0) return vec3(-1e9, 0.0, 0.0);
    vec2 turn = kind.xy;
    // The distances from the nearest sides are differences of whole pixels and of fractions, so they are exact near an edge.
    vec2 fromLow = vec2(pixel - ivec2(low.xy)) + (part - low.zw), fromHigh = vec2(ivec2(high.xy) - pixel) + (high.zw - part);
    if (turn.x != 0.0) {
        vec2 middle = 0.5 * (fromLow + fromHigh), point = 0.5 * (fromLow - fromHigh);
        point = vec2(point.x * turn.y + point.y * turn.x, point.y * turn.y - point.x * turn.x);
        fromLow = middle + point;
        fromHigh = middle - point;
    }
    vec2 u = reach - min(fromLow, fromHigh);
    vec2 v = max(u, 0.0);
    vec3 size = gauge(v, int(kind.z), kind.w, curve, reach);
    // Outside the shape the equation may have no solution.
    float d = reach - size.x;
    bool isInside = d > 0.0 || max(u.x, u.y) < 0.0;
    if (isInside) {
        d = reach - max(u.x, u.y);
        v = max(u + (1.0 + grow) * d, 0.0);
        size = gauge(v, int(kind.z), kind.w, curve, reach);
    }
    if (isInside && v.x > 0.0 && v.y > 0.0) {
        for (int i = 0; i < newtonSteps; ++i) {
            float change = (size.x - reach - grow * d) / ((1.0 + grow) * (size.y + size.z) - grow);
            d -= change;
            v = max(u + (1.0 + grow) * d, 0.0);
            size = gauge(v, int(kind.z), kind.w, curve, reach);
            if (abs(change) < 1e-5) break;
        }
    }
    // On the edge of a shape without a radius, the gauge has no slope.
    if (!isInside && size.x == 0.0) size.yz = vec2(greaterThanEqual(u.xy, u.yx));
    float steepness = length(size.yz);
    if (steepness <= 0.0 || (d >= band && join == 0.0)) return vec3(d, 0.0, 0.0);
    vec2 outward = size.yz / steepness * vec2(fromLow.x < fromHigh.x ? -1.0 : 1.0, fromLow.y < fromHigh.y ? -1.0 : 1.0);
    return vec3(d, outward.x * turn.y - outward.y * turn.x, outward.x * turn.x + outward.y * turn.y);
}

// The most shapes of a group.
const int groupLimit = 16;

// Returns the distance from the edge of a group of shapes, and the outward direction: see ShapeGroup. `found` has the results of
// distanceFrom(), and `first` becomes the index of the shape whose band and depth count.
vec3 grouped(vec3 found[groupLimit], int count, float join, out int first) {
    first = 0;
    vec3 deepest = vec3(-1e9, 0.0, 0.0);
    float largest = -1e9;
    for (int i = 0; i < count; ++i) {
        largest = max(largest, found[i].x);
        if (found[i].x > deepest.x + shapeTie) {
            deepest = found[i];
            first = i;
        }
    }
    if (join == 0.0) return deepest;
    float tau = largest - join;
    for (int step = 0; step < count; ++step) {
        float sum = -join, counting = 0.0;
        for (int i = 0; i < count; ++i) {
            if (found[i].x > tau) {
                sum += found[i].x - tau;
                counting += 1.0;
            }
        }
        tau += sum / counting;
    }
    vec3 joined = vec3(0.0);
    float squares = 0.0;
    for (int i = 0; i < count; ++i) {
        float weight = max(found[i].x - tau, 0.0) / join;
        joined += weight * found[i];
        squares += weight * weight;
    }
    joined.x += 0.5 * join * (1.0 - squares);
    return joined.x < -1.5 ? vec3(-1e9, 0.0, 0.0) : joined;
}
