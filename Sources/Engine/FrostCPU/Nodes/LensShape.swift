import FrostCore

/// The offsets of a lens along one shape, row by row.
struct LensShape {
    private let rows: ShapeRows
    /// All shapes of the lens.
    fileprivate let group: ShapeGroup
    fileprivate let sampling: Int
    /// The number of offsets of a pixel.
    var count: Int { sampling * sampling }
    /// The offsets of the pixels beside the straight parts of the left and the right side.
    private let sides: [[SIMD2<Float>]]

    /// Neighbouring pixels that move, with the offsets of each.
    typealias Moved = (columns: Range<Int>, offsets: [SIMD2<Float>])

    /// Some neighbouring pixels of a row.
    enum Run {
        /// All have the same offsets.
        case along(Range<Int>, [SIMD2<Float>])
        /// The offsets of the pixels, ``LensShape/count`` for each.
        case across(Range<Int>, [SIMD2<Float>])
        /// Each has offsets of its own, or none.
        case points(Range<Int>)
    }

    /// Returns the shapes of a lens.
    ///
    /// - Parameter columns: the columns that are computed.
    static func all(_ refraction: Refraction, columns: Range<Int>) -> [LensShape] {
        let group = refraction.group
        return group.fields.map { LensShape($0, of: group, refraction, columns: columns) }
    }

    private init(_ field: ShapeField, of group: ShapeGroup, _ refraction: Refraction, columns: Range<Int>) {
        self.group = group
        let rows = ShapeRows(field, columns: columns, isAlone: refraction.shapes.count == 1)
        let sampling = refraction.sampling
        (self.rows, self.sampling) = (rows, sampling)
        sides = rows.sides.map { side in
            side.flatMap { x in
                Self.points(x, 0, sampling).map { SIMD2<Float>(field.offset(SIMD2($0.x, field.center.y))) }
            }
        }
    }

    /// The points of a pixel at which offsets are computed.
    fileprivate static func points(_ x: Int, _ y: Int, _ count: Int) -> [SIMD2<Double>] {
        let (origin, scale) = (SIMD2(Double(x), Double(y)), 1 / Double(count))
        if count == 1 { return [origin + 0.5] }
        return (0..<count * count).map {
            origin + SIMD2((Double($0 % count) + 0.5) * scale, (Double($0 / count) + 0.5) * scale)
        }
    }

    /// Returns the runs of pixels in a row that have offsets.
    func runs(_ y: Int) -> [Run] {
        rows.runs(y).compactMap { run in
            switch run {
            case .along(let columns):
                let offsets = offsets(at: SIMD2(rows.field.center.x, 0), y)
                return offsets.allSatisfy { $0 == .zero } ? nil : .along(columns, offsets)
            case .side(let side): return .across(rows.sides[side], sides[side])
            case .points(let columns): return .points(columns)
            }
        }
    }

    /// Returns the offsets of all pixels of a row beside the straight part of the top or the bottom.
    private func offsets(at place: SIMD2<Double>, _ y: Int) -> [SIMD2<Float>] {
        Self.points(0, y, sampling).map { SIMD2<Float>(rows.field.offset(SIMD2(place.x, $0.y))) }
    }
}

extension [LensShape] {
    /// Returns the parts of a range of columns in which pixels move, with the offsets of each pixel.
    func offsets(_ columns: Range<Int>, _ y: Int) -> [LensShape.Moved] {
        guard let sampling = first?.sampling, let group = first?.group else { return [] }
        var parts: [LensShape.Moved] = []
        for x in columns {
            let own = LensShape.points(x, y, sampling).map { SIMD2<Float>(group.offset($0, x, y)) }
            if own.allSatisfy({ $0 == .zero }) { continue }
            if let last = parts.last, last.columns.upperBound == x {
                parts[parts.count - 1].columns = last.columns.lowerBound..<x + 1
                parts[parts.count - 1].offsets += own
            } else {
                parts.append((x..<x + 1, own))
            }
        }
        return parts
    }
}
