import CFrostKernels
import FrostCore

/// The destination of a chain's output rows.
///
/// SAFETY: bands on several threads write disjoint rows. The memory outlives the chain.
@safe enum ChainOutput {
    /// Rows are passed to the caller of ``PassChain/emitting(to:_:)``.
    case handedOut
    case plane(RowPlane)
    /// The mixture of a blend, to which the rows of one level are added.
    case mixture(MixedRows, MixedRows.Level)
    /// The target image. If no node can write the target's format, rows are passed to the caller of
    /// ``PassChain/emitting(to:_:)``.
    case target(TargetRows, RowConversion)
    /// The target image, through the encoder of output stages. If no node can use the encoder, rows are passed to the caller
    /// of ``PassChain/emitting(to:_:)``.
    case encoded(EncodedTarget)

    /// The target, if the rows are written to it without output stages.
    var direct: DirectTarget? {
        switch self {
        case .target(let rows, let conversion): unsafe DirectTarget(conversion: conversion, rows: rows)
        case .handedOut, .plane, .mixture, .encoded: nil
        }
    }

    var encoded: EncodedTarget? {
        switch self {
        case .encoded(let target): unsafe target
        case .handedOut, .plane, .mixture, .target: nil
        }
    }
}

/// A chain of nodes that executes consecutive passes of a plan. The caller writes and commits input rows one after the
/// other; output rows are emitted in order.
///
/// Not thread-safe: each thread runs its own chain over its own band of output rows.
final class PassChain {
    /// The input rows to write, in this order. If the input can be read in any order, the range may extend outside the
    /// image: the caller then applies the edge mode.
    let inputRows: Range<Int>
    /// The columns of the input rows that the caller writes.
    let inputColumns: Range<Int>
    /// The kind of the input rows.
    let inputKind: RowKind
    /// The maximum number of consecutive input rows that may be written before they are committed.
    let rowsTogether: Int
    /// The output rows that the chain computes.
    let outputRows: Range<Int>
    /// The kind of the output rows: floats or fixed-point numbers.
    let outputKind: RowKind
    /// Whether the first node reads input rows directly from the source. Input rows then only have to be committed, not
    /// written.
    let readsDirectly: Bool
    /// Whether the last node writes output rows directly to their destination. If not, the caller has to write the rows
    /// that the chain emits.
    let writesDirectly: Bool

    private let end: any ChainEnd
    private let nodes: [any FlowNode]
    private var cancellation: Cancellation?

