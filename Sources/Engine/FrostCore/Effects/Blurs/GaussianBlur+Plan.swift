extension GaussianBlur {
    /// Plans the blur of an image.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels. Low-resolution samples lie at multiples of their size from
    ///     the absolute origin. So plans for tiles and crops of one picture agree to the last bit.
    ///   - region: the rectangle to compute, in absolute pixels; the whole extent by default. The region may reach
    ///     outside the extent.
    ///   - accuracy: the error that the plan may make.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region that reaches more than 2^20
    ///   pixels outside the image.
    /// - Complexity: microseconds for sigmas seen before, up to tens of milliseconds for new sigmas near 1000;
    ///   independent of the image's size.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit
    ) throws(ParameterError) -> Plan {
        let region = region ?? extent
        try region.checkForPlanning(in: extent)
        let x = AxisPlan(self, .x, extent: extent, region: region, accuracy: accuracy)
        let y = AxisPlan(self, .y, extent: extent, region: region, accuracy: accuracy)
        // The plan's filter is Wx (x) Wy and the exact Gaussian is Gx (x) Gy, where (x) is the product of a filter
        // along x and a filter along y. The difference of the two is `Wx (x) (Wy - Gy) + (Wx - Gx) (x) Gy`. The signal
        // is in 0...1 and Gy has the norm 1, so the error is at most the following sum.
        let error = x.error + x.norm * y.error
        return Plan(extent: extent, region: region, work: .separable(x, y), errorBound: 255 * error)
    }
}

extension Mosaic {
    /// Plans the mosaic of an image. The plan has one decimation with two taps and one interpolation with one tap for
    /// each level. The taps are halves, and binary arithmetic computes sums of halves exactly. At the lowest resolution, the
    /// samples are the cells that are shown, and the first interpolation continues them with the nearest one.
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
        try bounds?.checkForPlanning()
        let cells = cells(in: extent)
        func axis(_ axis: Axis) -> AxisPlan {
            let isWithin = region[axis].clamped(to: extent[axis]) == region[axis]
            let taps: [Float] = [0.5, 0.5]
            let operations: [Pass.Operation] =
                level == 0 && isWithin
                ? []
                : [Pass.Operation](repeating: .decimate(taps: taps), count: level) + [.convolve(taps: [1])]
                    + [Pass.Operation](repeating: .interpolate(taps: taps), count: level)
            let shown = cells[axis].lowerBound >> level..<cells[axis].upperBound >> level
            return AxisPlan(operations, edge: .clamp, extent: extent[axis], region: region[axis], lowest: shown)
        }
        return Plan(extent: extent, region: region, work: .separable(axis(.x), axis(.y)), errorBound: 0)
    }
}

extension Plan.Work {
    /// Merges the steps of both axes into one list of passes. If neither axis has steps, returns ``copy``.
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

    /// Returns the steps of both axes in execution order: decimations level by level, convolutions at the lowest
    /// resolution of both axes, then interpolations in reverse order.
    ///
    /// At each level, the decimation along y runs first and the interpolation along y runs last. So the largest passes
    /// are along y, where inner loops run over whole rows.
    private static func order(_ x: AxisPlan, _ y: AxisPlan) -> [(AxisPlan.AxisPass, Axis)] {
        var order: [(AxisPlan.AxisPass, Axis)] = []
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
    /// The limit for coordinates and sizes: larger than every image, and small enough that sums of coordinates and
    /// halos do not overflow.
    private static let coordinateLimit = 1 << 40

    func checkForPlanning() throws(ParameterError) {
        guard !isEmpty else { throw .emptyRegion(self) }
        let limit = -Self.coordinateLimit...Self.coordinateLimit
        guard limit.contains(x), limit.contains(y), width <= Self.coordinateLimit, height <= Self.coordinateLimit
        else { throw .coordinatesTooLarge(self, limit: Self.coordinateLimit) }
    }

    /// The farthest that a region of passes along one axis at a time may reach outside the image: larger than every reach
    /// of a kernel. The CPU's rows, and the GPU's images, have a pixel for each step of this way.
    static let farthest = 1 << 20

    /// Checks a region to compute, and the image.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - farthest: the number of pixels that the region may reach outside the image.
    func checkForPlanning(in extent: Rect, farthest: Int = farthest) throws(ParameterError) {
        for rect in [extent, self] { try rect.checkForPlanning() }
        let beyond = [
            extent.x - x, extent.y - y, columns.upperBound - extent.columns.upperBound,
            rows.upperBound - extent.rows.upperBound,
        ]
        let distance = beyond.max() ?? 0
        guard distance <= farthest else {
            throw .outOfRange(
                parameter: "region's distance from the image", value: Double(distance), allowed: 0...Double(farthest))
        }
    }
}

/// The steps of a plan along one axis, with the samples that each step computes.
private struct AxisPlan {
    struct AxisPass {
        let operation: Pass.Operation
        let edge: EdgeRule
        /// `output` is the range of samples that the step computes. `level` is the level of their grid.
        let output: Range<Int>
        let level: Int
    }

