import FrostCore

/// A plan made ready for drawing: each pass as the numbers that its shader is given. Checked, so that no shader reads
/// outside a texture.
struct DrawPlan: Hashable {
    /// The image's, in absolute pixels.
    let extent: Rect
    /// The part of the image that any draw reads, in absolute pixels: all that has to be uploaded.
    let sourceWindow: Rect
    let work: Work
    /// What the last draw does with its result; nil if that is only rounded.
    let outputStages: PreparedOutputStages?

    /// The kinds of work of a ``Plan`` that are drawn. Copies are made on the CPU.
    enum Work: Hashable {
        case passes(PassDraws)
        case kernel2D(Kernel2DDraw)
        /// It always has output stages, which know the mask.
        case blend(BlendDraws)
    }
}

/// The limits that a device sets.
struct DrawLimits: Hashable {
    var textureSize: Int
    /// Weights of one pass.
    var weights: Int
    /// Each pass starts at a multiple of this many weights.
    var weightAlignment: Int
}

extension DrawPlan {
    /// Checks a plan and works out its draws. No GL is involved.
    ///
    /// - Parameters:
    ///   - stored: the part of the image that its texture has, if that is settled and more than what is read.
    ///   - given: a slot that no pass writes, since it is there already.
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
            work = .passes(try PassDraws(geometry, of: passes, in: plan, stored: sourceWindow, limits))
        case .kernel2D(let kernel):
            outputStages = try PreparedOutputStages.ifAny(plan)
            sourceWindow = try Self.window(stored, [plan.sourceRead], outputStages, extent, limits)
            try limits.check(kernel.shaderTaps)
            work = .kernel2D(try Kernel2DDraw(kernel, of: plan, stored: sourceWindow))
        case .blend(let blend):
            let stages = try PreparedOutputStages(plan)
            outputStages = stages
            let levels = try blend.levels.map { (level) throws(GPUError) in
                try PassDraws.geometry(ofLevel: level.plan, of: plan, limits)
            }
            guard !levels.isEmpty else { throw .invalidPlan("a blend of 0") }
            sourceWindow = try Self.window(stored, levels.flatMap(\.sourceReads), stages, extent, limits)
            work = .blend(try BlendDraws(blend, levels, of: plan, stored: sourceWindow, limits))
        }
    }

    /// The part of the image that has to be in the texture.
    private static func window(
        _ stored: Rect?, _ reads: [Rect], _ outputStages: PreparedOutputStages?, _ extent: Rect,
        _ limits: DrawLimits
    ) throws(GPUError) -> Rect {
        let all = [stored, outputStages?.original].compactMap { $0 } + reads
        // A texture has to have some texel, even if a kept slot is all that is read.
        let first = all.first ?? Rect(x: extent.x, y: extent.y, width: 1, height: 1)
        let window = all.dropFirst().reduce(first) { $0.hull($1) }
        try limits.check(window, "the image")
        return window
    }

    /// How many times a value is stored, and rounded, between the image and the result.
    var intermediateCount: Int {
        switch work {
        case .passes(let passes): passes.draws.count - 1
        case .kernel2D: 0
        // All draws of a level: its output is stored, too.
        case .blend(let blend): blend.levels.map(\.draws.count).max() ?? 0
        }
    }
}

/// The draws of a list of passes, and what they share.
struct PassDraws: Hashable {
    /// Not empty.
    let draws: [PassDraw]
    /// The weights of all draws; each draw's start at its `weightsAt`.
    let weights: [Float]
    /// The slots whose values may be negative.
    private let signed: Set<Place>
    /// The part of the image that is in its texture.
    private let stored: Rect

