import FrostCore

/// A 2-D kernel, for the variant GATHER of filter.frag, whose uniforms the names are: from the source to the output.
/// Coordinates are counted from the output's first cell.
struct Kernel2DDraw: Hashable {
    /// Of the output.
    var window: Rect
    /// The output's texels along each axis that need no edge rule.
    var insideX: Range<Int>
    var insideY: Range<Int>
    var inputOrigin: SIMD2<Int32>
    var rangeX: SIMD4<Int32>
    var rangeY: SIMD4<Int32>
    /// Of runs; 0 for a zoom.
    var runCount: Int
    /// Whole pixels, and the rest.
    var centre = SIMD2<Int32>(0, 0)
    var centrePart = SIMD2<Float>(0, 0)
    /// How far lines go towards the centre and away from it, as parts of the way there.
    var reaches = SIMD2<Float>(0, 0)

    /// Texels that are fetched for one of the output, in the mean.
    var readCount: Double

    /// A rectangle of the output's texels.
    struct Part: Hashable {
        var columns: Range<Int>
        var rows: Range<Int>
        /// Whether it needs the edge rules.
        var hasEdges: Bool
        var reads: Double
    }

    /// The output in up to five rectangles, by whether they need the edge rules, and these in bands of at most `limit`
    /// reads, or a row.
    func parts(limit: Double) -> [Part] {
        window.parts(insideX: insideX, insideY: insideY).flatMap { columns, rows, hasEdges -> [Part] in
            let ofRow = readCount * Double(columns.count)
            let height = Int(min(max(1, limit / ofRow), Double(rows.count)))
            return stride(from: rows.lowerBound, to: rows.upperBound, by: height).map {
                let band = $0..<min($0 + height, rows.upperBound)
                return Part(columns: columns, rows: band, hasEdges: hasEdges, reads: ofRow * Double(band.count))
            }
        }
    }

    /// - Parameter stored: the part of the source that is in its texture.
    init(_ kernel2D: Kernel2D, extent: Rect, region: Rect, stored: Rect) throws(GPUError) {
        window = region
        readCount = kernel2D.readCount(region)
        insideX = kernel2D.inside(.x, extent: extent, region: region)
        insideY = kernel2D.inside(.y, extent: extent, region: region)
        inputOrigin = SIMD2(try Step.narrow(stored.x - region.x), try Step.narrow(stored.y - region.y))
        func range(_ axis: Axis) throws(GPUError) -> SIMD4<Int32> {
            let exists = extent[axis]
            let lowest = kernel2D.reach(of: region[axis], along: axis).lowerBound
            return SIMD4(
                try Step.narrow(exists.lowerBound - region[axis].lowerBound), try Step.narrow(exists.count),
                try Step.narrow(kernel2D.edge.lift(lowest - exists.lowerBound, count: exists.count)),
                kernel2D.edge.shaderCode)
        }
        rangeX = try range(.x)
        rangeY = try range(.y)
        switch kernel2D.reads {
        case .runs(let runs): runCount = runs.count
        case .zoom(let zoom):
            runCount = 0
            let place = SIMD2(zoom.centerX - Double(region.x), zoom.centerY - Double(region.y))
            let whole = place.rounded(.down)
            centre = SIMD2(try Step.narrow(Int(whole.x)), try Step.narrow(Int(whole.y)))
            centrePart = SIMD2<Float>(place - whole)
            reaches = SIMD2(Float(zoom.inward), Float(zoom.outward))
        }
    }
}

extension Kernel2D {
    /// What the shader's block holds.
    var shaderWeights: [Float] {
        guard case .runs(let runs) = reads else { return [] }
        return runs.flatMap { [Float($0.dx), Float($0.dy), Float($0.count), Float($0.weight)] }
    }

    /// The outputs all of whose cells exist, counted from the region's first.
    fileprivate func inside(_ axis: Axis, extent: Rect, region: Rect) -> Range<Int> {
        let (exists, all) = (extent[axis], region[axis])
        func isInside(_ i: Int) -> Bool {
            let reach = reach(of: i..<i + 1, along: axis)
            return reach.lowerBound >= exists.lowerBound && reach.upperBound <= exists.upperBound
        }
        let start = all.first(where: isInside) ?? all.upperBound
        let end = (start..<all.upperBound).last(where: isInside).map { $0 + 1 } ?? start
        return start - all.lowerBound..<end - all.lowerBound
    }
}

extension Rect {
    /// The texels of a target of this size in up to five rectangles, each with whether it needs the edge rules: all do
    /// but those inside along both axes.
    func parts(
        insideX: Range<Int>, insideY: Range<Int>
    ) -> [(columns: Range<Int>, rows: Range<Int>, hasEdges: Bool)] {
        [
            (0..<width, 0..<insideY.lowerBound, true),
            (0..<insideX.lowerBound, insideY, true),
            (insideX, insideY, false),
            (insideX.upperBound..<width, insideY, true),
            (0..<width, insideY.upperBound..<height, true),
        ].filter { !$0.0.isEmpty && !$0.1.isEmpty }
    }
}
