import FrostCore

/// The draws of a blend: its levels, and the spans that mix them.
struct BlendDraws: Hashable {
    /// Each draws up to an output of its own. All read the same part of the image.
    let levels: [PassDraws]
    let spans: [SpanDraw]

    /// - Parameters:
    ///   - geometry: of the levels' passes.
    ///   - plan: of the blend.
    ///   - stored: the part of the image that is in its texture.
    init(
        _ blend: Blend, _ geometry: [[PassGeometry]], of plan: Plan, stored: Rect, _ limits: DrawLimits
    ) throws(GPUError) {
        var levels: [PassDraws] = []
        for (level, geometry) in zip(blend.levels, geometry) {
            levels.append(
                try PassDraws(geometry, of: level.plan.requirePasses(), in: level.plan, stored: stored, limits))
        }
        self.levels = levels
        spans = try blend.spans.map { (span) throws(GPUError) in try SpanDraw(span, of: blend, region: plan.region) }
    }
}

/// The mixture of two levels, for the shader of filter.output.glsl, whose uniforms the names are.
struct SpanDraw: ShaderDraw, Hashable {
    /// Indices of ``BlendDraws/levels``.
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
        else { throw .invalidPlan("a span of levels \(span.lower) and \(span.upper) at \(span.window)") }
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
        // A level that is alone has every share, so that no rounding decides. The last span includes the upper level's
        // own share.
        bounds = isAlone ? SIMD2(-1, 2) : SIMD2(Float(low.share), Float(high.above > 1 ? 2 : high.share))
    }

    /// A span's places are counted from the target's own pixels, so that there is nothing to shift.
    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        [
            (.levelOrigins, .int4(origins)), (.levelSizes, .int4(sizes)), (.levelShares, .float2(shares)),
            (.shareBounds, .float2(bounds)),
        ]
    }
}
