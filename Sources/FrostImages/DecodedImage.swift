public import FrostCore

/// A file's pixels and metadata.
public struct DecodedImage: Sendable, Equatable {
    /// The pixels. Pixels that were read have straight alpha, if any, and are tagged with the file's colour space.
    public var pixels: PixelBuffer
    /// The file's metadata.
    public var metadata: ImageMetadata

    /// - Parameter metadata: by default only the pixels' colour space.
    public init(pixels: PixelBuffer, metadata: ImageMetadata? = nil) {
        self.pixels = pixels
        self.metadata = metadata ?? ImageMetadata(colorSpace: pixels.format.colorSpace)
    }
}
