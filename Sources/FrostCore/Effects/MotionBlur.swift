#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A motion blur: the mean along a straight segment around each pixel, on premultiplied colour, as a camera sees what
/// moves past it.
///
/// The segment is twice the radius long and has the pixel in its middle. It is sampled one pixel apart, each sample mixed
/// of its four neighbours, and those at the ends count in part: so radius and angle may be animated.
/// Up to half a pixel the segment is the pixel itself.
///
/// O(radius) a pixel.
public struct MotionBlur: Sendable, Hashable {
    /// Half the segment's length, in pixels of the input.
    public let radius: Double
    /// Of the segment, in radians, counter-clockwise from the x axis.
    public let angle: Double
    /// What lies outside the image.
    public let edge: EdgeMode

    /// Every GPU has room for as many weights.
    public static let radiusRange: ClosedRange<Double> = 0...100
    public static let angleRange: ClosedRange<Double> = -100...100

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a radius outside of 0...100 and an angle
    ///   outside of -100...100.
    public init(radius: Double, angle: Double = 0, edge: EdgeMode = .clamp) throws(ParameterError) {
        for (name, value, range) in [("radius", radius, Self.radiusRange), ("angle", angle, Self.angleRange)] {
            guard range.contains(value) else { throw .outOfRange(parameter: name, value: value, allowed: range) }
        }
        self.radius = radius
        self.angle = angle
        self.edge = edge
    }

    /// Whether every pixel is its own segment.
    public var isIdentity: Bool { radius <= 0.5 }

    /// From the middle to an end, in pixels along an axis: at most so far does a pixel show.
    public func reach(_ axis: Axis) -> Double { radius * abs(axis == .x ? cos(angle) : sin(angle)) }

    /// The kernel, of the sum 1.
    ///
    /// - Complexity: O(radius).
    public var runs: [Kernel2D.Run] {
        guard !isIdentity else { return [Kernel2D.Run(dx: 0, dy: 0, count: 1, weight: 1)] }
        let samples = SegmentSamples(radius: radius)
        // Downwards is positive.
        let (dx, dy) = (cos(angle), -sin(angle))
        var rows: [Int: [Int: Double]] = [0: [0: samples.weight(0)]]
        for k in stride(from: 1, through: samples.last, by: 1) {
            let (x, y) = (Double(k) * dx, Double(k) * dy)
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            for (row, partY) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] {
                for (column, partX) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] {
                    let weight = samples.weight(k) * partX * partY
                    // What is left of a cosine that should be 0.
                    guard weight > 1e-12 else { continue }
                    // The other half of the segment is the mirror image.
                    rows[row, default: [:]][column, default: 0] += weight
                    rows[-row, default: [:]][-column, default: 0] += weight
                }
            }
        }
        return [Kernel2D.Run](
            rows.sorted { $0.key < $1.key }.map { dy, columns in
                let (first, last) = (columns.keys.min() ?? 0, columns.keys.max() ?? 0)
                return (dy, first, (first...last).map { columns[$0] ?? 0 })
            })
    }
}

/// The samples that stand for a segment's mean: one pixel apart around its middle, those at the ends counted in part.
/// So nothing jumps when the segment grows. Up to a length of one pixel there is the middle alone.
private struct SegmentSamples {
    /// Samples `-last...last`.
    let last: Int
    private let half: Double

    init(radius: Double) {
        half = radius + 0.5
        last = max(0, Int(half.rounded(.up)) - 1)
    }

    /// Not normalised: the sum is the length where that is above 1.
    func weight(_ k: Int) -> Double { min(1, half - abs(Double(k))) }
}

extension MotionBlur: CustomStringConvertible {
    /// "motion radius 20 angle 0", "motion radius 5 angle 0.7854 edge clear".
    public var description: String {
        "motion radius \(numberText(radius)) angle \(numberText(angle, decimals: 4))"
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
