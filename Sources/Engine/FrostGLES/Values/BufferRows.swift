/// The place of rows of pixels in a ``Buffer``.
package struct BufferRows: Hashable, Sendable {
    /// The first byte of the first row.
    let offset: Int
    /// The number of bytes from a row to the next one, a multiple of the bytes of a pixel; 0 for rows without padding.
    let bytesPerRow: Int

    package init(offset: Int = 0, bytesPerRow: Int = 0) {
        self.offset = offset
        self.bytesPerRow = bytesPerRow
    }

    /// The number of pixels from a row to the next one, as GL counts; 0 for rows without padding.
    func rowLength(_ format: TextureFormat) -> Int32 { Int32(clamping: bytesPerRow / format.bytesPerPixel) }

    /// Checks that rows lie in a buffer.
    ///
    /// - Returns: the number of the buffer's bytes from the offset on.
    func check(
        _ columns: Int, _ rows: Int, _ format: TextureFormat, _ buffer: borrowing Buffer
    ) throws(GLError) -> Int {
        let row = columns * format.bytesPerPixel
        guard offset >= 0, bytesPerRow == 0 || bytesPerRow >= row, bytesPerRow % format.bytesPerPixel == 0, rows >= 1,
            offset + (rows - 1) * max(row, bytesPerRow) + row <= buffer.size
        else {
            throw .callFailed(
                GLEvidence(
                    call: "transferring \(rows) rows of \(row) bytes at \(offset), \(bytesPerRow) bytes apart, of "
                        + "\(buffer.size) bytes"))
        }
        return buffer.size - offset
    }
}
