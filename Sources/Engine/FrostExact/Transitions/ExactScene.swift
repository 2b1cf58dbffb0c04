import FrostCore
import Glibc

/// The time, the rectangles and the decoded images of one frame.
struct ExactScene: Sendable {
    let time: Double
    /// The corner of the extent with the smallest coordinates, and the extent's size.
    let origin, size: SIMD2<Double>
    let extent: Rect
    let shadowExtent: Rect
    let canvas: ExactSize
    let region: Rect
    let decoding: TransferFunction?
    let source, target: ExactPicture
    let backside, shading: ExactPicture?

    @unsafe init(_ transition: Transition, at time: Double, images: TransitionImages, region: Rect?) throws(ExactError)
    {
        let (source, target) = unsafe (images.source.layout, images.target.layout)
        self.time = time
        canvas = ExactSize(width: max(source.width, target.width), height: max(source.height, target.height))
        self.region = region ?? Rect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        extent = transition.extent ?? source.extent
        shadowExtent = transition.shadowExtent ?? extent
        try rethrow(
            Transition.check(time: time, rectangles: [self.region, extent, shadowExtent]), as: ExactError.parameter)
        origin = SIMD2(Double(extent.x), Double(extent.y))
        size = SIMD2(Double(extent.width), Double(extent.height))
        // Time 0 and 1 give the images as they are.
        decoding = time > 0 && time < 1 ? transition.decoding : nil
        unsafe self.source = ExactPicture(images.source, decoding)
        unsafe self.target = ExactPicture(images.target, decoding)
        let curve = decoding
        backside = unsafe images.backside.map { unsafe ExactPicture($0, curve) }
        shading = unsafe images.shading.map { unsafe ExactPicture($0, curve) }
    }

    /// Returns the point at fractions of the extent's width and height.
    func point(_ fractions: SIMD2<Double>) -> SIMD2<Double> { origin + fractions * size }

    /// Returns the distance from a point to the farthest corner of the extent.
    func farthestCorner(from point: SIMD2<Double>) -> Double {
        extent.corners.map { ($0 - point).length }.max() ?? 0
    }

    /// Returns the distance from the centre of a rectangle along a direction.
    ///
    /// - Parameter rect: the rectangle; nil for the extent.
    func distance(along direction: SIMD2<Double>, over rect: Rect? = nil) -> ExactDistance {
        let corners = (rect ?? extent).corners
        let center = corners.reduce(.zero, +) / Double(corners.count)
        let ends = corners.map { (($0 - center) * direction).sum() }
        return ExactDistance(
            center: center, direction: direction, low: ends.min() ?? 0, high: ends.max() ?? 0)
    }

    /// Returns a colour with the numbers of the decoded images, premultiplied.
    func light(_ color: Color) -> SIMD4<Double> {
        func number(_ code: Double) -> Double { (decoding?.decode(code) ?? code) * color.alpha }
        return SIMD4(number(color.red), number(color.green), number(color.blue), color.alpha)
    }
}

extension Rect {
    fileprivate var corners: [SIMD2<Double>] {
        let (left, top) = (Double(x), Double(y))
        let (right, bottom) = (left + Double(width), top + Double(height))
        return [SIMD2(left, top), SIMD2(right, top), SIMD2(left, bottom), SIMD2(right, bottom)]
    }
}

/// The signed distance from a point along a direction, and its range over the extent.
struct ExactDistance: Sendable {
    let center, direction: SIMD2<Double>
    /// The range over the extent.
    let low, high: Double

    func unclamped(_ position: SIMD2<Double>) -> Double { ((position - center) * direction).sum() }

    /// Returns the distance of a position, clamped to the range over the extent.
    func clamped(_ position: SIMD2<Double>) -> Double { min(max(unclamped(position), low), high) }
}

/// The size of an image whose top left corner is at the origin.
struct ExactSize: Sendable {
    let width, height: Int

    /// Returns the bilinear sample that an opaque image of this size has at a position: 1 inside, and a ramp of one pixel
    /// at the border.
    func coverage(at position: SIMD2<Double>) -> Double {
        func covered(_ place: Double, _ side: Int) -> Double { unit(min(place + 0.5, Double(side) + 0.5 - place)) }
        return covered(position.x, width) * covered(position.y, height)
    }

    /// Returns the position, clamped to the outermost pixel centres.
    func clamped(_ position: SIMD2<Double>) -> SIMD2<Double> {
        position.clamped(lowerBound: SIMD2(0.5, 0.5), upperBound: SIMD2(Double(width) - 0.5, Double(height) - 0.5))
    }
}

/// An image in memory: premultiplied red, green, blue and alpha.
struct ExactPicture: Sendable {
    let size: ExactSize
    private let pixels: [SIMD4<Double>]

    /// Reads an image.
    ///
    /// - Parameter decoding: the function that decodes the image's straight colour; nil for none.
    @unsafe init(_ image: PixelSource, _ decoding: TransferFunction?) {
        let rows = unsafe SampleRows(image).expanded(to: .rgba)
        size = ExactSize(width: rows.width, height: rows.height)
        var pixels: [SIMD4<Double>] = []
        pixels.reserveCapacity(rows.width * rows.height)
        for y in 0..<rows.height {
            let row = rows[y]
            for first in stride(from: 0, to: row.count, by: 4) {
                let color = SIMD4(row[first], row[first + 1], row[first + 2], row[first + 3])
                pixels.append(decoding.map { $0.decode(color) } ?? color)
            }
        }
        self.pixels = pixels
    }

    /// Returns a pixel. Outside the image it is transparent.
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return .zero }
        return pixels[y * size.width + x]
    }

    /// Returns the bilinear sample at a position. Outside the image it is transparent.
    func sample(at position: SIMD2<Double>) -> SIMD4<Double> {
        let (width, height) = (Double(size.width), Double(size.height))
        // The comparison is false for NaN.
        guard position.x > -0.5, position.x < width + 0.5, position.y > -0.5, position.y < height + 0.5 else {
            return .zero
        }
        let (left, top) = ((position.x - 0.5).rounded(.down), (position.y - 0.5).rounded(.down))
        let (partX, partY) = (position.x - 0.5 - left, position.y - 0.5 - top)
        var sum = SIMD4<Double>.zero
        for (row, weightY) in [(Int(top), 1 - partY), (Int(top) + 1, partY)] where weightY > 0 {
            for (column, weightX) in [(Int(left), 1 - partX), (Int(left) + 1, partX)] where weightX > 0 {
                sum += pixel(column, row) * (weightX * weightY)
            }
        }
        return sum
    }

    /// Returns the bilinear sample at fractions of the width and the height, clamped to the outermost pixel centres.
    func sample(atFractions fractions: SIMD2<Double>) -> SIMD4<Double> {
        sample(at: size.clamped(fractions * SIMD2(Double(size.width), Double(size.height))))
    }
}

extension SIMD2<Double> {
    /// The unit vector at an angle in radians, clockwise from the x axis.
    init(angle: Double) { self.init(cos(angle), sin(angle)) }

    /// The centre of pixel (x, y).
    init(centerOf x: Int, _ y: Int) { self.init(Double(x) + 0.5, Double(y) + 0.5) }

    var length: Double { (x * x + y * y).squareRoot() }

    /// The vector of length 1 with the same direction; zero for the zero vector.
    var normalized: SIMD2<Double> { length > 0 ? self / length : .zero }
}

func unit(_ value: Double) -> Double { min(max(value, 0), 1) }
