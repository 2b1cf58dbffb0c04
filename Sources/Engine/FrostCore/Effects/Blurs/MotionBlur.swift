import Glibc

/// A motion blur: each pixel becomes the mean along a straight segment around it. Colours are averaged premultiplied.
/// The result resembles a photo of moving objects.
///
/// The centre of the segment is the pixel, and its length is twice the radius. Its samples are one pixel apart. Each
/// sample is interpolated between its four neighbours, and the samples at the ends have partial weights. So the result
/// changes continuously when the radius or the angle is animated. Up to a radius of half a pixel, the blur copies every
/// pixel.
///
/// The cost is O(radius) per pixel.
public struct MotionBlur: Sendable, Hashable {
    /// Half the segment's length, in pixels of the input.
    public let radius: Double
    /// The segment's direction in radians, counterclockwise from the x axis.
    public let angle: Double
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// The range of accepted radii, in pixels. Every GPU has room for the weights of the longest segment.
    public static let radiusRange: ClosedRange<Double> = 0...100
    /// The range of accepted angles, in radians.
    public static let angleRange: ClosedRange<Double> = -100...100

    /// Creates a motion blur.
    ///
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

    /// Whether the blur copies every pixel.
    public var isIdentity: Bool { radius <= 0.5 }

    /// Returns half the segment's extent along an axis, in pixels. This is the maximum distance over which the blur
    /// spreads a pixel along the axis.
    public func reach(_ axis: Axis) -> Double { radius * abs(axis == .x ? cos(angle) : sin(angle)) }

    /// The blur's kernel. Its weights sum to 1.
    ///
    /// - Complexity: O(radius).
    public var runs: [KernelRun] {
        guard !isIdentity else { return [KernelRun(dx: 0, dy: 0, count: 1, weight: 1)] }
        let samples = SegmentSamples(radius: radius)
        // The y axis points downwards, so the sine is negated.
        let (dx, dy) = (cos(angle), -sin(angle))
        var rows: [Int: [Int: Double]] = [0: [0: samples.weight(0)]]
        for k in stride(from: 1, through: samples.last, by: 1) {
            let (x, y) = (Double(k) * dx, Double(k) * dy)
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            for (row, partY) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] {
                for (column, partX) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] {
                    let weight = samples.weight(k) * partX * partY
                    // A weight below this limit is only the rounding error of a sine or cosine that should be 0.
                    guard weight > 1e-12 else { continue }
                    // The kernel is symmetric, so the other half of the segment gets the same weights.
                    rows[row, default: [:]][column, default: 0] += weight
                    rows[-row, default: [:]][-column, default: 0] += weight
                }
            }
        }
        return [KernelRun](
            rows.sorted { $0.key < $1.key }.map { dy, columns in
                let (first, last) = (columns.keys.min() ?? 0, columns.keys.max() ?? 0)
                return (dy, first, (first...last).map { columns[$0] ?? 0 })
            })
    }
}

/// The samples that approximate the mean along a segment. The first sample is at the segment's centre, and the others
/// follow at distances of one pixel on either side. The samples at the ends have partial weights, so the result changes
/// continuously as the segment grows. A segment with a length of at most one pixel has only the sample at its centre.
private struct SegmentSamples {
    /// The number of the last sample; the samples are numbered `-last...last`.
    let last: Int
    private let half: Double

    init(radius: Double) {
        half = radius + 0.5
        last = max(0, Int(half.rounded(.up)) - 1)
    }

    /// Returns the weight of sample `k`. The weights are not normalised: if the radius is at least half a pixel, their
    /// sum is the segment's length.
    func weight(_ k: Int) -> Double { min(1, half - abs(Double(k))) }
}

extension MotionBlur: CustomStringConvertible {
    /// The blur in words, for example "motion radius 20 angle 0" or "motion radius 5 angle 0.7854 edge clear".
    public var description: String {
        "motion radius \(numberText(radius)) angle \(numberText(angle, decimals: 4))"
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension MotionBlur: Blur {
    public var phrase: String {
        "blur of a segment of \(text(2 * radius)) pixels" + (angle == 0 ? "" : " at \(text(angle)) radians")
    }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        try forPicture(enlargedBy: factor)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur {
        try MotionBlur(radius: radius * factor, angle: angle, edge: edge)
    }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.runs(runs), edge: edge).plan(extent: request.extent, region: request.region)
    }
}
