import CFrostKernels
import FrostCore

/// A node that applies a symmetric filter along x and then along y, in fixed point.
final class FixedConvolution: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    let inputColumns: Range<Int>
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    let rowsTogether: Int
    private let arriving: ArrivingRows
    /// The image whose next rows are prefetched; nil if rows do not come from an image.
    private var source: ImageRows?
    private let ring: RowStorage
    private let blank: RowStorage
    /// Whether bytes are written to the target; otherwise fixed-point numbers go to the next node.
    private let writesTarget: Bool
    private let isStraight: Bool
    private var target: TargetRows?
    private let rows: RowList
    private let outputs: RowList
    private var next = 0

    /// Creates a node that runs the pass `x` along x, and then the pass `y` along y.
    init(x: Pass, y: Pass, _ request: NodeRequest) throws(CPUError) {
        guard let across = FixedTaps(x.operation.taps), let along = FixedTaps(y.operation.taps) else {
            preconditionFailure("fixed-point numbers cannot represent this convolution")
        }
        (tapsX, tapsY) = (across.weights, along.weights)
        let together = request.rowsTogether(least: 2)
        demand = request.demand(y, arriving: 1, together: together)
        following = request.following
        writesTarget = request.writesTarget
        isStraight = request.plan.writer.directKind == .straightRGBA
        kernels = request.kernels
        channels = request.channels
        output = request.columns
        inputColumns = request.columnsRead(x)
        rowsTogether = request.rowsArriving(bytes: 2 * inputColumns.count * channels)
        arriving = try ArrivingRows(x, request, numberSize: 2, rows: rowsTogether)
        if request.isFirst, case .image(let image, _, nil)? = request.input { source = image }
        ring = try RowStorage(rows: demand.capacity, fixed: output.count * channels)
        blank = try RowStorage(rows: 1, fixed: output.count * channels)
        // The result of the pass along x for transparent black. It is not 0 because of the constant term of the filter.
        for i in 0..<output.count * channels { unsafe blank.row(0).fixed[i] = UInt16(tapsX.count / 2) }
        rows = RowList(2 * tapsY.count - 2 + together)
        outputs = RowList(together)
    }

    var inputRows: Range<Int> { demand.input }

    func inputRow(_ index: Int) -> Row { arriving.row(index) }

    func start(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        target = memory.target
        if let pixels = unsafe memory.source { unsafe source?.read(pixels) }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows {
            filterRow(index)
            while let ready = demand.rowsReady(from: next, after: index, readsAnyRow: false) {
                compute(ready)
                next = ready.upperBound
                try following.accept(ready)
            }
        }
    }

    /// Computes the pass along x for a row that has arrived. Meanwhile the row that arrives after all present ones is
    /// prefetched: the processor's own prefetching does not anticipate it, and reading it would wait for memory.
    private func filterRow(_ index: Int) {
        arriving.complete(index)
        let row = arriving.row(index, from: output.lowerBound)
        // Without a next row the kernel prefetches the present one, which is in the cache already. Looking up an address that does
        // not exist would take time.
        let ahead = source?.row(index + rowsTogether, from: inputColumns.lowerBound) ?? row
        unsafe kernels.table.pointee.fixed_convolve_row(
            row.fixed, tapsX, Int32(tapsX.count - 1), ring.row(demand.place(index)).fixed, Int32(output.count),
            Int32(channels), ahead.bytes)
    }

    /// Computes the pass along y for some output rows.
    private func compute(_ output: Range<Int>) {
        let first = demand.taps.first(output.lowerBound)
        demand.forEachPlace(first..<first + 2 * tapsY.count - 2 + output.count) { t, place in
            rows.set(t, place.map { ring.row($0) } ?? blank.row(0))
        }
        let (radius, count, width) = (Int32(tapsY.count - 1), Int32(output.count), Int32(self.output.count * channels))
        if writesTarget, let target {
            for (i, index) in output.enumerated() { outputs.set(i, target.row(index)) }
            unsafe kernels.table.pointee.fixed_convolve_to_u8(
                rows.pointers(), tapsY, radius, outputs.pointers(), count, width, isStraight ? 1 : 0,
                target.streams ? 1 : 0)
        } else {
            for (i, index) in output.enumerated() { outputs.set(i, following.inputRow(index)) }
            unsafe kernels.table.pointee.fixed_convolve(
                rows.pointers(), tapsY, radius, outputs.pointers(), count, width)
        }
    }
}
