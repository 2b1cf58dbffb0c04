import FrostCore

/// The offsets of a lens along one shape, row by row.
struct LensShape {
    private let field: ShapeField
    private let sampling: Int
    /// The number of offsets of a pixel.
    var count: Int { sampling * sampling }
    private let columns: Range<Int>
    /// The length along the sides from a corner within which offsets depend on both coordinates, for an upright shape; nil if
    /// they do everywhere.
    private let corner: Double?
    /// The columns of the bands along the left and the right side, and the offsets of their pixels beside the straight parts of
    /// these sides.
    private let sides: [(columns: Range<Int>, offsets: [SIMD2<Float>])]

    /// Some neighbouring pixels of a row.
    enum Run {
        /// All have the same offset.
        case along(Range<Int>, SIMD2<Float>)
        /// The offsets of the pixels from column `start` on; ``LensShape/count`` for each.
        case across(Range<Int>, [SIMD2<Float>], start: Int)
        /// Each has offsets of its own, or none.
        case points(Range<Int>)
    }

    /// - Parameter columns: the columns that are computed.
    init(_ field: ShapeField, _ refraction: Refraction, columns: Range<Int>) {
        self.field = field
        self.columns = columns
        sampling = refraction.sampling
        let isAlone = refraction.shapes.count == 1
        corner = isAlone && field.turn.x == 0 ? max(field.reach, field.reach + (1 + field.growth) * field.band) : nil
        guard let corner, field.half.y > corner else {
            sides = []
            return
        }
        let (left, right) = (field.center.x - field.half.x, field.center.x + field.half.x)
        let sampling = sampling
        sides = [(left, left + field.band), (right - field.band, right)].map { from, to in
            let band = Int(from.rounded(.down))..<Int(to.rounded(.up))
            let inside = band.clamped(to: columns)
            return (
                inside,
                inside.flatMap { x in
                    Self.points(x, 0, sampling).map { point in
                        SIMD2<Float>(field.offset(SIMD2(point.x, field.center.y)))
                    }
                }
            )
        }
    }

    /// The points of a pixel at which offsets are computed.
    private static func points(_ x: Int, _ y: Int, _ count: Int) -> [SIMD2<Double>] {
        let (origin, scale) = (SIMD2(Double(x), Double(y)), 1 / Double(count))
        if count == 1 { return [origin + 0.5] }
        return (0..<count * count).map {
            origin + SIMD2((Double($0 % count) + 0.5) * scale, (Double($0 / count) + 0.5) * scale)
        }
    }

    /// Returns the runs of pixels in a row that have offsets.
    func runs(_ y: Int) -> [Run] {
        guard field.bounds.rows.contains(y) else { return [] }
        let all = field.bounds.columns.clamped(to: columns)
        guard let corner else { return all.isEmpty ? [] : [.points(all)] }
        let (low, high) = (Double(y) - field.center.y, Double(y) + 1 - field.center.y)
        let farthest = max(abs(low), abs(high))
        if farthest <= field.half.y - corner {
            return sides.filter { !$0.columns.isEmpty }.map {
                .across($0.columns, $0.offsets, start: $0.columns.lowerBound)
            }
        }
        let (left, right) = (field.center.x - field.half.x, field.center.x + field.half.x)
        // The row crosses the band along the top or the bottom, or only corners.
        if sampling == 1, left + corner < right - corner {
            let middle =
                (Int(
                    (left + corner).rounded(.up))..<max(
                    Int((left + corner).rounded(.up)), Int((right - corner).rounded(.down)))).clamped(to: all)
            if !middle.isEmpty {
                let offset = SIMD2<Float>(field.offset(SIMD2(field.center.x, Double(y) + 0.5)))
                let parts = [all.lowerBound..<middle.lowerBound, middle.upperBound..<all.upperBound]
                return (offset == .zero ? [] : [.along(middle, offset)])
                    + parts.filter { !$0.isEmpty }.map { .points($0) }
            }
        }
        return all.isEmpty ? [] : [.points(all)]
    }

    /// Returns the offsets of a pixel; nil if all of them are 0.
    func offsets(_ x: Int, _ y: Int) -> [SIMD2<Float>]? {
        var isMoved = false
        let offsets = Self.points(x, y, sampling).map { point in
            let offset = SIMD2<Float>(field.offset(point))
            isMoved = isMoved || offset != .zero
            return offset
        }
        return isMoved ? offsets : nil
    }

    /// Returns the distance of a pixel's centre.
    fileprivate func depth(_ x: Int, _ y: Int) -> Double {
        field.distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5)).depth
    }
}

extension [LensShape] {
    /// Returns whether none of the other shapes has a larger distance at a pixel.
    func isDeepest(_ index: Int, _ x: Int, _ y: Int) -> Bool {
        let own = self[index].depth(x, y)
        return indices.allSatisfy {
            $0 == index || self[$0].depth(x, y) < own || ($0 > index && self[$0].depth(x, y) == own)
        }
    }
}
