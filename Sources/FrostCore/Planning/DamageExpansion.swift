extension Effect {
    /// Returns how many pixels the changed part of the result extends beyond the changed rectangle of the image, on
    /// each side along x and along y. A host enlarges its damage by these numbers to know what to redraw. The numbers
    /// are at most the image's width and height. Zooms need this maximum. Blurs with the edge mode `repeat` also need
    /// it, because they reach across the edges.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - accuracy: the accuracy of the rendering.
    /// - Throws: the errors of ``plan(extent:region:accuracy:mask:)``.
    /// - Complexity: that of planning, plus up to a millisecond for the largest sigmas.
    public func damageExpansion(
        extent: Rect, accuracy: Accuracy = .eightBit
    ) throws(ParameterError) -> (x: Int, y: Int) {
        let plan = try plan(extent: extent, region: extent, accuracy: accuracy)
        return (plan.damageExpansion(along: .x), plan.damageExpansion(along: .y))
    }
}

extension Plan {
    fileprivate func damageExpansion(along axis: Axis) -> Int {
        let size = extent[axis].count
        let farthest: Int
        switch work {
        case .copy: return 0
        case .blend(let blend): return blend.levels.reduce(0) { max($0, $1.plan.damageExpansion(along: axis)) }
        case .kernel2D(let kernel):
            switch kernel.reads {
            case .zoom: return size
            case .runs:
                let reach = kernel.reach(of: 0..<1, along: axis)
                farthest = max(-reach.lowerBound, reach.upperBound - 1)
            }
        case .passes(let passes):
            let operations = passes.list.filter { $0.axis == axis }.map(\.operation)
            let deepest = passes.slots.map { axis == .x ? $0.levelX : $0.levelY }.max() ?? 0
            // The distance depends on the pixel's position within its low-resolution sample, so every position is
            // tried.
            farthest = (0..<1 << deepest).reduce(0) { farthest, pixel in
                let range = operations.reduce(pixel..<pixel + 1) { $1.affected(by: $0) }
                return max(farthest, pixel - range.lowerBound, range.upperBound - 1 - pixel)
            }
        }
        return farthest > 0 && edge(along: axis) == .repeat ? size : min(farthest, size)
    }
}
