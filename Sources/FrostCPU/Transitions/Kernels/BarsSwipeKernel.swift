import FrostCore

/// The kernel of ``BarsSwipe``.
struct BarsSwipeKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.movedPage, .second]
    private let drawing: BarsSwipe.Drawing

    init(_ drawing: BarsSwipe.Drawing) { self.drawing = drawing }

    func fill(_ block: TransitionBlock) {
        let (along, across) = (drawing.along, drawing.across)
        let (firstU, stepU) = along.row(block, from: along.range.lowerBound)
        let (firstV, stepV) = across.row(block, from: across.range.lowerBound)
        let lengthU = Float(along.range.upperBound - along.range.lowerBound)
        let lengthV = Float(across.range.upperBound - across.range.lowerBound)
        let width = Float(drawing.width)
        let last = drawing.lastBar
        let rows = Columns(block)
        var hasSecond = false
        for i in 0..<block.count {
            let u = limited(firstU + Float(i) * stepU, 0, lengthU)
            let v = limited(firstV + Float(i) * stepV, 0, lengthV)
            let bar = min(Int(v / width), last)
            let below = v - Float(bar) * width
            let above = width - below
            unsafe rows.hidden[i] = 0
            if below < 0.5, bar > 0 {
                let part = 0.5 - below
                unsafe put(rows.second, rows.hidden, block, i, bar - 1, u, part)
                unsafe put(rows.page, rows.hidden, block, i, bar, u, 1 - part)
                hasSecond = true
            } else if above < 0.5, bar < last {
                let part = 0.5 - above
                unsafe put(rows.second, rows.hidden, block, i, bar + 1, u, part)
                unsafe put(rows.page, rows.hidden, block, i, bar, u, 1 - part)
                hasSecond = true
            } else {
                unsafe put(rows.page, rows.hidden, block, i, bar, u, 1)
                unsafe rows.second.weight[i] = 0
                unsafe rows.second.x[i] = -2
                unsafe rows.second.y[i] = -2
            }
        }
        block.parts = hasSecond ? parts : .movedPage
    }

    /// Computes the weight and the position of one bar's pixel.
    @inline(__always)
    private func put(
        _ out: Columns.Pixel, _ hidden: UnsafeMutablePointer<Float>, _ block: TransitionBlock, _ i: Int, _ bar: Int,
        _ u: Float, _ part: Float
    ) {
        let moved = max(0, drawing.travel - Double(bar) * drawing.barOffset)
        let weight = part * unit(u - Float(moved) + Float(drawing.ramp))
        let x = Float(Double(block.x + i) + 0.5 - moved * drawing.along.direction.x)
        let y = Float(Double(block.y) + 0.5 - moved * drawing.along.direction.y)
        unsafe out.weight[i] = weight
        unsafe out.x[i] = x
        unsafe out.y[i] = y
        unsafe hidden[i] +=
            weight * coverage(x, y, width: Float(drawing.canvas.width), height: Float(drawing.canvas.height))
    }

    /// The rows of a block that the kernel writes.
    ///
    /// SAFETY: the block outlives this value, and its rows have room for all of its pixels.
    @safe private struct Columns {
        @safe struct Pixel {
            let weight, x, y: UnsafeMutablePointer<Float>
        }
        let page: Pixel
        let second: Pixel
        let hidden: UnsafeMutablePointer<Float>

        init(_ block: TransitionBlock) {
            page = unsafe Pixel(weight: block[.page], x: block[.pageX], y: block[.pageY])
            second = unsafe Pixel(weight: block[.second], x: block[.secondX], y: block[.secondY])
            unsafe hidden = block[.hidden]
        }
    }
}
