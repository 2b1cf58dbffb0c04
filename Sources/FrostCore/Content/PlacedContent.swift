/// Content at the size and place where it is drawn: rows of premultiplied pixels.
///
/// Each is the average of the image's pixels around its place, weighted by a triangle that reaches one pixel of the image
/// to either side where the image is enlarged, and one pixel of the picture where it is reduced. Weights within the image
/// add up to 1. Pixels at the border are covered as far as the image reaches. An image of its own size is copied.
public struct PlacedContent: Sendable {
    public let layer: ContentLayer
    /// The picture's pixels that it covers, of those that were asked for.
    public let window: Rect
    private let columns: [Taps]
    private let rows: [Taps]

    /// - Parameters:
    ///   - extent: the picture's rectangle.
    ///   - region: what is asked for.
    /// - Returns: nil where there is nothing to be seen.
    public init?(_ layer: ContentLayer, extent: Rect, region: Rect) {
        guard let window = layer.window(extent: extent, region: region) else { return nil }
        self.layer = layer
        self.window = window
        let (image, place) = (layer.image, layer.place(extent: extent))
        columns = window.columns.map { Taps($0, from: place.x, count: place.width, of: image.width) }
        rows = window.rows.map { Taps($0, from: place.y, count: place.height, of: image.height) }
    }

    /// The pixels of row `y` of ``window``, 0...1.
    public func row(_ y: Int) -> [SIMD4<Float>] { mixed(y) }

    /// The same for the definition.
    public func exactRow(_ y: Int) -> [SIMD4<Double>] { mixed(y) }

    private func mixed<Number: BinaryFloatingPoint & SIMDScalar>(_ y: Int) -> [SIMD4<Number>] {
        let taps = rows[y - window.y]
        let (image, width) = (layer.image, layer.image.width)
        let first = columns.map(\.first).min() ?? 0
        let end = columns.map { $0.first + $0.weights.count }.max() ?? 0
        var sums = [SIMD4<Number>](repeating: .zero, count: end - first)
        for (index, weight) in taps.weights.enumerated() {
            let from = (taps.first + index) * width + first
            let weight = Number(weight) / 65535
            for i in sums.indices { sums[i] += SIMD4<Number>(image.pixels[from + i]) * weight }
        }
        return columns.map { taps in
            var sum = SIMD4<Number>.zero
            for (index, weight) in taps.weights.enumerated() {
                sum += sums[taps.first - first + index] * Number(weight)
            }
            return sum
        }
    }
}

extension ContentLayer {
    fileprivate func place(extent: Rect) -> Placement {
        mode.place(width: image.width, height: image.height, in: bounds ?? extent)
    }

    /// The pixels of a region that the image covers, in part or whole; nil where there are none.
    public func window(extent: Rect, region: Rect) -> Rect? {
        let place = place(extent: extent)
        func pixels(_ start: Double, _ count: Double) -> Range<Int> {
            let first = Int(start.rounded(.down))
            return first..<max(first, Int((start + count).rounded(.up)))
        }
        return Rect(columns: pixels(place.x, place.width), rows: pixels(place.y, place.height)).intersection(region)
    }
}

/// What one pixel takes of an image along an axis.
private struct Taps {
    let first: Int
    let weights: [Double]

    /// - Parameters:
    ///   - pixel: of the picture.
    ///   - start: where the image begins in the picture, `length` how much of it is covered, `count` the image's pixels.
    init(_ pixel: Int, from start: Double, count length: Double, of count: Int) {
        let step = Double(count) / length
        let reach = max(1, step)
        let center = min(max((Double(pixel) + 0.5 - start) * step, 0), Double(count))
        let low = max(Int((center - reach - 0.5).rounded(.up)), 0)
        let high = min(Int((center + reach - 0.5).rounded(.down)), count - 1)
        var weights = (low...max(low, high)).map { max(0, 1 - abs(Double($0) + 0.5 - center) / reach) }
        let leading = weights.prefix { $0 == 0 }.count
        weights = Array(weights.dropFirst(leading))
        while weights.last == 0 { weights.removeLast() }
        let covered = min(Double(pixel + 1), start + length) - max(Double(pixel), start)
        let sum = weights.reduce(0, +)
        first = min(low + leading, count - 1)
        self.weights = sum > 0 ? weights.map { $0 / sum * covered } : [covered]
    }
}
