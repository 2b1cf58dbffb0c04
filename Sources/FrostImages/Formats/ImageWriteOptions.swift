public import FrostCore

/// How a picture is written. What does not concern the format is not looked at.
public struct ImageWriteOptions: Sendable, Hashable {
    /// What lies behind transparent pixels where the format has no alpha; nil: such a picture is refused.
    public var background: Color?
    /// Bits a sample, 8 or 16, of AVIF 10 and 12 too, where the picture has more than that; nil: a picture that has more
    /// than the format can hold is refused.
    public var depth: Int?
    /// What of the metadata is written.
    public var keep: MetadataPolicy
    /// For PNG.
    public var png: PNGWriteOptions
    /// For JPEG.
    public var jpeg: JPEGWriteOptions
    /// For WebP.
    public var webp: WebPWriteOptions
    /// For AVIF.
    public var avif: LossyWriteOptions
    /// For JPEG XL.
    public var jxl: LossyWriteOptions

    /// Loses nothing: what a format cannot hold is refused.
    public init(
        background: Color? = nil, depth: Int? = nil, keep: MetadataPolicy = .all,
        png: PNGWriteOptions = PNGWriteOptions(),
        jpeg: JPEGWriteOptions = JPEGWriteOptions(), webp: WebPWriteOptions = WebPWriteOptions(),
        avif: LossyWriteOptions = .avif, jxl: LossyWriteOptions = .jxl
    ) {
        self.background = background
        self.depth = depth
        self.keep = keep
        self.png = png
        self.jpeg = jpeg
        self.webp = webp
        self.avif = avif
        self.jxl = jxl
    }
}

/// How an AVIF or a JPEG XL is compressed.
public struct LossyWriteOptions: Sendable, Hashable {
    /// From 0, small, to 100, good; what it comes to is the format's own.
    public let quality: Int
    /// Whether every pixel stays as it is.
    public let isLossless: Bool

    /// - Precondition: `quality` is 0 to 100.
    public init(quality: Int, isLossless: Bool = false) {
        precondition((0...100).contains(quality), "qualities are 0 to 100, not \(quality)")
        self.quality = quality
        self.isLossless = isLossless
    }

    /// As near to the picture as JPEG at its default, in a third of its bytes.
    public static let avif = LossyWriteOptions(quality: 70)
    /// libjxl's own default, a distance of 1: no difference is seen side by side.
    public static let jxl = LossyWriteOptions(quality: 90)
}
