import FrostCore

/// The interface of all formats' readers: a picture that is read row by row from top to bottom.
protocol RowReader: ~Copyable, Sendable {
    /// The path, or the input's name in errors.
    var name: String { get }
    /// The layout of the pixels: rows without padding.
    var layout: PixelLayout { get }
    /// The file's metadata.
    var metadata: ImageMetadata { get }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// rest of the file is read and checked.
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError)

    /// Reads all rows. Call it before any row is read.
    mutating func readPixels() throws(ImageError) -> PixelBuffer
}

extension RowReader where Self: ~Copyable {
    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        let layout = layout
        try Memory.check(layout.byteCount, for: name)
        // SAFETY: every row is filled, or this throws.
        return try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            for y in 0..<layout.height {
                let start = y * layout.rowByteCount
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + layout.rowByteCount])
                var row = unsafe part.mutableBytes
                try readRow(into: &row)
            }
        }
    }
}

/// A reader of a format that decodes a picture as a whole. It does so for the first row and frees the picture after the
/// last.
protocol WholeReader: RowReader, ~Copyable {
    /// How many rows have been returned.
    var rowsRead: Int { get set }
    /// The decoded picture, upright.
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
