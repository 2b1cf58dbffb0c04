import Glibc

extension ContentImage {
    /// Returns the image as it is seen in a rectangle that is turned, or whose edges lie between pixels.
    ///
    /// Each pixel is the weighted average of the image's pixels that ``PlacedContent`` describes, around the place in the image
    /// where the pixel's centre lies, times the part of the pixel's area that the image covers.
    ///
    /// - Parameters:
    ///   - place: the rectangle before it is turned.
    ///   - angle: degrees, clockwise.
    ///   - center: the point about which the rectangle is turned.
    ///   - rect: the pixels that are wanted.
    /// - Returns: the pixels of the image that lie in `rect`, and their place; nil if there are none.
    /// - Throws: the errors of ``RoundedRect``.
    /// - Complexity: for each pixel, proportional to the pixels of the image that it averages.
    package func placed(
        at place: Placement, turnedBy angle: Double, about center: SIMD2<Double>, within rect: Rect
    ) throws(ParameterError) -> (image: ContentImage, window: Rect)? {
        let (sine, cosine) = Self.sineAndCosine(angle)
        let middle = SIMD2(place.x + place.width / 2, place.y + place.height / 2) - center
        let moved = center + SIMD2(middle.x * cosine - middle.y * sine, middle.x * sine + middle.y * cosine)
        let outline = try RoundedRect(
            x: moved.x - place.width / 2, y: moved.y - place.height / 2, width: place.width, height: place.height
        ).turned(by: angle)
        guard texture == nil, place.width > 0, place.height > 0, let window = outline.bounds.intersection(rect) else {
            return nil
        }
        let step = SIMD2(Double(width) / place.width, Double(height) / place.height)
        let sampler = ContentSampler(image: self, step: step)
        var result = [SIMD4<UInt16>](repeating: .zero, count: window.width * window.height)
        for y in window.rows {
            let whole = outline.wholeColumns(y)
            for x in outline.touchedColumns(y).clamped(to: window.columns) {
                let part = whole.contains(x) ? 1 : outline.coverage(x, y)
                guard part > 0 else { continue }
                let offset = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
                let upright = SIMD2(offset.x * cosine + offset.y * sine, offset.y * cosine - offset.x * sine)
                let pixel = sampler.average(at: (center + upright - SIMD2(place.x, place.y)) * step) * part
                result[(y - window.y) * window.width + x - window.x] = SIMD4<UInt16>(
                    pixel.rounded(.toNearestOrAwayFromZero))
            }
        }
        return (ContentImage(width: window.width, height: window.height, isGrey: isGrey, pixels: result), window)
    }

    /// The sine and the cosine of an angle in degrees, which are exact for quarter turns.
    package static func sineAndCosine(_ degrees: Double) -> (sine: Double, cosine: Double) {
        switch degrees.truncatingRemainder(dividingBy: 360) {
        case 0: (0, 1)
        case 90, -270: (1, 0)
        case 180, -180: (0, -1)
        case 270, -90: (-1, 0)
        case let angle: (sin(angle * .pi / 180), cos(angle * .pi / 180))
        }
    }

    /// Returns a line of one colour along the inside of an outline, as content of a panel that is clipped to this outline.
    ///
    /// - Parameters:
    ///   - color: the premultiplied colour.
    ///   - outline: the outline.
    ///   - inner: the outline on the other side of the line; nil if the line fills the whole outline.
    ///   - bounds: the pixels that the image shows.
    package init(
        lineOf color: SIMD4<Double>, along outline: RoundedRect, outside inner: RoundedRect?, in bounds: Rect
    ) {
        let full = color * 65535
        var pixels = [SIMD4<UInt16>](repeating: .zero, count: bounds.width * bounds.height)
        for y in bounds.rows {
            let hollow = inner?.wholeColumns(y) ?? bounds.x..<bounds.x
            for x in outline.touchedColumns(y).clamped(to: bounds.columns) where !hollow.contains(x) {
                // The clip multiplies the content by the part of the pixel that is inside the outline.
                let part = outline.coverage(x, y)
                guard part > 0 else { continue }
                let share = min(max(1 - (inner?.coverage(x, y) ?? 0) / part, 0), 1)
                let pixel = (full * share).rounded(.toNearestOrAwayFromZero)
                pixels[(y - bounds.y) * bounds.width + x - bounds.x] = SIMD4<UInt16>(pixel)
            }
        }
        let isGrey = color.x == color.y && color.y == color.z
        self.init(width: bounds.width, height: bounds.height, isGrey: isGrey, pixels: pixels)
    }
}

/// Averages of an image's pixels around any point, with the weights of ``PlacedContent``.
private struct ContentSampler {
    private let image: ContentImage
    private let reach: SIMD2<Double>

    /// - Parameter step: the number of the image's pixels for a pixel of the picture, along each axis.
    init(image: ContentImage, step: SIMD2<Double>) {
        self.image = image
        reach = pointwiseMax(step, SIMD2(1, 1))
    }

    /// - Parameter place: the point in pixels of the image; points outside count as the nearest point of the image.
    func average(at place: SIMD2<Double>) -> SIMD4<Double> {
        let size = SIMD2(Double(image.width), Double(image.height))
        let center = pointwiseMin(pointwiseMax(place, .zero), size)
        let (columns, rows) = (taps(center.x, reach.x, image.width), taps(center.y, reach.y, image.height))
        var (sum, total) = (SIMD4<Double>.zero, 0.0)
        for row in rows {
            let weight = 1 - abs(Double(row) + 0.5 - center.y) / reach.y
            let from = row * image.width
            for column in columns {
                let weight = weight * (1 - abs(Double(column) + 0.5 - center.x) / reach.x)
                sum += SIMD4<Double>(image.pixels[from + column]) * weight
                total += weight
            }
        }
        return sum / total
    }

    /// The pixels whose weight is above 0. The nearest one, at most half a pixel away, always is.
    private func taps(_ center: Double, _ reach: Double, _ count: Int) -> ClosedRange<Int> {
        let nearest = min(Int(center), count - 1)
        let low = min(max(Int((center - reach - 0.5).rounded(.down)) + 1, 0), nearest)
        let high = max(min(Int((center + reach - 0.5).rounded(.up)) - 1, count - 1), nearest)
        return low...high
    }
}
