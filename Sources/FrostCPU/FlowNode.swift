import FrostCore

/// One pass of a row flow: rows go in one after the other, rows come out in order.
///
/// A node owns the memory its input rows are written to, so that a row is written once, where it is used.
protocol FlowNode: AnyObject {
    /// Where row `index` is to be written: the pixels of the node's input columns.
    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float>
    /// Says that row `index` has been written, and computes every output row that is now possible. `target` gives
    /// the place for a row; `emit` says that it is complete.
    func accept(
        _ index: Int, target: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError)
}

/// Zeroed rows of floats, with the slack that kernels need behind each.
///
/// SAFETY: owns its memory; `row` is within it for 0 <= index < rows, which the nodes' arithmetic guarantees.
@safe final class RowStorage {
    private let base: UnsafeMutablePointer<Float>
    private let stride: Int

    init(rows: Int, floats: Int) {
        // Rounded to 64 bytes, so that rows start at cache lines.
        stride = (floats + RowKernels.slack + 15) / 16 * 16
        unsafe base = .allocate(capacity: rows * stride)
        unsafe base.initialize(repeating: 0, count: rows * stride)
    }

    deinit { unsafe base.deallocate() }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe base + index * stride }
}

/// A pass along x: needs one row at a time.
@safe final class HorizontalNode: FlowNode {
    private let schedule: TapSchedule
    private let taps: RowStorage
    private let operation: Pass.Operation
    private let channels: Int
    private let output: Range<Int>
    /// The input cells that arrive, and where the buffer starts.
    private let input: Range<Int>
    private let bufferStart: Int
    private let storage: RowStorage
    /// Cells outside `input`, with the cell that the edge rule puts there; nil for transparent black.
    private let outside: [(cell: Int, source: Int?)]
    private var pointers: [UnsafePointer<Float>] = unsafe []

    /// - Parameters:
    ///   - input: the cells that arrive. The edge rule is applied to this range.
    ///   - output: the cells that are computed.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, channels: Int) {
        operation = pass.operation
        schedule = TapSchedule(pass.operation)
        taps = schedule.storage
        self.channels = channels
        self.input = input
        self.output = output
        let reach = pass.operation.reach(of: output)
        bufferStart = min(reach.lowerBound, input.lowerBound)
        let bufferEnd = max(reach.upperBound, input.upperBound)
        storage = RowStorage(rows: 1, floats: (bufferEnd - bufferStart) * channels)
        outside = reach.filter { !input.contains($0) }.map { ($0, pass.edge.map($0, into: input)) }
        if case .convolve(let taps) = pass.operation {
            let first = unsafe cell(reach.lowerBound)
            unsafe pointers = taps.indices.map { unsafe UnsafePointer(first + $0 * channels) }
        }
    }

    private func cell(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row(0) + (index - bufferStart) * channels
    }

    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe cell(input.lowerBound) }

    func accept(
        _ index: Int, target: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError) {
        for (to, source) in outside {
            for c in 0..<channels {
                if let source { unsafe cell(to)[c] = cell(source)[c] } else { unsafe cell(to)[c] = 0 }
            }
        }
        let out = unsafe target(index)
        let from = unsafe UnsafePointer(cell(schedule.firstCell(output.lowerBound)))
        let count = schedule.count
        switch operation {
        case .convolve:
            unsafe pointers.withUnsafeMutableBufferPointer { rows in
                guard let rows = rows.baseAddress else { return }
                unsafe RowKernels.weightedSum(
                    rows, taps.row(0), tapCount: count, out: out, count: output.count * channels)
            }
        case .decimate:
            unsafe RowKernels.decimate(
                from, taps.row(0), tapCount: count, out: out, count: output.count, channels: channels)
        case .interpolate:
            unsafe RowKernels.interpolate(
                from, even: taps.row(0), odd: taps.row(1), tapCount: count, half: schedule.half, out: out,
                first: output.lowerBound, count: output.count, channels: channels)
        }
        try emit(index)
    }
}

/// A pass along y: keeps as many rows as its taps and the edge rule can still ask for.
@safe final class VerticalNode: FlowNode {
    private let schedule: TapSchedule
    private let taps: RowStorage
    private let edge: EdgeMode
    private let input: Range<Int>
    private let output: Range<Int>
    private let floats: Int
    private let storage: RowStorage
    private let capacity: Int
    private let blank: RowStorage
    /// For each output row: the last input row that it or an earlier one needs.
    private let ready: [Int]
    private var next: Int
    private var pointers: [UnsafePointer<Float>]
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - input: the rows that arrive, in this order. The edge rule is applied to this range.
    ///   - output: the rows that are computed.
    ///   - floats: of a row.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, floats: Int, cancellation: Cancellation?) {
        let schedule = TapSchedule(pass.operation)
        self.schedule = schedule
        taps = schedule.storage
        edge = pass.edge
        self.input = input
        self.output = output
        self.floats = floats
        self.cancellation = cancellation

        // Mirror and repeat ask for rows again, or early: what is kept follows from the rows themselves.
        var ready: [Int] = []
        var needs: [(low: Int, high: Int)] = []
        for i in output {
            let first = schedule.firstCell(i)
            let rows = (first..<first + schedule.count).lazy.compactMap { pass.edge.map($0, into: input) }
            let low = rows.min() ?? input.upperBound
            let high = rows.max() ?? input.lowerBound
            needs.append((low, high))
            ready.append(max(ready.last ?? input.lowerBound, high))
        }
        var keep = input.upperBound
        var capacity = 1
        for (need, ready) in zip(needs, ready).reversed() {
            keep = min(keep, need.low)
            capacity = max(capacity, ready - keep + 1)
        }
        self.ready = ready
        self.capacity = capacity
        storage = RowStorage(rows: capacity, floats: floats)
        blank = RowStorage(rows: 1, floats: floats)
        next = output.lowerBound
        let zero = unsafe UnsafePointer(blank.row(0))
        unsafe pointers = [UnsafePointer<Float>](repeating: zero, count: schedule.count)
    }

    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row((index - input.lowerBound) % capacity)
    }

    func accept(
        _ index: Int, target: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError) {
        while next < output.upperBound, ready[next - output.lowerBound] <= index {
            if cancellation?.isCancelled == true { throw .cancelled }
            let first = schedule.firstCell(next)
            for t in 0..<schedule.count {
                let row = edge.map(first + t, into: input)
                unsafe pointers[t] = UnsafePointer(row.map { unsafe inputRow($0) } ?? blank.row(0))
            }
            let weights = unsafe taps.row(next & 1)
            let out = unsafe target(next)
            unsafe pointers.withUnsafeMutableBufferPointer { rows in
                guard let rows = rows.baseAddress else { return }
                unsafe RowKernels.weightedSum(rows, weights, tapCount: schedule.count, out: out, count: floats)
            }
            let done = next
            next += 1
            try emit(done)
        }
    }
}
