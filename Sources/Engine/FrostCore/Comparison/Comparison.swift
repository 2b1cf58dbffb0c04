import Glibc

/// The differences between two images. Alpha and premultiplied colour are compared.
///
/// A comparison of straight colour would hide or exaggerate differences where alpha is small. If a grey image is
/// compared with a colour image, the grey image counts as three equal channels. An image without alpha counts as
/// opaque.
public struct Comparison: Sendable, Hashable {
    /// The largest absolute difference of a sample, in 8-bit steps.
    public var maximum: Double
    /// The mean absolute difference over all samples, in 8-bit steps.
    public var mean: Double
    /// Peak signal-to-noise ratio in dB over all samples; nil for identical images.
    public var psnr: Double?
    /// Structural similarity, the index of Wang et al. (2004) with flat weights; 1 for identical images. The index is
    /// computed for each channel in windows of 8x8 pixels, which are four pixels apart, and then averaged. If a side of
    /// the image is shorter than 8 pixels, one window spans the whole side.
    public var ssim: Double
    /// The column, row and channel of the sample with the largest difference; nil for identical images.
    public var worst: Location?
    /// The number of pixels in which any sample differs.
    public var differingPixels: Int

    /// The position of a sample in an image.
    public struct Location: Sendable, Hashable {
        /// The column, from 0 at the left.
        public var x: Int
        /// The row, from 0 at the top.
        public var y: Int
        /// The channel's name: "grey", "red", "green", "blue" or "alpha".
        public var channel: String
    }

    /// Compares two images of the same size.
    ///
    /// - Throws: ``PixelError/mismatch(property:first:second:)`` if the sizes differ.
    /// - Complexity: The time is proportional to the number of pixels. The memory is that of a few rows.
    public init(_ first: SampleRows, _ second: SampleRows) throws(PixelError) {
        guard first.width == second.width, first.height == second.height else {
            throw .mismatch(
                property: "size", first: "\(first.width)x\(first.height)",
                second: "\(second.width)x\(second.height)")
        }
        let channels = Self.common(first.channels, second.channels)
        let a = first.expanded(to: channels)
        let b = second.expanded(to: channels)
        let names = Self.names(channels)
        let count = channels.count
        var similarity = StructuralSimilarity(width: a.width, height: a.height, channels: count)
        var worst = 0.0
        var location: Location?
        var sum = 0.0
        var squares = 0.0
        var differing = 0
        for y in 0..<a.height {
            let rowA = a[y]
            let rowB = b[y]
            similarity.add(rowA, rowB)
            for x in 0..<a.width {
                var differs = false
                for i in x * count..<(x + 1) * count {
                    // If exactly one of the values is NaN, the difference is infinite.
                    let isSame = rowA[i] == rowB[i] || rowA[i].isNaN && rowB[i].isNaN
                    let distance = abs(rowA[i] - rowB[i])
                    let difference = isSame ? 0 : distance.isNaN ? .infinity : distance
                    sum += difference
                    squares += difference * difference
                    if difference != 0 { differs = true }
                    if difference > worst {
                        worst = difference
                        location = Location(x: x, y: y, channel: names[i - x * count])
                    }
                }
                if differs { differing += 1 }
            }
        }
        let samples = Double(a.width * a.height * count)
        // Because of rounding, v/255 * 255 may differ from v. So the product is rounded to nine decimals. Otherwise a
        // difference of one step could be reported as slightly more than one step.
        maximum = worst.isFinite ? (worst * 255e9).rounded() / 1e9 : worst
        mean = sum / samples * 255
        psnr = squares == 0 ? nil : -10 * log10(squares / samples)
        ssim = similarity.result
        self.worst = location
        differingPixels = differing
    }

    /// Compares two images in memory.
    ///
    /// - Throws: ``PixelError/mismatch(property:first:second:)`` if the sizes differ.
    public init(_ first: PixelBuffer, _ second: PixelBuffer) throws(PixelError) {
        try self.init(SampleRows(first), SampleRows(second))
    }

    /// Returns the channels in which two images are compared.
    package static func common(_ a: ChannelLayout, _ b: ChannelLayout) -> ChannelLayout {
        let color: ChannelLayout = a.addingAlpha == .greyAlpha && b.addingAlpha == .greyAlpha ? .grey : .rgb
        return a.hasAlpha || b.hasAlpha ? color.addingAlpha : color
    }

    private static func names(_ channels: ChannelLayout) -> [String] {
        switch channels {
        case .grey: ["grey"]
        case .greyAlpha: ["grey", "alpha"]
        case .rgb: ["red", "green", "blue"]
        case .rgba, .bgra: ["red", "green", "blue", "alpha"]
        }
    }
}
