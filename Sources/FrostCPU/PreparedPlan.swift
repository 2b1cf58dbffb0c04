import FrostCore

/// A plan with all that carrying it out takes: flows of rows for each band, and the images between its parts. Serves any
/// number of images of one size and format, one at a time: making the flows takes as long as blurring 64x64 pixels.
///
/// Not thread-safe, but for the bands within ``run(source:target:cancellation:)``.
final class PreparedPlan {
    let shape: Shape
    private let parts: [PlanPart]

    /// What two images have in common that one prepared plan can serve.
    struct Shape: Equatable {
        let plan: Plan
        let source: PixelFormat
        let target: PixelFormat
        let threads: Int
        /// Carried out in one sweep, not in parts.
        let isWhole: Bool
    }

    init(_ shape: Shape, mask: MaskImage?) {
        self.shape = shape
        let plan = shape.plan
        let reader = RowConversion(format: shape.source, addingAlpha: shape.target.channels.hasAlpha)
        let writer = RowConversion(format: shape.target)
        let arithmetic = Arithmetic(plan, reader: reader, writer: writer)
        parts = PlanPart.chain(
            plan, 0..<plan.passes.count, isWhole: shape.isWhole, arithmetic: arithmetic, reader: reader, writer: writer,
            mask: mask, threads: shape.threads)
    }

    /// - Throws: ``CPUError/cancelled``; the value is then of no further use.
    func run(source: PixelSource, target: PixelTarget, cancellation: Cancellation?) throws(CPUError) {
        for part in parts { try unsafe part.run(source: source, target: target, cancellation: cancellation) }
    }
}

/// Consecutive passes of a plan that are run over the whole image before the next begin, in bands of rows.
final class PlanPart {
    /// The image that it makes; nil for the last part, which makes the caller's.
    let made: RowPlane?
    private let bands: [PlanBand]

    /// The parts in which passes are carried out one after the other.
    ///
    /// - Parameters:
    ///   - isWhole: in one sweep.
    ///   - read: what the first pass reads; nil for the source.
    ///   - made: what the last pass makes; nil for the caller's image.
    static func chain(
        _ plan: Plan, _ passes: Range<Int>, isWhole: Bool, read: RowPlane? = nil, made: RowPlane? = nil,
        arithmetic: Arithmetic, reader: RowConversion, writer: RowConversion, mask: MaskImage?, threads: Int
    ) -> [PlanPart] {
        let cuts = isWhole ? [passes] : plan.bandedParts.map { $0.clamped(to: passes) }.filter { !$0.isEmpty }
        var parts: [PlanPart] = []
        // A 2-D kernel has no pass.
        for cut in cuts.isEmpty ? [passes] : cuts {
            let place = plan.passes[cut].last?.to ?? .output
            let isLast = cut.upperBound == passes.upperBound
            let plane =
                isLast
                ? made
                : RowPlane(
                    window: plan.window(of: place), channels: arithmetic.channels,
                    kind: arithmetic.kind(place, of: plan))
            parts.append(
                PlanPart(
                    plan: plan, passes: cut, read: parts.last?.made ?? read, made: plane, arithmetic: arithmetic,
                    reader: reader, writer: writer, mask: mask, threads: threads))
        }
        return parts
    }

    private init(
        plan: Plan, passes: Range<Int>, read: RowPlane?, made: RowPlane?, arithmetic: Arithmetic, reader: RowConversion,
        writer: RowConversion, mask: MaskImage?, threads: Int
    ) {
        self.made = made
        let window = plan.result(of: plan.passes[passes])
        let count = PreparedPlan.bands(window, threads: threads)
        bands = (0..<count).map { band in
            PlanBand(
                plan: plan, passes: passes, rows: window.rows.band(band, of: count), read: read, made: made,
                arithmetic: arithmetic,
                reader: reader, writer: writer, mask: mask)
        }
    }

    /// - Parameter target: nil for a part that makes an image of its own.
    func run(source: PixelSource, target: PixelTarget?, cancellation: Cancellation?) throws(CPUError) {
        if bands.count == 1 {
            return try unsafe bands[0].run(source: source, target: target, cancellation: cancellation)
        }
        let work = unsafe Shared(bands: bands, source: source, target: target)
        try Workers.shared.runAll(bands.count) { (band) throws(CPUError) in
            try unsafe work.bands[band].run(source: work.source, target: work.target, cancellation: cancellation)
        }
    }

    /// SAFETY: source and target outlive the run; each band is run by one thread, and they write disjoint rows.
    @safe private struct Shared: @unchecked Sendable {
        let bands: [PlanBand]
        let source: PixelSource
        let target: PixelTarget?
    }
}

