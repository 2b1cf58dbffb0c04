package import FrostCore

/// How a GPU draws a kind of work. Each kind has a file of its own. ``FrostCore/Plan/Work/drawn`` is the only switch over
/// the kinds; all else that draws a plan reads a ``DrawPlan``, which has the same form for all kinds.
protocol DrawnWork {
    /// The mask that selects the levels of a blend; nil for other kinds.
    var levelMask: Mask? { get }
    /// Checks the work, and returns the rectangles of the image that the draws read.
    ///
    /// - Parameter given: a slot (intermediate image) whose texture already exists, or nil.
    func sourceReads(in plan: Plan, _ limits: DrawLimits, given: Place?) throws(DrawingError) -> [Rect]
    /// Prepares the draws, after ``sourceReads(in:_:given:)`` has checked the work.
    ///
    /// - Parameter stored: the part of the image that the source's texture contains.
    func draws(in plan: Plan, stored: Rect, _ taps: inout TapList) throws(DrawingError) -> WorkDraws
}

extension DrawnWork {
    var levelMask: Mask? { nil }
}

/// The draws of a work.
struct WorkDraws {
    /// The draws of the result; for a blend, the draws of each level.
    var lists: [DrawList]
    /// The draws that mix the levels into the result; empty if the work has no levels.
    var mixes: [MixDraw] = []
}

extension Plan.Work {
    /// The work as a value that can be drawn; nil for a copy, because the CPU makes copies.
    var drawn: (any DrawnWork)? {
        switch self {
        case .copy: nil
        case .passes(let passes): passes
        case .kernel2D(let kernel): kernel
        case .blend(let blend): blend
        case .refraction(let refraction): refraction
        }
    }
}

/// A plan prepared for drawing, as the numbers that its shaders receive. The plan has been checked, so that no shader
/// reads outside a texture.
package struct DrawPlan: Sendable {
    /// The image's rectangle, in absolute pixels.
    package let extent: Rect
    /// The part of the image that the draws read, in absolute pixels. Only this part is uploaded.
    package let sourceWindow: Rect
    /// The draws of the result; for a blend, the draws of each level.
    package let lists: [DrawList]
    /// The draws that mix the levels of a blend into the result, in the order of ``MixDraw/upper``; empty if the plan has
    /// no levels.
    package let mixes: [MixDraw]
    /// The taps of all draws, as the shader's uniform block of taps stores them.
    package let taps: [Float]
    /// The output stages that the last draws apply; nil if they only round their values. A blend always has output
    /// stages, because they contain its mask.
    package let outputStages: PreparedOutputStages?

    /// Checks a plan and computes its draws, without calling the GL.
    ///
    /// - Parameters:
    ///   - stored: the part of the image that the source's texture contains, if this texture already exists; nil if the
    ///     texture does not exist yet. In the second case only the part of the image that the plan reads is uploaded.
    ///   - given: a slot (intermediate image) whose texture already exists, so that no pass of the plan writes this slot,
    ///     or nil.
    /// - Throws: ``DrawingError``, also for plans that only copy pixels.
    package init(_ plan: Plan, limits: DrawLimits, stored: Rect? = nil, given: Place? = nil) throws(DrawingError) {
        try plan.checkRects(limits)
        guard let work = plan.work.drawn else { throw .invalidPlan("the last pass does not write the output") }
        let reads = try work.sourceReads(in: plan, limits, given: given)
        let needsStages = work.levelMask != nil || !plan.outputStages.isEmpty
        let stages = needsStages ? try PreparedOutputStages(plan, levelMask: work.levelMask) : nil
        // A texture must have at least one texel, even if the draws read only an intermediate that was kept from an
        // earlier execution.
        let all = [stored, stages?.original].compactMap { $0 } + reads
        let first = all.first ?? Rect(x: plan.extent.x, y: plan.extent.y, width: 1, height: 1)
        let window = all.dropFirst().reduce(first) { $0.hull($1) }
        try limits.check(window, "the image")
        var taps = TapList(limits)
        let draws = try work.draws(in: plan, stored: window, &taps)
        (extent, sourceWindow, outputStages) = (plan.extent, window, stages)
        (lists, mixes, self.taps) = (draws.lists, draws.mixes, taps.values)
    }

    /// The number of times that a value is stored and rounded between the image and the result. The output of a level
    /// is stored too.
    package var intermediateCount: Int {
        (lists.map(\.passCount).max() ?? 0) - (mixes.isEmpty ? 1 : 0)
    }
}

extension Plan {
    /// Throws if a rectangle is empty, too large, or so far from the origin that sums of coordinates would overflow.
    func checkRects(_ limits: DrawLimits) throws(DrawingError) {
        guard !extent.isEmpty, !region.isEmpty else { throw .invalidPlan("the image is empty") }
        try extent.checkPlace()
        try region.checkPlace()
        try limits.check(region, "the output")
    }
}

extension Rect {
    func checkPlace() throws(DrawingError) {
        for number in [x, y, width, height] where number.magnitude > 1 << 44 {
            throw .invalidPlan("the rectangle \(self) is too large or too far away")
        }
    }
}
