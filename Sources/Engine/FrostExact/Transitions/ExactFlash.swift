import FrostCore
import Glibc

/// ``Flash`` in double precision.
struct ExactFlash: ExactDrawing {
    private let flash: Flash
    private let center: SIMD2<Double>
    private let reach, time: Double
    private let color: SIMD4<Double>

    init(_ flash: Flash, _ scene: ExactScene) {
        self.flash = flash
        center = scene.point(flash.center)
        reach = scene.farthestCorner(from: center)
        time = scene.time
        color = scene.light(flash.color)
    }

    func mixture(x: Int, y: Int) -> ExactMixture {
        let isBurst = time < flash.fadeThreshold
        guard isBurst else {
            var mixture = ExactMixture(share: 0)
            mixture.light = (color, Flash.gain * pow((1 - time) / (1 - flash.fadeThreshold), 2))
            return mixture
        }
        return burst(SIMD2(centerOf: x, y) - center)
    }

    /// Returns the burst until `fadeThreshold`, at an offset from the centre.
    private func burst(_ offset: SIMD2<Double>) -> ExactMixture {
        let distance = max(0.5, min(offset.length, reach))
        let radius = pow(reach + 1, time / flash.fadeThreshold) - 1
        let glow = pow(min(1, radius / distance), 4)
        var mixture = ExactMixture(share: 1 - unit(5 * glow - 4))
        mixture.light = (color, min(Flash.gain, Flash.gain * glow + ray(offset, distance, radius)))
        return mixture
    }

    /// Returns the gain of a ray outside the burst's radius.
    private func ray(_ offset: SIMD2<Double>, _ distance: Double, _ radius: Double) -> Double {
        guard distance > radius else { return 0 }
        let length = radius * max(flash.maxStriationRadius - 1, 0.01)
        let fading = max(0, 1 - (distance - radius) / length)
        let noise = noise(at: atan2(offset.y, offset.x))
        return flash.striationStrength * flash.striationContrast * noise * noise * fading * fading
    }

    /// Returns the noise at an angle in radians. It is interpolated between the values of the table by a smoothstep.
    private func noise(at angle: Double) -> Double {
        let rays = Flash.rays
        let turns = angle / (2 * .pi)
        let place = (turns - turns.rounded(.down)) * Double(rays.count)
        let part = place - place.rounded(.down)
        let first = Int(place) % rays.count
        return rays[first] + (rays[(first + 1) % rays.count] - rays[first]) * part * part * (3 - 2 * part)
    }
}
