/// Compression options of WebP files.
public struct WebPWriteOptions: Sendable, Hashable {
    /// libwebp's quality for lossy files, from 0 (small file) to 100 (good picture).
    public let quality: Int
    /// Whether every pixel keeps its exact value, including the colours of fully transparent pixels.
    public let isLossless: Bool

    /// Creates compression options.
    ///
    /// - Precondition: `quality` is 0 to 100.
    public init(quality: Int = 90, isLossless: Bool = false) {
        precondition((0...100).contains(quality), "WebP's qualities are 0 to 100, not \(quality)")
        self.quality = quality
        self.isLossless = isLossless
    }
}
