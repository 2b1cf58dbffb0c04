package import FrostCore

/// The values of the uniform block OutputStages of filter.output.glsl. Effects differ only in these values. The
/// constants of ``Member`` have the names of the block's members.
package struct OutputStagesUniforms {
    /// The block's values as 32-bit words, in std140 layout.
    package private(set) var words = [UInt32](repeating: 0, count: Self.size / 4)

    /// The size of the block in bytes. It is below 16 KiB, which every GL supports.
    package static let size =
        16
        * (Member.stages + 7 * PreparedOutputStages.stageLimit + 5 * PreparedOutputStages.clipLimit
            + 2 * PreparedOutputStages.layerLimit + 2 * PreparedOutputStages.rampLimit + 2
            + 5 * PreparedOutputStages.edgeLimit + 2)

    /// The offset of each member of the block, in vectors of four words.
    private enum Member {
        static let dither = 0
        static let counts = 1
        static let storing = 2
        static let originalX = 3
        static let originalY = 4
        static let originalAt = 5
        static let maskX = 6
        static let maskY = 7
        static let maskPartsX = 8
        static let maskPartsY = 9
        static let maskShape = 10
        static let maskCentre = 11
        static let stages = 12
        static let keys = stages + PreparedOutputStages.stageLimit
        static let columns = keys + PreparedOutputStages.stageLimit
        static let clipPixels = columns + 5 * PreparedOutputStages.stageLimit
        static let clipParts = clipPixels + 2 * PreparedOutputStages.clipLimit
        static let clipCorners = clipParts + 2 * PreparedOutputStages.clipLimit
        static let layers = clipCorners + PreparedOutputStages.clipLimit
        static let ramp = layers + 2 * PreparedOutputStages.layerLimit
        static let edgeLight = ramp + 2 * PreparedOutputStages.rampLimit
        static let edgeShade = edgeLight + 1
        static let edgeShapes = edgeShade + 1
        static let shadow = edgeShapes + 5 * PreparedOutputStages.edgeLimit
        static let joining = shadow + 1
    }

    /// The sizes of the block's arrays and other constants, which the shader receives as definitions.
    static let sizes: [(name: String, value: Int)] = [
        ("STAGE_LIMIT", PreparedOutputStages.stageLimit), ("CLIP_LIMIT", PreparedOutputStages.clipLimit),
        ("LAYER_LIMIT", PreparedOutputStages.layerLimit), ("RAMP_LIMIT", PreparedOutputStages.rampLimit),
        ("EDGE_LIMIT", PreparedOutputStages.edgeLimit),
    ]

    /// Fills the uniform block.
    ///
    /// - Parameters:
    ///   - storing: how the result is written.
    ///   - source: the absolute position of the source texture's first texel.
    ///   - mask: the uploaded part of the mask image; nil if the mask is not an image.
    ///   - content: the positions of the content layers in the texture that contains them; nil if there are none.
    package init(
        _ outputStages: PreparedOutputStages, storing: OutputStagesEncoding, source: Rect, mask: MaskWindow?,
        content: ContentAtlas?
    ) throws(DrawingError) {
        let region = outputStages.region
        var dither = SIMD4(UInt32(truncatingIfNeeded: region.x), UInt32(truncatingIfNeeded: region.y), 0, 0)
        dither.z = outputStages.dither?.seed ?? 0
        set(Member.dither, dither)
        let stages = outputStages.inside + outputStages.over
        set(Member.storing, storing.vector(opacity: outputStages.opacity))
        set(Member.originalX, outputStages.originalX)
        set(Member.originalY, outputStages.originalY)
        set(
            Member.originalAt,
            SIMD4(
                try Int32(texels: outputStages.extent.x - source.x),
                try Int32(texels: outputStages.extent.y - source.y),
                storing.premultipliesOriginal ? 1 : 0,
                outputStages.content.isEmpty && outputStages.hasContent ? -1 : Int32(outputStages.content.count)))
        let all = stages.map { ShaderStage($0, in: region) } + outputStages.vibrancies.map { ShaderStage(matrix: $0) }
        for (index, stage) in all.enumerated() { set(stage, at: index) }
        if let content { set(content, outputStages, stages: stages.count) }
        if let edge = outputStages.edge { set(edge, outputStages.edgeShapes, join: outputStages.join, region) }
        if let shadow = outputStages.shadow { set(Member.shadow, SIMD4<Float>(shadow.premultiplied)) }
        let rampParts = set(outputStages.mask, mask, outputStages)
        set(
            Member.counts,
            SIMD4(
                rampParts, Int32(outputStages.over.count + (outputStages.edge == nil ? 0 : 1)),
                outputStages.clip.map { Int32($0.count) } ?? -1, outputStages.clipRule.isInverted ? 1 : 0))
        if !outputStages.clipsByImage {
            for (index, rect) in (outputStages.clip ?? []).enumerated() { set(rect, at: index, region) }
        }
    }

    private mutating func set(_ edge: EdgeLight, _ shapes: [RoundedRect], join: Double, _ region: Rect) {
        if shapes.count > 1 { set(Member.joining, SIMD4(Float(join), 0, 0, 0)) }
        set(
            Member.edgeLight,
            SIMD4<Float>(SIMD4(edge.rim, edge.rimWidth, edge.sharpness, Double(shapes.count))))
        set(
            Member.edgeShade,
            SIMD4<Float>(SIMD4(edge.shade, edge.shadeWidth, edge.direction.x, edge.direction.y)))
        for (index, field) in EdgeField(edge, along: shapes, join: join).group.fields.enumerated() {
            for (vector, values) in field.vectors(region).enumerated() {
                set(Member.edgeShapes + 5 * index + vector, values)
            }
        }
    }

    private mutating func set(_ content: ContentAtlas, _ outputStages: PreparedOutputStages, stages: Int) {
        var stage = Int32(stages)
        for (index, window) in content.windows.enumerated() {
            let (left, top) = (window.x - outputStages.region.x, window.y - outputStages.region.y)
            let box = SIMD4<Int>(left, top, left + window.width, top + window.height)
            set(Member.layers + 2 * index, SIMD4<Int32>(truncatingIfNeeded: box))
            // The clip's image comes after the layers.
            let isVibrant = index < outputStages.content.count && outputStages.content[index].vibrancy != nil
            set(
                Member.layers + 2 * index + 1,
                SIMD4(Int32(content.tops[index]), Int32(content.width), isVibrant ? stage : -1, 0))
            if isVibrant { stage += 1 }
        }
    }

    private mutating func set(_ stage: ShaderStage, at index: Int) {
        set(Member.stages + index, stage.integers)
        set(Member.keys + index, stage.key)
        for (column, value) in stage.columns.enumerated() { set(Member.columns + 5 * index + column, value) }
    }

    /// Sets the mask's values, and returns the number of parts of a ramp.
    private mutating func set(_ mask: Mask?, _ window: MaskWindow?, _ outputStages: PreparedOutputStages) -> Int32 {
        let (region, extent) = (outputStages.region, outputStages.maskExtent)
        let (width, height) = (Double(extent.width), Double(extent.height))
        set(
            Member.maskCentre,
            SIMD4(Float(region.x - extent.x) + 0.5, Float(region.y - extent.y) + 0.5, 0, 0))
        switch mask {
        case nil: break
        case .image:
            if let window {
                set(Member.maskX, window.x.whole)
                set(Member.maskY, window.y.whole)
                set(Member.maskPartsX, window.x.parts)
                set(Member.maskPartsY, window.y.parts)
            }
        case .band(let band):
            let rows = SIMD4(band.top - band.falloff, band.top, band.bottom, band.bottom + band.falloff)
            set(Member.maskShape, SIMD4<Float>(rows * height))
        case .circle(let circle):
            let shape = SIMD4(
                circle.centerX * width, circle.centerY * height, (circle.radius - circle.border) * width,
                circle.radius * width)
            set(Member.maskShape, SIMD4<Float>(shape))
        case .ramp(let ramp):
            let line = ramp.line(width: width, height: height)
            set(Member.maskShape, SIMD4(Float(line.start), 0, 0, 0))
            for (index, part) in line.parts.enumerated() {
                let isStep = part.isStep ? 1.0 : 0
                set(Member.ramp + 2 * index, SIMD4<Float>(SIMD4(part.slopeX, part.slopeY, part.offset, isStep)))
                set(Member.ramp + 2 * index + 1, SIMD4(Float(part.gain), 0, 0, 0))
            }
            return Int32(line.parts.count)
        }
        return 0
    }

    /// Stores a clip rectangle relative to the region, split into whole pixels and fractions. The split keeps the
    /// fractions exact enough near an edge.
    private mutating func set(_ rect: RoundedRect, at index: Int, _ region: Rect) {
        let (right, bottom, reach) = (rect.x + rect.width, rect.y + rect.height, rect.reach)
        let places: [SIMD4<Double>] = [
            SIMD4(rect.x, rect.y, right, bottom),
            SIMD4(rect.x + reach, rect.y + reach, right - reach, bottom - reach),
        ]
        let origin = SIMD4<Int>(region.x, region.y, region.x, region.y)
        for (part, place) in places.enumerated() {
            let whole = place.rounded(.down)
            var pixels = SIMD4<Int32>.zero
            // Distances are limited to 2^24 pixels. This changes no result, because the limit is larger than any
            // texture.
            for i in 0..<4 { pixels[i] = Int32(min(max(Int(whole[i]) - origin[i], -1 << 24), 1 << 24)) }
            set(Member.clipPixels + 2 * index + part, pixels)
            set(Member.clipParts + 2 * index + part, SIMD4<Float>(place - whole))
        }
        set(Member.clipCorners + index, rect.cornerVector)
    }

    private mutating func set(_ place: Int, _ value: SIMD4<UInt32>) {
        for i in 0..<4 { words[4 * place + i] = value[i] }
    }

    private mutating func set(_ place: Int, _ value: SIMD4<Int32>) {
        set(place, SIMD4<UInt32>(truncatingIfNeeded: value))
    }

    private mutating func set(_ place: Int, _ value: SIMD4<Float>) {
        for i in 0..<4 { words[4 * place + i] = value[i].bitPattern }
    }
}

