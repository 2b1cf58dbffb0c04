import FrostCore
import Glibc

/// ``Ripple`` in double precision.
struct ExactRipple: ExactDrawing {
    private let center: SIMD2<Double>
    private let reach, crest, width, scale: Double
    private let shading: ExactPicture?

    init(_ ripple: Ripple, _ scene: ExactScene) {
        center = scene.point(ripple.center)
        reach = scene.farthestCorner(from: center)
        width = ripple.width
        let limit = ripple.width * (ripple.scale < 0 ? 0.57 : 0.41)
        scale = ripple.scale / pow(1 + pow(ripple.scale / limit, 4), 0.25)
        crest = scene.time * (reach + 2 * width) - width
        shading = scene.shading
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let offset = SIMD2(centerOf: x, y) - center
        let (distance, outward) = (offset.length, offset.normalized)
        let phase = (min(distance, reach) - crest) / width
        var mixture = ExactMixture(share: 1 - unit((1 - phase) / 2))
        guard abs(phase) <= 1 else { return mixture }
        let height = (1 + cos(.pi * phase)) / 2
        let place = center + outward * (distance - scale * height * min(1, distance / width))
        mixture.target = .within(place)
        mixture.source[0].place = .within(place)
        if let shading {
            let slope = scale * .pi / (2 * width) * sin(.pi * phase)
            let normal = outward * (slope / (1 + slope * slope).squareRoot())
            mixture.over = [(shading.sample(atFractions: 0.5 + normal / 2), height)]
        }
        return mixture
    }
}
