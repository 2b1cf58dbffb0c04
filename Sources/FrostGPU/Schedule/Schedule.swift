import FrostCore

/// A plan made ready for drawing: each pass as the numbers its shader is given. Checked, so that no shader reads
/// outside a texture.
struct Schedule: Hashable {
    /// The image's, in absolute pixels.
    var extent: Rect
    /// The part of the image that any pass reads, in absolute pixels: all that has to be uploaded.
    var sourceWindow: Rect
    /// Empty where there is a 2-D kernel.
    var draws: [Draw]
    var kernel2D: Kernel2DDraw?
    /// The weights of all passes; each pass's start at its `weightsAt`.
    var weights: [Float]
    /// What the last draw does with its result; nil where that is only rounded.
    var outputStages: OutputStagesSchedule?
    /// What the image's numbers become as they are read.
    var decoding: TransferFunction?
    /// For a blend, of which there are no draws but those of its levels. It always has a finish.
    var blend: BlendSchedule?
    /// The slots whose values may be negative.
    private var signed: Set<Place>
}

/// One pass, for the shader of filter.frag, whose uniforms the names are. Coordinates are counted from a cell near the
/// output, so that an image may lie anywhere and the shader's 32 bits suffice.
struct Draw: Hashable {
    var from: Place
    var to: Place
    var axis: Axis
    /// Of the output, in its own cells.
    var window: Rect
    /// Of the output's texels along the axis, those that need no edge rule.
    var inside: Range<Int>
    var outputOrigin: SIMD2<Int32>
    var inputOrigin: SIMD2<Int32>
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var tapCount: Int
    /// An index into ``Schedule/weights``.
    var weightsAt: Int

    /// The output's texels along the axis in up to three parts, each with whether it needs the edge rule.
    var parts: [(Range<Int>, hasEdges: Bool)] {
        [(0..<inside.lowerBound, true), (inside, false), (inside.upperBound..<window[axis].count, true)]
    }
}

/// What a schedule may ask for.
struct ScheduleLimits: Hashable {
    var textureSize: Int
    /// Weights of one pass.
    var weights: Int
    /// Each pass starts at a multiple of this many weights.
    var weightAlignment: Int
}

extension Schedule {
    /// Checks a plan and works out its draws. No GL is involved.
    ///
    /// - Parameters:
    ///   - stored: the part of the image that its texture has, where that is settled and not only what is read.
    ///   - given: a slot that no pass writes, since it is there.
    /// - Throws: ``GPUError/invalidPlan(_:)`` and ``GPUError/imageTooLarge(what:side:limit:)``.
    init(_ plan: Plan, limits: ScheduleLimits, stored: Rect? = nil, given: Place? = nil) throws(GPUError) {
        if let blend = plan.blend {
            try self.init(plan, blend, limits: limits, stored: stored)
        } else {
            try self.init(plan, limits: limits, reading: stored, given: given)
        }
    }

    /// Of a blend.
    init(
        extent: Rect, sourceWindow: Rect, outputStages: OutputStagesSchedule, blend: BlendSchedule,
        _ limits: ScheduleLimits
    ) throws(GPUError) {
        try Self.check(sourceWindow, "the image", limits)
        try Self.check(outputStages.region, "the output", limits)
        (self.extent, self.sourceWindow, self.outputStages, self.blend) = (extent, sourceWindow, outputStages, blend)
        (draws, weights, signed) = ([], [], [])
    }

    /// - Parameter others: the part of the image that other plans read from the same texture.
    init(_ plan: Plan, limits: ScheduleLimits, reading others: Rect?, given: Place? = nil) throws(GPUError) {
        guard !plan.extent.isEmpty, !plan.region.isEmpty else { throw .invalidPlan("an empty image") }
        guard plan.passes.last.map({ $0.to == .output }) ?? (plan.kernel2D != nil) else {
            throw .invalidPlan("no pass at the end that writes the output")
        }
        guard plan.kernel2D == nil || plan.passes.isEmpty else { throw .invalidPlan("passes beside a kernel2D") }
        // Before any arithmetic that might overflow.
        for rect in [plan.extent, plan.region] + plan.slots.map(\.window) {
            let farthest = [rect.x, rect.y, rect.width, rect.height].map(\.magnitude).max() ?? 0
            guard farthest <= 1 << 44 else { throw .invalidPlan("a rectangle at \(rect)") }
        }
        try Self.check(plan.region, "the output", limits)
        for slot in plan.slots { try Self.check(slot.window, "an intermediate", limits) }

        extent = plan.extent
        signed = Set(plan.slots.indices.filter { plan.slots[$0].isSigned }.map { Place.slot($0) })
        var steps: [Step] = []
        var needed: [Axis: Range<Int>] = [:]
        for axis in Axis.allCases { needed[axis] = others?[axis] }
        for (index, pass) in plan.passes.enumerated() {
            let step = try Step(index, in: plan, after: steps, given: given)
            steps.append(step)
            if pass.from == .source {
                let across = pass.axis.other
                needed[across] = hull(needed[across], step.output[across])
                needed[pass.axis] = hull(needed[pass.axis], step.cells)
            }
        }
        decoding = plan.decoding
        if let kernel2D = plan.kernel2D {
            for axis in Axis.allCases {
                let reach = kernel2D.reach(of: plan.region[axis], along: axis)
                needed[axis] = hull(needed[axis], kernel2D.edge.cells(of: reach, in: extent[axis]))
            }
        }
        outputStages = plan.outputStages.isEmpty ? nil : try OutputStagesSchedule(plan)
        if let original = outputStages?.original {
            for axis in Axis.allCases { needed[axis] = hull(needed[axis], original[axis]) }
        }
        sourceWindow = Rect(columns: needed[.x] ?? extent.columns.prefix(1), rows: needed[.y] ?? extent.rows.prefix(1))
        try Self.check(sourceWindow, "the image", limits)

        draws = []
        weights = plan.kernel2D?.shaderWeights ?? []
        if let kernel2D = plan.kernel2D {
            try Self.check(weights, limits)
            self.kernel2D = try Kernel2DDraw(kernel2D, extent: plan.extent, region: plan.region, stored: sourceWindow)
        }
        for step in steps {
            let taps = try Weights(step.pass.operation)
            try Self.check(taps.values, limits)
            while weights.count % limits.weightAlignment != 0 { weights.append(0) }
            let stored = step.pass.from == .source ? sourceWindow : step.input
            draws.append(try step.draw(taps, weightsAt: weights.count, stored: stored))
            weights += taps.values
        }
    }

    /// Of the texture at a place, in texels.
    func size(of place: Place) -> (width: Int, height: Int) {
        let window = draws.first { $0.to == place }?.window ?? sourceWindow
        return (window.width, window.height)
    }

    func isSigned(_ place: Place) -> Bool { signed.contains(place) }

    private static func check(_ weights: [Float], _ limits: ScheduleLimits) throws(GPUError) {
        guard weights.count <= limits.weights else {
            throw .invalidPlan("\(weights.count) weights in a pass, the GPU's limit is \(limits.weights)")
        }
    }

    private static func check(_ window: Rect, _ what: String, _ limits: ScheduleLimits) throws(GPUError) {
        let side = max(window.width, window.height)
        guard side <= limits.textureSize else {
            throw .imageTooLarge(what: what, side: side, limit: limits.textureSize)
        }
        guard !window.isEmpty else { throw .invalidPlan("\(what) is empty") }
    }
}
