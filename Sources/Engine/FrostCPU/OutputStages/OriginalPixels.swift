import CFrostKernels
import FrostCore

/// The pixels of the original image that output stages show.
///
/// Not thread-safe.
final class OriginalPixels: MixtureBase {
    private let extent: Rect
    private let region: Rect
    private let edge: EdgeMode
    private let reader: RowConversion
    private let writer: RowConversion
    private let kind: RowKind
    private let kernels: KernelSet
    private let chunk: Int
    private let converted: RowStorage
    private let scratch: RowStorage
    /// The current row; nil if it is transparent black.
    private var source: Row?
    /// The columns of the row in ``converted``.
    private var read = 0..<0

    /// - Parameters:
    ///   - kind: the kind of numbers that ``pixels(_:)`` returns.
    ///   - chunk: the maximum number of pixels of a chunk.
    init(_ plan: CPUPlan, kind: RowKind, chunk: Int) throws(CPUError) {
        extent = plan.plan.extent
        region = plan.plan.region
        edge = plan.plan.imageEdge
        (reader, writer, kernels) = (plan.reader, plan.writer, plan.kernels)
        self.kind = kind
        self.chunk = chunk
        converted = try RowStorage(rows: 1, floats: 4 * chunk)
        scratch = try RowStorage(rows: 1, floats: 4 * chunk)
    }

    /// Selects the row that is shown in row `y` of the result.
    func select(row y: Int, _ originals: Originals?) {
        source = edge.map(y, into: extent.rows).flatMap { originals?.row($0) }
        read = 0..<0
    }

    /// Returns pixels of the current row as RGBA. The edge mode supplies pixels outside the extent.
    ///
    /// - Parameter columns: at most a chunk of columns.
    func pixels(_ columns: Range<Int>) -> Row {
        if read != columns {
            load(columns, as: kind, into: converted.row(0))
            read = columns
        }
        return converted.row(0)
    }

    private func load(_ columns: Range<Int>, as kind: RowKind, into out: Row) {
        precondition(columns.count <= chunk, "the row has room for a chunk")
        let (channels, size) = (reader.working.count, reader.format.bytesPerPixel)
        let plain = channels == 4 ? out : scratch.row(0)
        if let source, columns.clamped(to: extent.columns) == columns {
            reader.read(
                source + (columns.lowerBound - extent.x) * size, count: columns.count, into: plain, as: kind)
        } else {
            for (i, x) in columns.enumerated() {
                let pixel = plain + i * channels * kind.size
                if let source, let from = edge.map(x, into: extent.columns) {
                    reader.read(source + (from - extent.x) * size, count: 1, into: pixel, as: kind)
                } else {
                    pixel.clear(byteCount: channels * kind.size)
                }
            }
        }
        guard channels < 4 else { return }
        precondition(kind == .floats, "fixed-point output stages use RGBA")
        unsafe reader.working.expand(
            plain.floats, count: columns.count, opaque: Float(writer.format.sample.maximum), into: out.floats)
    }

    /// Writes pixels of the current row to the target. Bytes inside the extent are copied if the formats of source and target
    /// agree.
    ///
    /// - Parameters:
    ///   - out: the target's pixel at the first column.
    ///   - streams: whether to write around the caches.
    func copy(_ columns: Range<Int>, to out: Row, streams: Bool) {
        let isSame = reader.format.channels == writer.format.channels && reader.format.alpha == writer.format.alpha
        let inside = isSame ? extent.columns.clamped(to: columns) : columns.lowerBound..<columns.lowerBound
        guard let source, !inside.isEmpty else { return convert(columns, to: out) }
        let size = writer.format.bytesPerPixel
        convert(columns.lowerBound..<inside.lowerBound, to: out)
        unsafe kernels.table.pointee.copy_bytes(
            (source + (inside.lowerBound - extent.x) * size).bytes,
            (out + (inside.lowerBound - columns.lowerBound) * size).bytes, Int32(inside.count * size), streams ? 1 : 0)
        convert(
            inside.upperBound..<columns.upperBound, to: out + (inside.upperBound - columns.lowerBound) * size)
    }

    /// Converts pixels of the current row to the target's format.
    private func convert(_ columns: Range<Int>, to out: Row) {
        let row = unsafe converted.row(0).floats
        read = 0..<0
        for part in columns.parts(of: chunk) {
            load(part, as: .floats, into: converted.row(0))
            if writer.working.count < 4 { unsafe writer.working.narrow(row, count: part.count, into: row) }
            unsafe writer.store(
                row, count: part.count,
                into: (out + (part.lowerBound - columns.lowerBound) * writer.format.bytesPerPixel).address)
        }
    }
}
