import FrostCore

/// Consecutive passes of a plan as a flow of float rows: input rows are written and committed one after the other,
/// output rows come out in order.
///
/// Not thread-safe: each thread runs its own chain over its own band of output rows.
final class PassChain {
    /// The input rows to write, in this order. Where `randomAccess` was asked for they may lie beyond the image:
    /// the caller applies the edge rule.
    let inputRows: Range<Int>
    /// The input columns to write.
    let inputColumns: Range<Int>
    /// The rows that come out.
    let outputRows: Range<Int>

    private let nodes: [any FlowNode]
    private let output: RowStorage
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - passes: consecutive passes of `plan`, not empty.
    ///   - outputRows: the rows of the last pass that are wanted.
    ///   - channels: floats per pixel.
    ///   - randomAccess: input rows can be had in any order and more than once: then mirrored and repeated rows are
    ///     asked for where they are needed, instead of being kept.
    init(
        _ passes: ArraySlice<Pass>, of plan: Plan, outputRows: Range<Int>, channels: Int, randomAccess: Bool,
        cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        var rows = outputRows
        var nodes: [any FlowNode] = []
        var columns = plan.window(of: passes[passes.endIndex - 1].to).columns
        output = RowStorage(rows: 1, floats: columns.count * channels)
        for pass in passes.reversed() {
            let window = plan.window(of: pass.from)
            switch pass.axis {
            case .x:
                let input = pass.input(for: columns, of: window.columns)
                nodes.append(HorizontalNode(pass, input: input, output: columns, channels: channels))
                columns = input
            case .y:
                var pass = pass
                var input = pass.input(for: rows, of: window.rows)
                let reach = pass.operation.reach(of: rows)
                let leaves = reach.lowerBound < window.rows.lowerBound || reach.upperBound > window.rows.upperBound
                if randomAccess, leaves, pass.edge == .mirror || pass.edge == .repeat {
                    input = reach
                    pass.edge = .clamp
                }
                nodes.append(
                    VerticalNode(
                        pass, input: input, output: rows, floats: columns.count * channels, cancellation: cancellation))
                rows = input
            }
        }
        inputRows = rows
        inputColumns = columns
        self.nodes = nodes.reversed()
    }

    /// Where input row `index` is to be written: `inputColumns.count` pixels.
    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe nodes[0].inputRow(index) }

    /// Takes the row that has been written, and hands on every output row that is now complete. The pointer is valid
    /// during the call.
    func commit(
        _ index: Int, emit: (Int, UnsafePointer<Float>) throws(CPUError) -> Void
    ) throws(CPUError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try unsafe pass(index, to: 0, emit: emit)
    }

    private func pass(
        _ index: Int, to node: Int, emit: (Int, UnsafePointer<Float>) throws(CPUError) -> Void
    ) throws(CPUError) {
        guard node < nodes.count else { return try unsafe emit(index, UnsafePointer(output.row(0))) }
        try unsafe nodes[node].accept(
            index,
            target: { row in
                unsafe node + 1 < nodes.count ? nodes[node + 1].inputRow(row) : output.row(0)
            },
            emit: { (row: Int) throws(CPUError) in try unsafe pass(row, to: node + 1, emit: emit) })
    }
}
