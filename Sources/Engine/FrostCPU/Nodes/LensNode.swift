import FrostCore

/// A node that shows its input through lenses along the edges of shapes; see ``Refraction``.
///
/// It keeps the rows that any offset can reach. Each output row is copied, and then the pixels in the bands along the edges are
/// interpolated again: pixels beside straight edges share their offsets, so these are computed once for each row or column.
final class LensNode: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    let inputRows: Range<Int>
    let inputColumns: Range<Int>
    let rowsTogether: Int
    private let output: Rect
    private let channels: Int
    private let rows: RowRing
    /// The number of rows above and below an output row that its pixels read.
    private let reach: Int
    private let sampler: LensSampler
    private let shapes: [LensShape]
    private var next = 0
    private var cancellation: Cancellation?

    init(_ refraction: Refraction, kind: RowKind, _ request: NodeRequest) {
        following = request.following
        inputKind = kind
        channels = request.channels
        output = Rect(columns: request.columns, rows: request.rows)
        let read = refraction.reach(of: output)
        (inputColumns, inputRows) = (read.columns, read.rows)
        reach = refraction.rowReach
        let samples = read.width * channels
        rowsTogether = request.rowsArriving(bytes: kind.size * samples)
        // The rows for a block of the following node, and those that arrive with its last one.
        rows = RowRing(rows: 2 * reach + following.rowsTogether + rowsTogether, floats: (samples * kind.size + 3) / 4)
        sampler = LensSampler(refraction, channels: request.plan.reader.working, input: read)
        shapes = refraction.fields.map { [columns = request.columns] in LensShape($0, refraction, columns: columns) }
    }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func start(_ memory: CallerMemory) {
        next = output.y
        cancellation = memory.cancellation
    }

    func accept(_ arrived: Range<Int>) throws(CPUError) {
        while next < output.rows.upperBound {
            if cancellation?.isCancelled == true { throw .cancelled }
            let end = min(next + following.rowsTogether, output.rows.upperBound)
            var ready = next
            while ready < end, min(ready + reach, inputRows.upperBound - 1) < arrived.upperBound { ready += 1 }
            // The following node may need as many rows as it takes together.
            guard ready == end else { return }
            for row in next..<end { compute(row, following.inputRow(row)) }
            let block = next..<end
            next = end
            try following.accept(block)
        }
    }

    private func compute(_ y: Int, _ out: Row) {
        let from = rows.row(y) + (output.x - inputColumns.lowerBound) * channels * inputKind.size
        out.copy(from: from, byteCount: output.width * channels * inputKind.size)
        switch inputKind {
        case .floats: refract(y, out, Float.self)
        case .fixed: refract(y, out, UInt16.self)
        case .bytes: preconditionFailure("a lens reads numbers")
        }
    }

    private func refract<Number: LensNumber>(_ y: Int, _ out: Row, _: Number.Type) {
        let size = channels * inputKind.size
        let line = LensLine<Number>(y: y, row: { [rows] in rows.row($0) })
        for shape in shapes {
            for run in shape.runs(y) {
                switch run {
                case .along(let columns, let offsets):
                    sampler.shift(out + (columns.lowerBound - output.x) * size, columns, offsets, line)
                case .across(let columns, let offsets):
                    for x in columns {
                        let first = (x - columns.lowerBound) * shape.count
                        sampler.sample(out + (x - output.x) * size, x, offsets[first..<first + shape.count], line)
                    }
                case .points(let columns):
                    for x in columns {
                        guard let offsets = shapes.offsets(x, y) else { continue }
                        sampler.sample(out + (x - output.x) * size, x, offsets[...], line)
                    }
                }
            }
        }
    }
}

extension Refraction {
    /// The number of rows above and below a row that its pixels read.
    var rowReach: Int { Int(lens.reach.rounded(.up)) + 1 }
}

/// A number of a row, which a lens interpolates.
protocol LensNumber {
    var float: Float { get }
    init(rounding value: Float)
    /// Returns the numbers of a row.
    static func numbers(_ row: Row) -> UnsafeMutablePointer<Self>
}

extension Float: LensNumber {
    @inline(__always) var float: Float { self }
    @inline(__always) init(rounding value: Float) { self = value }
    @inline(__always) static func numbers(_ row: Row) -> UnsafeMutablePointer<Float> { unsafe row.floats }
}

extension UInt16: LensNumber {
    @inline(__always) var float: Float { Float(self) }
    // Interpolations of numbers of a row lie within their range.
    @inline(__always) init(rounding value: Float) { self = UInt16(truncatingIfNeeded: Int32(value + 0.5)) }
    @inline(__always) static func numbers(_ row: Row) -> UnsafeMutablePointer<UInt16> { unsafe row.fixed }
}
