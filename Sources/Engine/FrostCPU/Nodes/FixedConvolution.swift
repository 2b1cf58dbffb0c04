import CFrostKernels
import FrostCore

/// A node that applies a symmetric filter along x and then along y, in fixed point.
@safe final class FixedConvolution: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    let rowsTogether: Int
    private let arriving: ArrivingRows
    private let ring: FixedRows
    private let blank: FixedRows
    private var target: TargetRows?
    private let isStraight: Bool
    /// For the filter along x: one address for each tap, which is the address of the row plus the offset of the tap.
    private let shifted: RowList<UInt16>
    private let rows: RowList<UInt16>
    /// The output rows that are computed together.
    private let together: Int
    private var next: Int
    private var cancellation: Cancellation?

    static func make(x: Pass, y: Pass, _ request: NodeRequest) -> MadeNodes {
        guard let tapsX = FixedTaps(x.operation.taps), let tapsY = FixedTaps(y.operation.taps) else {
            preconditionFailure("fixed-point numbers cannot represent this convolution")
        }
        let target = unsafe request.target(writing: [.plain, .straightRGBA])
        let together = request.rowsTogether(writesTarget: unsafe target != nil, least: 2)
        let (columns, demand) = (request.columnsRead(x), request.demand(y, arriving: 1, together: together))
        let node = unsafe FixedConvolution(
            x, tapsX, tapsY, demand, together: together, input: columns, target: target, request)
        return unsafe MadeNodes(nodes: [node], rows: demand.input, columns: columns, writesDirectly: target != nil)
    }

    /// Creates a node that runs the pass `x` along x, and then a pass along y.
    ///
    /// - Parameters:
    ///   - demand: which rows the pass along y reads and which rows it makes.
    ///   - together: the number of output rows that are computed together.
    ///   - input: the range of columns in the rows that this node receives.
    ///   - target: where the finished rows are written as bytes; nil if fixed-point rows go to the next node.
    private init(
        _ x: Pass, _ tapsX: FixedTaps, _ tapsY: FixedTaps, _ demand: RowDemand, together: Int,
        input: Range<Int>, target: (target: DirectTarget, kind: ByteKind)?, _ request: NodeRequest
    ) {
        self.together = together
        following = request.following
        self.tapsX = tapsX.weights
        self.tapsY = tapsY.weights
        self.demand = demand
        unsafe self.target = target?.target.rows
        isStraight = unsafe target?.kind == .straightRGBA
        kernels = request.kernels
        channels = request.channels
        output = request.columns
        cancellation = request.cancellation
        rowsTogether = request.rowsArriving(bytes: 2 * input.count * channels)
        arriving = ArrivingRows(x, input: input, output: output, channels: channels, kept: rowsTogether)
        ring = FixedRows(rows: demand.capacity, count: output.count * channels)
        blank = FixedRows(rows: 1, count: output.count * channels)
        // The result of the pass along x for transparent black. It is not 0 because of the constant term of the filter.
        for i in 0..<output.count * channels { unsafe blank.row(0)[i] = UInt16(tapsX.weights.count / 2) }
        shifted = RowList(2 * tapsX.weights.count - 1)
        rows = RowList(2 * tapsY.weights.count - 2 + together)
        next = demand.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        if unsafe target != nil, let rows = unsafe memory.target { unsafe target = rows }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows {
            filterRow(index)
            while let ready = demand.rowsReady(from: next, after: index, readsAnyRow: false) {
                if cancellation?.isCancelled == true { throw .cancelled }
                compute(ready)
                next = ready.upperBound
                try following.accept(ready)
            }
        }
    }

    /// Computes the pass along x for a row that has arrived.
    private func filterRow(_ index: Int) {
        let first = unsafe arriving.complete(index) + (output.lowerBound - (tapsX.count - 1)) * channels
        for t in 0..<2 * tapsX.count - 1 { unsafe shifted.set(t, UnsafePointer(first + t * channels)) }
        unsafe withUnsafePointer(to: Optional(ring.row(demand.place(index)))) { row in
            unsafe kernels.table.pointee.fixed_convolve(
                shifted.base, tapsX, Int32(tapsX.count - 1), row, 1, Int32(output.count * channels))
        }
    }

    /// Computes the pass along y for some output rows.
    private func compute(_ output: Range<Int>) {
        let first = demand.taps.first(output.lowerBound)
        demand.forEachPlace(first..<first + 2 * tapsY.count - 2 + output.count) { t, place in
            unsafe rows.set(t, UnsafePointer(place.map { unsafe ring.row($0) } ?? blank.row(0)))
        }
        let table = unsafe kernels.table
        let (radius, count) = (Int32(tapsY.count - 1), Int32(output.count))
        let width = Int32(self.output.count * channels)
        if let target = unsafe target {
            unsafe withRows(output, { unsafe target.row($0).assumingMemoryBound(to: UInt8.self) }) { out in
                unsafe table.pointee.fixed_convolve_to_u8(
                    rows.base, tapsY, radius, out, count, width, isStraight ? 1 : 0,
                    target.streams ? 1 : 0)
            }
        } else {
            unsafe withRows(output, { unsafe following.inputRow($0).assumingMemoryBound(to: UInt16.self) }) { out in
                unsafe table.pointee.fixed_convolve(rows.base, tapsY, radius, out, count, width)
            }
        }
    }

    /// Calls `body` with a list of the addresses of output rows.
    private func withRows<Element>(
        _ output: Range<Int>, _ row: (Int) -> UnsafeMutablePointer<Element>,
        _ body: (UnsafePointer<UnsafeMutablePointer<Element>?>?) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Element>?.self, capacity: output.count) { list in
            for (i, index) in output.enumerated() { unsafe list.initializeElement(at: i, to: row(index)) }
            unsafe body(UnsafePointer(list.baseAddress))
        }
    }
}
