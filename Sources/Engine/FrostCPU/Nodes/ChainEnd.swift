import FrostCore

/// The last node of a chain. It takes the chain's output rows to their destination.
protocol ChainEnd: FlowNode {
    var output: ChainOutput { get set }
    /// The first output row that has not arrived yet.
    var next: Int { get }
}

extension ChainEnd {
    var inputKind: RowKind { output.kind }
    var inputRows: Range<Int> { output.rows }
    var inputColumns: Range<Int> { output.columns }
    var rowsTogether: Int { output.together }
    var next: Int { output.next }
    func start(_ memory: CallerMemory) { output.start(memory) }
}

/// The rows that a chain computes.
struct ChainOutput {
    /// The kind of the last step's rows.
    var kind: RowKind
    let rows: Range<Int>
    let columns: Range<Int>
    let channels: Int
    /// The number of rows that arrive together.
    var together: Int
    /// The first row that has not arrived yet.
    var next = 0
    var cancellation: Cancellation?

    /// Allocates memory for the rows that arrive together.
    func ring() throws(CPUError) -> RowRing { try RowRing(rows: together, floats: columns.count * channels) }

    mutating func start(_ memory: CallerMemory) {
        next = rows.lowerBound
        cancellation = memory.cancellation
    }

    /// Counts rows that have arrived.
    mutating func count(_ arrived: Range<Int>) throws(CPUError) {
        next = arrived.upperBound
        if cancellation?.isCancelled == true { throw .cancelled }
    }
}

/// The end of a chain whose rows belong to the caller's image: writes them in the caller's format, through output stages if
/// there are any.
final class TargetEnd: ChainEnd {
    var output: ChainOutput
    private let writer: RowConversion
    private let stages: OutputStageRunner?
    /// Whether the last step has written the rows already.
    private let isWritten: Bool
    /// The pixels that an interpolation has written already.
    private let plain: PlainPixels?
    /// Writes the other pixels of rows in the middle; nil if they have other output stages.
    private let sides: SideRows?
    private let rows: RowRing
    private var memory = CallerMemory()

    init(
        _ output: ChainOutput, _ writer: RowConversion, _ stages: OutputStageRunner?, isWritten: Bool,
        plain: PlainPixels?, sides: SideRows?
    ) throws(CPUError) {
        self.output = output
        self.writer = writer
        self.stages = stages
        self.isWritten = isWritten
        self.plain = plain
        self.sides = sides
        rows = try output.ring()
    }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func start(_ memory: CallerMemory) {
        output.start(memory)
        self.memory = memory
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        try output.count(rows)
        // A look at each row takes 5 % of a blur's time.
        if isWritten, memory.listener == nil { return }
        var rows = rows
        if let sides, let middle = plain?.middle.rows.clamped(to: rows), !middle.isEmpty, let target = memory.target {
            for index in rows.lowerBound..<middle.lowerBound { write(index, inputRow(index), target) }
            sides.write(middle, self.rows, to: target)
            rows = middle.upperBound..<rows.upperBound
        }
        for index in rows {
            if !isWritten, let target = memory.target { write(index, inputRow(index), target) }
            memory.listener?.rowIsComplete?(index)
        }
    }

    /// Takes rows that are all equal. Rows of which a listener is told are written one by one, because the memory of pushed rows
    /// exists only until they are complete.
    func accept(_ rows: Range<Int>, of values: Row) throws(CPUError) {
        try output.count(rows)
        if let stages, memory.listener == nil, let target = memory.target {
            return try stages.write(rows, values, to: target, memory.originals)
        }
        for index in rows {
            if let target = memory.target { write(index, values, target) }
            memory.listener?.rowIsComplete?(index)
        }
    }

    private func write(_ index: Int, _ values: Row, _ target: TargetRows) {
        if let stages {
            stages.write(
                index, values, to: target.row(index), streams: target.streams, memory.originals,
                without: plain?.columns(index) ?? 0..<0)
        } else {
            writer.write(
                values, as: inputKind, count: output.columns.count, into: target.row(index), streams: target.streams)
        }
    }
}

/// The end of a chain that stores rows in a plane, or in some columns of a plane.
final class PlaneEnd: ChainEnd {
    var output: ChainOutput
    private let plane: RowPlane
    /// Temporary rows. Kernels write past the end of a row. If the plane has other columns there, rows are written here
    /// first and then copied. Nil if the columns reach the end of the plane.
    private let rows: RowRing?

    init(_ output: ChainOutput, _ plane: RowPlane) throws(CPUError) {
        self.output = output
        self.output.kind = plane.kind
        self.plane = plane
        rows = try output.columns.upperBound == plane.window.columns.upperBound ? nil : output.ring()
    }

    func inputRow(_ index: Int) -> Row { rows?.row(index) ?? plane.row(index, from: output.columns.lowerBound) }

    func accept(_ arrived: Range<Int>) throws(CPUError) {
        try output.count(arrived)
        guard let rows else { return }
        let byteCount = output.columns.count * output.channels * inputKind.size
        for index in arrived {
            plane.row(index, from: output.columns.lowerBound).copy(from: rows.row(index), byteCount: byteCount)
        }
    }
}
