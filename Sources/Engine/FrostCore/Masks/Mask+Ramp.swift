import Glibc

extension Mask.Ramp {
    /// The largest number of stops.
    public static let stopLimit = 16

    /// The positions that stops may have.
    public static let positionRange = -10.0...10

    /// Reads stops such as "0:0,0.4:1", or "none" for none.
    ///
    /// - Returns: nil for other texts.
    package static func stops(parsing text: String) -> [Stop]? {
        if text == "none" { return [] }
        var stops: [Stop] = []
        for stop in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = stop.split(separator: ":", omittingEmptySubsequences: false).map { Double(decimal: $0) }
            guard numbers.count == 2, let position = numbers[0], let value = numbers[1] else { return nil }
            stops.append(Stop(position, value))
        }
        return stops
    }

    /// Checks stops that a user has written.
    ///
    /// - Parameter parameter: the parameter that errors name.
    /// - Throws: ``ParameterError`` for fewer than two or more than ``stopLimit`` stops, for positions out of range or
    ///   descending, and for values outside 0...1.
    public static func checkStops(_ stops: [Stop], of parameter: String) throws(ParameterError) {
        guard (2...stopLimit).contains(stops.count) else {
            throw .malformed(
                parameter: parameter, value: stops.count == 1 ? "1 stop" : "\(stops.count) stops",
                expected: "2 to \(stopLimit) stops")
        }
        for (index, stop) in stops.enumerated() {
            guard positionRange.contains(stop.position) else {
                throw .outOfRange(parameter: "\(parameter) position", value: stop.position, allowed: positionRange)
            }
            guard (0...1).contains(stop.value) else {
                throw .outOfRange(parameter: "\(parameter) value", value: stop.value, allowed: 0...1)
            }
            if index > 0, stop.position < stops[index - 1].position {
                throw .malformed(
                    parameter: parameter,
                    value: "\(numberText(stop.position)) after \(numberText(stops[index - 1].position))",
                    expected: "positions in ascending order")
            }
        }
    }

    /// A ramp on an image of a known size. The sum of its parts is its value:
    ///
    ///     value(x, y) = start + sum of gain · clamp(offset + slopeX x + slopeY y, 0, 1)
    ///
    /// with x and y in pixels. In a step, the sum counts as 0 below 0, and as 1 otherwise.
    public struct Line: Sendable, Hashable {
        /// The value before the first stop.
        public let start: Double
        /// The parts between one stop and the next.
        public let parts: [Part]

        /// The part of a ramp between two stops.
        public struct Part: Sendable, Hashable {
            /// The slopes per pixel along x and y, and the constant.
            public let slopeX, slopeY, offset: Double
            /// The difference of the values at the two stops.
            public let gain: Double
            /// Whether the two stops have the same position.
            public let isStep: Bool

            /// Returns the part's share of the way from one stop to the next, 0 to 1.
            public func share(x: Double, y: Double) -> Double {
                let value = offset + slopeX * x + slopeY * y
                return isStep ? (value < 0 ? 0 : 1) : min(max(value, 0), 1)
            }
        }

        /// Returns the mask's value at a point.
        ///
        /// - Parameters:
        ///   - x, y: the point in pixels, from the image's top left corner.
        public func value(x: Double, y: Double) -> Double {
            parts.reduce(start) { $0 + $1.gain * $1.share(x: x, y: y) }
        }

        /// Returns the range of the values in a rectangle.
        func range(x: (Double, Double), y: (Double, Double)) -> ClosedRange<Double> {
            let corners = [(x.0, y.0), (x.1, y.0), (x.0, y.1), (x.1, y.1)]
            // All parts change along one direction, so a part that has begun somewhere in the rectangle has ended elsewhere, or
            // is the last. The ends of the parts in between are values of the rectangle, too.
            var (value, low, high) = (start, Double.infinity, -Double.infinity)
            for part in parts {
                let shares = corners.map { part.share(x: $0.0, y: $0.1) }
                let (least, most) = (shares.min() ?? 0, shares.max() ?? 1)
                let ends = [value + part.gain * least, value + part.gain * most]
                if least < 1, most > 0 {
                    low = min(low, ends[0], ends[1])
                    high = max(high, ends[0], ends[1])
                }
                value += part.gain
            }
            // The rectangle lies before the first stop, or behind the last.
            if low > high {
                let all = corners.map { self.value(x: $0.0, y: $0.1) }
                return Mask.range(all.min() ?? 0, all.max() ?? 1)
            }
            return Mask.range(max(low, 0), min(high, 1))
        }

        /// The part of a ramp from 0 to 1 between its only two stops; nil for other ramps. The usual ramp has faster code.
        package var usualPart: Part? { start == 0 && parts.count == 1 && parts[0].gain == 1 ? parts[0] : nil }

        package func isConstant(along axis: Axis) -> Bool {
            parts.allSatisfy { axis == .x ? $0.slopeX == 0 : $0.slopeY == 0 }
        }
    }

    /// Returns the ramp's coefficients on an image of a size in pixels.
    public func line(width: Double, height: Double) -> Line {
        // Multiples of a right angle are computed exactly, so that a horizontal or vertical ramp has a slope of exactly
        // 0 along the other axis.
        let turns = (angle / 90).rounded() * 90 == angle ? angle.truncatingRemainder(dividingBy: 360) : nil
        let (dx, dy): (Double, Double) =
            switch turns {
            case 0: (1, 0)
            case 90, -270: (0, 1)
            case 180, -180: (-1, 0)
            case 270, -90: (0, -1)
            default: (cos(angle * .pi / 180), sin(angle * .pi / 180))
            }
        let span = abs(dx) * width + abs(dy) * height
        let corner = 0.5 - (dx * width + dy * height) / (2 * span)
        let parts = zip(stops, stops.dropFirst()).map { from, to in
            // A part narrower than this cannot be seen to differ from a step, and the reciprocal of its width could
            // overflow.
            let isStep = abs(to.position - from.position) < 1e-9
            let scale = isStep ? 1 : 1 / (to.position - from.position)
            return Line.Part(
                slopeX: dx / span * scale, slopeY: dy / span * scale, offset: (corner - from.position) * scale,
                gain: to.value - from.value, isStep: isStep)
        }
        return Line(start: stops.first?.value ?? 0, parts: parts)
    }
}
