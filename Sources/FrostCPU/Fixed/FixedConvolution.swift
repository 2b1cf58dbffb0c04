import CFrostKernels
import FrostCore

/// A symmetric filter along x and then along y, in fixed-point numbers.
@safe final class FixedConvolution: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    private let schedule: RowSchedule
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    private let arriving: ArrivingRows
    private let ring: FixedRows
    private let blank: FixedRows
    private var target: ByteTarget?
    /// For the filter along x: where the row begins for each tap.
    private let shifted: RowList<UInt16>
    private let rows: RowList<UInt16>
    private var next: Int
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - x: the pass along x, y: along y, with their taps, schedule: of the latter.
    ///   - input: the columns that arrive.
    ///   - output: the columns of the result.
    ///   - target: bytes are written here; nil if fixed-point rows go on.
    init(
        x: (pass: Pass, taps: FixedTaps), y: FixedTaps, _ schedule: RowSchedule, input: Range<Int>,
        output: Range<Int>, channels: Int, target: ByteTarget?, kernels: KernelSet, cancellation: Cancellation?,
        following: any FlowNode
    ) {
        self.following = following
        tapsX = x.taps.weights
        tapsY = y.weights
        self.schedule = schedule
        unsafe self.target = target
        self.kernels = kernels
        self.channels = channels
        self.output = output
        self.cancellation = cancellation
        arriving = ArrivingRows(x.pass, input: input, output: output, channels: channels)
        ring = FixedRows(rows: schedule.capacity, count: output.count * channels)
        blank = FixedRows(rows: 1, count: output.count * channels)
        // What the pass along x makes of transparent black.
        for i in 0..<output.count * channels { unsafe blank.row(0)[i] = UInt16(tapsX.count / 2) }
        shifted = RowList(2 * tapsX.count - 1)
        rows = RowList(2 * tapsY.count)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        cancellation = memory.cancellation
        if let rows = unsafe memory.target { unsafe target?.rows = rows }
    }

    func accept(_ index: Int) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        let origin = unsafe arriving.complete(index)
        for t in 0..<2 * tapsX.count - 1 {
            unsafe shifted.set(t, UnsafePointer(origin + (output.lowerBound + t - (tapsX.count - 1)) * channels))
        }
        let width = Int32(output.count * channels)
        unsafe table.fixed_convolve(
            shifted.base, tapsX, Int32(tapsX.count - 1), ring.row(schedule.place(index)), nil, width)
        while true {
            let count = schedule.rowsReady(self.next, after: index, readsAnyRow: false)
            guard count > 0 else { return }
            if cancellation?.isCancelled == true { throw .cancelled }
            compute(self.next..<self.next + count)
            for _ in 0..<count {
                self.next += 1
                try following.accept(self.next - 1)
            }
        }
    }

    /// The pass along y, of one row or two.
    private func compute(_ output: Range<Int>) {
        for t in 0..<2 * tapsY.count - 2 + output.count {
            let row = schedule.row(t, of: output.lowerBound)
            unsafe rows.set(t, UnsafePointer(row.map { unsafe ring.row(schedule.place($0)) } ?? blank.row(0)))
        }
        let table = unsafe kernels.table.pointee
        let (above, below) = (output.lowerBound, output.count == 2 ? output.lowerBound + 1 : nil)
        let radius = Int32(tapsY.count - 1)
        let width = Int32(self.output.count * channels)
        if let target = unsafe target {
            unsafe table.fixed_convolve_to_u8(
                rows.base, tapsY, radius, target.row(above), below.map { unsafe target.row($0) }, width,
                target.streams ? 1 : 0)
        } else {
            unsafe table.fixed_convolve(
                rows.base, tapsY, radius, following.inputRow(above).assumingMemoryBound(to: UInt16.self),
                below.map { unsafe following.inputRow($0).assumingMemoryBound(to: UInt16.self) }, width)
        }
    }
}
