/// The source is cut into bars that slide away one after another, and uncover the target.
///
/// Let u and v be the distances from the centre of the extent along the angle and across it, clamped to their ranges over
/// the extent. Bar i contains the pixels with v0 + i * width <= v < v0 + (i + 1) * width. There are n bars, as many as cover
/// the range of v; a rest of up to 1/1000 pixel needs no bar of its own. Bar i has moved by
/// D = max(0, (u1 - u0 + (n - 1) * offset) * time² - i * offset) along the angle. It still covers the target
/// by clamp(u - D - u0 + 1 - time): a ramp of one pixel at its end. A bar shows the source at the pixel's position minus
/// D. The border between two bars is a ramp of one pixel too: a pixel within half a pixel of it is a mixture of both bars.
public struct BarsSwipe: Sendable, Hashable {
    /// The direction in which the bars slide, in radians.
    public let angle: Double
    /// The width of a bar in pixels, at least 2.
    public let width: Double
    /// How far a bar has moved before the next one starts, in pixels.
    public let barOffset: Double

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The distance u of a pixel.
        public let along: LinearDistance
        /// The distance v of a pixel.
        public let across: LinearDistance
        /// The width of a bar in pixels.
        public let width: Double
        /// How far a bar has moved before the next one starts, in pixels.
        public let barOffset: Double
        /// The distance that bar 0 has moved.
        public let travel: Double
        /// The index of the last bar.
        public let lastBar: Int
        /// 1 - time, the offset of the ramp at the end of a bar.
        public let ramp: Double
        /// The canvas, outside which a bar has no pixels.
        public let canvas: Rect

        /// The shader computes in floats, and the travel of the first bar may be very long. So it gets the index of the last
        /// bar that has started and the distance that this bar has moved.
        var numbers: [Double] {
            let started = (travel / barOffset).rounded(.down)
            return along.numbers + across.numbers
                + [width, barOffset, started, travel - started * barOffset, Double(lastBar), ramp, 0, 0]
        }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        let direction = LinearDistance.direction(angle)
        let along = frame.distance(along: direction)
        let across = frame.distance(along: SIMD2(-direction.y, direction.x))
        // The rest of 1/1000 pixel allows for the rounding of the direction.
        let count = max(1, Int(((2 * across.range.upperBound - 0.001) / width).rounded(.up)))
        let length = 2 * along.range.upperBound + Double(count - 1) * barOffset
        return Drawing(
            along: along, across: across, width: width, barOffset: barOffset,
            travel: length * frame.time * frame.time, lastBar: count - 1, ramp: 1 - frame.time, canvas: frame.canvas)
    }
}

extension BarsSwipe {
    static let description = TransitionDescription(
        "bars-swipe", "CIBarsSwipeTransition", "bars of the source slide away one after another",
        parameters: [
            .angle(180, "direction in which the bars slide, clockwise: 0 is to the right, 90 is downwards"),
            .number("width", 2...100_000, 30, unit: "pixels", "width of a bar"),
            .number(
                "bar-offset", 1...100_000, 10, unit: "pixels", "how far a bar slides before the next one starts"),
        ]
    ) { values throws(ParameterError) in
        .barsSwipe(
            BarsSwipe(
                angle: values.angle, width: values.number("width"), barOffset: values.number("bar-offset")))
    }
}
