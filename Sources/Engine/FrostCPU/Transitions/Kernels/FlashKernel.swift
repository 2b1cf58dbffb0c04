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
        let (reach, radius) = (Float(burst.reach), Float(burst.radius))
        let (gain, rayGain, perReach) = (Float(Flash.gain), Float(burst.rayGain), Float(burst.rayReach))
        // SAFETY: the rows have room for `count` numbers.
        let (page, light) = unsafe (block[.page], block[.light])
        let steps = unsafe block.steps
        for i in 0..<block.count {
            let dx = unsafe firstX + steps[i]
            let distance = (dx * dx + dy * dy).squareRoot()
            let r = limited(distance, 0.5, reach)
            let ratio = r > radius ? radius / r : 1
            let glow = ratio * ratio * ratio * ratio
            unsafe page[i] = 1 - unit(5 * glow - 4)
            let near = 1 - (r - radius) * perReach
            guard ratio < 1, near > 0, rayGain > 0 else {
                unsafe light[i] = gain * glow
                continue
            }
            let place = turns(dx, dy) * Float(Flash.rayCount)
            let index = min(Int(place), Flash.rayCount - 1)
            let t = place - Float(index)
            let smooth = t * t * (3 - 2 * t)
            let noise = rays[index] + (rays[index + 1] - rays[index]) * smooth
            unsafe light[i] = limited(gain * glow + rayGain * noise * noise * near * near, 0, gain)
        }
    }
}
