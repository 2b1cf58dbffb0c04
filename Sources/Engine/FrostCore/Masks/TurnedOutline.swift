import Glibc

/// The outline of a rounded rectangle that is turned, or of an ellipse, as a convex polygon: its two sides from the highest point
/// to the lowest.
///
/// The polygon's corners lie on the outline, and its edges are at most ``tolerance`` away from it (those of an ellipse with a
/// half-axis of more than 2^17 pixels are further away). The part of a pixel inside
/// is an integral over the pixel's height. With the left and right sides at x = l(y) and r(y), l ≤ r, and a pixel that begins
/// at x = c:
///
///     ∫ (clamp(r(y) - c, 0, 1) - clamp(l(y) - c, 0, 1)) dy
///
/// Both terms are integrals over straight edges, which have a closed form.
final class TurnedOutline: Sendable {
    /// The largest distance in pixels between the outline and the polygon.
    private static let tolerance = 0x1p-12

    private let left, right: Side
    let bounds: Rect

    /// - Parameters:
    ///   - center: the point about which the rectangle is turned.
    ///   - width, height, radius: those of the rectangle before it is turned.
    ///   - outline: the curve of the corners; nil for quarter circles.
    ///   - degrees: the angle, clockwise, above 0 and below 90.
    init(
        center: SIMD2<Double>, width: Double, height: Double, radius: Double, outline: CornerOutline?, degrees: Double
    ) {
        let corner = Self.corner(radius, outline)
        let (halfWidth, halfHeight) = (width / 2, height / 2)
        // Clockwise, so that a corner's points are in turn those from its second side to its first and back.
        let (there, back) = (corner, Array(corner.reversed()))
        let points =
            back.map { SIMD2($0.x - halfWidth, $0.y - halfHeight) }
            + there.map { SIMD2(halfWidth - $0.x, $0.y - halfHeight) }
            + back.map { SIMD2(halfWidth - $0.x, halfHeight - $0.y) }
            + there.map { SIMD2($0.x - halfWidth, halfHeight - $0.y) }
        (left, right, bounds) = Self.outline(points, center, degrees)
    }

    /// Creates the outline of an ellipse.
    ///
    /// A chord between the eccentric angles φ and φ + δ is at most a δ² / 8 away from an ellipse with the longer half-axis a.
    ///
    /// - Parameters:
    ///   - axes: the half-axes along x and y before the ellipse is turned.
    ///   - center: its centre.
    ///   - degrees: the angle, clockwise, at least 0 and below 90.
    init(ellipse axes: SIMD2<Double>, center: SIMD2<Double>, degrees: Double) {
        let step = (8 * Self.tolerance / max(axes.x, axes.y)).squareRoot()
        // The ends of both axes are corners of the polygon.
        let quarter = Int(min(max((Double.pi / 2 / step).rounded(.up), 1), 0x1p14))
        let points = (0..<4 * quarter).map { index in
            let angle = Double(index) / Double(quarter) * (Double.pi / 2)
            // The ends of the axes are exact.
            let (x, y): (Double, Double) =
                switch index {
                case 0: (1, 0)
                case quarter: (0, 1)
                case 2 * quarter: (-1, 0)
                case 3 * quarter: (0, -1)
                default: (cos(angle), sin(angle))
                }
            return SIMD2(axes.x * x, axes.y * y)
        }
        (left, right, bounds) = Self.outline(points, center, degrees)
    }

    /// Turns and moves a polygon whose points are in clockwise order about the origin.
    private static func outline(
        _ points: [SIMD2<Double>], _ center: SIMD2<Double>, _ degrees: Double
    ) -> (left: Side, right: Side, bounds: Rect) {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let turned = points.map { point in
            center + SIMD2(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine)
        }
        let (left, right) = sides(turned)
        let (low, high) = (turned.reduce(turned[0], pointwiseMin), turned.reduce(turned[0], pointwiseMax))
        let (x, y) = (Int(low.x.rounded(.down)), Int(low.y.rounded(.down)))
        return (
            left, right,
            Rect(x: x, y: y, width: Int(high.x.rounded(.up)) - x, height: Int(high.y.rounded(.up)) - y)
        )
    }

    /// Returns the columns in which a row's pixels are wholly inside. If no pixel is, the result is an empty range at a
    /// position within the columns of the outline.
    func wholeColumns(_ row: Int) -> Range<Int> {
        let middle = bounds.x + bounds.width / 2
        let (top, bottom) = (Double(row), Double(row + 1))
        guard top >= left.top, bottom <= left.bottom else { return middle..<middle }
        // The shape is convex, so each side is farthest inside at one of the row's edges.
        let first = Int(max(left.x(top), left.x(bottom)).rounded(.up))
        let last = Int(min(right.x(top), right.x(bottom)).rounded(.down))
        return first < last ? first..<last : middle..<middle
    }

    /// Returns columns that contain all of a row's pixels that touch the outline's inside.
    func touchedColumns(_ row: Int) -> Range<Int> {
        let rows = max(Double(row), left.top)...max(min(Double(row + 1), left.bottom), max(Double(row), left.top))
        guard bounds.rows.contains(row) else { return bounds.x..<bounds.x }
        let (first, last) = (left.extremes(rows).lowerBound, right.extremes(rows).upperBound)
        return (Int(first.rounded(.down))..<max(Int(first.rounded(.down)), Int(last.rounded(.up))))
            .clamped(to: bounds.columns)
    }

