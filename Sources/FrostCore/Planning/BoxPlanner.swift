extension BoxBlur {
    /// Plans the blur of an image: a convolution of equal taps for each pass and axis. There is no choice of
    /// accuracy: the only error is the rounding of the taps to Float.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach outside it.
    /// - Throws: ``ParameterError`` for empty rectangles and coordinates above 2^40.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        let x = steps(.x, extent: extent, region: region)
        let y = steps(.y, extent: extent, region: region)
        // Along x first: then passes along y keep rows no wider than the result.
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
        // All taps of a pass are off by the same factor, so the result is, too.
        return Plan(extent: extent, region: region, work: .passes(passes), errorBound: abs(norm - 1) * 255)
    }

    private struct Step {
        let taps: [Float]
        /// The samples computed.
        let output: Range<Int>
    }

    /// The passes along an axis, and the source pixels that the first reads.
    private func steps(_ axis: Axis, extent: Rect, region: Rect) -> (steps: [Step], input: Range<Int>) {
        let (extent, region, width) = (extent[axis], region[axis], width(axis))
        // A box of one pixel is needed only where the region reaches outside the image.
        let isCopied = width == 1
        let isWithin = region.lowerBound >= extent.lowerBound && region.upperBound <= extent.upperBound
        let count = isCopied ? (isWithin ? 0 : 1) : passes
        let taps = [Float](repeating: 1 / Float(width), count: width)
        // Backwards: what each pass has to compute for the next one.
        var outputs = [region]
        for pass in (0..<count).reversed() {
            let spill = edge == .clear ? pass * (width / 2) : 0
            let samples = extent.lowerBound - spill..<extent.upperBound + spill
            let reach = Pass.Operation.convolve(taps: taps).reach(of: outputs[outputs.count - 1])
            outputs.append(edge.window(of: reach, in: samples))
        }
        outputs.reverse()
        return (outputs.dropFirst().map { Step(taps: taps, output: $0) }, outputs[0])
    }
}