/// The kinds of corner curves. Their values are the shader's constants CORNER_….
enum CornerKind: Int32, CaseIterable { case circular, continuous, superellipse }

extension RoundedRect {
    /// The corners as the shader reads them: the radius, the kind of curve, and the curve's parameters. For a
    /// continuous corner these are the smoothing and tan(α/2) (see ``CornerOutline``), for a superellipse its exponent.
    fileprivate var cornerVector: SIMD4<Float> {
        guard hasCurves else { return SIMD4(Float(radius), Float(CornerKind.circular.rawValue), 0, 0) }
        switch corners {
        case .circular, .ellipse: return SIMD4(Float(radius), Float(CornerKind.circular.rawValue), 0, 0)
        case .continuous(let smoothing):
            return SIMD4(
                Float(radius), Float(CornerKind.continuous.rawValue), Float(smoothing),
                Float(CornerCurve.halfTangent(ofSmoothing: smoothing)))
        case .superellipse(let exponent):
            return SIMD4(Float(radius), Float(CornerKind.superellipse.rawValue), Float(exponent), 0)
        }
    }
}

/// The kinds of masks. Their values are the shader's constants MASK_….
enum MaskKind: Int32, CaseIterable { case none, image, band, circle, ramp, step, stops }

extension PreparedOutputStages {
    var maskKind: MaskKind {
        switch mask {
        case nil: .none
        case .image: .image
        case .band: .band
        case .circle: .circle
        case .ramp(let ramp): ramp.line(width: Double(maskExtent.width), height: Double(maskExtent.height)).kind
        }
    }
}

extension Mask.Ramp.Line {
    fileprivate var kind: MaskKind { usualPart.map { $0.isStep ? .step : .ramp } ?? .stops }
}
