import CPNGShim
public import FrostCore
import Glibc

/// Reads a PNG row by row. Every colour type and bit depth comes out as 8 or 16 bit grey or RGB, with alpha where the
/// file has alpha or a tRNS chunk: palettes are looked up and grey of less than 8 bits is scaled to 8; 16 bits stay
/// 16, in the machine's byte order.
///
/// Nothing is read or allocated beyond the header until its size has been held against the limits.
///
/// Thread-safety: may be handed from thread to thread, used by one at a time.
public struct PNGReader: RowReader, ~Copyable, Sendable {
    /// The path, or what the input is called instead.
    public let name: String
    /// What the file's header says.
    public let header: PNGHeader
    /// The pixels that come out, in rows without padding.
    public let layout: PixelLayout
    /// What the file says besides.
    public let metadata: ImageMetadata
    /// How many rows have been read.
    public private(set) var rowsRead = 0

    private let handle: PNGReadHandle
    /// An interlaced image, which has to be read whole before there is a first row.
    private var whole: PixelBuffer?

    /// Opens a file and reads up to the first pixel.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(path: path), ImageReadOptions(limits: limits))
    }

    /// Reads up to the first pixel of a file in memory.
    ///
    /// - Parameter name: what errors call the input.
    public init(bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(bytes: bytes, name: name), ImageReadOptions(limits: limits))
    }

    /// Reads from a descriptor, from where it stands up to the first pixel. The descriptor stays the caller's and has
    /// to stay open; more may be read from it than belongs to the image.
    ///
    /// - Parameter name: what errors call the input.
    public init(descriptor: Int32, name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(descriptor: descriptor, name: name), ImageReadOptions(limits: limits))
    }

    init(source: ByteSource, _ options: ImageReadOptions) throws(ImageError) {
        // A value that cannot be copied is made whole at once: nothing may throw between its parts.
        let header = try PNGHeader(parsing: source.peek(PNGHeader.byteCount), limits: options.limits, name: source.name)
        if let size = source.size { try header.checkPlausible(fileSize: size, name: source.name) }
        let handle = try PNGReadHandle(source: source, header: header)
        let found = try handle.start()
        if found.isAnimated, !options.firstFrame { throw .animated(path: source.name, format: .png) }
        (layout, metadata) = (found.layout, found.metadata)
        name = source.name
        self.header = header
        self.handle = handle
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. With the last row the rest of the file
    /// is read and checked too, so that a row that was handed out last is never from a truncated file.
    ///
    /// After an error the reader is of no more use.
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
            if rowsRead == layout.height { try handle.end() }
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
        // SAFETY: the memory has `layout.byteCount` bytes, and every one of them is filled, or this throws.
        let pixels = try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            try unsafe handle.readImage(into: bytes, stride: stride)
        }
        try handle.end()
        return pixels
    }
}
