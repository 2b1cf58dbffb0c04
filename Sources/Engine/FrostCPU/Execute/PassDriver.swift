import FrostCore

/// Computes some rows of an image, in order. There are two ways to supply input rows: ``advance(to:)`` reads the rows
/// from an image, and ``push(_:_:)`` passes one row to the driver. The driver writes each row as soon as it has
/// all input rows that the row depends on.
///
/// Not thread-safe: each band of rows has its own driver.
protocol RowDriver: AnyObject {
    /// The input rows that the driver needs. ``push(_:_:)`` takes them from the first to the last.
    var inputRows: Range<Int> { get }
    /// Starts again from the first row, with other images of the same size and format.
    func restart(_ memory: CallerMemory)
    /// Computes all rows up to and including `row`. Reads the input rows that these rows depend on.
    func advance(to row: Int) throws(CPUError)
    /// Takes the next row of ``inputRows``: a row of the source, as wide as the extent. Computes the rows that are now
    /// complete, and tells the listener of each.
    func push(_ index: Int, _ row: Row) throws(CPUError)
}

/// The destination of the rows of a ``PassDriver``.
enum RowOutput {
    /// An image between two parts of a plan.
    case plane(RowPlane)
    /// The caller's image, through output stages if there are any.
    case target(OutputStageRunner?)
    /// The mixture of a blend, to which the driver adds the rows of one level.
    case mixture(MixedRows, MixedRows.Level)
}

/// A row driver for consecutive passes of a plan, or for a 2-D kernel: a chain of nodes. Rows go from node to node, from the
/// image that the driver reads to the end of the chain.
final class PassDriver: RowDriver {
    private let plan: CPUPlan
    /// The image that the passes read; nil for the source.
    private let read: RowPlane?
    private let nodes: [any FlowNode]
    private let end: any ChainEnd
    /// The maximum number of input rows that the first node takes together.
    private let rowsTogether: Int
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
    ) throws(CPUError) {
        self.plan = plan
        self.read = read
        self.memory = memory
        let input = Self.input(plan, read, memory)
        let steps = plan.steps(passes)
        let columns = plan.plan.window(of: plan.place(after: passes)).columns
        let rowBytes = 4 * columns.count * plan.arithmetic.channels
        var computed = ChainOutput(
            kind: steps.last?.outputKind ?? .floats, rows: rows, columns: columns, channels: plan.arithmetic.channels,
            together: NodeRequest.rowsArriving(bytes: rowBytes, isPushed: input == nil))
        var (maximum, writesTarget, encoder, plain) = (Int.max, false, FixedEncoder?.none, PlainPixels?.none)
        switch output {
        case .plane(let plane): end = try PlaneEnd(computed, plane)
        case .target(let stages):
            encoder = stages?.onlyEncoder
            writesTarget = steps.last?.writesTarget(of: plan, through: stages) ?? false
            // Rows that are pushed have no memory before they are complete.
            if input != nil, memory.listener == nil {
                plain = stages?.directEncoder.flatMap { steps.plainPixels(of: plan.plan, $0, rows: rows) }
            }
            let sides = try plain.flatMap { (plain) throws(CPUError) in try stages?.sideRows(of: plan, plain) }
            if sides != nil { computed.together = SideRows.maximumCount }
            end = try TargetEnd(
                computed, plan.writer, stages, isWritten: writesTarget, plain: plain, sides: sides)
        case .mixture(let mixture, let level):
            end = try MixtureEnd(computed, mixture, level)
            maximum = max(1, MixedRows.rowsPerTurn >> plan.inputLevel(of: passes, along: .y))
        }

        // Nodes are created from the last step to the first, because the input that a step needs is the output of the
        // step before it.
        var nodes: [any FlowNode] = [end]
        for (index, step) in steps.enumerated().reversed() {
            func request() -> NodeRequest {
                NodeRequest(
                    plan: plan, following: nodes[0], isFirst: index == 0, input: input,
                    writesTarget: writesTarget && index == steps.count - 1, encoder: encoder, plain: plain)
            }
            if step.outputKind != nodes[0].inputKind {
                try nodes.insert(RowKindConversion(from: step.outputKind, request()), at: 0)
            }
            try nodes.insert(step.node(request()), at: 0)
        }
        self.nodes = nodes
        rowsTogether = min(nodes[0].rowsTogether, maximum)
        nextInput = nodes[0].inputRows.lowerBound
        for node in nodes { node.start(memory) }
    }

    private static func input(_ plan: CPUPlan, _ read: RowPlane?, _ memory: CallerMemory) -> RowInput? {
        unsafe read.map { .plane($0) } ?? memory.source.map { unsafe plan.pixels($0) }
    }

    var inputRows: Range<Int> { nodes[0].inputRows }

    /// The number of rows that each pass along y in floats keeps. Other passes are not in the list.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

    /// Whether `row` has been computed, or lies outside the rows of this driver.
    func isDone(with row: Int) -> Bool { end.next > row || !end.inputRows.contains(row) }

    func restart(_ memory: CallerMemory) {
        self.memory = memory
        for node in nodes { node.start(memory) }
        nextInput = inputRows.lowerBound
    }

    func advance(to row: Int) throws(CPUError) {
        guard let input = Self.input(plan, read, memory) else { return }
        let first = nodes[0]
        while end.next <= row, nextInput < inputRows.upperBound {
            let rows = nextInput..<min(nextInput + rowsTogether, inputRows.upperBound)
            if !first.readsDirectly {
                input.read(rows, columns: first.inputColumns, as: first.inputKind) { first.inputRow($0) }
            }
            try commit(rows)
        }
    }

    func push(_ index: Int, _ row: Row) throws(CPUError) {
        guard index == nextInput, inputRows.contains(index) else { return }
        let (first, columns) = (nodes[0], nodes[0].inputColumns)
        plan.reader.read(
            row + (columns.lowerBound - plan.plan.extent.x) * plan.reader.format.bytesPerPixel, count: columns.count,
            into: first.inputRow(index), as: first.inputKind, decoding: plan.plan.decoding)
        try commit(index..<index + 1)
    }

    /// Computes all output rows that are possible with input rows that have been written.
    private func commit(_ rows: Range<Int>) throws(CPUError) {
        if memory.cancellation?.isCancelled == true { throw .cancelled }
        nextInput = rows.upperBound
        try nodes[0].accept(rows)
    }
}

