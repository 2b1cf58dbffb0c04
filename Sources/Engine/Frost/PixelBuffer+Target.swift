import FrostCore

extension PixelBuffer {
    /// Writes the pixels of a result to memory of the caller.
    ///
    /// - Parameter target: an image of the same size and format. All of its pixels are written.
    /// - Throws: ``FrostError/pixels(_:)`` if the size or the format differs.
    @unsafe package func copy(into target: PixelTarget) throws(FrostError) {
        let (wanted, given) = unsafe (layout, target.layout)
        guard (given.width, given.height) == (wanted.width, wanted.height) else {
            throw .pixels(
                .mismatch(
                    property: "size", first: "\(given.width)x\(given.height) of the target",
                    second: "\(wanted.width)x\(wanted.height) of the picture"))
        }
        guard given.format == wanted.format else {
            throw .pixels(
                .mismatch(
                    property: "format", first: "\(given.format) of the target",
                    second: "\(wanted.format) of the effect's result"))
        }
        // SAFETY: both images have the checked layout.
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<wanted.height {
                unsafe target.row(y).copyMemory(from: base + y * wanted.bytesPerRow, byteCount: wanted.rowByteCount)
            }
        }
    }
}
