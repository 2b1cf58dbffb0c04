/// How a JPEG is compressed.
public struct JPEGWriteOptions: Sendable, Hashable {
    /// How many pixels share one chroma sample. Each pixel has its own luma sample.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// One pixel.
        case none = "444"
        /// Two pixels side by side.
        case horizontal = "422"
        /// A block of two by two pixels.
        case both = "420"
    }

    /// libjpeg's quality: 1 is small, 100 is good.
    public let quality: Int
    /// nil: `none` for quality 90 and above, else `both`, as in libvips and sharp.
    public let subsampling: Subsampling?
    /// Whether the file is progressive: a coarse picture first, then the details. About as small as with `isOptimized`,
    /// but slower to write and to read.
    public let isProgressive: Bool
    /// Whether Huffman codes are computed for this picture, in a second pass over all of its coefficients, which are
    /// kept in memory. Blurred pictures become a sixth smaller at quality 90, others a twentieth. Progressive files
    /// always have such codes.
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

    /// The subsampling that is used.
    var chosenSubsampling: Subsampling { subsampling ?? (quality >= 90 ? .none : .both) }
}
