import FrostCore
import Glibc

/// Evaluates, in double precision, the definitions of blurs whose kernels are not separable. Uses only the effect,
/// never a plan: weights and sample positions are computed here, from the definition of the effect.
struct ExactKernel2D {
    private let reads: Reads
    private let edge: EdgeMode

    private enum Reads {
        case spans([Span])
        case zoom(ZoomBlur)
    }

    init(_ blur: DiscBlur) { (reads, edge) = (.spans(Span.disc(blur)), blur.edge) }
    init(_ blur: MotionBlur) { (reads, edge) = (.spans(Span.motion(blur)), blur.edge) }
    init(_ blur: ZoomBlur) { (reads, edge) = (.zoom(blur), blur.edge) }

    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter channels: the channels of the result.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    /// - Complexity: O(pixels * radius), or for a zoom O(pixels * samples).
    @unsafe func render(
        _ source: PixelSource, extent: Rect, region: Rect, channels: ChannelLayout, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> ExactImage {
        let values = try unsafe ExactSeparable.values(
            source, extent: extent, channels: channels, threads: threads, cancellation: cancellation)
        func extended(_ columns: Range<Int>, _ rows: Range<Int>) -> ExtendedImage {
            ExtendedImage(values, extent: extent, count: channels.count, columns: columns, rows: rows, edge: edge)
        }
        let line: @Sendable (Int) -> [Double]
        switch reads {
        case .spans(let spans):
            let sums = try SpanSums(
                spans, extended(spans.columns(of: region), spans.rows(of: region)), threads: threads, cancellation)
            line = { sums.row($0, region.columns, cancellation) }
        case .zoom(let blur):
            let zoom = ExactZoom(blur, extent: extent)
            let image = extended(zoom.columns(of: region), zoom.rows(of: region))
            line = { zoom.row($0, region.columns, of: image, cancellation) }
        }
        let result = try ExactRows.values(
            rows: region.height, samples: region.width * channels.count, threads: threads, cancellation
        ) { line(region.y + $0) }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: result)
    }
}

/// A run of neighbouring pixels in a row that have the same weight. Positions are relative to the output pixel.
private struct Span {
    var dx: Int
    var dy: Int
    var count = 1
    var weight: Double

    /// Returns the spans of a disc. The weight of a pixel is the area of the intersection of the pixel's square and the
    /// disc, divided by the disc's area.
    static func disc(_ blur: DiscBlur) -> [Span] {
        let radius = blur.radius
        guard radius > 0.5 else { return [Span(dx: 0, dy: 0, weight: 1)] }
        let circle = Circle(radius: radius)
        // The square of the pixel at position k covers the interval from k - 1/2 to k + 1/2 along each axis.
        let reach = Int((radius + 0.5).rounded(.down))
        return (-reach...reach).flatMap { dy -> [Span] in
            // The inner squares lie completely in the disc and have the same weight, so one span holds them.
            let far = abs(Double(dy)) + 0.5
            let inner = far < radius ? Int(((radius * radius - far * far).squareRoot() - 0.5).rounded(.down)) : -1
            let edges = (inner + 1...reach + 1).flatMap { dx -> [Span] in
                let part = circle.area(ofSquareAt: Double(dx), Double(dy)) / circle.area
                let columns = dx == 0 ? [0] : [-dx, dx]
                return part > 0 ? columns.map { Span(dx: $0, dy: dy, weight: part) } : []
            }
            guard inner >= 0 else { return edges }
            return edges + [Span(dx: -inner, dy: dy, count: 2 * inner + 1, weight: 1 / circle.area)]
        }
    }

    /// Returns the spans of a motion blur: samples along a segment, one pixel apart, on both sides of the pixel. Sample
    /// k stands for the interval from k - 1/2 to k + 1/2 of the segment; its weight is the length of the part of the
    /// interval that lies within the segment. Each sample is interpolated between the four pixels around it.
    static func motion(_ blur: MotionBlur) -> [Span] {
        guard blur.radius > 0.5 else { return [Span(dx: 0, dy: 0, weight: 1)] }
        let last = Int((blur.radius + 0.5).rounded(.down))
        return (-last...last).flatMap { k -> [Span] in
            let part = min(1, blur.radius + 0.5 - abs(Double(k))) / (2 * blur.radius)
            // The angle is counter-clockwise and y increases downwards, so y has a minus sign.
            let (x, y) = (Double(k) * cos(blur.angle), -Double(k) * sin(blur.angle))
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            return [(top, 1 - (y - top)), (top + 1, y - top)].flatMap { row, partY in
                [(left, 1 - (x - left)), (left + 1, x - left)].compactMap { column, partX in
                    let weight = part * partX * partY
                    return weight > 0 ? Span(dx: Int(column), dy: Int(row), weight: weight) : nil
                }
            }
        }
    }
}

