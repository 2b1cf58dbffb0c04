@testable import Frost
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
import FrostLog
import FrostTestSupport
import Testing

/// Tests programs that a host prepares before its first frame, and programs that it keeps as bytes.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct PreparedProgramTests {
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)
    private static let (width, height) = (96, 80)

    /// Effects that differ in their programs: kinds of blurs, output stages, content, masks and light.
    private static func effects() throws -> [Effect] {
        var linear = Effect(try GaussianBlur(sigma: 3))
        linear.decoding = .sRGB
        var clipped = try EffectCatalog.effect("light").make()
        clipped.outputStages.clip = [try RoundedRect(x: 8, y: 8, width: 60, height: 50, radius: 12)]
        var labelled = try EffectCatalog.effect("blur-dark").make()
        labelled.outputStages.content = [ContentLayer(ContentImage(try TestImage.make(.softAlpha, 20, 12)))]
        return [
            Effect(try GaussianBlur(sigma: 2)), Effect(try GaussianBlur(sigma: 20, edge: .mirror)), linear, clipped,
            labelled, try EffectCatalog.effect("disc").make(), try EffectCatalog.effect("zoom").make(),
            try EffectCatalog.effect("progressive").make(),
        ]
    }

    /// Renders an effect, or a panel of a backdrop, and returns the target's pixels.
    private static func drawn(
        _ effect: Effect, cornerRadius: Double?, corners: CornerCurve = .circular, rises: Bool,
        by renderer: TextureRenderer,
        in gl: borrowing CurrentContext
    ) throws -> [UInt8] {
        let picture = try TestImage.make(.softAlpha, width, height, format)
        return try TextureHost.withTexture(of: picture, in: gl) { source in
            try TextureHost.pixels(width, height, format, in: gl) { target in
                var target = target
                target.rises = rises
                guard let cornerRadius else {
                    try renderer.render(source, effect, into: target)
                    return
                }
                let backdrop = TextureBackdrop(on: renderer)
                let rect = Rect(x: 10, y: 6, width: 70, height: 60)
                backdrop.panels = [Panel(rect, effect: effect, cornerRadius: cornerRadius, corners: corners)]
                _ = try backdrop.render(source, into: target, repaint: .all)
            }
        }
    }

    /// A description of the textures; the names do not exist.
    private static func ends(rises: Bool) -> (HostImage, HostTarget) {
        var target = HostTarget(.texture(4711), width: width, height: height, format: format)
        target.rises = rises
        return (HostImage(HostTexture(name: 4712), width: width, height: height, format: format), target)
    }

    @Test("after preparing, no effect compiles a program", arguments: [false, true]) func preparing(_ rises: Bool)
        throws
    {
        for effect in try Self.effects() {
            try TextureHost.perform { (renderer, gl) in
                let (source, target) = Self.ends(rises: rises)
                try renderer.prepare([effect], source: source, target: target)
                let prepared = renderer.statistics
                #expect(prepared.programsCompiled > 0 && prepared.passes == 0, "\(effect.name)")
                let shapes: [(Double?, CornerCurve)] = [
                    (nil, .circular), (0, .circular), (9, .circular), (9, .continuous()), (9, .superellipse()),
                ]
                for (cornerRadius, corners) in shapes {
                    _ = try Self.drawn(
                        effect, cornerRadius: cornerRadius, corners: corners, rises: rises, by: renderer, in: gl)
                    #expect(
                        renderer.statistics.programsCompiled == prepared.programsCompiled,
                        "\(effect.name), corner radius \(cornerRadius.map { "\($0)" } ?? "none"), \(corners)")
                }
            }
        }
    }

    @Test("after preparing for stacks and textures, stacked panels compile no program", arguments: [false, true])
    func preparingStacks(rises: Bool) throws {
        let effects = Array(try Self.effects().prefix(2)) + [try EffectCatalog.effect("blur-dark").make()]
        try TextureHost.perform { (renderer, gl) in
            let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.format)
            let (source, target) = Self.ends(rises: rises)
            try renderer.prepare(effects, source: source, target: target, for: [.stacks, .textures])
            let prepared = renderer.statistics
            let backdrop = TextureBackdrop(on: renderer, layering: .stacked)
            backdrop.panels = effects.enumerated().map { index, effect in
                Panel(
                    Rect(x: 5 + 9 * index, y: 4 + 8 * index, width: 60, height: 50), effect: effect,
                    cornerRadius: Double(6 * index), opacity: index == 1 ? 0.5 : 1)
            }
            _ = try TextureHost.withTexture(of: picture, in: gl) { source in
                try TextureHost.pixels(Self.width, Self.height, Self.format, in: gl) { target in
                    var target = target
                    target.rises = rises
                    for index in [0, 2] { backdrop.panels[index].texture = source }
                    let report = try backdrop.render(source, into: target, repaint: .all)
                    #expect(report.panelPixels > 3 * 60 * 50)
                }
            }
            #expect(renderer.statistics.programsCompiled == prepared.programsCompiled)
        }
    }

    @Test("after preparing, panels compile no program whatever the colour of their content becomes")
    func preparingChoices() throws {
        let effect = try Effect(GaussianBlur(sigma: 8)).withContrast(atLeast: 4.5, to: nil)
        for prepares in [true, false] {
            try TextureHost.perform { (renderer, gl) in
                let (source, target) = Self.ends(rises: false)
                if prepares { try renderer.prepare([effect], source: source, target: target) }
                let prepared = renderer.statistics.programsCompiled
                var contents: Set<Color> = []
                for grey in [0.0, 1] {
                    let picture = try TestImage.make(Self.width, Self.height, Self.format) { _, _, channel in
                        channel == 3 ? 1 : grey
                    }
                    let backdrop = TextureBackdrop(on: renderer)
                    backdrop.panels = [Panel(Rect(x: 5, y: 4, width: 60, height: 50), effect: effect)]
                    _ = try TextureHost.withTexture(of: picture, in: gl) { source in
                        try TextureHost.pixels(Self.width, Self.height, Self.format, in: gl) { target in
                            _ = try backdrop.render(source, into: target, repaint: .all)
                        }
                    }
                    if let content = backdrop.contentColor(ofPanelAt: 0) { contents.insert(content) }
                }
                #expect(contents.count == 2)
                #expect((renderer.statistics.programsCompiled == prepared) == prepares)
            }
        }
    }

    /// The comparator of `preparing`: without preparing, or after preparing for something else, programs are compiled.
    @Test("a render that was not prepared compiles programs") func unpreparedRendersCompile() throws {
        let effects = try Self.effects()
        try TextureHost.perform { (renderer, gl) in
            let (source, target) = Self.ends(rises: false)
            try renderer.prepare([effects[0]], source: source, target: target, for: .rendering)
            var compiled = renderer.statistics.programsCompiled
            let others: [(Effect, Double?, Bool)] = [
                (effects[0], nil, true), (effects[3], nil, false), (effects[0], 9, false),
            ]
            for (effect, cornerRadius, rises) in others {
                _ = try Self.drawn(effect, cornerRadius: cornerRadius, rises: rises, by: renderer, in: gl)
                #expect(renderer.statistics.programsCompiled > compiled)
                compiled = renderer.statistics.programsCompiled
            }
        }
    }

    @Test("errors of the arguments are those of a render") func preparingRefusesWrongArguments() throws {
        try TextureHost.perform { (renderer, _) in
            var (source, target) = Self.ends(rises: false)
            target.width = 5
            #expect(throws: FrostError.self) {
                try renderer.prepare([Effect(GaussianBlur(sigma: 2))], source: source, target: target)
            }
            source.width = 0
            #expect(throws: FrostError.pixels(.emptyImage(width: 0, height: Self.height))) {
                try renderer.prepare([Effect(GaussianBlur(sigma: 2))], source: source, target: target)
            }
            #expect(renderer.statistics.programsCompiled == 0)
        }
    }

    /// What a renderer of a new context draws after it was given bytes.
    private struct Outcome {
        var accepted = 0
        var pixels: [[UInt8]] = []
        var statistics = GPUStatistics()
    }

    private static func outcome(_ bytes: [UInt8]?) throws -> (Outcome, data: [UInt8]) {
        try TextureHost.perform { (renderer, gl) in
            var outcome = Outcome()
            if let bytes { outcome.accepted = try renderer.addPrograms(bytes) }
            for effect in try Self.effects()[..<4] {
                outcome.pixels.append(
                    try Self.drawn(effect, cornerRadius: nil, rises: false, by: renderer, in: gl))
            }
            outcome.statistics = renderer.statistics
            return (outcome, try renderer.programData())
        }
    }

    @Test("a new context that is given the bytes compiles nothing and draws the same", .needsProgramBinaries)
    func givenBytes() throws {
        let (first, data) = try Self.outcome(nil)
        let (second, again) = try Self.outcome(data)
        #expect(first.statistics.programsCompiled > 0)
        #expect(second.statistics.programsCompiled == 0)
        #expect(second.statistics.programsLoaded == first.statistics.programsCompiled)
        #expect(second.accepted == first.statistics.programsCompiled)
        #expect(second.statistics.programsRejected == 0)
        #expect(second.pixels == first.pixels)
        #expect(Set(first.pixels).count == first.pixels.count)
        // What was loaded can be stored again.
        #expect(try Self.outcome(again).0.statistics.programsCompiled == 0)
    }

    @Test("bytes that are damaged, cut or foreign are rejected, and the pixels stay right", .needsProgramBinaries)
    func badBytes() throws {
        let (first, data) = try Self.outcome(nil)
        var flipped = data
        for index in stride(from: 16, to: flipped.count, by: 1999) { flipped[index] ^= 0x55 }
        var otherVersion = data
        otherVersion[8] ^= 1
        var endless = Array(data.prefix(24))
        endless.replaceSubrange(16..<24, with: [UInt8](repeating: 0xFF, count: 8))
        let (files, fault) = ProgramPackage.decode(data)
        #expect(fault == nil && files.count == first.statistics.programsCompiled)
        let foreign = try files.map { file in
            let key = try #require(ProgramFile.key(of: Array(file)))
            let binary = try #require(ProgramFile.decode(Array(file), key: key))
            return ProgramFile.encode(binary, key: Array("another driver\0".utf8) + key)
        }
        // These files have a valid checksum and the right key, so only the driver can reject them.
        let poisoned = try files.map { file in
            let key = try #require(ProgramFile.key(of: Array(file)))
            let binary = try #require(ProgramFile.decode(Array(file), key: key))
            return ProgramFile.encode(ProgramBinary(format: binary.format ^ 0x40, bytes: binary.bytes), key: key)
        }
        let cases: [(name: String, bytes: [UInt8], accepted: ClosedRange<Int>)] = [
            ("empty", [], 0...0), ("noise", [UInt8](repeating: 0xA5, count: 5000), 0...0), ("flipped", flipped, 0...0),
            ("version", otherVersion, 0...0), ("endless", endless, 0...0),
            ("cut", Array(data.prefix(data.count * 2 / 3)), 1...files.count - 1),
            ("foreign", ProgramPackage.encode(foreign), 0...0),
            ("poisoned", ProgramPackage.encode(poisoned), files.count...files.count),
        ]
        for one in cases {
            let (outcome, _) = try Self.outcome(one.bytes)
            #expect(one.accepted.contains(outcome.accepted), "\(one.name): \(outcome.accepted) accepted")
            #expect(outcome.statistics.programsRejected > 0, "\(one.name)")
            #expect(outcome.pixels == first.pixels, "\(one.name)")
            let loaded = one.name == "poisoned" ? 0 : outcome.accepted
            #expect(outcome.statistics.programsLoaded == loaded, "\(one.name)")
            #expect(
                outcome.statistics.programsCompiled == first.statistics.programsCompiled - loaded, "\(one.name)")
        }
    }
}
