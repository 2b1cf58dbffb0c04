package import FrostCore

extension ImageReader {
    /// The layout of a frame, if the reader returns all frames of an animation.
    package var frameLayout: PixelLayout {
        let frames = metadata.timing?.durations.count ?? 1
        // The height of all frames is a multiple of their number.
        return (try? PixelLayout(width: layout.width, height: layout.height / frames, format: layout.format)) ?? layout
    }

    /// Reads the next frame of an animation.
    ///
    /// - Precondition: not all frames have been read, and no other rows.
    package mutating func readFrame() throws(ImageError) -> PixelBuffer {
        let frame = frameLayout
        try Memory.check(frame.byteCount, for: name)
        return try PixelBuffer(rows: frame) { (row) throws(ImageError) in try readRow(into: &row) }
    }
}
