import Glibc

/// The offsets of a lens at all points of a shape.
///
/// **The distance d.** The true distance from the edge has a crease where two sides are equally near, and the direction in
/// which it grows jumps there. So the contours of d have rounded corners at every depth. With R the length that a corner takes
/// of its sides (the radius, if it is circular), and w the width of the band, the contour at depth d has the sides of the shape
/// moved inwards by d, and its corners take the length
///
///     ρ(d) = R + β d,    β = max(-1, ½ - R / w)
///
/// If R is at least 1.5 w, β is -1: corners keep their centres, as those of parallel curves do, and for circular corners d is
/// the true distance. Corners that are smaller become rounder inwards, up to ρ(w) = w / 2. The contours do not cross, because
/// β is at least -1. d is never more than the true distance, and less by at most w / 4 (on the diagonals, for R = 0.75 w).
///
/// Let p be a point relative to the middle of the shape, of half-sides a, and u = |p| - (a - R). G is the gauge of the corner's
/// curve: the factor by which the curve must be scaled about its centre to contain a point, times R. So a contour consists of
/// all points with
///
///     G(max(u + (1 + β) d, 0)) = R + β d
///
/// The left side minus the right side is convex in d and grows, so Newton's method finds d from above. The gauge is
///
///     circular        √(x² + y²)
///     superellipse    (xⁿ + yⁿ)^(1/n)
///     continuous      with s and t the distances of ``CornerOutline``: R times the ratio of the point to the outline's point
///                     in the same direction from (R, R)
///
/// Outside the shape, where G(max(u, 0)) is at least R, d is the difference of the two, and its direction that of G there.
///
/// **Limits.** w is at most two thirds of half the shorter side, so that a contour with corners of w / 2 has room, and d reaches
/// w before opposite sides meet. The depth is at most half the shorter side.
package struct ShapeField: Sendable {
    /// The middle of the shape, and half of its sides before it is turned.
    package let center: SIMD2<Double>
    package let half: SIMD2<Double>
    /// R, β and w.
    package let reach: Double
    package let growth: Double
    package let band: Double
    /// The offset at the edge.
    package let depth: Double
    package let profile: Lens.Profile
    package let gauge: Gauge
    /// The sine and cosine of the angle by which the shape is turned clockwise.
    package let turn: SIMD2<Double>
    /// The pixels that the shape touches, grown for a shape that is joined with others.
    package let bounds: Rect
    /// Whether the shape is joined with others: see ``ShapeGroup``.
    let isJoined: Bool

    /// Creates the field of a lens along the edge of a shape.
    package init(_ lens: Lens, along shape: RoundedRect) {
        self.init(band: lens.band, depth: lens.depth, profile: lens.profile, along: shape)
    }

    /// Creates the field of distances along the edge of a shape.
    package init(band wanted: Double, depth: Double = 0, profile: Lens.Profile = .soft, along shape: RoundedRect) {
        let shorter = min(shape.width, shape.height) / 2
        half = SIMD2(shape.width, shape.height) / 2
        center = SIMD2(shape.x, shape.y) + half
        reach = shape.reach
        band = min(wanted, shorter * 2 / 3)
        growth = band > 0 ? max(-1, 0.5 - reach / band) : -1
        let deepest = min(shorter, profile.deepest * band)
        self.depth = band > 0 ? min(max(depth, -deepest), deepest) : 0
        self.profile = profile
        gauge = Gauge(shape)
        turn = Self.turn(of: shape)
        bounds = shape.bounds
        isJoined = false
    }

    /// Returns the sine and cosine of the angle by which a shape is turned clockwise.
    static func turn(of shape: RoundedRect) -> SIMD2<Double> {
        let angle = shape.rotation * .pi / 180
        return shape.rotation == 0 ? SIMD2(0, 1) : SIMD2(sin(angle), cos(angle))
    }

    /// Returns the field of a shape that is joined with others: with their band and depth, and directions also outside and deeper inside.
    ///
    /// - Parameter margin: by how much the bounds are grown.
    func sharing(band: Double, depth: Double, margin: Int) -> ShapeField {
        ShapeField(self, band: band, depth: depth, bounds: bounds.grown(by: margin))
    }

    private init(_ field: ShapeField, band: Double, depth: Double, bounds: Rect) {
        (half, center, reach, growth) = (field.half, field.center, field.reach, field.growth)
        (profile, gauge, turn) = (field.profile, field.gauge, field.turn)
        (self.band, self.depth, self.bounds) = (band, depth, bounds)
        isJoined = true
    }

    /// The length along the sides from a corner within which distances depend on both coordinates.
    package var corner: Double { max(reach, reach + (1 + growth) * band) }

    /// Returns whether a pixel lies within the bounds of the pixels that the shape touches.
    package func touches(_ x: Int, _ y: Int) -> Bool { bounds.columns.contains(x) && bounds.rows.contains(y) }

    /// Returns the distance d of a point, negative outside the shape, and the direction in which d falls most steeply, as a unit
    /// vector. Where d is not less than ``band``, the direction is 0.
    package func distance(_ point: SIMD2<Double>) -> (depth: Double, outward: SIMD2<Double>) {
        let moved = point - center
        let upright = SIMD2(moved.x * turn.y + moved.y * turn.x, moved.y * turn.y - moved.x * turn.x)
        let u = SIMD2(abs(upright.x), abs(upright.y)) - (half - reach)
        var v = pointwiseMax(u, .zero)
        var (size, slope) = gauge.value(v)
        // Outside the shape the equation may have no solution; the gauge alone gives the direction there.
        var d = reach - size
        let isInside = d > 0 || max(u.x, u.y) < 0
        if isInside {
            // Beside a straight side this is the result already.
            d = reach - max(u.x, u.y)
            v = pointwiseMax(u + (1 + growth) * d, .zero)
            (size, slope) = gauge.value(v)
        }
        if isInside, v.x > 0, v.y > 0 {
            for _ in 0..<Self.steps {
                let rest = size - reach - growth * d
                let step = rest / ((1 + growth) * (slope.x + slope.y) - growth)
                d -= step
                v = pointwiseMax(u + (1 + growth) * d, .zero)
                (size, slope) = gauge.value(v)
                if abs(step) < 1e-10 { break }
            }
        }
        // On the edge of a shape without a radius, the gauge has no slope. The direction is that of the side, and diagonal at a corner.
        if !isInside, size == 0 { slope = SIMD2(u.x >= u.y ? 1 : 0, u.y >= u.x ? 1 : 0) }
        let length = (slope.x * slope.x + slope.y * slope.y).squareRoot()
        guard length > 0, d < band || isJoined else { return (d, .zero) }
        let outward = SIMD2(upright.x < 0 ? -slope.x : slope.x, upright.y < 0 ? -slope.y : slope.y) / length
        return (
            d,
            SIMD2(outward.x * turn.y - outward.y * turn.x, outward.x * turn.x + outward.y * turn.y)
        )
    }

    /// Returns how far from a point of a pixel that the shape touches the lens reads the picture.
    package func offset(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (d, outward) = distance(point)
        return offset(d, outward)
    }

    /// Returns how far from a place the lens reads the picture.
    func offset(_ d: Double, _ outward: SIMD2<Double>) -> SIMD2<Double> {
        d < band ? outward * (-depth * profile.value(max(d, 0) / band)) : .zero
    }

    /// By how much the distance of a later shape must be larger for it to count, so that roundings do not choose between shapes that
    /// are equally deep.
    package static let tie = 1e-3

    /// The most steps of Newton's method. Four suffice for single precision.
    private static let steps = 12
}

