import CFrostKernels
import FrostCore

/// A node that converts rows of floats to fixed-point numbers, or the reverse.
@safe final class RowKindConversion: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let rows: RowRing
    let rowsTogether: Int
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
        rowsTogether = request.rowsArriving(bytes: 4 * samples)
        rows = RowRing(rows: rowsTogether, floats: samples)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index)) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for part in rows.parts(of: following.rowsTogether) {
            for index in part {
                unsafe inputKind.convert(
                    inputRow(index), to: following.inputKind, following.inputRow(index), samples, kernels)
            }
            try following.accept(part)
        }
    }
}