extension [Span] {
    /// Returns the columns that the pixels of a region read.
    fileprivate func columns(of region: Rect) -> Range<Int> {
        let first = reduce(0) { Swift.min($0, $1.dx) }
        let end = reduce(1) { Swift.max($0, $1.dx + $1.count) }
        return region.columns.lowerBound + first..<region.columns.upperBound - 1 + end
    }

    /// Returns the rows that the pixels of a region read.
    fileprivate func rows(of region: Rect) -> Range<Int> {
        let first = reduce(0) { Swift.min($0, $1.dy) }
        let end = reduce(1) { Swift.max($0, $1.dy + 1) }
        return region.rows.lowerBound + first..<region.rows.upperBound - 1 + end
    }
}

/// A circle around the origin.
private struct Circle {
    let radius: Double

    var area: Double { .pi * radius * radius }

    /// Returns the area of the intersection of the circle and the square of side 1 around a point.
    func area(ofSquareAt x: Double, _ y: Double) -> Double {
        // Squares completely inside or outside the circle are detected by their distance, so that rounding errors do
        // not give them a partial area.
        let (nearX, nearY) = (max(0, abs(x) - 0.5), max(0, abs(y) - 0.5))
        if nearX * nearX + nearY * nearY >= radius * radius { return 0 }
        let (farX, farY) = (abs(x) + 0.5, abs(y) + 0.5)
        if farX * farX + farY * farY <= radius * radius { return 1 }
        let (left, right, top, bottom) = (x - 0.5, x + 0.5, y - 0.5, y + 0.5)
        return area(to: right, bottom) - area(to: left, bottom) - area(to: right, top) + area(to: left, top)
    }

    /// Returns the area of the intersection of the circle and the rectangle between the origin and a point. The area is
    /// negative if exactly one of the coordinates is negative, so that sums of such areas give the areas of other
    /// rectangles.
    private func area(to x: Double, _ y: Double) -> Double {
        let sign = (x < 0) == (y < 0) ? 1.0 : -1
        let (x, y) = (min(abs(x), radius), min(abs(y), radius))
        if x * x + y * y <= radius * radius { return sign * x * y }
        // The side of the rectangle at height y crosses the circle at this column. From this column on, the circle
        // bounds the area.
        let leaves = (radius * radius - y * y).squareRoot()
        /// Returns the integral of the circle's height from 0 to column u.
        func integral(_ u: Double) -> Double {
            (u * (radius * radius - u * u).squareRoot() + radius * radius * asin(u / radius)) / 2
        }
        return sign * (leaves * y + integral(x) - integral(leaves))
    }
}

/// Computes the mean along the line from `c + lower (p - c)` to `c + upper (p - c)`, for a centre c and each pixel p.
private struct ExactZoom: Sendable {
    private let centerX, centerY: Double
    private let scales: ClosedRange<Double>

    init(_ blur: ZoomBlur, extent: Rect) {
        // Pixel coordinates refer to the centres of pixels. The centre of the first pixel lies half a pixel inside the
        // image.
        centerX = Double(extent.x) + blur.centerX * Double(extent.width) - 0.5
        centerY = Double(extent.y) + blur.centerY * Double(extent.height) - 0.5
        scales = blur.scales
    }

    /// Returns the columns that the pixels of a region read.
    func columns(of region: Rect) -> Range<Int> { reach(region.columns, centerX) }

    /// Returns the rows that the pixels of a region read.
    func rows(of region: Rect) -> Range<Int> { reach(region.rows, centerY) }

    private func reach(_ pixels: Range<Int>, _ center: Double) -> Range<Int> {
        let ends = [pixels.lowerBound, pixels.upperBound - 1].flatMap { pixel in
            [scales.lowerBound, scales.upperBound].map { center + $0 * (Double(pixel) - center) }
        }
        // The last samples lie up to half a step outside the line. Each sample reads the pixels on both of its sides.
        let (first, last) = (ends.min() ?? center, ends.max() ?? center)
        return Int(first.rounded(.down)) - 1..<Int(last.rounded(.down)) + 3
    }

