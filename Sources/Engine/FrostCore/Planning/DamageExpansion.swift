extension Effect {
    /// Returns by how many pixels a host must enlarge a changed rectangle of the image to get the part of the result
    /// that changes. The rectangle grows by `x` pixels to the left and to the right, and by `y` pixels upwards and
    /// downwards. The numbers are at most the image's width and height. A zoom always has this maximum. A blur with the
    /// edge mode `repeat` has it, too, because a change at one edge of the image reaches the opposite edge.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - accuracy: the accuracy of the rendering.
    /// - Throws: the errors of ``plan(extent:region:accuracy:mask:)``.
    /// - Complexity: the complexity of planning, plus up to a millisecond for the largest sigmas.
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
