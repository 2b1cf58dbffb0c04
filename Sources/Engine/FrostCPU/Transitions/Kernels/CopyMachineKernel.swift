import FrostCore

struct CopyMachineKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = .light
    let color: SIMD4<Double>
    private let drawing: CopyMachine.Drawing

    init(_ drawing: CopyMachine.Drawing) {
        self.drawing = drawing
        color = drawing.color
    }

    func fill(_ block: TransitionBlock) {
        block.parts = parts
        let (first, step) = drawing.distance.row(block, from: drawing.bar)
        let low = Float(drawing.distance.range.lowerBound - drawing.bar)
        let high = Float(drawing.distance.range.upperBound - drawing.bar)
        let (slope, opacity) = (Float(drawing.slope), Float(drawing.opacity))
        let excess = opacity > 1 ? opacity - 1 : 0
        // SAFETY: the rows have room for `count` numbers.
        let (page, light) = unsafe (block[.page], block[.light])
        let steps = unsafe block.steps
        for i in 0..<block.count {
            let u = unsafe limited(first + steps[i] * step, low, high)
            let part = unit((u < 0 ? -u : u) * slope)
            let inside = 1 - part * part
            let bell = inside * inside
            unsafe light[i] = opacity * bell / (1 + excess * bell)
            unsafe page[i] = u
        }
        if let ramp = drawing.ramp.map({ Float($0) }) {
            for i in 0..<block.count { unsafe page[i] = 1 - unit(page[i] + ramp) }
        } else {
            block.fill(.page, 1)
        }
    }
}
