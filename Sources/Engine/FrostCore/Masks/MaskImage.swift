import FrostThreads

/// A mask made from a picture: the picture's alpha if it has alpha, else the luma of its colour.
///
/// The mask is stretched over an image. Each axis is scaled on its own. The mask is enlarged by linear interpolation,
/// and reduced by averaging areas.
///
/// ```swift
/// let depth = MaskImage(try PNG.read(path: "depth.png").pixels)
/// let effect = try EffectCatalog.effect("variable").make(["radius": .number(24)])
/// let result = try renderer.render(picture, effect, mask: depth)
/// ```
///
/// Creating a mask reads every pixel once, and takes four bytes for each.
public struct MaskImage: Sendable, Hashable {
    /// The width of the mask in pixels.
    public let width: Int
    /// The height of the mask in pixels.
    public let height: Int
    /// The mask's values in 0...1, row by row.
    public let values: [Float]
    private let lastFit = LastFit()

    /// Creates a mask from a picture.
    ///
    /// - Parameters:
    ///   - picture: a picture of any format. Its values are clamped to 0...1.
    ///   - prefersLuma: whether the luma of the colours counts in place of the alpha channel.
    public init(_ picture: PixelBuffer, prefersLuma: Bool = false) {
        width = picture.width
        height = picture.height
        let rows = SampleRows(picture)
        let (count, hasAlpha) = (rows.channels.count, rows.channels.hasAlpha)
        let usesAlpha = hasAlpha && !prefersLuma
        var values: [Float] = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            let row = rows[y]
            for first in stride(from: 0, to: row.count, by: count) {
                let value =
                    usesAlpha || count == 1
                    ? row[first + count - 1]
                    : rows.channels.isGrey
                        ? row[first] : LumaWeights.rec709(SIMD4(row[first], row[first + 1], row[first + 2], 1))
                values.append(Float(value > 0 ? min(value, 1) : 0))
            }
        }
        self.values = values
    }

    /// Creates a mask from the picture of a file: from its luma if its alpha channel is opaque everywhere, because many
    /// programs add such a channel to every picture.
    package init(ofFile picture: PixelBuffer) {
        self.init(picture, prefersLuma: Self.ignoresAlpha(of: picture))
    }

    /// Whether the mask of a file is its luma although it has an alpha channel.
    private static func ignoresAlpha(of picture: PixelBuffer) -> Bool {
        picture.format.channels.hasAlpha && picture.isOpaque
    }

    /// What a user should know about the mask of a file; nil for nothing.
    package static func remark(ofFile picture: PixelBuffer) -> String? {
        ignoresAlpha(of: picture) ? "its alpha channel is opaque everywhere, so its luma is the mask" : nil
    }

    /// Creates a mask from values in 0...1, row by row.
    package init(width: Int, height: Int, values: [Float]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// Returns the mask, reduced if it has more columns or more rows than a rectangle. Each pixel of the reduced mask
    /// is the mean of the mask's pixels that it covers. A partly covered pixel counts in proportion to its covered
    /// part.
    ///
    /// - Complexity: proportional to the number of the mask's values. The last result is kept and returned again for
    ///   the same size.
    public func fitted(to extent: Rect) -> MaskImage {
        let size = (width: min(width, extent.width), height: min(height, extent.height))
        guard size != (width, height) else { return self }
        return lastFit.image.withLock { last in
            if let last, last.width == size.width, last.height == size.height { return last }
            let image = reduced(width: size.width, height: size.height)
            last = image
            return image
        }
    }

    private func reduced(width count: Int, height: Int) -> MaskImage {
        let columns = areaShares(of: width, among: count)
        var values: [Float] = []
        values.reserveCapacity(count * height)
        for lines in areaShares(of: self.height, among: height) {
            var sums = [Double](repeating: 0, count: width)
            for (line, share) in lines {
                for x in 0..<width { sums[x] += Double(self.values[line * width + x]) * share }
            }
            for pixels in columns {
                values.append(Float(pixels.reduce(0) { $0 + sums[$1.index] * $1.share }))
            }
        }
        return MaskImage(width: count, height: height, values: values)
    }

    /// Returns the mask's value at a point. It is interpolated linearly between the centres of the nearest pixels, and
    /// constant outside the outermost centres.
    ///
    /// - Parameter x, y: the point, in fractions of the width and the height.
    public func value(x: Double, y: Double) -> Double {
        let (left, right, tx) = columns(at: x)
        let (top, bottom, ty) = rows(at: y)
        func mixed(_ row: Int) -> Double {
            let (a, b) = (Double(values[row * width + left]), Double(values[row * width + right]))
            return a + (b - a) * tx
        }
        let (above, below) = (mixed(top), mixed(bottom))
        return above + (below - above) * ty
    }

    /// Returns the two columns whose centres lie on either side of a position. `t` tells where the position lies
    /// between the two centres: 0 at the first, 1 at the second.
    ///
    /// - Parameter x: the position in fractions of the width.
    public func columns(at x: Double) -> (low: Int, high: Int, t: Double) { Self.place(x, width) }

    /// Returns the two rows whose centres lie on either side of a position. `t` tells where the position lies between
    /// the two centres: 0 at the first, 1 at the second.
    ///
    /// - Parameter y: the position in fractions of the height.
    public func rows(at y: Double) -> (low: Int, high: Int, t: Double) { Self.place(y, height) }

    private static func place(_ fraction: Double, _ count: Int) -> (low: Int, high: Int, t: Double) {
        let place = min(max(fraction * Double(count) - 0.5, 0), Double(count - 1))
        let low = Int(place)
        return (low, min(low + 1, count - 1), place - Double(low))
    }
}

extension MaskImage {
    public static func == (a: MaskImage, b: MaskImage) -> Bool {
        a.width == b.width && a.height == b.height && a.values == b.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
        hasher.combine(values)
    }

    /// The last result of ``fitted(to:)``. It is kept because one mask is often used for many images of one size.
    private final class LastFit: Sendable {
        let image = Lock<MaskImage?>(nil)
    }
}
