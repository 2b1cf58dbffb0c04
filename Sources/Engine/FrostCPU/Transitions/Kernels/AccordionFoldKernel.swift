import FrostCore

/// The kernel of ``AccordionFold``. All pixels of a row have the same numbers, apart from their columns.
struct AccordionFoldKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.shiftedPage, .pageShade]
    private let drawing: AccordionFold.Drawing

    init(_ drawing: AccordionFold.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        let fromTop = Double(block.y) + 0.5 - drawing.top
        let y = min(max(fromTop, 0), drawing.fullHeight)
        let weight = Float(drawing.opacity * min(max(drawing.height - y + drawing.ramp, 0), 1))
        block.fill(.page, weight)
        guard weight > 0 else {
            block.parts = []
            return
        }
        block.parts = parts
        block.fill(.pageShade, Float(1 - drawing.shade * darkPart(fromTop)))
        let place = drawing.top + y * drawing.fullHeight / drawing.height + (fromTop - y)
        block.pageRuns = [TransitionBlock.Run(pixels: 0..<block.count, x: Double(block.x) + 0.5, y: place)]
        let (width, height) = (Float(drawing.canvas.width), Float(drawing.canvas.height))
        block.fill(.hidden, weight * coverage(Float(block.x) + 0.5, Float(place), width: width, height: height))
    }

    /// The part of a pixel's height that lies on pleats which face away from the light.
    private func darkPart(_ y: Double) -> Double {
        /// The height of the dark pleats between the top and a distance from it.
        func dark(_ distance: Double) -> Double {
            let pairs = (distance / (2 * drawing.pleat)).rounded(.down)
            let rest = distance - pairs * 2 * drawing.pleat
            return pairs * drawing.pleat + max(0, rest - drawing.pleat)
        }
        return min(max(dark(y + 0.5) - dark(y - 0.5), 0), 1)
    }
}
