extension GaussianBlur {
    /// Plans the blur of an image.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels. Low-resolution samples lie at multiples of their size
    ///     from the absolute origin, so plans for tiles and crops of one picture agree to the last bit.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach outside it.
    ///   - accuracy: how much error the plan may make.
    /// - Throws: ``ParameterError`` for empty rectangles and coordinates above 2^40.
    /// - Complexity: microseconds for sigmas seen before, up to tens of milliseconds for new ones near 1000;
    ///   independent of the image's size.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit
    ) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        let x = AxisPlan(self, .x, extent: extent, region: region, accuracy: accuracy)
        let y = AxisPlan(self, .y, extent: extent, region: region, accuracy: accuracy)
        // W = Wx (x) Wy against G = Gx (x) Gy: W - G = Wx (x) (Wy - Gy) + (Wx - Gx) (x) Gy, applied to 0...1.
        let error = x.error + x.norm * y.error
        return Plan(extent: extent, region: region, work: .separable(x, y), errorBound: 255 * error)
    }
}

extension Mosaic {
    /// Plans the mosaic of an image: two taps a level on the way down, one on the way up. Sums of halves are exact in
    /// binary arithmetic.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: what is to be computed, in the same pixels; the whole extent by default. May reach outside it.
    /// - Throws: ``ParameterError`` for empty rectangles and coordinates above 2^40.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        for rect in [extent, region] { try rect.checkForPlanning() }
        func axis(_ axis: Axis) -> AxisPlan {
            let isWithin = region[axis].clamped(to: extent[axis]) == region[axis]
            let taps: [Float] = [0.5, 0.5]
            let operations: [Pass.Operation] =
                level == 0 && isWithin
                ? []
                : [Pass.Operation](repeating: .decimate(taps: taps), count: level) + [.convolve(taps: [1])]
                    + [Pass.Operation](repeating: .interpolate(taps: taps), count: level)
            return AxisPlan(operations, edge: .clamp, extent: extent[axis], region: region[axis])
        }
        return Plan(extent: extent, region: region, work: .separable(axis(.x), axis(.y)), errorBound: 0)
    }
}

extension Plan.Work {
    /// The steps of both axes in one order.
    fileprivate static func separable(_ x: AxisPlan, _ y: AxisPlan) -> Plan.Work {
        let order = order(x, y)
        guard !order.isEmpty else { return .copy }
        var passes = Passes([])
        var state = (x: x.input, y: y.input, levelX: 0, levelY: 0, signed: false)
        for (index, (step, axis)) in order.enumerated() {
            let isLast = index == order.count - 1
            passes.list.append(
                Pass(
                    axis: axis, operation: step.operation, from: index == 0 ? .source : .slot(index - 1),
                    to: isLast ? .output : .slot(index), edge: step.edge))
            if isLast { continue }
            switch axis {
            case .x: (state.x, state.levelX) = (step.output, step.level)
            case .y: (state.y, state.levelY) = (step.output, step.level)
            }
            state.signed = state.signed || step.operation.taps.contains { $0 < 0 }
            passes.slots.append(
                Slot(
                    window: Rect(columns: state.x, rows: state.y), levelX: state.levelX, levelY: state.levelY,
                    isSigned: state.signed))
        }
        return .passes(passes)
    }

    /// Down level by level, taps at the lowest resolution of both axes, up in reverse.
    ///
    /// Each level goes along y first on the way down and last on the way up: so the largest passes are along y, where inner
    /// loops run over whole rows.
    private static func order(_ x: AxisPlan, _ y: AxisPlan) -> [(AxisPlan.Step, Axis)] {
        var order: [(AxisPlan.Step, Axis)] = []
        let levels = 0..<max(x.levels, y.levels)
        for level in levels {
            if level < y.levels { order.append((y.steps[level], .y)) }
            if level < x.levels { order.append((x.steps[level], .x)) }
        }
        if !x.steps.isEmpty { order.append((x.steps[x.levels], .x)) }
        if !y.steps.isEmpty { order.append((y.steps[y.levels], .y)) }
        for level in levels.reversed() {
            if level < x.levels { order.append((x.steps[2 * x.levels - level], .x)) }
            if level < y.levels { order.append((y.steps[2 * y.levels - level], .y)) }
        }
        return order
    }
}

