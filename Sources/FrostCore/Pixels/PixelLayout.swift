/// Where the pixels of an image lie in a block of memory: row `y`, column `x` starts at byte
/// `y * bytesPerRow + x * format.bytesPerPixel`. Rows go from top to bottom.
public struct PixelLayout: Sendable, Hashable {
    public let width: Int
    public let height: Int
    public let format: PixelFormat
    public let bytesPerRow: Int

    /// Checks that the numbers describe an image that fits in memory.
    ///
    /// - Parameters:
    ///   - bytesPerRow: defaults to rows without padding. Must be a multiple of the sample's size.
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

    /// Bytes from the first pixel to the end of the last. Padding after the last row is not counted, so that a view
    /// into a larger image is described exactly.
    public var byteCount: Int { (height - 1) * bytesPerRow + rowByteCount }

    /// Bytes of a row's pixels, without padding.
    public var rowByteCount: Int { width * format.bytesPerPixel }

    /// The image's extent with its top left pixel at the origin.
    public var extent: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}

/// Why pixels cannot be described or used as requested.
public enum PixelError: Error, Sendable, Equatable {
    case emptyImage(width: Int, height: Int)
    case tooLarge(width: Int, height: Int)
    case badRowStride(bytesPerRow: Int, minimum: Int, alignment: Int)
    case tooFewBytes(have: Int, need: Int)
    /// Two images that must agree in `property` ("size", "format") do not.
    case mismatch(property: String, first: String, second: String)
    /// Source and target share memory, but not pixel by pixel.
    case overlap
    /// A target shares memory with a source that must not change.
    case sharedMemory
}

extension PixelError: CustomStringConvertible {
    /// One line with the numbers that are wrong.
    public var description: String {
        switch self {
        case .emptyImage(let width, let height):
            "an image needs at least one pixel, not \(width)x\(height)"
        case .tooLarge(let width, let height):
            "\(width)x\(height) pixels do not fit in memory"
        case .badRowStride(let bytesPerRow, let minimum, let alignment):
            "rows of \(bytesPerRow) bytes: at least \(minimum) are needed, in multiples of \(alignment)"
        case .tooFewBytes(let have, let need):
            "\(have) bytes of pixels, \(need) needed"
        case .mismatch(let property, let first, let second):
            "\(property) differs: \(first) and \(second)"
        case .overlap:
            "source and target share memory, but not pixel by pixel: copy one of them, or let the region be the whole image"
        case .sharedMemory:
            "the target lies in the source's memory, which has to stay as it is: give it memory of its own"
        }
    }
}
