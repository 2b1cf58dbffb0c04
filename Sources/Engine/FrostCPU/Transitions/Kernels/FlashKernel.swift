import FrostCore

struct FlashKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = .light
    let color: SIMD4<Double>
    let isColorAdded = true
    private let drawing: Flash.Drawing
    private let rays: [Float]

    init(_ drawing: Flash.Drawing) {
        self.drawing = drawing
        switch drawing {
        case .burst(let burst): color = burst.color
        case .fade(_, let color): self.color = color
        }
        // The first value follows the last one, so that each value has a next one.
        rays = (Flash.rays + [Flash.rays[0]]).map { Float($0) }
    }

    func fill(_ block: TransitionBlock) {
        block.parts = .light
        switch drawing {
        case .fade(let gain, _):
            block.fill(.page, 0)
            block.fill(.light, Float(gain))
        case .burst(let burst): fill(block, burst)
        }
    }

    private func fill(_ block: TransitionBlock, _ burst: Flash.Burst) {
        let firstX = Float(Double(block.x) + 0.5 - burst.center.x)
        let dy = Float(Double(block.y) + 0.5 - burst.center.y)
        let (reach, radius, gain) = (Float(burst.reach), Float(burst.radius), Float(Flash.gain))
        // SAFETY: the rows have room for `count` numbers.
        let (page, light, distances) = unsafe (block[.page], block[.light], block[.distance])
        let steps = unsafe block.steps
        // Without rays the loop has no branches, so it is vectorised.
        for i in 0..<block.count {
            let dx = unsafe firstX + steps[i]
            let r = limited((dx * dx + dy * dy).squareRoot(), 0.5, reach)
            let ratio = r > radius ? radius / r : 1
            let glow = ratio * ratio * ratio * ratio
            unsafe page[i] = 1 - unit(5 * glow - 4)
            unsafe light[i] = gain * glow
            unsafe distances[i] = r
        }
        let lastX = firstX + Float(block.count - 1)
        let nearX = firstX > 0 ? firstX : lastX < 0 ? lastX : 0
        let farX = -firstX > lastX ? firstX : lastX
        let nearest = limited((nearX * nearX + dy * dy).squareRoot(), 0.5, reach)
        let farthest = limited((farX * farX + dy * dy).squareRoot(), 0.5, reach)
        // Rays lie between the burst and the end of the longest ray. The pixel is a margin for rounding.
        guard burst.rayGain > 0, farthest + 1 > radius, (nearest - 1 - radius) * Float(burst.rayReach) < 1 else {
            return
        }
        addRays(block, burst, firstX, dy)
    }

    /// Adds the rays outside the burst's radius to the light.
    private func addRays(_ block: TransitionBlock, _ burst: Flash.Burst, _ firstX: Float, _ dy: Float) {
        let (radius, gain) = (Float(burst.radius), Float(Flash.gain))
        let (rayGain, perReach) = (Float(burst.rayGain), Float(burst.rayReach))
        // SAFETY: the rows have room for `count` numbers.
        let (light, distances) = unsafe (block[.light], block[.distance])
        let steps = unsafe block.steps
        for i in 0..<block.count {
            let r = unsafe distances[i]
            let near = 1 - (r - radius) * perReach
            guard r > radius, near > 0 else { continue }
            let place = unsafe turns(firstX + steps[i], dy) * Float(Flash.rayCount)
            let index = min(Int(place), Flash.rayCount - 1)
            let t = place - Float(index)
            let smooth = t * t * (3 - 2 * t)
            let noise = rays[index] + (rays[index + 1] - rays[index]) * smooth
            unsafe light[i] = limited(light[i] + rayGain * noise * noise * near * near, 0, gain)
        }
    }
}
