import FrostCore

/// Computes some rows of an image, in order. There are two ways to supply input rows: ``advance(to:)`` reads the rows
/// from an image, and ``push(_:_:written:)`` passes one row to the driver. The driver writes each row as soon as it has
/// all input rows that the row depends on.
///
/// Not thread-safe: each band of rows has its own driver.
protocol RowDriver: AnyObject {
    /// The input rows that the driver needs. ``push(_:_:written:)`` takes them from the first to the last.
    var inputRows: Range<Int> { get }
    /// Starts again from the first row, with other images of the same size and format.
    func restart(_ memory: CallerMemory)
    /// Computes all rows up to and including `row`. Reads the input rows that these rows depend on.
    func advance(to row: Int) throws(CPUError)
    /// Takes the next row of ``inputRows``: a row of the source, as wide as the extent. Computes the rows that are now
    /// complete, and calls `written` with the index of each.
    func push(_ index: Int, _ row: UnsafeRawPointer, written: (Int) -> Void) throws(CPUError)
}

/// The destination of the rows of a ``PassDriver``.
enum RowOutput {
    /// An image between two parts of a plan.
    case plane(RowPlane)
    /// The caller's image.
    case target
    /// Output stages, which write to the caller's image.
    case outputStages(OutputStageRunner)
    /// The mixture of a blend, to which the driver adds the rows of one level.
    case mixture(MixedRows, MixedRows.Level)
}

/// A row driver for consecutive passes of a plan, or for a 2-D kernel.
final class PassDriver: RowDriver {
    private let plan: CPUPlan
    /// The output stages that write rows which the chain hands out; nil if rows are written without output stages.
    private let stages: OutputStageRunner?
    /// The image that the passes read; nil for the source.
    private let read: RowPlane?
    private let chain: PassChain
    private var memory: CallerMemory
    private var nextInput: Int

    /// Creates a driver for consecutive passes or a 2-D kernel.
    ///
    /// - Parameters:
    ///   - passes: consecutive passes of the plan; empty for a 2-D kernel.
    ///   - rows: the rows of the last pass that the driver computes.
    ///   - read: the image that the first pass reads; nil for the source.
    init(
        _ plan: CPUPlan, passes: Range<Int>, rows: Range<Int>, read: RowPlane?, output: RowOutput,
        _ memory: CallerMemory
    ) {
        self.plan = plan
        self.read = read
        self.memory = memory
        // A plain reference, which tools that search memory for leaks recognise, unlike one inside of an enumeration.
        stages =
            switch output {
            case .outputStages(let runner): runner
            case .plane, .target, .mixture: nil
            }
        let end: ChainOutput? =
            switch output {
            case .plane(let plane): .plane(plane)
            case .target: unsafe memory.target.map { unsafe .target($0, plan.writer) }
            case .outputStages(let runner):
                if let encoder = runner.onlyEncoder, let rows = unsafe memory.target {
                    unsafe .encoded(EncodedTarget(encoder: encoder, rows: rows))
                } else {
                    nil
                }
            case .mixture(let mixture, let level): .mixture(mixture, level)
            }
        chain = unsafe PassChain(
            passes, of: plan, outputRows: rows,
            input: read.map { .plane($0) } ?? memory.source.map { unsafe plan.pixels($0) },
            output: end ?? .handedOut, cancellation: memory.cancellation)
        nextInput = chain.inputRows.lowerBound
    }

    var inputRows: Range<Int> { chain.inputRows }

    /// Whether `row` has been computed, or lies outside the rows of this driver.
    func isDone(with row: Int) -> Bool { chain.nextOutput > row || !chain.outputRows.contains(row) }

    func restart(_ memory: CallerMemory) {
        self.memory = memory
        chain.restart(memory)
        nextInput = chain.inputRows.lowerBound
    }

    func advance(to row: Int) throws(CPUError) {
        guard let input = unsafe read.map({ .plane($0) }) ?? memory.source.map({ unsafe plan.pixels($0) }) else {
            return
        }
        // A chain that writes its output rows itself does not report each row to the driver, because these reports
        // would cost 5 % of the time of a blur.
        if chain.writesDirectly { return try read(input, to: row) }
        try writing({ _ in }) { () throws(CPUError) in try read(input, to: row) }
    }

    /// Reads input rows until the chain has computed `row` or there are no more input rows.
    private func read(_ input: RowInput, to row: Int) throws(CPUError) {
        let columns = chain.inputColumns
        while chain.nextOutput <= row, nextInput < chain.inputRows.upperBound {
            let rows = nextInput..<min(nextInput + chain.rowsTogether, chain.inputRows.upperBound)
            if !chain.readsDirectly {
                unsafe input.read(rows, columns: columns, as: chain.inputKind) { unsafe chain.inputRow($0) }
            }
            nextInput = rows.upperBound
            try chain.commit(rows)
        }
    }

    func push(_ index: Int, _ row: UnsafeRawPointer, written: (Int) -> Void) throws(CPUError) {
        guard index == nextInput, chain.inputRows.contains(index) else { return }
        let columns = chain.inputColumns
        let from = unsafe row + (columns.lowerBound - plan.plan.extent.x) * plan.reader.format.bytesPerPixel
        unsafe plan.reader.read(
            from, count: columns.count, into: chain.inputRow(index), as: chain.inputKind,
            decoding: plan.plan.decoding)
        nextInput += 1
        try writing(written) { () throws(CPUError) in try chain.commit(index..<index + 1) }
    }

    /// Runs `body`. For each row that the chain completes meanwhile, writes the row to its destination and calls
    /// `written` with the row's index.
    private func writing(_ written: (Int) -> Void, _ body: () throws(CPUError) -> Void) throws(CPUError) {
        try unsafe chain.emitting(
            to: { (row, values) throws(CPUError) in
                if !chain.writesDirectly { unsafe write(row, values) }
                written(row)
            }, body)
    }

    /// Writes a row that the chain has computed to the destination.
    private func write(_ row: Int, _ values: UnsafeRawPointer) {
        guard let target = unsafe memory.target else { return }
        if let stages {
            unsafe stages.write(row, values, to: target.row(row), streams: target.streams, memory.originals)
        } else {
            unsafe plan.writer.write(
                values, as: chain.outputKind, count: plan.plan.region.width, into: target.row(row),
                streams: target.streams)
        }
    }
}
