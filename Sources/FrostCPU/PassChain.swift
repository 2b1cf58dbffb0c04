import FrostCore

/// Consecutive passes of a plan as a flow of float rows: input rows are written and committed one after the other,
/// output rows come out in order.
///
/// Not thread-safe: each thread runs its own chain over its own band of output rows.
final class PassChain {
    /// The input rows to write, in this order. Where they can be had in any order they may lie beyond the image: the
    /// caller applies the edge rule.
    let inputRows: Range<Int>
    /// The input columns to write.
    let inputColumns: Range<Int>
    /// The rows that come out.
    let outputRows: Range<Int>

    /// Input rows need only be committed, not written: the first pass reads them where they are.
    let readsDirectly: Bool
    /// The last pass has written the rows that come out to where they belong.
    let writesDirectly: Bool

    /// Where the rows that come out are collected, between two parts of a plan.
    private let plane: FloatPlane?
    private let nodes: [any FlowNode]
    private let output: RowStorage
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - passes: consecutive passes of `plan`, not empty.
    ///   - outputRows: the rows of the last pass that are wanted.
    ///   - channels: floats per pixel.
    ///   - input: where rows come from, if they can be had in any order and more than once. Rows that a pass can read
    ///     there are not to be written to ``inputRow(_:)``; mirrored and repeated rows are asked for where they are
    ///     needed, instead of being kept.
    ///   - bytesArrive: the numbers written to ``inputRow(_:)`` are whole and in 0...255.
    ///   - output: where rows belong, if they are at hand: rows that a pass can write there are not handed out.
    init(
        _ passes: ArraySlice<Pass>, of plan: Plan, outputRows: Range<Int>, channels: Int, input: RowEnd? = nil,
        output: RowEnd? = nil, bytesArrive: Bool = false, kernels: KernelSet = .best, cancellation: Cancellation?
    ) {
        self.outputRows = outputRows
        self.cancellation = cancellation
        plane = output?.plane
        let byteTarget = unsafe output?.byteTarget
        var rows = outputRows
        var nodes: [any FlowNode] = []
        var columns = plan.window(of: passes[passes.endIndex - 1].to).columns
        self.output = RowStorage(rows: 1, floats: columns.count * channels)
        var readsDirectly = false
        var writesDirectly = plane != nil

        func columnsRead(_ pass: Pass) -> Range<Int> {
            pass.input(for: columns, of: plan.window(of: pass.from).columns)
        }
        // Images that have edges: between two parts of a plan every row that is read is there.
        let readsAnyRow = if case .pixels? = input { true } else { false }
        /// The rows that a pass along y needs; mirrored and repeated ones in place if rows can be had in any order.
        func schedule(_ pass: Pass) -> RowSchedule {
            let cells = plan.window(of: pass.from).rows
            let reach = pass.operation.reach(of: rows)
            let leaves = reach.lowerBound < cells.lowerBound || reach.upperBound > cells.upperBound
            if readsAnyRow, leaves, pass.edge == .mirror || pass.edge == .repeat {
                var pass = pass
                pass.edge = .clamp
                return RowSchedule(pass, input: reach, output: rows)
            }
            return RowSchedule(pass, input: pass.input(for: rows, of: cells), output: rows)
        }

        if passes.count == 2, let x = passes.first, let y = passes.last, case .convolve = x.operation,
            case .convolve = y.operation, x.axis == .x, y.axis == .y, let target = unsafe byteTarget,
            unsafe target.kind == .plain, bytesArrive || input != nil
        {
            let schedule = schedule(y)
            let cells = columnsRead(x)
            var source: ByteRows?
            if case .bytes(let bytes, .plain)? = unsafe input?.rows(columns: cells) { unsafe source = bytes }
            if unsafe bytesArrive || source != nil,
                let node = unsafe ByteConvolver(
                    x: x, schedule: schedule, source: source, input: cells, output: columns, channels: channels,
                    target: target, kernels: kernels, cancellation: cancellation)
            {
                inputRows = schedule.input
                inputColumns = cells
                nodes = [node]
                self.nodes = nodes
                self.readsDirectly = unsafe source != nil
                self.writesDirectly = true
                return
            }
        }

        var index = passes.endIndex - 1
        while index >= passes.startIndex {
            let pass = passes[index]
            let before = index > passes.startIndex ? passes[index - 1] : nil
            index -= 1
            let isLast = nodes.isEmpty
            if isLast, let target = unsafe byteTarget, unsafe target.kind == .plain, pass.axis == .y, before != nil,
                pass.operation.isBinomialInterpolation
            {
                let schedule = schedule(pass)
                let fused = before.flatMap { $0.axis == .x && $0.operation.isBinomialInterpolation ? $0 : nil }
                let outputColumns = columns
                if let fused {
                    columns = columnsRead(fused)
                    index -= 1
                }
                nodes.append(
                    unsafe ByteInterpolator(
                        schedule, across: fused, input: columns, output: outputColumns, channels: channels,
                        target: target, kernels: kernels, cancellation: cancellation))
                rows = schedule.input
                writesDirectly = true
                continue
            }
            if index == passes.startIndex, let before, before.axis == .y, before.operation.binomialDecimation ?? 9 <= 8,
                pass.axis == .x, case .decimate = pass.operation,
                case .bytes(let source, .plain)? = unsafe input?.rows(columns: columnsRead(pass))
            {
                let outputColumns = columns
                columns = columnsRead(pass)
                let schedule = schedule(before)
                nodes.append(
                    unsafe ByteDecimator(
                        schedule, across: (pass, outputColumns), rows: source, input: columns, channels: channels,
                        kernels: kernels, cancellation: cancellation))
                rows = schedule.input
                readsDirectly = true
                break
            }
            switch pass.axis {
            case .x:
                let cells = columnsRead(pass)
                nodes.append(
                    HorizontalNode(pass, input: cells, output: columns, channels: channels, kernels: kernels))
                columns = cells
            case .y:
                let source = before == nil ? unsafe input?.rows(columns: columns) : nil
                let schedule = schedule(pass)
                rows = schedule.input
                readsDirectly = unsafe source != nil
                if case .bytes(let source, .plain)? = unsafe source, pass.operation.binomialDecimation ?? 9 <= 8 {
                    nodes.append(
                        unsafe ByteDecimator(
                            schedule, across: nil, rows: source, input: columns, channels: channels, kernels: kernels,
                            cancellation: cancellation))
                    break
                }
                // A lone pass converts bytes at one end only.
                let readsBytes = if case .bytes? = unsafe source { true } else { false }
                let target = unsafe isLast && !readsBytes ? byteTarget : nil
                if unsafe target != nil { writesDirectly = true }
                nodes.append(
                    unsafe VerticalNode(
                        schedule, samples: columns.count * channels, kernels: kernels, source: source, target: target,
                        cancellation: cancellation))
            }
        }
        inputRows = rows
        inputColumns = columns
        self.nodes = nodes.reversed()
        self.readsDirectly = readsDirectly
        self.writesDirectly = writesDirectly
    }

    /// For each pass along y, the rows that it keeps.
    var rowsKept: [Int] { nodes.compactMap { ($0 as? VerticalNode)?.rowsKept } }

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
                unsafe node + 1 < nodes.count ? nodes[node + 1].inputRow(row) : plane?.row(row) ?? output.row(0)
            },
            emit: { (row: Int) throws(CPUError) in try unsafe pass(row, to: node + 1, emit: emit) })
    }
}
