extension Plan {
    /// Checks that the layouts of source and target fit the plan. The source must have the extent's size, and the
    /// target the region's size. Both must have the same sample type and the same colour channels. The target must have
    /// alpha if the source has alpha. Channel order and alpha mode may differ. If the plan has output stages, the
    /// target of a grey source may have colour.
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
        // Output stages may turn grey into colour.
        let sameColor = from.isGrey == to.isGrey || (from.isGrey && !outputStages.isEmpty)
        guard source.format.sample == target.format.sample, sameColor, to.hasAlpha || !from.hasAlpha else {
            throw .mismatch(
                property: "format", first: "\(source.format) in the source", second: "\(target.format) in the target")
        }
    }

    /// The edge mode for rows outside the image.
    public var rowEdge: EdgeMode { edge(along: .y) }

    /// The number of filters that the plan executes. A 2-D kernel counts as one filter. For a blend, the filters of all
    /// levels are added.
    public var passCount: Int {
        switch work {
        case .copy: 0
        case .passes(let passes): passes.list.count
        case .kernel2D: 1
        case .blend(let blend): blend.levels.reduce(0) { $0 + $1.plan.passCount }
        }
    }
}
