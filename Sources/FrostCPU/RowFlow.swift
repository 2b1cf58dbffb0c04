public import FrostCore

/// A plan carried out as its source rows arrive: finished rows come out in order, as early as the effect allows.
///
/// Memory is a few rows per pass: about as many as the kernel reaches, at the resolution at which it reaches them. Only
/// the edge mode `repeat`, whose first output row needs the last source row, keeps the whole image at that resolution.
///
/// Not thread-safe, and works on the thread that calls ``push(_:emit:)``.
public final class RowFlow {
    /// The source rows to push, in this order, in the plan's absolute pixels. Others are not needed.
    public let sourceRows: Range<Int>
    /// The rows that come out, in this order.
    public let targetRows: Range<Int>

    private let plan: Plan
    private let reader: RowConversion
    private let writer: RowConversion
    /// Nil for a plan that copies, and for one that blends.
    private let chain: PassChain?
    /// Where the plan blends.
    private let mixture: MixedRows?
    private let levels: [LevelFlow]
    private var nextMixed: Int
    private let target: RowStorage
    private var next: Int
    /// Where the plan has a finish.
    private let finisher: RowFinisher?
    private var originals: OriginalRows?

    /// - Parameters:
    ///   - source: of the rows that are pushed; each as wide as the plan's extent.
    ///   - target: of the rows that come out, each as wide as the region. As for ``CPUExecutor``.
    ///   - mask: where the plan's finish or blend has one that is an image.
    /// - Throws: ``CPUError/pixels(_:)`` if the formats do not go together.
    public init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        do throws(PixelError) {
            let targetLayout = try PixelLayout(width: plan.region.width, height: plan.region.height, format: target)
            try plan.check(
                source: try PixelLayout(width: plan.extent.width, height: plan.extent.height, format: source),
                target: targetLayout)
            // Two: see FlowNode.
            self.target = RowStorage(rows: 2, floats: (targetLayout.rowByteCount + 3) / 4)
        } catch {
            throw .pixels(error)
        }
        self.plan = plan
        reader = RowConversion(format: source, addingAlpha: target.channels.hasAlpha)
        writer = RowConversion(format: target)
        nextMixed = plan.region.y
        if let blend = plan.blend {
            let (reader, rows, amplification) = (reader, plan.region.rows, plan.outputStages.amplification)
            let levels = blend.levels.compactMap { level in
                LevelFlow(
                    level, rows: rows, passes: 0..<level.plan.passes.count,
                    arithmetic: Arithmetic(level: level.plan, amplification: amplification, reader: reader), input: nil,
                    cancellation)
            }
            self.levels = levels
            mixture = MixedRows(plan, mask: blend.mask, image: mask, maximum: source.sample.maximum)
            chain = nil
            finisher = RowFinisher(
                plan, reader: reader, writer: writer, arithmetic: Arithmetic(floats: 4), mask: mask)
            let first = levels.map(\.inputRows.lowerBound).min() ?? rows.lowerBound
            sourceRows = first..<(levels.map(\.inputRows.upperBound).max() ?? rows.upperBound)
            if plan.outputStages.readsOriginal {
                originals = OriginalRows(plan, bytesPerRow: plan.extent.width * source.bytesPerPixel)
            }
        } else if plan.isCopy {
            (chain, mixture, levels) = (nil, nil, [])
            finisher = nil
            sourceRows = plan.region.rows
        } else {
            (mixture, levels) = (nil, [])
            let arithmetic = Arithmetic(plan, reader: reader, writer: writer)
            let finisher =
                plan.outputStages.isEmpty
                ? nil
                : RowFinisher(plan, reader: reader, writer: writer, arithmetic: arithmetic, mask: mask)
            self.finisher = finisher
            let rows = self.target
            let chain = unsafe PassChain(
                plan.passes[...], of: plan, outputRows: plan.region.rows, arithmetic: arithmetic,
                output: finisher == nil ? .row(rows, writer) : nil,
                outputStages: finisher.map { unsafe OutputStagesTarget(finisher: $0, rows: TargetRows(rows)) },
                cancellation: cancellation)
            sourceRows = chain.inputRows
            self.chain = chain
            if plan.outputStages.readsOriginal {
                originals = OriginalRows(plan, bytesPerRow: plan.extent.width * source.bytesPerPixel)
            }
        }
        targetRows = plan.region.rows
        next = sourceRows.lowerBound
    }

    /// Takes the next source row, and calls `emit` with the number and the bytes of each row that is now finished. The
    /// bytes are valid during the call. Rows beyond ``sourceRows`` are ignored.
    ///
    /// - Parameter row: the bytes of the extent's width of pixels.
    /// - Throws: ``CPUError/cancelled``; the flow is then of no further use.
    @unsafe public func push(
        _ row: UnsafeRawPointer, emit: (Int, UnsafeRawBufferPointer) -> Void
    ) throws(CPUError) {
        guard next < sourceRows.upperBound else { return }
        defer { next += 1 }
        if let mixture { return try unsafe push(row, to: mixture, emit: emit) }
        let columns = chain?.inputColumns ?? plan.region.columns
        let from = unsafe row + (columns.lowerBound - plan.extent.x) * reader.format.bytesPerPixel
        let bytes = plan.region.width * writer.format.bytesPerPixel
        guard let chain else {
            let out = unsafe UnsafeMutableRawPointer(target.row(0))
            if reader.format.channels == writer.format.channels, reader.format.alpha == writer.format.alpha {
                unsafe out.copyMemory(from: from, byteCount: bytes)
            } else {
                let values = RowStorage(rows: 1, floats: columns.count * reader.working.count)
                unsafe reader.load(from, count: columns.count, into: values.row(0))
                unsafe writer.store(values.row(0), count: columns.count, into: out)
            }
            return unsafe emit(next, UnsafeRawBufferPointer(start: out, count: bytes))
        }
        unsafe originals?.keep(next, row)
        unsafe reader.read(
            from, count: columns.count, into: chain.inputRow(next), as: chain.inputKind,
            decoding: plan.decoding)
        try unsafe chain.commit(next) { (index, values) throws(CPUError) in
            let out = unsafe UnsafeMutableRawPointer(target.row(index & 1))
            if let finisher, !chain.writesDirectly {
                unsafe finisher.write(index, values, to: out, streams: false) { unsafe originals?.row($0) }
                originals?.forget(before: index + 1)
            } else if !chain.writesDirectly {
                unsafe writer.write(values, as: chain.outputKind, count: plan.region.width, into: out)
            }
            unsafe emit(index, UnsafeRawBufferPointer(start: out, count: bytes))
        }
    }

    /// Gives every level its share of a row, and finishes those that all have come in on.
    private func push(
        _ row: UnsafeRawPointer, to mixture: MixedRows, emit: (Int, UnsafeRawBufferPointer) -> Void
    ) throws(CPUError) {
        unsafe originals?.keep(next, row)
        for level in levels { try unsafe level.push(next, row, by: reader, into: mixture) }
        while nextMixed < targetRows.upperBound, levels.allSatisfy({ $0.isDone(with: nextMixed) }) {
            let out = unsafe UnsafeMutableRawPointer(target.row(0))
            try unsafe mixture.finish(nextMixed) { values in
                unsafe finisher?.write(nextMixed, values, to: out, streams: false) { unsafe originals?.row($0) }
            }
            originals?.forget(before: nextMixed + 1)
            let bytes = plan.region.width * writer.format.bytesPerPixel
            unsafe emit(nextMixed, UnsafeRawBufferPointer(start: out, count: bytes))
            nextMixed += 1
        }
    }
}
