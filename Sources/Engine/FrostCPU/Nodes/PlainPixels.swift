import FrostCore

/// The pixels of an image with a lens that only get colours: no lens moves them, no edge light reaches them, and the result covers
/// them. The last interpolation writes them itself, as it does without a lens. So only the pixels along the edge of a shape, and
/// those that they show, go through ``LensNode`` and the other output stages.
///
/// They exist for a single shape that is not turned. In its middle rows they end beside the bands of both sides, and in the rows
/// above and below beside the corners.
struct PlainPixels {
    /// The rows whose pixels in the band have offsets along x only, and the plain columns in them.
    let middle: Rect
    /// Plain pixels in more rows, but in fewer columns.
    private let tall: Rect
    /// The rows of ``middle`` and those that other chains compute.
    private let middleRows: Range<Int>
    /// By how much a lens moves pixels, rounded up.
    private let reach: Int
    let encoder: FixedEncoder

    /// - Parameters:
    ///   - rows: the rows that the chain computes.
    ///   - pairs: the interpolation's pass along y.
    init?(_ refraction: Refraction, _ plan: Plan, _ encoder: FixedEncoder, rows: Range<Int>, pairs: Pass) {
        let (shapes, stages, region) = (refraction.shapes, plan.outputStages, plan.region)
        guard shapes.count == 1, stages.clip.isEmpty || stages.clip == shapes,
            stages.edge == nil || stages.shapes == shapes
        else { return nil }
        let fields =
            refraction.group.fields + (stages.edge.map { EdgeField($0, along: shapes, join: 0).group.fields } ?? [])
        // The interpolation's pairs along x begin with the first column that the lens reads.
        let from = refraction.reach(of: Rect(columns: region.columns, rows: rows)).x
        let top = PolyphaseTaps(pairs.operation).half
        func plain(acrossCorners: Bool) -> Rect {
            var (left, right) = (region.x, region.columns.upperBound)
            var (upper, lower) = (Int.min / 2, Int.max / 2)
            for field in fields {
                let inset = acrossCorners ? SIMD2(field.corner, field.band) : SIMD2(field.band, field.corner)
                let (low, high) = (field.center - field.half + inset, field.center + field.half - inset)
                left = max(left, Int(low.x.rounded(.up)))
                right = min(right, Int(high.x.rounded(.down)))
                upper = max(upper, Int(low.y.rounded(.up)))
                lower = min(lower, Int(high.y.rounded(.down)))
            }
            // Whole pairs only.
            left += (left - from) & 1
            upper += (upper - top) & 1
            lower -= (lower - top) & 1
            return Rect(columns: left..<max(left, right), rows: upper..<max(upper, lower))
        }
        guard fields.allSatisfy({ $0.turn.x == 0 }) else { return nil }
        let (inner, outer) = (plain(acrossCorners: false), plain(acrossCorners: true))
        middleRows = inner.rows
        middle = Rect(columns: inner.columns, rows: inner.rows.clamped(to: rows))
        tall = Rect(columns: outer.columns, rows: outer.rows.clamped(to: rows))
        reach = Int(refraction.lens.reach.rounded(.up)) + 1
        self.encoder = encoder
        if middle.isEmpty, tall.isEmpty { return nil }
    }

    /// Returns the plain columns of a row.
    func columns(_ y: Int) -> Range<Int> {
        if !middle.isEmpty, middle.rows.contains(y) { return middle.columns }
        return !tall.isEmpty && tall.rows.contains(y) ? tall.columns : 0..<0
    }

    /// Returns the columns of a row that no other pixel shows.
    func hidden(_ y: Int) -> Range<Int> {
        guard middleRows.contains(y - reach), middleRows.contains(y + reach) else { return 0..<0 }
        let (from, to) = (middle.columns.lowerBound + reach, middle.columns.upperBound - reach)
        return from..<max(from, to)
    }
}
