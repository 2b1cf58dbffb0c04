import FrostCore

/// The flow of one level of a blend, for some rows of the result.
final class LevelFlow {
    private let level: Blend.Level
    private let chain: PassChain
    private let arithmetic: Arithmetic
    private let input: RowEnd?
    private var nextInput: Int
    private var nextOutput: Int

    /// - Parameters:
    ///   - rows: of the result.
    ///   - passes: those that are left.
    ///   - input: what they read; nil: rows come by ``push(_:_:by:into:)``.
    /// - Returns: nil where the level has no part in the rows.
    init?(
        _ level: Blend.Level, rows: Range<Int>, passes: Range<Int>, arithmetic: Arithmetic, input: RowEnd?,
        _ cancellation: Cancellation?
    ) {
        let rows = rows.clamped(to: level.plan.region.rows)
        guard !rows.isEmpty else { return nil }
        self.level = level
        self.arithmetic = arithmetic
        self.input = input
        chain = unsafe PassChain(
            level.plan.passes[passes], of: level.plan, outputRows: rows, arithmetic: arithmetic, input: input,
            cancellation: cancellation)
        nextInput = chain.inputRows.lowerBound
        nextOutput = rows.lowerBound
    }

    /// The source rows that the flow needs, where they are pushed.
    var inputRows: Range<Int> { chain.inputRows }

    /// Whether the level has no part in a row that it has not given yet.
    func isDone(with row: Int) -> Bool { nextOutput > row || !chain.outputRows.contains(row) }

    /// Gives the mixture all rows up to one, and those that come with it.
    func advance(to row: Int, into mixture: MixedRows) throws(CPUError) {
        while nextOutput <= row, nextInput < chain.inputRows.upperBound {
            if !chain.readsDirectly {
                unsafe input?.read(
                    nextInput, columns: chain.inputColumns, into: chain.inputRow(nextInput), as: chain.inputKind)
            }
            try commit(into: mixture)
        }
    }

    /// Takes the next source row if it is one that the flow needs.
    ///
    /// - Parameters:
    ///   - row: the pixels of the whole extent.
    func push(
        _ index: Int, _ row: UnsafeRawPointer, by reader: RowConversion, into mixture: MixedRows
    ) throws(CPUError) {
        guard index == nextInput, chain.inputRows.contains(index) else { return }
        let columns = chain.inputColumns
        let from = unsafe row + (columns.lowerBound - level.plan.extent.x) * reader.format.bytesPerPixel
        unsafe reader.read(
            from, count: columns.count, into: chain.inputRow(index), as: chain.inputKind,
            decoding: level.plan.decoding)
        try commit(into: mixture)
    }

    private func commit(into mixture: MixedRows) throws(CPUError) {
        let index = nextInput
        nextInput += 1
        try unsafe chain.commit(index) { (row, values) throws(CPUError) in
            unsafe mixture.add(row, values, as: chain.outputKind, channels: arithmetic.channels, of: level)
            nextOutput = row + 1
        }
    }
}
