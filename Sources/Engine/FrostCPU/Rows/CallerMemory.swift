import CFrostKernels
import FrostCore

/// The caller's images and cancellation flag for one run of a driver. The next run of the same driver may have other
/// images and another flag.
///
/// SAFETY: the images outlive the run. Drivers of different bands only read the source, and write disjoint rows.
@safe struct CallerMemory {
    /// The source; nil if rows are pushed.
    var source: PixelSource?
    /// The image that receives the result; nil if a ``RowDriver`` computes only an intermediate image.
    var target: TargetRows?
    /// The source's rows, for output stages that show the original.
    var originals: Originals?
    /// Told of each row of the target that is complete; nil if nobody waits for single rows.
    var listener: RowListener?
    var cancellation: Cancellation?
}

/// Calls a closure with the index of each row of the target that is complete, while there is one.
final class RowListener {
    var rowIsComplete: ((Int) -> Void)?
}

/// The rows of the caller's image, extended by its edge mode.
///
/// The value counts no references: a node copies it for each row, and an atomic reference counter waits until all bytes
/// are written that go around the caches.
///
/// SAFETY: the image outlives the flow, and the edge mode maps every index to a row of the extent.
@safe struct ImageRows {
    private let base: Row
    private let bytesPerRow: Int
    /// The address up to which the bytes after each row may be read; nil if there are other bytes between the rows.
    let end: Row?
    private let extent: Rect
    private let edge: EdgeMode
    private let bytesPerPixel: Int

    init(_ source: PixelSource, extent: Rect, edge: EdgeMode) {
        let layout = unsafe source.layout
        base = unsafe Row(reading: source.base)
        bytesPerRow = layout.bytesPerRow
        end = layout.bytesPerRow == layout.rowByteCount ? base + layout.height * layout.bytesPerRow : nil
        bytesPerPixel = layout.format.bytesPerPixel
        self.extent = extent
        self.edge = edge
    }

    /// Reads another image of the same size and format from now on.
    mutating func read(_ source: PixelSource) { self = unsafe ImageRows(source, extent: extent, edge: edge) }

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
