package import FrostCore

/// The common interface of the readers of all formats. A reader returns a picture row by row from top to bottom.
protocol RowReader: ~Copyable, Sendable {
    /// The path of the file. For an input without a path, this is its name in error messages.
    var name: String { get }
    /// The layout of the pixels. The rows have no padding.
    var layout: PixelLayout { get }
    /// The metadata of the file.
    var metadata: ImageMetadata { get }

    /// The memory that reading takes.
    var memory: DecodingMemory { get }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// reader also reads and checks the rest of the file.
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError)

    /// Reads all rows. Call this before any row is read.
    mutating func readPixels() throws(ImageError) -> PixelBuffer
}

extension RowReader where Self: ~Copyable {
    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(layout.byteCount, for: name)
        return try PixelBuffer(rows: layout) { (row) throws(ImageError) in try readRow(into: &row) }
    }
}

/// A reader of a file format.
protocol FormatReader: RowReader, ~Copyable {
    /// Opens the library of the format, if Frost opens it at run time. Creating a reader does the same.
    static func load(name: String) throws(ImageError)

    /// Reads up to the first pixel.
    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError)
}

extension FormatReader where Self: ~Copyable {
    static func load(name: String) {}
}

/// A reader for a format that can only be decoded as a whole. It decodes the picture when the first row is read, and
/// frees the picture after the last row.
protocol WholeReader: FormatReader, ~Copyable {
    /// The number of rows returned so far.
    var rowsRead: Int { get set }
    /// The decoded picture, rotated upright; nil before the first row and after the last row.
    var whole: PixelBuffer? { get set }
}

extension WholeReader where Self: ~Copyable {
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let pixels: PixelBuffer
        if let whole { pixels = whole } else { pixels = try readPixels() }
        pixels.copyRow(rowsRead, into: &row)
        rowsRead += 1
        whole = rowsRead == layout.height ? nil : pixels
    }
}

extension PixelBuffer {
    /// Creates an image without padding. `read` fills its rows, from top to bottom.
    package init(
        rows layout: PixelLayout, _ read: (inout MutableRawSpan) throws(ImageError) -> Void
    ) throws(ImageError) {
        // SAFETY: the loop fills every row, or the closure throws.
        self = try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            for y in 0..<layout.height {
                let start = y * layout.rowByteCount
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + layout.rowByteCount])
                var row = unsafe part.mutableBytes
                try read(&row)
            }
        }
    }

    /// Copies the pixels of row `y`, without padding.
    func copyRow(_ y: Int, into row: inout MutableRawSpan) {
        let start = y * layout.bytesPerRow
        let count = layout.rowByteCount
        // SAFETY: the row has room for the bytes, and the buffer holds `height` rows.
        unsafe withUnsafeBytes { bytes in
            unsafe row.withUnsafeMutableBytes { out in
                unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
        }
    }
}
