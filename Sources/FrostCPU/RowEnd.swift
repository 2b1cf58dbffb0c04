import CFrostKernels
import FrostCore

/// Where a band's rows come from or go to.
///
/// SAFETY: bands on several threads share one value. They only read from inputs, and write disjoint rows of outputs;
/// the memory outlives the call that made the value.
@safe enum RowEnd: @unchecked Sendable {
    case pixels(PixelSource, RowConversion, extent: Rect, edge: EdgeMode)
    case floats(FloatPlane)
    case target(PixelTarget, RowConversion, region: Rect)
    /// Each row in turn in the same memory.
    case row(RowStorage, RowConversion)

    /// Fills `out` with the given columns of a row. Rows beyond an image are those that its edge mode puts there.
    func read(_ row: Int, columns: Range<Int>, into out: UnsafeMutablePointer<Float>) {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge):
            guard let row = edge.map(row, into: extent.rows) else {
                return unsafe out.update(repeating: 0, count: columns.count * conversion.working.count)
            }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            unsafe conversion.loadFast(source.row(row - extent.y) + offset, count: columns.count, into: out)
        case .floats(let plane):
            unsafe out.update(from: plane.row(row) + plane.offset(of: columns), count: columns.count * plane.channels)
        case .target, .row: break
        }
    }

    /// Takes a finished row.
    func write(_ row: Int, _ values: UnsafePointer<Float>) {
        switch self {
        case .target(let target, let conversion, let region):
            unsafe conversion.storeFast(values, count: region.width, into: target.row(row - region.y))
        case .floats, .pixels, .row: break
        }
    }

    /// For a pass along y that reads rows in place.
    func rows(columns: Range<Int>) -> RowSource? {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge):
            guard let kind = ByteKind(conversion) else { return nil }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            return unsafe .bytes(ByteRows(source: source, extent: extent, edge: edge, offset: offset), kind)
        case .floats(let plane): return unsafe .plane(plane, offset: plane.offset(of: columns))
        case .target, .row: return nil
        }
    }

    /// For a pass along y that writes 8-bit rows in place.
    var byteTarget: ByteTarget? {
        switch self {
        case .target(let target, let conversion, let region):
            let stride = unsafe target.layout.bytesPerRow
            return unsafe ByteKind(conversion).map {
                unsafe ByteTarget(kind: $0, origin: target.base - region.y * stride, bytesPerRow: stride)
            }
        case .row(let row, let conversion):
            return unsafe ByteKind(conversion).map {
                unsafe ByteTarget(kind: $0, origin: UnsafeMutableRawPointer(row.row(0)), bytesPerRow: 0)
            }
        case .pixels, .floats: return nil
        }
    }

    /// The plane that a last pass writes its rows to.
    var plane: FloatPlane? {
        if case .floats(let plane) = self { plane } else { nil }
    }
}

/// A low-resolution image between two groups of passes.
final class FloatPlane {
    let window: Rect
    let channels: Int
    private let storage: RowStorage

    init(window: Rect, channels: Int) {
        self.window = window
        self.channels = channels
        storage = RowStorage(rows: window.height, floats: window.width * channels, zeroed: false)
    }

    func row(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe storage.row(row - window.y) }

    /// Floats from the beginning of a row to the first of these columns.
    func offset(of columns: Range<Int>) -> Int { (columns.lowerBound - window.x) * channels }
}

/// Rows that a pass along y reads where they are.
@unsafe enum RowSource {
    case bytes(ByteRows, ByteKind)
    /// `offset` floats into each row.
    case plane(FloatPlane, offset: Int)
}

/// How 8-bit samples become numbers in kernels that read or write them directly.
enum ByteKind {
    /// As they are: opaque, or premultiplied.
    case plain
    /// Four channels, straight alpha last.
    case straightRGBA

    /// Nil for formats that take a conversion of their own.
    init?(_ conversion: RowConversion) {
        let format = conversion.format
        guard format.sample == .u8, format.channels == conversion.working else { return nil }
        if !format.needsPremultiplication {
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
    let source: PixelSource
    let extent: Rect
    let edge: EdgeMode
    /// Of the first column that is read, in bytes.
    let offset: Int

    /// A row by its place in the extended image; nil for transparent black.
    func row(_ index: Int) -> UnsafePointer<UInt8>? {
        unsafe edge.map(index, into: extent.rows).map {
            unsafe (source.row($0 - extent.y) + offset).assumingMemoryBound(to: UInt8.self)
        }
    }
}

/// 8-bit rows that a pass writes in place.
///
/// SAFETY: the image outlives the flow; each row is written by one thread.
@unsafe struct ByteTarget {
    let kind: ByteKind
    /// Row 0, and the distance to the next: 0 where one row of memory serves for all.
    let origin: UnsafeMutableRawPointer
    let bytesPerRow: Int

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (origin + index * bytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
}

extension RowConversion {
    /// ``load(_:count:into:)`` by vector kernels where there are some for the format. Floats follow behind the row.
    @unsafe func loadFast(_ row: UnsafeRawPointer, count: Int, into out: UnsafeMutablePointer<Float>) {
        let table = unsafe KernelSet.best.table.pointee
        let samples = Int32(count * working.count)
        switch ByteKind(self) {
        case .plain?: unsafe table.load_u8(row.assumingMemoryBound(to: UInt8.self), out, samples)
        case .straightRGBA?: unsafe table.load_rgba8(row.assumingMemoryBound(to: UInt8.self), out, samples)
        case nil: unsafe load(row, count: count, into: out)
        }
    }

    /// ``store(_:count:into:)`` by vector kernels where there are some for the format.
    @unsafe func storeFast(_ values: UnsafePointer<Float>, count: Int, into row: UnsafeMutableRawPointer) {
        let table = unsafe KernelSet.best.table.pointee
        let samples = Int32(count * working.count)
        switch ByteKind(self) {
        case .plain?: unsafe table.store_u8(values, row.assumingMemoryBound(to: UInt8.self), samples)
        case .straightRGBA?: unsafe table.store_rgba8(values, row.assumingMemoryBound(to: UInt8.self), samples)
        case nil: unsafe store(values, count: count, into: row)
        }
    }
}
