import CFrostKernels
import FrostCore

/// A gather of runs, the same for every pixel.
///
/// A run is cut into pieces of 1, 2, 4 ... pixels, whose sums are made once for each row that arrives: so a run of n
/// pixels costs at most log n additions, and a value never depends on where a row or a band begins. Sums that are carried
/// along a row would take two, but only whole numbers leave them without a trace of what is no longer in them.
@safe final class RunsNode: FlowNode {
    private let following: any FlowNode
    private let schedule: RowSchedule
    private let kernels: KernelSet
    private var cancellation: Cancellation?
    private let channels: Int
    private let output: Range<Int>
    private let input: Range<Int>
    private let bufferStart: Int
    private let width: Int
    private let edges: EdgeCells
    /// Sums of 2^level pixels: of each row that is kept its levels, one behind the other.
    private let levels: Int
    private let storage: RowStorage
    private let blank: RowStorage
    /// For each piece its row, counted from the first that the kernel reads, and its place behind that row's first pixel
    /// under the kernel, in floats.
    private let pieces: [(row: Int, offset: Int)]
    private let weights: RowStorage
    private let list: RowList<Float>
    private let pair = RowList<Float>(2)
    private let finished: RowStorage
    private var next: Int

    /// Output rows that are made together: neighbours read mostly the same.
    static let block = 16
    /// Floats of a row that are made at a time, so that all that a block reads of the rows stays in a core's cache.
    private static let strip = 512

    /// - Parameters:
    ///   - schedule: for ``block`` rows together, of 2r + 1 taps where the runs lie in rows -r...r.
    ///   - input: the columns that arrive. The edge rule is applied to this range.
    init(
        _ runs: [Gather.Run], reach: Range<Int>, _ schedule: RowSchedule, input: Range<Int>, output: Range<Int>,
        edge: EdgeMode, channels: Int, kernels: KernelSet, cancellation: Cancellation?, following: any FlowNode
    ) {
        self.following = following
        self.schedule = schedule
        self.kernels = kernels
        self.cancellation = cancellation
        self.channels = channels
        self.input = input
        self.output = output
        bufferStart = min(reach.lowerBound, input.lowerBound)
        width = max(reach.upperBound, input.upperBound) - bufferStart
        edges = EdgeCells(reach, beyond: input, edge: edge)
        levels = Int.bitWidth - (runs.map(\.count).max() ?? 1).leadingZeroBitCount
        storage = RowStorage(rows: schedule.capacity * levels, floats: width * channels)
        blank = RowStorage(rows: levels, floats: width * channels)
        let stride = levels > 1 ? unsafe blank.row(1) - blank.row(0) : 0
        let first = output.lowerBound - bufferStart
        var pieces: [(row: Int, offset: Int)] = []
        var values: [Float] = []
        for run in runs {
            var x = first + run.dx
            for level in (0..<levels).reversed() where run.count >> level & 1 == 1 {
                pieces.append((run.dy + schedule.taps.half, level * stride + x * channels))
                values.append(Float(run.weight))
                x += 1 << level
            }
        }
        self.pieces = pieces
        weights = RowStorage(rows: 1, floats: pieces.count)
        for (index, value) in values.enumerated() { unsafe weights.row(0)[index] = value }
        list = RowList(pieces.count)
        finished = RowStorage(rows: Self.block, floats: output.count * channels)
        next = schedule.output.lowerBound
    }

    var inputKind: RowKind { .floats }

    private func stored(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row(schedule.place(index) * levels)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(stored(index) + (input.lowerBound - bufferStart) * channels)
    }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        unsafe cancellation = memory.cancellation
    }

    func accept(_ index: Int) throws(CPUError) {
        let row = unsafe stored(index)
        unsafe edges.fill(channels: channels) { unsafe row + ($0 - bufferStart) * channels }
        makeSums(index)
        while next < schedule.output.upperBound {
            let rows = next..<min(next + Self.block, schedule.output.upperBound)
            guard schedule.isReady(rows.upperBound - 1, after: index) else { return }
            if cancellation?.isCancelled == true { throw .cancelled }
            make(rows)
            next = rows.upperBound
            for row in rows {
                unsafe following.inputRow(row).copyMemory(
                    from: finished.row(row - rows.lowerBound), byteCount: output.count * channels * 4)
                try following.accept(row)
            }
        }
    }

    /// Sums of two, four, ... neighbours, as far as they lie within the row.
    private func makeSums(_ index: Int) {
        let table = unsafe kernels.table.pointee
        let place = schedule.place(index) * levels
        let ones: [Float] = [1, 1]
        for level in 1..<levels {
            let from = unsafe UnsafePointer(storage.row(place + level - 1))
            unsafe pair.set(0, from)
            unsafe pair.set(1, from + (1 << (level - 1)) * channels)
            let count = (width - (1 << level) + 1) * channels
            guard count > 0 else { return }
            unsafe ones.withUnsafeBufferPointer { ones in
                unsafe table.weighted_sum(pair.base, ones.baseAddress, 2, storage.row(place + level), Int32(count))
            }
        }
    }

    private func make(_ rows: Range<Int>) {
        let table = unsafe kernels.table.pointee
        let taps = schedule.taps.count
        // Where each row under the kernel begins, for each row that is made.
        let starts: [UnsafePointer<Float>] = unsafe rows.flatMap { row in
            unsafe (0..<taps).map { t in
                unsafe UnsafePointer(schedule.row(t, of: row).map { unsafe stored($0) } ?? blank.row(0))
            }
        }
        let samples = output.count * channels
        unsafe starts.withUnsafeBufferPointer { starts in
            unsafe pieces.withUnsafeBufferPointer { pieces in
                for from in stride(from: 0, to: samples, by: Self.strip) {
                    for row in 0..<rows.count {
                        for index in 0..<pieces.count {
                            let piece = unsafe pieces[index]
                            unsafe list.set(index, starts[row * taps + piece.row] + piece.offset + from)
                        }
                        unsafe table.weighted_sum(
                            list.base, weights.row(0), Int32(pieces.count), finished.row(row) + from,
                            Int32(min(Self.strip, samples - from)))
                    }
                }
            }
        }
    }
}
