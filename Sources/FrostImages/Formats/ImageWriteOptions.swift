public import FrostCore

/// How a picture is written. Options of other formats are ignored.
public struct ImageWriteOptions: Sendable, Hashable {
    /// An opaque colour to put behind transparent pixels, so that the file has no alpha. nil: alpha is kept, and refused by
    /// formats without it.
    public var background: Color?
    /// Bits per sample to reduce a picture of more bits to: 8 or 16, or for AVIF also 10 or 12. nil: a picture with
    /// more bits than the format holds is refused.
    public var depth: Int?
    /// Which metadata to write.
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

    /// By default nothing is lost: what a format cannot hold is refused.
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
    /// From 0 (small) to 100 (good). Each format has its own scale.
    public let quality: Int
    /// Whether every pixel keeps its exact value.
    public let isLossless: Bool

    /// - Precondition: `quality` is 0 to 100.
    public init(quality: Int, isLossless: Bool = false) {
        precondition((0...100).contains(quality), "qualities are 0 to 100, not \(quality)")
        self.quality = quality
        self.isLossless = isLossless
    }

    /// As close to the picture as JPEG at its default quality, in a third of the bytes.
    public static let avif = LossyWriteOptions(quality: 70)
    /// libjxl's own default, a distance of 1: no difference is visible side by side.
    public static let jxl = LossyWriteOptions(quality: 90)
}
