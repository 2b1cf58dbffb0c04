/// The distance of points from the outline of a shape, in pixels, negative inside.
///
/// With a the half-sides of the shape, R the length that a corner takes of its sides, G the ``Gauge`` of the corner's curve, p the
/// point relative to the middle, and q = |p| - (a - R):
///
///     d = G(max(q, 0)) + min(max(q.x, q.y), 0) - R
///
/// This is the true distance for circular corners, and for all points that are nearest to a side. For an ellipse, d is the true
/// distance: that of the nearest point (a² p.x / (t + a²), b² p.y / (t + b²)), where t solves
///
///     (a p.x / (t + a²))² + (b p.y / (t + b²))² = 1
///
/// The left side is convex and falls beyond t = b |p.y| - b², with b the shorter half-axis, so Newton's method finds the solution
/// from there.
struct OutlineDistance: Sendable {
    private let center: SIMD2<Double>
    private let half: SIMD2<Double>
    private let reach: Double
    private let gauge: Gauge?
    /// The sine and cosine of the angle by which the shape is turned clockwise.
    private let turn: SIMD2<Double>

    init(_ shape: RoundedRect) {
        half = SIMD2(shape.width, shape.height) / 2
        center = SIMD2(shape.x, shape.y) + half
        reach = shape.reach
        gauge = shape.isEllipse ? nil : Gauge(shape)
        turn = ShapeField.turn(of: shape)
    }

    func value(_ point: SIMD2<Double>) -> Double {
        let moved = point - center
        let upright = SIMD2(moved.x * turn.y + moved.y * turn.x, moved.y * turn.y - moved.x * turn.x)
        let place = SIMD2(abs(upright.x), abs(upright.y))
        guard let gauge else {
            return half.x >= half.y
                ? Self.ofEllipse(half, place) : Self.ofEllipse(SIMD2(half.y, half.x), SIMD2(place.y, place.x))
        }
        let q = place - (half - reach)
        return gauge.value(pointwiseMax(q, .zero)).size + min(max(q.x, q.y), 0) - reach
    }

    /// - Parameters:
    ///   - axes: the half-axes, the longer one first, above 0.
    ///   - point: a point whose coordinates are at least 0.
    private static func ofEllipse(_ axes: SIMD2<Double>, _ point: SIMD2<Double>) -> Double {
        let squares = axes * axes
        let nearest: SIMD2<Double>
        if point.y > 0 {
            var t = axes.y * point.y - squares.y
            for _ in 0..<steps {
                let divisors = SIMD2(t + squares.x, t + squares.y)
                let ratios = axes * point / divisors
                let slopes = ratios * ratios / divisors
                let step = (ratios.x * ratios.x + ratios.y * ratios.y - 1) / (2 * (slopes.x + slopes.y))
                t += step
                if step <= 1e-12 * (t + squares.y) { break }
            }
            nearest = squares * point / SIMD2(t + squares.x, t + squares.y)
        } else {
            // On the longer axis, two mirrored points are nearest, or the axis's end.
            let share = squares.x > squares.y ? min(axes.x * point.x / (squares.x - squares.y), 1) : 1
            nearest = SIMD2(axes.x * share, axes.y * (1 - share * share).squareRoot())
        }
        let way = point - nearest
        let length = (way.x * way.x + way.y * way.y).squareRoot()
        let gauge = point / axes
        return gauge.x * gauge.x + gauge.y * gauge.y < 1 ? -length : length
    }

    /// The most steps of Newton's method. Far from the solution each one gains half of the distance covered so far.
    private static let steps = 80
}
