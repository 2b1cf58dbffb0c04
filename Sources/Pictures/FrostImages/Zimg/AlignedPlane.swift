import FrostCore
import Glibc

/// A plane of samples for zimg. The address of every row is a multiple of 64 bytes, because zimg uses vector
/// instructions.
///
/// SAFETY: this object owns the memory at ``base``. All methods access only rows and columns within this memory.
/// Callers must load and store only images that are no larger than the plane.
@safe final class AlignedPlane {
    static let alignment = 64

    let base: UnsafeMutableRawPointer
    /// The number of bytes between the starts of two rows.
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

    /// Returns the samples of row `y`.
    ///
    /// - Precondition: the samples of the plane have the type `Sample`.
    @unsafe func row<Sample>(_ y: Int, _: Sample.Type) -> UnsafeMutablePointer<Sample> {
        unsafe (base + y * stride).assumingMemoryBound(to: Sample.self)
    }

    /// Copies an image into the plane and extends the image to the size of the plane.
    func load(_ image: PixelBuffer) {
        unsafe image.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            for y in 0..<image.height {
                unsafe memcpy(base + y * stride, from + y * image.layout.bytesPerRow, image.layout.rowByteCount)
            }
        }
        extend(from: image.width, image.height)
    }

    /// Copies the upper left part of the plane to a new image.
    func stored(_ layout: PixelLayout) -> PixelBuffer {
        unsafe PixelBuffer(layout: layout) { (out) throws(Never) in
            guard let to = out.baseAddress else { return }
            for y in 0..<layout.height {
                unsafe memcpy(to + y * layout.bytesPerRow, base + y * stride, layout.rowByteCount)
            }
        }
    }

    /// Repeats the last column and the last row of an image until they fill the plane.
    func extend(from columns: Int, _ rows: Int) {
        let size = sample.size
        for y in 0..<rows {
            for x in columns..<max(columns, width) {
                unsafe memcpy(base + y * stride + x * size, base + y * stride + (columns - 1) * size, size)
            }
        }
        for y in rows..<max(rows, height) { unsafe memcpy(base + y * stride, base + (rows - 1) * stride, stride) }
    }

    /// Sets all samples of the plane to a value.
    func fill(_ value: Int) {
        for y in 0..<height {
            if sample.isEightBit {
                unsafe row(y, UInt8.self).update(repeating: UInt8(value), count: width)
            } else {
                unsafe row(y, UInt16.self).update(repeating: UInt16(value), count: width)
            }
        }
    }
}
