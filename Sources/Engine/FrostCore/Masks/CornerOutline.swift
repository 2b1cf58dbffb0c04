import Glibc

/// The outline of a corner that is not a quarter circle, and the area outside it.
///
/// A point has two coordinates: its distances `s` and `t` from the two sides that meet in the corner. From the corner's
/// diagonal to the end of the curve, the outline is a falling function: `t = inset(s)`, for s from ``diagonal`` to
/// ``reach``. The other half of the outline is the mirror image, `s = inset(t)`. The slope of a half is at most 1, so
/// numerical integration along s converges quickly.
///
/// **Continuous corners.** The radius is R and the smoothing ξ. Each transition turns by α = ξ·45°, and the arc between the
/// transitions is part of a circle of radius R that touches both sides. The transition is a cubic Bézier curve. It begins on
/// the side at s = (1 + ξ)R and ends where the arc begins, at s = R(1 - sin α), t = R(1 - cos α). Its two control points lie
/// on the side, so the curvature at its beginning is 0. The second control point is where the tangent of the arc's end meets
/// the side. The distance from there to the end is R·tan(α/2), because the two tangents from a point to a circle have equal
/// lengths. With u = tan(α/2), that point is s = R(1 - u). The first control point divides the rest, R(ξ + u), in the
/// ratio 2:1. So with b = R(ξ + u)/3, c = R·u·cos α, d = R·u·sin α, and the curve's parameter τ:
///
///     s = (1 + ξ)R - 6bτ + 3bτ² - cτ³,   t = dτ³
struct CornerOutline: Sendable, Hashable {
    let radius: Double
    /// The length of the curve's extent along each side.
    let reach: Double
    /// Both coordinates of the point on the corner's diagonal.
    let diagonal: Double
    let border: Border

    enum Border: Sendable, Hashable {
        /// The lengths b, c and d of a transition. The arc begins at s = `joint`.
        case continuous(b: Double, c: Double, d: Double, joint: Double)
        case superellipse(exponent: Double)
    }

    /// Creates the outline of a corner. Returns nil for circular corners and for corners without a radius.
    init?(_ curve: CornerCurve, radius: Double) {
        guard radius > 0, !curve.isCircular else { return nil }
        self.radius = radius
        reach = radius * curve.reach
        switch curve {
        case .circular, .ellipse: return nil
        case .continuous(let smoothing):
            let u = CornerCurve.halfTangent(ofSmoothing: smoothing)
            let c = radius * u * (1 - u * u) / (1 + u * u)
            border = .continuous(
                b: radius * (smoothing + u) / 3, c: c, d: radius * u * 2 * u / (1 + u * u),
                joint: radius * (1 - u) - c)
            diagonal = radius * (1 - 0.5.squareRoot())
        case .superellipse(let exponent):
            border = .superellipse(exponent: exponent)
            diagonal = radius * (1 - pow(0.5, 1 / exponent))
        }
    }

    /// Returns t of the outline at `s`, ``diagonal`` to ``reach``.
    func inset(_ s: Double) -> Double {
        switch border {
        case .superellipse(let exponent):
            return radius * (1 - pow(1 - pow(max(1 - s / radius, 0), exponent), 1 / exponent))
        case .continuous(let b, let c, let d, let joint):
            guard s > joint else {
                let h = radius - s
                return h * h / (radius + (radius * radius - h * h).squareRoot())
            }
            // Newton's method for 6bτ - 3bτ² + cτ³ = x. The function is increasing, and its slope changes by less than a
            // factor of 4. From the secant, three steps have an error below 1e-8, and four that of a Double.
            let x = reach - s
            var parameter = x / (reach - joint)
            for _ in 0..<4 {
                let value = ((c * parameter - 3 * b) * parameter + 6 * b) * parameter - x
                parameter -= value / ((3 * c * parameter - 6 * b) * parameter + 6 * b)
            }
            return d * parameter * parameter * parameter
        }
    }

    /// Returns s of the outline at `t`, 0 to ``diagonal``: the inverse of ``inset(_:)``.
    func place(_ t: Double) -> Double {
        switch border {
        case .superellipse(let exponent):
            return radius * (1 - pow(max(1 - pow(1 - t / radius, exponent), 0), 1 / exponent))
        case .continuous(let b, let c, let d, _):
            guard t < d else { return radius - (t * (2 * radius - t)).squareRoot() }
            let parameter = cbrt(t / d)
            return reach - ((c * parameter - 3 * b) * parameter + 6 * b) * parameter
        }
    }

    /// Returns the distance along a side at which a line parallel to the side, at distance `t`, enters the shape.
    func boundary(_ t: Double) -> Double {
        if t >= reach { return 0 }
        return t < diagonal ? place(max(t, 0)) : inset(t)
    }

    /// Returns how much of a box's area lies outside the outline.
    ///
    /// - Parameters:
    ///   - low: the coordinates s and t of the box's corner that is nearest to the shape's corner, at least 0.
    ///   - high: the coordinates of the opposite corner.
    func areaOutside(_ low: SIMD2<Double>, _ high: SIMD2<Double>) -> Double {
        if low.x >= boundary(low.y) { return 0 }
        if high.x <= boundary(high.y), high.y < reach { return (high.x - low.x) * (high.y - low.y) }
        let square =
            max(min(high.x, diagonal) - low.x, 0) * max(min(high.y, diagonal) - low.y, 0)
        return square + half(low.x, high.x, low.y, high.y) + half(low.y, high.y, low.x, high.x)
    }

    /// Returns how much of a box's area lies in one half of the area outside: where s is at least ``diagonal``, and t is
    /// below the outline.
    private func half(_ s0: Double, _ s1: Double, _ t0: Double, _ t1: Double) -> Double {
        let (low, high) = (max(s0, diagonal), min(s1, reach))
        guard low < high, t0 < diagonal else { return 0 }
        // Up to `full` the outline is above the box, and from `end` on it is below the box.
        let full = min(max(t1 < diagonal ? place(t1) : diagonal, low), high)
        let end = min(max(place(t0), full), high)
        let middle: Double
        switch border {
        case .continuous(_, _, _, let joint): middle = min(max(joint, full), end)
        case .superellipse: middle = full
        }
        return (full - low) * (t1 - t0) + integral(full, middle, above: t0) + integral(middle, end, above: t0)
    }

    /// Returns the area between the outline and the line at t = `base`. Integrates with 8-point Gauss-Legendre quadrature.
    private func integral(_ from: Double, _ to: Double, above base: Double) -> Double {
        guard from < to else { return 0 }
        let (centre, reach) = ((from + to) / 2, (to - from) / 2)
        var sum = 0.0
        for (node, weight) in Self.nodes {
            sum += weight * (inset(centre - reach * node) + inset(centre + reach * node) - 2 * base)
        }
        return max(sum * reach, 0)
    }

    /// The positive nodes of the quadrature, and their weights.
    static let nodes = [
        (0.1834346424956498, 0.3626837833783620), (0.5255324099163290, 0.3137066458778873),
        (0.7966664774136267, 0.2223810344533745), (0.9602898564975363, 0.1012285362903763),
    ]
}

extension CornerCurve {
    /// Returns tan(α/2), where α is the angle by which a transition of a continuous corner turns.
    package static func halfTangent(ofSmoothing smoothing: Double) -> Double { tan(smoothing * .pi / 8) }
}
