import FrostCore

/// What follows a plan's blur, made ready for the last draw. No GL is involved.
struct OutputStagesSchedule: Hashable {
    let inside: [ColorStage]
    /// Of a blend, if there is one.
    let mask: Mask?
    let over: [ColorStage]
    /// The layers that meet the region.
    let content: [ContentLayer]
    /// Whether there are layers at all, in the region or beside it: then a mask's 0 gives the original's colour, not its bytes.
    let hasContent: Bool
    /// The rectangles to clip to that meet the region; nil: everywhere.
    let clip: [RoundedRect]?
    let dither: Dither?
    /// How much larger the blur's error, and the noise of its arithmetic, can become.
    let amplification: Double
    let extent: Rect
    let region: Rect
    /// What the mask is stretched over.
    let maskExtent: Rect
    /// The part of the image that the original is read from, in absolute pixels; nil where it is not needed.
    let original: Rect?
    /// For each axis as the shader has it: where the region starts in the image, the image's pixels, what lifts every
    /// index to 0 or above, and the edge rule.
    let originalX: SIMD4<Int32>
    let originalY: SIMD4<Int32>

    /// The layers' vibrancy, in their order.
    var vibrancies: [ColorStage] { content.compactMap(\.vibrancy).map { .matrix($0.matrix) } }

    /// What the shader's block has room for.
    static let stageLimit = 32
    static let clipLimit = 128
    static let layerLimit = 16
    /// Beyond it the arcs of corners lose more than a quarter of a step in 32-bit floats.
    static let radiusLimit = 8192.0

    /// - Throws: ``GPUError/unsupportedFinish(_:)`` for more stages and rectangles than there is room for, counting
    ///   those that meet the region, and for corners that are too large.
    init(_ plan: Plan) throws(GPUError) {
        let outputStages = plan.outputStages
        inside = outputStages.inside
        mask = plan.blend?.mask ?? outputStages.mask
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
        let (x, y) = (try Self.axis(.x, plan), try Self.axis(.y, plan))
        (originalX, originalY) = (x.uniform, y.uniform)
        original = outputStages.readsOriginal ? Rect(columns: x.cells, rows: y.cells) : nil
    }

    private static func axis(_ axis: Axis, _ plan: Plan) throws(GPUError) -> (uniform: SIMD4<Int32>, cells: Range<Int>)
    {
        let (cells, region) = (plan.extent[axis], plan.region[axis])
        // Without a pass along the axis the region lies in the image.
        let edge = plan.edge(along: axis)
        let start = region.lowerBound - cells.lowerBound
        let lift = edge.lift(start, count: cells.count)
        return (
            SIMD4(try Step.narrow(start), try Step.narrow(cells.count), try Step.narrow(lift), edge.shaderCode),
            edge.cells(of: region, in: cells)
        )
    }
}
