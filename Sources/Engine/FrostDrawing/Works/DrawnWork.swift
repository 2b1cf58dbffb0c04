import FrostCore

/// How a GPU draws a kind of work. Each kind has a file of its own. ``FrostCore/Plan/Work/drawn`` is the only switch over
/// the kinds; all else that draws a plan reads a ``DrawPlan``, which has the same form for all kinds.
protocol DrawnWork {
    /// The mask that selects the levels of a blend; nil for other kinds.
    var levelMask: Mask? { get }
    /// Checks the work, and returns the rectangles of the image that the draws read.
    ///
    /// - Parameter given: a slot (intermediate image) whose texture already exists; nil if there is none.
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
        }
    }
}
