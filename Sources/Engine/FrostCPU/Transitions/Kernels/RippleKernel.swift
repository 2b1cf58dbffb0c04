import FrostCore

struct RippleKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.movedPage, .movedTarget, .shading]
    private let drawing: Ripple.Drawing

    init(_ drawing: Ripple.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        if let page = constantShare(of: block) {
            block.fill(.page, page)
            block.parts = []
            return
        }
        fillWave(block)
    }

    /// The share of the source in a block that the wave does not reach: 0 or 1. Nil if it may reach the block.
    private func constantShare(of block: TransitionBlock) -> Float? {
        let left = Double(block.x) + 0.5 - drawing.center.x
        let right = left + Double(block.count - 1)
        let dy = Double(block.y) + 0.5 - drawing.center.y
        let nearest = left > 0 ? left : right < 0 ? right : 0
        let farthest = max(abs(left), abs(right))
        // 0.01 pixels allow for the rounding of floats.
        let (low, high) = (
            (nearest * nearest + dy * dy).squareRoot() - 0.01, (farthest * farthest + dy * dy).squareRoot() + 0.01
        )
        if min(low, drawing.reach) >= drawing.crest + drawing.width { return 1 }
        return high <= drawing.crest - drawing.width ? 0 : nil
    }

    private func fillWave(_ block: TransitionBlock) {
        let firstX = Float(Double(block.x) + 0.5 - drawing.center.x)
        let dy = Float(Double(block.y) + 0.5 - drawing.center.y)
        let (reach, crest) = (Float(drawing.reach), Float(drawing.crest))
        let (perWidth, scale) = (Float(1 / drawing.width), Float(drawing.scale))
        let slope = Float(drawing.scale * .pi / (2 * drawing.width))
        let (highX, highY) = (Float(drawing.canvas.width) - 0.5, Float(drawing.canvas.height) - 0.5)
        let (placeX, placeY) = (Float(block.x) + 0.5, Float(block.y) + 0.5)
        // SAFETY: the rows have room for `count` numbers.
        let (page, pageX, pageY) = unsafe (block[.page], block[.pageX], block[.pageY])
        let (shading, shadingX, shadingY) = unsafe (block[.shading], block[.shadingX], block[.shadingY])
        let steps = unsafe block.steps
        // An integer, because the compiler vectorises no maximum of floats.
        var isInWave: UInt32 = 0
        for i in 0..<block.count {
            let dx = unsafe firstX + steps[i]
            let r = (dx * dx + dy * dy).squareRoot()
            let q = ((r < reach ? r : reach) - crest) * perWidth
            let inWave = limited(q, -1, 1)
            let height = 0.5 * (1 + cosine(ofPi: inWave))
            let part = r * perWidth
            let shift = scale * height * (part < 1 ? part : 1)
            // The shift as a fraction of the distance. It is below 1, so no position passes the centre.
            let fraction = r > 0 ? shift / r : 0
            unsafe page[i] = 1 - unit(0.5 - 0.5 * q)
            unsafe pageX[i] = limited(placeX + steps[i] - dx * fraction, 0.5, highX)
            unsafe pageY[i] = limited(placeY - dy * fraction, 0.5, highY)
            let tilt = slope * sine(ofPi: inWave)
            let normal = r > 0 ? tilt / ((1 + tilt * tilt).squareRoot() * r) : 0
            unsafe shading[i] = height
            unsafe shadingX[i] = 0.5 + 0.5 * dx * normal
            unsafe shadingY[i] = 0.5 + 0.5 * dy * normal
            isInWave |= height > 0 ? 1 : 0
        }
        // Outside the wave every pixel keeps its position. It is at most the outermost pixel centre of the canvas there.
        guard isInWave != 0 else {
            block.parts = []
            return
        }
        block.parts = parts
        unsafe block[.hidden].update(from: page, count: block.count)
        unsafe block[.targetX].update(from: pageX, count: block.count)
        unsafe block[.targetY].update(from: pageY, count: block.count)
    }
}