    /// Returns the part of a pixel that is inside.
    func coverage(_ column: Int, _ row: Int) -> Double {
        min(max(right.area(column, row) - left.area(column, row), 0), 1)
    }

    /// Returns points on a corner's outline, from the end of the curve on the horizontal side to that on the vertical side.
    /// Coordinates are the distances from the vertical and from the horizontal side.
    private static func corner(_ radius: Double, _ outline: CornerOutline?) -> [SIMD2<Double>] {
        guard radius > 0 else { return [.zero] }
        let (diagonal, reach) = (outline?.diagonal ?? radius * (1 - 0.5.squareRoot()), outline?.reach ?? radius)
        func point(_ s: Double) -> SIMD2<Double> {
            if let outline { return SIMD2(s, outline.inset(s)) }
            let rise = radius - s
            return SIMD2(s, rise * rise / (radius + (radius * radius - rise * rise).squareRoot()))
        }
        // Halves of an interval are added until the curve is close to the chord.
        var half = [point(reach)]
        func add(_ from: SIMD2<Double>, _ to: SIMD2<Double>, depth: Int) {
            let middle = point((from.x + to.x) / 2)
            if depth > 0, depth > 14 || abs(middle.y - (from.y + to.y) / 2) > tolerance {
                add(from, middle, depth: depth - 1)
                add(middle, to, depth: depth - 1)
            } else {
                half.append(to)
            }
        }
        add(half[0], point(diagonal), depth: 16)
        return half + half.dropLast().reversed().map { SIMD2($0.y, $0.x) }
    }

    /// Splits a polygon whose points are in clockwise order at its highest and lowest points.
    private static func sides(_ points: [SIMD2<Double>]) -> (left: Side, right: Side) {
        var (top, bottom) = (0, 0)
        for (index, point) in points.enumerated() {
            if point.y < points[top].y { top = index }
            if point.y > points[bottom].y { bottom = index }
        }
        func walk(_ step: Int) -> Side {
            var (index, side) = (top, [points[top]])
            while index != bottom {
                index = (index + step + points.count) % points.count
                side.append(points[index])
            }
            return Side(points: side)
        }
        return (walk(-1), walk(1))
    }

    /// The points of one side, from the highest to the lowest.
    private struct Side {
        let points: [SIMD2<Double>]

        var top: Double { points[0].y }
        var bottom: Double { points[points.count - 1].y }

        /// Returns the index of the edge that a height lies on.
        private func edge(at y: Double) -> Int {
            let next = points.partitionPoint { $0.y > y }
            return min(max(next - 1, 0), max(points.count - 2, 0))
        }

        func x(_ y: Double) -> Double {
            let edge = edge(at: y)
            let (from, to) = (points[edge], points[min(edge + 1, points.count - 1)])
            guard to.y > from.y else { return from.x }
            return from.x + (to.x - from.x) * min(max((y - from.y) / (to.y - from.y), 0), 1)
        }

        /// Returns the smallest and the largest x in a range of heights.
        func extremes(_ rows: ClosedRange<Double>) -> ClosedRange<Double> {
            let (first, last) = (x(rows.lowerBound), x(rows.upperBound))
            var (low, high) = (min(first, last), max(first, last))
            for point in points[edge(at: rows.lowerBound)...edge(at: rows.upperBound)]
            where rows.contains(point.y) {
                (low, high) = (min(low, point.x), max(high, point.x))
            }
            return low...high
        }

        /// Returns the integral of clamp(x(y) - column, 0, 1) over the heights of a row that the side has.
        func area(_ column: Int, _ row: Int) -> Double {
            let (high, low) = (max(Double(row), top), min(Double(row + 1), bottom))
            guard high < low else { return 0 }
            var area = 0.0
            for index in edge(at: high)...edge(at: low) where index + 1 < points.count {
                let (from, to) = (points[index], points[index + 1])
                let (start, end) = (max(from.y, high), min(to.y, low))
                guard start < end else { continue }
                let slope = (to.x - from.x) / (to.y - from.y)
                let (u, v) = (
                    from.x + slope * (start - from.y) - Double(column), from.x + slope * (end - from.y) - Double(column)
                )
                // Where the edge is almost upright, the difference of integrals would lose its digits.
                area +=
                    (end - start)
                    * (abs(v - u) < 1e-6 ? min(max((u + v) / 2, 0), 1) : (Self.ramp(v) - Self.ramp(u)) / (v - u))
            }
            return area
        }

        /// The integral of clamp(t, 0, 1) from 0 to `u`.
        private static func ramp(_ u: Double) -> Double { u <= 0 ? 0 : u < 1 ? u * u / 2 : u - 0.5 }
    }
}

// The outline follows from the rectangle's other values.
extension TurnedOutline: Hashable {
    static func == (_: TurnedOutline, _: TurnedOutline) -> Bool { true }
    func hash(into _: inout Hasher) {}
}
