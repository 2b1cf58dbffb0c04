/// The target slides over the source like a soft edge, with a coloured gleam on the edge.
///
///     w = max(width, 1)
///     a = mix(u0, u1 + w, t)                  the end of the edge, where the target's share is 0
///     m = unit((a - u) / w)
///     c = opacity 4m (1 - m)
public struct Swipe: Sendable, Hashable {
    /// The colour of the gleam.
    public let color: Color
    /// The direction in which the edge moves, in radians.
    public let angle: Double
    /// The width of the edge in pixels.
    public let width: Double
    /// The maximum weight of the colour, 0 to 1.
    public let opacity: Double

    package struct Drawing: TransitionDrawing {
        /// The distance u of a pixel.
        package let distance: LinearDistance
        /// The position of the edge's end, where the target's share is 0.
        package let edge: Double
        /// 1 / w.
        package let slope: Double
        /// The colour of the gleam.
        package let color: SIMD4<Double>
        /// The maximum weight of the colour.
        package let opacity: Double

        package var parameters: [Double] { distance.parameters + [edge, slope, 4 * opacity, 0] + color.list }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let distance = frame.distance(along: LinearDistance.direction(angle))
        let width = max(width, 1)
        let (low, high) = (distance.range.lowerBound, distance.range.upperBound + width)
        return Drawing(
            distance: distance, edge: low + (high - low) * frame.time, slope: 1 / width,
            color: frame.premultiplied(color), opacity: opacity)
    }
}

extension Swipe: TransitionKind {
    package var ownColor: Color? { color }

    package static let descriptions = [
        TransitionDescription(
            "swipe", "CISwipeTransition", "a soft edge moves across the picture and leaves the target behind",
            parameters: [
                EffectParameter("color", .color(default: .white(1, 1)), "colour of the gleam on the edge"),
                .angle(0, "direction in which the edge moves, clockwise: 0 is to the right, 90 is downwards"),
                .number("width", 0.1...100_000, 300, unit: "pixels", "width of the edge"),
                .number("opacity", 0...1, 0, "strength of the gleam; 0 for none"),
            ]
        ) { values throws(ParameterError) in
            .swipe(
                Swipe(
                    color: values.color("color"), angle: values.angle, width: values.number("width"),
                    opacity: values.number("opacity")))
        }
    ]
}
