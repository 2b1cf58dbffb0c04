import FrostCore

struct PageCurlKernel: TransitionKernel {
    let parts: TransitionBlock.Parts = [.movedPage, .pageShade, .targetShade, .back, .shading]
    private let radius, ramp, directionX, directionY: Float
    private let sheen, shadowAmount, perSigma: Float
    private let canvas: (width: Float, height: Float)
    private let drawing: PageCurl.Drawing

    init(_ drawing: PageCurl.Drawing) {
        self.drawing = drawing
        (radius, ramp) = (Float(drawing.radius), Float(drawing.ramp))
        directionX = Float(drawing.distance.direction.x)
        directionY = Float(drawing.distance.direction.y)
        sheen = Float(drawing.sheen)
        shadowAmount = Float(drawing.shadowAmount)
        perSigma = Float((0.5).squareRoot() / drawing.shadowSigma)
        canvas = (Float(drawing.canvas.width), Float(drawing.canvas.height))
    }

    func fill(_ block: TransitionBlock) {
        let (first, step) = drawing.distance.row(block, from: drawing.axis)
        // x of the formulas is -(u - a).
        let (start, end) = (-first, -first - step * Float(block.count - 1))
        let (low, high) = (min(start, end), max(start, end))
        if low > radius + 1 {
            fillTarget(block, start, step)
        } else if high <= 0, radius - high + ramp >= 1, isFarFromFlap(block, start, end) {
            // Nothing of the page is bent or hidden here.
            block.fill(.page, 1)
            block.parts = []
        } else {
            if high <= 0 { fillFlatPage(block, start, step) } else { fillPage(block, start, step) }
            addShadows(block, start, step)
        }
    }

    /// Whether neither the rolled part of the page nor its shadow reaches a block of the flat page. `start` and `end` are x
    /// of the formulas at the block's first and last pixel. The points that the back would show lie on a line between those of
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

    /// Darkens the page by the shadow of its flap, which is the Gaussian blur of the page's rectangle. It is the product of
    /// a profile along x and one along y.
    private func addFlapShadow(_ block: TransitionBlock) {
        let columns = shadowColumns(of: block)
        // SAFETY: the rows have room for `count` numbers.
        let (shade, steps, along, across) = unsafe (
            block[.pageShade], block.steps, block[.shadowX], block[.shadowY]
        )
        unsafe fillProfile(along, at: block[.backX], length: canvas.width, count: block.count)
        unsafe fillProfile(across, at: block[.backY], length: canvas.height, count: block.count)
        for i in 0..<block.count {
            let shadow = unsafe shadowAmount * 0.25 * (along[i] * across[i])
            unsafe shade[i] *= 1 - (steps[i] >= columns.low && steps[i] < columns.high ? shadow : 0)
        }
    }

    /// Computes twice the Gaussian blur of the interval 0...length.
    private func fillProfile(
        _ out: UnsafeMutablePointer<Float>, at places: UnsafePointer<Float>, length: Float, count: Int
    ) {
        var (low, high) = unsafe (places[0], places[0])
        for i in 1..<count {
            let place = unsafe places[i]
            low = place < low ? place : low
            high = place > high ? place : high
        }
        // Most blocks are far from one or both ends. There the error function is exactly 1 or -1 in floats.
        if isInShade(low...high) {
            for i in 0..<count { unsafe out[i] = errorFunction(places[i] * perSigma) }
        } else {
            for i in 0..<count { unsafe out[i] = low > 0 ? 1 : -1 }
        }
        if isInShade(low - length...high - length) {
            for i in 0..<count { unsafe out[i] -= errorFunction((places[i] - length) * perSigma) }
        } else {
            for i in 0..<count { unsafe out[i] -= low > length ? 1 : -1 }
        }
    }

    /// Whether the error function of a distance in a range is neither 1 nor -1 everywhere.
    private func isInShade(_ distances: ClosedRange<Float>) -> Bool {
        distances.lowerBound * perSigma < 4 && distances.upperBound * perSigma > -4
    }

