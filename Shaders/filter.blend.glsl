// A mixture of two levels of a blend, controlled by the mask of the output stages.

// The texture of the blend's upper level. The texture inputImage holds the lower level.
uniform sampler2D upperImage;
// levelOrigins: offset from an output pixel to its texel in the lower level (xy) and in the upper level (zw).
// levelSizes: sizes of the lower level (xy) and the upper level (zw) in texels.
uniform ivec4 levelOrigins;
uniform ivec4 levelSizes;
// levelShares.x: share of the variance at which only the lower level is visible. levelShares.y:
// `1 / (u - levelShares.x)`, where u is the share at which only the upper level is visible; 0 if the lower and the
// upper level are the same.
uniform vec2 levelShares;
// shareBounds: this draw covers the pixels whose share of the variance is in x <= share < y. Pixels with other shares
// are skipped, because other draws cover them.
uniform vec2 shareBounds;

// Returns the value of the mask at a pixel. filter.output.glsl defines this function.
float masked(ivec2 place);

// Returns the mixture of a blend's two levels at a pixel (see Blend).
vec4 filtered(ivec2 place) {
    float value = min(masked(place), 1.0);
    // Interpolating between mask texels that are all 1 may give slightly less than 1 because of rounding.
    if (value > 0.99999) value = 1.0;
    float share = value * value;
    if (share < shareBounds.x || share >= shareBounds.y) {
        isSkipped = true;
        return vec4(0.0);
    }
    ivec4 at = clamp(place.xyxy + levelOrigins, ivec4(0), levelSizes - 1);
    vec4 lower = texelFetch(inputImage, at.xy, 0);
    vec4 upper = texelFetch(upperImage, at.zw, 0);
    return lower + (upper - lower) * clamp((share - levelShares.x) * levelShares.y, 0.0, 1.0);
}
