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

    /// Nil where rows go to a plane.
    private let sink: RowSink?
    private let nodes: [any FlowNode]
    private let first: any FlowNode
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - passes: consecutive passes of `plan`; empty for a 2-D kernel.
    ///   - outputRows: the rows of the last pass that are wanted.
    ///   - input: where rows come from, if they can be had in any order and more than once. Rows that a pass can read
    ///     there are not to be written to ``inputRow(_:)``; mirrored and repeated rows are asked for where they are
    ///     needed, instead of being kept.
    ///   - output: where rows belong, if they are at hand: rows that a pass can write there are not handed out.
    ///   - finish: in place of `output`, what finishes rows: those that a pass can have finished are not handed out.
    init(
        _ passes: Range<Int>, of plan: CPUPlan, outputRows: Range<Int>, input: RowEnd? = nil, output: RowEnd? = nil,
        outputStages: OutputStagesTarget? = nil, cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        let (arithmetic, steps) = (plan.arithmetic, plan.steps(passes))
        let columns = plan.plan.window(of: plan.place(after: passes)).columns
        let end: any FlowNode
        if let plane = output?.plane {
            sink = nil
            end = PlaneSink(plane, columns: columns)
        } else {
            let made = RowSink(steps.last?.made ?? .floats, floats: columns.count * arithmetic.channels)
            sink = made
            end = made
        }
        outputKind = end.inputKind
        var builder = unsafe NodeBuilder(
            plan: plan.plan, arithmetic: arithmetic, input: input, output: output, outputStages: outputStages,
            kernels: plan.kernels, cancellation: cancellation, rows: outputRows, columns: columns, following: end)
        for (index, step) in steps.enumerated().reversed() {
            builder.add(step, after: index == 0 ? nil : steps[index - 1])
        }
        inputRows = builder.rows
        inputColumns = builder.columns
        first = builder.following
        inputKind = first.inputKind
        nodes = builder.nodes.reversed()
        readsDirectly = builder.readsDirectly
        writesDirectly = builder.writesDirectly || sink == nil
    }

    /// For each pass along y in floats, the rows that it keeps.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

    /// What colours cells before the last doublings.
    var cells: CellColor? { nodes.lazy.compactMap { ($0 as? FixedDoubling)?.colors }.first }

    /// Begins again, for an image of the same size and format.
    func restart(_ memory: CallerMemory) {
        cancellation = memory.cancellation
        for node in nodes { node.restart(memory) }
    }

    /// Where input row `index` is to be written: `inputColumns.count` pixels of ``inputKind``.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe first.inputRow(index) }

    /// Takes the row that has been written, and computes every output row that is now possible, where rows belong to a
    /// place that was given.
    func commit(_ index: Int) throws(CPUError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try first.accept(index)
    }

    /// Takes the row that has been written, and hands on every output row that is now complete. The pointer is valid
    /// during the call.
    func commit(
        _ index: Int, emit: (Int, UnsafeRawPointer) throws(CPUError) -> Void
    ) throws(CPUError) {
        try unsafe withoutActuallyEscaping(emit) { (emit) throws(CPUError) in
            unsafe sink?.emit = emit
            defer { unsafe sink?.emit = nil }
            try commit(index)
        }
    }
}

/// Makes the nodes of a chain, from the last to the first: what one reads is what the one before it has to deliver.
/// SAFETY: what it is given outlives it.
@safe private struct NodeBuilder {
    let plan: Plan
    let arithmetic: Arithmetic
    let input: RowEnd?
    let output: RowEnd?
    let outputStages: OutputStagesTarget?
    let kernels: KernelSet
    let cancellation: Cancellation?

    /// What the next step has to deliver.
    var rows: Range<Int>
    var columns: Range<Int>
    var following: any FlowNode

    private(set) var nodes: [any FlowNode] = []
    private(set) var readsDirectly = false
    private(set) var writesDirectly = false
    /// What colours the cells that the last doubling reads, until the step that makes them is added.
    private var colors: CellColor?
    private let coloring: CellColoring?

