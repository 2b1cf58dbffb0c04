// The area of a pixel outside the rounded corners of a clip rectangle (see RoundedRect, FrostCore). Swift places this file
// between filter.glsl and filter.output.glsl. Swift prepends the constants CORNER_* and two switches, which are 0 or 1:
// - ORIGINAL: the original image is needed, for a mask or for clip rectangles.
// - CURVES: clip rectangles may have corners that are not quarter circles.
#if ORIGINAL

// Returns how much of a box's area lies within the circle around the origin. The box lies in the first quadrant. `low`
// and `high` are its corners, and `size` holds the lengths of its sides.
float discArea(vec2 low, vec2 high, vec2 size, float radius) {
    if (dot(low, low) >= radius * radius) return 0.0;
    if (dot(high, high) <= radius * radius) return size.x * size.y;
    // At each x, the area to measure extends from low.y up to high.y or to the arc's height, whichever is smaller.
    float full = high.y < radius ? sqrt((radius - high.y) * (radius + high.y)) : 0.0;
    float end = sqrt(max((radius - low.y) * (radius + low.y), 0.0));
    full = clamp(full, low.x, high.x);
    end = clamp(end, full, high.x);
    // Integrates the area below the arc from x = `full` to x = `end`. With x = radius - s^2 the arc's height is
    // `s * sqrt(2 radius - s^2)`, which is smooth in s. So four-point Gauss-Legendre quadrature has an error below 1e-5
    // of the area.
    float near = sqrt(max(radius - end, 0.0)), far = sqrt(max(radius - full, 0.0));
    float middle = 0.5 * (near + far);
    float reach = middle > 0.0 ? 0.25 * (end - full) / middle : 0.0;
    vec4 s = middle + reach * vec4(-0.8611363116, -0.3399810436, 0.3399810436, 0.8611363116);
    vec4 heights = s * sqrt(max(2.0 * radius - s * s, vec4(0.0))) - low.y;
    vec4 weights = vec4(0.3478548451, 0.6521451549, 0.6521451549, 0.3478548451);
    return (full - low.x) * size.y + reach * dot(weights * 2.0 * s, heights);
}

// Returns the area of the part of a pixel that lies outside a corner's arc. `low` and `high` are distances from the
// arc's centre, measured outwards. `size` holds the lengths of the pixel's sides.
float beyond(vec2 low, vec2 high, vec2 size, float radius) {
    if (high.x <= 0.0 || high.y <= 0.0) return 0.0;
    // Only the part of the pixel at positive distances counts. If this is a whole side, the side's length is taken from
    // `size`, not from `high - low`. The caller uses the same length, so equal areas cancel to the last bit.
    size = vec2(low.x >= 0.0 ? size.x : high.x, low.y >= 0.0 ? size.y : high.y);
    return size.x * size.y - discArea(max(low, 0.0), high, size, radius);
}

#if CURVES
// The outline of a corner that is not a quarter circle, as CornerOutline (FrostCore) derives it. s and t are distances from
// the corner's two sides.
struct Outline {
    float radius;
    float reach;
    float diagonal;
    // For a continuous corner, the lengths b, c and d of a transition, and the s at which the arc begins.
    vec3 lengths;
    float joint;
    // The exponent of a superellipse; 0 for a continuous corner.
    float exponent;
};

Outline outline(vec4 corner) {
    float radius = corner.x;
    if (int(corner.y) == CORNER_SUPERELLIPSE) {
        float diagonal = radius * (1.0 - exp2(-1.0 / corner.z));
        return Outline(radius, radius, diagonal, vec3(0.0), diagonal, corner.z);
    }
    if (int(corner.y) == CORNER_CONTINUOUS) {
        float u = corner.w, part = radius * u / (1.0 + u * u);
        vec3 lengths = vec3(radius * (corner.z + u) / 3.0, part * (1.0 - u * u), part * 2.0 * u);
        float joint = radius - radius * u - lengths.y;
        return Outline(radius, radius * (1.0 + corner.z), radius * (1.0 - sqrt(0.5)), lengths, joint, 0.0);
    }
    // An unknown kind has no corner at all, which tests notice.
    return Outline(0.0, 0.0, 0.0, vec3(0.0), 0.0, 0.0);
}

