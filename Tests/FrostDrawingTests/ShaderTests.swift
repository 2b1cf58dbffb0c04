@testable import FrostDrawing
import FrostCore
import FrostTestSupport
import Testing

/// Tests the names and lists that Swift and GLSL share. These tests need no GL.
@Suite struct ShaderTests {
    /// Returns a shader's source without comments.
    private static func code(_ source: String) -> String {
        source.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line }
            .joined(separator: "\n")
    }

    private static let limits = DrawLimits(textureSize: .max, weights: 4096, weightAlignment: 4)
    private static let entries = [.fragment] + StoredFormat.allCases.map { ShaderEntry.compute($0) }

    private static let drawFiles = Set(draws.flatMap(\.files)).sorted()

    private static let shaders =
        (["entry.glsl", "trial.glsl", "filter.glsl", "filter.corners.glsl", "filter.output.glsl"] + drawFiles)
        .map { code(ProgramSource.text($0)) }.joined(separator: "\n")

    /// The last file of each kind of draw defines the function that filter.glsl calls.
    @Test func everyKindOfDrawHasAFile() {
        for draw in Self.draws {
            let texts = draw.files.map { Self.code(ProgramSource.text($0)) }
            #expect(texts.count { $0.contains("vec4 filtered(ivec2 ") } == 1, "\(draw.files)")
            let readsTaps = texts.contains { $0.contains("uniform Taps") }
            #expect(readsTaps == draw.readsTaps || draw.filter != nil, "\(draw.files)")
        }
    }

    /// The draws of a kind set only uniforms that the kind's shaders declare.
    @Test func everyUniformOfADrawIsDeclared() throws {
        let extent = Rect(x: 0, y: 0, width: 300, height: 200)
        for effect in [
            Effect(try GaussianBlur(sigma: 9)), Effect(name: "disc", blur: try DiscBlur(radius: 4)),
            Effect(name: "zoom", blur: try ZoomBlur(scales: 0.8...1.1)),
            try EffectCatalog.effect("progressive").make(), try EffectCatalog.effect("glass").make(),
        ] {
            let plan = try DrawPlan(effect.plan(extent: extent), limits: Self.limits)
            for draw in plan.lists.flatMap(\.draws).map(\.draw) + plan.mixes.map(\.draw) {
                let files = Set(["filter.glsl"] + draw.kind.files + draw.kind.alongEdges.files)
                let source = Self.code(files.map(ProgramSource.text).joined(separator: "\n"))
                for (uniform, _) in draw.uniforms(shift: .zero) {
                    #expect(source.contains(try Regex("uniform \\w+ \(uniform);")), "\(uniform), \(draw.kind)")
                }
            }
        }
    }

    /// For every case of a list that Swift shares with GLSL, the shaders need a branch. If the branch were missing, the
    /// case would be drawn as `unknown` or not at all.
    @Test(arguments: ProgramSource.filterLists + ProgramSource.outputStagesLists)
    func everyCaseHasABranch(_ list: ProgramSource.SharedList) throws {
        try Self.expectBranches(of: list, in: Self.shaders)
    }

    private static func expectBranches(of list: ProgramSource.SharedList, in shader: String) throws {
        let branch = try Regex(#"== (?:uint\()?("# + list.prefix + #"_[A-Z0-9]+)\b"#)
        let compared = Set(shader.matches(of: branch).compactMap { $0.output[1].substring.map(String.init) })
        #expect(compared == Set(list.cases.map(\.name)))
        #expect(Set(list.cases.map(\.value)).count == list.cases.count)
        #expect(!list.cases.isEmpty)
    }

    @Test func everyUniformIsDeclared() {
        let declaration = /uniform (\w+) (\w+);/
        var declared: Set<String> = []
        var samplers: Set<String> = []
        for match in Self.shaders.matches(of: declaration) {
            if match.1.hasPrefix("sampler") {
                samplers.insert(String(match.2))
            } else {
                declared.insert(String(match.2))
            }
        }
        #expect(declared.union(Self.conversionUniforms) == Set(Uniform.allCases.map { "\($0)" }))
        #expect(samplers == Set(TextureUnit.allCases.map { "\($0)" }))
        let blocks = Self.shaders.matches(of: /layout\(std140\) uniform (\w+) \{/).map { String($0.1) }
        #expect(Set(blocks) == [UniformBlock.taps.name, UniformBlock.outputStages.name])
    }

    /// The shaders must test every switch of a program key. If they ignored a switch, several identical programs would
    /// be created.
    @Test func everySwitchIsAskedFor() throws {
        let key = ProgramKey(
            draw: .pass, input: ProgramKey.Input(), hasEdges: false, result: .encoded(.value), target: .aligned)
        for (name, _) in key.switches {
            #expect(Self.shaders.contains(try Regex("#(if|elif).*\\b\(name)\\b")), "\(name)")
        }
    }

    private static let draws: [DrawKind] =
        [
            .pass, .blend, .lens, DrawKind(files: ["filter.kernel2D.glsl", "filter.runs.glsl"], readsTaps: true),
            DrawKind(files: ["filter.kernel2D.glsl", "filter.zoom.glsl"], readsTaps: false),
        ]
        + Axis.allCases.flatMap { axis in
            [
                .convolution(radius: 1), .convolution(radius: 2), .decimation([4]), .decimation([4, 8]),
                .interpolation([4]), .interpolation([4, 4, 8]),
            ].map { .unrolled(UnrolledFilter(axis: axis, kind: $0, readsIntermediate: axis == .y)) }
        }

    @Test func keysThatDifferHaveSourcesThatDiffer() {
        var keys: [ProgramKey] = []
        let kinds = [
            ProgramKey.TextureKind(), .init(isExternal: true), .init(order: .mirrored), .init(order: .swapped),
            .init(isOpaque: true),
        ]
        var results = OutputEncoding.allCases.map { ProgramKey.Result.encoded($0) }
        for hasContent in [false, true] {
            results.append(.outputStages(.init(original: nil, hasContent: hasContent, hasCurves: false)))
            results += kinds.flatMap { kind in
                [false, true].map { .outputStages(.init(original: kind, hasContent: hasContent, hasCurves: $0)) }
            }
        }
        // One key for each kind of output stage.
        let plain = ProgramKey.OutputStages(original: ProgramKey.TextureKind(), hasContent: false)
        func with(_ change: (inout ProgramKey.OutputStages) -> Void) {
            var stages = plain
            change(&stages)
            results.append(.outputStages(stages))
        }
        for kind in ColorStageKind.allCases {
            with { $0.inside = [kind] }
            with { $0.over = [kind] }
        }
        for mask in MaskKind.allCases.dropFirst() { with { $0.mask = mask } }
        for settling in SampleTraits.Rounding.allCases.dropFirst() { with { $0.settling = settling } }
        with { $0.originalHasEdges = true }
        with { $0.endsInMixture = true }
        with { $0.isDithered = true }
        with { $0.isStraight = true }
        for (number, draw) in Self.draws.enumerated() {
            for texture in kinds {
                for result in TestCases.share(results, of: 3, from: number) {
                    for flag in [false, true] {
                        keys.append(
                            ProgramKey(
                                draw: draw, input: .init(texture: texture, premultiplies: flag), hasEdges: false,
                                result: result, target: .aligned))
                        keys.append(
                            ProgramKey(
                                draw: draw, input: .init(texture: texture, decodes: true), hasEdges: flag,
                                result: result, target: .placed))
                    }
                }
            }
        }
        let sources = keys.flatMap { key in Self.entries.map { ProgramSource.source(key, $0, Self.limits) } }
        #expect(Set(sources).count == Set(keys).count * Self.entries.count)
        #expect(Set(keys).count == keys.count)
    }

    // MARK: - Conversions of colours

    private static let conversionShader = code(ProgramSource.text("convert.glsl"))

    @Test(arguments: ProgramSource.conversionLists)
    func everyCaseOfAConversionHasABranch(_ list: ProgramSource.SharedList) throws {
        try Self.expectBranches(of: list, in: Self.conversionShader)
    }

    private static let conversionUniforms = conversionShader.matches(of: /uniform i?vec4 (\w+);/).map { String($0.1) }

    @Test func conversionKeysThatDifferHaveSourcesThatDiffer() throws {
        let plain = ConversionKey(kind: .steps)
        var keys = [plain]
        func with(_ change: (inout ConversionKey) -> Void) {
            var key = plain
            change(&key)
            keys.append(key)
        }
        for decode in ConversionCurve.allCases {
            for encode in ConversionCurve.allCases { with { $0.curves = .init(decode: decode, encode: encode) } }
        }
        for kind in ConversionKind.allCases where kind != plain.kind { with { $0.kind = kind } }
        with { $0.isExternal = true }
        with { $0.loadsStraight = true }
        with { $0.isOpaque = true }
        with { $0.isStraight = true }
        with { $0.isDithered = true }
        #expect(Set(keys.map { ProgramSource.source($0, .fragment, Self.limits) }).count == keys.count)
        for (name, _) in plain.switches {
            #expect(Self.conversionShader.contains(try Regex("#(if|elif).*\\b\(name)\\b")), "\(name)")
        }
    }

    // MARK: - Transitions

    private static let transitionShaders = ["transition.glsl", "transition.kinds.glsl"]
        .map { code(ProgramSource.text($0)) }.joined(separator: "\n")

    @Test(arguments: ProgramSource.transitionLists)
    func everyCaseOfATransitionHasABranch(_ list: ProgramSource.SharedList) throws {
        try Self.expectBranches(of: list, in: Self.transitionShaders)
    }

    /// The branch of each kind defines the function that transition.glsl calls.
    @Test func everyKindDefinesItsFunction() {
        let branches = Self.code(ProgramSource.text("transition.kinds.glsl"))
            .split(separator: "#if TRANSITION == ").dropFirst()
        #expect(branches.count == TransitionCatalog.kinds.count)
        for branch in branches { #expect(branch.contains("Drawn drawn(ivec2 pixel) {"), "\(branch)") }
    }

    @Test func everyUniformOfATransitionIsDeclared() throws {
        let samplers = Self.transitionShaders.matches(of: /uniform sampler2D (\w+);/).map { String($0.1) }
        #expect(Set(samplers) == Set(TransitionTexture.allCases.map { "\($0)" }))
        let block = try #require(Self.transitionShaders.firstMatch(of: /layout\(std140\) uniform (\w+) \{([^}]*)\}/))
        #expect(block.1 == UniformBlock.transition.name)
        // The size of the block: vectors and arrays of vectors.
        let sizes = Dictionary(uniqueKeysWithValues: TransitionUniforms.sizes.map { ($0.name, $0.value) })
        var vectors = 0
        for member in block.2.matches(of: /i?vec4 \w+(?:\[(\w+)(?: \/ (\d+))?\])?;/) {
            let count = try member.1.map { try #require(sizes[String($0)]) } ?? 1
            vectors += count / (member.2.flatMap { Int($0) } ?? 1)
        }
        #expect(16 * vectors == TransitionUniforms.size)
    }

    @Test func transitionKeysThatDifferHaveSourcesThatDiffer() throws {
        var keys: [TransitionProgramKey] = []
        for kind in TransitionCatalog.kinds.indices {
            for decodes in [false, true] {
                for hasBackside in [false, true] {
                    for hasShading in [false, true] {
                        for hasSecond in [false, true] {
                            keys.append(
                                TransitionProgramKey(
                                    kind: kind, decodes: decodes, hasSecond: hasSecond, hasBackside: hasBackside,
                                    hasShading: hasShading))
                        }
                    }
                }
            }
        }
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map { ProgramSource.source($0, .fragment, Self.limits) }).count == keys.count)
        for (name, _) in keys[0].switches {
            #expect(Self.transitionShaders.contains(try Regex("#(if|elif).*\\b\(name)\\b")), "\(name)")
        }
    }
}
