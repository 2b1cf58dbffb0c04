public import FrostCore

/// How a picture is written. What does not concern the format is not looked at.
public struct ImageWriteOptions: Sendable, Hashable {
    /// What lies behind transparent pixels where the format has no alpha; nil: such a picture is refused.
    public var background: Color?
    /// Bits a sample, 8 or 16, where the picture has more than that; nil: a picture that has more than the format can
    /// hold is refused.
    public var depth: Int?
    /// What of the metadata is written.
    public var keep: MetadataPolicy
    /// For PNG.
    public var png: PNGWriteOptions
    /// For JPEG.
    public var jpeg: JPEGWriteOptions
    /// For WebP.
    public var webp: WebPWriteOptions

    /// Loses nothing: what a format cannot hold is refused.
    public init(
        background: Color? = nil, depth: Int? = nil, keep: MetadataPolicy = .all,
        png: PNGWriteOptions = PNGWriteOptions(),
        jpeg: JPEGWriteOptions = JPEGWriteOptions(), webp: WebPWriteOptions = WebPWriteOptions()
    ) {
        self.background = background
        self.depth = depth
        self.keep = keep
        self.png = png
        self.jpeg = jpeg
        self.webp = webp
    }
}
