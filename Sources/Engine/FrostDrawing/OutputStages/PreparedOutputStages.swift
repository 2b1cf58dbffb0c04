package import FrostCore

/// The output stages of a plan, prepared for the last draw. Preparing them calls no GL function.
package struct PreparedOutputStages: Hashable, Sendable {
    let inside: [ColorStage]
    /// The mask of the output stages; for a blend, the mask that selects its levels.
    package let mask: Mask?
    /// Whether the mask mixes the colours with the blur, and not with the original.
    let mixesBlur: Bool
    let over: [ColorStage]
    /// The content layers that intersect the region.
    package let content: [ContentLayer]
    /// Whether the effect has any content layers, inside or outside the region. If it has such layers, a pixel with mask
    /// value 0 gets the original's colour, but not necessarily the original's bytes.
    let hasContent: Bool
    /// The clip rectangles that intersect the region; nil if nothing is clipped.
    let clip: [RoundedRect]?
    /// The radius within which the clip rectangles and the lit shapes flow together.
    let join: Double
    /// How the clip rectangles cover pixels.
    let clipRule: ClipRule
    /// Whether any of the clip rectangles is turned, is an ellipse or throws a shadow, or whether they are joined, covered by a
    /// rule, or more than ``clipLimit``. The part of each pixel within all rectangles is then computed on the CPU, and stored beside the content, together with
    /// the part of the shadow.
    let clipsByImage: Bool
    /// The pixels of the region that the clip rectangles or their shadow may cover, if ``clipsByImage``.
    let clipWindow: Rect?
    let opacity: Double
    /// The shadow of the clip rectangles; nil for none.
    let shadow: DropShadow?
    /// Whether the result of all other stages is mixed with the original.
    let endsInMixture: Bool
    /// Whether any of the clip rectangles has corners that are not quarter circles.
    let hasCurves: Bool
    let dither: Dither?
    /// The light along the edges of ``edgeShapes``; nil if no edge in the region is lit.
    let edge: EdgeLight?
    /// The shapes that are near the region.
    let edgeShapes: [RoundedRect]
    /// The factor by which the output stages can enlarge the error of the blur and the rounding errors of the blur's
    /// arithmetic.
    package let amplification: Double
    let extent: Rect
    package let region: Rect
    /// The rectangle over which the mask is stretched.
    package let maskExtent: Rect
    /// The part of the image from which the shader reads original pixels, in absolute coordinates; nil if no original pixel
    /// is needed.
    package let original: Rect?
    /// The edge rule for reading original pixels along x: see ``EdgeRule/shaderRange(from:lowest:count:)``. The first value
    /// is the region's start, counted from the image's first pixel.
    let originalX: SIMD4<Int32>
    /// The edge rule for reading original pixels along y, like ``originalX``.
    let originalY: SIMD4<Int32>
    /// Whether the region reaches outside the image, so that reading original pixels needs the edge rule.
    let originalHasEdges: Bool

    /// Whether the shader reads the texture of the content.
    package var readsContent: Bool { clipsByImage || !content.isEmpty }

    /// The layers' vibrancy, in the order of the layers.
    var vibrancies: [ColorMatrix] { content.compactMap { $0.vibrancy?.matrix } }

    /// The maximum number of colour stages in the shader's uniform block.
    static let stageLimit = 32
    /// The maximum number of clip rectangles in the shader's uniform block.
    static let clipLimit = 128
    /// The maximum number of content layers in the shader's uniform block.
    static let layerLimit = 16
    /// The maximum number of parts of a ramp in the shader's uniform block.
    static let rampLimit = Mask.Ramp.stopLimit - 1
    /// The maximum number of shapes whose edges are lit in the shader's uniform block.
    static let edgeLimit = 8
    /// The maximum corner radius in pixels. With larger radii, 32-bit floats cause errors of more than a quarter of a step
    /// along the corners' arcs.
    static let radiusLimit = 8192.0
    /// The maximum radius of corners that are not quarter circles, with the same error.
    static let curveRadiusLimit = 2048.0

    /// Prepares the output stages of a plan.
    ///
    /// - Parameter levelMask: the mask that selects the levels of a blend; nil for other plans.
    /// - Throws: ``DrawingError/unsupportedOutputStages(_:)`` if the stages or layers exceed the size of the uniform block, or if
    ///   a corner radius is too large.
    init(_ plan: Plan, levelMask: Mask? = nil) throws(DrawingError) {
        let outputStages = plan.outputStages
        inside = outputStages.inside
        mask = levelMask ?? outputStages.mask
        mixesBlur = outputStages.mixesBlur
        over = outputStages.over
        dither = outputStages.dither
        amplification = outputStages.amplification
        extent = plan.extent
        region = plan.region
        maskExtent = plan.maskExtent
        // Every joined shape may count.
        func reach(_ shape: RoundedRect) -> Rect? {
            outputStages.reach(of: shape, among: outputStages.clip).intersection(plan.region)
        }
        let reaching = outputStages.clip.filter { reach($0) != nil }
        let clip = outputStages.join > 0 && !reaching.isEmpty ? outputStages.clip : reaching
        clipRule = outputStages.clipRule
        // Far from all shapes, an inverted clip hides nothing.
        self.clip = outputStages.clip.isEmpty || clipRule.isInverted && clip.isEmpty ? nil : clip
        shadow = clip.isEmpty ? nil : outputStages.shadow
        join = outputStages.join
        clipsByImage =
            shadow != nil || outputStages.join(of: clip) > 0 || !clip.isEmpty && !clipRule.isPlain
            || clip.contains(where: \.isPolygon) || clip.count > Self.clipLimit
        let windows = reaching.compactMap(reach)
        clipWindow =
            clipsByImage ? windows.dropFirst().reduce(windows.first) { $0?.hull($1) } : nil
        let near = outputStages.shapes.filter {
            outputStages.join > 0 || $0.bounds.grown(by: 1).intersection(plan.region) != nil
        }
        (edge, edgeShapes) = near.isEmpty ? (nil, []) : (outputStages.edge, near)
        guard edge == nil || near.count <= Self.edgeLimit else {
            throw .unsupportedOutputStages("\(near.count) shapes with lit edges; the GPU's limit is \(Self.edgeLimit)")
        }
        opacity = outputStages.opacity
        endsInMixture = outputStages.endsInMixture
        hasCurves = !clipsByImage && clip.contains(where: \.hasCurves)
        hasContent = !outputStages.content.isEmpty
        content = outputStages.content.filter { $0.window(extent: plan.extent, region: plan.region) != nil }
        // The clip's image takes the place of a layer.
        guard content.count + (clipsByImage ? 1 : 0) <= Self.layerLimit else {
            throw .unsupportedOutputStages("\(content.count) layers of content; the GPU's limit is \(Self.layerLimit)")
        }
        let stages = inside.count + over.count + content.count { $0.vibrancy != nil }
        guard stages <= Self.stageLimit else {
            throw .unsupportedOutputStages("\(stages) colour stages; the GPU's limit is \(Self.stageLimit)")
        }
        if case .ramp(let ramp)? = mask, ramp.stops.count > Mask.Ramp.stopLimit {
            throw .unsupportedOutputStages("\(ramp.stops.count) stops; the GPU's limit is \(Mask.Ramp.stopLimit)")
        }
        if clipsByImage, content.contains(where: { $0.image.texture != nil }) {
            throw .unsupportedOutputStages(
                "a texture in a panel that is turned, elliptic, joined or feathered, throws a shadow, or is clipped to more than "
                    + "\(Self.clipLimit) shapes")
        }
        for rect in clip where !clipsByImage {
            let limit = rect.hasCurves ? Self.curveRadiusLimit : Self.radiusLimit
            guard rect.radius > limit else { continue }
            throw .unsupportedOutputStages("a corner radius of \(rect.radius) pixels; the GPU's limit is \(Int(limit))")
        }
        func range(_ axis: Axis) throws(DrawingError) -> SIMD4<Int32> {
            let start = plan.region[axis].lowerBound - plan.extent[axis].lowerBound
            return try EdgeRule(plan.edge(along: axis))
                .shaderRange(from: start, lowest: start, count: plan.extent[axis].count)
        }
        originalX = try range(.x)
        originalY = try range(.y)
        func read(_ axis: Axis) -> Range<Int> {
            plan.edge(along: axis).window(of: plan.region[axis], in: plan.extent[axis])
        }
        originalHasEdges = !plan.extent.contains(plan.region)
        original = outputStages.readsOriginal ? Rect(columns: read(.x), rows: read(.y)) : nil
    }
}