    /// Creates the nodes of a chain.
    ///
    /// - Parameters:
    ///   - passes: consecutive passes of `plan`; empty for a 2-D kernel.
    ///   - outputRows: the rows of the last pass to compute.
    ///   - input: the source of the input rows; nil if its rows cannot be read in any order and repeatedly. Rows that a
    ///     node can read directly from this source need not be written to ``inputRow(_:)``. Mirrored and repeated rows
    ///     are read again when they are needed, instead of being kept.
    ///   - output: the destination of the output rows. Rows that a node can write directly to the destination are not
    ///     emitted.
    init(
        _ passes: Range<Int>, of plan: CPUPlan, outputRows: Range<Int>, input: RowInput? = nil,
        output: ChainOutput = .handedOut, cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        let steps = plan.steps(passes)
        let columns = plan.plan.window(of: plan.place(after: passes)).columns
        let floats = columns.count * plan.arithmetic.channels
        let together = NodeRequest.rowsArriving(bytes: 4 * floats, isPushed: input == nil)
        let (made, first) = (steps.last?.made ?? .floats, outputRows.lowerBound)
        var writes: Bool
        switch output {
        case .plane(let plane):
            (end, writes) = (PlaneSink(plane, columns: columns, first: first, together: together), true)
        case .mixture(let mixture, let level):
            end = MixtureSink(
                mixture, level, made, channels: plan.arithmetic.channels, first: first, floats: floats,
                together: together)
            writes = true
        case .handedOut, .target, .encoded:
            (end, writes) = (RowSink(made, first: first, floats: floats, together: together), false)
        }
        outputKind = end.inputKind

        // Nodes are created from the last step to the first, because the input that a step needs is the output of the
        // step before it.
        var request = unsafe NodeRequest(
            plan: plan, rows: outputRows, columns: columns, following: end, isFirst: false, input: input,
            target: output.direct, encoded: output.encoded, cancellation: cancellation)
        var nodes: [any FlowNode] = []
        var reads = false
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
            unsafe (request.target, request.encoded) = (nil, nil)
        }
        self.nodes = nodes
        (inputRows, inputColumns, inputKind) = (request.rows, request.columns, request.following.inputKind)
        (readsDirectly, writesDirectly) = (reads, writes)
        let arriving = request.following.rowsTogether
        rowsTogether =
            switch output {
            case .mixture: min(arriving, max(1, MixedRows.rowsPerTurn >> plan.inputLevel(of: passes, along: .y)))
            case .handedOut, .plane, .target, .encoded: arriving
            }
    }

    /// The first output row that has not been computed yet.
    var nextOutput: Int { end.next }

    /// The number of rows that each pass along y in floats keeps. Other passes are not in the list.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

    /// Starts again from the first row, for an image of the same size and format.
    func restart(_ memory: CallerMemory) {
        cancellation = memory.cancellation
        for node in nodes { node.restart(memory) }
        end.restart(memory)
    }

    /// Returns the memory for input row `index`: `inputColumns.count` pixels of ``inputKind``.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe nodes[0].inputRow(index) }

    /// Takes input rows, at most ``rowsTogether``, which have been written, and computes all output rows that are now
    /// possible. Output rows are lost if no node writes them directly and the call is not made within
    /// ``emitting(to:_:)``.
    func commit(_ rows: Range<Int>) throws(CPUError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try nodes[0].accept(rows)
    }

    /// Runs `body`, which calls ``commit(_:)``. Meanwhile, calls `emit` with the index and the values of each output
    /// row that becomes complete. The pointer is valid only during the call of `emit`.
    func emitting(
        to emit: (Int, UnsafeRawPointer) throws(CPUError) -> Void, _ body: () throws(CPUError) -> Void
    ) throws(CPUError) {
        let sink = end as? RowSink
        try unsafe withoutActuallyEscaping(emit) { (emit) throws(CPUError) in
            unsafe sink?.emit = emit
            defer { unsafe sink?.emit = nil }
            try body()
        }
    }
}

extension ChainStep {
    /// Creates the nodes of a step.
    func nodes(_ request: NodeRequest) -> MadeNodes {
        switch self {
        case .pass(let pass):
            switch pass.axis {
            case .x: HorizontalNode.make(pass, request)
            case .y: VerticalNode.make(pass, request)
            }
        case .kernel2D(let kernel):
            switch kernel.reads {
            case .runs(let runs): RunsNode.make(runs, kernel, request)
            case .zoom(let zoom): ZoomNode.make(zoom, kernel, request)
            }
        case .decimation(let y, let x): FixedDecimation.make(y: y, x: x, request)
        case .convolution(let x, let y): FixedConvolution.make(x: x, y: y, request)
        case .interpolation(let x, let y): FixedInterpolation.make(x: x, y: y, request)
        }
    }
}

/// A node that converts rows of floats to fixed-point numbers, or the reverse.
@safe final class RowKindConversion: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let rows: RowRing
    let rowsTogether: Int
    private let samples: Int
    private let kernels: KernelSet

    /// Creates a node that converts rows to the other kind.
    ///
    /// - Parameter kind: the kind of the rows that arrive: ``RowKind/floats`` or ``RowKind/fixed``. The output has the
    ///   other kind.
    init(from kind: RowKind, _ request: NodeRequest) {
        following = request.following
        inputKind = kind
        samples = request.columns.count * request.channels
        kernels = request.kernels
        rowsTogether = request.rowsArriving(bytes: 4 * samples)
        rows = RowRing(rows: rowsTogether, floats: samples)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index)) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for part in rows.parts(of: following.rowsTogether) {
            for index in part {
                unsafe inputKind.convert(
                    inputRow(index), to: following.inputKind, following.inputRow(index), samples, kernels)
            }
            try following.accept(part)
        }
    }
}
