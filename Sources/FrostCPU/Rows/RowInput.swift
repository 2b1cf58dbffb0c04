import CFrostKernels
import FrostCore

/// The source of a chain's input rows.
///
/// SAFETY: bands on several threads share one value and only read from it. The memory outlives the call that creates
/// the value.
@safe enum RowInput: @unchecked Sendable {
    /// An image supplied by the caller, and the edge mode. If `decoding` is not nil, it decodes the samples to linear
    /// light. Nodes then cannot read the image directly; ``read(_:columns:into:as:)`` reads and decodes each row.
    case pixels(PixelSource, RowConversion, extent: Rect, edge: EdgeMode, decoding: TransferFunction?)
    case plane(RowPlane)

    /// Fills `out` with the given columns of a row. The edge mode supplies rows outside the image.
    func read(_ row: Int, columns: Range<Int>, into out: UnsafeMutableRawPointer, as kind: RowKind) {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge, let decoding):
            guard let row = edge.map(row, into: extent.rows) else {
                return unsafe conversion.clear(out, count: columns.count, as: kind)
            }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            unsafe conversion.read(
                source.row(row - extent.y) + offset, count: columns.count, into: out, as: kind,
                decoding: decoding)
        case .plane(let plane):
            let from = unsafe plane.row(row) + plane.offset(of: columns)
            unsafe plane.kind.convert(from, to: kind, out, columns.count * plane.channels, .best)
        }
    }

    /// Returns the rows for a pass along y that reads them in place; nil if the rows need a conversion.
    func rows(columns: Range<Int>) -> RowSource? {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge, let decoding):
            guard decoding == nil, let kind = conversion.directKind else { return nil }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            return unsafe .bytes(ByteRows(source: source, extent: extent, edge: edge, offset: offset), kind)
        case .plane(let plane) where plane.kind == .floats:
            return unsafe .plane(plane, offset: plane.offset(of: columns))
        case .plane: return nil
        }
    }
}

/// The destination of a chain's output rows.
///
/// SAFETY: bands on several threads write disjoint rows. The memory outlives the chain.
@safe enum ChainOutput {
    /// Rows are passed to the caller of ``PassChain/emitting(to:_:)``.
    case handedOut
    case plane(RowPlane)
    /// The target image. If no node can write the target's format, rows are passed to the caller of
    /// ``PassChain/emitting(to:_:)``.
    case target(TargetRows, RowConversion)
    /// Output stages, which write to the target image. If no node runs the output stages, rows are passed to the caller
    /// of ``PassChain/emitting(to:_:)``.
    case outputStages(OutputStagesTarget)

    /// The target, if a node can write bytes directly to it. Nil if the rows need a conversion or have another
    /// destination.
    var bytes: ByteTarget? {
        switch self {
        case .target(let rows, let conversion): unsafe ByteTarget(conversion, rows)
        case .handedOut, .plane, .outputStages: nil
        }
    }

    var stages: OutputStagesTarget? {
        switch self {
        case .outputStages(let stages): unsafe stages
        case .handedOut, .plane, .target: nil
        }
    }
}

/// A low-resolution image between two groups of passes.
final class RowPlane {
    let window: Rect
    let channels: Int
    let kind: RowKind
    let bytesPerPixel: Int
    private let storage: RowStorage

    /// Allocates memory for an image that covers `window`.
    ///
    /// - Parameter kind: ``RowKind/floats`` or ``RowKind/fixed``.
    init(window: Rect, channels: Int, kind: RowKind) {
        self.window = window
        self.channels = channels
        self.kind = kind
        bytesPerPixel = channels * kind.size
        storage = RowStorage(rows: window.height, floats: (window.width * bytesPerPixel + 3) / 4, zeroed: false)
    }

    func row(_ row: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(storage.row(row - window.y)) }

    /// Returns the distance in bytes from the beginning of a row to the first of these columns.
    func offset(of columns: Range<Int>) -> Int { (columns.lowerBound - window.x) * bytesPerPixel }
}

