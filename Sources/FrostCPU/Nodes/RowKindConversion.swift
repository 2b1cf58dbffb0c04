import CFrostKernels
import FrostCore

/// A node that converts rows of floats to fixed-point numbers, or the reverse.
@safe final class RowKindConversion: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let row: RowStorage
    private let samples: Int
    private let kernels: KernelSet

    /// Creates a node that converts rows to the other kind.
    ///
    /// - Parameter kind: the kind of the rows that arrive: ``RowKind/floats`` or ``RowKind/fixed``. The output has the
    ///   other kind.
    init(from kind: RowKind, _ request: NodeRequest) {
        following = request.following
        inputKind = kind
        samples = request.columns.count * request.channels
        kernels = request.kernels
        row = RowStorage(rows: 2, floats: samples)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(row.row(index & 1)) }

    func accept(_ index: Int) throws(CPUError) {
        unsafe inputKind.convert(inputRow(index), to: following.inputKind, following.inputRow(index), samples, kernels)
        try following.accept(index)
    }
}
