extension VariableBlur {
    /// Plans the blur of an image: the levels that the mask needs, each as a ``GaussianBlur`` of the rectangle in which it is
    /// needed.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach outside it.
    ///   - accuracy: how much error the plan may make.
    ///   - image: for a mask that is an image. Without it every level is planned for the whole region.
    ///   - bounds: what the mask is stretched over; nil for the extent.
    /// - Throws: ``ParameterError`` for empty rectangles and coordinates above 2^40.
    /// - Complexity: that of planning the Gaussians, and a look at each of the mask's pixels.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit, mask image: MaskImage? = nil,
        over bounds: Rect? = nil
    ) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        let sigmas = levels
        guard sigmas.count > 1 else {
            return try GaussianBlur(sigma: 0, edge: edge).plan(extent: extent, region: region)
        }

        let shares = sigmas.map { $0 / sigma * ($0 / sigma) }
        let use = Use(of: mask, image, shares: shares, extent: bounds ?? extent, region: region)
        var errorBound = 0.0
        var blend = Blend(mask: mask, edge: edge, levels: [], spans: [])
        var places: [Int?] = []
        for (index, window) in use.levels.enumerated() {
            places.append(window == nil ? nil : blend.levels.count)
            guard let window else { continue }
            let level = try GaussianBlur(sigma: sigmas[index], edge: edge)
                .plan(extent: extent, region: window, accuracy: accuracy).replacingCopy(edge)
            errorBound = max(errorBound, level.errorBound)
            blend.levels.append(
                Blend.Level(
                    sigma: sigmas[index], share: shares[index], below: index == 0 ? -1 : shares[index - 1],
                    above: index + 1 == shares.count ? 2 : shares[index + 1], plan: level))
        }
        for (index, window) in use.spans.enumerated() {
            guard let window, let lower = places[index] ?? places[index + 1] else { continue }
            blend.spans.append(Blend.Span(lower: lower, upper: places[index + 1] ?? lower, window: window))
        }
        return Plan(extent: extent, region: region, work: .blend(blend), errorBound: errorBound)
    }

    /// Where the levels, and the spans between two of them, are needed.
    private struct Use {
        /// For each level; nil if it is needed nowhere.
        var levels: [Rect?]
        /// For each level except the last, the span between it and the next. Pixels that show only the first or only the
        /// last level belong to its only span.
        var spans: [Rect?]

        /// The region is cut into at most this many parts along each axis; each part is judged as a whole.
        private static let parts = 64
        /// The minimum size of a part, in pixels.
        private static let smallest = 16
        /// How far a backend's mask may be off. It is exact where the mask is 0 or 1 on all of a part.
        private static let slack = 1e-4

        init(of mask: Mask, _ image: MaskImage?, shares: [Double], extent: Rect, region: Rect) {
            levels = [Rect?](repeating: nil, count: shares.count)
            spans = [Rect?](repeating: nil, count: shares.count - 1)
            for rows in Self.cut(region.rows) {
                for columns in Self.cut(region.columns) {
                    let part = Rect(columns: columns, rows: rows)
                    add(part, mask.range(over: part, extent: extent, image: image), shares)
                }
            }
        }

        private mutating func add(_ part: Rect, _ values: ClosedRange<Double>, _ shares: [Double]) {
            let last = shares.count - 1
            if values.upperBound <= 0 {
                levels[0] = levels[0]?.hull(part) ?? part
                spans[0] = spans[0]?.hull(part) ?? part
            } else if values.lowerBound >= 1 {
                levels[last] = levels[last]?.hull(part) ?? part
                spans[last - 1] = spans[last - 1]?.hull(part) ?? part
            } else {
                let low = Blend.share(max(values.lowerBound - Self.slack, 0))
                let high = Blend.share(values.upperBound + Self.slack)
                for span in 0..<last where shares[span] <= high && shares[span + 1] >= low {
                    spans[span] = spans[span]?.hull(part) ?? part
                    levels[span] = levels[span]?.hull(part) ?? part
                    levels[span + 1] = levels[span + 1]?.hull(part) ?? part
                }
            }
        }

        private static func cut(_ range: Range<Int>) -> [Range<Int>] {
            let step = max(smallest, (range.count + parts - 1) / parts)
            return stride(from: range.lowerBound, to: range.upperBound, by: step).map {
                $0..<min($0 + step, range.upperBound)
            }
        }
    }
}

extension Plan {
    /// The plan with a pass that copies in place of a plain copy: output stages, and the mixture of a blend, are applied
    /// to the result of a pass.
    package func replacingCopy(_ edge: EdgeMode) -> Plan {
        switch work {
        case .passes, .kernel2D, .blend: return self
        case .copy:
            var plan = self
            plan.work = .passes(.copy(edge))
            return plan
        }
    }
}
