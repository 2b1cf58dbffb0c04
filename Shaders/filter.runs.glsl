// A 2-D kernel that consists of horizontal runs of pixels.

uniform int runCount;

layout(std140) uniform Taps { vec4 taps[TAP_VECTORS]; };

vec4 filtered(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int index = 0; index < runCount; ++index) {
        // A run of pixels with equal weights: xy is the offset of the run's first pixel from the output pixel, z the
        // number of pixels, w the weight of each pixel.
        vec4 run = taps[index];
        ivec2 place = at + ivec2(run.xy);
        int end = place.x + int(run.z);
        vec4 part = vec4(0.0);
        for (; place.x < end; ++place.x) part += read(place);
        sum += run.w * part;
    }
    return sum;
}