/// The gauge of a corner's curve, whose unit is the pixel: R times the factor by which the curve must be scaled about its centre
/// to contain a point.
package enum Gauge: Sendable, Hashable {
    case circular
    case superellipse(exponent: Double)
    /// A continuous corner, with the numbers of ``CornerOutline``: its radius, R, the lengths b, c and d of a transition, and the
    /// tangent of the angle of the arc's end with the nearer axis, seen from the curve's centre.
    case continuous(Continuous)

    package struct Continuous: Sendable, Hashable {
        package let radius, reach, b, c, d, tangent: Double
    }

    init(_ shape: RoundedRect) {
        switch shape.outline?.border {
        case nil: self = .circular
        case .superellipse(let exponent): self = .superellipse(exponent: exponent)
        case .continuous(let b, let c, let d, let joint):
            self = .continuous(
                Continuous(
                    radius: shape.radius, reach: shape.reach, b: b, c: c, d: d,
                    tangent: (shape.reach - joint) / (shape.reach - d)))
        }
    }

    /// Returns the gauge of a point, whose coordinates are at least 0, and its derivatives.
    func value(_ point: SIMD2<Double>) -> (size: Double, slope: SIMD2<Double>) {
        guard point.x > 0 || point.y > 0 else { return (0, .zero) }
        if point.y == 0 { return (point.x, SIMD2(1, 0)) }
        if point.x == 0 { return (point.y, SIMD2(0, 1)) }
        switch self {
        case .circular:
            let size = (point.x * point.x + point.y * point.y).squareRoot()
            return (size, point / size)
        case .superellipse(let exponent):
            // Relative to the larger coordinate, so that no power overflows.
            let larger = max(point.x, point.y)
            let part = point / larger
            let sum = pow(part.x, exponent) + pow(part.y, exponent)
            let size = larger * pow(sum, 1 / exponent)
            let ratio = point / size
            return (size, SIMD2(pow(ratio.x, exponent - 1), pow(ratio.y, exponent - 1)))
        case .continuous(let curve):
            if point.x > point.y {
                let (size, slope) = curve.value(SIMD2(point.y, point.x))
                return (size, SIMD2(slope.y, slope.x))
            }
            return curve.value(point)
        }
    }
}

