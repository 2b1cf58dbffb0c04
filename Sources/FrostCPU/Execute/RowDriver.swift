import FrostCore

/// Makes some rows of an image, in order: reads the rows that it needs, or takes them one after the other, and writes
/// each row as soon as it can be made.
///
/// Not thread-safe: each band of rows has its own.
protocol RowDriver: AnyObject {
    /// The rows that it needs, in this order.
    var inputRows: Range<Int> { get }
    /// Begins again, with other images of the same size and format.
    func restart(_ memory: CallerMemory)
    /// Makes all rows up to `row`, and reads what that takes.
    func advance(to row: Int) throws(CPUError)
    /// Takes the next of ``inputRows``, a row of the source as wide as the extent, and makes the rows that it
    /// completes:
    /// calls `written` with each.
    func push(_ index: Int, _ row: UnsafeRawPointer, written: (Int) -> Void) throws(CPUError)
}

/// The caller's memory: what differs between two runs of a driver.
///
/// SAFETY: the images outlive the run; drivers of several bands only read the source, and write disjoint rows.
@safe struct CallerMemory {
    /// Nil for rows that are pushed.
    var source: PixelSource?
    /// Nil for a driver that makes an image of its own.
    var target: TargetRows?
    /// The source's rows for output stages that show them.
    var originals: Originals?
    var cancellation: Cancellation?
}

/// Where output stages find rows of the source.
///
/// SAFETY: as ``CallerMemory``.
@safe enum Originals {
    case source(PixelSource, extent: Rect)
    /// Rows that were pushed, for as long as they are needed.
    case kept(OriginalRows)

    func row(_ y: Int) -> UnsafeRawPointer? {
        switch self {
        case .source(let source, let extent): unsafe source.row(y - extent.y)
        case .kept(let rows): unsafe rows.row(y)
        }
    }
}

/// Where the rows of a ``PassDriver`` belong.
enum RowOutput {
    /// In an image between two parts of a plan.
    case plane(RowPlane)
    /// In the caller's image.
    case target
    /// In the caller's image, behind output stages.
    case outputStages(OutputStageRunner)
    /// In the mixture of a blend.
    case mixture(MixedRows, Blend.Level)
}

/// A driver for consecutive passes of a plan, or for a 2-D kernel.
final class PassDriver: RowDriver {
    private let plan: CPUPlan
    private let output: RowOutput
    /// What the passes read; nil for the source.
    private let read: RowPlane?
    private let chain: PassChain
    private var memory: CallerMemory
    private var nextInput: Int
    private var nextOutput: Int

    /// - Parameters:
    ///   - passes: consecutive passes of the plan; empty for a 2-D kernel.
    ///   - rows: of what the last one makes.
    ///   - read: what the first one reads; nil for the source.
    init(
        _ plan: CPUPlan, passes: Range<Int>, rows: Range<Int>, read: RowPlane?, output: RowOutput,
        _ memory: CallerMemory
    ) {
        self.plan = plan
        self.read = read
        self.output = output
        self.memory = memory
        let end: ChainOutput? =
            switch output {
            case .plane(let plane): .plane(plane)
            case .target: unsafe memory.target.map { unsafe .target($0, plan.writer) }
            case .outputStages(let runner):
                unsafe memory.target.map { unsafe .outputStages(OutputStagesTarget(runner: runner, rows: $0)) }
            case .mixture: .handedOut
            }
        chain = unsafe PassChain(
            passes, of: plan, outputRows: rows,
            input: read.map { .plane($0) } ?? memory.source.map { unsafe plan.pixels($0) },
            output: end ?? .handedOut, cancellation: memory.cancellation)
        nextInput = chain.inputRows.lowerBound
        nextOutput = rows.lowerBound
    }

    var inputRows: Range<Int> { chain.inputRows }

    /// Whether `row` has been made, or lies outside the rows of this driver.
    func isDone(with row: Int) -> Bool { nextOutput > row || !chain.outputRows.contains(row) }

    func restart(_ memory: CallerMemory) {
        self.memory = memory
        chain.restart(memory)
        nextInput = chain.inputRows.lowerBound
        nextOutput = chain.outputRows.lowerBound
    }

    func advance(to row: Int) throws(CPUError) {
        guard let input = unsafe read.map({ .plane($0) }) ?? memory.source.map({ unsafe plan.pixels($0) }) else {
            return
        }
        // Rows that the chain writes are not counted: all of them are made. Being told of each costs 5 % of a blur.
        if chain.writesDirectly { return try read(input, to: row) }
        try writing({ _ in }) { () throws(CPUError) in try read(input, to: row) }
    }

    /// Reads rows until the chain has made `row`, or there are no more.
    private func read(_ input: RowInput, to row: Int) throws(CPUError) {
        let columns = chain.inputColumns
        while nextOutput <= row, nextInput < chain.inputRows.upperBound {
            if !chain.readsDirectly {
                unsafe input.read(nextInput, columns: columns, into: chain.inputRow(nextInput), as: chain.inputKind)
            }
            nextInput += 1
            try chain.commit(nextInput - 1)
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
        try writing(written) { () throws(CPUError) in try chain.commit(index) }
    }

    /// Writes the rows that `body` completes in the chain, and calls `written` with each.
    private func writing(_ written: (Int) -> Void, _ body: () throws(CPUError) -> Void) throws(CPUError) {
        try unsafe chain.emitting(
            to: { (row, values) throws(CPUError) in
                if !chain.writesDirectly { unsafe write(row, values) }
                nextOutput = row + 1
                written(row)
            }, body)
    }

    /// Takes a row that the chain has made.
    private func write(_ row: Int, _ values: UnsafeRawPointer) {
        switch output {
        case .plane: preconditionFailure("a chain writes to planes itself")
        case .mixture(let mixture, let level):
            unsafe mixture.add(row, values, as: chain.outputKind, channels: plan.arithmetic.channels, of: level)
        case .target:
            guard let target = unsafe memory.target else { return }
            unsafe plan.writer.write(
                values, as: chain.outputKind, count: plan.plan.region.width, into: target.row(row))
        case .outputStages(let stages):
            guard let target = unsafe memory.target else { return }
            unsafe stages.write(
                row, values, to: target.row(row), streams: target.streams,
                original: { unsafe memory.originals?.row($0) })
        }
    }
}
