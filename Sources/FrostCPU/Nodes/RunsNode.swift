import CFrostKernels
import FrostCore

/// A node for a 2-D kernel that is the same for every pixel. The kernel consists of runs, which are horizontal lines of
/// pixels with the same weight.
///
/// A run is divided into pieces of 1, 2, 4, ... pixels. All runs of a block of rows share the sums of these pieces. A
/// run of n pixels therefore costs at most log n additions, and a value does not depend on where a row or a band
/// begins. A running sum along the row would cost only two additions per run, but adding and subtracting the same
/// floats leaves rounding errors behind.
@safe final class RunsNode: FlowNode {
    private let following: any FlowNode
    private let demand: RowDemand
    private let kernels: KernelSet
    private var cancellation: Cancellation?
    private let channels: Int
    private let output: Range<Int>
    private let input: Range<Int>
    private let bufferStart: Int
    private let edges: EdgeSamples
    /// The input rows that are kept.
    private let storage: RowStorage
    private let blank: RowStorage
    /// The distance from the first pixel of a stored row to the first pixel that is read, in floats.
    private let firstRead: Int
    /// For each piece of a run: `row` is its row, counted from the first row that the kernel reads. `level` is the
    /// logarithm of its length: the piece is the sum of 2^level pixels. `offset` is its distance from the row's first
    /// pixel under the kernel, in floats.
    private let pieces: [(row: Int, level: Int, offset: Int)]
    private let weights: RowStorage
    private let list: RowList<Float>
    /// For each row that a block reads, several strips: a strip of sums of 2 pixels, a strip of sums of 4 pixels, and
    /// so on.
    private let sums: RowStorage
    private let levels: Int
    /// The number of floats that a strip reads in addition to its own width.
    private let halo: Int
    private let pair = RowList<Float>(2)
    private let finished: RowStorage
    private var next: Int

    /// The number of output rows that are computed together. Neighbouring rows read mostly the same pixels.
    static let block = 32
    /// The number of floats of a row that are computed at a time. It is small enough that everything that a block reads
    /// stays in a core's cache.
    private static let strip = 512

    static func make(_ runs: [Kernel2D.Run], _ kernel: Kernel2D, _ request: NodeRequest) -> MadeNodes {
        let reach = kernel.reach(of: request.columns, along: .x)
        let columns = kernel.input(for: request.columns, of: request.plan.plan.extent.columns, along: .x)
        // The node needs the same rows as a filter along y with this radius.
        let radius = runs.reduce(0) { max($0, abs($1.dy)) }
        let taps = [Float](repeating: 0, count: 2 * radius + 1)
        let demand = request.demand(
            Pass(axis: .y, operation: .convolve(taps: taps), from: .source, to: .output, edge: kernel.edge),
            arriving: 1, together: block)
        let node = RunsNode(runs, reach: reach, demand, input: columns, edge: kernel.edge, request)
        return MadeNodes(nodes: [node], rows: demand.input, columns: columns)
    }

