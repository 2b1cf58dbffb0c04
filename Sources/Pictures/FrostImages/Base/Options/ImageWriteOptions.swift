public import FrostCore

/// Options for writing a picture. A writer ignores the options of other formats.
public struct ImageWriteOptions: Sendable, Hashable {
    /// An opaque colour to put behind transparent pixels. The file then has no alpha. If nil, alpha is kept, and
    /// writing fails if the format cannot store alpha.
    public var background: Color?
    /// The number of bits per sample to which a picture with more bits is reduced: 8 or 16, and for AVIF also 10 or 12.
    /// If nil, writing fails for a picture with more bits than the format can store.
    public var depth: Int?
    /// Which metadata to write.
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

    /// The offsets that are added to colours when they are rounded to the samples of the file; nil to round to nearest. The
    /// pixels then have more bits than the file, and no offsets yet.
    package var dither: Dither?
    /// The process that encodes the formats whose libraries take unforeseen memory; nil to encode in this process.
    package var encoderProcess: EncoderProcess?

    /// Creates options for writing. With the default options, the pixels lose no alpha and no bits: writing fails if
    /// the format cannot store them. Metadata that the format cannot store are left out; see
    /// ``ImageMetadata/lost(in:)``.
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
