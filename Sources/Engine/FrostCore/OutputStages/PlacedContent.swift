/// Content at its final size and position, as rows of premultiplied pixels. Below, the *image* is the content's own
/// picture, and the *picture* is what the content is drawn on.
///
/// Each placed pixel is a weighted average of the image's pixels around its position. The weights form a triangle. On
/// each side of the position, the triangle extends by one pixel of the image if the image is enlarged, and by one pixel
/// of the picture if the image is reduced. The weights of a pixel that the image covers completely add up to 1. The
/// weights of a pixel at the image's border add up to the part of the pixel that the image covers. If the image keeps
/// its own size, it is copied.
public struct PlacedContent: Sendable {
    /// The layer that is placed.
    public let layer: ContentLayer
    /// The pixels of the requested region that the content covers.
    public let window: Rect
    /// The weights of the image's columns for each column of ``window``, and those of the image's rows for each row.
    package let columns: ContentTaps
    package let rows: ContentTaps

    /// Places a layer of content.
    ///
    /// - Parameters:
    ///   - extent: the picture's rectangle in absolute pixels.
    ///   - region: the requested rectangle in absolute pixels.
    /// - Returns: nil if no pixel of the region is covered, and for content without pixels in memory.
    public init?(_ layer: ContentLayer, extent: Rect, region: Rect) {
        guard layer.image.texture == nil, let window = layer.window(extent: extent, region: region) else { return nil }
        self.layer = layer
        self.window = window
        let (image, place) = (layer.image, layer.place(extent: extent))
        columns = ContentTaps(window.columns, from: place.x, count: place.width, of: image.width)
        rows = ContentTaps(window.rows, from: place.y, count: place.height, of: image.height)
    }

    /// Returns the premultiplied pixels of row `y` of ``window``, with values in 0...1.
    public func row(_ y: Int) -> [SIMD4<Float>] { mixed(y) }

    /// Returns the premultiplied pixels of row `y` of ``window`` in double precision, for the exact backend.
    public func exactRow(_ y: Int) -> [SIMD4<Double>] { mixed(y) }

    private func mixed<Number: BinaryFloatingPoint & SIMDScalar>(_ y: Int) -> [SIMD4<Number>] {
        let (pixels, width, needed) = (layer.image.pixels, layer.image.width, columns.range)
        var sums = [SIMD4<Number>](repeating: .zero, count: needed.count)
        var from = rows.firsts[y - window.y] * width + needed.lowerBound
        for weight in rows.weights(y - window.y) {
            let weight = Number(weight) / 65535
            for i in sums.indices { sums[i] += SIMD4<Number>(pixels[from + i]) * weight }
            from += width
        }
        // These are plain loops, because they run for every pixel of a picture and must be fast.
        var row: [SIMD4<Number>] = []
        row.reserveCapacity(window.width)
        for x in 0..<window.width {
            var sum = SIMD4<Number>.zero
            var from = columns.firsts[x] - needed.lowerBound
            for weight in columns.weights(x) {
                sum += sums[from] * Number(weight)
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

    /// Returns a rectangle that contains all pixels of a region that the image covers wholly or partly, without the image's
    /// transparent margins. Returns nil if the image covers no pixel of the region.
    public func window(extent: Rect, region: Rect) -> Rect? {
        guard let visible = image.visibleBounds else { return nil }
        let place = place(extent: extent)
        func pixels(_ start: Double, _ length: Double, _ visible: Range<Int>, of count: Int) -> Range<Int> {
            let scale = length / Double(count)
            // A pixel of the image reaches pixels of the picture at this distance; see `ContentTaps`.
            let reach = max(1, scale) + 1
            let low = max(start, start + Double(visible.lowerBound) * scale - reach)
            let high = min(start + length, start + Double(visible.upperBound) * scale + reach)
            let first = Int(low.rounded(.down))
            return first..<max(first, Int(high.rounded(.up)))
        }
        return Rect(
            columns: pixels(place.x, place.width, visible.columns, of: image.width),
            rows: pixels(place.y, place.height, visible.rows, of: image.height)
        ).intersection(region)
    }
}

/// The weights of an image's pixels for each pixel of the picture, along one axis.
package struct ContentTaps: Sendable {
    /// The range of the image's pixels that contribute to any pixel of the picture.
    package private(set) var range: Range<Int>
    /// For each pixel of the picture, the first pixel of the image that contributes to it.
    package private(set) var firsts: [Int] = []
    private var begins = [0]
    private var weights: [Double] = []

    /// Computes the weights along one axis.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of the picture.
    ///   - start: the position in the picture at which the image begins.
    ///   - length: the number of the picture's pixels that the image covers.
    ///   - count: the number of the image's pixels.
    fileprivate init(_ pixels: Range<Int>, from start: Double, count length: Double, of count: Int) {
        let step = Double(count) / length
        let reach = max(1, step)
        range = count..<count
        for pixel in pixels {
            let center = min(max((Double(pixel) + 0.5 - start) * step, 0), Double(count))
            // The centre of the nearest pixel is at most half a pixel away, so its weight is positive.
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

    /// Returns the weights of one pixel of the picture, for consecutive pixels of the image.
    package func weights(_ index: Int) -> ArraySlice<Double> { weights[begins[index]..<begins[index + 1]] }

    /// The maximum number of weights of a pixel.
    package var maximumCount: Int { firsts.indices.reduce(0) { max($0, begins[$1 + 1] - begins[$1]) } }
}