    /// Checks the passes of a plan.
    fileprivate static func geometry(
        of passes: Passes, in plan: Plan, _ limits: DrawLimits, given: Place? = nil
    ) throws(GPUError) -> [PassGeometry] {
        guard let last = passes.list.last, last.to == .output else { throw .noLastPass }
        for slot in passes.slots {
            try slot.window.checkPlace()
            try limits.check(slot.window, "an intermediate")
        }
        var geometry: [PassGeometry] = []
        for index in passes.list.indices {
            geometry.append(try PassGeometry(index, of: passes, in: plan, after: geometry, given: given))
        }
        return geometry
    }

    /// Checks a level of a blend.
    ///
    /// - Parameter plan: of the blend.
    fileprivate static func geometry(
        ofLevel level: Plan, of plan: Plan, _ limits: DrawLimits
    ) throws(GPUError) -> [PassGeometry] {
        try level.checkRects(limits)
        guard level.extent == plan.extent, plan.region.contains(level.region), level.outputStages.isEmpty else {
            throw .invalidPlan("a level at \(level.region)")
        }
        return try geometry(of: level.requirePasses(), in: level, limits)
    }

    init(
        _ geometry: [PassGeometry], of passes: Passes, in plan: Plan, stored: Rect, _ limits: DrawLimits
    ) throws(GPUError) {
        var draws: [PassDraw] = []
        var weights: [Float] = []
        for pass in geometry {
            let taps = try ShaderTaps(pass.pass.operation)
            try limits.check(taps.weights)
            limits.align(&weights)
            draws.append(
                try pass.draw(
                    taps, weightsAt: weights.count, stored: pass.pass.from == .source ? stored : pass.input,
                    decoding: plan.decoding))
            weights += taps.weights
        }
        self.draws = draws
        self.weights = weights
        self.stored = stored
        signed = Set(passes.slots.indices.filter { passes.slots[$0].isSigned }.map { Place.slot($0) })
    }

    /// Of the texture at a place, in texels.
    func size(of place: Place) -> (width: Int, height: Int) {
        let window = draws.first { $0.to == place }?.window ?? stored
        return (window.width, window.height)
    }

    func isSigned(_ place: Place) -> Bool { signed.contains(place) }
}

extension [PassGeometry] {
    /// What the passes read of the image.
    fileprivate var sourceReads: [Rect] { filter { $0.pass.from == .source }.map(\.read) }
}

extension Plan {
    /// The passes of a plan that has to have some.
    func requirePasses() throws(GPUError) -> Passes {
        switch work {
        case .passes(let passes): passes
        case .copy, .kernel2D, .blend: throw .invalidPlan("a level that is not made by passes")
        }
    }

    /// Refuses rectangles that are empty, too large, or so far away that sums would overflow.
    fileprivate func checkRects(_ limits: DrawLimits) throws(GPUError) {
        guard !extent.isEmpty, !region.isEmpty else { throw .invalidPlan("an empty image") }
        try extent.checkPlace()
        try region.checkPlace()
        try limits.check(region, "the output")
    }
}

extension Rect {
    fileprivate func checkPlace() throws(GPUError) {
        for number in [x, y, width, height] where number.magnitude > 1 << 44 {
            throw .invalidPlan("a rectangle at \(self)")
        }
    }
}

extension GPUError {
    fileprivate static var noLastPass: GPUError { .invalidPlan("no pass at the end that writes the output") }
}

extension DrawLimits {
    /// Refuses more weights than the shader has room for.
    fileprivate func check(_ weights: [Float]) throws(GPUError) {
        guard weights.count <= self.weights else {
            throw .invalidPlan("\(weights.count) weights in a pass, the GPU's limit is \(self.weights)")
        }
    }

    /// Refuses what is larger than a texture.
    func check(_ window: Rect, _ what: String) throws(GPUError) {
        let side = max(window.width, window.height)
        guard side <= textureSize else { throw .imageTooLarge(what: what, side: side, limit: textureSize) }
        guard !window.isEmpty else { throw .invalidPlan("\(what) is empty") }
    }

    /// Fills up to where a pass may start.
    func align(_ weights: inout [Float]) {
        while weights.count % weightAlignment != 0 { weights.append(0) }
    }
}
