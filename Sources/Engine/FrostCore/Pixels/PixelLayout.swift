/// The arrangement of an image's pixels in memory. The pixel in row `y` and column `x` starts at byte
/// `y * bytesPerRow + x * format.bytesPerPixel`. Rows go from top to bottom.
public struct PixelLayout: Sendable, Hashable {
    /// The image's width in pixels, at least 1.
    public let width: Int
    /// The image's height in pixels, at least 1.
    public let height: Int
    /// The format of each pixel.
    public let format: PixelFormat
    /// The stride: the number of bytes from one row to the next.
    public let bytesPerRow: Int

    /// Creates a layout. Checks that the numbers describe an image that can be in memory.
    ///
    /// - Parameters:
    ///   - bytesPerRow: the stride in bytes, a multiple of the sample's size. By default, rows have no padding.
    /// - Throws: ``PixelError`` for sides below 1, rows that overlap or are misaligned, and sizes that overflow.
    public init(width: Int, height: Int, format: PixelFormat, bytesPerRow: Int? = nil) throws(PixelError) {
        guard width >= 1, height >= 1 else { throw .emptyImage(width: width, height: height) }
        let (tight, rowOverflow) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
        let stride = bytesPerRow ?? tight
        let (_, overflow) = height.multipliedReportingOverflow(by: stride)
        guard !rowOverflow, !overflow else { throw .tooLarge(width: width, height: height) }
        guard stride >= tight, stride % format.sample.size == 0 else {
            throw .badRowStride(bytesPerRow: stride, minimum: tight, alignment: format.sample.size)
        }
        self.width = width
        self.height = height
        self.format = format
        self.bytesPerRow = stride
    }

    /// The number of bytes from the start of the first pixel to the end of the last pixel. Padding after the last row
    /// is not included, so the number is also exact for a view into a larger image.
    public var byteCount: Int { (height - 1) * bytesPerRow + rowByteCount }

    /// The number of bytes of a row's pixels, without padding.
    public var rowByteCount: Int { width * format.bytesPerPixel }

    /// The image's rectangle with its top left pixel at the origin.
    public var extent: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}

/// The reason why pixels cannot be described or used as requested.
public enum PixelError: Error, Sendable, Equatable {
    /// A width or height below 1.
    case emptyImage(width: Int, height: Int)
    /// A size in bytes that overflows.
    case tooLarge(width: Int, height: Int)
    /// A stride that is smaller than a row, or not a multiple of the sample's size.
    case badRowStride(bytesPerRow: Int, minimum: Int, alignment: Int)
    /// Fewer bytes than the layout needs.
    case tooFewBytes(have: Int, need: Int)
    /// Two images that must have the same `property` ("size" or "format") and do not.
    case mismatch(property: String, first: String, second: String)
    /// A source and a target that share memory, but whose corresponding pixels are not at the same addresses.
    case overlap
    /// A target that shares memory with a source that must not change.
    case sharedMemory
}

extension PixelError: CustomStringConvertible {
    /// The error in one line, with the numbers that are wrong.
    public var description: String {
        switch self {
        case .emptyImage(let width, let height):
            "an image needs at least one pixel, not \(width)x\(height)"
        case .tooLarge(let width, let height):
            "\(width)x\(height) pixels do not fit in memory"
        case .badRowStride(let bytesPerRow, let minimum, let alignment):
            "invalid row size of \(bytesPerRow) bytes (needed: at least \(minimum), in multiples of \(alignment))"
        case .tooFewBytes(let have, let need):
            "\(have) bytes of pixels are too few (needed: \(need))"
        case .mismatch(let property, let first, let second):
            "\(property) differs: \(first) and \(second)"
        case .overlap:
            "source and target overlap in memory at different positions; use separate memory, or render the whole image in place"
        case .sharedMemory:
            "the target overlaps the source, which must stay unchanged; use separate memory"
        }
    }
}
