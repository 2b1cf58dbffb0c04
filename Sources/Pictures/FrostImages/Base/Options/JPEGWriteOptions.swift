/// Compression options of JPEG files.
public struct JPEGWriteOptions: Sendable, Hashable {
    /// The number of pixels that share one chroma sample. Each pixel has its own luma sample.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// Each pixel has its own chroma sample (4:4:4).
        case none = "444"
        /// Two pixels side by side share a chroma sample (4:2:2).
        case horizontal = "422"
        /// A block of two by two pixels shares a chroma sample (4:2:0).
        case both = "420"
    }

    /// The quality on libjpeg's scale, from 1 (small file) to 100 (good picture).
    public let quality: Int
    /// The chroma subsampling. If nil, the encoder uses `none` for qualities of 90 and above, and `both` for lower
    /// qualities. libvips and sharp do the same.
    public let subsampling: Subsampling?
    /// Whether the file is progressive: it stores a coarse picture first, and then the details. A progressive file is
    /// about as small as a file with ``isOptimized``, but takes longer to write and to read.
    public let isProgressive: Bool
    /// Whether the encoder computes Huffman codes for this picture. This takes a second pass over all coefficients,
    /// which the encoder keeps in memory. At quality 90, files of blurred pictures become a sixth smaller, and files of
    /// other pictures a twentieth smaller. Progressive files always have such codes.
    public let isOptimized: Bool

    /// Creates compression options.
    ///
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

    /// The subsampling that the encoder uses.
    var chosenSubsampling: Subsampling { subsampling ?? (quality >= 90 ? .none : .both) }
}