/// The rows that a pass along y reads in place.
@unsafe enum RowSource {
    case bytes(ByteRows, ByteKind)
    /// The rows of a plane, from `offset` bytes after the beginning of each row.
    case plane(RowPlane, offset: Int)
}

/// The conversion between 8-bit samples and numbers, in kernels that read or write bytes directly.
enum ByteKind {
    /// Samples are used as they are: the image is opaque or premultiplied.
    case plain
    /// Four channels with straight alpha as the last channel; colours are premultiplied when they are read.
    case straightRGBA
    /// The bytes have three channels, the numbers four: an alpha channel is added.
    case rgb

    /// Returns nil for formats that need another conversion.
    init?(_ conversion: RowConversion) {
        let format = conversion.format
        guard format.sample == .u8 else { return nil }
        if format.channels == .rgb, conversion.working == .rgba {
            self = .rgb
        } else if format.channels != conversion.working {
            return nil
        } else if !format.needsPremultiplication {
            self = .plain
        } else if format.channels == .rgba {
            self = .straightRGBA
        } else {
            return nil
        }
    }
}

/// The 8-bit rows of an image, extended by its edge mode.
///
/// SAFETY: the image outlives the flow, and the edge mode maps every index to a row of the extent.
@unsafe struct ByteRows {
    var source: PixelSource
    let extent: Rect
    let edge: EdgeMode
    /// The distance in bytes from the beginning of a row to the first column that is read.
    let offset: Int

    /// The number of samples per pixel.
    var channels: Int { unsafe source.layout.format.channels.count }

    /// Returns a row by its index in the extended image; nil if the row is transparent black.
    func row(_ index: Int) -> UnsafePointer<UInt8>? {
        unsafe edge.map(index, into: extent.rows).map {
            unsafe (source.row($0 - extent.y) + offset).assumingMemoryBound(to: UInt8.self)
        }
    }
}

/// The rows of the caller's target.
///
/// SAFETY: the image outlives the flow; each row is written by one thread.
@unsafe struct TargetRows {
    /// The address of row 0, and the distance in bytes between rows.
    private let origin: UnsafeMutableRawPointer
    private let bytesPerRow: Int
    /// The bits of a row index that select the row's memory: all bits for an image; only the last bits if a few rows of
    /// memory are used in turn.
    private let mask: Int
    /// Whether rows are written directly to memory, around the caches (by non-temporal stores). This is done if the image is
    /// larger than the caches. It saves time, because the processor then need not read each cache line before it writes the
    /// line.
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

    /// Creates target rows that use ``RowStorage/together`` rows of memory in turn.
    init(inTurn rows: RowStorage) {
        unsafe origin = UnsafeMutableRawPointer(rows.row(0))
        unsafe bytesPerRow = UnsafeMutableRawPointer(rows.row(1)) - UnsafeMutableRawPointer(rows.row(0))
        unsafe mask = RowStorage.together - 1
        unsafe streams = false
    }

    func row(_ index: Int) -> UnsafeMutableRawPointer { unsafe origin + (index & mask) * bytesPerRow }

    /// Makes the bytes that were written around the caches visible to other threads. The call waits until all of these
    /// bytes are written, so it is made only once per band.
    func endStreaming() {
        if unsafe streams { unsafe KernelSet.best.table.pointee.end_streaming() }
    }
}

/// The 8-bit rows of a target that a pass writes directly.
@unsafe struct ByteTarget {
    let kind: ByteKind
    /// The number of samples per pixel.
    let channels: Int
    var rows: TargetRows

    var streams: Bool { unsafe rows.streams }

    /// Returns nil for formats that a pass cannot write directly.
    init?(_ conversion: RowConversion, _ rows: TargetRows) {
        guard let kind = conversion.directKind else { return nil }
        unsafe self.kind = kind
        unsafe channels = conversion.format.channels.count
        unsafe self.rows = rows
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe rows.row(index).assumingMemoryBound(to: UInt8.self)
    }
}