// Returns t of the outline at four positions s, all of which lie on an arc, a transition or a superellipse.
vec4 arcInset(vec4 s, Outline o) {
    vec4 h = o.radius - s;
    return h * h / (o.radius + sqrt(max((o.radius - h) * (o.radius + h), vec4(0.0))));
}

vec4 curveInset(vec4 s, Outline o) {
    if (o.exponent > 0.0) {
        // pow() is undefined at 0.
        vec4 part = clamp(1.0 - s * (1.0 / o.radius), vec4(1e-30), vec4(1.0));
        vec4 rest = clamp(1.0 - pow(part, vec4(o.exponent)), vec4(1e-30), vec4(1.0));
        return o.radius * (1.0 - pow(rest, vec4(1.0 / o.exponent)));
    }
    // Three steps of Newton's method (see CornerOutline).
    float b = o.lengths.x, c = o.lengths.y;
    vec4 x = max(o.reach - s, vec4(0.0)), p = x / (o.reach - o.joint);
    for (int i = 0; i < 3; ++i) {
        vec4 value = ((c * p - 3.0 * b) * p + 6.0 * b) * p - x;
        p -= value / ((3.0 * c * p - 6.0 * b) * p + 6.0 * b);
    }
    return o.lengths.z * p * p * p;
}

// Returns s of the outline at t, for t up to the diagonal.
float outlinePlace(float t, Outline o) {
    if (t <= 0.0) return o.reach;
    if (t >= o.diagonal) return o.diagonal;
    if (o.exponent > 0.0) {
        float rest = clamp(1.0 - pow(1.0 - t / o.radius, o.exponent), 1e-30, 1.0);
        return o.radius * (1.0 - pow(rest, 1.0 / o.exponent));
    }
    float b = o.lengths.x, c = o.lengths.y, d = o.lengths.z;
    if (t >= d) return o.radius - sqrt(t * (2.0 * o.radius - t));
    float p = pow(t / d, 1.0 / 3.0);
    return o.reach - ((c * p - 3.0 * b) * p + 6.0 * b) * p;
}

// Returns the distance along a side at which a line parallel to the side, at distance t, enters the shape.
float boundary(float t, Outline o) {
    if (t >= o.reach) return 0.0;
    if (t < o.diagonal) return outlinePlace(t, o);
    return t < o.joint ? arcInset(vec4(t), o).x : curveInset(vec4(t), o).x;
}

// Returns the area between the outline and the line at t = base, by four-point Gauss-Legendre quadrature.
float outlineArea(float from, float to, float base, bool isArc, Outline o) {
    float reach = 0.5 * (to - from);
    if (reach <= 0.0) return 0.0;
    vec4 s = 0.5 * (from + to) + reach * vec4(-0.8611363116, -0.3399810436, 0.3399810436, 0.8611363116);
    vec4 heights = (isArc ? arcInset(s, o) : curveInset(s, o)) - base;
    return max(reach * dot(vec4(0.3478548451, 0.6521451549, 0.6521451549, 0.3478548451), heights), 0.0);
}

// Returns how much of a box's area lies outside the outline with s at or beyond the diagonal.
float halfOutside(vec2 s, vec2 t, Outline o) {
    float low = max(s.x, o.diagonal), high = min(s.y, o.reach);
    if (low >= high || t.x >= o.diagonal) return 0.0;
    float full = clamp(outlinePlace(t.y, o), low, high);
    float end = clamp(outlinePlace(t.x, o), full, high);
    float middle = clamp(o.joint, full, end);
    return (full - low) * (t.y - t.x) + outlineArea(full, middle, t.x, true, o) + outlineArea(middle, end, t.x, false, o);
}

// Returns the area of the part of a pixel that lies outside a corner's outline. `low` and `high` are the distances of the
// pixel's edges from the corner's sides, and `size` holds the lengths of the pixel's sides.
float beyondOutline(vec2 low, vec2 high, vec2 size, vec4 corner) {
    Outline o = outline(corner);
    if (low.x >= boundary(low.y, o)) return 0.0;
    if (high.y < o.reach && high.x <= boundary(high.y, o)) return size.x * size.y;
    vec2 square = max(min(high, o.diagonal) - low, 0.0);
    vec2 s = vec2(low.x, high.x), t = vec2(low.y, high.y);
    return square.x * square.y + halfOutside(s, t, o) + halfOutside(t, s, o);
}
#endif
#endif