    init(
        plan: Plan, arithmetic: Arithmetic, input: RowEnd?, output: RowEnd?, outputStages: OutputStagesTarget?,
        kernels: KernelSet, cancellation: Cancellation?, rows: Range<Int>, columns: Range<Int>, following: any FlowNode
    ) {
        self.plan = plan
        self.arithmetic = arithmetic
        self.input = input
        self.output = output
        unsafe self.outputStages = outputStages
        self.kernels = kernels
        self.cancellation = cancellation
        self.rows = rows
        self.columns = columns
        self.following = following
        coloring = unsafe outputStages?.finisher.fixed == nil ? nil : arithmetic.coloring(of: plan)
    }

    /// - Parameter before: the step that is added next; nil for the first of all.
    mutating func add(_ step: ChainStep, after before: ChainStep?) {
        let isFirst = before == nil
        // Bytes leave from the last step alone.
        let target = unsafe nodes.isEmpty ? output?.byteTarget : nil
        if step.made != following.inputKind {
            append(
                FixedBridge(
                    from: step.made, samples: columns.count * arithmetic.channels, kernels: kernels,
                    following: following))
        }
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
            append(
                unsafe FixedHalving(
                    schedule, across: x, kind: kind, source: source, input: columns, output: outputColumns,
                    channels: arithmetic.channels, kernels: kernels, cancellation: cancellation, following: following))
            rows = schedule.input
        case .convolution(let x, let y):
            guard let tapsX = FixedTaps(x.operation.taps), let tapsY = FixedTaps(y.operation.taps) else {
                preconditionFailure("a convolution that fixed-point numbers cannot do")
            }
            columns = columnsRead(x)
            let schedule = schedule(y, together: 2)
            append(
                unsafe FixedConvolution(
                    x: (x, tapsX), y: tapsY, schedule, input: columns, output: outputColumns,
                    channels: arithmetic.channels, target: direct(target, [.plain]), kernels: kernels,
                    cancellation: cancellation, following: following))
            rows = schedule.input
        case .doubling(let x, let y):
            columns = columnsRead(x)
            let schedule = schedule(y)
            let takesParts = unsafe outputStages?.finisher.takesParts == true
            let colored = nodes.isEmpty ? cellColor(before, result: outputColumns) : nil
            let outputStages = unsafe nodes.isEmpty && (takesParts || colored != nil) ? outputStages : nil
            if unsafe outputStages != nil { writesDirectly = takesParts }
            let node = unsafe FixedDoubling(
                x: x, schedule, input: columns, output: outputColumns, channels: arithmetic.channels,
                target: direct(target, [.plain, .straightRGBA]), outputStages: outputStages, colors: colors,
                colored: colored,
                kernels: kernels, cancellation: cancellation, following: following)
            colors = colored
            colored?.finisher.plain = colored?.plain
            append(node)
            rows = schedule.input
        case .kernel2D(let kernel2D):
            addKernel2D(kernel2D)
        case .pass(let pass) where pass.axis == .x:
            columns = columnsRead(pass)
            append(
                HorizontalNode(
                    pass, input: columns, output: outputColumns, channels: arithmetic.channels, kernels: kernels,
                    following: following))
        case .pass(let pass):
            let source = isFirst ? unsafe input?.rows(columns: columns) : nil
            let schedule = schedule(pass)
            rows = schedule.input
            readsDirectly = unsafe source != nil
            // A lone pass converts bytes at one end only.
            let readsBytes = if case .bytes? = unsafe source { true } else { false }
            let target = unsafe readsBytes ? nil : target
            if unsafe target != nil { writesDirectly = true }
            append(
                unsafe VerticalNode(
                    schedule, samples: columns.count * arithmetic.channels, kernels: kernels, source: source,
                    target: target, cancellation: cancellation, following: following))
        }
    }

    /// What colours the cells of a doubling before the last one.
    private func cellColor(_ before: ChainStep?, result: Range<Int>) -> CellColor? {
        guard let coloring, let finisher = unsafe outputStages?.finisher, case .doubling(let x, _)? = before
        else { return nil }
        let cells = x.input(for: columns, of: plan.window(of: x.from).columns)
        return CellColor(
            x, input: cells, output: columns, result: result, coloring, finisher: finisher, kernels: kernels)
    }

    private mutating func addKernel2D(_ kernel2D: Kernel2D) {
        let cells = plan.extent
        let reach = Rect(columns: kernel2D.reach(of: columns, along: .x), rows: kernel2D.reach(of: rows, along: .y))
        let output = Rect(columns: columns, rows: rows)
        columns = kernel2D.input(for: columns, of: cells.columns, along: .x)
        switch kernel2D.reads {
        case .runs(let runs):
            // What is asked of rows is what a filter along y would ask.
            let radius = runs.reduce(0) { max($0, abs($1.dy)) }
            let taps = [Float](repeating: 0, count: 2 * radius + 1)
            let schedule = schedule(
                Pass(axis: .y, operation: .convolve(taps: taps), from: .source, to: .output, edge: kernel2D.edge),
                together: RunsNode.block)
            append(
                RunsNode(
                    runs, reach: reach.columns, schedule, input: columns, output: output.columns, edge: kernel2D.edge,
                    channels: arithmetic.channels, kernels: kernels, cancellation: cancellation, following: following))
            rows = schedule.input
        case .zoom(let zoom):
            var rowEdge = kernel2D.edge
            if arrivesInAnyOrder(reach.rows, of: cells.rows, rowEdge) {
                rowEdge = .clamp
                rows = reach.rows
            } else {
                rows = kernel2D.input(for: rows, of: cells.rows, along: .y)
            }
            append(
                ZoomNode(
                    zoom, reach: reach, input: Rect(columns: columns, rows: rows), output: output, edge: kernel2D.edge,
                    rowEdge: rowEdge, channels: arithmetic.channels, kernels: kernels, cancellation: cancellation,
                    following: following))
        }
    }

    private mutating func append(_ node: any FlowNode) {
        nodes.append(node)
        following = node
    }

    /// - Parameter kinds: those that the step can write.
    private mutating func direct(_ target: ByteTarget?, _ kinds: [ByteKind]) -> ByteTarget? {
        guard let target = unsafe target, unsafe kinds.contains(target.kind),
            unsafe target.channels == arithmetic.channels
        else { return nil }
        writesDirectly = true
        return unsafe target
    }

    /// The columns of its input that a pass along x needs.
    private func columnsRead(_ pass: Pass) -> Range<Int> {
        pass.input(for: columns, of: plan.window(of: pass.from).columns)
    }

    /// Whether mirrored and repeated rows are asked for where they are needed.
    private func arrivesInAnyOrder(_ reach: Range<Int>, of cells: Range<Int>, _ edge: EdgeMode) -> Bool {
        guard case .pixels? = input, edge == .mirror || edge == .repeat else { return false }
        return reach.lowerBound < cells.lowerBound || reach.upperBound > cells.upperBound
    }

    /// The rows that a pass along y needs; mirrored and repeated ones in place if rows can be had in any order. (Between
    /// two parts of a plan every row that is read is there.)
    private func schedule(_ pass: Pass, together: Int = 1) -> RowSchedule {
        let cells = plan.window(of: pass.from).rows
        let reach = pass.operation.reach(of: rows)
        if arrivesInAnyOrder(reach, of: cells, pass.edge) {
            var pass = pass
            pass.edge = .clamp
            return RowSchedule(pass, input: reach, output: rows, together: together)
        }
        return RowSchedule(pass, input: pass.input(for: rows, of: cells), output: rows, together: together)
    }
}
