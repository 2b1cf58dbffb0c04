// A 2-D kernel that blurs along lines through a centre.

// centre, centrePart: the sum of both is the position of the zoom's centre relative to the output's pixel 0. centre
// holds whole pixels, and centrePart holds the fractional remainder.
uniform ivec2 centre;
uniform vec2 centrePart;
// reaches: length of the sampled line towards the zoom's centre (x) and away from it (y), as fractions of the pixel's
// distance to the centre.
uniform vec2 reaches;

// Adds the samples of one half of a zoom's line to `sum`, and their weights to `total` (see KernelZoom). The half
// starts after pixel `at`. Sample k lies k pixels along `direction` and k * slope pixels along `across`; it is
// interpolated between the two nearest pixels.
void addLine(ivec2 at, ivec2 direction, ivec2 across, float slope, float length, inout vec4 sum, inout float total) {
    for (int k = 1; length - (float(k) - 0.5) > 0.0; ++k) {
        float place = float(k) * slope;
        float below = floor(place);
        ivec2 first = at + k * direction + int(below) * across;
        float part = min(1.0, length - (float(k) - 0.5));
        sum += part * mix(read(first), read(first + across), place - below);
        total += part;
    }
}

vec4 filtered(ivec2 at) {
    vec2 d = vec2(centre - at) + centrePart;
    ivec2 along = abs(d.x) >= abs(d.y) ? ivec2(1, 0) : ivec2(0, 1);
    ivec2 across = 1 - along;
    float steps = dot(d, vec2(along));
    float slope = steps == 0.0 ? 0.0 : dot(d, vec2(across)) / abs(steps);
    along *= steps < 0.0 ? -1 : 1;
    vec2 lengths = reaches * abs(steps);
    float total = min(lengths.x, 0.5) + min(lengths.y, 0.5);
    vec4 sum = read(at);
    if (total <= 0.0) return sum;
    sum *= total;
    addLine(at, along, across, slope, lengths.x, sum, total);
    addLine(at, -along, across, -slope, lengths.y, sum, total);
    return sum / total;
}
