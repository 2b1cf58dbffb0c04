import FrostCore

/// One pass, or several, of a row flow: rows go in one after the other, rows come out in order.
///
/// A node owns the memory its input rows are written to, so that a row is written once, where it is used.
protocol FlowNode: AnyObject {
    /// What the node's input rows hold.
    var inputKind: RowKind { get }
    /// Where row `index` is to be written: the pixels of the node's input columns. What a ``FixedDoubling`` writes to
    /// must have two rows: it computes them together.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer
    /// Says that row `index` has been written. Every output row that is now possible is computed into the following
    /// node's ``inputRow(_:)``, and accepted there.
    func accept(_ index: Int) throws(CPUError)
    /// Begins again, with another image in the place of the last.
    func restart(_ memory: CallerMemory)
}

extension FlowNode {
    /// For nodes that neither count rows nor touch the caller's.
    func restart(_ memory: CallerMemory) {}
}

/// What differs between two runs of a flow: images of one size and format.
@unsafe struct CallerMemory {
    let source: PixelSource
    let target: TargetRows
    let cancellation: Cancellation?
}

/// The end of a flow: collects rows in a plane, or hands each out.
@safe final class RowSink: FlowNode {
    let inputKind: RowKind
    /// Called with each row; nil where the rows are at their place already.
    var emit: ((Int, UnsafeRawPointer) throws(CPUError) -> Void)?
    private let plane: RowPlane?
    private let rows: RowStorage?

    init(_ plane: RowPlane) {
        inputKind = plane.kind
        self.plane = plane
        rows = nil
    }

    /// - Parameter floats: of a row: fixed-point rows take less.
    init(_ kind: RowKind, floats: Int) {
        inputKind = kind
        plane = nil
        // Two rows: see FlowNode.
        rows = RowStorage(rows: 2, floats: floats)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        if let plane { return unsafe plane.row(index) }
        // SAFETY: there are rows where there is no plane.
        return unsafe UnsafeMutableRawPointer(rows.unsafelyUnwrapped.row(index & 1))
    }

    func accept(_ index: Int) throws(CPUError) {
        if let emit = unsafe emit { try unsafe emit(index, UnsafeRawPointer(inputRow(index))) }
    }
}

/// What rows between nodes hold.
enum RowKind {
    /// Float, in steps of the image's samples.
    case floats
    /// UInt16, in 256ths of a step of 8 bits: see docs/Architecture.md.
    case fixed
    /// The image's own bytes; RGB as opaque RGBA.
    case bytes
}
