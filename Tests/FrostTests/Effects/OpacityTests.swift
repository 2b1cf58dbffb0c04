import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests opacity and strength. RandomCase compares pictures of random opacities with their definition, and BackdropTests
/// those of panels.
struct OpacityTests {
    private static func steps(_ usual: Int) -> Int { TestCases.every ? 256 : usual }

    /// The mean luma of an opaque picture in 8-bit steps.
    private static func luma(_ image: PixelBuffer) -> Double {
        let rows = SampleRows(image)
        var sum = 0.0
        for y in 0..<image.height {
            let row = rows[y]
            for x in 0..<image.width {
                sum += LumaWeights.rec709(SIMD4(row[4 * x], row[4 * x + 1], row[4 * x + 2], 1)) * 255
            }
        }
        return sum / Double(image.width * image.height)
    }

    @Test(
        "as opacity grows from 0 to 1, the mean luma moves by at most a step at a time, and one way if the effect darkens or lightens",
        arguments: Worker.wanted)
    func fading(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.screenshot, 96, 64)
        for name in ["material-thick-dark", "light", "gaussian"] {
            var effect = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make()
            let full = try Self.luma(renderer.renderNow(image, effect).image)
            let (first, darkens) = (Self.luma(image), full < Self.luma(image))
            var last = first
            for step in 0...256 {
                effect.outputStages.opacity = Double(step) / 256
                let now = try Self.luma(renderer.renderNow(image, effect).image)
                // A blur keeps the mean, except for rounding. Dither changes the mean of 6144 pixels by less than 0.01.
                let moved = darkens ? last - now : now - last
                #expect(
                    moved >= (name == "gaussian" ? -0.2 : -0.01) && moved <= 1,
                    "\(name) on the \(worker), step \(step): \(moved)")
                if step == 0 { #expect(now == first, "\(name) on the \(worker)") }
                last = now
            }
            #expect(abs(last - full) < 1e-9, "\(name) on the \(worker)")
        }
    }

    @Test(
        "opacity 0 and strength 0 keep every byte, and strength 1 is the effect itself",
        arguments: EffectCatalog.withGaussian.map(\.name))
    func ends(name: String) throws {
        let renderer = try #require(OutputStagesTests.renderer)
        let effect = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make()
        let mask = effect.mask == .image ? MaskImage(try TestImage.make(.gradient, 9, 7)) : nil
        #expect(try effect.weakened(to: 1) == effect)
        for format in [PixelFormat(.rgba), PixelFormat(.bgra, alpha: .premultiplied), PixelFormat(.rgba, .f32)] {
            let image = try TestImage.noise(40, 30, format)
            func unchanged(_ effect: Effect, _ what: String) throws {
                let region = image.layout.extent
                let shown = try renderer.renderNow(image, effect, mask: mask, region: region).image
                try expectIdentical(shown, image, "\(name), \(what), \(format)")
            }
            guard !effect.isRedaction else {
                #expect(throws: FrostError.self) { try unchanged(effect.weakened(to: 0), "strength 0") }
                continue
            }
            var invisible = effect
            invisible.outputStages.opacity = 0
            try unchanged(invisible, "opacity 0")
            try unchanged(effect.weakened(to: 0), "strength 0")
        }
    }

    @Test(
        "a result that is larger than an opaque picture is transparent beside it, at any strength",
        arguments: Backends.wanted(.cpu, .gpu) + [.exact])
    func outside(backend: Backend) throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        for channels in [ChannelLayout.rgb, .grey] {
            let image = try TestImage.make(.photograph, 30, 20, PixelFormat(channels))
            for name in ["ci-gaussian", "ci-disc", "ci-motion", "ci-box"] {
                for strength in [0, 0.005, 0.04, 0.5, 1] {
                    var effect = try EffectCatalog.effect(name).make(["strength": .number(strength)])
                    effect.outputStages.dither = nil
                    try #require(effect.growth > 0)
                    let result = try renderer.renderNow(image, effect).image
                    #expect(result.format.channels == channels.addingAlpha, "\(name) at \(strength)")
                    let rows = SampleRows(result)
                    let last = rows.channels.count - 1
                    if strength < 0.1 { #expect(rows[0][last] < 0.1, "\(name) at \(strength)") }
                    let middle = rows[result.height / 2][result.width / 2 * rows.channels.count + last]
                    #expect(middle > 0.9 || strength > 0.1, "\(name) at \(strength)")
                    try expectClose(rows, renderer.exact(image, effect), within: .promise8, "\(name) at \(strength)")
                }
            }
        }
    }

    @Test(
        "as strength grows from 0 to 1, no pixel moves by more than in the exact effect and 2 steps",
        arguments: EffectCatalog.withGaussian.map(\.name))
    func growing(name: String) throws {
        let renderer = try #require(OutputStagesTests.renderer)
        let image = try TestImage.make(.screenshot, 48, 32)
        var effect = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make()
        guard !effect.isRedaction else { return }
        effect.outputStages.dither = nil
        let mask = effect.mask == .image ? MaskImage(try TestImage.make(.gradient, 9, 7)) : nil
        var last: (cpu: SampleRows, exact: SampleRows)?
        let steps = Self.steps(16)
        for step in 0...steps {
            let weak = try effect.weakened(to: Double(step) / Double(steps))
            let now = (
                cpu: SampleRows(try renderer.renderNow(image, weak, mask: mask).image),
                exact: try renderer.exact(image, weak, mask: mask)
            )
            if let last {
                let moved = try Comparison(now.cpu, last.cpu).maximum
                let allowed = try Comparison(now.exact, last.exact).maximum + 2
                #expect(moved <= allowed, "\(name), step \(step): \(moved) of \(allowed)")
            }
            last = now
        }
    }

    @Test("in 256 steps of strength, the mean luma never jumps by more than a step")
    func smooth() throws {
        let renderer = try #require(OutputStagesTests.renderer)
        let image = try TestImage.make(.screenshot, 64, 48)
        for description in EffectCatalog.all where description.name != "redact" {
            let effect = try description.make()
            let mask = effect.mask == .image ? MaskImage(try TestImage.make(.gradient, 9, 7)) : nil
            let steps = Self.steps(32)
            var last: Double?
            for step in 0...steps {
                let weak = try effect.weakened(to: Double(step) / Double(steps))
                let shown = try renderer.renderNow(image, weak, mask: mask, region: image.layout.extent).image
                #expect(shown.format.channels == .rgba)
                let now = Self.luma(shown)
                if let last {
                    #expect(
                        abs(now - last) <= 256 / Double(steps), "\(description.name), step \(step): \(now - last)")
                }
                last = now
            }
        }
    }

    @Test("values outside 0...1 are errors, and a redaction can be neither transparent nor weak nor masked")
    func refusals() throws {
        let renderer = try #require(OutputStagesTests.renderer)
        let image = try TestImage.noise(20, 20)
        let light = try EffectCatalog.effect("light")
        for value in [-0.1, 1.1, .nan] {
            #expect(throws: ParameterError.self) { try light.make(["opacity": .number(value)]) }
            #expect(throws: ParameterError.self) { try light.make(["strength": .number(value)]) }
            #expect(throws: ParameterError.self) { try light.make().weakened(to: value) }
            var effect = try light.make()
            effect.outputStages.opacity = value
            #expect(throws: FrostError.self) { try renderer.renderNow(image, effect) }
            let panel = Panel(image.layout.extent, effect: try light.make(), opacity: value)
            #expect(throws: ParameterError.self) { try panel.placedEffect() }
        }
        let redact = try EffectCatalog.effect("redact")
        for name in ["opacity", "strength"] {
            #expect(throws: ParameterError.self) { try redact.make([name: .number(0.5)]) }
        }
        for panel in [
            Panel(image.layout.extent, effect: try redact.make(), opacity: 0),
            Panel(image.layout.extent, effect: try redact.make(), mask: MaskImage(try TestImage.make(.gradient, 9, 7))),
            Panel(
                image.layout.extent,
                effect: try redact.make(["fill": .color(try Color(red: 0, green: 0, blue: 0, alpha: 1))]), strength: 0.5
            ),
        ] {
            #expect(throws: ParameterError.self) { try panel.placedEffect() }
        }
        var thin = try redact.make()
        thin.outputStages.opacity = 0.5
        #expect(throws: FrostError.self) { try renderer.renderNow(image, thin) }
    }

    @Test("a panel that fades out costs nothing and is reported as uncovered", arguments: [true, false])
    func panel(byOpacity: Bool) throws {
        var stage = try BackdropStage(120, 90)
        let effect = try EffectCatalog.effect("material-thick-dark").make()
        let place = Rect(x: 10, y: 12, width: 60, height: 50)
        stage.backdrop.panels = [Panel(place, effect: effect, cornerRadius: 8)]
        try stage.render()
        #expect(stage.report.panelPixels == 60 * 50)
        if byOpacity { stage.backdrop.panels[0].opacity = 0 } else { stage.backdrop.panels[0].strength = 0 }
        try stage.damage(Rect(x: 0, y: 0, width: 50, height: 50))
        try stage.render()
        #expect(stage.report.panelPixels == 0 && stage.report.levelSamples == 0)
        #expect(stage.report.uncovered == [place])
    }
}
