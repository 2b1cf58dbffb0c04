public import FrostCore

/// A file's pixels and what the file said about them.
public struct DecodedImage: Sendable, Equatable {
    /// The pixels. Those that were read are straight where they have alpha, and tagged with the file's colour space.
    public var pixels: PixelBuffer
    /// What else was in the file.
    public var metadata: ImageMetadata

    /// - Parameter metadata: by default the pixels' colour space and nothing else.
    public init(pixels: PixelBuffer, metadata: ImageMetadata? = nil) {
        self.pixels = pixels
        self.metadata = metadata ?? ImageMetadata(colorSpace: pixels.format.colorSpace)
    }
}
