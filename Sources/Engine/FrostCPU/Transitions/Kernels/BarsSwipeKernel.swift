import FrostCore

struct BarsSwipeKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.shiftedPage, .second]
    private let drawing: BarsSwipe.Drawing

    init(_ drawing: BarsSwipe.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        let (along, across) = (drawing.along, drawing.across)
        let u = Line(along.row(block, from: along.range.lowerBound), length: 2 * along.range.upperBound)
        let v = Line(across.row(block, from: across.range.lowerBound), length: 2 * across.range.upperBound)
        let width = Float(drawing.width)
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
        block.pageRuns.removeAll(keepingCapacity: true)
        block.secondRuns.removeAll(keepingCapacity: true)
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
            fill(block, first..<end, bar: bar, u, v)
            first = end
        }
        block.parts = !block.secondRuns.isEmpty ? parts : block.isFilled(.page, with: 0) ? [] : .shiftedPage
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
    private func fill(
        _ block: TransitionBlock, _ pixels: Range<Int>, bar: Int, _ u: Line, _ v: Line
    ) {
        let own = BarPosition(drawing, block, bar)
        block.pageRuns.append(own.run(pixels))
        let width = Float(drawing.width)
        let start = Float(bar) * width
        /// The other bar that a pixel shows too; nil for a pixel that is not at a border.
        func neighbour(_ i: Int) -> Int? {
            let below = v[Float(i)] - start
            if below < 0.5, bar > 0 { return bar - 1 }
            return width - below < 0.5 && bar < drawing.lastBar ? bar + 1 : nil
        }
        // v rises or falls along the block, so pixels of the same kind are neighbours.
        var first = pixels.lowerBound
        while first < pixels.upperBound {
            let other = neighbour(first)
            var end = first + 1
            if let other {
                while end < pixels.upperBound, neighbour(end) == other { end += 1 }
                fillBorder(block, first..<end, bar: bar, own, BarPosition(drawing, block, other), u, v)
            } else {
                end = pixels.upperBound
                while neighbour(end - 1) != nil { end -= 1 }
                fillInside(block, first..<end, own, u)
            }
            first = end
        }
    }

    /// Computes pixels that show one bar only.
    private func fillInside(_ block: TransitionBlock, _ pixels: Range<Int>, _ own: BarPosition, _ u: Line) {
        let (ramp, width, height) = (Float(drawing.ramp), Float(drawing.canvas.width), Float(drawing.canvas.height))
        // SAFETY (this and the function below): the rows have room for `count` numbers.
        let (page, hidden, steps) = unsafe (block[.page], block[.hidden], block.steps)
        for i in pixels {
            let step = unsafe steps[i]
            let weight = unit(u[step] - own.moved + ramp)
            unsafe page[i] = weight
            unsafe hidden[i] = weight * coverage(own.x(step), own.y, width: width, height: height)
        }
    }

    /// Computes pixels at the border to another bar.
    private func fillBorder(
        _ block: TransitionBlock, _ pixels: Range<Int>, bar: Int, _ own: BarPosition, _ other: BarPosition, _ u: Line,
        _ v: Line
    ) {
        block.secondRuns.append(other.run(pixels))
        let (ramp, width, height) = (Float(drawing.ramp), Float(drawing.canvas.width), Float(drawing.canvas.height))
        let (barWidth, start) = (Float(drawing.width), Float(bar) * Float(drawing.width))
        let (page, second, hidden, steps) = unsafe (block[.page], block[.second], block[.hidden], block.steps)
        for i in pixels {
            let step = unsafe steps[i]
            let below = v[step] - start
            let part = 0.5 - min(below, barWidth - below)
            let weight = (1 - part) * unit(u[step] - own.moved + ramp)
            let otherWeight = part * unit(u[step] - other.moved + ramp)
            unsafe page[i] = weight
            unsafe second[i] = otherWeight
            unsafe hidden[i] =
                otherWeight * coverage(other.x(step), other.y, width: width, height: height) + weight
                * coverage(own.x(step), own.y, width: width, height: height)
        }
    }

    /// How far a bar has moved, and where a block shows it.
    private struct BarPosition {
        let moved, y: Float
        private let position: SIMD2<Double>

        init(_ drawing: BarsSwipe.Drawing, _ block: TransitionBlock, _ bar: Int) {
            let moved = max(0, drawing.travel - Double(bar) * drawing.barOffset)
            self.moved = Float(moved)
            position = SIMD2(Double(block.x) + 0.5, Double(block.y) + 0.5) - moved * drawing.along.direction
            y = Float(position.y)
        }

        /// The position on the source that a pixel of the block shows.
        @inline(__always) func x(_ step: Float) -> Float { Float(position.x) + step }

        func run(_ pixels: Range<Int>) -> TransitionBlock.Run {
            TransitionBlock.Run(pixels: pixels, x: position.x + Double(pixels.lowerBound), y: position.y)
        }
    }
}
