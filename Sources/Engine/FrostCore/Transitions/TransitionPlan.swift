/// A description of how one frame of a transition is computed. Every backend executes exactly this plan.
///
/// A plan holds no pixels. Equal transitions, times, sizes and regions give equal plans.
public struct TransitionPlan: Sendable, Hashable {
    /// The source's rectangle. Its top left corner is the origin.
    public let source: Rect
    /// The target's rectangle. Its top left corner is the origin.
    public let target: Rect
    /// The smallest rectangle that contains both images.
    public let canvas: Rect
    /// The rectangle to compute, in absolute pixels. It may reach outside the canvas, where the result is transparent.
    public let region: Rect
    /// How the region is computed.
    public let work: Work
    /// The transfer function that decodes both images; nil if they are not decoded.
    public let decoding: TransferFunction?
    /// The maximum difference between an output value and the formulas, before the output is rounded, in 8-bit steps (1/255 of
    /// full scale).
    ///
    /// The weights of a mixture are right within 2^-12, which is 1/16 of a step. Positions are floats: their errors are at most
    /// 2^-22 of the largest distance that the transition computes, and neighbouring pixels differ by at most 255 steps along
    /// each axis. In linear light, encoding amplifies this second error by up to ``TransferFunction/amplification``.
    public let errorBound: Double

    /// The three ways to compute a frame.
    public enum Work: Sendable, Hashable {
        /// The frame is the source, as at time 0.
        case source
        /// The frame is the target, as at time 1.
        case target
        /// Each pixel is computed from its position.
        case drawing(Transition.Kind, TransitionFrame)
    }
}

extension Transition {
    /// Plans one frame.
    ///
    /// - Parameters:
    ///   - time: 0 to 1.
    ///   - source: the source's size, as a rectangle at the origin.
    ///   - target: the target's size, as a rectangle at the origin.
    ///   - region: the rectangle to compute; the canvas by default.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a time outside 0...1,
    ///   ``ParameterError/emptyRegion(_:)``, and ``ParameterError/coordinatesTooLarge(_:limit:)``.
    public func plan(
        at time: Double, from source: Rect, to target: Rect, region: Rect? = nil
    ) throws(ParameterError) -> TransitionPlan {
        let canvas = source.hull(target)
        let region = region ?? canvas
        let extent = extent ?? source
        let shadowExtent = shadowExtent ?? extent
        try Self.check(time: time, rectangles: [region, extent, shadowExtent])
        let isDrawn = time > 0 && time < 1
        let frame = TransitionFrame(
            extent: extent, shadowExtent: shadowExtent, canvas: canvas, time: time, decoding: decoding)
        let work: TransitionPlan.Work = isDrawn ? .drawing(kind, frame) : time == 0 ? .source : .target
        let distance = kind.value.largestDistance(frame)
        let positionError = 2 * 255 * distance * 0x1p-22 * (decoding?.amplification ?? 1)
        return TransitionPlan(
            source: source, target: target, canvas: canvas, region: region, work: work,
            decoding: isDrawn ? decoding : nil, errorBound: isDrawn ? 0.0625 + positionError : 0)
    }

    /// Checks a time, and rectangles on which a frame depends.
    ///
    /// - Throws: the errors of ``plan(at:from:to:region:)``.
    package static func check(time: Double, rectangles: [Rect]) throws(ParameterError) {
        guard (0...1).contains(time) else { throw .outOfRange(parameter: "time", value: time, allowed: 0...1) }
        for rect in rectangles {
            guard !rect.isEmpty else { throw .emptyRegion(rect) }
            let limit = 1 << 24
            guard [rect.x, rect.y, rect.width, rect.height].allSatisfy({ abs($0) <= limit }) else {
                throw .coordinatesTooLarge(rect, limit: limit)
            }
        }
    }
}
