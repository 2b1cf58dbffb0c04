/// How a JPEG is compressed.
public struct JPEGWriteOptions: Sendable, Hashable {
    /// How many pixels share a sample of colour; each has one of lightness of its own.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// None do.
        case none = "444"
        /// Two side by side.
        case horizontal = "422"
        /// Two by two.
        case both = "420"
    }

    /// libjpeg's quality: 1 is small, 100 is good.
    public let quality: Int
    /// nil: `none` from quality 90 on, else `both`, as libvips and sharp do.
    public let subsampling: Subsampling?
    /// Whether the picture comes coarse first: about as small as with codes of its own, slower to write and read.
    public let isProgressive: Bool
    /// Whether codes are made for this picture, in a second pass over its coefficients, which are all kept: blurred
    /// pictures become a sixth smaller at quality 90, others a twentieth. Progressive ones always
    /// have them.
    public let isOptimized: Bool

    /// - Precondition: `quality` is 1 to 100.
    public init(
        quality: Int = 90, subsampling: Subsampling? = nil, isProgressive: Bool = false, isOptimized: Bool = false
    ) {
        precondition((1...100).contains(quality), "JPEG's qualities are 1 to 100, not \(quality)")
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.isOptimized = isOptimized
    }

    /// What is written.
    var chosenSubsampling: Subsampling { subsampling ?? (quality >= 90 ? .none : .both) }
}
