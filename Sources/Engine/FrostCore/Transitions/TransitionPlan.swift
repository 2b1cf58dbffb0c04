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
    /// The maximum difference between an output value and the law, before the output is rounded, in 8-bit steps (1/255 of
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
        case drawing(TransitionDrawing)
    }
}

/// The numbers of one frame of a transition: a kind's parameters, with everything computed that does not depend on the
/// pixel.
public enum TransitionDrawing: Sendable, Hashable {
    /// The same mixture of both images for all pixels.
    ///
    /// - Parameter share: the share of the target.
    case dissolve(share: Double)
    /// The numbers of ``Swipe``.
    case swipe(Swipe.Drawing)
    /// The numbers of ``CopyMachine``.
    case copyMachine(CopyMachine.Drawing)
    /// The numbers of ``BarsSwipe``.
    case barsSwipe(BarsSwipe.Drawing)
    /// The numbers of ``Mod``.
    case mod(Mod.Drawing)
    /// The numbers of ``Disintegrate``.
    case disintegrate(Disintegrate.Drawing)
    /// The numbers of ``Ripple``.
    case ripple(Ripple.Drawing)
    /// The numbers of ``PageCurl``.
    case pageCurl(PageCurl.Drawing)
    /// The numbers of ``AccordionFold``.
    case accordionFold(AccordionFold.Drawing)
    /// The numbers of ``Flash``.
    case flash(Flash.Drawing)
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
        let work: TransitionPlan.Work =
            isDrawn ? .drawing(drawing(frame, source: source)) : time == 0 ? .source : .target
        let positionError = 2 * 255 * largestDistance(frame) * 0x1p-22 * (decoding?.amplification ?? 1)
        return TransitionPlan(
            source: source, target: target, canvas: canvas, region: region, work: work,
            decoding: isDrawn ? decoding : nil, errorBound: isDrawn ? 0.0625 + positionError : 0)
    }

    /// Returns the largest distance in pixels that a kernel computes for a pixel of the canvas, multiplied by the slope with
    /// which positions depend on it; 0 if the kind computes none.
    private func largestDistance(_ frame: TransitionFrame) -> Double {
        let all = frame.extent.hull(frame.canvas)
        let side = Double(max(all.width, all.height))
        /// The largest distance from a centre.
        func distance(from fractions: SIMD2<Double>) -> Double {
            let center = frame.point(fractions)
            return max(side, abs(center.x - Double(all.x)) + side, abs(center.y - Double(all.y)) + side)
        }
        return switch kind {
        case .dissolve, .disintegrate: 0
        case .swipe, .copyMachine, .barsSwipe, .accordionFold: side
        case .mod(let mod): distance(from: mod.center)
        case .flash(let flash): distance(from: flash.center)
        case .ripple(let ripple):
            // The slope of the wave amplifies errors of the distance.
            distance(from: ripple.center) * (1 + abs(ripple.scale) * .pi / (2 * ripple.width)) + abs(ripple.scale)
        case .pageCurl(let curl): side + .pi * curl.radius
        }
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

    private func drawing(_ frame: TransitionFrame, source: Rect) -> TransitionDrawing {
        switch kind {
        case .dissolve: .dissolve(share: frame.time)
        case .swipe(let swipe): .swipe(swipe.drawing(frame))
        case .copyMachine(let machine): .copyMachine(machine.drawing(frame))
        case .barsSwipe(let bars): .barsSwipe(bars.drawing(frame))
        case .mod(let mod): .mod(mod.drawing(frame))
        case .disintegrate(let disintegrate): .disintegrate(disintegrate.drawing(frame))
        case .ripple(let ripple): .ripple(ripple.drawing(frame))
        case .pageCurl(let curl): .pageCurl(curl.drawing(frame, source: source))
        case .accordionFold(let fold): .accordionFold(fold.drawing(frame))
        case .flash(let flash): .flash(flash.drawing(frame))
        }
    }
}

extension TransitionDrawing {
    /// The numbers of the drawing, in the order in which the kind's shader names them.
    package var numbers: [Double] {
        switch self {
        case .dissolve(let share): [share]
        case .swipe(let drawing): drawing.numbers
        case .copyMachine(let drawing): drawing.numbers
        case .barsSwipe(let drawing): drawing.numbers
        case .mod(let drawing): drawing.numbers
        case .disintegrate(let drawing): drawing.numbers
        case .ripple(let drawing): drawing.numbers
        case .pageCurl(let drawing): drawing.numbers
        case .accordionFold(let drawing): drawing.numbers
        case .flash(let drawing): drawing.numbers
        }
    }
}
