/// A circular wave spreads from the centre, bends the picture, and leaves the target behind.
///
/// Let r be the distance from the centre, and R the distance of the extent's farthest corner, to which r is clamped for the
/// position in the wave. The crest is at ρ = time * (R + 2 * width) - width, and q = (r - ρ) / width. The target's share is
/// clamp((1 - q) / 2). Within |q| <= 1 the wave has the height h = (1 + cos πq) / 2. It shows both images at the distance
/// max(0, r - scale * h * min(1, r / width)) from the centre, in the same direction, where r is not clamped; positions
/// outside the canvas are clamped to its outermost pixel centres.
///
/// A shading image is drawn over the result with the weight h. It is read at ½ + n/2 in each axis, in fractions of its
/// sides, clamped to its outermost pixel centres. n is the horizontal part of the wave's normal: the outward direction times
/// σ / √(1 + σ²), where σ = scale * π / (2 * width) * sin πq is the downward slope.
public struct Ripple: Sendable, Hashable {
    /// The centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// Half the width of the wave in pixels.
    public let width: Double
    /// The maximum shift in pixels. Positive numbers enlarge the picture behind the crest.
    public let scale: Double

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The centre in pixels.
        public let center: SIMD2<Double>
        /// The distance ρ of the crest.
        public let crest: Double
        /// The distance R of the farthest corner.
        public let reach: Double
        /// Half the width of the wave in pixels.
        public let width: Double
        /// The maximum shift in pixels.
        public let scale: Double
        /// The canvas, to which positions are clamped.
        public let canvas: Rect

        var numbers: [Double] { [center.x, center.y, crest, reach, width, scale, 0, 0] }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        let center = frame.point(center)
        let reach = frame.farthestCorner(from: center)
        return Drawing(
            center: center, crest: frame.time * (reach + 2 * width) - width, reach: reach, width: width, scale: scale,
            canvas: frame.canvas)
    }
}

extension Ripple {
    static let description = TransitionDescription(
        "ripple", "CIRippleTransition", "a circular wave spreads from the centre and leaves the target behind",
        parameters: [
            .transitionCenterX, .transitionCenterY,
            .number("width", 1...100_000, 100, unit: "pixels", "half the width of the wave"),
            .number("scale", -50...10_000, 50, unit: "pixels", "how far the wave shifts the picture at most"),
        ]
    ) { values throws(ParameterError) in
        .ripple(Ripple(center: values.center, width: values.number("width"), scale: values.number("scale")))
    }
}
