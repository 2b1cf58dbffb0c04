/// The source is cut into bars that slide away one after another, and uncover the target.
///
///     v, v0, v1                                                 as u, u0 and u1, but across the angle
///     n = max(1, ceil((v1 - v0 - 1/1000) / width))              the number of bars
///     i = min(floor((v - v0) / width), n - 1)                   the bar of a pixel
///     D(i) = max(0, (u1 - u0 + (n - 1) barOffset) t² - i barOffset)    how far bar i has moved
///     k(i) = unit(u - D(i) - u0 + 1 - t)                        its weight: a ramp of one pixel at its end
///     result = mix(target, source at p - D(i) along the angle, k(i))
///
/// The border between two bars is a ramp of one pixel too: a pixel at the distance d < ½ from the border is a mixture of
/// both bars, with the shares ½ + d and ½ - d.
public struct BarsSwipe: Sendable, Hashable {
    /// The direction in which the bars slide, in radians.
    public let angle: Double
    /// The width of a bar in pixels, at least 2.
    public let width: Double
    /// How far a bar has moved before the next one starts, in pixels.
    public let barOffset: Double

    package struct Drawing: TransitionDrawing {
        /// The distance u of a pixel.
        package let along: LinearDistance
        /// The distance v of a pixel.
        package let across: LinearDistance
        package let width: Double
        /// How far a bar has moved before the next one starts, in pixels.
        package let barOffset: Double
        /// The distance that bar 0 has moved.
        package let travel: Double
        package let lastBar: Int
        /// 1 - time, the offset of the ramp at the end of a bar.
        package let ramp: Double
        /// The canvas, outside which a bar has no pixels.
        package let canvas: Rect

        /// The shader computes in floats, and the travel of the first bar may be very long. So it gets the index of the last
        /// bar that has started and the distance that this bar has moved.
        package var parameters: [Double] {
            let started = (travel / barOffset).rounded(.down)
            return along.parameters + across.parameters
                + [width, barOffset, started, travel - started * barOffset, Double(lastBar), ramp, 0, 0]
        }

        /// Bars with even and with odd indices are read at two rectangles. So a few pixels on the border of two bars read
        /// little, however far both bars are apart.
        package func reads(_ pixels: Positions, error: Double) -> TransitionReads {
            let (u, v) = (pixels.range(of: along), pixels.range(of: across))
            // A pixel shows the next bar too if it is less than half a pixel away from it.
            let (first, last) = (bar(at: v.lowerBound - 0.5 - error), bar(at: v.upperBound + 0.5 + error))
            // Bars that have moved farther have no weight. The distance that bars have moved falls with their index.
            let farthest = along.clamped(u.upperBound) + along.range.upperBound + ramp + error
            let visible = max(first, index(((travel - farthest) / barOffset).rounded(.up)))
            return TransitionReads(
                source: [visible, visible + 1].filter { $0 <= last }.map { start in
                    let end = last - (last - start) % 2
                    return pixels.moved(along: along.direction, by: -moved(start) ... -moved(end))
                })
        }

        /// Returns the bar at a distance v.
        private func bar(at v: Double) -> Int {
            min(index(((across.clamped(v) + across.range.upperBound) / width).rounded(.down)), lastBar)
        }

        /// Returns a whole number, clamped to the indices of bars and the next number.
        private func index(_ number: Double) -> Int { Int(min(max(number, 0), Double(lastBar + 1))) }

        /// Returns how far a bar has moved.
        private func moved(_ bar: Int) -> Double { max(0, travel - Double(bar) * barOffset) }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
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

extension BarsSwipe: TransitionKind {
    package static let descriptions = [
        TransitionDescription(
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
    ]
}
