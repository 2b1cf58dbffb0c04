import FrostCore
import Glibc

/// ``PageCurl`` in double precision.
struct ExactPageCurl: ExactDrawing {
    private let curl: PageCurl
    private let distance: ExactDistance
    private let axis, time: Double
    private let scene: ExactScene

    init(_ curl: PageCurl, _ scene: ExactScene) {
        self.curl = curl
        self.scene = scene
        let canvas = Rect(x: 0, y: 0, width: scene.canvas.width, height: scene.canvas.height)
        distance = scene.distance(along: SIMD2(angle: curl.angle), over: canvas.hull(scene.extent))
        time = scene.time
        axis = distance.low * (1 - time) + (distance.high + curl.radius) * time
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let (position, radius) = (SIMD2(centerOf: x, y), curl.radius)
        /// How far the pixel lies behind the axis of the cylinder.
        let behind = axis - distance.unclamped(position)
        let ramp = unit(radius - behind + 1 - time)
        /// The cylinder's normal, as its component against the angle.
        let normal = min(max(behind / radius, 0), 1)
        let isAhead = behind < 0
        let arc = radius * asin(normal)
        let bent = min(behind, radius)
        let shade = 1 - PageCurl.darkening * (1 - (1 - normal * normal).squareRoot())
        let backArc = .pi * radius - (isAhead ? bent : arc)
        let backPlace = position + distance.direction * (bent - backArc)
        var front = ExactMixture.SourceLayer(share: ramp, shade: shade)
        if !isAhead { front.place = .at(position + distance.direction * (bent - arc)) }
        var mixture = ExactMixture(source: [front])
        if let shadow = curl.shadow, scene.shadowExtent.contains(Rect(x: x, y: y, width: 1, height: 1)) {
            let sigma = max(0.5, shadow.size * radius)
            let strength =
                shadow.amount * unit((axis - distance.low) / radius) * unit((distance.high + radius - axis) / radius)
            mixture.targetShade = 1 - strength * (1 - normalIntegral((behind - radius) / sigma))
            mixture.source[0].shade *= 1 - strength * blurredPage(at: backPlace, sigma)
        }
        mixture.over = [(lit(back(at: backPlace), normal), ramp)]
        if let shading = scene.shading {
            let color = shading.sample(atFractions: 0.5 - distance.direction * normal / 2)
            mixture.over.append((color, ramp * scene.canvas.coverage(at: backPlace) * unit(behind + 0.5)))
        }
        return mixture
    }

    /// Returns a colour of the page's back in the light that falls on it.
    private func lit(_ back: SIMD4<Double>, _ normal: Double) -> SIMD4<Double> {
        let brightness = cos(asin(normal) - .pi / 6)
        let gloss = curl.sheen * pow(4 * normal * (1 - normal), 2)
        let white = SIMD4(repeating: back[3])
        let dimmed = back * SIMD4(brightness, brightness, brightness, 1)
        return dimmed + (white - dimmed) * gloss
    }

    /// Returns the colour of the page's back at a position of the page.
    private func back(at position: SIMD2<Double>) -> SIMD4<Double> {
        guard let backside = scene.backside else {
            let color = scene.source.sample(at: position)
            let white = SIMD4(repeating: color[3])
            return color + (white - color) * PageCurl.paper
        }
        let size = scene.source.size
        return backside.sample(atFractions: position / SIMD2(Double(size.width), Double(size.height)))
            * size.coverage(at: position)
    }

    /// Returns the Gaussian blur of the canvas's rectangle at a position.
    private func blurredPage(at position: SIMD2<Double>, _ sigma: Double) -> Double {
        func blurred(_ place: Double, _ side: Int) -> Double {
            normalIntegral(place / sigma) - normalIntegral((place - Double(side)) / sigma)
        }
        return blurred(position.x, scene.canvas.width) * blurred(position.y, scene.canvas.height)
    }

    /// The integral of the normal distribution with standard deviation 1, from -infinity.
    private func normalIntegral(_ value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }
}