    /// `error` is the worst error of the axis's filter, as a fraction of full scale. `norm` is the largest sum of the
    /// absolute values of the filter's weights.
    private(set) var error = 0.0
    private(set) var norm = 1.0
    /// The steps along the axis: `levels` decimations, one convolution and `levels` interpolations; empty if the axis
    /// is copied.
    let steps: [AxisPass]
    let levels: Int
    /// The source pixels that the first step reads.
    let input: Range<Int>

    init(_ blur: GaussianBlur, _ axis: Axis, extent: Rect, region: Rect, accuracy: Accuracy) {
        let extent = extent[axis]
        let region = region[axis]
        let sigma = min(blur.effectiveSigma(axis), Self.widestSigma(extent.count, edge: blur.edge))
        guard sigma > 0 else {
            // With sigma 0 the axis is copied. A filter is needed only if the region reaches outside the image.
            let isInside = region.lowerBound >= extent.lowerBound && region.upperBound <= extent.upperBound
            self.init(isInside ? [] : [.convolve(taps: [1])], edge: blur.edge, extent: extent, region: region)
            return
        }
        let filter = AxisFilter.make(
            sigma: sigma, budget: accuracy.errorBudget / 255 / 2, betweenPixels: blur.edge == .reflect101)
        let resamplers = filter.chain.orders.map { ResamplingChain.binomial($0).map { Float($0) } }
        self.init(
            resamplers.map { .decimate(taps: $0) } + [.convolve(taps: filter.taps)]
                + resamplers.reversed().map { .interpolate(taps: $0) },
            edge: blur.edge, extent: extent, region: region)
        error = filter.error
        norm = filter.norm
    }

    /// - Parameter operations: empty; or some decimations, then one convolution, then as many interpolations as there
    ///   are decimations.
    /// - Parameter lowest: the samples of the lowest resolution that interpolations read; nil for all.
    init(
        _ operations: [Pass.Operation], edge: EdgeMode, extent: Range<Int>, region: Range<Int>,
        lowest: Range<Int>? = nil
    ) {
        levels = operations.count / 2

        // If the edge mode reflects the image, some levels are mirrored, too. `mirrored` has their samples, from level 0 on. The
        // next step reads such a level by its rule, so that no sample outside of it is computed.
        var mirrored = [(samples: extent, rule: EdgeRule(edge))]
        while mirrored.count <= levels, let last = mirrored.last, let next = last.rule.decimated(last.samples) {
            mirrored.append(next)
        }

        // Goes backwards through the steps to find the samples that each step must provide for the next step.
        var needs = [region]
        for (index, operation) in operations.enumerated().reversed() {
            var reach = operation.reach(of: needs[needs.count - 1])
            if index == levels + 1, let lowest { reach = reach.nearest(in: lowest) }
            let level = index > 0 && index < mirrored.count ? mirrored[index] : nil
            needs.append(level.map { $0.rule.window(of: reach, in: $0.samples) } ?? reach)
        }
        needs.reverse()

        // Goes forwards through the steps to find the touched samples, which are those to which pixels inside the image
        // contribute. Beyond the touched samples, all samples on the same side are equal, unless the edge mode copies
        // the image. So one untouched sample on each side is enough.
        let hasCopies = edge.continuation(count: extent.count).hasCopies
        var touched = extent
        var steps: [AxisPass] = []
        var level = 0
        for (index, operation) in operations.enumerated() {
            var output = needs[index + 1]
            switch operation {
            case .decimate:
                level += 1
                touched = operation.affected(by: touched)
                if !hasCopies { output = output.nearest(in: touched.lowerBound - 1..<touched.upperBound + 1) }
            case .convolve: break
            case .interpolate: level -= 1
            }
            steps.append(
                AxisPass(
                    operation: operation, edge: index < mirrored.count ? mirrored[index].rule : EdgeRule(.clamp),
                    output: output, level: level))
        }
        self.steps = steps
        input = edge.window(of: needs[0], in: extent)
    }

    /// Returns the sigma above which a blurred axis of `count` pixels is constant. A mirrored or repeated image is
    /// periodic. A Gaussian whose sigma is one period reduces the lowest frequency to exp(-2 pi^2) = 3e-9. A larger
    /// sigma would only read more periods. For the other edge modes there is no such sigma, and the result is infinite.
    private static func widestSigma(_ count: Int, edge: EdgeMode) -> Double {
        switch edge.continuation(count: count) {
        case .copies(let period, _): Double(period)
        case .nearest, .transparent: .infinity
        }
    }
}
