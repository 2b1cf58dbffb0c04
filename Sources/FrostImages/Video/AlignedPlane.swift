import FrostCore
import Glibc

/// A plane in the form that zimg needs: every row is aligned for vectors.
///
/// SAFETY: owns the memory at ``base``. All rows and columns below stay within it, and images are no larger than it.
@safe final class AlignedPlane {
    static let alignment = 64

    let base: UnsafeMutableRawPointer
    /// Bytes between the starts of two rows.
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

    /// - Precondition: the samples are of type `Sample`.
    @unsafe func row<Sample>(_ y: Int, _: Sample.Type) -> UnsafeMutablePointer<Sample> {
        unsafe (base + y * stride).assumingMemoryBound(to: Sample.self)
    }

    /// Copies an image into the plane and extends it to the plane's size.
    func load(_ image: PixelBuffer) {
        unsafe image.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            for y in 0..<image.height {
                unsafe memcpy(base + y * stride, from + y * image.layout.bytesPerRow, image.layout.rowByteCount)
            }
        }
        extend(from: image.width, image.height)
    }

    /// Copies the upper left part of the plane to an image.
    func stored(_ layout: PixelLayout) -> PixelBuffer {
        unsafe PixelBuffer(layout: layout) { (out) throws(Never) in
            guard let to = out.baseAddress else { return }
            for y in 0..<layout.height {
                unsafe memcpy(to + y * layout.bytesPerRow, base + y * stride, layout.rowByteCount)
            }
        }
    }

    /// Repeats an image's last column and last row up to the plane's size.
    func extend(from columns: Int, _ rows: Int) {
        let size = sample.size
        for y in 0..<rows {
            for x in columns..<max(columns, width) {
                unsafe memcpy(base + y * stride + x * size, base + y * stride + (columns - 1) * size, size)
            }
        }
        for y in rows..<max(rows, height) { unsafe memcpy(base + y * stride, base + (rows - 1) * stride, stride) }
    }

    /// Sets all samples to a value.
    func fill(_ value: Int) {
        for y in 0..<height {
            switch sample {
            case .u8: unsafe row(y, UInt8.self).update(repeating: UInt8(value), count: width)
            default: unsafe row(y, UInt16.self).update(repeating: UInt16(value), count: width)
            }
        }
    }
}
