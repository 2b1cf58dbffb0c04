import Glibc

/// A motion blur: the mean along a straight segment around each pixel, of premultiplied colour, as a camera sees moving
/// objects.
///
/// The segment is centred on the pixel and twice the radius long. It is sampled one pixel apart. Each sample is
/// interpolated between its four neighbours, and those at the ends have partial weights, so radius and angle can be
/// animated. Up to a radius of half a pixel the segment is the pixel itself.
///
/// O(radius) per pixel.
public struct MotionBlur: Sendable, Hashable {
    /// Half the segment's length, in pixels of the input.
    public let radius: Double
    /// The segment's direction in radians, counterclockwise from the x axis.
    public let angle: Double
    /// How the image is extended.
    public let edge: EdgeMode

    /// Every GPU has room for that many weights.
    public static let radiusRange: ClosedRange<Double> = 0...100
    public static let angleRange: ClosedRange<Double> = -100...100

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a radius outside 0...100 and an angle
    ///   outside -100...100.
    public init(radius: Double, angle: Double = 0, edge: EdgeMode = .clamp) throws(ParameterError) {
        for (name, value, range) in [("radius", radius, Self.radiusRange), ("angle", angle, Self.angleRange)] {
            guard range.contains(value) else { throw .outOfRange(parameter: name, value: value, allowed: range) }
        }
        self.radius = radius
        self.angle = angle
        self.edge = edge
    }

    /// Whether every pixel is copied.
    public var isIdentity: Bool { radius <= 0.5 }

    /// Half the segment's extent along an axis, in pixels: the maximum distance to which a pixel spreads.
    public func reach(_ axis: Axis) -> Double { radius * abs(axis == .x ? cos(angle) : sin(angle)) }

    /// The kernel; its weights sum to 1.
    ///
    /// - Complexity: O(radius).
    public var runs: [Kernel2D.Run] {
        guard !isIdentity else { return [Kernel2D.Run(dx: 0, dy: 0, count: 1, weight: 1)] }
        let samples = SegmentSamples(radius: radius)
        // y is positive downwards.
        let (dx, dy) = (cos(angle), -sin(angle))
        var rows: [Int: [Int: Double]] = [0: [0: samples.weight(0)]]
        for k in stride(from: 1, through: samples.last, by: 1) {
            let (x, y) = (Double(k) * dx, Double(k) * dy)
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            for (row, partY) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] {
                for (column, partX) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] {
                    let weight = samples.weight(k) * partX * partY
                    // A rounding error of a cosine that should be 0.
                    guard weight > 1e-12 else { continue }
                    // The other half of the segment is symmetric.
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

/// The samples that approximate a segment's mean: one pixel apart from its centre on, with partial weights at the ends.
/// So the result is continuous as the segment grows. Up to a length of one pixel only the centre counts.
private struct SegmentSamples {
    /// Samples `-last...last`.
    let last: Int
    private let half: Double

    init(radius: Double) {
        half = radius + 0.5
        last = max(0, Int(half.rounded(.up)) - 1)
    }

    /// Not normalised: the sum is the segment's length, and at least 1.
    func weight(_ k: Int) -> Double { min(1, half - abs(Double(k))) }
}

extension MotionBlur: CustomStringConvertible {
    /// "motion radius 20 angle 0", "motion radius 5 angle 0.7854 edge clear".
    public var description: String {
        "motion radius \(numberText(radius)) angle \(numberText(angle, decimals: 4))"
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