extension Rect {
    /// Larger than every image, and small enough that sums of coordinates and halos do not overflow.
    private static let coordinateLimit = 1 << 40

    func checkForPlanning() throws(ParameterError) {
        guard !isEmpty else { throw .emptyRegion(self) }
        let limit = -Self.coordinateLimit...Self.coordinateLimit
        guard limit.contains(x), limit.contains(y), width <= Self.coordinateLimit, height <= Self.coordinateLimit
        else { throw .coordinatesTooLarge(self, limit: Self.coordinateLimit) }
    }
}

/// The steps of a plan along one axis, with the samples that each of them has to compute.
private struct AxisPlan {
    struct Step {
        let operation: Pass.Operation
        let edge: EdgeMode
        /// The samples computed, and the level of their grid.
        let output: Range<Int>
        let level: Int
    }

    /// The worst case of the axis's filter, of full scale, and the sum of the absolute values of its weights.
    private(set) var error = 0.0
    private(set) var norm = 1.0
    /// `levels` decimations, one convolution, `levels` interpolations; empty if the axis is copied.
    let steps: [Step]
    let levels: Int
    /// The source pixels that are read, before the first step.
    let input: Range<Int>

    init(_ blur: GaussianBlur, _ axis: Axis, extent: Rect, region: Rect, accuracy: Accuracy) {
        let extent = extent[axis]
        let region = region[axis]
        let sigma = min(blur.effectiveSigma(axis), Self.widestSigma(extent.count, edge: blur.edge))
        guard sigma > 0 else {
            // Nothing to blur; a filter is needed only for pixels outside the image.
            let isInside = region.lowerBound >= extent.lowerBound && region.upperBound <= extent.upperBound
            self.init(isInside ? [] : [.convolve(taps: [1])], edge: blur.edge, extent: extent, region: region)
            return
        }
        let filter = AxisFilter.make(sigma: sigma, budget: accuracy.errorBudget / 255 / 2)
        let resamplers = filter.chain.orders.map { ResamplingChain.binomial($0).map { Float($0) } }
        self.init(
            resamplers.map { .decimate(taps: $0) } + [.convolve(taps: filter.taps)]
                + resamplers.reversed().map { .interpolate(taps: $0) },
            edge: blur.edge, extent: extent, region: region)
        (error, norm) = (filter.error, filter.norm)
    }

    /// - Parameter operations: as many interpolations as decimations, and a convolution between them; or none.
    init(
        _ operations: [Pass.Operation], edge: EdgeMode, extent: Range<Int>, region: Range<Int>
    ) {
        levels = operations.count / 2

        // Backwards: what each step has to compute for the next one.
        var needs = [region]
        for operation in operations.reversed() { needs.append(operation.reach(of: needs[needs.count - 1])) }
        needs.reverse()

        // Forwards: samples that no pixel of the image contributes to are all equal, so one of them stands for all.
        let repeats = !edge.hasCopies
        var touched = extent
        var steps: [Step] = []
        var level = 0
        for (index, operation) in operations.enumerated() {
            var output = needs[index + 1]
            switch operation {
            case .decimate:
                level += 1
                touched = operation.affected(by: touched)
                if repeats { output = output.nearest(in: touched.lowerBound - 1..<touched.upperBound + 1) }
            case .convolve: break
            case .interpolate: level -= 1
            }
            steps.append(
                Step(operation: operation, edge: index == 0 ? edge : .clamp, output: output, level: level))
        }
        self.steps = steps
        input = edge.window(of: needs[0], in: extent)
    }

    /// The sigma from which on an image of this size becomes constant along the axis: the extended image is periodic, and a
    /// Gaussian with sigma equal to the period leaves exp(-2 pi^2) = 3e-9 of its lowest frequency. A larger sigma only
    /// reads more periods.
    private static func widestSigma(_ count: Int, edge: EdgeMode) -> Double {
        switch edge.continuation(count: count) {
        case .copies(let period, _): Double(period)
        case .nearest, .transparent: .infinity
        }
    }
}
