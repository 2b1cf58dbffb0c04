import CPNGShim
public import FrostCore
import Glibc

/// Reads a PNG row by row. Every colour type and bit depth becomes 8- or 16-bit grey or RGB, with alpha if the file has
/// alpha or a tRNS chunk. Palette indices are looked up, grey of less than 8 bits is scaled to 8, and 16-bit samples
/// are in the machine's byte order.
///
/// Nothing beyond the header is read or allocated before the size is checked against the limits.
///
/// Thread-safety: may move between threads; one thread may use it at a time.
public struct PNGReader: RowReader, ~Copyable, Sendable {
    /// The path, or the input's name in errors.
    public let name: String
    /// The file's header.
    public let header: PNGHeader
    /// The layout of the pixels: rows without padding.
    public let layout: PixelLayout
    /// The file's metadata.
    public let metadata: ImageMetadata
    /// How many rows have been read.
    public private(set) var rowsRead = 0

    private let handle: PNGReadHandle
    private let failOn: FailOn
    private let problems: ReadProblems
    /// An interlaced image, which is read whole before the first row.
    private var whole: PixelBuffer?

    /// Opens a file and reads up to the first pixel.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(path: path), ImageReadOptions(limits: limits))
    }

    /// Reads up to the first pixel of a file in memory.
    ///
    /// - Parameter name: the input's name in errors.
    public init(bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(bytes: bytes, name: name), ImageReadOptions(limits: limits))
    }

    /// Reads from a descriptor, from its current position up to the first pixel. The caller owns the descriptor and
    /// must keep it open. Reading may go past the end of the image.
    ///
    /// - Parameter name: the input's name in errors.
    public init(descriptor: Int32, name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(descriptor: descriptor, name: name), ImageReadOptions(limits: limits))
    }

    init(
        source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        // All fields of a noncopyable value are set together: nothing may throw in between.
        let header = try PNGHeader(parsing: source.peek(PNGHeader.byteCount), limits: options.limits, name: source.name)
        if let size = source.size, options.failOn.refuses(.truncation) {
            try header.checkPlausible(fileSize: size, name: source.name)
        }
        let handle = try PNGReadHandle(source: source, header: header)
        let found = try handle.start()
        if found.isAnimated, !options.firstFrame { throw .animated(path: source.name, format: .png) }
        (layout, metadata) = (found.layout, found.metadata)
        name = source.name
        self.header = header
        self.handle = handle
        failOn = options.failOn
        self.problems = problems
    }

    /// Reads what follows the pixels, and reports libpng's warning.
    private borrowing func end() throws(ImageError) {
        try handle.end()
        guard let warning = handle.warning else { return }
        if failOn.refuses(.warning) { throw .corrupt(path: name, format: .png, reason: warning, offset: nil) }
        problems.add("libpng warns: \(warning)")
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// rest of the file is read and checked, so a truncated file never yields all of its rows.
    ///
    /// After an error the reader must not be used again.
    ///
    /// - Precondition: there is a next row, and room for it.
    public mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        if header.isInterlaced {
            let pixels: PixelBuffer
            if let whole { pixels = whole } else { pixels = try readPixels() }
            whole = pixels
            let start = rowsRead * layout.bytesPerRow
            let count = layout.rowByteCount
            // SAFETY: the row has room for the bytes, and the buffer holds `height` rows.
            unsafe pixels.withUnsafeBytes { bytes in
                unsafe row.withUnsafeMutableBytes { out in
                    unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
                }
            }
            rowsRead += 1
            if rowsRead == layout.height { whole = nil }
        } else {
            // SAFETY: the row has room for the bytes.
            try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in try unsafe handle.readRow(into: out) }
            rowsRead += 1
            if rowsRead == layout.height { try end() }
        }
    }

    /// Reads all of the image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    public consuming func readImage() throws(ImageError) -> DecodedImage {
        precondition(rowsRead == 0, "rows have been read already")
        return DecodedImage(pixels: try readPixels(), metadata: metadata)
    }

    borrowing func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(layout.byteCount, for: name)
        let stride = layout.bytesPerRow
        // SAFETY: the memory has `layout.byteCount` bytes, and all of them are filled, or this throws.
        let pixels = try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            try unsafe handle.readImage(into: bytes, stride: stride)
        }
        try end()
        return pixels
    }
}
