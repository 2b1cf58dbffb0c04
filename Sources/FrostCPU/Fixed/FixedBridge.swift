import CFrostKernels
import FrostCore

/// Between rows of floats and rows of fixed-point numbers, in either direction.
@safe final class FixedBridge: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let row: RowStorage
    private let samples: Int
    private let kernels: KernelSet

    /// - Parameters:
    ///   - kind: of the rows that arrive: ``RowKind/floats`` or ``RowKind/fixed``.
    ///   - samples: of a row.
    init(from kind: RowKind, samples: Int, kernels: KernelSet, following: any FlowNode) {
        self.following = following
        inputKind = kind
        self.samples = samples
        self.kernels = kernels
        row = RowStorage(rows: 2, floats: samples)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(row.row(index & 1)) }

    func accept(_ index: Int) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        let from = unsafe inputRow(index)
        if inputKind == .floats {
            unsafe table.fixed_load_floats(
                from.assumingMemoryBound(to: Float.self),
                following.inputRow(index).assumingMemoryBound(to: UInt16.self),
                Int32(samples))
        } else {
            unsafe table.fixed_store_floats(
                from.assumingMemoryBound(to: UInt16.self),
                following.inputRow(index).assumingMemoryBound(to: Float.self),
                Int32(samples))
        }
        try following.accept(index)
    }
}