    /// Returns the samples of a row; zeros after a cancellation.
    func row(
        _ y: Int, _ columns: Range<Int>, of image: ExtendedImage, _ cancellation: Cancellation?
    ) -> [Double] {
        let count = image.count
        var line: [Double] = []
        line.reserveCapacity(columns.count * count)
        for x in columns {
            // A pixel may read thousands of samples, so a whole row takes too long.
            if x & 15 == 0, cancellation?.isCancelled == true {
                return [Double](repeating: 0, count: columns.count * count)
            }
            let (dx, dy) = (centerX - Double(x), centerY - Double(y))
            let steps = max(abs(dx), abs(dy))
            let (inward, outward) = ((1 - scales.lowerBound) * steps, (scales.upperBound - 1) * steps)
            // Along the axis with the larger distance to the centre, one step is one pixel.
            let (stepX, stepY) = steps > 0 ? (dx / steps, dy / steps) : (0, 0)
            var sums = [Double](repeating: 0, count: count)
            var total = 0.0
            for k in -Int((outward + 0.5).rounded(.down))...Int((inward + 0.5).rounded(.down)) {
                var weight = min(Double(k) + 0.5, inward) - max(Double(k) - 0.5, -outward)
                if inward + outward == 0 { weight = 1 }
                guard weight > 0 else { continue }
                let (sampleX, sampleY) = (Double(x) + Double(k) * stepX, Double(y) + Double(k) * stepY)
                let (left, top) = (Int(sampleX.rounded(.down)), Int(sampleY.rounded(.down)))
                let (partX, partY) = (sampleX - Double(left), sampleY - Double(top))
                total += weight
                for c in 0..<count {
                    let above = image[left, top, c] * (1 - partX) + image[left + 1, top, c] * partX
                    let below = image[left, top + 1, c] * (1 - partX) + image[left + 1, top + 1, c] * partX
                    sums[c] += weight * (above * (1 - partY) + below * partY)
                }
            }
            for sum in sums { line.append(sum / total) }
        }
        return line
    }
}

/// An image and its surroundings, as the edge mode defines them.
private struct ExtendedImage: Sendable {
    let values: [Double]
    let width: Int
    let height: Int
    /// The number of samples per pixel.
    let count: Int
    let columns: Range<Int>
    let rows: Range<Int>
    /// `columnPlaces` has an element for each of `columns`, and `rowPlaces` for each of `rows`: the index of the column or
    /// row in the image. The index is negative if the column or row is transparent black.
    private let columnPlaces: [Int]
    private let rowPlaces: [Int]

    init(_ values: [Double], extent: Rect, count: Int, columns: Range<Int>, rows: Range<Int>, edge: EdgeMode) {
        self.values = values
        self.count = count
        self.columns = columns
        self.rows = rows
        (width, height) = (extent.width, extent.height)
        columnPlaces = columns.map { edge.map($0, into: extent.columns).map { $0 - extent.x } ?? -1 }
        rowPlaces = rows.map { edge.map($0, into: extent.rows).map { $0 - extent.y } ?? -1 }
    }

    subscript(x: Int, y: Int, c: Int) -> Double {
        let (column, row) = (columnPlaces[x - columns.lowerBound], rowPlaces[y - rows.lowerBound])
        return column < 0 || row < 0 ? 0 : values[(row * width + column) * count + c]
    }

    /// Returns the index of a row in the image; nil for transparent black.
    func place(_ y: Int) -> Int? {
        let place = rowPlaces[y - rows.lowerBound]
        return place < 0 ? nil : place
    }

    /// The number of prefix sums of a row.
    var sumCount: Int { (columnPlaces.count + 1) * count }

    /// Returns the prefix sums of a row of the image: the sum of all values before each sample.
    func sums(_ row: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: sumCount)
        for (index, column) in columnPlaces.enumerated() {
            for c in 0..<count {
                let value = column < 0 ? 0 : values[(row * width + column) * count + c]
                sums[(index + 1) * count + c] = sums[index * count + c] + value
            }
        }
        return sums
    }
}

/// Computes weighted sums of spans. The sum of a span is the difference of two prefix sums.
private struct SpanSums: Sendable {
    private let spans: [Span]
    private let image: ExtendedImage
    /// The prefix sums of the image's rows, one row after the other.
    private let sums: [Double]

    init(
        _ spans: [Span], _ image: ExtendedImage, threads: Int, _ cancellation: Cancellation?
    ) throws(ExactError) {
        self.spans = spans
        self.image = image
        sums = try ExactRows.values(
            rows: image.height, samples: image.sumCount, threads: threads, cancellation
        ) { image.sums($0) }
    }

    /// Returns the samples of a row; incomplete sums after a cancellation.
    func row(_ y: Int, _ columns: Range<Int>, _ cancellation: Cancellation?) -> [Double] {
        let count = image.count
        var out = [Double](repeating: 0, count: columns.count * count)
        for (index, span) in spans.enumerated() {
            // A kernel has up to thousands of spans, so a whole row takes too long.
            if index & 31 == 0, cancellation?.isCancelled == true { return out }
            guard let place = image.place(y + span.dy) else { continue }
            let first = place * image.sumCount + (columns.lowerBound + span.dx - image.columns.lowerBound) * count
            let end = first + span.count * count
            for index in out.indices { out[index] += span.weight * (sums[end + index] - sums[first + index]) }
        }
        return out
    }
}
