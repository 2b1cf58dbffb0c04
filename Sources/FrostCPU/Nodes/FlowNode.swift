import FrostCore

/// One or more passes of a chain: rows go in one after the other, rows come out in order.
///
/// A node owns the memory its input rows are written to, so that a row is written once, where it is used.
protocol FlowNode: AnyObject {
    /// The kind of the node's input rows.
    var inputKind: RowKind { get }
    /// Where row `index` is to be written: the pixels of the node's input columns. Two rows that follow each other must
    /// have memory of their own: ``FixedInterpolation`` computes them together.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer
    /// Says that row `index` has been written. Every output row that is now possible is computed into the following
    /// node's ``inputRow(_:)``, and accepted there.
    func accept(_ index: Int) throws(CPUError)
    /// Begins again, with another image in the place of the last.
    func restart(_ memory: CallerMemory)
}

extension FlowNode {
    /// For nodes that neither count rows nor touch the caller's memory.
    func restart(_ memory: CallerMemory) {}

    /// Copies rows from a block in which another node has computed them, and accepts each.
    func accept(_ rows: Range<Int>, from block: RowStorage, byteCount: Int) throws(CPUError) {
        for row in rows {
            unsafe inputRow(row).copyMemory(from: block.row(row - rows.lowerBound), byteCount: byteCount)
            try accept(row)
        }
    }
}

/// The end of a chain: hands each row out.
@safe final class RowSink: FlowNode {
    let inputKind: RowKind
    /// Called with each row; nil if the rows are in their place already.
    var emit: ((Int, UnsafeRawPointer) throws(CPUError) -> Void)?
    private let rows: RowStorage

    /// - Parameter floats: the length of a row; fixed-point rows need less.
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

/// The end of a chain: collects rows in a plane, or in some of its columns.
@safe final class PlaneSink: FlowNode {
    private let plane: RowPlane
    private let offset: Int
    private let byteCount: Int
    /// Kernels write past the end of a row. If the plane has other columns there, rows are written here and copied; nil
    /// if the columns reach the plane's end.
    private let rows: RowStorage?

    init(_ plane: RowPlane, columns: Range<Int>) {
        self.plane = plane
        offset = plane.offset(of: columns)
        byteCount = columns.count * plane.bytesPerPixel
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
