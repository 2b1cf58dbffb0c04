/// Content at the size and place where it is drawn: rows of premultiplied pixels.
///
/// Each is the average of the image's pixels around its place, weighted by a triangle that reaches one pixel of the image
/// to either side where the image is enlarged, and one pixel of the picture where it is reduced. Weights within the image
/// add up to 1. Pixels at the border are covered as far as the image reaches. An image of its own size is copied.
public struct PlacedContent: Sendable {
    public let layer: ContentLayer
    /// The picture's pixels that it covers, of those that were asked for.
    public let window: Rect
    private let columns: Taps
    private let rows: Taps

    /// - Parameters:
    ///   - extent: the picture's rectangle.
    ///   - region: what is asked for.
    /// - Returns: nil where there is nothing to be seen.
    public init?(_ layer: ContentLayer, extent: Rect, region: Rect) {
        guard let window = layer.window(extent: extent, region: region) else { return nil }
        self.layer = layer
        self.window = window
        let (image, place) = (layer.image, layer.place(extent: extent))
        columns = Taps(window.columns, from: place.x, count: place.width, of: image.width)
        rows = Taps(window.rows, from: place.y, count: place.height, of: image.height)
    }

    /// The pixels of row `y` of ``window``, 0...1.
    public func row(_ y: Int) -> [SIMD4<Float>] { mixed(y) }

    /// The same for the definition.
    public func exactRow(_ y: Int) -> [SIMD4<Double>] { mixed(y) }

    private func mixed<Number: BinaryFloatingPoint & SIMDScalar>(_ y: Int) -> [SIMD4<Number>] {
        let (pixels, width, needed) = (layer.image.pixels, layer.image.width, columns.range)
        var sums = [SIMD4<Number>](repeating: .zero, count: needed.count)
        var from = rows.firsts[y - window.y] * width + needed.lowerBound
        for weight in rows.weights[rows.range(y - window.y)] {
            let weight = Number(weight) / 65535
            for i in sums.indices { sums[i] += SIMD4<Number>(pixels[from + i]) * weight }
            from += width
        }
        // Plain loops, since every pixel of a picture may come along here.
        var row: [SIMD4<Number>] = []
        row.reserveCapacity(window.width)
        for x in 0..<window.width {
            var sum = SIMD4<Number>.zero
            var from = columns.firsts[x] - needed.lowerBound
            for index in columns.range(x) {
                sum += sums[from] * Number(columns.weights[index])
                from += 1
            }
            row.append(sum)
        }
        return row
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

/// What each pixel of the picture takes of an image along an axis.
private struct Taps {
    /// The image's pixels that are taken by any.
    private(set) var range: Range<Int>
    /// For each pixel the first that it takes, and where its weights begin; in the end where the last ones end.
    private(set) var firsts: [Int] = []
    private var begins = [0]
    private(set) var weights: [Double] = []

    /// - Parameters:
    ///   - pixels: of the picture.
    ///   - start: where the image begins in the picture, `length` how much of it is covered, `count` the image's pixels.
    init(_ pixels: Range<Int>, from start: Double, count length: Double, of count: Int) {
        let step = Double(count) / length
        let reach = max(1, step)
        range = count..<count
        for pixel in pixels {
            let center = min(max((Double(pixel) + 0.5 - start) * step, 0), Double(count))
            // The nearest is less than half a pixel away, and in reach.
            let nearest = min(Int(center), count - 1)
            let low = min(max(Int((center - reach - 0.5).rounded(.down)) + 1, 0), nearest)
            let high = max(min(Int((center + reach - 0.5).rounded(.up)) - 1, count - 1), nearest)
            let parts = (low...high).map { 1 - abs(Double($0) + 0.5 - center) / reach }
            let covered = min(Double(pixel + 1), start + length) - max(Double(pixel), start)
            let scale = covered / parts.reduce(0, +)
            weights += parts.map { $0 * scale }
            firsts.append(low)
            begins.append(weights.count)
            range = min(range.lowerBound, low)..<max(range.isEmpty ? 0 : range.upperBound, high + 1)
        }
    }

    /// Where the weights of one pixel are.
    func range(_ index: Int) -> Range<Int> { begins[index]..<begins[index + 1] }
}
