import FrostCore

/// A blend made ready for drawing.
struct BlendSchedule: Hashable {
    /// Each with draws up to an output of its own. All read the same part of the image.
    let levels: [Schedule]
    let spans: [SpanDraw]
}

/// The mixture of two levels, for the shader of filter.frag, whose uniforms the names are.
struct SpanDraw: Hashable {
    /// Indices of ``BlendSchedule/levels``.
    let lower, upper: Int
    /// Of the target's texels.
    let columns, rows: Range<Int>
    let origins: SIMD4<Int32>
    let sizes: SIMD4<Int32>
    let shares: SIMD2<Float>
    let bounds: SIMD2<Float>

    init(_ span: Blend.Span, of blend: Blend, region: Rect) throws(GPUError) {
        guard blend.levels.indices.contains(span.lower), blend.levels.indices.contains(span.upper),
            region.contains(span.window)
        else { throw .invalidPlan("a span of levels \(span.lower) and \(span.upper) at \(span.window)") }
        (lower, upper) = (span.lower, span.upper)
        columns = span.window.x - region.x..<span.window.x - region.x + span.window.width
        rows = span.window.y - region.y..<span.window.y - region.y + span.window.height
        let (low, high) = (blend.levels[lower], blend.levels[upper])
        let windows = [low.plan.region, high.plan.region]
        origins = SIMD4(
            try Step.narrow(region.x - windows[0].x), try Step.narrow(region.y - windows[0].y),
            try Step.narrow(region.x - windows[1].x), try Step.narrow(region.y - windows[1].y))
        sizes = SIMD4(
            Int32(clamping: windows[0].width), Int32(clamping: windows[0].height), Int32(clamping: windows[1].width),
            Int32(clamping: windows[1].height))
        let isAlone = lower == upper
        shares = SIMD2(Float(low.share), isAlone ? 0 : 1 / Float(high.share - low.share))
        // The last has its upper level's share, too; of one that is alone a rounding decides nothing.
        bounds = isAlone ? SIMD2(-1, 2) : SIMD2(Float(low.share), Float(high.above > 1 ? 2 : high.share))
    }
}

extension Schedule {
    /// Checks the plan of a blend, and works out its draws.
    init(_ plan: Plan, _ blend: Blend, limits: ScheduleLimits, stored: Rect?) throws(GPUError) {
        guard plan.passes.isEmpty, !blend.levels.isEmpty else { throw .invalidPlan("a blend of \(blend.levels.count)") }
        let outputStages = try OutputStagesSchedule(plan)
        var columns = stored?.columns ?? outputStages.original?.columns
        var rows = stored?.rows ?? outputStages.original?.rows
        for level in blend.levels {
            guard level.plan.extent == plan.extent, plan.region.contains(level.plan.region),
                level.plan.outputStages.isEmpty,
                level.plan.blend == nil
            else { throw .invalidPlan("a level at \(level.plan.region)") }
            let own = try Schedule(level.plan, limits: limits).sourceWindow
            columns = hull(columns, own.columns)
            rows = hull(rows, own.rows)
        }
        let window = Rect(columns: columns ?? 0..<1, rows: rows ?? 0..<1)
        let levels = try blend.levels.map { (level) throws(GPUError) in
            try Schedule(level.plan, limits: limits, reading: window)
        }
        let spans = try blend.spans.map { (span) throws(GPUError) in
            try SpanDraw(span, of: blend, region: plan.region)
        }
        try self.init(
            extent: plan.extent, sourceWindow: window, outputStages: outputStages,
            blend: BlendSchedule(levels: levels, spans: spans), limits)
    }
}
