public import FrostCore

/// Options for writing a picture. A writer ignores the options of other formats.
public struct ImageWriteOptions: Sendable, Hashable {
    /// An opaque colour to put behind transparent pixels, so that the file has no alpha. nil: alpha is kept, and refused by
    /// formats without it.
    public var background: Color?
    /// The number of bits per sample to which a picture with more bits is reduced: 8 or 16, and for AVIF also 10 or 12.
    /// If nil, writing fails for a picture with more bits than the format can store.
    public var depth: Int?
    /// The choice of which metadata to write.
    public var keep: MetadataPolicy
    /// Options for PNG files.
    public var png: PNGWriteOptions
    /// Options for JPEG files.
    public var jpeg: JPEGWriteOptions
    /// Options for WebP files.
    public var webp: WebPWriteOptions
    /// Options for AVIF files.
    public var avif: LossyWriteOptions
    /// Options for JPEG XL files.
    public var jxl: LossyWriteOptions

    /// Creates options for writing. With the default options no information is dropped: writing fails if the format
    /// cannot store something.
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

/// Compression options of AVIF and JPEG XL files.
public struct LossyWriteOptions: Sendable, Hashable {
    /// The quality, from 0 (small file) to 100 (good picture). Each format has its own scale.
    public let quality: Int
    /// Whether every pixel keeps its exact value.
    public let isLossless: Bool

    /// Creates compression options.
    ///
    /// - Precondition: `quality` is 0 to 100.
    public init(quality: Int, isLossless: Bool = false) {
        precondition((0...100).contains(quality), "qualities are 0 to 100, not \(quality)")
        self.quality = quality
        self.isLossless = isLossless
    }

    /// The default options for AVIF. The result is as close to the picture as a JPEG of default quality, in a third of
    /// the bytes.
    public static let avif = LossyWriteOptions(quality: 70)
    /// The default options for JPEG XL: libjxl's own default, a distance of 1. No difference is visible side by side.
    public static let jxl = LossyWriteOptions(quality: 90)
}
