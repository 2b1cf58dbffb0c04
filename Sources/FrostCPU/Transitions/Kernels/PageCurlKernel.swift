import FrostCore

/// The kernel of ``PageCurl``.
struct PageCurlKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.movedPage, .pageShade, .targetShade, .back, .shading]
    private let radius, ramp, directionX, directionY: Float
    private let shadowAmount, perSigma: Float
    private let canvas: (width: Float, height: Float)
    private let drawing: PageCurl.Drawing

    init(_ drawing: PageCurl.Drawing) {
        self.drawing = drawing
        (radius, ramp) = (Float(drawing.radius), Float(drawing.ramp))
        directionX = Float(drawing.distance.direction.x)
        directionY = Float(drawing.distance.direction.y)
        shadowAmount = Float(drawing.shadowAmount)
        perSigma = Float((0.5).squareRoot() / drawing.shadowSigma)
        canvas = (Float(drawing.canvas.width), Float(drawing.canvas.height))
    }

    func fill(_ block: TransitionBlock) {
        let (first, step) = drawing.distance.row(block, from: drawing.axis)
        // x of the law is -(u - a).
        let (start, end) = (-first, -first - step * Float(block.count - 1))
        let (low, high) = (min(start, end), max(start, end))
        if low > radius + 1 {
            fillTarget(block, start, step)
        } else if high <= 0, radius - high + ramp >= 1, isFarFromFlap(block, start, end) {
            // Nothing of the page is bent or hidden here.
            block.fill(.page, 1)
            block.parts = []
        } else {
            fillPage(block, start, step, isFlat: high <= 0)
        }
    }

    /// Whether neither the rolled part of the page nor its shadow reaches a block of the flat page. `start` and `end` are x
    /// of the law at the block's first and last pixel. The points that the back would show lie on a line between those of
    /// these two pixels. Beyond 4 / perSigma, which is 5.6 standard deviations, the shadow is below 1e-7.
    private func isFarFromFlap(_ block: TransitionBlock, _ start: Float, _ end: Float) -> Bool {
        let margin = shadowAmount > 0 ? max(0.5, 4 / perSigma) : 0.5
        func rear(_ i: Int, _ x: Float) -> SIMD2<Float> {
            let shift = 2 * x - radius * .pi
            return SIMD2(
                Float(block.x + i) + 0.5 + shift * directionX, Float(block.y) + 0.5 + shift * directionY)
        }
        let (a, b) = (rear(0, start), rear(block.count - 1, end))
        return max(a.x, b.x) < -margin || min(a.x, b.x) > canvas.width + margin || max(a.y, b.y) < -margin
            || min(a.y, b.y) > canvas.height + margin
    }

    /// Fills a block that is wholly behind the roll.
    private func fillTarget(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        block.fill(.page, 0)
        block.parts = []
        let low = min(start, start - step * Float(block.count - 1))
        guard shadowAmount > 0, castsShadow(rowOf: block), (low - radius) * perSigma < 4 else { return }
        block.parts = .targetShade
        fillRollShadow(block, start, step)
    }

    /// Fills the brightness of the target beside the roll.
    private func fillRollShadow(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        let columns = shadowColumns(of: block)
        // SAFETY: the row has room for `count` numbers.
        let (shade, steps) = unsafe (block[.targetShade], block.steps)
        for i in 0..<block.count {
            let x = unsafe start - steps[i] * step
            let shadow = shadowAmount * 0.5 * (1 - errorFunction((x - radius) * perSigma))
            unsafe shade[i] = 1 - (steps[i] >= columns.low && steps[i] < columns.high ? shadow : 0)
        }
    }

    /// Darkens the page by the shadow of its flap.
    private func addFlapShadow(_ block: TransitionBlock) {
        let columns = shadowColumns(of: block)
        // SAFETY: the rows have room for `count` numbers.
        let (shade, steps, xs, ys) = unsafe (block[.pageShade], block.steps, block[.backX], block[.backY])
        for i in 0..<block.count {
            let shadow = unsafe shadowAmount * rectangleShadow(xs[i], ys[i])
            unsafe shade[i] *= 1 - (steps[i] >= columns.low && steps[i] < columns.high ? shadow : 0)
        }
    }

    private func fillPage(_ block: TransitionBlock, _ start: Float, _ step: Float, isFlat: Bool) {
        block.parts = parts
        let hasShadow = shadowAmount > 0 && castsShadow(rowOf: block)
        // SAFETY: the rows have room for `count` numbers.
        let (page, hidden, pageShade) = unsafe (block[.page], block[.hidden], block[.pageShade])
        let (pageX, pageY) = unsafe (block[.pageX], block[.pageY])
        let (back, backShade, backX, backY) = unsafe (block[.back], block[.backShade], block[.backX], block[.backY])
        let (shading, shadingX, shadingY) = unsafe (block[.shading], block[.shadingX], block[.shadingY])
        let placeY = Float(block.y) + 0.5
        let (steps, firstX, width, height) = unsafe (block.steps, Float(block.x) + 0.5, canvas.width, canvas.height)
        for i in 0..<block.count {
            let placeX = unsafe firstX + steps[i]
            let x = unsafe start - steps[i] * step
            let weight = unit(radius - x + ramp)
            // The point on the front, and the point on the back, as distances from the axis line.
            let onRoll = unit(x / radius)
            let arc = x > 0 ? radius * arcSine(onRoll) : x
            let behind = radius * .pi - arc
            let bent = min(x, radius)
            let (frontX, frontY) = (placeX + (bent - arc) * directionX, placeY + (bent - arc) * directionY)
            let (rearX, rearY) = (placeX + (bent - behind) * directionX, placeY + (bent - behind) * directionY)
            let squared = 1 - onRoll * onRoll
            let shade = 1 - Float(PageCurl.darkening) * (1 - (squared > 0 ? squared : 0).squareRoot())
            unsafe page[i] = weight
            unsafe hidden[i] =
                weight * (x > 0 ? coverage(frontX, frontY, width: width, height: height) : 1)
            unsafe pageShade[i] = shade
            unsafe pageX[i] = frontX
            unsafe pageY[i] = frontY
            let behindWeight = weight * coverage(rearX, rearY, width: width, height: height)
            unsafe back[i] = behindWeight
            unsafe backShade[i] = shade
            unsafe backX[i] = rearX
            unsafe backY[i] = rearY
            unsafe shading[i] = behindWeight * unit(x + 0.5)
            unsafe shadingX[i] = 0.5 - 0.5 * directionX * onRoll
            unsafe shadingY[i] = 0.5 - 0.5 * directionY * onRoll
        }
        if hasShadow {
            fillRollShadow(block, start, step)
            addFlapShadow(block)
        } else {
            block.parts.remove(.targetShade)
        }
        guard isFlat else { return }
        // Far ahead of the roll, nothing of the page is bent.
        block.parts.remove(.movedPage)
        if block.isFilled(.back, with: 0) {
            block.parts.subtract([.back, .shading])
            if !hasShadow { block.parts = [] }
        }
    }

    /// The Gaussian blur of the page's rectangle at a point of the page.
    @inline(__always) private func rectangleShadow(_ x: Float, _ y: Float) -> Float {
        0.25 * (errorFunction(x * perSigma) - errorFunction((x - canvas.width) * perSigma))
            * (errorFunction(y * perSigma) - errorFunction((y - canvas.height) * perSigma))
    }

    private func castsShadow(rowOf block: TransitionBlock) -> Bool { drawing.shadowExtent.rows.contains(block.y) }

    /// The indices of a block's pixels between which shadows fall.
    private func shadowColumns(of block: TransitionBlock) -> (low: Float, high: Float) {
        let columns = drawing.shadowExtent.columns
        return (Float(columns.lowerBound - block.x), Float(columns.upperBound - block.x))
    }
}
