import FrostCore

/// A level of a blend: the passes that are left of it.
struct LevelWork: Sendable {
    let level: Blend.Level
    let passes: Range<Int>
    /// What they read.
    let input: RowEnd
    let arithmetic: Arithmetic
}

/// The last part of a blend, as each of several threads carries it out for rows of its own: the levels' last passes, their
/// mixture, and what follows it.
///
/// SAFETY: source and target outlive the call that made the value; threads write disjoint rows.
@safe struct BlendWork: @unchecked Sendable {
    private let plan: Plan
    private let mask: Mask
    private let levels: [LevelWork]
    private let source: PixelSource
    private let target: PixelTarget
    private let reader: RowConversion
    private let writer: RowConversion
    /// Where the mask is one, or that of the finish.
    private let image: MaskImage?
    private let cancellation: Cancellation?

    /// Carries out all parts of the levels but the last.
    ///
    /// - Parameters:
    ///   - isWhole: levels have no parts.
    init(
        _ plan: Plan, _ blend: Blend, source: PixelSource, target: PixelTarget, reader: RowConversion,
        writer: RowConversion, image: MaskImage?, threads: Int, isWhole: Bool, cancellation: Cancellation?
    ) throws(CPUError) {
        self.plan = plan
        mask = blend.mask
        unsafe self.source = source
        unsafe self.target = target
        self.reader = reader
        self.writer = writer
        self.image = image
        self.cancellation = cancellation
        let amplification = plan.outputStages.amplification
        levels = try blend.levels.map { (level) throws(CPUError) in
            let plan = level.plan
            let arithmetic = Arithmetic(level: plan, amplification: amplification, reader: reader)
            // All but the last of them make an image.
            let last = isWhole ? 0..<plan.passes.count : plan.bandedParts[plan.bandedParts.count - 1]
            var made: RowPlane?
            if last.lowerBound > 0 {
                let place = plan.passes[last.lowerBound - 1].to
                let plane = RowPlane(
                    window: plan.window(of: place), channels: arithmetic.channels,
                    kind: arithmetic.kind(place, of: plan))
                let parts = PlanPart.chain(
                    plan, 0..<last.lowerBound, isWhole: false, made: plane, arithmetic: arithmetic, reader: reader,
                    writer: writer, mask: nil, threads: threads)
                for part in parts { try unsafe part.run(source: source, target: nil, cancellation: cancellation) }
                made = plane
            }
            let input: RowEnd =
                unsafe made.map { .plane($0) }
                ?? .pixels(source, reader, extent: plan.extent, edge: plan.rowEdge, decoding: plan.decoding)
            return LevelWork(level: level, passes: last, input: input, arithmetic: arithmetic)
        }
    }

    /// Carries out the last parts, in bands of rows.
    func run(threads: Int) throws(CPUError) {
        let rows = plan.region.rows
        let count = PreparedPlan.bands(plan.region, threads: threads)
        try Workers.shared.runAll(count) { (band) throws(CPUError) in try run(rows.band(band, of: count)) }
    }

    /// Computes rows of the result.
    private func run(_ rows: Range<Int>) throws(CPUError) {
        let mixture = MixedRows(plan, mask: mask, image: image, maximum: reader.format.sample.maximum)
        let flows = levels.compactMap { work in
            LevelFlow(
                work.level, rows: rows, passes: work.passes, arithmetic: work.arithmetic, input: work.input,
                cancellation)
        }
        let finisher = RowFinisher(
            plan, reader: reader, writer: writer, arithmetic: Arithmetic(floats: 4), mask: image)
        let targetRows = unsafe TargetRows(target, region: plan.region)
        defer { unsafe targetRows.endStreaming() }
        for row in rows {
            // Each level goes as far as this row and no farther, so that few rows are kept.
            for flow in flows { try flow.advance(to: row, into: mixture) }
            try unsafe mixture.finish(row) { values in
                unsafe finisher.write(
                    row, values, to: targetRows.row(row), streams: targetRows.streams,
                    original: { unsafe source.row($0 - plan.extent.y) })
            }
        }
    }
}
