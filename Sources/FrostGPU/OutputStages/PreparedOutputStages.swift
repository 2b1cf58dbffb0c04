import FrostCore

/// The output stages of a plan, made ready for the last draw. No GL is involved.
struct PreparedOutputStages: Hashable {
    let inside: [ColorStage]
    /// That of a blend, if the plan is one.
    let mask: Mask?
    let over: [ColorStage]
    /// The layers that meet the region.
    let content: [ContentLayer]
    /// Whether there are layers at all, in the region or beside it: then a mask's 0 gives the original's colour, and
    /// not its bytes.
    let hasContent: Bool
    /// The rectangles to clip to that meet the region; nil if nothing is clipped.
    let clip: [RoundedRect]?
    let dither: Dither?
    /// How much larger the blur's error, and the rounding error of its arithmetic, can become.
    let amplification: Double
    let extent: Rect
    let region: Rect
    /// What the mask is stretched over.
    let maskExtent: Rect
    /// The part of the image that the original is read from, in absolute pixels; nil if it is not needed.
    let original: Rect?
    /// For each axis the range of ``EdgeMode/shaderRange(from:lowest:count:)``, but from where the region starts in the
    /// image.
    let originalX: SIMD4<Int32>
    let originalY: SIMD4<Int32>

    /// The layers' vibrancy, in their order.
    var vibrancies: [ColorStage] { content.compactMap(\.vibrancy).map { .matrix($0.matrix) } }

    /// What the shader's uniform block has room for.
    static let stageLimit = 32
    static let clipLimit = 128
    static let layerLimit = 16
    /// Beyond it the arcs of corners lose more than a quarter of a step in 32-bit floats.
    static let radiusLimit = 8192.0

    /// nil for a plan whose result is only rounded.
    static func ifAny(_ plan: Plan) throws(GPUError) -> PreparedOutputStages? {
        plan.outputStages.isEmpty ? nil : try PreparedOutputStages(plan)
    }

    /// - Throws: ``GPUError/unsupportedOutputStages(_:)`` for more stages and rectangles than there is room for,
    ///   counting those that meet the region, and for corners that are too large.
    init(_ plan: Plan) throws(GPUError) {
        let outputStages = plan.outputStages
        inside = outputStages.inside
        mask =
            switch plan.work {
            case .blend(let blend): blend.mask
            case .copy, .passes, .kernel2D: outputStages.mask
            }
        over = outputStages.over
        dither = outputStages.dither
        amplification = outputStages.amplification
        extent = plan.extent
        region = plan.region
        maskExtent = plan.maskExtent
        let clip = outputStages.clip.filter { $0.bounds.intersection(plan.region) != nil }
        self.clip = outputStages.clip.isEmpty ? nil : clip
        hasContent = !outputStages.content.isEmpty
        content = outputStages.content.filter { $0.window(extent: plan.extent, region: plan.region) != nil }
        guard content.count <= Self.layerLimit else {
            throw .unsupportedOutputStages("\(content.count) layers of content, the GPU's limit is \(Self.layerLimit)")
        }
        let stages = inside.count + over.count + content.count { $0.vibrancy != nil }
        guard stages <= Self.stageLimit else {
            throw .unsupportedOutputStages("\(stages) colour stages, the GPU's limit is \(Self.stageLimit)")
        }
        guard clip.count <= Self.clipLimit else {
            throw .unsupportedOutputStages("\(clip.count) rectangles to clip to, the GPU's limit is \(Self.clipLimit)")
        }
        if let large = clip.first(where: { $0.radius > Self.radiusLimit }) {
            throw .unsupportedOutputStages(
                "a corner radius of \(large.radius) pixels, the GPU's limit is \(Int(Self.radiusLimit))")
        }
        func range(_ axis: Axis) throws(GPUError) -> SIMD4<Int32> {
            let start = plan.region[axis].lowerBound - plan.extent[axis].lowerBound
            return try plan.edge(along: axis)
                .shaderRange(from: start, lowest: start, count: plan.extent[axis].count)
        }
        originalX = try range(.x)
        originalY = try range(.y)
        func read(_ axis: Axis) -> Range<Int> {
            plan.edge(along: axis).window(of: plan.region[axis], in: plan.extent[axis])
        }
        original = outputStages.readsOriginal ? Rect(columns: read(.x), rows: read(.y)) : nil
    }
}
