import FrostCore
import Glibc

/// A plane as zimg wants it: every row begins where vectors do.
///
/// SAFETY: owns the memory at ``base``. Every row and column below stays within it, and images are no larger than it.
@safe final class AlignedPlane {
    static let alignment = 64

    let base: UnsafeMutableRawPointer
    /// Bytes from row to row.
    let stride: Int
    private let width: Int
    private let height: Int
    private let sample: SampleType

    init(_ width: Int, _ height: Int, _ sample: SampleType) {
        stride = (width * sample.size + Self.alignment - 1) / Self.alignment * Self.alignment
        unsafe base = .allocate(byteCount: stride * height, alignment: Self.alignment)
        self.width = width
        self.height = height
        self.sample = sample
    }

    deinit { unsafe base.deallocate() }

    /// - Precondition: the samples are of that type.
    @unsafe func row<Sample>(_ y: Int, _: Sample.Type) -> UnsafeMutablePointer<Sample> {
        unsafe (base + y * stride).assumingMemoryBound(to: Sample.self)
    }

    /// Copies an image in, and extends it.
    func load(_ image: PixelBuffer) {
        unsafe image.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            for y in 0..<image.height {
                unsafe memcpy(base + y * stride, from + y * image.layout.bytesPerRow, image.layout.rowByteCount)
            }
        }
        extend(from: image.width, image.height)
    }

    /// An image of what is in the upper left.
    func stored(_ layout: PixelLayout) -> PixelBuffer {
        unsafe PixelBuffer(layout: layout) { (out) throws(Never) in
            guard let to = out.baseAddress else { return }
            for y in 0..<layout.height {
                unsafe memcpy(to + y * layout.bytesPerRow, base + y * stride, layout.rowByteCount)
            }
        }
    }

    /// Repeats the last column and row of an image up to the plane's.
    func extend(from columns: Int, _ rows: Int) {
        let size = sample.size
        for y in 0..<rows {
            for x in columns..<max(columns, width) {
                unsafe memcpy(base + y * stride + x * size, base + y * stride + (columns - 1) * size, size)
            }
        }
        for y in rows..<max(rows, height) { unsafe memcpy(base + y * stride, base + (rows - 1) * stride, stride) }
    }

    /// Sets every sample.
    func fill(_ value: Int) {
        for y in 0..<height {
            switch sample {
            case .u8: unsafe row(y, UInt8.self).update(repeating: UInt8(value), count: width)
            default: unsafe row(y, UInt16.self).update(repeating: UInt16(value), count: width)
            }
        }
    }
}
