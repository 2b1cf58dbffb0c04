/// How a value goes from one keyframe to the next.
public enum TimingCurve: Sendable, Hashable {
    /// At constant speed.
    case linear
    /// Stays, and jumps at the next keyframe.
    case hold
    /// Along a cubic Bezier from (0, 0) to (1, 1), as in CSS.
    case bezier(BezierCurve)
    /// The next keyframe's value becomes the target of a spring. The spring takes its own time: if it is still moving at the
    /// next keyframe, its remaining motion is added to what follows. A chain of equal springs is therefore one spring whose
    /// target jumps.
    case spring(Spring)

    /// Starts slowly: the cubic Bezier .42, 0, 1, 1.
    public static let easeIn = TimingCurve.bezier(BezierCurve(x1: 0.42, y1: 0, x2: 1, y2: 1))
    /// Ends slowly: the cubic Bezier 0, 0, .58, 1.
    public static let easeOut = TimingCurve.bezier(BezierCurve(x1: 0, y1: 0, x2: 0.58, y2: 1))
    /// Starts and ends slowly: the cubic Bezier .42, 0, .58, 1.
    public static let easeInOut = TimingCurve.bezier(BezierCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1))

    /// The curves that have names.
    static let named: [(name: String, curve: TimingCurve)] = [
        ("linear", .linear), ("hold", .hold), ("ease-in", .easeIn), ("ease-out", .easeOut),
        ("ease-in-out", .easeInOut),
    ]
}

/// A cubic Bezier from (0, 0) to (1, 1) with two control points, as a function of x.
public struct BezierCurve: Sendable, Hashable {
    /// The control points. x1 and x2 are in 0...1, so that the curve has one y for each x.
    public let x1, y1, x2, y2: Double

    /// Returns the curve's y at a given x, to about 1e-12. x is limited to 0...1.
    public func y(at x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        // x grows with the curve's parameter, so halving the interval finds it. Newton's steps speed this up as long as
        // they stay within the interval.
        var (low, high, t) = (0.0, 1.0, x)
        for _ in 0..<64 {
            let error = Self.value(x1, x2, t) - x
            if abs(error) < 1e-14 { break }
            if error > 0 { high = t } else { low = t }
            let slope = Self.slope(x1, x2, t)
            let next = t - error / slope
            t = slope > 1e-9 && next > low && next < high ? next : (low + high) / 2
        }
        return Self.value(y1, y2, t)
    }

    private static func value(_ a: Double, _ b: Double, _ t: Double) -> Double {
        let s = 1 - t
        return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t
    }

    private static func slope(_ a: Double, _ b: Double, _ t: Double) -> Double {
        let s = 1 - t
        return 3 * s * s * a + 6 * s * t * (b - a) + 3 * t * t * (1 - b)
    }
}
