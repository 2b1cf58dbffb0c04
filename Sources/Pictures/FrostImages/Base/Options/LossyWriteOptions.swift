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

    /// The default options for AVIF. The file is as close to the picture as a JPEG of default quality, and has a third
    /// of its bytes.
    public static let avif = LossyWriteOptions(quality: 70)
    /// The default options for JPEG XL. They equal libjxl's own default, a distance of 1. If the file and the picture
    /// are shown side by side, no difference is visible.
    public static let jxl = LossyWriteOptions(quality: 90)
}
