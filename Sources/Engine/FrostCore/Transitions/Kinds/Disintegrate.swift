/// The source disintegrates where a mask is dark first, and its rest casts a shadow on the target.
///
///     v(x, y)                                 the mask, stretched over the extent and interpolated linearly
///     g = max(1/256, ½|v(x + 1, y) - v(x - 1, y)| + ½|v(x, y + 1) - v(x, y - 1)|)    its change over a pixel
///     low, high = max(0, v - g/2), min(1, v + g/2)
///     k = 1 - unit((t - low) / (high - low))  the rest of the source
///     S = shadowDensity (k α blurred by a Gaussian with sigma = shadowRadius), moved by shadowOffset
///     result = mix(target (1 - S), source, k)
///
/// The mask is constant outside its outermost samples. α is the source's alpha, which is 0 outside the source. A fraction of
/// a pixel in `shadowOffset` is interpolated linearly.
public struct Disintegrate: Sendable, Hashable {
    /// The standard deviation of the shadow's blur in pixels.
    public let shadowRadius: Double
    /// The strength of the shadow, 0 to 1.
    public let shadowDensity: Double
    /// The shadow's offset in pixels.
    public let shadowOffset: SIMD2<Double>

    /// The numbers of one frame. ``TransitionLayers`` have the rest k and the shadow of each pixel.
    package struct Drawing: TransitionDrawing {
        /// The rectangle over which the mask is stretched.
        package let extent: Rect
        /// The time, above 0 and below 1.
        package let time: Double
        /// The standard deviation of the shadow's blur in pixels.
        package let shadowRadius: Double
        /// The strength of the shadow, 0 to 1.
        package let shadowDensity: Double
        /// The shadow's offset. Its fraction is interpolated linearly.
        package let shadowOffset: SIMD2<Double>

        /// The shader reads the rest and the shadow from a texture.
        package var parameters: [Double] { [] }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        Drawing(
            extent: frame.extent, time: frame.time, shadowRadius: shadowRadius, shadowDensity: shadowDensity,
            shadowOffset: shadowOffset)
    }
}

extension Disintegrate: TransitionKind {
    package static var extraImages: Set<Transition.ExtraImage> { [.mask] }
    package func largestDistance(_ frame: TransitionFrame) -> Double { 0 }

    package static let descriptions = [
        TransitionDescription(
            "disintegrate-with-mask", "CIDisintegrateWithMaskTransition",
            "the source disintegrates where a mask is dark first; needs --mask",
            parameters: [
                .number("shadow-radius", 0...500, 8, unit: "pixels", "standard deviation (sigma) of the shadow's blur"),
                .number("shadow-density", 0...1, 0.65, "strength of the shadow"),
                .number("shadow-x", -10_000...10_000, 0, unit: "pixels", "offset of the shadow to the right"),
                .number("shadow-y", -10_000...10_000, 10, unit: "pixels", "offset of the shadow downwards"),
            ]
        ) { values throws(ParameterError) in
            .disintegrate(
                Disintegrate(
                    shadowRadius: values.number("shadow-radius"), shadowDensity: values.number("shadow-density"),
                    shadowOffset: SIMD2(values.number("shadow-x"), values.number("shadow-y"))))
        }
    ]
}
