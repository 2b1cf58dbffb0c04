import Glibc

/// The Gaussian of the area of a rounded rectangle that is turned. Along the axes of the shape, it is that of an upright one; the
/// turn of the pixels over which it is averaged changes it by less than 1/1000, from sigma 1 on by less than 1/10,000.
struct TurnedOutlineBlur: Sendable {
    private let parts: OutlineParts
    private let sine, cosine: Double
    private let whole: [Table]
    private let square: [Table]
    /// For each strip of a corner, its line and its depth along both axes.
    private let lines: [[Table]]
    private let strips: [[Table]]

    init(_ parts: OutlineParts, _ degrees: Double) {
        self.parts = parts
        (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        func tables(_ profile: (Int) -> OutlineParts.Profile) -> [Table] {
            (0..<2).map { Table(profile($0), pitch: parts.sigma / 4) }
        }
        whole = tables { parts.whole($0) }
        square = tables { parts.strip($0, to: parts.diagonal) }
        lines = parts.strips.map { strip in tables { parts.line($0, at: strip.place) } }
        strips = parts.strips.map { strip in tables { parts.strip($0, to: strip.depth) } }
    }

    func add(_ y: Int, _ columns: Range<Int>, to sums: inout [Double], from first: Int) {
        for x in columns {
            let moved = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - parts.center
            sums[x - first] += value(
                SIMD2(moved.x * cosine + moved.y * sine, moved.y * cosine - moved.x * sine))
        }
    }

    /// Returns the Gaussian at a place along the axes of the shape.
    private func value(_ place: SIMD2<Double>) -> Double {
        var sum = whole[0][place.x] * whole[1][place.y]
        guard parts.diagonal > 0 else { return max(sum, 0) }
        sum -= square[0][place.x] * square[1][place.y]
        for (axis, other) in [(0, 1), (1, 0)] {
            for index in near(parts.half[axis] - abs(place[axis])) {
                sum -= parts.strips[index].weight * lines[index][axis][place[axis]] * strips[index][other][place[other]]
            }
        }
        return max(sum, 0)
    }

    /// Returns the strips whose lines reach a distance from a side.
    private func near(_ distance: Double) -> Range<Int> {
        let reach = OutlineParts.reach(parts.sigma)
        let start = parts.strips.partitionPoint { $0.place >= distance - reach }
        return start..<max(start, parts.strips.partitionPoint { $0.place > distance + reach })
    }

    /// The values of a profile, interpolated by cubic polynomials (Catmull-Rom) with an error below 2·10^-4.
    private struct Table: Sendable {
        private let values: [Double]
        private let low: Double
        private let pitch: Double

        init(_ profile: OutlineParts.Profile, pitch: Double) {
            self.pitch = pitch
            low = profile.support.lowerBound - pitch
            let low = low
            let count = Int(((profile.support.upperBound - low) / pitch).rounded(.up)) + 3
            values = (0..<count).map { profile.value(low + Double($0) * pitch) }
        }

        subscript(place: Double) -> Double { side(place) + side(-place) }

        private func side(_ place: Double) -> Double {
            let position = (place - low) / pitch
            guard position >= 1, position < Double(values.count - 2) else { return 0 }
            let index = Int(position)
            let t = position - Double(index)
            let (a, b, c, d) = (values[index - 1], values[index], values[index + 1], values[index + 2])
            return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
        }
    }
}
