import CFrostKernels
import FrostCore

/// A node for a 2-D kernel that is the same for every pixel. The kernel consists of runs, which are horizontal lines of
/// pixels with the same weight. ``RunSums`` has the ways to compute their sums.
final class RunsNode: FlowNode {
    private let following: any FlowNode
    private let demand: RowDemand
    let inputColumns: Range<Int>
    private let sums: any RunSums
    private let kind: RowKind
    private var cancellation: Cancellation?
    private let samples: Int
    private let finished: RowStorage
    private var next = 0

    private let block: Int

    init(_ runs: [KernelRun], _ kernel: Kernel2D, kind: RowKind, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        self.kind = kind
        inputColumns = kernel.input(for: request.columns, of: request.plan.plan.extent.columns, along: .x)
        // The node needs the same rows as a filter along y with this radius.
        let radius = runs.reduce(0) { max($0, abs($1.dy)) }
        let taps = [Float](repeating: 0, count: 2 * radius + 1)
        block = RunRow.block(taps: taps.count)
        demand = request.demand(
            Pass(axis: .y, operation: .convolve(taps: taps), from: .source, to: .output, edge: kernel.edge),
            arriving: 1, together: block)
        let row = RunRow(
            reach: kernel.reach(of: request.columns, along: .x), input: inputColumns, output: request.columns,
            edge: kernel.edge, channels: request.channels)
        sums = try request.sums(runs, kind: kind, row, demand)
        samples = request.columns.count * request.channels
        finished = try RowStorage(rows: block, floats: samples)
    }

    var inputKind: RowKind { sums.inputKind }
    var inputRows: Range<Int> { demand.input }
    let rowsTogether = 1

    func inputRow(_ index: Int) -> Row { sums.inputRow(demand.place(index)) }

    func start(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows { try accept(index) }
    }

    private func accept(_ index: Int) throws(CPUError) {
        sums.accept(demand.place(index))
        while next < demand.output.upperBound {
            let rows = next..<min(next + block, demand.output.upperBound)
            guard demand.isReady(rows.upperBound - 1, after: index) else { return }
            let places = (0..<rows.count + demand.taps.count - 1).map { index in
                demand.row(index, of: rows.lowerBound).map { demand.place($0) }
            }
            for from in stride(from: 0, to: samples, by: sums.strip) {
                if cancellation?.isCancelled == true { throw .cancelled }
                sums.compute(
                    finished, rows: rows.count, from: places, samples: from..<min(from + sums.strip, samples))
            }
            next = rows.upperBound
            try following.accept(rows, from: finished, byteCount: samples * kind.size)
        }
    }
}

extension FlowNode {
    /// Takes rows from a block that another node has computed. Copies the rows, then processes them as the next input
    /// rows.
    func accept(_ rows: Range<Int>, from block: RowStorage, byteCount: Int) throws(CPUError) {
        for part in rows.parts(of: rowsTogether) {
            for row in part { inputRow(row).copy(from: block.row(row - rows.lowerBound), byteCount: byteCount) }
            try accept(part)
        }
    }
}

/// The columns of the rows that a kernel of runs reads.
struct RunRow {
    /// Returns the number of output rows that are computed together. Neighbouring rows read mostly the same pixels, unless the
    /// kernel is low.
    static func block(taps: Int) -> Int { min(32, max(8, taps)) }

    /// Returns a number of samples that are computed at a time, for a kernel of some rows. It is small enough that everything that a
    /// block of rows reads stays in a core's cache.
    static func strip(taps: Int) -> Int { max(512, 16384 / taps / 512 * 512) }

    /// The columns that are read, before the edge mode is applied.
    let reach: Range<Int>
    /// The columns that arrive. The edge mode supplies the columns outside this range.
    let input: Range<Int>
    let output: Range<Int>
    let edge: EdgeMode
    let channels: Int

    /// The first column in memory, and the number of columns.
    var start: Int { min(reach.lowerBound, input.lowerBound) }
    var width: Int { max(reach.upperBound, input.upperBound) - start }
    /// The number of samples that an output row reads in addition to its own width.
    var halo: Int { (reach.count - output.count) * channels }
    /// The distance from the first sample in memory to the first sample that is read.
    var firstRead: Int { (reach.lowerBound - start) * channels }

    /// Determines the samples outside the columns that arrive, in rows that begin with column ``start``.
    func edges(bytesPerNumber: Int) -> EdgeSamples {
        let size = channels * bytesPerNumber
        return EdgeSamples(reach, outside: input, edge: EdgeRule(edge), bytesPerSample: size) { ($0 - start) * size }
    }

    /// Returns the distance from the first sample that is read to the sample that a run begins with, for the first output
    /// pixel.
    func offset(_ dx: Int) -> Int { (output.lowerBound + dx - reach.lowerBound) * channels }
}

/// Memory for the rows that a kernel of runs reads, and the sums of its runs.
protocol RunSums: AnyObject {
    var inputKind: RowKind { get }
    /// The number of samples of a row that are computed at a time. It is small enough that everything that a block of rows
    /// reads stays in a core's cache.
    var strip: Int { get }
    /// Returns the memory to which the row for a place is written.
    func inputRow(_ place: Int) -> Row
    /// Takes the row of a place, which has been written.
    func accept(_ place: Int)
    /// Computes some samples of `rows` output rows.
    ///
    /// - Parameter places: the place of each row that the output rows read, from the first to the last; nil for transparent
    ///   black. Output row i reads `taps` places from the i-th on, where `taps` is the height of the kernel.
    func compute(_ out: RowStorage, rows: Int, from places: [Int?], samples: Range<Int>)
}

extension NodeRequest {
    /// Chooses how to compute the sums of runs: in fixed point, or in integers if the samples are bytes, the rounding errors leave
    /// enough budget and it is faster.
    fileprivate func sums(
        _ runs: [KernelRun], kind: RowKind, _ row: RunRow, _ demand: RowDemand
    ) throws(CPUError) -> any RunSums {
        guard plan.plan.decoding == nil, let bytes = ByteKind(plan.reader) else {
            return try PieceSums(RunPieces(runs, row, demand), row, demand, kernels)
        }
        let isStraight = bytes == .straightRGBA
        if kind == .fixed {
            switch FixedRuns(runs, straight: isStraight) {
            case .columns(let columns): return try ColumnSums(columns, row, demand, kernels)
            case .groups(let groups):
                return try IntegerSums(groups, straight: isStraight, kind: kind, row, demand, kernels)
            }
        }
        let (groups, pieces) = (RunGroups(runs), RunPieces(runs, row, demand))
        let error = FixedRoundingError.premultiplication * plan.plan.outputStages.amplification
        // Floats need two vectors where 16-bit numbers need one, and two instructions for each of them. One of the four is
        // left for the prefix sums.
        guard groups.cost < 3 * pieces.list.count,
            !isStraight || plan.plan.errorBound + error <= Arithmetic.allowance
        else { return try PieceSums(pieces, row, demand, kernels) }
        return try IntegerSums(groups, straight: isStraight, kind: kind, row, demand, kernels)
    }
}
