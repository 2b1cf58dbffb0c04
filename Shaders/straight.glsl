// Straight colour. Swift places this file before filter.glsl and transition.glsl.
precision highp float;

// Returns the factor from premultiplied to straight colour: Straightening in Swift is the definition. `alpha` is rounded from `exact`.
// Both are in steps, and full scale has `steps`.
float straightening(float exact, float alpha, float steps) {
    float reach = (steps - alpha) / (2.0 * steps - 1.0);
    return alpha > 0.0 ? steps / clamp(exact, alpha - reach, alpha + reach) : 0.0;
}
