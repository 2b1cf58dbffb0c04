// Straight colour. Swift places this file before filter.glsl and transition.glsl.
precision highp float;

// Returns straight colour for premultiplied colour, before it is rounded; `alpha` is rounded from `exact`. All numbers are in steps,
// and full scale has `steps`. A reader multiplies by alpha. Of the colours that then give the premultiplied one within half a
// step, the one nearest to that divided by the exact alpha is the result: see StraightColor in Swift.
vec3 straightened(vec3 color, float exact, float alpha, float steps) {
    if (alpha <= 0.0) return vec3(0.0);
    float ratio = steps / alpha, reach = max(0.5 * ratio - 0.5, 0.0);
    vec3 middle = color * ratio;
    return clamp(color * (steps / exact), middle - reach, middle + reach);
}
