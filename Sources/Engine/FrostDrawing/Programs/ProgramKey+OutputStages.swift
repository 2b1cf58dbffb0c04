import FrostCore

extension ProgramKey {
    /// The parts of the output stages' shader that a draw needs.
    package struct OutputStages: Hashable, Sendable {
        /// The texture with the original pixels, which masks and clips show instead of the effect; nil if no original
        /// pixel is shown.
        var original: TextureKind?
        /// Whether the output may reach outside the original image, so that reading it needs the edge rule.
        var originalHasEdges = false
        /// Whether content layers are drawn over the result.
        var hasContent: Bool
        /// Whether the part of each pixel within the clip rectangles is stored in the content's texture.
        var clipsByImage = false
        /// Whether clip rectangles may have corners that are not quarter circles.
        var hasCurves = false
        /// Whether the edges of shapes are lit.
        var hasEdgeLight = false
        /// The kinds of the colour stages before and after the mask.
        var inside: [ColorStageKind] = []
        var over: [ColorStageKind] = []
        var mask = MaskKind.none
        /// Whether the mask mixes the colours with the blur.
        var mixesBlur = false
        var endsInMixture = false
        var isDithered = false
        /// How samples are rounded.
        var settling = SampleTraits.Rounding.steps
        /// Whether the target's colour is straight.
        var isStraight = false
    }
}

extension ProgramKey.OutputStages {
    /// - Parameter source: the texture with the original pixels, for output stages that read them.
    package init(_ stages: PreparedOutputStages, _ encoding: OutputStagesEncoding, source: ProgramKey.TextureKind) {
        self.init(
            original: stages.original == nil ? nil : source,
            originalHasEdges: stages.original != nil && stages.originalHasEdges, hasContent: !stages.content.isEmpty,
            clipsByImage: stages.clipsByImage,
            hasCurves: stages.hasCurves, hasEdgeLight: stages.edge != nil, inside: stages.inside.map(\.kind),
            over: stages.over.map(\.kind),
            mask: stages.maskKind, mixesBlur: stages.mixesBlur, endsInMixture: stages.endsInMixture,
            isDithered: stages.dither != nil,
            settling: encoding.sample.traits.rounding, isStraight: encoding.isStraight)
    }

    /// The constants of filter.output.glsl that depend on the output stages.
    var definitions: [(name: String, value: String)] {
        func list(_ kinds: [ColorStageKind], from first: Int) -> String {
            kinds.enumerated().map { "NEXT(\(first + $0), STAGE_\("\($1)".uppercased()))" }.joined(separator: " ")
        }
        let flags: [(String, Int)] = [
            ("MASK", Int(mask.rawValue)), ("SETTLE", settling.rawValue), ("MIXES_BLUR", mixesBlur ? 1 : 0),
            ("MIXES", endsInMixture ? 1 : 0),
            ("DITHER", isDithered ? 1 : 0), ("STRAIGHT", isStraight ? 1 : 0),
        ]
        // The mask mixes colours that are encoded, so the encoding comes before.
        let decoded = inside.prefix { $0 == .encode }
        // A guaranteed contrast comes after the light of edges.
        let contrasts = Array(over.reversed().prefix { $0 == .raise || $0 == .lower }.reversed())
        return flags.map { ($0.0, "\($0.1)") } + [
            ("FIRST_STAGES(NEXT)", list(Array(decoded), from: 0)),
            ("INSIDE_STAGES(NEXT)", list(Array(inside.dropFirst(decoded.count)), from: decoded.count)),
            ("OVER_STAGES(NEXT)", list(Array(over.dropLast(contrasts.count)), from: inside.count)),
            ("LAST_STAGES(NEXT)", list(contrasts, from: inside.count + over.count - contrasts.count)),
        ]
    }
}

extension ProgramSource {
    /// The enumerations that filter.output.glsl uses.
    static let outputStagesLists = [
        SharedList("STAGE", ColorStageKind.self) { Int($0.rawValue) },
        SharedList("MASK", MaskKind.self) { Int($0.rawValue) },
        SharedList("SETTLE", SampleTraits.Rounding.self) { $0.rawValue },
        SharedList("CORNER", CornerKind.self) { Int($0.rawValue) },
    ]
}