    /// Fills a block ahead of the roll, where nothing of the page is bent. The back of the page may lie over it.
    private func fillFlatPage(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        // SAFETY: the rows have room for `count` numbers.
        let (page, shading) = unsafe (block[.page], block[.shading])
        let (back, backX, backY) = unsafe (block[.back], block[.backX], block[.backY])
        let (placeY, steps, firstX) = unsafe (Float(block.y) + 0.5, block.steps, Float(block.x) + 0.5)
        let (width, height) = canvas
        for i in 0..<block.count {
            let x = unsafe start - steps[i] * step
            let weight = unit(radius - x + ramp)
            let shift = x - (radius * .pi - x)
            let (rearX, rearY) = unsafe (firstX + steps[i] + shift * directionX, placeY + shift * directionY)
            let covered = coverage(rearX, rearY, width: width, height: height)
            unsafe page[i] = weight
            // The back's pixels contain their coverage.
            unsafe back[i] = covered > 0 ? weight : 0
            unsafe backX[i] = rearX
            unsafe backY[i] = rearY
            unsafe shading[i] = weight * covered * unit(x + 0.5)
        }
        block.fill(.pageShade, 1)
        block.fill(.backShade, Float(PageCurl.flatBrightness))
        block.fill(.backWhite, 0)
        block.fill(.shadingX, 0.5)
        block.fill(.shadingY, 0.5)
        block.parts = block.isFilled(.back, with: 0) ? [] : [.back, .shading]
    }

    /// Darkens the target and the page by the shadows of the roll and of the flap.
    private func addShadows(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        guard shadowAmount > 0, castsShadow(rowOf: block) else { return }
        // A flat page of weight 1 hides the target. A page on the roll may end within the block.
        if block.parts.contains(.movedPage) || !block.isFilled(.page, with: 1) {
            block.parts.insert(.targetShade)
            fillRollShadow(block, start, step)
        }
        block.parts.insert(.pageShade)
        addFlapShadow(block)
    }

    /// Fills a block on the roll.
    private func fillPage(_ block: TransitionBlock, _ start: Float, _ step: Float) {
        block.parts = parts.subtracting(.targetShade)
        // SAFETY: the rows have room for `count` numbers.
        let (page, hidden, pageShade) = unsafe (block[.page], block[.hidden], block[.pageShade])
        let (pageX, pageY) = unsafe (block[.pageX], block[.pageY])
        let (back, backX, backY) = unsafe (block[.back], block[.backX], block[.backY])
        let (backShade, backWhite) = unsafe (block[.backShade], block[.backWhite])
        let (flat, outline) = (Float(PageCurl.flatBrightness), Float(PageCurl.outlineBrightness))
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
            let cosine = (squared > 0 ? squared : 0).squareRoot()
            let shade = 1 - Float(PageCurl.darkening) * (1 - cosine)
            let halfGloss = 4 * onRoll * (1 - onRoll)
            let gloss = sheen * halfGloss * halfGloss
            unsafe page[i] = weight
            unsafe hidden[i] =
                weight * (x > 0 ? coverage(frontX, frontY, width: width, height: height) : 1)
            unsafe pageShade[i] = shade
            unsafe pageX[i] = frontX
            unsafe pageY[i] = frontY
            let covered = coverage(rearX, rearY, width: width, height: height)
            unsafe back[i] = covered > 0 ? weight : 0
            unsafe backShade[i] = (flat * cosine + outline * onRoll) * (1 - gloss)
            unsafe backWhite[i] = gloss
            unsafe backX[i] = rearX
            unsafe backY[i] = rearY
            unsafe shading[i] = weight * covered * unit(x + 0.5)
            unsafe shadingX[i] = 0.5 - 0.5 * directionX * onRoll
            unsafe shadingY[i] = 0.5 - 0.5 * directionY * onRoll
        }
    }

    private func castsShadow(rowOf block: TransitionBlock) -> Bool { drawing.shadowExtent.rows.contains(block.y) }

    /// The indices of a block's pixels between which shadows fall.
    private func shadowColumns(of block: TransitionBlock) -> (low: Float, high: Float) {
        let columns = drawing.shadowExtent.columns
        return (Float(columns.lowerBound - block.x), Float(columns.upperBound - block.x))
    }
}
