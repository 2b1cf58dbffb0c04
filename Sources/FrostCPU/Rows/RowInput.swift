import CFrostKernels
import FrostCore

/// Where a chain's rows come from.
///
/// SAFETY: bands on several threads share one value, and only read from it. The memory outlives the call that made the
/// value.
@safe enum RowInput: @unchecked Sendable {
    /// An image, with its edge mode. Samples that are decoded have to be read row by row.
    case pixels(PixelSource, RowConversion, extent: Rect, edge: EdgeMode, decoding: TransferFunction?)
    case plane(RowPlane)

    /// Fills `out` with the given columns of a row. Rows outside an image are those that its edge mode puts there.
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

    /// The rows, for a pass along y that reads them in place; nil if they need a conversion.
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

/// Where a chain's rows go.
///
/// SAFETY: bands on several threads write disjoint rows. The memory outlives the chain.
@safe enum ChainOutput {
    /// To the caller of ``PassChain/emitting(to:_:)``.
    case handedOut
    case plane(RowPlane)
    /// To the caller's image. Rows in formats that no node writes are handed out.
    case target(TargetRows, RowConversion)
    /// To the caller's image. Rows that no node passes through the output stages are handed out.
    case outputStages(OutputStagesTarget)

    /// The target, for a node that writes bytes in place; nil if they need a conversion.
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

    /// - Parameter kind: ``RowKind/floats`` or ``RowKind/fixed``.
    init(window: Rect, channels: Int, kind: RowKind) {
        self.window = window
        self.channels = channels
        self.kind = kind
        bytesPerPixel = channels * kind.size
        storage = RowStorage(rows: window.height, floats: (window.width * bytesPerPixel + 3) / 4, zeroed: false)
    }

    func row(_ row: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(storage.row(row - window.y)) }

    /// Bytes from the beginning of a row to the first of these columns.
    func offset(of columns: Range<Int>) -> Int { (columns.lowerBound - window.x) * bytesPerPixel }
}

/// Rows that a pass along y reads in place.
@unsafe enum RowSource {
    case bytes(ByteRows, ByteKind)
    /// `offset` bytes into each row.
    case plane(RowPlane, offset: Int)
}

/// How 8-bit samples become numbers in kernels that read or write them directly.
enum ByteKind {
    /// Without conversion: opaque, or premultiplied.
    case plain
    /// Four channels, straight alpha last.
    case straightRGBA
    /// Three channels; four in fixed point, and if alpha is added.
    case rgb

    /// Nil for formats that need another conversion.
    init?(_ conversion: RowConversion) {
        let format = conversion.format
        guard format.sample == .u8 else { return nil }
        if format.channels == .rgb {
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
/// SAFETY: the image outlives the flow; rows are those of the extent.
@unsafe struct ByteRows {
    var source: PixelSource
    let extent: Rect
    let edge: EdgeMode
    /// Of the first column that is read, in bytes.
    let offset: Int

    /// Samples per pixel.
    var channels: Int { unsafe source.layout.format.channels.count }

    /// A row by its place in the extended image; nil for transparent black.
    func row(_ index: Int) -> UnsafePointer<UInt8>? {
        unsafe edge.map(index, into: extent.rows).map {
            unsafe (source.row($0 - extent.y) + offset).assumingMemoryBound(to: UInt8.self)
        }
    }
}

/// The rows that belong to the caller.
///
/// SAFETY: the image outlives the flow; each row is written by one thread.
@unsafe struct TargetRows {
    /// Row 0, and the distance to the next.
    private let origin: UnsafeMutableRawPointer
    private let bytesPerRow: Int
    /// The bits of a row's number that select its memory: all, or only the last if two rows of memory are used in turn.
    private let mask: Int
    /// Whether the picture is larger than caches are: writing past them avoids reading every cache line before it is
    /// written.
    var streams: Bool

    /// Larger than most caches. A smaller picture may be read from the cache later.
    private static let streamedBytes = 16 << 20

    /// - Parameter region: of the plan; its first row is the target's.
    init(_ target: PixelTarget, region: Rect) {
        unsafe bytesPerRow = target.layout.bytesPerRow
        unsafe origin = target.base - region.y * target.layout.bytesPerRow
        unsafe mask = -1
        unsafe streams = target.layout.byteCount >= Self.streamedBytes
    }

    /// All rows, alternately in two rows of memory.
    init(_ rows: RowStorage) {
        unsafe origin = UnsafeMutableRawPointer(rows.row(0))
        unsafe bytesPerRow = UnsafeMutableRawPointer(rows.row(1)) - UnsafeMutableRawPointer(rows.row(0))
        unsafe mask = 1
        unsafe streams = false
    }

    func row(_ index: Int) -> UnsafeMutableRawPointer { unsafe origin + (index & mask) * bytesPerRow }

    /// Makes the bytes that were written past the caches visible to other threads. It waits for all of them, so it is
    /// called once a band.
    func endStreaming() {
        if unsafe streams { unsafe KernelSet.best.table.pointee.end_streaming() }
    }
}

/// 8-bit rows that a pass writes in place.
@unsafe struct ByteTarget {
    let kind: ByteKind
    /// Samples per pixel.
    let channels: Int
    var rows: TargetRows

    var streams: Bool { unsafe rows.streams }

    /// Nil for formats that a pass cannot write.
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
