public import FrostCore

/// A decoded image file: its pixels and its metadata.
public struct DecodedImage: Sendable, Equatable {
    /// The pixels. If Frost read the pixels from a file, their alpha (if any) is straight, not premultiplied, and their
    /// format names the colour space of the file.
    public var pixels: PixelBuffer
    /// The metadata of the file, for example the colour profile and EXIF.
    public var metadata: ImageMetadata

    /// Creates an image from pixels and metadata.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of the picture.
    ///   - metadata: if nil, the metadata holds only the colour space of the pixels.
    public init(pixels: PixelBuffer, metadata: ImageMetadata? = nil) {
        self.pixels = pixels
        self.metadata = metadata ?? ImageMetadata(colorSpace: pixels.format.colorSpace)
    }
}
