import FrostCore

/// The kernel of ``BarsSwipe``.
struct BarsSwipeKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.movedPage, .second]
    private let drawing: BarsSwipe.Drawing

    init(_ drawing: BarsSwipe.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        let (along, across) = (drawing.along, drawing.across)
        let u = Line(along.row(block, from: along.range.lowerBound), length: 2 * along.range.upperBound)
        let v = Line(across.row(block, from: across.range.lowerBound), length: 2 * across.range.upperBound)
        let (width, last) = (Float(drawing.width), drawing.lastBar)
        let lastPixel = Float(block.count - 1)
        // Bars that have not started yet show the source at its own place.
        let lowest = min(bar(at: v[0]), bar(at: v[lastPixel])) - 1
        if Double(lowest) * drawing.barOffset >= drawing.travel, min(u[0], u[lastPixel]) + Float(drawing.ramp) >= 1 {
            block.fill(.page, 1)
            block.parts = []
            return
        }
        // Most rows of pixels cross few bars. Each bar is computed in one loop.
        var first = 0
        var hasSecond = false
        while first < block.count {
            let bar = bar(at: v[Float(first)])
            var end = block.count
            if v.step != 0, block.count - first > 1 {
                // The number of pixels up to the border, and then the exact border among its neighbours.
                let border = Float(v.step > 0 ? bar + 1 : bar) * width
                let guess = ((border - v.first) / v.step).rounded(.up)
                end = Int(limited(guess - 1, Float(first + 1), Float(block.count)))
                while end < block.count, self.bar(at: v[Float(end)]) == bar { end += 1 }
            }
            if fill(block, first..<end, bar: bar, of: last, u, v) { hasSecond = true }
            first = end
        }
        block.parts = hasSecond ? parts : block.isFilled(.page, with: 0) ? [] : .movedPage
    }

    /// The distances of a block's pixels from the start of their range.
    private struct Line {
        let first, step, length: Float

        init(_ row: (first: Float, step: Float), length: Double) {
            (first, step, self.length) = (row.first, row.step, Float(length))
        }

        @inline(__always) subscript(i: Float) -> Float { limited(first + i * step, 0, length) }
    }

    private func bar(at v: Float) -> Int { min(Int(v / Float(drawing.width)), drawing.lastBar) }

    /// Computes the pixels of one bar.
    ///
    /// - Returns: whether a pixel is at the border to another bar.
    private func fill(
        _ block: TransitionBlock, _ pixels: Range<Int>, bar: Int, of last: Int, _ u: Line, _ v: Line
    ) -> Bool {
        let (ramp, barWidth, start) = (Float(drawing.ramp), Float(drawing.width), Float(bar) * Float(drawing.width))
        let (width, height) = (Float(drawing.canvas.width), Float(drawing.canvas.height))
        let (own, before, after) = (
            Place(drawing, block, bar), Place(drawing, block, bar - 1), Place(drawing, block, bar + 1)
        )
        let (hasBefore, hasAfter) = (bar > 0, bar < last)
        // SAFETY: the rows have room for `count` numbers.
        let (page, pageX, pageY) = unsafe (block[.page], block[.pageX], block[.pageY])
        let (second, secondX, secondY) = unsafe (block[.second], block[.secondX], block[.secondY])
        let (hidden, steps) = unsafe (block[.hidden], block.steps)
        var isAtBorder: UInt32 = 0
        for i in pixels {
            let step = unsafe steps[i]
            let below = v[step] - start
            let above = barWidth - below
            let isBefore = below < 0.5 && hasBefore
            let isSecond = isBefore || (above < 0.5 && hasAfter)
            let part = isSecond ? 0.5 - (isBefore ? below : above) : 0
            let (x, y) = (own.x(step), own.y)
            let weight = (1 - part) * unit(u[step] - own.moved + ramp)
            let otherX = isSecond ? (isBefore ? before.x(step) : after.x(step)) : -2
            let otherY = isSecond ? (isBefore ? before.y : after.y) : -2
            let otherWeight = part * unit(u[step] - (isBefore ? before.moved : after.moved) + ramp)
            unsafe page[i] = weight
            unsafe pageX[i] = x
            unsafe pageY[i] = y
            unsafe second[i] = otherWeight
            unsafe secondX[i] = otherX
            unsafe secondY[i] = otherY
            unsafe hidden[i] =
                otherWeight * coverage(otherX, otherY, width: width, height: height) + weight
                * coverage(x, y, width: width, height: height)
            isAtBorder |= isSecond ? 1 : 0
        }
        return isAtBorder != 0
    }

    /// How far a bar has moved, and where a block shows it.
    private struct Place {
        let moved, y: Float
        private let firstX: Double

        init(_ drawing: BarsSwipe.Drawing, _ block: TransitionBlock, _ bar: Int) {
            let moved = max(0, drawing.travel - Double(bar) * drawing.barOffset)
            self.moved = Float(moved)
            firstX = Double(block.x) + 0.5 - moved * drawing.along.direction.x
            y = Float(Double(block.y) + 0.5 - moved * drawing.along.direction.y)
        }

        /// The position on the source that a pixel of the block shows.
        @inline(__always) func x(_ step: Float) -> Float { Float(firstX + Double(step)) }
    }
}
