import CFrostKernels
import FrostCore

/// The source of a chain's input rows.
///
/// SAFETY: bands on several threads share one value and only read from it. The memory outlives the call that creates
/// the value.
@safe enum RowInput: @unchecked Sendable {
    /// An image supplied by the caller, and the edge mode. If `decoding` is not nil, it decodes the samples to linear
    /// light. Nodes then cannot read the image directly; ``read(_:columns:as:into:)`` reads and decodes each row.
    case pixels(PixelSource, RowConversion, extent: Rect, edge: EdgeMode, decoding: TransferFunction?)
    case plane(RowPlane)

    /// Fills memory with the given columns of rows. The edge mode supplies rows outside the image.
    ///
    /// - Parameter out: returns the memory of a row.
    func read(_ rows: Range<Int>, columns: Range<Int>, as kind: RowKind, into out: (Int) -> UnsafeMutableRawPointer) {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge, let decoding):
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            for row in rows {
                guard let from = extent.rows.contains(row) ? row : edge.map(row, into: extent.rows) else {
                    unsafe conversion.clear(out(row), count: columns.count, as: kind)
                    continue
                }
                unsafe conversion.read(
                    source.row(from - extent.y) + offset, count: columns.count, into: out(row), as: kind,
                    decoding: decoding)
            }
        case .plane(let plane):
            for row in rows {
                let from = unsafe plane.row(row) + plane.offset(of: columns)
                unsafe plane.kind.convert(from, to: kind, out(row), columns.count * plane.channels, .best)
            }
        }
    }

    /// Returns the rows for a pass along y that may read them in place; nil if it cannot.
    func rows(columns: Range<Int>) -> RowSource? {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge, let decoding):
            guard decoding == nil else { return nil }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            return unsafe .image(ImageRows(source, extent: extent, edge: edge, offset: offset), conversion)
        case .plane(let plane) where plane.kind == .floats:
            return unsafe .plane(plane, offset: plane.offset(of: columns))
        case .plane: return nil
        }
    }
}

/// A low-resolution image between two groups of passes. Only some of its rows may exist at the same time: a new row then
/// takes the memory of the row that is ``rows`` rows before it.
final class RowPlane {
    let window: Rect
    let channels: Int
    let kind: RowKind
    let bytesPerPixel: Int
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
        bytesPerPixel = channels * kind.size
        let floats = Self.floatsPerRow(window.width, channels: channels, kind: kind)
        storage = RowStorage(rows: self.rows, floats: floats, zeroed: false)
    }

    static func floatsPerRow(_ width: Int, channels: Int, kind: RowKind) -> Int {
        (width * channels * kind.size + 3) / 4
    }

    func row(_ row: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(storage.row((row - window.y) % rows))
    }

    /// Returns the distance in bytes from the beginning of a row to the first of these columns.
    func offset(of columns: Range<Int>) -> Int { (columns.lowerBound - window.x) * bytesPerPixel }
}

/// The rows that a pass along y reads in place.
@unsafe enum RowSource {
    /// The rows of the caller's image, and the conversion that their samples need.
    case image(ImageRows, RowConversion)
    /// The rows of a plane, from `offset` bytes after the beginning of each row.
    case plane(RowPlane, offset: Int)
}

/// The rows of the caller's image, extended by its edge mode.
///
/// The value counts no references: a node copies it for each row, and an atomic reference counter waits until all bytes
/// are written that go around the caches.
///
/// SAFETY: the image outlives the flow, and the edge mode maps every index to a row of the extent.
@unsafe struct ImageRows {
    private var base: UnsafeRawPointer
    private var bytesPerRow: Int
    /// The address up to which the bytes after each row may be read; nil if there are other bytes between the rows.
    private(set) var end: UnsafeRawPointer?
    private let rows: Range<Int>
    private let edge: EdgeMode
    /// The distance in bytes from the beginning of a row to the first column that is read.
    private let offset: Int

    init(_ source: PixelSource, extent: Rect, edge: EdgeMode, offset: Int) {
        unsafe base = source.row(0)
        unsafe bytesPerRow = source.layout.bytesPerRow
        unsafe end = source.end
        unsafe rows = extent.rows
        unsafe self.edge = edge
        unsafe self.offset = offset
    }

