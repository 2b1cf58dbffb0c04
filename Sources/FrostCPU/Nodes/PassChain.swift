import FrostCore

/// Consecutive passes of a plan as a chain of nodes: input rows are written and committed one after the other, output
/// rows come out in order.
///
/// Not thread-safe: each thread runs its own chain over its own band of output rows.
final class PassChain {
    /// The input rows to write, in this order. If rows can be read in any order they may lie outside the image: the
    /// caller applies the edge rule.
    let inputRows: Range<Int>
    /// The input columns to write.
    let inputColumns: Range<Int>
    /// The kind of the input rows.
    let inputKind: RowKind
    /// The rows that come out.
    let outputRows: Range<Int>
    /// Their kind: floats or fixed-point numbers.
    let outputKind: RowKind
    /// Input rows need only be committed, not written: the first node reads them where they are.
    let readsDirectly: Bool
    /// The last node has written the rows that come out to where they belong.
    let writesDirectly: Bool

    /// Nil if rows go to a plane.
    private let sink: RowSink?
    private let nodes: [any FlowNode]
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - passes: consecutive passes of `plan`; empty for a 2-D kernel.
    ///   - outputRows: the rows of the last pass that are needed.
    ///   - input: where rows come from, if they can be read in any order and more than once. Rows that a node can read
    ///     there are not written to ``inputRow(_:)``; mirrored and repeated rows are read where they are needed instead
    ///     of being kept.
    ///   - output: where rows belong, if that memory is at hand. Rows that a node can write there are not handed out.
    init(
        _ passes: Range<Int>, of plan: CPUPlan, outputRows: Range<Int>, input: RowInput? = nil,
        output: ChainOutput = .handedOut, cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        let steps = plan.steps(passes)
        let columns = plan.plan.window(of: plan.place(after: passes)).columns
        let end: any FlowNode
        switch output {
        case .plane(let plane):
            (sink, end) = (nil, PlaneSink(plane, columns: columns))
        case .handedOut, .target, .outputStages:
            let made = RowSink(steps.last?.made ?? .floats, floats: columns.count * plan.arithmetic.channels)
            (sink, end) = (made, made)
        }
        outputKind = end.inputKind

        // From the last step to the first: each step's input is the output of the step before it.
        var request = unsafe NodeRequest(
            plan: plan, rows: outputRows, columns: columns, following: end, isFirst: false, input: input,
            target: output.bytes, outputStages: output.stages, cancellation: cancellation)
        var nodes: [any FlowNode] = []
        var (reads, writes) = (false, sink == nil)
        for (index, step) in steps.enumerated().reversed() {
            if step.made != request.following.inputKind {
                let conversion = RowKindConversion(from: step.made, request)
                nodes.insert(conversion, at: 0)
                request.following = conversion
            }
            request.isFirst = index == 0
            let made = step.nodes(request)
            nodes.insert(contentsOf: made.nodes, at: 0)
            reads = reads || made.readsDirectly
            writes = writes || made.writesDirectly
            (request.rows, request.columns, request.following) = (made.rows, made.columns, nodes[0])
            // Only the last step writes bytes.
            unsafe (request.target, request.outputStages) = (nil, nil)
        }
        self.nodes = nodes
        (inputRows, inputColumns, inputKind) = (request.rows, request.columns, request.following.inputKind)
        (readsDirectly, writesDirectly) = (reads, writes)
    }

    /// For each pass along y in floats, the rows that it keeps.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

    /// Begins again, for an image of the same size and format.
    func restart(_ memory: CallerMemory) {
        cancellation = memory.cancellation
        for node in nodes { node.restart(memory) }
    }

    /// Where input row `index` is to be written: `inputColumns.count` pixels of ``inputKind``.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe nodes[0].inputRow(index) }

    /// Takes the row that has been written, and computes every output row that is now possible. Rows that are not
    /// written to where they belong are lost.
    func commit(_ index: Int) throws(CPUError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try nodes[0].accept(index)
    }

    /// Calls `emit` with each output row that the calls of ``commit(_:)`` in `body` complete. The pointer is valid
    /// during the call.
    func emitting(
        to emit: (Int, UnsafeRawPointer) throws(CPUError) -> Void, _ body: () throws(CPUError) -> Void
    ) throws(CPUError) {
        try unsafe withoutActuallyEscaping(emit) { (emit) throws(CPUError) in
            unsafe sink?.emit = emit
            defer { unsafe sink?.emit = nil }
            try body()
        }
    }
}
