/// The curve of a rectangle's rounded corners. All curves are symmetric about the corner's diagonal.
///
/// Sources: the continuous curve is the one that Daniel Furse derives in "Desperately seeking squircles" (Figma, 2018) for
/// the corners of iOS 7. The superellipse is Lamé's curve.
public enum CornerCurve: Sendable, Hashable {
    /// A quarter circle.
    case circular
    /// An arc of the corner's radius, and on both sides of the arc a transition whose curvature falls to 0 at the straight
    /// side. Without the transitions, the curvature would jump there, which shows in reflections and outlines.
    ///
    /// The smoothing, 0 to 1, is the share of the corner's right angle that the transitions turn. It is also the length by
    /// which each transition extends along the side beyond a circular corner, in radii. 0.6 is close to the corners of iOS:
    /// the curves differ by at most 0.6 % of the radius. 0 gives a circular corner, and 1 leaves no arc.
    case continuous(smoothing: Double = 0.6)
    /// The curve `|x/radius|^n + |y/radius|^n = 1` with the exponent n, 1 to 16. 1 cuts the corner off along a straight
    /// line, 2 gives a circular corner, and 4 a squircle. With larger exponents the corner approaches a right angle.
    case superellipse(exponent: Double = 4)
    /// Quarters of the ellipse that fills the rectangle, whatever the radius.
    case ellipse

    /// The allowed smoothing of a continuous corner.
    public static let smoothingRange = 0.0...1.0
    /// The allowed exponents of a superellipse.
    public static let exponentRange = 1.0...16.0

    /// The length that a corner takes of each of its sides, in radii. A side has to be at least twice as long.
    public var reach: Double {
        switch self {
        case .circular, .superellipse, .ellipse: 1
        case .continuous(let smoothing): 1 + smoothing
        }
    }

    /// Whether the curve is a quarter circle in every rectangle.
    public var isCircular: Bool {
        switch self {
        case .circular: true
        case .continuous(let smoothing): smoothing == 0
        case .superellipse(let exponent): exponent == 2
        case .ellipse: false
        }
    }

    /// Returns the largest radius for which a rectangle has room.
    public func maximumRadius(width: Double, height: Double) -> Double { min(width, height) / 2 / reach }

    /// Checks the curve's parameter.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    func check() throws(ParameterError) {
        let (name, value, allowed): (String, Double, ClosedRange<Double>)
        switch self {
        case .circular, .ellipse: return
        case .continuous(let smoothing): (name, value, allowed) = ("corner smoothing", smoothing, Self.smoothingRange)
        case .superellipse(let exponent): (name, value, allowed) = ("corner exponent", exponent, Self.exponentRange)
        }
        guard allowed.contains(value) else { throw .outOfRange(parameter: name, value: value, allowed: allowed) }
    }
}

extension CornerCurve: CustomStringConvertible {
    /// The curve in words; empty for a circular corner.
    public var description: String {
        switch self {
        case .circular: ""
        case .continuous(let smoothing): "smoothing \(smoothing.short)"
        case .superellipse(let exponent): "exponent \(exponent.short)"
        case .ellipse: "ellipse"
        }
    }
}

extension Double {
    /// The number without a fraction if it is an integer.
    var short: String { self == rounded() && magnitude < 0x1p53 ? "\(Int(self))" : "\(self)" }
}
