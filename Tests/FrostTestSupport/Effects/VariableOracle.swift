import FrostExact
public import FrostCore
import Glibc

/// Computes a blur whose sigma differs from pixel to pixel, from the definition of this blur. It uses the library's exact
/// Gaussian, but none of the library's other code. The library sums over all blur levels, whereas this oracle finds the two
/// levels between which each pixel lies.
public struct VariableOracle {
    /// A mask: a function of a pixel's centre and of the image's size, both in pixels. It returns the sigma of this pixel,
    /// as a fraction of the largest sigma.
    public typealias Shape = (_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double

    /// The largest sigma in pixels.
    public var sigma: Double
    /// The edge mode with which every blur level is computed.
    public var edge = EdgeMode.clamp
    /// The mask, which gives the sigma of each pixel as a fraction of the largest sigma.
    public var mask: Shape
    /// True to compute a deliberately wrong variant, for comparison: each pixel takes the nearest blur level instead of a
    /// mixture of two levels.
    public var takesNearest = false

    /// Creates an oracle with a largest sigma in pixels and a mask.
    public init(sigma: Double, edge: EdgeMode = .clamp, takesNearest: Bool = false, mask: @escaping Shape) {
        self.sigma = sigma
        self.edge = edge
        self.takesNearest = takesNearest
        self.mask = mask
    }

    /// Computes the blurred region as premultiplied RGBA.
    ///
    /// - Throws: errors of the exact Gaussian.
    public func render(_ image: PixelBuffer, region: Rect? = nil) throws -> SampleRows {
        let region = region ?? image.layout.extent
        var levels: [Double: SampleRows] = [:]
        var lines: [[Double]] = []
        for y in region.rows {
            var line: [Double] = []
            for x in region.columns {
                let part = mask(Double(x) + 0.5, Double(y) + 0.5, Double(image.width), Double(image.height))
                let (low, high, weight) = neighbours(part)
                var pixel = [0.0, 0, 0, 0]
                for (level, weight) in [(low, 1 - weight), (high, weight)] where weight > 0 {
                    let rows = try levels[level] ?? blurred(image, level, region)
                    levels[level] = rows
                    for c in 0..<4 { pixel[c] += weight * rows[y - region.y][4 * (x - region.x) + c] }
                }
                line += pixel
            }
            lines.append(line)
        }
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { lines[$0] }
    }

    private func blurred(_ image: PixelBuffer, _ sigma: Double, _ region: Rect) throws -> SampleRows {
        if sigma == 0 {
            let original = SampleRows(image).expanded(to: .rgba)
            return BoxOracle(widthX: 1, widthY: 1, passes: 1, edge: edge).render(original, region: region)
        }
        let rows = try Blurring.exact(GaussianBlur(sigma: sigma, edge: edge), image, region: region).rows
        let wide = rows.expanded(to: .rgba)
        let lines = (0..<region.height).map { wide[$0] }
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { lines[$0] }
    }

    /// Returns the sigmas of the two levels between which a pixel lies, and the weight of the level with the larger sigma.
    func neighbours(_ mask: Double) -> (low: Double, high: Double, weight: Double) {
        // Level k has the largest sigma times 2^(-k/4). If this is less than 0.2, the level is the image without a blur.
        func level(_ k: Int) -> Double {
            let sigma = sigma * pow(2, -Double(k) / 4)
            return sigma < 0.2 ? 0 : sigma
        }
        var k = 0
        while level(k) > 0, level(k + 1) >= mask * sigma { k += 1 }
        let (low, high) = (level(k + 1), level(k))
        guard high > low else { return (0, 0, 0) }
        let wanted = min(mask, 1) * sigma
        if takesNearest { return (low, high, abs(wanted - low) < abs(high - wanted) ? 0 : 1) }
        return (low, high, (wanted * wanted - low * low) / (high * high - low * low))
    }

    /// Returns a mask image, stretched to the size of the blurred image. Each axis is treated separately. If the mask has at
    /// most as many pixels along the axis as the image, it is interpolated linearly between the centres of its pixels, and
    /// is constant outside the outermost centres. If it has more pixels, each value is the mean of the mask pixels that the
    /// image's pixel covers.
    public static func stretched(_ image: MaskImage) -> Shape {
        { x, y, width, height in
            func places(_ position: Double, _ length: Double, _ count: Int) -> [(Int, Double)] {
                let part = position / length
                if Double(count) > length {
                    let ratio = Double(count) / length
                    // Outside the image the mask continues with its outermost values.
                    let centre = min(max(position, 0.5), length - 0.5)
                    let (from, to) = ((centre - 0.5) * ratio, (centre + 0.5) * ratio)
                    return (0..<count).compactMap { index in
                        let overlap = min(to, Double(index + 1)) - max(from, Double(index))
                        return overlap > 0 ? (index, overlap / ratio) : nil
                    }
                }
                let place = max(0, min(Double(count - 1), part * Double(count) - 0.5))
                let first = Int(floor(place))
                let rest = place - Double(first)
                return rest == 0 ? [(first, 1)] : [(first, 1 - rest), (first + 1, rest)]
            }
            var sum = 0.0
            for (row, part) in places(y, height, image.height) {
                for (column, share) in places(x, width, image.width) {
                    sum += part * share * Double(image.values[row * image.width + column])
                }
            }
            return sum
        }
    }
}

extension MaskImage {
    /// True if the mask is larger than the image along at least one axis, so that the mask is averaged.
    public func isAveraged(on image: PixelBuffer) -> Bool { width > image.width || height > image.height }
}

extension Tolerance {
    /// The tolerance for a comparison of two blurs with the same averaged mask, both computed in Double from the definition.
    /// The mask's mean is stored as Float, so the mask's value has an error of up to 2^-25. This error changes a colour by
    /// at most about 1e-6 8-bit steps.
    public static let averagedMask = Tolerance("a mask in Float", steps: 1e-5, reason: "2^-25 of the mask")
}
