import FrostCore

/// Each level is drawn into a texture of its own, and all levels read the same part of the image. A draw for each span then
/// mixes two levels.
extension Blend: DrawnWork {
    var levelMask: Mask? { mask }

    func sourceReads(in plan: Plan, _ limits: DrawLimits, given: Place?) throws(DrawingError) -> [Rect] {
        guard !levels.isEmpty else { throw .invalidPlan("the blend has no levels") }
        var reads: [Rect] = []
        for level in levels {
            let alone = level.plan.standalone(in: plan)
            try alone.checkRects(limits)
            guard plan.region.contains(alone.region) else { throw .invalidPlan("invalid level at \(alone.region)") }
            reads += try level.plan.passes.sourceReads(in: alone, limits, given: nil)
        }
        return reads
    }

    func draws(in plan: Plan, stored: Rect, _ taps: inout TapList) throws(DrawingError) -> WorkDraws {
        var draws = WorkDraws(lists: [])
        for level in levels {
            let list = try level.plan.passes.draws(in: level.plan.standalone(in: plan), stored: stored, &taps)
            draws.lists += list.lists.map {
                DrawList("level of sigma \(numberText(level.sigma, decimals: 3))", sourceRead: $0.sourceRead, $0.draws)
            }
        }
        draws.mixes = try spans.map { (span) throws(DrawingError) in try mix(span, region: plan.region) }
        return draws
    }

    /// Prepares the draw that mixes two levels.
    private func mix(_ span: Span, region: Rect) throws(DrawingError) -> MixDraw {
        guard levels.indices.contains(span.lower), levels.indices.contains(span.upper), region.contains(span.window)
        else { throw .invalidPlan("invalid span of levels \(span.lower) and \(span.upper) at \(span.window)") }
        let (left, top) = (span.window.x - region.x, span.window.y - region.y)
        let (low, high) = (levels[span.lower], levels[span.upper])
        let windows = [low.plan.region, high.plan.region]
        let origins = SIMD4(
            try Int32(texels: region.x - windows[0].x), try Int32(texels: region.y - windows[0].y),
            try Int32(texels: region.x - windows[1].x), try Int32(texels: region.y - windows[1].y))
        let sizes = SIMD4(
            Int32(clamping: windows[0].width), Int32(clamping: windows[0].height), Int32(clamping: windows[1].width),
            Int32(clamping: windows[1].height))
        let isAlone = span.lower == span.upper
        let shares = SIMD2(Float(low.share), isAlone ? 0 : 1 / Float(high.share - low.share))
        // The mask gives each pixel a share (0 to 1) of the largest variance. This draw covers the pixels with
        // bounds.x <= share < bounds.y. If the draw shows a single level, the bounds include every possible share, so that
        // rounding cannot exclude a pixel. In the last span, bounds.y is 2, so that pixels with the share of the upper level
        // are included too.
        let bounds = isAlone ? SIMD2(-1, 2) : SIMD2(Float(low.share), Float(high.above > 1 ? 2 : high.share))
        let part = DrawPart(columns: left..<left + span.window.width, rows: top..<top + span.window.height)
        return MixDraw(
            name: "mix of levels \(span.lower + 1) and \(span.upper + 1)",
            draw: ShaderDraw(
                .blend, parts: [part],
                uniforms: [
                    (.levelOrigins, .int4(origins)), (.levelSizes, .int4(sizes)), (.levelShares, .float2(shares)),
                    (.shareBounds, .float2(bounds)),
                ]), lower: span.lower, upper: span.upper, window: span.window)
    }
}
