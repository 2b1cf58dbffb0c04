import FrostCore
import FrostTestSupport
import Glibc

/// The laws of some transitions, with the parameters of ``TransitionTests``, written from their documentation in Double.
struct TransitionLaw {
    private let source: Reference.Image
    private let target: Reference.Image
    private let extent: Rect
    private let time: Double

    init(_ images: TransitionCase, time: Double) {
        source = Samples.image(of: images.source, at: images.source.layout.extent)
        target = Samples.image(of: images.target, at: images.target.layout.extent)
        extent = images.source.layout.extent
        self.time = time
    }

    /// Returns the premultiplied colour of a pixel.
    func color(_ name: String, _ x: Int, _ y: Int) -> SIMD4<Double> {
        switch name {
        case "dissolve": return mix(x, y, time)
        case "swipe":
            let m = swipeShare(x, y, angle: 33, width: 40)
            return over(mix(x, y, m), SIMD4(1, 128.0 / 255, 0, 1), 0.7 * 4 * m * (1 - m), alpha: 192.0 / 255)
        case "copy-machine":
            let (u, end) = distance(x, y, angle: 33)
            let b = -end - 12.5 + (2 * end + 25) * (1 - abs(2 * time - 1))
            let share = time > 0.5 ? clamp(u - b + 2 * time - 1) : 0
            let near = max(0, 1 - 2 * abs(u - b) / 25)
            return over(mix(x, y, share), SIMD4(0.6, 1, 0.8, 1), clamp(1.3 * near * near), alpha: 1)
        case "mod": return mix(x, y, modShare(x, y))
        default: preconditionFailure("no law of \(name)")
        }
    }

    /// Returns mix(source, target, share).
    func mix(_ x: Int, _ y: Int, _ share: Double) -> SIMD4<Double> {
        let from = pixel(source, x, y)
        return from + (pixel(target, x, y) - from) * share
    }

    /// Returns the target's share in a swipe.
    func swipeShare(_ x: Int, _ y: Int, angle: Double, width: Double) -> Double {
        let (u, end) = distance(x, y, angle: angle)
        return clamp((-end + (2 * end + width) * time - u) / width)
    }

    private func modShare(_ x: Int, _ y: Int) -> Double {
        let (radius, angle) = (9.0, 114.591559 * Double.pi / 180)
        let (dx, dy) = (Double(x) + 0.5 - Double(extent.width) / 2, Double(y) + 0.5 - Double(extent.height) / 2)
        let scale = 1 + hypot(dx, dy) / 40
        // The grid is turned by the angle, so the position is turned back.
        let gridX = (dx * cos(angle) + dy * sin(angle)) / scale
        let gridY = (dy * cos(angle) - dx * sin(angle)) / scale
        let pitch = 2 * radius
        let fromPoint = hypot(remainder(gridX, pitch), remainder(gridY, pitch))
        return clamp((2.0.squareRoot() * radius * time - fromPoint) * scale + time)
    }

    /// Returns the distance along an angle in degrees from the extent's centre, clamped to its range, and the range's end.
    private func distance(_ x: Int, _ y: Int, angle: Double) -> (u: Double, end: Double) {
        let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let (width, height) = (Double(extent.width), Double(extent.height))
        let end = abs(c) * width / 2 + abs(s) * height / 2
        let u = (Double(x) + 0.5 - width / 2) * c + (Double(y) + 0.5 - height / 2) * s
        return (min(max(u, -end), end), end)
    }

    private func pixel(_ image: Reference.Image, _ x: Int, _ y: Int) -> SIMD4<Double> {
        image.window.contains(Rect(x: x, y: y, width: 1, height: 1)) ? image[x, y] : .zero
    }

    /// Draws a straight colour over another with a weight.
    private func over(_ below: SIMD4<Double>, _ color: SIMD4<Double>, _ weight: Double, alpha: Double) -> SIMD4<Double>
    {
        let cover = weight * alpha
        return below * (1 - cover) + color * cover
    }

    private func clamp(_ x: Double) -> Double { min(max(x, 0), 1) }
}
