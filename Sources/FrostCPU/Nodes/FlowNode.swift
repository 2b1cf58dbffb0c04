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

/// The end of a flow: hands each row out.
@safe final class RowSink: FlowNode {
    let inputKind: RowKind
    /// Called with each row; nil where the rows are at their place already.
    var emit: ((Int, UnsafeRawPointer) throws(CPUError) -> Void)?
    private let rows: RowStorage

    /// - Parameter floats: of a row: fixed-point rows take less.
    init(_ kind: RowKind, floats: Int) {
        inputKind = kind
        // Two rows: see FlowNode.
        rows = RowStorage(rows: 2, floats: floats)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index & 1)) }

    func accept(_ index: Int) throws(CPUError) {
        if let emit = unsafe emit { try unsafe emit(index, UnsafeRawPointer(inputRow(index))) }
    }
}

/// The end of a flow: collects rows in a plane, or in some of its columns.
@safe final class PlaneSink: FlowNode {
    private let plane: RowPlane
    private let offset: Int
    private let byteCount: Int
    /// What lies behind the columns must not be written to, as kernels do; nil where nothing does.
    private let rows: RowStorage?

    init(_ plane: RowPlane, columns: Range<Int>) {
        self.plane = plane
        offset = plane.offset(of: columns)
        byteCount = columns.count * plane.bytesPerCell
        let reachesEnd = columns.upperBound == plane.window.columns.upperBound
        // Two rows: see FlowNode.
        rows = reachesEnd ? nil : RowStorage(rows: 2, floats: (byteCount + 3) / 4)
    }

    var inputKind: RowKind { plane.kind }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        if let rows { return unsafe UnsafeMutableRawPointer(rows.row(index & 1)) }
        return unsafe plane.row(index) + offset
    }

    func accept(_ index: Int) throws(CPUError) {
        guard rows != nil else { return }
        unsafe (plane.row(index) + offset).copyMemory(from: inputRow(index), byteCount: byteCount)
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
