extension BoxBlur {
    /// Plans the blur of an image. The plan has one convolution with equal taps for each pass of the blur along each
    /// axis. The caller cannot choose an accuracy, because the only error is the rounding of the taps to Float.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; the whole extent by default. The region may reach
    ///     outside the extent.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region that reaches more than 2^20
    ///   pixels outside the image.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        try region.checkForPlanning(in: extent)
        let x = steps(.x, extent: extent, region: region)
        let y = steps(.y, extent: extent, region: region)
        // Passes along x run first, so that passes along y work on rows no wider than the result.
        let order = x.steps.map { (Axis.x, $0) } + y.steps.map { (Axis.y, $0) }
        guard !order.isEmpty else { return Plan(extent: extent, region: region, work: .copy, errorBound: 0) }
        var passes = Passes([])
        var (columns, rows) = (x.input, y.input)
        var norm = 1.0
        for (index, (axis, step)) in order.enumerated() {
            let isLast = index == order.count - 1
            passes.list.append(
                Pass(
                    axis: axis, operation: .convolve(taps: step.taps), from: index == 0 ? .source : .slot(index - 1),
                    to: isLast ? .output : .slot(index), edge: edge))
            norm *= step.taps.reduce(0) { $0 + Double($1) }
            if isLast { continue }
            switch axis {
            case .x: columns = step.output
            case .y: rows = step.output
            }
            passes.slots.append(
                Slot(window: Rect(columns: columns, rows: rows), levelX: 0, levelY: 0, isSigned: false))
        }
        // Rounding to Float changes all taps of a pass by the same factor. So the result changes by the product of the
        // factors of all passes.
        return Plan(extent: extent, region: region, work: .passes(passes), errorBound: abs(norm - 1) * 255)
    }

    private struct BoxPass {
        let taps: [Float]
        /// The samples that the pass computes.
        let output: Range<Int>
    }

    /// Returns the passes along an axis, and the source pixels that the first pass reads.
    private func steps(_ axis: Axis, extent: Rect, region: Rect) -> (steps: [BoxPass], input: Range<Int>) {
        let (extent, region, width) = (extent[axis], region[axis], width(axis))
        // A box that is one pixel wide only copies. Such a pass is needed only if the region reaches outside the image.
        let isCopied = width == 1
        let isWithin = region.lowerBound >= extent.lowerBound && region.upperBound <= extent.upperBound
        let count = isCopied ? (isWithin ? 0 : 1) : passes
        let taps = [Float](repeating: 1 / Float(width), count: width)
        // Goes backwards through the passes to find the samples that each pass must provide for the next pass.
        var outputs = [region]
        for pass in (0..<count).reversed() {
            let spill = edge == .clear ? pass * (width / 2) : 0
            let samples = extent.lowerBound - spill..<extent.upperBound + spill
            let reach = Pass.Operation.convolve(taps: taps).reach(of: outputs[outputs.count - 1])
            outputs.append(edge.window(of: reach, in: samples))
        }
        outputs.reverse()
        return (outputs.dropFirst().map { BoxPass(taps: taps, output: $0) }, outputs[0])
    }
}
