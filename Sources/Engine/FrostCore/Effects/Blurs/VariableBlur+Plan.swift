extension VariableBlur {
    /// Plans the blur of an image. The plan contains the levels that the mask needs. Each level is a ``GaussianBlur``
    /// of the rectangle in which the mask needs the level.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; the whole extent by default. The region may reach
    ///     outside the extent.
    ///   - accuracy: the error that the plan may make.
    ///   - image: the mask's picture, if the mask is an image. Without the picture, every level is planned for the
    ///     whole region.
    ///   - bounds: the rectangle that the mask is stretched over; nil for the extent.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region that reaches more than 2^20
    ///   pixels outside the image.
    /// - Complexity: the complexity of planning the Gaussians, plus the time to read each pixel of the mask.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit, mask image: MaskImage? = nil,
        over bounds: Rect? = nil
    ) throws(ParameterError) -> Plan {
        let region = region ?? extent
        try region.checkForPlanning(in: extent)
        let sigmas = levels
        guard sigmas.count > 1 else {
            return try GaussianBlur(sigma: 0, edge: edge).plan(extent: extent, region: region)
        }

        let shares = sigmas.map { $0 / sigma * ($0 / sigma) }
        let use = Use(of: mask, image, shares: shares, extent: bounds ?? extent, region: region)
        func plan(_ sigma: Double, _ window: Rect) throws(ParameterError) -> Plan {
            try GaussianBlur(sigma: sigma, edge: edge).plan(extent: extent, region: window, accuracy: accuracy)
        }
        var errorBound = 0.0
        var blend = Blend(mask: mask, edge: edge, levels: [], spans: [], parts: [])
        var places: [Int?] = []
        for (index, window) in use.levels.enumerated() {
            places.append(window == nil ? nil : blend.levels.count)
            guard let window else {
                let pixel = Rect(x: region.x, y: region.y, width: 1, height: 1)
                blend.otherLevels.append(Blend.LevelPlan(try plan(sigmas[index], pixel), edge: edge))
                continue
            }
            let level = Blend.LevelPlan(try plan(sigmas[index], window), edge: edge)
            errorBound = max(errorBound, level.errorBound)
            blend.levels.append(
                Blend.Level(
                    sigma: sigmas[index], share: shares[index], below: index == 0 ? -1 : shares[index - 1],
                    above: index + 1 == shares.count ? 2 : shares[index + 1], plan: level))
        }
        try blend.shareDecimations { (level, window) throws(ParameterError) in try plan(level.sigma, window) }
        for (index, window) in use.spans.enumerated() {
            guard let window, let lower = places[index] ?? places[index + 1] else { continue }
            blend.spans.append(Blend.Span(lower: lower, upper: places[index + 1] ?? lower, window: window))
        }
        for part in use.parts {
            guard let low = places[part.levels.lowerBound], let high = places[part.levels.upperBound] else { continue }
            blend.parts.append(Blend.Part(window: part.window, levels: low...high))
        }
        return Plan(extent: extent, region: region, work: .blend(blend), errorBound: errorBound)
    }

    /// For each level and each span, the rectangle in which the mask needs it. A span is the transition between two
    /// adjacent levels.
    private struct Use {
        /// For each level, the rectangle in which the mask needs the level; nil if no pixel needs it.
        var levels: [Rect?]
        /// For each level except the last, the rectangle of the span between this level and the next. Pixels that show
        /// only the first level belong to the first span. Pixels that show only the last level belong to the last span.
        var spans: [Rect?]
        /// The parts of the region, with the indices of the levels that they need.
        var parts: [Blend.Part] = []

        /// The maximum number of parts into which the region is cut. The planner finds for each part as a whole which
        /// levels the mask needs in the part.
        private static let partCount = 4096
        /// The minimum size of a part along an axis, in pixels, if the mask varies along both axes or along one.
        private static let smallest = (both: 16, one: 4)
        /// The maximum error of a backend's mask values. A backend's mask is exact in a part in which the mask is 0
        /// everywhere or 1 everywhere.
        private static let slack = 1e-4

        init(of mask: Mask, _ image: MaskImage?, shares: [Double], extent: Rect, region: Rect) {
            levels = [Rect?](repeating: nil, count: shares.count)
            spans = [Rect?](repeating: nil, count: shares.count - 1)
            let (columns, rows) = Self.cuts(region, mask)
            for rows in rows {
                for columns in columns {
                    let part = Rect(columns: columns, rows: rows)
                    add(part, mask.range(over: part, extent: extent, image: image), shares)
                }
            }
        }

        private mutating func add(_ part: Rect, _ values: ClosedRange<Double>, _ shares: [Double]) {
            let last = shares.count - 1
            var needed: ClosedRange<Int>?
            defer { if let needed { parts.append(Blend.Part(window: part, levels: needed)) } }
            if values.upperBound <= 0 {
                needed = 0...0
                levels[0] = levels[0]?.hull(part) ?? part
                spans[0] = spans[0]?.hull(part) ?? part
            } else if values.lowerBound >= 1 {
                needed = last...last
                levels[last] = levels[last]?.hull(part) ?? part
                spans[last - 1] = spans[last - 1]?.hull(part) ?? part
            } else {
                let low = Blend.share(max(values.lowerBound - Self.slack, 0))
                let high = Blend.share(values.upperBound + Self.slack)
                for span in 0..<last where shares[span] <= high && shares[span + 1] >= low {
                    needed = min(needed?.lowerBound ?? span, span)...span + 1
                    spans[span] = spans[span]?.hull(part) ?? part
                    levels[span] = levels[span]?.hull(part) ?? part
                    levels[span + 1] = levels[span + 1]?.hull(part) ?? part
                }
            }
        }

        /// Returns the columns and the rows of the parts.
        private static func cuts(_ region: Rect, _ mask: Mask) -> (columns: [Range<Int>], rows: [Range<Int>]) {
            if mask.isConstant(along: .x) { return ([region.columns], cut(region.rows, partCount, smallest.one)) }
            if mask.isConstant(along: .y) { return (cut(region.columns, partCount, smallest.one), [region.rows]) }
            let count = Int(Double(partCount).squareRoot())
            return (cut(region.columns, count, smallest.both), cut(region.rows, count, smallest.both))
        }

        private static func cut(_ range: Range<Int>, _ count: Int, _ smallest: Int) -> [Range<Int>] {
            let step = max(smallest, (range.count + count - 1) / count)
            return stride(from: range.lowerBound, to: range.upperBound, by: step).map {
                $0..<min($0 + step, range.upperBound)
            }
        }
    }
}
