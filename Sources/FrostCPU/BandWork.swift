import FrostCore

/// Some of a plan's passes, as each of several threads carries them out for rows of its own.
///
/// SAFETY: source and target outlive the call that made the value; threads write disjoint rows.
@safe struct BandWork: @unchecked Sendable {
    let plan: Plan
    let passes: Range<Int>
    let input: RowEnd
    let output: RowEnd
    let arithmetic: Arithmetic
    /// The image, for a finish.
    let source: PixelSource
    let reader: RowConversion
    let mask: MaskImage?
    let cancellation: Cancellation?

    /// Computes rows of the last of the passes.
    func run(_ rows: Range<Int>) throws(CPUError) {
        if case .target(let target, let writer, _) = output, !plan.finish.isEmpty {
            return try unsafe finish(rows, target, writer)
        }
        let chain = unsafe PassChain(
            plan.passes[passes], of: plan, outputRows: rows, arithmetic: arithmetic, input: input, output: output,
            cancellation: cancellation)
        for row in chain.inputRows {
            read(row, into: chain)
            if chain.writesDirectly {
                try chain.commit(row)
            } else {
                try unsafe chain.commit(row) { (row, values) throws(CPUError) in
                    unsafe output.write(row, values, as: chain.outputKind)
                }
            }
        }
    }

    private func finish(_ band: Range<Int>, _ target: PixelTarget, _ writer: RowConversion) throws(CPUError) {
        let finisher = RowFinisher(plan, reader: reader, writer: writer, arithmetic: arithmetic, mask: mask)
        let rows = unsafe TargetRows(target, region: plan.region)
        let chain = unsafe PassChain(
            plan.passes[passes], of: plan, outputRows: band, arithmetic: arithmetic, input: input,
            finish: FinishTarget(finisher: finisher, rows: rows),
            cancellation: cancellation)
        for row in chain.inputRows {
            read(row, into: chain)
            try unsafe chain.commit(row) { (row, values) throws(CPUError) in
                guard !chain.writesDirectly else { return }
                unsafe finisher.write(
                    row, values, to: rows.row(row), streams: rows.streams,
                    original: { unsafe source.row($0 - plan.extent.y) })
            }
        }
    }

    private func read(_ row: Int, into chain: PassChain) {
        guard !chain.readsDirectly else { return }
        unsafe input.read(row, columns: chain.inputColumns, into: chain.inputRow(row), as: chain.inputKind)
    }
}
