extension Effect {
    /// By how many pixels on each side of it the result may change when a rectangle of the image does: what a host has to add
    /// to its damage to know what to draw again. At most the image's width and height; that is what zooms have, and blurs
    /// whose edge mode is `repeat`, since they reach across the edges.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - accuracy: with which the effect is rendered.
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
        if let blend { return blend.levels.reduce(0) { max($0, $1.plan.damageExpansion(along: axis)) } }
        var farthest = 0
        if let kernel2D {
            guard case .runs = kernel2D.reads else { return size }
            let reach = kernel2D.reach(of: 0..<1, along: axis)
            farthest = max(-reach.lowerBound, reach.upperBound - 1)
        } else {
            let operations = passes.filter { $0.axis == axis }.map(\.operation)
            let level = operations.reduce(0) { if case .decimate = $1 { $0 + 1 } else { $0 } }
            // It depends on where in its cell a pixel lies.
            for pixel in 0..<1 << level {
                let range = operations.reduce(pixel..<pixel + 1) { $1.affected(by: $0) }
                farthest = max(farthest, pixel - range.lowerBound, range.upperBound - 1 - pixel)
            }
        }
        return farthest > 0 && edge(along: axis) == .repeat ? size : min(farthest, size)
    }
}
