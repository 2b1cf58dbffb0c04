/// A circular wave spreads from the centre, bends the picture, and leaves the target behind.
///
///     r = |p - c|, e = (p - c) / r            the distance from the centre c, and the outward direction
///     R                                       the distance of the extent's farthest corner
///     ρ = t (R + 2 width) - width             the distance of the crest
///     q = (min(r, R) - ρ) / width             the position in the wave
///     m = unit((1 - q) / 2)
///     h = (1 + cos πq) / 2 if |q| <= 1, else 0                        the height of the wave
///     both images are read at c + e max(0, r - scale h min(1, r / width))
///     σ = scale π / (2 width) sin πq          the downward slope
///     n = e σ / √(1 + σ²)                     the horizontal part of the wave's normal
///     the shading image, read at ½ + n/2 in fractions of its sides, is drawn over the result with the weight h
///
/// Positions outside the canvas or the shading image are clamped to their outermost pixel centres.
public struct Ripple: Sendable, Hashable {
    /// The centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// Half the width of the wave in pixels.
    public let width: Double
    /// The maximum shift in pixels. Positive numbers enlarge the picture behind the crest.
    public let scale: Double

    package struct Drawing: TransitionDrawing {
        /// The centre in pixels.
        package let center: SIMD2<Double>
        /// The distance ρ of the crest.
        package let crest: Double
        /// The distance R of the farthest corner.
        package let reach: Double
        /// Half the width of the wave in pixels.
        package let width: Double
        /// The maximum shift in pixels.
        package let scale: Double
        /// The canvas, to which positions are clamped.
        package let canvas: Rect

        package var parameters: [Double] { [center.x, center.y, crest, reach, width, scale, 0, 0] }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let center = frame.point(center)
        let reach = frame.farthestCorner(from: center)
        return Drawing(
            center: center, crest: frame.time * (reach + 2 * width) - width, reach: reach, width: width, scale: scale,
            canvas: frame.canvas)
    }
}

extension Ripple: TransitionKind {
    package static var extraImages: Set<Transition.ExtraImage> { [.shading] }
    package static var movesSource: Bool { true }
    package static var movesTarget: Bool { true }

    /// The slope of the wave amplifies errors of the distance.
    package func largestDistance(_ frame: TransitionFrame) -> Double {
        frame.largestDistance(from: center) * (1 + abs(scale) * .pi / (2 * width)) + abs(scale)
    }

    package static let descriptions = [
        TransitionDescription(
            "ripple", "CIRippleTransition", "a circular wave spreads from the centre and leaves the target behind",
            parameters: [
                .transitionCenterX, .transitionCenterY,
                .number("width", 1...100_000, 100, unit: "pixels", "half the width of the wave"),
                .number("scale", -50...10_000, 50, unit: "pixels", "how far the wave shifts the picture at most"),
            ]
        ) { values throws(ParameterError) in
            .ripple(Ripple(center: values.center, width: values.number("width"), scale: values.number("scale")))
        }
    ]
}
