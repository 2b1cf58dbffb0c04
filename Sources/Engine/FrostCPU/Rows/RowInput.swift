import CFrostKernels
import FrostCore

/// The source of a chain's input rows.
///
/// SAFETY: bands on several threads share one value and only read from it. The memory outlives the call that creates
/// the value.
@safe enum RowInput: @unchecked Sendable {
    /// An image supplied by the caller. If `decoding` is not nil, it decodes the samples to linear light. Nodes then cannot
    /// read the image directly; ``read(_:columns:as:into:)`` reads and decodes each row.
    case image(ImageRows, RowConversion, decoding: TransferFunction?)
    case plane(RowPlane)

    /// Fills memory with the given columns of rows. The edge mode supplies rows outside the image.
    ///
    /// - Parameter out: returns the memory of a row.
    func read(_ rows: Range<Int>, columns: Range<Int>, as kind: RowKind, into out: (Int) -> Row) {
        switch self {
        case .image(let image, let conversion, let decoding):
            for row in rows {
                if let from = image.row(row, from: columns.lowerBound) {
                    conversion.read(from, count: columns.count, into: out(row), as: kind, decoding: decoding)
                } else {
                    out(row).clear(byteCount: columns.count * conversion.working.count * kind.size)
                }
            }
        case .plane(let plane):
            for row in rows {
                plane.kind.convert(
                    plane.row(row, from: columns.lowerBound), to: kind, out(row), columns.count * plane.channels, .best)
            }
        }
    }
}

/// A low-resolution image between two groups of passes. Only some of its rows may exist at the same time: a new row then
/// takes the memory of the row that is ``rows`` rows before it.
final class RowPlane {
    let window: Rect
    let channels: Int
    let kind: RowKind
    /// The number of consecutive rows that exist at the same time.
    private let rows: Int
    private let storage: RowStorage

    /// Allocates memory for an image that covers `window`.
    ///
    /// - Parameters:
    ///   - kind: ``RowKind/floats`` or ``RowKind/fixed``.
    ///   - rows: the number of consecutive rows that exist at the same time; nil for all rows.
    init(window: Rect, channels: Int, kind: RowKind, rows: Int? = nil) {
        self.window = window
        self.channels = channels
        self.kind = kind
        self.rows = rows ?? window.height
        let floats = Self.floatsPerRow(window.width, channels: channels, kind: kind)
        storage = RowStorage(rows: self.rows, floats: floats, zeroed: false)
    }

    static func floatsPerRow(_ width: Int, channels: Int, kind: RowKind) -> Int {
        (width * channels * kind.size + 3) / 4
    }

    /// Returns a row from a column on.
    func row(_ row: Int, from column: Int) -> Row {
        storage.row((row - window.y) % rows) + (column - window.x) * channels * kind.size
    }
}

/// The rows of the caller's image, extended by its edge mode.
///
/// The value counts no references: a node copies it for each row, and an atomic reference counter waits until all bytes
/// are written that go around the caches.
///
/// SAFETY: the image outlives the flow, and the edge mode maps every index to a row of the extent.
@safe struct ImageRows {
    private var base: Row
    private var bytesPerRow: Int
    /// The address up to which the bytes after each row may be read; nil if there are other bytes between the rows.
    private(set) var end: Row?
    private let extent: Rect
    private let edge: EdgeMode
    private let bytesPerPixel: Int

    init(_ source: PixelSource, extent: Rect, edge: EdgeMode) {
        base = unsafe Row(reading: source.base)
        bytesPerRow = unsafe source.layout.bytesPerRow
        bytesPerPixel = unsafe source.layout.format.bytesPerPixel
        self.extent = extent
        self.edge = edge
        unsafe read(source)
    }

    /// Reads another image of the same size and format from now on.
    mutating func read(_ source: PixelSource) {
        base = unsafe Row(reading: source.base)
        let layout = unsafe source.layout
        bytesPerRow = layout.bytesPerRow
        end = layout.bytesPerRow == layout.rowByteCount ? base + layout.height * layout.bytesPerRow : nil
    }

    /// Returns a row from a column on, by its index in the extended image; nil if the row is transparent black.
    func row(_ index: Int, from column: Int) -> Row? {
        guard let row = extent.rows.contains(index) ? index : edge.map(index, into: extent.rows) else { return nil }
        return base + ((row - extent.y) * bytesPerRow + (column - extent.x) * bytesPerPixel)
    }
}

/// The rows of the caller's target.
///
/// SAFETY: the image outlives the flow; each row is written by one thread.
@safe struct TargetRows {
    /// The address of row 0, and the distance in bytes between rows.
    private let origin: Row
    private let bytesPerRow: Int
    /// The bits of a row index that select the row's memory: all bits for an image; only the last bit if two rows of
    /// memory are used alternately.
    private let mask: Int
    /// Whether rows are written directly to memory, around the caches (by non-temporal stores). This is done if the
    /// image is larger than the caches. It saves time, because the processor then need not read each cache line before
    /// it writes the line.
    let streams: Bool

    /// The minimum size in bytes of images that are written around the caches. It is larger than most caches; a smaller
    /// image may still be in the cache when the caller reads it.
    private static let streamedBytes = 16 << 20

    /// Creates the rows of a caller's image.
    ///
    /// - Parameter region: the plan's region. Its first row is the first row of the target.
    init(_ target: PixelTarget, region: Rect) {
        let layout = unsafe target.layout
        self.init(
            origin: unsafe Row(target.base) + -region.y * layout.bytesPerRow, bytesPerRow: layout.bytesPerRow,
            streams: layout.byteCount >= Self.streamedBytes)
    }

    /// Creates target rows in memory of their own.
    ///
    /// - Parameter first: the index of the first row in memory.
    init(_ rows: RowStorage, first: Int) {
        self.init(origin: rows.row(-first), bytesPerRow: rows.bytesPerRow)
    }

    /// Creates target rows that use two rows of memory alternately.
    init(_ rows: RowStorage) {
        self.init(origin: rows.row(0), bytesPerRow: rows.bytesPerRow, mask: 1)
    }

    private init(origin: Row, bytesPerRow: Int, mask: Int = -1, streams: Bool = false) {
        self.origin = origin
        self.bytesPerRow = bytesPerRow
        self.mask = mask
        self.streams = streams
    }

    func row(_ index: Int) -> Row { origin + (index & mask) * bytesPerRow }

    /// Returns the same rows from another byte of each row on.
    func advanced(by bytes: Int) -> TargetRows {
        TargetRows(origin: origin + bytes, bytesPerRow: bytesPerRow, mask: mask, streams: streams)
    }

    /// Makes the bytes that were written around the caches visible to other threads. The call waits until all of these
    /// bytes are written, so it is made only once per band.
    func endStreaming() {
        if streams { unsafe KernelSet.best.table.pointee.end_streaming() }
    }
}
