import CFrostKernels
import FrostCore

/// A pass along x: needs one row at a time.
@safe final class HorizontalNode: FlowNode {
    private let following: any FlowNode
    private let schedule: TapSchedule
    private let taps: RowStorage
    private let operation: Pass.Operation
    private let channels: Int
    private let output: Range<Int>
    /// The input cells that arrive, and where the buffer starts.
    private let input: Range<Int>
    private let bufferStart: Int
    private let storage: RowStorage
    private let edges: EdgeCells
    private let kernels: KernelSet
    /// For a convolution: where the row begins for each tap.
    private var pointers: [UnsafePointer<Float>?] = unsafe []

    /// - Parameters:
    ///   - input: the cells that arrive. The edge rule is applied to this range.
    ///   - output: the cells that are computed.
    init(
        _ pass: Pass, input: Range<Int>, output: Range<Int>, channels: Int, kernels: KernelSet, following: any FlowNode
    ) {
        self.following = following
        self.kernels = kernels
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
        edges = EdgeCells(reach, beyond: input, edge: pass.edge)
        if case .convolve(let taps) = pass.operation {
            let first = unsafe cell(reach.lowerBound)
            unsafe pointers = taps.indices.map { unsafe UnsafePointer(first + $0 * channels) }
        }
    }

    private func cell(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row(0) + (index - bufferStart) * channels
    }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(cell(input.lowerBound))
    }

    func accept(_ index: Int) throws(CPUError) {
        unsafe edges.fill(channels: channels) { unsafe cell($0) }
        let out = unsafe following.inputRow(index).assumingMemoryBound(to: Float.self)
        let from = unsafe UnsafePointer(cell(schedule.firstCell(output.lowerBound)))
        let table = unsafe kernels.table.pointee
        let count = Int32(schedule.count)
        let pixels = Int32(output.count)
        let channels = Int32(channels)
        switch operation {
        case .convolve:
            unsafe pointers.withUnsafeBufferPointer { rows in
                unsafe table.weighted_sum(rows.baseAddress, taps.row(0), count, out, pixels * channels)
            }
        case .decimate:
            unsafe table.decimate(from, taps.row(0), count, out, pixels, channels)
        case .interpolate:
            unsafe table.interpolate(
                from, taps.row(0), taps.row(1), count, Int32(schedule.half), out, Int32(output.lowerBound & 1), pixels,
                channels)
        }
        try following.accept(index)
    }
}
