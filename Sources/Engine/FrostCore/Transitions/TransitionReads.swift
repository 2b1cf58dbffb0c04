/// A rectangle of positions in pixels. The centre of pixel (x, y) is (x + ½, y + ½).
package struct Positions: Sendable, Hashable {
    /// The smallest coordinates.
    package var low: SIMD2<Double>
    /// The largest coordinates.
    package var high: SIMD2<Double>

    init(low: SIMD2<Double>, high: SIMD2<Double>) { (self.low, self.high) = (low, high) }

    /// The smallest rectangle that contains the centres of all pixels of a rectangle.
    init(centersOf rect: Rect) {
        low = SIMD2(Double(rect.x), Double(rect.y)) + 0.5
        high = SIMD2(Double(rect.x + rect.width), Double(rect.y + rect.height)) - 0.5
    }

    /// Returns the smallest rectangle that contains all positions after moves along a direction.
    func moved(along direction: SIMD2<Double>, by shifts: ClosedRange<Double>) -> Positions {
        let (first, last) = (direction * shifts.lowerBound, direction * shifts.upperBound)
        return Positions(low: low + pointwiseMin(first, last), high: high + pointwiseMax(first, last))
    }

    /// Returns the positions, clamped to a rectangle's outermost pixel centres.
    func clamped(to rect: Rect) -> Positions {
        let centers = Positions(centersOf: rect)
        return Positions(
            low: low.clamped(lowerBound: centers.low, upperBound: centers.high),
            high: high.clamped(lowerBound: centers.low, upperBound: centers.high))
    }

    /// Returns the range of a distance, which is not clamped to its range over the extent.
    func range(of distance: LinearDistance) -> ClosedRange<Double> {
        let (first, last) = (distance.direction * (low - 0.5), distance.direction * (high - 0.5))
        return pointwiseMin(first, last).sum() + distance.offset...pointwiseMax(first, last).sum() + distance.offset
    }

    /// Returns the pixels that bilinear interpolation reads at the positions, each of which may be wrong by an error.
    fileprivate func window(error: Double) -> Rect {
        // Larger coordinates lie outside every image, and cannot be converted to integers.
        let limit = SIMD2<Double>(repeating: 0x1p40)
        func pixel(_ position: SIMD2<Double>) -> SIMD2<Int> {
            SIMD2<Int>((position - 0.5).rounded(.down).clamped(lowerBound: -limit, upperBound: limit))
        }
        // Each position lies between a pixel and the next one.
        let (first, end) = (pixel(low - error), pixel(high + error) &+ 2)
        return Rect(columns: first.x..<end.x, rows: first.y..<end.y)
    }
}

/// The positions at which a drawing reads images for some of its pixels. A larger rectangle than needed is right too.
package struct TransitionReads {
    /// Where the source is read: up to two rectangles, or none if it has no weight. Nil if each pixel reads its own position.
    package var source: [Positions]?
    /// Where the target is read; nil if each pixel reads its own position.
    package var target: Positions?
    /// Where the back of a page is read, in the source's pixels; nil if it has no weight.
    package var back: Positions?
}

/// The parts of the images that are read for the pixels of a region. None is empty, because a texture has at least one texel.
package struct TransitionWindows: Sendable, Hashable {
    /// One or two parts of the source.
    package let source: [Rect]
    package let target: Rect
    /// The part of the backside image, if there is one.
    package let backside: Rect?

    /// The maximum side of all parts, in pixels.
    package var longestSide: Int {
        (source + [target] + [backside].compactMap(\.self)).map { max($0.width, $0.height) }.max() ?? 0
    }
}

extension TransitionPlan {
    /// Returns the plan for another region.
    package func part(_ region: Rect) -> TransitionPlan {
        TransitionPlan(
            source: source, target: target, canvas: canvas, region: region, work: work, decoding: decoding,
            errorBound: errorBound)
    }

    /// Returns the parts of the images that are read for the pixels of the region.
    ///
    /// - Parameter backside: the backside image's rectangle, or nil.
    package func windows(backside: Rect?) -> TransitionWindows {
        let one = Rect(x: 0, y: 0, width: 1, height: 1)
        guard case .drawing(let kind, let frame) = work, let drawn = region.intersection(canvas) else {
            return TransitionWindows(source: [one], target: one, backside: backside.map { _ in one })
        }
        // Twice the error of positions that are floats: see `errorBound`.
        let error = max(0.01, kind.value.largestDistance(frame) * 0x1p-21)
        let reads = kind.value.drawing(frame).reads(Positions(centersOf: drawn), error: error)
        var parts = reads.source.map { $0.map { $0.window(error: error) } } ?? [drawn]
        if backside == nil, let back = reads.back { parts.append(back.window(error: error)) }
        parts = parts.compactMap { $0.intersection(source) }
        let target = reads.target?.window(error: error) ?? drawn
        return TransitionWindows(
            source: parts.isEmpty ? [one] : parts, target: target.intersection(self.target) ?? one,
            backside: backside.map { window(of: $0, reads.back, error: error) ?? one })
    }

    /// Returns the part of the image of the page's back, which is stretched over the source's rectangle.
    private func window(of image: Rect, _ back: Positions?, error: Double) -> Rect? {
        guard let back else { return nil }
        let size = SIMD2(Double(image.width), Double(image.height))
        let scale = size / SIMD2(Double(source.width), Double(source.height))
        let positions = Positions(low: (back.low - error) * scale, high: (back.high + error) * scale)
        return positions.clamped(to: image).window(error: max(0.01, size.max() * 0x1p-21)).intersection(image)
    }
}
