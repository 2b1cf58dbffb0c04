extension Kernel2D {
    /// Plans the filtering of an image: a copy if every pixel is its own result.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach outside it.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region more than 16384 pixels
    ///   outside the image, because everything in between is stored or read.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        let beyond = [
            extent.x - region.x, extent.y - region.y, region.columns.upperBound - extent.columns.upperBound,
            region.rows.upperBound - extent.rows.upperBound,
        ]
        let farthest = Double(beyond.max() ?? 0)
        guard farthest <= Self.farthest else {
            throw .outOfRange(
                parameter: "region's distance from the image", value: farthest, allowed: 0...Self.farthest)
        }
        if isIdentity, extent.contains(region) {
            return Plan(extent: extent, region: region, work: .copy, errorBound: 0)
        }
        return Plan(extent: extent, region: region, work: .kernel2D(self), errorBound: 255 * error(region))
    }

    private static let farthest = 16384.0

    /// Whether every pixel is its own result.
    var isIdentity: Bool {
        switch reads {
        case .runs(let runs): runs == [Run(dx: 0, dy: 0, count: 1, weight: 1)]
        case .zoom(let zoom): zoom.scales == 1...1
        }
    }

    /// The worst error of Float, of full scale: for runs in their weights; for a zoom in the positions of the samples, which
    /// are products as large as the lines are long and decide how neighbours are mixed.
    private func error(_ region: Rect) -> Double {
        switch reads {
        case .runs(let runs):
            return runs.reduce(0) { $0 + Double($1.count) * abs(Double(Float($1.weight)) - $1.weight) }
        case .zoom(let zoom):
            let along = [
                Double(region.x) - zoom.centerX, Double(region.columns.upperBound) - zoom.centerX,
                Double(region.y) - zoom.centerY, Double(region.rows.upperBound) - zoom.centerY,
            ].reduce(0) { max($0, abs($1)) }
            // Half an ulp of the slope, times the sample's number, and half of one of the product.
            return along * max(zoom.inward, zoom.outward) * 0x1p-23
        }
    }
}

extension [Kernel2D.Run] {
    /// A kernel from its weights, which need not be normalised.
    ///
    /// - Parameter rows: the weights of neighbouring pixels in each row, zeros included; `first` is the place of the first.
    init(_ rows: [(dy: Int, first: Int, weights: [Double])]) {
        let sum = rows.reduce(0) { $1.weights.reduce($0, +) }
        self = rows.flatMap { dy, first, weights -> [Kernel2D.Run] in
            var runs: [Kernel2D.Run] = []
            for (offset, weight) in weights.enumerated() where weight > 0 {
                if let last = runs.last, last.dx + last.count == first + offset, last.weight == weight / sum {
                    runs[runs.count - 1].count += 1
                } else {
                    runs.append(Kernel2D.Run(dx: first + offset, dy: dy, count: 1, weight: weight / sum))
                }
            }
            return runs
        }
    }
}
