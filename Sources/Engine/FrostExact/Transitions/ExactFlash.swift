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
        let weight =
            isBurst ? burst(SIMD2(centerOf: x, y) - center) : (1 - time) / (1 - flash.fadeThreshold)
        var mixture = ExactMixture(share: isBurst ? 1 : 0)
        mixture.over = [(color, weight)]
        return mixture
    }

    /// Returns the weight of the colour until `fadeThreshold`, at an offset from the centre.
    private func burst(_ offset: SIMD2<Double>) -> Double {
        let distance = max(0.5, min(offset.length, reach))
        let radius = pow(reach + 1, time / flash.fadeThreshold) - 1
        guard distance > radius else { return 1 }
        let length = radius * max(flash.maxStriationRadius - 1, 0.01)
        let fading = max(0, 1 - (distance - radius) / length)
        let noise = noise(at: atan2(offset.y, offset.x))
        let ray = flash.striationStrength * flash.striationContrast * noise * noise * fading * fading
        return min(1, pow(radius / distance, 4) + ray)
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
