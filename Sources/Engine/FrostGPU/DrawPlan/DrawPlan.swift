import FrostCore

/// A plan prepared for drawing. Each pass is stored as the numbers that its shader receives. The plan has been checked,
/// so that no shader reads outside a texture.
struct DrawPlan: Hashable {
    /// The image's rectangle, in absolute pixels.
    let extent: Rect
    /// The part of the image that the draws read, in absolute pixels. Only this part is uploaded.
    let sourceWindow: Rect
    let work: Work
    /// The output stages that the last draw applies; nil if the last draw only rounds its values.
    let outputStages: PreparedOutputStages?

    /// The kinds of work that the GPU draws. Plans that only copy pixels are not among them, because the CPU makes
    /// copies.
    enum Work: Hashable {
        case passes(PassDraws)
        case kernel2D(Kernel2DDraw)
        /// A blend always has output stages, because they contain its mask.
        case blend(BlendDraws)
    }
}

/// The limits that a device sets for draws.
struct DrawLimits: Hashable {
    /// The maximum side of a texture, in texels.
    var textureSize: Int
    /// The maximum number of weights of one pass.
    var weights: Int
    /// The alignment of each pass's first weight, as a number of weights.
    var weightAlignment: Int
}

extension DrawPlan {
    /// Checks a plan and computes its draws, without calling the GL.
    ///
    /// - Parameters:
    ///   - stored: the part of the image that the source's texture contains, if this texture already exists; nil if the
    ///     texture does not exist yet. In the second case only the part of the image that the plan reads is uploaded.
    ///   - given: a slot (intermediate image) whose texture already exists, so that no pass of the plan writes this slot;
    ///     nil if there is none.
    /// - Throws: ``GPUError/invalidPlan(_:)`` and ``GPUError/imageTooLarge(what:side:limit:)``.
    init(_ plan: Plan, limits: DrawLimits, stored: Rect? = nil, given: Place? = nil) throws(GPUError) {
        try plan.checkRects(limits)
        extent = plan.extent
        switch plan.work {
        case .copy: throw .noLastPass
        case .passes(let passes):
            let geometry = try PassDraws.geometry(of: passes, in: plan, limits, given: given)
            outputStages = try PreparedOutputStages.ifAny(plan)
            sourceWindow = try Self.window(stored, geometry.sourceReads, outputStages, extent, limits)
            work = .passes(try PassDraws(of: passes, in: plan, stored: sourceWindow, limits))
        case .kernel2D(let kernel):
            outputStages = try PreparedOutputStages.ifAny(plan)
            sourceWindow = try Self.window(stored, [plan.sourceRead], outputStages, extent, limits)
            try limits.check(kernel.shaderTaps)
            work = .kernel2D(try Kernel2DDraw(kernel, of: plan, stored: sourceWindow))
        case .blend(let blend):
            let stages = try PreparedOutputStages(plan)
            outputStages = stages
            let levels = try blend.levels.map { (level) throws(GPUError) in
                try PassDraws.geometry(ofLevel: level.plan.standalone(in: plan), of: plan, limits)
            }
            guard !levels.isEmpty else { throw .invalidPlan("the blend has no levels") }
            sourceWindow = try Self.window(stored, levels.flatMap(\.sourceReads), stages, extent, limits)
            work = .blend(try BlendDraws(blend, of: plan, stored: sourceWindow, limits))
        }
    }

    /// Returns the part of the image that the source's texture has to contain.
    private static func window(
        _ stored: Rect?, _ reads: [Rect], _ outputStages: PreparedOutputStages?, _ extent: Rect,
        _ limits: DrawLimits
    ) throws(GPUError) -> Rect {
        let all = [stored, outputStages?.original].compactMap { $0 } + reads
        // A texture must have at least one texel, even if the draws read only an intermediate that was kept from an
        // earlier execution.
        let first = all.first ?? Rect(x: extent.x, y: extent.y, width: 1, height: 1)
        let window = all.dropFirst().reduce(first) { $0.hull($1) }
        try limits.check(window, "the image")
        return window
    }

    /// The number of times that a value is stored and rounded between the image and the result.
    var intermediateCount: Int {
        switch work {
        case .passes(let passes): passes.passCount - 1
        case .kernel2D: 0
        // All passes of a level count, because the level's output is stored too.
        case .blend(let blend): blend.levels.map(\.passCount).max() ?? 0
        }
    }
}

