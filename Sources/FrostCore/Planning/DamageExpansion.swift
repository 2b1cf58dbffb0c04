extension Effect {
    /// By how many pixels the changed part of the result is larger, on each side, than the changed rectangle of the image:
    /// a host adds this to its damage to know what to redraw. At most the image's width and height, which zooms need, and
    /// blurs whose edge mode is `repeat`, because they reach across the edges.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - accuracy: of the rendering.
    /// - Throws: as ``plan(extent:region:accuracy:mask:)``.
    /// - Complexity: that of planning, and up to a millisecond for the largest sigmas.
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
            // It depends on where in its low-resolution sample a pixel lies.
            farthest = (0..<1 << deepest).reduce(0) { farthest, pixel in
                let range = operations.reduce(pixel..<pixel + 1) { $1.affected(by: $0) }
                return max(farthest, pixel - range.lowerBound, range.upperBound - 1 - pixel)
            }
        }
        return farthest > 0 && edge(along: axis) == .repeat ? size : min(farthest, size)
    }
}
