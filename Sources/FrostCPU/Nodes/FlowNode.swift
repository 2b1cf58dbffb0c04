import FrostCore

/// A node executes one or more passes of a chain. Input rows arrive one after the other, and output rows leave in
/// order.
///
/// A node owns the memory of its input rows, so that a row is written only once, to the place where it is used.
protocol FlowNode: AnyObject {
    /// The kind of the node's input rows.
    var inputKind: RowKind { get }
    /// Returns the memory for input row `index`: the pixels of the node's input columns. Two consecutive rows must have
    /// separate memory, because ``FixedInterpolation`` computes two rows together.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer
    /// The number of consecutive input rows that may be written before the first of them is accepted.
    var rowsApart: Int { get }
    /// Takes input row `index`, which has been written. Computes every output row that can be computed now, writes it to
    /// the memory that the following node's ``inputRow(_:)`` returns, and calls `accept` of the following node.
    func accept(_ index: Int) throws(CPUError)
    /// Starts again from the first row, for another image.
    func restart(_ memory: CallerMemory)
}

extension FlowNode {
    var rowsApart: Int { 1 }

    /// Does nothing. For nodes that neither count rows nor access the caller's memory.
    func restart(_ memory: CallerMemory) {}

    /// Takes rows from a block that another node has computed. Copies each row, then processes it as the next input row.
    func accept(_ rows: Range<Int>, from block: RowStorage, byteCount: Int) throws(CPUError) {
        for row in rows {
            unsafe inputRow(row).copyMemory(from: block.row(row - rows.lowerBound), byteCount: byteCount)
            try accept(row)
        }
    }
}

/// The last node of a chain. It passes each row to the closure ``emit``.
@safe final class RowSink: FlowNode {
    let inputKind: RowKind
    /// A closure that is called with the index and the memory of each row; nil if the rows are already at their
    /// destination.
    var emit: ((Int, UnsafeRawPointer) throws(CPUError) -> Void)?
    private let rows: RowStorage

    /// Creates the last node of a chain. It receives rows of the given kind.
    ///
    /// - Parameter floats: the length of a row in floats. Fixed-point rows need less memory.
    init(_ kind: RowKind, floats: Int) {
        inputKind = kind
        // Two consecutive rows must have separate memory: see FlowNode.
        rows = RowStorage(rows: 2, floats: floats)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index & 1)) }

    func accept(_ index: Int) throws(CPUError) {
        if let emit = unsafe emit { try unsafe emit(index, UnsafeRawPointer(inputRow(index))) }
    }
}

/// The end of a chain that stores rows in a plane, or in some columns of a plane.
@safe final class PlaneSink: FlowNode {
    private let plane: RowPlane
    private let offset: Int
    private let byteCount: Int
    /// Temporary rows. Kernels write past the end of a row. If the plane has other columns there, rows are written here
    /// first and then copied. Nil if the columns reach the end of the plane.
    private let rows: RowStorage?

    init(_ plane: RowPlane, columns: Range<Int>) {
        self.plane = plane
        offset = plane.offset(of: columns)
        byteCount = columns.count * plane.bytesPerPixel
        let reachesEnd = columns.upperBound == plane.window.columns.upperBound
        // Two consecutive rows must have separate memory: see FlowNode.
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
