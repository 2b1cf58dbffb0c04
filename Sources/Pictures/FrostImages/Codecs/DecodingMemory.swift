import FrostCore

/// The memory that a reader takes, in bytes. The reader knows it as soon as it has read the header.
struct DecodingMemory: Sendable {
    /// The memory of the decoder, without the decoded pixels: for example the whole file, or the coefficients of a
    /// progressive JPEG.
    var decoder = 0
    /// The pixels that the reader keeps even if the caller reads row by row; 0 if the reader decodes row by row.
    var pixels = 0

    /// The memory of a reader that decodes the whole picture before it returns the first row.
    ///
    /// - Parameters:
    ///   - decoder: the memory of the decoder, without the decoded pixels.
    ///   - layout: the layout of the pixels.
    ///   - orientation: the orientation of the pixels in the file. A picture that must be rotated is in memory twice.
    static func whole(decoder: Int, _ layout: PixelLayout, _ orientation: Orientation = .upright) -> DecodingMemory {
        DecodingMemory(decoder: decoder, pixels: layout.byteCount * (orientation == .upright ? 1 : 2))
    }

    /// The memory that the reader takes while the caller reads row by row.
    var byRows: Int { decoder + pixels }

    /// The memory that reading the whole picture takes, the picture included.
    func whole(_ layout: PixelLayout) -> Int { decoder + max(pixels, layout.byteCount) }
}
