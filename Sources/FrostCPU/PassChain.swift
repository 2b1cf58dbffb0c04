import FrostCore

/// Consecutive passes of a plan as a flow of rows: input rows are written and committed one after the other, output rows
/// come out in order.
///
/// Not thread-safe: each thread runs its own chain over its own band of output rows.
final class PassChain {
    /// The input rows to write, in this order. Where they can be had in any order they may lie beyond the image: the
    /// caller applies the edge rule.
    let inputRows: Range<Int>
    /// The input columns to write.
    let inputColumns: Range<Int>
    /// What input rows are to hold.
    let inputKind: RowKind
    /// The rows that come out.
    let outputRows: Range<Int>
    /// What they hold: floats or fixed-point numbers.
    let outputKind: RowKind

    /// Input rows need only be committed, not written: the first pass reads them where they are.
    let readsDirectly: Bool
    /// The last pass has written the rows that come out to where they belong.
    let writesDirectly: Bool

    /// Where the rows that come out are collected, between two parts of a plan.
    private let plane: RowPlane?
    private let nodes: [any FlowNode]
    private let output: RowStorage
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - passes: consecutive passes of `plan`, not empty.
    ///   - outputRows: the rows of the last pass that are wanted.
    ///   - arithmetic: how the plan is computed.
    ///   - input: where rows come from, if they can be had in any order and more than once. Rows that a pass can read
    ///     there are not to be written to ``inputRow(_:)``; mirrored and repeated rows are asked for where they are
    ///     needed, instead of being kept.
    ///   - output: where rows belong, if they are at hand: rows that a pass can write there are not handed out.
    init(
        _ passes: ArraySlice<Pass>, of plan: Plan, outputRows: Range<Int>, arithmetic: Arithmetic,
        input: RowEnd? = nil, output: RowEnd? = nil, kernels: KernelSet = .best, cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        plane = output?.plane
        let steps = arithmetic.steps(passes, of: plan)
        let columns = plan.window(of: passes[passes.endIndex - 1].to).columns
        outputKind = plane?.kind ?? (steps.last?.isFixed == true ? .fixed : .floats)
        // Two rows: see FlowNode.
        self.output = RowStorage(rows: 2, floats: columns.count * arithmetic.channels)

        var builder = NodeBuilder(
            plan: plan, arithmetic: arithmetic, input: input, output: output, kernels: kernels,
            cancellation: cancellation, rows: outputRows, columns: columns, wanted: outputKind)
        for (index, step) in steps.enumerated().reversed() { builder.add(step, isFirst: index == 0) }
        inputRows = builder.rows
        inputColumns = builder.columns
        inputKind = builder.wanted
        nodes = builder.nodes.reversed()
        readsDirectly = builder.readsDirectly
        writesDirectly = builder.writesDirectly || plane != nil
    }

    /// For each pass along y in floats, the rows that it keeps.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

    /// Where input row `index` is to be written: `inputColumns.count` pixels of ``inputKind``.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe nodes[0].inputRow(index) }

    /// Takes the row that has been written, and hands on every output row that is now complete. The pointer is valid
    /// during the call.
    func commit(
        _ index: Int, emit: (Int, UnsafeRawPointer) throws(CPUError) -> Void
    ) throws(CPUError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try unsafe pass(index, to: 0, emit: emit)
    }

    private func place(_ row: Int) -> UnsafeMutableRawPointer {
        unsafe plane?.row(row) ?? UnsafeMutableRawPointer(output.row(row & 1))
    }

    private func pass(
        _ index: Int, to node: Int, emit: (Int, UnsafeRawPointer) throws(CPUError) -> Void
    ) throws(CPUError) {
        guard node < nodes.count else { return try unsafe emit(index, UnsafeRawPointer(place(index))) }
        try unsafe nodes[node].accept(
            index,
            target: { row in unsafe node + 1 < nodes.count ? nodes[node + 1].inputRow(row) : place(row) },
            emit: { (row: Int) throws(CPUError) in try unsafe pass(row, to: node + 1, emit: emit) })
    }
}

/// Makes the nodes of a chain, from the last to the first: what one reads is what the one before it has to deliver.
private struct NodeBuilder {
    let plan: Plan
    let arithmetic: Arithmetic
    let input: RowEnd?
    let output: RowEnd?
    let kernels: KernelSet
    let cancellation: Cancellation?

    /// What the next step has to deliver.
    var rows: Range<Int>
    var columns: Range<Int>
    var wanted: RowKind

    private(set) var nodes: [any FlowNode] = []
    private(set) var readsDirectly = false
    private(set) var writesDirectly = false

