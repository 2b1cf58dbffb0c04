import FrostCore

/// ``Mod`` in double precision.
struct ExactMod: ExactDrawing {
    private let center, axisX, axisY: SIMD2<Double>
    private let radius, compression, time: Double

    init(_ mod: Mod, _ scene: ExactScene) {
        center = scene.point(mod.center)
        axisX = SIMD2(angle: mod.angle)
        axisY = SIMD2(-axisX.y, axisX.x)
        radius = mod.radius
        compression = mod.compression
        time = scene.time
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let offset = SIMD2(centerOf: x, y) - center
        let scale = 1 + offset.length / compression
        let place = SIMD2((offset * axisX).sum(), (offset * axisY).sum()) / scale
        let pitch = 2 * radius
        let nearest = SIMD2((place.x / pitch).rounded(), (place.y / pitch).rounded()) * pitch
        let distance = (place - nearest).length
        return ExactMixture(share: 1 - unit((2.0.squareRoot() * radius * time - distance) * scale + time))
    }
}
