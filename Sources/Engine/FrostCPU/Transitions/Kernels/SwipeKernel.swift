import FrostCore

struct SwipeKernel: TransitionKernel {
    let parts: TransitionBlock.Parts
    let color: SIMD4<Double>
    private let drawing: Swipe.Drawing

    init(_ drawing: Swipe.Drawing) {
        self.drawing = drawing
        color = drawing.color
        parts = drawing.opacity > 0 ? .light : []
    }

    func fill(_ block: TransitionBlock) {
        block.parts = parts
        // The distances are counted from the edge, where precision matters.
        let (first, step) = drawing.distance.row(block, from: drawing.edge)
        let low = Float(drawing.distance.range.lowerBound - drawing.edge)
        let high = Float(drawing.distance.range.upperBound - drawing.edge)
        let (slope, gain) = (Float(drawing.slope), Float(4 * drawing.opacity))
        // SAFETY: the rows have room for `count` numbers.
        let (page, light) = unsafe (block[.page], block[.light])
        let steps = unsafe block.steps
        for i in 0..<block.count {
            let u = unsafe limited(first + steps[i] * step, low, high)
            let share = unit(-u * slope)
            unsafe page[i] = 1 - share
            unsafe light[i] = gain * share * (1 - share)
        }
    }
}
