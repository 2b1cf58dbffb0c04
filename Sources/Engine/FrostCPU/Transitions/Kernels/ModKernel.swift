import FrostCore

struct ModKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = []
    private let drawing: Mod.Drawing

    init(_ drawing: Mod.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        block.parts = []
        let firstX = Float(Double(block.x) + 0.5 - drawing.center.x)
        let y = Float(Double(block.y) + 0.5 - drawing.center.y)
        let axis = SIMD2<Float>(drawing.axis)
        let (pitch, perPitch) = (Float(drawing.pitch), Float(1 / drawing.pitch))
        let (stretch, radius, ramp) = (Float(drawing.stretch), Float(drawing.holeRadius), Float(drawing.ramp))
        // SAFETY: the row has room for `count` numbers.
        let page = unsafe block[.page]
        let steps = unsafe block.steps
        for i in 0..<block.count {
            let x = unsafe firstX + steps[i]
            let scale = 1 + (x * x + y * y).squareRoot() * stretch
            let (gridX, gridY) = ((x * axis.x + y * axis.y) / scale, (y * axis.x - x * axis.y) / scale)
            let dx = gridX - nearest(gridX * perPitch) * pitch
            let dy = gridY - nearest(gridY * perPitch) * pitch
            let distance = (dx * dx + dy * dy).squareRoot()
            unsafe page[i] = 1 - unit((radius - distance) * scale + ramp)
        }
    }
}