extension [ChainStep] {
    /// Returns the pixels that an interpolation before a lens writes itself.
    fileprivate func plainPixels(of plan: Plan, _ encoder: FixedEncoder, rows: Range<Int>) -> PlainPixels? {
        guard case .lens(let refraction, .fixed)? = last, case .interpolation(_, let y)? = dropLast().last else {
            return nil
        }
        return PlainPixels(refraction, plan, encoder, rows: rows, pairs: y)
    }
}

extension ChainStep {
    /// Creates the node of a step.
    func node(_ request: NodeRequest) throws(CPUError) -> any FlowNode {
        switch self {
        case .pass(let pass):
            switch pass.axis {
            case .x: try HorizontalNode(pass, request)
            case .y: try VerticalNode(pass, request)
            }
        case .kernel2D(let kernel, let kind):
            switch kernel.reads {
            case .runs(let runs): try RunsNode(runs, kernel, kind: kind, request)
            case .zoom(let zoom): try ZoomNode(zoom, kernel, request)
            }
        case .decimation(let y, let x): try FixedDecimation(y: y, x: x, request)
        case .convolution(let x, let y): try FixedConvolution(x: x, y: y, request)
        case .interpolation(let x, let y): try FixedInterpolation(x: x, y: y, request)
        case .lens(let refraction, let kind): try LensNode(refraction, kind: kind, request)
        case .means(let passes): try CellMeans(passes, request)
        case .copies(let passes): try CellCopies(passes, request)
        }
    }

    /// Whether the step's node writes the samples of a target itself if it is the last one.
    func writesTarget(of plan: CPUPlan, through stages: OutputStageRunner?) -> Bool {
        switch self {
        case .interpolation: stages.map { $0.onlyEncoder != nil } ?? (plan.writer.directKind != nil)
        case .convolution: stages == nil && plan.writer.directKind != nil
        case .pass(let pass): stages == nil && pass.axis == .y && plan.writer.samples != nil
        case .decimation, .kernel2D, .lens, .means, .copies: false
        }
    }
}