    /// Reads another image of the same size and format from now on.
    mutating func read(_ source: PixelSource) {
        unsafe base = source.row(0)
        unsafe bytesPerRow = source.layout.bytesPerRow
        unsafe end = source.end
    }

    /// Returns a row by its index in the extended image; nil if the row is transparent black.
    func row(_ index: Int) -> UnsafeRawPointer? {
        guard let row = unsafe rows.contains(index) ? index : edge.map(index, into: rows) else { return nil }
        return unsafe base + ((row - rows.lowerBound) * bytesPerRow + offset)
    }
}

/// The rows of the caller's target.
///
/// SAFETY: the image outlives the flow; each row is written by one thread.
@unsafe struct TargetRows {
    /// The address of row 0, and the distance in bytes between rows.
    private let origin: UnsafeMutableRawPointer
    private let bytesPerRow: Int
    /// The bits of a row index that select the row's memory: all bits for an image; only the last bit if two rows of
    /// memory are used alternately.
    private let mask: Int
    /// Whether rows are written directly to memory, around the caches (by non-temporal stores). This is done if the
    /// image is larger than the caches. It saves time, because the processor then need not read each cache line before
    /// it writes the line.
    var streams: Bool

    /// The minimum size in bytes of images that are written around the caches. It is larger than most caches; a smaller
    /// image may still be in the cache when the caller reads it.
    private static let streamedBytes = 16 << 20

    /// Creates the rows of a caller's image.
    ///
    /// - Parameter region: the plan's region. Its first row is the first row of the target.
    init(_ target: PixelTarget, region: Rect) {
        unsafe bytesPerRow = target.layout.bytesPerRow
        unsafe origin = target.base - region.y * target.layout.bytesPerRow
        unsafe mask = -1
        unsafe streams = target.layout.byteCount >= Self.streamedBytes
    }

    /// Creates target rows in memory of their own.
    ///
    /// - Parameter first: the index of the first row in memory.
    init(_ rows: RowStorage, first: Int) {
        unsafe bytesPerRow = rows.stride * MemoryLayout<Float>.stride
        unsafe origin = UnsafeMutableRawPointer(rows.row(0)) - first * bytesPerRow
        unsafe mask = -1
        unsafe streams = false
    }

    /// Creates target rows that use two rows of memory alternately.
    init(_ rows: RowStorage) {
        unsafe origin = UnsafeMutableRawPointer(rows.row(0))
        unsafe bytesPerRow = UnsafeMutableRawPointer(rows.row(1)) - UnsafeMutableRawPointer(rows.row(0))
        unsafe mask = 1
        unsafe streams = false
    }

    func row(_ index: Int) -> UnsafeMutableRawPointer { unsafe origin + (index & mask) * bytesPerRow }

    /// Returns the same rows from another byte of each row on.
    func advanced(by bytes: Int) -> TargetRows {
        unsafe TargetRows(origin: origin + bytes, bytesPerRow: bytesPerRow, mask: mask, streams: streams)
    }

    private init(origin: UnsafeMutableRawPointer, bytesPerRow: Int, mask: Int, streams: Bool) {
        unsafe (self.origin, self.bytesPerRow, self.mask, self.streams) = (origin, bytesPerRow, mask, streams)
    }

    /// Makes the bytes that were written around the caches visible to other threads. The call waits until all of these
    /// bytes are written, so it is made only once per band.
    func endStreaming() {
        if unsafe streams { unsafe KernelSet.best.table.pointee.end_streaming() }
    }
}

/// The rows of a target that a pass may write directly, and the conversion of its samples.
@unsafe struct DirectTarget {
    let conversion: RowConversion
    var rows: TargetRows

    var streams: Bool { unsafe rows.streams }

    func row(_ index: Int) -> UnsafeMutableRawPointer { unsafe rows.row(index) }
}

extension PixelSource {
    /// The address after the last pixel; nil if there are other bytes between the rows.
    fileprivate var end: UnsafeRawPointer? {
        unsafe layout.bytesPerRow == layout.rowByteCount ? row(layout.height) : nil
    }
}
