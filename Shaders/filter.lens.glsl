// Shows a blurred image through lenses along the edges of shapes: Refraction, ShapeField and Lens (FrostCore) have the formulas
// and say what the numbers mean. Swift prepends the constants GAUGE_* and LENS_*.

// lensRange: the first and the last texel of the input, in pixels of the output.
uniform ivec4 lensRange;
// lensCounts: the number of shapes, of samples along each axis of a pixel, and the profile.
uniform ivec4 lensCounts;
// lensNumbers: the sine of the bevel's angle, and its depth; the part by which the offset of red is smaller and that of blue
// larger; -1 over the distance at which the soft profile falls to 1/e.
uniform vec4 lensNumbers;

// The most steps of Newton's method.
const int newtonSteps = 8;

// Five vectors for each shape: its left and top edges before a turn, as whole pixels and fractions; its right and bottom edges;
// R, β, w and the depth; the sine and cosine of its turn, and the kind of its gauge and a number; the gauge's other numbers.
layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

vec4 read(ivec2 at) { return fetch(clamp(at, lensRange.xy, lensRange.zw) - inputOrigin); }

vec4 interpolated(vec2 offset, ivec2 at) {
    vec2 whole = floor(offset), part = offset - whole;
    ivec2 place = at + ivec2(whole);
    vec4 above = mix(read(place), read(place + ivec2(1, 0)), part.x);
    vec4 below = mix(read(place + ivec2(0, 1)), read(place + ivec2(1, 1)), part.x);
    return mix(above, below, part.y);
}

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
// falls most steeply.
vec3 distanceFrom(ivec2 pixel, vec2 part, int shape) {
    vec4 low = taps[shape], high = taps[shape + 1], numbers = taps[shape + 2], kind = taps[shape + 3];
    vec4 curve = taps[shape + 4];
    float reach = numbers.x, grow = numbers.y, band = numbers.z;
    vec2 sides, turn = kind.xy;
    // The distances from the nearest sides are differences of whole pixels and of fractions, so they are exact near an edge.
    vec2 fromLow = vec2(pixel - ivec2(low.xy)) + (part - low.zw), fromHigh = vec2(ivec2(high.xy) - pixel) + (high.zw - part);
    if (turn.x != 0.0) {
        vec2 middle = 0.5 * (fromLow + fromHigh), point = 0.5 * (fromLow - fromHigh);
        point = vec2(point.x * turn.y + point.y * turn.x, point.y * turn.y - point.x * turn.x);
        fromLow = middle + point;
        fromHigh = middle - point;
    }
    vec2 u = reach - min(fromLow, fromHigh);
    float d = reach - max(u.x, u.y);
    vec2 v = max(u + (1.0 + grow) * d, 0.0);
    vec3 size = gauge(v, int(kind.z), kind.w, curve, reach);
    if (v.x > 0.0 && v.y > 0.0) {
        for (int i = 0; i < newtonSteps; ++i) {
            float change = (size.x - reach - grow * d) / ((1.0 + grow) * (size.y + size.z) - grow);
            d -= change;
            v = max(u + (1.0 + grow) * d, 0.0);
            size = gauge(v, int(kind.z), kind.w, curve, reach);
            if (abs(change) < 1e-5) break;
        }
    }
    float steepness = length(size.yz);
    if (steepness <= 0.0 || d >= band) return vec3(d, 0.0, 0.0);
    vec2 outward = size.yz / steepness * vec2(fromLow.x < fromHigh.x ? -1.0 : 1.0, fromLow.y < fromHigh.y ? -1.0 : 1.0);
    return vec3(d, outward.x * turn.y - outward.y * turn.x, outward.x * turn.x + outward.y * turn.y);
}

float profile(float t) {
    float rest = 1.0 - t * t, height = lensNumbers.x * (1.0 - t);
    if (lensCounts.z == LENS_SOFT || lensCounts.z == LENS_GENTLE) return exp(t * lensNumbers.w) * rest * rest;
    if (lensCounts.z == LENS_BEVEL) return (1.0 - sqrt(max(1.0 - height * height, 0.0))) / lensNumbers.y;
    // An unknown profile moves pixels far away, which tests notice.
    return 100.0;
}

// Returns the offset of a point, given as a pixel and a place in it.
vec2 lensOffset(ivec2 pixel, vec2 part) {
    vec3 deepest = vec3(-1e9, 0.0, 0.0);
    vec4 lens = vec4(0.0);
    for (int index = 0; index < lensCounts.x; ++index) {
        vec3 found = distanceFrom(pixel, part, 5 * index);
        if (found.x > deepest.x) {
            deepest = found;
            lens = taps[5 * index + 2];
        }
    }
    if (deepest.x >= lens.z || deepest.x < -1.0) return vec2(0.0);
    return deepest.yz * (-lens.w * profile(max(deepest.x, 0.0) / lens.z));
}

vec4 filtered(ivec2 at) {
    int count = lensCounts.y;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < count * count; ++i) {
        vec2 part = (vec2(i % count, i / count) + 0.5) / float(count);
        vec2 offset = lensOffset(at, part);
        vec4 value;
        if (offset == vec2(0.0)) {
            value = read(at);
        } else {
            value = interpolated(offset, at);
            if (lensNumbers.z > 0.0) {
                value.r = interpolated(offset * (1.0 - lensNumbers.z), at).r;
                value.b = interpolated(offset * (1.0 + lensNumbers.z), at).b;
            }
        }
        sum += value;
    }
    return count == 1 ? sum : sum / float(count * count);
}
