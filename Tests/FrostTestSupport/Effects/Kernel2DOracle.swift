public import FrostCore
import Glibc

/// Computes disc, motion and zoom blurs in Double from their definitions, without the library's kernel code.
public enum Kernel2DOracle: Sendable {
    case disc(radius: Double)
    /// The angle is in radians. It grows clockwise on the screen, because y points down.
    case motion(radius: Double, clockwise: Double)
    /// The centre is given as fractions of the image's width and height. Each pixel is the mean along a line through the
    /// pixel and the centre. The line begins at the pixel and extends in both directions. Towards the centre, its length is
    /// `inward` times the pixel's distance to the centre; away from the centre, it is `outward` times this distance.
    case zoom(centerX: Double, centerY: Double, inward: Double, outward: Double)

    /// A point at which the image is read, relative to the output pixel, and the weight of this point.
    private typealias Sample = (x: Double, y: Double, weight: Double)

    /// Computes the blurred pixels of a region.
    ///
    /// - Parameter image: the image in premultiplied RGBA. Its top left pixel lies at the origin.
    public func render(_ image: SampleRows, edge: EdgeMode, region: Rect) -> SampleRows {
        let canvas = EndlessImage(image, edge: edge)
        let fixed = fixedSamples
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { row in
            let y = region.y + row
            return region.columns.flatMap { x -> [Double] in
                let samples = fixed ?? zoomSamples(x, y, width: image.width, height: image.height)
                var sum = SIMD4<Double>.zero
                var total = 0.0
                for sample in samples {
                    sum += sample.weight * canvas.mixed(Double(x) + sample.x, Double(y) + sample.y)
                    total += sample.weight
                }
                return (0..<4).map { sum[$0] / total }
            }
        }
    }

    private var fixedSamples: [Sample]? {
        switch self {
        case .disc(let radius):
            let reach = Int(radius) + 1
            return (-reach...reach).flatMap { y in
                (-reach...reach).compactMap { x in
                    let area = Self.area(Double(x), Double(y), radius)
                    return area > 0 ? (Double(x), Double(y), area) : nil
                }
            }
        case .motion(let radius, let angle):
            guard radius > 0.5 else { return [(0, 0, 1)] }
            let reach = Int(radius) + 1
            return (-reach...reach).compactMap { k in
                let part = max(0, min(1, radius + 0.5 - abs(Double(k))))
                return part > 0 ? (Double(k) * cos(angle), Double(k) * sin(angle), part) : nil
            }
        case .zoom: return nil
        }
    }

    private func zoomSamples(_ x: Int, _ y: Int, width: Int, height: Int) -> [Sample] {
        guard case .zoom(let centerX, let centerY, let inward, let outward) = self else { return [] }
        let dx = centerX * Double(width) - (Double(x) + 0.5)
        let dy = centerY * Double(height) - (Double(y) + 0.5)
        let steps = max(abs(dx), abs(dy))
        let (from, to) = (-outward * steps, inward * steps)
        guard to > from else { return [(0, 0, 1)] }
        return (Int(from - 1)...Int(to + 1)).compactMap { k in
            let part = min(to, Double(k) + 0.5) - max(from, Double(k) - 0.5)
            return part > 0 ? (Double(k) * dx / steps, Double(k) * dy / steps, part) : nil
        }
    }

    /// Returns the area that the unit square centred at (x, y) shares with the disc around the origin. Each side of the
    /// square forms a triangle with the origin. The result is the sum of the signed areas that these four triangles share
    /// with the disc.
    private static func area(_ x: Double, _ y: Double, _ radius: Double) -> Double {
        let corners = [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
        return max(0, (0..<4).reduce(0) { $0 + sector(corners[$1], corners[($1 + 1) % 4], radius) })
    }

    /// Returns the area that the disc shares with the triangle whose corners are the origin, `a` and `b`. The orientation of
    /// the triangle gives the sign of the result.
    private static func sector(_ a: (Double, Double), _ b: (Double, Double), _ radius: Double) -> Double {
        func cross(_ p: (Double, Double), _ q: (Double, Double)) -> Double { p.0 * q.1 - p.1 * q.0 }
        func dot(_ p: (Double, Double), _ q: (Double, Double)) -> Double { p.0 * q.0 + p.1 * q.1 }
        func slice(_ p: (Double, Double), _ q: (Double, Double)) -> Double {
            atan2(cross(p, q), dot(p, q)) * radius * radius / 2
        }
        let step = (b.0 - a.0, b.1 - a.1)
        // The side is the line a + t step. It meets the circle at the two values of t for which |a + t step| = radius.
        let (p, q) = (dot(a, step) / dot(step, step), (dot(a, a) - radius * radius) / dot(step, step))
        let root = p * p - q
        guard root > 0 else { return slice(a, b) }
        let (enters, leaves) = (-p - sqrt(root), -p + sqrt(root))
        guard enters < 1, leaves > 0 else { return slice(a, b) }
        let first = max(0, enters)
        let last = min(1, leaves)
        let c = (a.0 + first * step.0, a.1 + first * step.1)
        let d = (a.0 + last * step.0, a.1 + last * step.1)
        return (first > 0 ? slice(a, c) : 0) + cross(c, d) / 2 + (last < 1 ? slice(d, b) : 0)
    }
}

/// An image that continues without limit beyond its edges, as the edge mode says.
private struct EndlessImage {
    private let pixels: [SIMD4<Double>]
    private let width, height: Int
    private let edge: EdgeMode

    init(_ image: SampleRows, edge: EdgeMode) {
        (width, height) = (image.width, image.height)
        self.edge = edge
        pixels = (0..<image.height).flatMap { y in
            let row = image[y]
            return (0..<image.width).map { SIMD4(row[4 * $0], row[4 * $0 + 1], row[4 * $0 + 2], row[4 * $0 + 3]) }
        }
    }

    /// Interpolates linearly between the four pixels around a point.
    func mixed(_ x: Double, _ y: Double) -> SIMD4<Double> {
        let (left, top) = (floor(x), floor(y))
        var sum = SIMD4<Double>.zero
        for (row, partY) in [(top, 1 - (y - top)), (top + 1, y - top)] where partY > 0 {
            for (column, partX) in [(left, 1 - (x - left)), (left + 1, x - left)] where partX > 0 {
                guard let place = edge.place(Int(column), of: width), let line = edge.place(Int(row), of: height) else {
                    continue
                }
                sum += partX * partY * pixels[line * width + place]
            }
        }
        return sum
    }
}
