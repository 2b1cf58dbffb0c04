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
        } else {
            fillPage(block, start, step, isFlat: high <= 0)
        }
    }

    /// Fills a block that is wholly behind the roll.
    private func fillTarget(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        block.fill(.page, 0)
        block.parts = []
        guard shadowAmount > 0, castsShadow(rowOf: block) else { return }
        block.parts = .targetShade
        // SAFETY: the row has room for `count` numbers.
        let shade = unsafe block[.targetShade]
        for i in 0..<block.count { unsafe shade[i] = 1 - rollShadow(block.x + i, start - Float(i) * step) }
    }

    private func fillPage(_ block: TransitionBlock, _ start: Float, _ step: Float, isFlat: Bool) {
        block.parts = parts
        let hasShadow = shadowAmount > 0 && castsShadow(rowOf: block)
        // SAFETY: the rows have room for `count` numbers.
        let (page, hidden, pageShade) = unsafe (block[.page], block[.hidden], block[.pageShade])
        let (pageX, pageY) = unsafe (block[.pageX], block[.pageY])
        let (back, backShade, backX, backY) = unsafe (block[.back], block[.backShade], block[.backX], block[.backY])
        let (shading, shadingX, shadingY) = unsafe (block[.shading], block[.shadingX], block[.shadingY])
        let targetShade = unsafe block[.targetShade]
        let placeY = Float(block.y) + 0.5
        for i in 0..<block.count {
            let placeX = Float(block.x + i) + 0.5
            let x = start - Float(i) * step
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
            var flapShadow: Float = 0
            var targetShadow: Float = 0
            if hasShadow, castsShadow(column: block.x + i) {
                flapShadow = shadowAmount * rectangleShadow(rearX, rearY)
                targetShadow = rollShadow(block.x + i, x)
            }
            unsafe page[i] = weight
            unsafe hidden[i] =
                weight * (x > 0 ? coverage(frontX, frontY, width: canvas.width, height: canvas.height) : 1)
            unsafe pageShade[i] = shade * (1 - flapShadow)
            unsafe pageX[i] = frontX
            unsafe pageY[i] = frontY
            unsafe targetShade[i] = 1 - targetShadow
            unsafe back[i] = weight * coverage(rearX, rearY, width: canvas.width, height: canvas.height)
            unsafe backShade[i] = shade
            unsafe backX[i] = rearX
            unsafe backY[i] = rearY
            unsafe shading[i] = back[i] * unit(x + 0.5)
            unsafe shadingX[i] = 0.5 - 0.5 * directionX * onRoll
            unsafe shadingY[i] = 0.5 - 0.5 * directionY * onRoll
        }
        // Far ahead of the roll, nothing of the page is bent or hidden.
        if isFlat, !hasShadow, block.range(.back).high == 0 { block.parts = [] }
    }

    /// The weight of the roll's shadow on the target.
    @inline(__always) private func rollShadow(_ column: Int, _ x: Float) -> Float {
        castsShadow(column: column) ? shadowAmount * 0.5 * (1 - errorFunction((x - radius) * perSigma)) : 0
    }

    /// The Gaussian blur of the page's rectangle at a point of the page.
    @inline(__always) private func rectangleShadow(_ x: Float, _ y: Float) -> Float {
        0.25 * (errorFunction(x * perSigma) - errorFunction((x - canvas.width) * perSigma))
            * (errorFunction(y * perSigma) - errorFunction((y - canvas.height) * perSigma))
    }

    private func castsShadow(rowOf block: TransitionBlock) -> Bool { drawing.shadowExtent.rows.contains(block.y) }

    @inline(__always) private func castsShadow(column: Int) -> Bool { drawing.shadowExtent.columns.contains(column) }
}
