public import FrostCore

/// A decoded image file: its pixels and its metadata.
public struct DecodedImage: Sendable, Equatable {
    /// The pixels. Pixels that Frost read from a file have straight (not premultiplied) alpha, if any, and carry the
    /// file's colour space.
    public var pixels: PixelBuffer
    /// The metadata of the file, for example the colour profile and EXIF.
    public var metadata: ImageMetadata

    /// Combines pixels and metadata.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of the picture.
    ///   - metadata: if nil, the metadata holds only the colour space of the pixels.
    public init(pixels: PixelBuffer, metadata: ImageMetadata? = nil) {
        self.pixels = pixels
        self.metadata = metadata ?? ImageMetadata(colorSpace: pixels.format.colorSpace)
    }
}
