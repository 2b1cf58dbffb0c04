/// An image in memory that Frost owns. It is a value: its memory is copied when a shared copy is changed. It may be
/// passed between threads.
///
/// ```swift
/// let picture = try PixelBuffer(width: 640, height: 480, format: .rgba8, bytes: bytes)  // row by row, from top to bottom
/// ```
///
/// Copying a buffer takes constant time. The first change of a shared copy copies all bytes.
public struct PixelBuffer: Sendable, Equatable {
    /// The arrangement of the pixels in ``bytes``.
    public let layout: PixelLayout
    /// The pixels' memory: at least `layout.byteCount` bytes, aligned for every ``SampleType``.
    public private(set) var bytes: [UInt8]

    /// The image's width in pixels.
    public var width: Int { layout.width }
    /// The image's height in pixels.
    public var height: Int { layout.height }
    /// The format of each pixel.
    public var format: PixelFormat { layout.format }

    /// Creates an image from bytes that are arranged according to `layout`. Bytes after the last pixel are kept.
    ///
    /// - Throws: ``PixelError/tooFewBytes(have:need:)``.
    public init(layout: PixelLayout, bytes: [UInt8]) throws(PixelError) {
        guard bytes.count >= layout.byteCount else {
            throw .tooFewBytes(have: bytes.count, need: layout.byteCount)
        }
        self.layout = layout
        self.bytes = bytes
    }

    /// Creates an image from bytes, row by row from top to bottom, without gaps between the rows. Bytes after the last pixel are
    /// kept.
    ///
    /// - Throws: ``PixelError/tooFewBytes(have:need:)``, and the errors of ``PixelLayout/init(width:height:format:bytesPerRow:)``.
    public init(width: Int, height: Int, format: PixelFormat, bytes: [UInt8]) throws(PixelError) {
        try self.init(layout: PixelLayout(width: width, height: height, format: format), bytes: bytes)
    }

    /// Creates an image whose bytes are all zero. The image is black, and also transparent if it has alpha.
    public init(layout: PixelLayout) {
        self.layout = layout
        self.bytes = [UInt8](repeating: 0, count: layout.byteCount)
    }

    /// Creates an image whose bytes are written by `body`, and only there. The memory that `body` receives is not
    /// initialised, so `body` must fill every byte.
    ///
    /// If `body` throws, the memory is freed and the error is rethrown.
    public init<Failure: Error>(
        layout: PixelLayout, filling body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.layout = layout
        var failure: Failure?
        let count = layout.byteCount
        // SAFETY: UInt8 is trivial, and `body` guarantees to fill all `count` bytes. If `body` fails, the array is
        // dropped.
        let filled = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(Failure) {
                try unsafe body(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
                initialized = count
            } catch {
                failure = error
                initialized = 0
            }
        }
        if let failure { throw failure }
        self.bytes = filled
    }

    /// Replaces the pixels of a rectangle by an image that has the rectangle's size.
    ///
    /// - Throws: ``PixelError/mismatch(property:first:second:)`` if the image has another size or format, or if the
    ///   rectangle is not inside this image.
    public mutating func paste(_ image: PixelBuffer, at rect: Rect) throws(PixelError) {
        try paste(image, at: rect, only: [rect])
    }

    /// Replaces the pixels of parts of a rectangle by those of an image that has the rectangle's size.
    ///
    /// - Parameter parts: rectangles within the rectangle.
    package mutating func paste(_ image: PixelBuffer, at rect: Rect, only parts: [Rect]) throws(PixelError) {
        guard image.format.channels == format.channels, image.format.sample == format.sample,
            image.format.alpha == format.alpha
        else {
            throw .mismatch(property: "format", first: "\(image.format)", second: "\(format)")
        }
        guard layout.extent.contains(rect), image.width == rect.width, image.height == rect.height else {
            throw .mismatch(
                property: "size", first: "\(image.width)x\(image.height)", second: "\(rect) of \(width)x\(height)")
        }
        for part in parts {
            let count = part.width * format.bytesPerPixel
            for y in part.rows {
                let from = (y - rect.y) * image.layout.bytesPerRow + (part.x - rect.x) * format.bytesPerPixel
                let to = y * layout.bytesPerRow + part.x * format.bytesPerPixel
                bytes.replaceSubrange(to..<to + count, with: image.bytes[from..<from + count])
            }
        }
    }

    /// Calls `body` with a pointer to the bytes, for reading. The pointer is valid only during the call.
    @unsafe public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = bytes.span
        return try unsafe span.withUnsafeBytes(body)
    }

    /// Calls `body` with a pointer to the bytes, for writing. The pointer is valid only during the call.
    @unsafe public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes(body)
    }
}
