import FrostCore

/// ``CopyMachine`` in double precision.
struct ExactCopyMachine: ExactDrawing {
    private let distance: ExactDistance
    private let bar, width, opacity, time: Double
    private let color: SIMD4<Double>

    init(_ machine: CopyMachine, _ scene: ExactScene) {
        distance = scene.distance(along: SIMD2(angle: machine.angle))
        width = machine.width
        let progress = 1 - abs(2 * scene.time - 1)
        bar = (distance.low - width / 2) * (1 - progress) + (distance.high + width / 2) * progress
        opacity = machine.opacity
        time = scene.time
        color = scene.light(machine.color)
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let distance = distance.clamped(SIMD2(centerOf: x, y))
        let share = time > 0.5 ? unit(distance - bar + 2 * time - 1) : 0
        let part = min(1, 2 * abs(distance - bar) / width)
        let bell = (1 - part * part) * (1 - part * part)
        var mixture = ExactMixture(share: 1 - share)
        mixture.over = [(color, opacity * bell / (1 + max(0, opacity - 1) * bell))]
        return mixture
    }
}
