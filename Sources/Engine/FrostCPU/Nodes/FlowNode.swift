import FrostCore

/// A node executes one or more passes of a chain. Input rows arrive in order, and output rows leave in order. Several
/// rows arrive or leave at a time, because calls from node to node would take most of the time of short rows.
///
/// A node owns the memory of its input rows, so that a row is written only once, to the place where it is used.
protocol FlowNode: AnyObject {
    /// The kind of the node's input rows.
    var inputKind: RowKind { get }
    /// Returns the memory for input row `index`: the pixels of the node's input columns.
    func inputRow(_ index: Int) -> UnsafeMutableRawPointer
    /// The maximum number of consecutive input rows that are written before they are accepted. It is at least 2 for
    /// rows in fixed point, because ``FixedInterpolation`` computes two rows together.
    var rowsTogether: Int { get }
    /// Takes the next input rows, at most ``rowsTogether``, which have been written. Computes every output row that can
    /// be computed now, writes it to the memory that the following node's ``inputRow(_:)`` returns, and calls `accept`
    /// of the following node before it returns.
    func accept(_ rows: Range<Int>) throws(CPUError)
    /// Starts again from the first row, for another image.
    func restart(_ memory: CallerMemory)
}

extension FlowNode {
    /// Does nothing. For nodes that neither count rows nor access the caller's memory.
    func restart(_ memory: CallerMemory) {}

    /// Takes rows from a block that another node has computed. Copies the rows, then processes them as the next input
    /// rows.
    func accept(_ rows: Range<Int>, from block: RowStorage, byteCount: Int) throws(CPUError) {
        for part in rows.parts(of: rowsTogether) {
            for row in part {
                unsafe inputRow(row).copyMemory(from: block.row(row - rows.lowerBound), byteCount: byteCount)
            }
            try accept(part)
        }
    }
}

extension Range<Int> {
    /// Returns consecutive parts of the range, each of at most `count` elements.
    func parts(of count: Int) -> some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: count).lazy.map { $0..<Swift.min($0 + count, upperBound) }
    }
}

/// The last node of a chain.
protocol ChainEnd: FlowNode {
    /// The first output row of the chain that has not arrived yet.
    var next: Int { get }
}

/// The end of a chain that passes each row to the closure ``emit``.
@safe final class RowSink: ChainEnd {
    let inputKind: RowKind
    /// A closure that is called with the index and the memory of each row; nil if the rows are already at their
    /// destination.
    var emit: ((Int, UnsafeRawPointer) throws(CPUError) -> Void)?
    private let rows: RowRing
    let rowsTogether: Int
    private let first: Int
    private(set) var next: Int

    /// Creates the last node of a chain. It receives rows of the given kind.
    ///
    /// - Parameters:
    ///   - first: the first row that arrives.
    ///   - floats: the length of a row in floats. Fixed-point rows need less memory.
    ///   - together: the number of rows that arrive together.
    init(_ kind: RowKind, first: Int, floats: Int, together: Int) {
        inputKind = kind
        rowsTogether = together
        rows = RowRing(rows: together, floats: floats)
        (self.first, next) = (first, first)
    }

    func restart(_ memory: CallerMemory) { next = first }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index)) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        next = rows.upperBound
        guard let emit = unsafe emit else { return }
        for index in rows { try unsafe emit(index, UnsafeRawPointer(inputRow(index))) }
    }
}

/// The end of a chain that stores rows in a plane, or in some columns of a plane.
@safe final class PlaneSink: ChainEnd {
    private let plane: RowPlane
    private let offset: Int
    private let byteCount: Int
    /// Temporary rows. Kernels write past the end of a row. If the plane has other columns there, rows are written here
    /// first and then copied. Nil if the columns reach the end of the plane.
    private let rows: RowRing?
    let rowsTogether: Int
    private let first: Int
    private(set) var next: Int

    /// - Parameters:
    ///   - first: the first row that arrives.
    ///   - together: the number of rows that arrive together.
    init(_ plane: RowPlane, columns: Range<Int>, first: Int, together: Int) {
        self.plane = plane
        (self.first, next) = (first, first)
        rowsTogether = together
        offset = plane.offset(of: columns)
        byteCount = columns.count * plane.bytesPerPixel
        let reachesEnd = columns.upperBound == plane.window.columns.upperBound
        rows = reachesEnd ? nil : RowRing(rows: together, floats: (byteCount + 3) / 4)
    }

    var inputKind: RowKind { plane.kind }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        if let rows { return unsafe UnsafeMutableRawPointer(rows.row(index)) }
        return unsafe plane.row(index) + offset
    }

    func restart(_ memory: CallerMemory) { next = first }

    func accept(_ arrived: Range<Int>) throws(CPUError) {
        next = arrived.upperBound
        guard rows != nil else { return }
        for index in arrived {
            unsafe (plane.row(index) + offset).copyMemory(from: inputRow(index), byteCount: byteCount)
        }
    }
}

/// The end of a chain that adds rows to the mixture of a blend.
@safe final class MixtureSink: ChainEnd {
    let inputKind: RowKind
    private let mixture: MixedRows
    private let level: MixedRows.Level
    private let channels: Int
    private let rows: RowRing
    let rowsTogether: Int
    private let first: Int
    private(set) var next: Int

    /// - Parameters:
    ///   - level: the level of the blend that the chain computes.
    ///   - channels: the number of values per pixel.
    ///   - first: the first row that arrives.
    ///   - floats: the length of a row in floats. Fixed-point rows need less memory.
    ///   - together: the number of rows that arrive together.
    init(
        _ mixture: MixedRows, _ level: MixedRows.Level, _ kind: RowKind, channels: Int, first: Int, floats: Int,
        together: Int
    ) {
        (self.mixture, self.level, inputKind, self.channels) = (mixture, level, kind, channels)
        rows = RowRing(rows: together, floats: floats)
        rowsTogether = together
        (self.first, next) = (first, first)
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(index)) }

    func restart(_ memory: CallerMemory) { next = first }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows {
            unsafe mixture.add(index, UnsafeRawPointer(inputRow(index)), as: inputKind, channels: channels, of: level)
        }
        next = rows.upperBound
    }
}