    init(
        plan: Plan, arithmetic: Arithmetic, input: RowEnd?, output: RowEnd?, kernels: KernelSet,
        cancellation: Cancellation?, rows: Range<Int>, columns: Range<Int>, wanted: RowKind
    ) {
        self.plan = plan
        self.arithmetic = arithmetic
        self.input = input
        self.output = output
        self.kernels = kernels
        self.cancellation = cancellation
        self.rows = rows
        self.columns = columns
        self.wanted = wanted
    }

    mutating func add(_ step: ChainStep, isFirst: Bool) {
        let made: RowKind = step.isFixed ? .fixed : .floats
        if made != wanted {
            nodes.append(FixedBridge(from: made, samples: columns.count * arithmetic.channels, kernels: kernels))
        }
        // Bytes leave from the last step alone.
        let target = unsafe nodes.isEmpty ? output?.byteTarget : nil
        let outputColumns = columns
        switch step {
        case .halving(let y, let x):
            columns = columnsRead(x)
            let schedule = schedule(y, together: 2)
            let isImage = isFirst && y.from == .source
            let kind = isImage ? arithmetic.arriving : .fixed
            var source: ByteRows?
            if isImage, case .bytes(let bytes, .plain)? = unsafe input?.rows(columns: columns),
                unsafe bytes.channels == arithmetic.channels
            {
                unsafe source = bytes
                readsDirectly = true
            }
            nodes.append(
                unsafe FixedHalving(
                    schedule, across: x, kind: kind, source: source, input: columns, output: outputColumns,
                    channels: arithmetic.channels, kernels: kernels, cancellation: cancellation))
            rows = schedule.input
        case .convolution(let x, let y):
            guard let tapsX = FixedTaps(x.operation.taps), let tapsY = FixedTaps(y.operation.taps) else {
                preconditionFailure("a convolution that fixed-point numbers cannot do")
            }
            columns = columnsRead(x)
            let schedule = schedule(y, together: 2)
            nodes.append(
                unsafe FixedConvolution(
                    x: (x, tapsX), y: tapsY, schedule, input: columns, output: outputColumns,
                    channels: arithmetic.channels, target: plain(target), kernels: kernels,
                    cancellation: cancellation))
            rows = schedule.input
        case .doubling(let x, let y):
            columns = columnsRead(x)
            let schedule = schedule(y)
            nodes.append(
                unsafe FixedDoubling(
                    x: x, schedule, input: columns, output: outputColumns, channels: arithmetic.channels,
                    target: plain(target), kernels: kernels, cancellation: cancellation))
            rows = schedule.input
        case .pass(let pass) where pass.axis == .x:
            columns = columnsRead(pass)
            nodes.append(
                HorizontalNode(
                    pass, input: columns, output: outputColumns, channels: arithmetic.channels, kernels: kernels))
        case .pass(let pass):
            let source = isFirst ? unsafe input?.rows(columns: columns) : nil
            let schedule = schedule(pass)
            rows = schedule.input
            readsDirectly = unsafe source != nil
            // A lone pass converts bytes at one end only.
            let readsBytes = if case .bytes? = unsafe source { true } else { false }
            let target = unsafe readsBytes ? nil : target
            if unsafe target != nil { writesDirectly = true }
            nodes.append(
                unsafe VerticalNode(
                    schedule, samples: columns.count * arithmetic.channels, kernels: kernels, source: source,
                    target: target, cancellation: cancellation))
        }
        wanted = nodes[nodes.count - 1].inputKind
    }

    private mutating func plain(_ target: ByteTarget?) -> ByteTarget? {
        guard let target = unsafe target, unsafe target.kind == .plain,
            unsafe target.channels == arithmetic.channels
        else { return nil }
        writesDirectly = true
        return unsafe target
    }

    /// The columns of its input that a pass along x needs.
    private func columnsRead(_ pass: Pass) -> Range<Int> {
        pass.input(for: columns, of: plan.window(of: pass.from).columns)
    }

    /// The rows that a pass along y needs; mirrored and repeated ones in place if rows can be had in any order. (Between
    /// two parts of a plan every row that is read is there.)
    private func schedule(_ pass: Pass, together: Int = 1) -> RowSchedule {
        let cells = plan.window(of: pass.from).rows
        let reach = pass.operation.reach(of: rows)
        let leaves = reach.lowerBound < cells.lowerBound || reach.upperBound > cells.upperBound
        if case .pixels? = input, leaves, pass.edge == .mirror || pass.edge == .repeat {
            var pass = pass
            pass.edge = .clamp
            return RowSchedule(pass, input: reach, output: rows, together: together)
        }
        return RowSchedule(pass, input: pass.input(for: rows, of: cells), output: rows, together: together)
    }
}
