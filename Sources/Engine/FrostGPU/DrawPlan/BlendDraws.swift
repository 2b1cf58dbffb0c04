import FrostCore

/// The draws of a blend: the draws of its levels, and the draws that mix two levels.
struct BlendDraws: Hashable {
    /// The draws of each level. Each level has an output of its own, and all levels read the same part of the image.
    let levels: [PassDraws]
    let spans: [SpanDraw]

    /// Prepares the draws of a blend.
    ///
    /// - Parameters:
    ///   - plan: the plan of the blend.
    ///   - stored: the part of the image that the source's texture contains.
    init(_ blend: Blend, of plan: Plan, stored: Rect, _ limits: DrawLimits) throws(GPUError) {
        levels = try blend.levels.map { (level) throws(GPUError) in
            try PassDraws(of: level.plan.passes, in: level.plan.standalone(in: plan), stored: stored, limits)
        }
        spans = try blend.spans.map { (span) throws(GPUError) in try SpanDraw(span, of: blend, region: plan.region) }
    }
}

/// A draw that mixes two levels of a blend. Its private properties hold values for uniforms of filter.frag.
struct SpanDraw: ShaderDraw, Hashable {
    /// The two levels, as indices of ``BlendDraws/levels``.
    let lower, upper: Int
    private let part: DrawPart
    private let origins: SIMD4<Int32>
    private let sizes: SIMD4<Int32>
    private let shares: SIMD2<Float>
    private let bounds: SIMD2<Float>

    var kind: DrawKind { .blend }
    var parts: [DrawPart] { [part] }

    init(_ span: Blend.Span, of blend: Blend, region: Rect) throws(GPUError) {
        guard blend.levels.indices.contains(span.lower), blend.levels.indices.contains(span.upper),
            region.contains(span.window)
        else { throw .invalidPlan("invalid span of levels \(span.lower) and \(span.upper) at \(span.window)") }
        (lower, upper) = (span.lower, span.upper)
        let (left, top) = (span.window.x - region.x, span.window.y - region.y)
        part = DrawPart(
            columns: left..<left + span.window.width, rows: top..<top + span.window.height, hasEdges: false)
        let (low, high) = (blend.levels[lower], blend.levels[upper])
        let windows = [low.plan.region, high.plan.region]
        origins = SIMD4(
            try Int32(texels: region.x - windows[0].x), try Int32(texels: region.y - windows[0].y),
            try Int32(texels: region.x - windows[1].x), try Int32(texels: region.y - windows[1].y))
        sizes = SIMD4(
            Int32(clamping: windows[0].width), Int32(clamping: windows[0].height), Int32(clamping: windows[1].width),
            Int32(clamping: windows[1].height))
        let isAlone = lower == upper
        shares = SIMD2(Float(low.share), isAlone ? 0 : 1 / Float(high.share - low.share))
        // The mask gives each pixel a share (0 to 1) of the largest variance. This draw covers the pixels with
        // bounds.x <= share < bounds.y. If the draw shows a single level, the bounds include every possible share, so that
        // rounding cannot exclude a pixel. In the last span, bounds.y is 2, so that pixels with the share of the upper level
        // are included too.
        bounds = isAlone ? SIMD2(-1, 2) : SIMD2(Float(low.share), Float(high.above > 1 ? 2 : high.share))
    }

    /// Returns the values of the uniforms. `shift` is not used, because a blend counts pixels from the target's own first
    /// pixel.
    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        [
            (.levelOrigins, .int4(origins)), (.levelSizes, .int4(sizes)), (.levelShares, .float2(shares)),
            (.shareBounds, .float2(bounds)),
        ]
    }
}