extension Gauge.Continuous {
    /// Returns the gauge of a point with x at most y, above 0, and its derivatives.
    ///
    /// Seen from the curve's centre, the outline is at (R - s, R - t): the transition at (((c τ - 3b) τ + 6b) τ, R - d τ³), and
    /// the arc on a circle around (R - r, R - r).
    fileprivate func value(_ point: SIMD2<Double>) -> (size: Double, slope: SIMD2<Double>) {
        let ratio = point.x / point.y
        if ratio > tangent {
            // The outline's point is f times the point: |f point - m (1, 1)| = r for m = R - r.
            let middle = reach - radius
            let (square, sum) = (point.x * point.x + point.y * point.y, point.x + point.y)
            let root = (middle * middle * sum * sum - square * (2 * middle * middle - radius * radius)).squareRoot()
            let factor = (middle * sum + root) / square
            let normal = factor * point - middle
            return scaled(normal, point, factor)
        }
        // ratio (R - d τ³) = ((c τ - 3b) τ + 6b) τ, whose right side grows and whose left side falls.
        var parameter = ratio * reach / (6 * b)
        for _ in 0..<6 {
            let value = ((c * parameter - 3 * b) * parameter + 6 * b) * parameter
            let cube = d * parameter * parameter * parameter
            let slope = (3 * c * parameter - 6 * b) * parameter + 6 * b + ratio * 3 * d * parameter * parameter
            parameter -= (value - ratio * (reach - cube)) / slope
        }
        parameter = min(max(parameter, 0), 1)
        let factor = (reach - d * parameter * parameter * parameter) / point.y
        let normal = SIMD2(
            3 * d * parameter * parameter, (3 * c * parameter - 6 * b) * parameter + 6 * b)
        return scaled(normal, point, factor)
    }

    /// The gauge is R / factor. Its derivative has the direction of the outline's normal and, along the point, the ratio of the
    /// gauge to the point's length (Euler's theorem for functions of degree 1).
    private func scaled(
        _ normal: SIMD2<Double>, _ point: SIMD2<Double>, _ factor: Double
    ) -> (size: Double, slope: SIMD2<Double>) {
        let size = reach / factor
        return (size, normal * (size / (normal.x * point.x + normal.y * point.y)))
    }
}
