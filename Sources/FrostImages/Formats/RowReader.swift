import FrostCore

/// What the readers of all formats have in common: a picture that comes row by row, from top to bottom.
protocol RowReader: ~Copyable, Sendable {
    /// The path, or what the input is called instead.
    var name: String { get }
    /// The pixels that come out, in rows without padding.
    var layout: PixelLayout { get }
    /// What the file says besides.
    var metadata: ImageMetadata { get }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. With the last row the rest of the file is
    /// read and checked too.
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError)

    /// Reads all rows, before any was read.
    mutating func readPixels() throws(ImageError) -> PixelBuffer
}

extension RowReader where Self: ~Copyable {
    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        let layout = layout
        try Memory.check(layout.byteCount, for: name)
        // SAFETY: every row is filled by its read, or this throws.
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

/// A reader of a format whose pictures come whole: read for the first row, and let go with the last.
protocol WholeReader: RowReader, ~Copyable {
    /// Rows that were handed out.
    var rowsRead: Int { get set }
    /// What has been read, upright.
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
