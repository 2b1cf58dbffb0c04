import FrostCore

/// ``Swipe`` in double precision.
struct ExactSwipe: ExactDrawing {
    private let distance: ExactDistance
    private let edge, width, opacity: Double
    private let color: SIMD4<Double>

    init(_ swipe: Swipe, _ scene: ExactScene) {
        distance = scene.distance(along: SIMD2(angle: swipe.angle))
        width = max(swipe.width, 1)
        edge = distance.low * (1 - scene.time) + (distance.high + width) * scene.time
        opacity = swipe.opacity
        color = scene.light(swipe.color)
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let share = unit((edge - distance.clamped(SIMD2(centerOf: x, y))) / width)
        var mixture = ExactMixture(share: 1 - share)
        mixture.over = [(color, opacity * 4 * share * (1 - share))]
        return mixture
    }
}
