import Glibc

/// The time and the rectangles of one frame of a transition, from which its kind computes the numbers of the frame.
public struct TransitionFrame: Sendable, Hashable {
    /// The rectangle in which the transition takes place.
    let extent: Rect
    /// The rectangle to which shadows are limited.
    let shadowExtent: Rect
    /// The smallest rectangle that contains source and target.
    let canvas: Rect
    /// The time, above 0 and below 1.
    let time: Double
    /// The transfer function that decodes the images; nil if they are not decoded.
    let decoding: TransferFunction?

    /// The longer side of the smallest rectangle that contains the extent and the canvas.
    var side: Double {
        let all = extent.hull(canvas)
        return Double(max(all.width, all.height))
    }

    /// Returns a number of pixels that no distance between a pixel of the canvas and a point exceeds along an axis.
    ///
    /// - Parameter fractions: the point, as fractions of the extent.
    func largestDistance(from fractions: SIMD2<Double>) -> Double {
        let (center, all) = (point(fractions), extent.hull(canvas))
        return max(side, abs(center.x - Double(all.x)) + side, abs(center.y - Double(all.y)) + side)
    }

    /// Returns a colour as the numbers with which pixels are mixed: premultiplied, and decoded if the images are.
    func premultiplied(_ color: Color) -> SIMD4<Double> {
        let codes = SIMD3(color.red, color.green, color.blue)
        let light = decoding.map { curve in SIMD3(curve.decode(codes.x), curve.decode(codes.y), curve.decode(codes.z)) }
        return SIMD4((light ?? codes) * color.alpha, color.alpha)
    }

    /// Returns the point at fractions of the extent's width and height.
    func point(_ fractions: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(Double(extent.x), Double(extent.y)) + fractions * SIMD2(Double(extent.width), Double(extent.height))
    }

    /// Returns the distance from a rectangle's centre along a direction, for all pixels. Its range over the rectangle is
    /// symmetric, and ends at the rectangle's farthest corners.
    ///
    /// - Parameter rect: the rectangle; nil for the extent.
    func distance(along direction: SIMD2<Double>, over rect: Rect? = nil) -> LinearDistance {
        let rect = rect ?? extent
        let half = abs(direction.x) * Double(rect.width) / 2 + abs(direction.y) * Double(rect.height) / 2
        let center = SIMD2(Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2)
        let origin = (center * direction).sum()
        return LinearDistance(
            direction: direction, offset: direction.x / 2 + direction.y / 2 - origin, range: -half...half)
    }

    /// Returns the distance from a point to the farthest corner of the extent.
    func farthestCorner(from point: SIMD2<Double>) -> Double {
        let (low, high) = (self.point(SIMD2(0, 0)), self.point(SIMD2(1, 1)))
        let x = max(abs(point.x - low.x), abs(point.x - high.x))
        let y = max(abs(point.y - low.y), abs(point.y - high.y))
        return (x * x + y * y).squareRoot()
    }
}

/// The signed distance of pixels from a line: `u = x * direction.x + y * direction.y + offset` for pixel (x, y).
package struct LinearDistance: Sendable, Hashable {
    /// The unit vector in which the distance grows.
    package let direction: SIMD2<Double>
    /// The distance of the centre of pixel (0, 0).
    package let offset: Double
    /// The range of distances in the extent. Distances of pixels outside the extent are clamped to it.
    package let range: ClosedRange<Double>

    /// Returns a distance, clamped to the range over the extent.
    func clamped(_ distance: Double) -> Double { min(max(distance, range.lowerBound), range.upperBound) }

    /// The unit vector at an angle, clockwise from the x axis.
    static func direction(_ angle: Double) -> SIMD2<Double> { SIMD2(cos(angle), sin(angle)) }

    /// The parameters for a shader: direction, offset, and the range as half its length. The range is symmetric.
    package var parameters: [Double] { [direction.x, direction.y, offset, range.upperBound] }
}

extension SIMD4<Double> {
    /// The four components, for the numbers of a shader.
    var list: [Double] { [x, y, z, w] }
}