    /// Creates a node for a 2-D kernel of runs.
    ///
    /// - Parameters:
    ///   - reach: the columns that are read, before the edge mode is applied.
    ///   - demand: the rows that are read. The runs lie in the rows -r...r around a pixel, so the demand is that of a
    ///     filter with 2r + 1 taps, for ``block`` output rows together.
    ///   - input: the columns that arrive. The edge mode supplies the columns outside this range.
    private init(
        _ runs: [Kernel2D.Run], reach: Range<Int>, _ demand: RowDemand, input: Range<Int>, edge: EdgeMode,
        _ request: NodeRequest
    ) {
        let (channels, output) = (request.channels, request.columns)
        following = request.following
        self.demand = demand
        kernels = request.kernels
        cancellation = request.cancellation
        self.channels = channels
        self.input = input
        self.output = output
        bufferStart = min(reach.lowerBound, input.lowerBound)
        let width = max(reach.upperBound, input.upperBound) - bufferStart
        let start = bufferStart
        edges = EdgeSamples(reach, outside: input, edge: EdgeRule(edge), bytesPerSample: 4 * channels) {
            ($0 - start) * 4 * channels
        }
        storage = RowStorage(rows: demand.capacity, floats: width * channels)
        blank = RowStorage(rows: 1, floats: width * channels)
        firstRead = (reach.lowerBound - bufferStart) * channels
        halo = (reach.count - output.count) * channels
        let levels = Int.bitWidth - (runs.map(\.count).max() ?? 1).leadingZeroBitCount
        self.levels = levels
        var pieces: [(row: Int, level: Int, offset: Int)] = []
        var values: [Float] = []
        for run in runs {
            var x = output.lowerBound + run.dx - reach.lowerBound
            for level in (0..<levels).reversed() where run.count >> level & 1 == 1 {
                pieces.append((run.dy + demand.taps.half, level, x * channels))
                values.append(Float(run.weight))
                x += 1 << level
            }
        }
        self.pieces = pieces
        weights = RowStorage(rows: 1, floats: pieces.count)
        for (index, value) in values.enumerated() { unsafe weights.row(0)[index] = value }
        list = RowList(pieces.count)
        sums = RowStorage(
            rows: (Self.block + demand.taps.count - 1) * (levels - 1), floats: Self.strip + halo)
        finished = RowStorage(rows: Self.block, floats: output.count * channels)
        next = demand.output.lowerBound
    }

    var inputKind: RowKind { .floats }
    let rowsTogether = 1

    private func stored(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe storage.row(demand.place(index)) }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(stored(index) + (input.lowerBound - bufferStart) * channels)
    }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows { try accept(index) }
    }

    private func accept(_ index: Int) throws(CPUError) {
        unsafe edges.fill(UnsafeMutableRawPointer(stored(index)))
        while next < demand.output.upperBound {
            let rows = next..<min(next + Self.block, demand.output.upperBound)
            guard demand.isReady(rows.upperBound - 1, after: index) else { return }
            try make(rows)
            next = rows.upperBound
            try following.accept(rows, from: finished, byteCount: output.count * channels * 4)
        }
    }

    private func make(_ rows: Range<Int>) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        let samples = output.count * channels
        for from in stride(from: 0, to: samples, by: Self.strip) {
            if cancellation?.isCancelled == true { throw .cancelled }
            let count = min(Self.strip, samples - from)
            let starts = unsafe starts(rows, from: from, count: count)
            unsafe starts.withUnsafeBufferPointer { starts in
                unsafe pieces.withUnsafeBufferPointer { pieces in
                    for row in 0..<rows.count {
                        for index in 0..<pieces.count {
                            let piece = unsafe pieces[index]
                            unsafe list.set(
                                index, starts[(row + piece.row) * levels + piece.level] + piece.offset)
                        }
                        unsafe table.weighted_sum(
                            list.base, weights.row(0), Int32(pieces.count), finished.row(row) + from, Int32(count))
                    }
                }
            }
        }
    }

    /// Returns pointers to the start of the strip: for each row that a block reads, one pointer into the row itself and
    /// one into each of its sums of 2, 4, ... pixels.
    private func starts(_ rows: Range<Int>, from: Int, count: Int) -> [UnsafePointer<Float>] {
        let table = unsafe kernels.table.pointee
        let ones: [Float] = [1, 1]
        var starts: [UnsafePointer<Float>] = unsafe []
        for index in 0..<rows.count + demand.taps.count - 1 {
            let row = unsafe demand.row(index, of: rows.lowerBound).map { unsafe stored($0) } ?? blank.row(0)
            var start = unsafe UnsafePointer(row + firstRead + from)
            unsafe starts.append(start)
            for level in 1..<levels {
                let sum = unsafe sums.row(index * (levels - 1) + level - 1)
                unsafe pair.set(0, start)
                unsafe pair.set(1, start + (1 << (level - 1)) * channels)
                let length = count + halo - ((1 << level) - 1) * channels
                unsafe ones.withUnsafeBufferPointer { ones in
                    unsafe table.weighted_sum(pair.base, ones.baseAddress, 2, sum, Int32(length))
                }
                unsafe start = unsafe UnsafePointer(sum)
                unsafe starts.append(start)
            }
        }
        return unsafe starts
    }
}