/// Rows of a part's result, as one thread computes them.
private final class PlanBand {
    private let plan: Plan
    private let passes: Range<Int>
    private let rows: Range<Int>
    private let read: RowPlane?
    private let made: RowPlane?
    private let arithmetic: Arithmetic
    private let reader: RowConversion
    private let writer: RowConversion
    private let mask: MaskImage?
    /// Made by the thread that first runs the band, and kept for the next image.
    private var chain: PassChain?
    private var finisher: RowFinisher?

    init(
        plan: Plan, passes: Range<Int>, rows: Range<Int>, read: RowPlane?, made: RowPlane?, arithmetic: Arithmetic,
        reader: RowConversion, writer: RowConversion, mask: MaskImage?
    ) {
        self.plan = plan
        self.passes = passes
        self.rows = rows
        self.read = read
        self.made = made
        self.arithmetic = arithmetic
        self.reader = reader
        self.writer = writer
        self.mask = mask
    }

    func run(source: PixelSource, target: PixelTarget?, cancellation: Cancellation?) throws(CPUError) {
        let input: RowEnd =
            unsafe read.map { .plane($0) }
            ?? .pixels(source, reader, extent: plan.extent, edge: plan.rowEdge, decoding: plan.decoding)
        let targetRows = unsafe target.map { unsafe TargetRows($0, region: plan.region) }
        let output: RowEnd? =
            unsafe made.map { .plane($0) } ?? target.map { unsafe .target($0, writer, region: plan.region) }
        let chain = unsafe self.chain(
            from: input, to: output, CallerMemory(source: source, target: targetRows, cancellation: cancellation))
        defer { unsafe targetRows?.endStreaming() }
        for row in chain.inputRows {
            if !chain.readsDirectly {
                unsafe input.read(row, columns: chain.inputColumns, into: chain.inputRow(row), as: chain.inputKind)
            }
            if chain.writesDirectly {
                try chain.commit(row)
                continue
            }
            try unsafe chain.commit(row) { (row, values) throws(CPUError) in
                guard let finisher, let targetRows = unsafe targetRows else {
                    return unsafe output?.write(row, values, as: chain.outputKind) ?? ()
                }
                unsafe finisher.write(
                    row, values, to: targetRows.row(row), streams: targetRows.streams,
                    original: { unsafe source.row($0 - plan.extent.y) })
            }
        }
    }

    /// The chain, at its beginning.
    private func chain(from input: RowEnd, to output: RowEnd?, _ memory: CallerMemory) -> PassChain {
        if let chain {
            unsafe chain.restart(memory)
            return chain
        }
        if made == nil, !plan.outputStages.isEmpty {
            finisher = RowFinisher(plan, reader: reader, writer: writer, arithmetic: arithmetic, mask: mask)
        }
        var outputStages: OutputStagesTarget?
        if let finisher, let rows = unsafe memory.target {
            unsafe outputStages = OutputStagesTarget(finisher: finisher, rows: rows)
        }
        let chain = unsafe PassChain(
            plan.passes[passes], of: plan, outputRows: rows, arithmetic: arithmetic, input: input,
            output: finisher == nil ? output : nil, outputStages: outputStages, cancellation: memory.cancellation)
        self.chain = chain
        return chain
    }
}

extension PreparedPlan {
    /// How many threads share the rows of a window: a band has to be worth waking a thread for.
    static func bands(_ window: Rect, threads: Int) -> Int {
        max(1, min(threads, window.height / 4, window.height * window.width / 4096))
    }
}

extension Range<Int> {
    /// One of several bands of about the same length.
    func band(_ index: Int, of bands: Int) -> Range<Int> {
        lowerBound + count * index / bands..<lowerBound + count * (index + 1) / bands
    }
}

extension Plan {
    /// The passes in parts that are each run over the whole image before the next begins.
    ///
    /// Bands of output rows overlap in what they read, and the lower the resolution the larger the overlap. So the
    /// full-resolution work down and up is cut off at an eighth of the height, where the overlap of a band is still a
    /// few dozen rows and the image between the parts is small. A plan that keeps the height, or half of it, is one part.
    var bandedParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        guard lowest > 1 else { return [0..<passes.count] }
        let cut = min(lowest, 3)
        // The pass along x of the same level belongs to the same part: it makes the image between them small.
        var down = slots.firstIndex { $0.levelY == cut } ?? 0
        while down + 1 < slots.count, case .decimate = passes[down + 1].operation, passes[down + 1].axis == .x {
            down += 1
        }
        guard lowest > 3, let up = slots.lastIndex(where: { $0.levelY == cut }) else {
            return [0..<down + 1, down + 1..<passes.count]
        }
        return [0..<down + 1, down + 1..<up + 1, up + 1..<passes.count]
    }
}
