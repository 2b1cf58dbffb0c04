/// The source disintegrates where a mask is dark first, and its rest casts a shadow on the target.
///
/// The mask is stretched over the extent. Let v be its value at the centre of a pixel, interpolated linearly, and constant
/// outside the mask's outermost samples. Let g be its change over one pixel: half the sum of |v(x + 1, y) - v(x - 1, y)|
/// and |v(x, y + 1) - v(x, y - 1)|, but at least 1/256, a step of an 8-bit mask. The values within the pixel range from
/// low = max(0, v - g/2) to high = min(1, v + g/2). The target's share is clamp((time - low) / (high - low)). The rest
/// k = 1 - share of the source casts a shadow: k times the source's alpha, which is 0 outside the source, blurred by an
/// exact Gaussian with sigma = `shadowRadius`, moved by `shadowOffset` (a fraction of a pixel is interpolated linearly), and
/// multiplied by `shadowDensity`. The shadow darkens the target: the result is mix(target * (1 - shadow), source, k).
public struct Disintegrate: Sendable, Hashable {
    /// The standard deviation of the shadow's blur in pixels.
    public let shadowRadius: Double
    /// The strength of the shadow, 0 to 1.
    public let shadowDensity: Double
    /// The shadow's offset in pixels.
    public let shadowOffset: SIMD2<Double>

    /// The numbers of one frame. ``TransitionLayers`` have the rest k and the shadow of each pixel.
    public struct Drawing: Sendable, Hashable {
        /// The rectangle over which the mask is stretched.
        public let extent: Rect
        /// The time, above 0 and below 1.
        public let time: Double
        /// The standard deviation of the shadow's blur in pixels.
        public let shadowRadius: Double
        /// The strength of the shadow, 0 to 1.
        public let shadowDensity: Double
        /// The shadow's offset. Its fraction is interpolated linearly.
        public let shadowOffset: SIMD2<Double>

        /// The shader reads the rest and the shadow from a texture.
        var numbers: [Double] { [] }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        Drawing(
            extent: frame.extent, time: frame.time, shadowRadius: shadowRadius, shadowDensity: shadowDensity,
            shadowOffset: shadowOffset)
    }
}

extension Disintegrate {
    static let description = TransitionDescription(
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
}
