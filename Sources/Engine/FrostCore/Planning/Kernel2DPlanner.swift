extension Kernel2D {
    /// Plans the filtering of an image. The plan is a copy if the kernel copies every pixel and the region lies in the
    /// image.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; the whole extent by default. The region may reach
    ///     outside the extent.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region that reaches more than
    ///   16384 pixels outside the image. Such a region is refused because all pixels between the image and the region
    ///   are stored or read.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        try region.checkForPlanning(in: extent, farthest: Self.farthest)
        if isIdentity, extent.contains(region) {
            return Plan(extent: extent, region: region, work: .copy, errorBound: 0)
        }
        return Plan(extent: extent, region: region, work: .kernel2D(self), errorBound: 255 * error(region))
    }

    private static let farthest = 16384

    /// Whether the kernel copies every pixel.
    var isIdentity: Bool {
        switch reads {
        case .runs(let runs): runs == [Run(dx: 0, dy: 0, count: 1, weight: 1)]
        case .zoom(let zoom): zoom.scales == 1...1
        }
    }

    /// Returns the worst error of Float arithmetic, as a fraction of full scale. For runs, the error comes from the
    /// rounding of the weights. For a zoom, it comes from the rounding of the samples' positions: a position can be as
    /// large as the length of the line, and it decides how two neighbouring pixels are mixed.
    private func error(_ region: Rect) -> Double {
        switch reads {
        case .runs(let runs):
            return runs.reduce(0) { $0 + Double($1.count) * abs(Double(Float($1.weight)) - $1.weight) }
        case .zoom(let zoom):
            let along = [
                Double(region.x) - zoom.centerX, Double(region.columns.upperBound) - zoom.centerX,
                Double(region.y) - zoom.centerY, Double(region.rows.upperBound) - zoom.centerY,
            ].reduce(0) { max($0, abs($1)) }
            // The line's slope has a rounding error of half an ulp (unit in the last place). This error is multiplied
            // by the sample's number. The product is rounded again, by half an ulp.
            return along * max(zoom.inward, zoom.outward) * 0x1p-23
        }
    }
}

extension [Kernel2D.Run] {
    /// Creates runs from weights, which need not be normalised.
    ///
    /// - Parameter rows: for each row, the weights of adjacent pixels, including zeros. `dy` is the row, and `first` is
    ///   the column of the first weight; both are relative to the output pixel.
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
