extension Gather {
    /// Plans the gathering of an image: one pass, or none where every pixel is its own result.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach beyond it.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates beyond 2^40, and a zoom's region farther than 16384
    ///   pixels beyond the image, since it reads all the way from there.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        if case .zoom = reads {
            let beyond = [
                extent.x - region.x, extent.y - region.y, region.columns.upperBound - extent.columns.upperBound,
                region.rows.upperBound - extent.rows.upperBound,
            ]
            let farthest = Double(beyond.max() ?? 0)
            guard farthest <= Self.farthestZoom else {
                throw .outOfRange(
                    parameter: "region's distance from the image", value: farthest, allowed: 0...Self.farthestZoom)
            }
        }
        var plan = Plan(extent: extent, region: region, passes: [], slots: [], errorBound: 0)
        if !isIdentity || !extent.contains(region) {
            plan.gather = self
            plan.errorBound = 255 * weightError
        }
        return plan
    }

    private static let farthestZoom = 16384.0

    /// Whether every pixel is its own result.
    var isIdentity: Bool {
        switch reads {
        case .runs(let runs): runs == [Run(dx: 0, dy: 0, count: 1, weight: 1)]
        case .zoom(let zoom): zoom.scales == 1...1
        }
    }

    /// What floats can be off in the weights, at worst.
    private var weightError: Double {
        guard case .runs(let runs) = reads else { return 0 }
        return runs.reduce(0) { $0 + Double($1.count) * abs(Double(Float($1.weight)) - $1.weight) }
    }
}

extension [Gather.Run] {
    /// A kernel from its weights, which need not be normalised.
    ///
    /// - Parameter weights: of the pixels of each row that the kernel has, in their order. Zeros may be among them.
    init(_ rows: [(dy: Int, first: Int, weights: [Double])]) {
        let sum = rows.reduce(0) { $1.weights.reduce($0, +) }
        self = rows.flatMap { dy, first, weights -> [Gather.Run] in
            var runs: [Gather.Run] = []
            for (offset, weight) in weights.enumerated() where weight > 0 {
                if let last = runs.last, last.dx + last.count == first + offset, last.weight == weight / sum {
                    runs[runs.count - 1].count += 1
                } else {
                    runs.append(Gather.Run(dx: first + offset, dy: dy, count: 1, weight: weight / sum))
                }
            }
            return runs
        }
    }
}
