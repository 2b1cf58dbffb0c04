import FrostCore

/// A line of straight and curved segments, along which a shape moves.
///
/// Progress is a fraction of the path's length, so equal progress is equal distance.
public struct MotionPath: Sendable, Hashable {
    /// A segment from the end of the last one.
    public enum Segment: Sendable, Hashable {
        /// A straight line to a point.
        case line(to: SIMD2<Double>)
        /// A cubic Bezier with two control points.
        case curve(SIMD2<Double>, SIMD2<Double>, to: SIMD2<Double>)
    }

    /// The first point.
    public let start: SIMD2<Double>
    /// The segments in order.
    public let segments: [Segment]
    /// Points on the path, and the length of the path up to each.
    private let points: [SIMD2<Double>]
    private let lengths: [Double]

    /// The number of straight lines that stand for a curved segment. The distance from the curve is below a thousandth of
    /// its length.
    private static let linesPerCurve = 64

    init(start: SIMD2<Double>, segments: [Segment]) {
        self.start = start
        self.segments = segments
        var points = [start]
        for segment in segments {
            let from = points[points.count - 1]
            switch segment {
            case .line(let to): points.append(to)
            case .curve(let a, let b, let to):
                for step in 1..<Self.linesPerCurve {
                    let t = Double(step) / Double(Self.linesPerCurve)
                    let s = 1 - t
                    points.append(from * (s * s * s) + a * (3 * s * s * t) + b * (3 * s * t * t) + to * (t * t * t))
                }
                points.append(to)
            }
        }
        var lengths = [0.0]
        for (a, b) in zip(points, points.dropFirst()) {
            let (x, y) = (b.x - a.x, b.y - a.y)
            lengths.append(lengths[lengths.count - 1] + (x * x + y * y).squareRoot())
        }
        self.points = points
        self.lengths = lengths
    }

    /// The length of the path.
    public var length: Double { lengths[lengths.count - 1] }

    /// Returns the point at a fraction of the path's length. Progress is limited to 0...1.
    ///
    /// - Complexity: O(log n) for n segments.
    public func point(at progress: Double) -> SIMD2<Double> {
        let distance = min(max(progress, 0), 1) * length
        let next = min(max(lengths.partitionPoint { $0 > distance }, 1), points.count - 1)
        guard next > 0 else { return start }
        let (a, b) = (lengths[next - 1], lengths[next])
        guard b > a else { return points[next] }
        return points[next - 1] + (points[next] - points[next - 1]) * ((distance - a) / (b - a))
    }
}
