extension Plan {
    /// Checks that pixels fit the plan: the source is sized as the extent, the target as the region and has the same
    /// samples and colours, with alpha if the source has it, in either channel order and alpha mode. Plans with output
    /// stages may turn grey into colour.
    ///
    /// - Throws: ``PixelError/mismatch(property:first:second:)``.
    public func check(source: PixelLayout, target: PixelLayout) throws(PixelError) {
        func fit(_ layout: PixelLayout, _ rect: Rect, _ name: String) throws(PixelError) {
            guard layout.width == rect.width, layout.height == rect.height else {
                throw .mismatch(
                    property: "size of the \(name)", first: "\(layout.width)x\(layout.height)",
                    second: "\(rect.width)x\(rect.height) in the plan")
            }
        }
        try fit(source, extent, "source")
        try fit(target, region, "target")
        let from = source.format.channels
        let to = target.format.channels
        // Output stages may colour what is grey.
        let sameColor = from.isGrey == to.isGrey || (from.isGrey && !outputStages.isEmpty)
        guard source.format.sample == target.format.sample, sameColor, to.hasAlpha || !from.hasAlpha else {
            throw .mismatch(
                property: "format", first: "\(source.format) in the source", second: "\(target.format) in the target")
        }
    }

    /// How the first pass along y reads rows outside the image.
    public var rowEdge: EdgeMode { edge(along: .y) }

    /// How many filters are carried out: a 2-D kernel is one, each level of a blend has its own.
    public var passCount: Int {
        switch work {
        case .copy: 0
        case .passes(let passes): passes.list.count
        case .kernel2D: 1
        case .blend(let blend): blend.levels.reduce(0) { $0 + $1.plan.passCount }
        }
    }
}