/// The draws of a list of passes, and the data that they share.
struct PassDraws: Hashable {
    /// The draws, in order; never empty. Each of them computes a ``PassRun``.
    let draws: [PassDraw]
    /// The weights of ``draws``. The weights of each draw start at the draw's `weightsAt`.
    let weights: [Float]
    /// The slots (intermediate images) whose values may be negative.
    private let signed: Set<Place>

    /// The number of passes that the draws compute.
    var passCount: Int { draws.reduce(0) { $0 + $1.passCount } }

    /// Checks the passes of a plan, and returns the rectangles that each pass reads and writes.
    fileprivate static func geometry(
        of passes: Passes, in plan: Plan, _ limits: DrawLimits, given: Place? = nil
    ) throws(GPUError) -> [PassGeometry] {
        guard let last = passes.list.last, last.to == .output else { throw .noLastPass }
        for slot in passes.slots {
            try slot.window.checkPlace()
            try limits.check(slot.window, "an intermediate image")
        }
        var geometry: [PassGeometry] = []
        for index in passes.list.indices {
            geometry.append(try PassGeometry(index, of: passes, in: plan, after: geometry, given: given))
        }
        return geometry
    }

    /// Checks a level of a blend, and returns the rectangles that each pass of the level reads and writes.
    ///
    /// - Parameter plan: the plan of the blend.
    fileprivate static func geometry(
        ofLevel level: Plan, of plan: Plan, _ limits: DrawLimits
    ) throws(GPUError) -> [PassGeometry] {
        try level.checkRects(limits)
        guard level.extent == plan.extent, plan.region.contains(level.region), level.outputStages.isEmpty else {
            throw .invalidPlan("invalid level at \(level.region)")
        }
        return try geometry(of: level.requirePasses(), in: level, limits)
    }

    /// Prepares the draws of passes that ``geometry(of:in:_:given:)`` has checked.
    init(of passes: Passes, in plan: Plan, stored: Rect, _ limits: DrawLimits) throws(GPUError) {
        var weights: [Float] = []
        draws = try passes.runs(of: plan).map { (run) throws(GPUError) in
            limits.align(&weights)
            let draw = try run.draw(
                weightsAt: weights.count, stored: run.from == .source ? stored : run.input, decoding: plan.decoding)
            let values = ShaderTaps(run.taps).weights
            try limits.check(values)
            weights += values
            return draw
        }
        self.weights = weights
        signed = Set(passes.slots.indices.filter { passes.slots[$0].isSigned }.map { Place.slot($0) })
    }

    func isSigned(_ place: Place) -> Bool { signed.contains(place) }
}

extension [PassGeometry] {
    /// The rectangles of the image that the passes read.
    fileprivate var sourceReads: [Rect] { filter { $0.pass.from == .source }.map(\.read) }
}

extension Plan {
    /// Returns the passes of a plan; throws if the plan has another kind of work.
    func requirePasses() throws(GPUError) -> Passes {
        switch work {
        case .passes(let passes): passes
        case .copy, .kernel2D, .blend: throw .invalidPlan("a level has no passes")
        }
    }

    /// Throws if a rectangle is empty, too large, or so far from the origin that sums of coordinates would overflow.
    fileprivate func checkRects(_ limits: DrawLimits) throws(GPUError) {
        guard !extent.isEmpty, !region.isEmpty else { throw .invalidPlan("the image is empty") }
        try extent.checkPlace()
        try region.checkPlace()
        try limits.check(region, "the output")
    }
}

extension Rect {
    fileprivate func checkPlace() throws(GPUError) {
        for number in [x, y, width, height] where number.magnitude > 1 << 44 {
            throw .invalidPlan("the rectangle \(self) is too large or too far away")
        }
    }
}

extension GPUError {
    fileprivate static var noLastPass: GPUError { .invalidPlan("the last pass does not write the output") }
}

extension DrawLimits {
    /// Throws if a pass has more weights than the shader has room for.
    fileprivate func check(_ weights: [Float]) throws(GPUError) {
        guard weights.count <= self.weights else {
            throw .invalidPlan("a pass has \(weights.count) weights; the GPU's limit is \(self.weights)")
        }
    }

    /// Throws if a rectangle is empty, or larger than the maximum size of a texture.
    func check(_ window: Rect, _ what: String) throws(GPUError) {
        let side = max(window.width, window.height)
        guard side <= textureSize else { throw .imageTooLarge(what: what, side: side, limit: textureSize) }
        guard !window.isEmpty else { throw .invalidPlan("\(what) is empty") }
    }

    /// Appends zeros until the number of weights is a multiple of the alignment, so that the weights of the next pass
    /// can follow.
    func align(_ weights: inout [Float]) {
        while weights.count % weightAlignment != 0 { weights.append(0) }
    }
}
