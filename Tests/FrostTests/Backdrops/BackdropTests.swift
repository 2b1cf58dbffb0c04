import Frost
import FrostCore
import FrostTestSupport
import Testing

@Suite("backdrops")
struct BackdropTests {
    /// Makes a random change that a host program may make between two frames.
    private static func act(_ stage: inout BackdropStage, _ effects: [Effect], _ generator: inout SeededGenerator)
        throws
    {
        let (extent, backdrop) = (stage.extent, stage.backdrop)
        func rect(_ largest: Int) -> Rect {
            Rect(
                x: .random(in: -largest / 2..<extent.width, using: &generator),
                y: .random(in: -largest / 2..<extent.height, using: &generator),
                width: .random(in: 1...largest, using: &generator), height: .random(in: 1...largest, using: &generator))
        }
        let count = backdrop.panels.count
        let index = count == 0 ? 0 : Int.random(in: 0..<count, using: &generator)
        let isRedaction = count > 0 && backdrop.panels[index].effect.name == "redact"
        switch Int.random(in: 0..<21, using: &generator) {
        case 0..<6: try stage.damage(rect(40))
        case 6..<8 where count > 0:
            backdrop.panels[index].rect.x += .random(in: -9...9, using: &generator)
            backdrop.panels[index].rect.y += .random(in: -9...9, using: &generator)
        case 8 where count > 0: backdrop.panels[index].rect = rect(90)
        case 9 where count > 0:
            let panel = backdrop.panels[index]
            backdrop.panels[index].cornerRadius = .random(
                in: 0...Double(min(panel.rect.width, panel.rect.height)) / 2, using: &generator)
        case 10 where count > 0:
            backdrop.panels[index].effect = effects[.random(in: effects.indices, using: &generator)]
            backdrop.panels[index].mask = nil
            (backdrop.panels[index].opacity, backdrop.panels[index].strength) = (1, 1)
        case 11 where count > 0 && !isRedaction && backdrop.panels[index].effect.mask == nil:
            backdrop.panels[index].mask = MaskImage(
                try TestImage.noise(7, 5, PixelFormat(.grey), seed: .random(in: 0...99, using: &generator)))
        case 12 where count > 0:
            let label = ContentImage(try TestImage.noise(12, 8, PixelFormat(.rgba)))
            backdrop.panels[index].content = [ContentLayer(label, mode: .center)]
        case 13 where count > 1: backdrop.panels.swapAt(index, 0)
        case 14 where count > 1: backdrop.panels.remove(at: index)
        case 15: try stage.resize(extent.width + .random(in: -9...9, using: &generator), extent.height)
        case 16 where count > 0:
            backdrop.panels[index].region = .random(using: &generator) ? nil : Region((0..<3).map { _ in rect(60) })
        case 17 where count > 0 && !isRedaction:
            backdrop.panels[index].opacity =
                [0, 0.25, 1, .random(in: 0...1, using: &generator)]
                .randomElement(using: &generator) ?? 1
        case 18 where count > 0 && !isRedaction:
            backdrop.panels[index].strength =
                [0, 0.5, 1, .random(in: 0...1, using: &generator)]
                .randomElement(using: &generator) ?? 1
        case 19 where count > 0:
            let whole = backdrop.panels[index].rect
            func part() -> Double {
                [0, 0.25, 0.5, .random(in: 0...1, using: &generator)].randomElement(using: &generator) ?? 0
            }
            try backdrop.panels[index].place(
                x: Double(whole.x) + part(), y: Double(whole.y) + part(), width: Double(whole.width) + part(),
                height: Double(whole.height) + part())
        default:
            let effect = effects[.random(in: effects.indices, using: &generator)]
            let id: UInt64? = .random(using: &generator) ? .random(in: 1...1 << 40, using: &generator) : nil
            if count < 6 { backdrop.panels.insert(Panel(rect(90), effect: effect, id: id), at: index) }
        }
        // The corner radius is reduced if it is too large for the panel's new size.
        for i in backdrop.panels.indices {
            let rect = backdrop.panels[i].rect
            if min(rect.width, rect.height) < 2 { backdrop.panels[i].insets = Panel.Insets() }
            let insets = backdrop.panels[i].insets
            let (width, height) = (
                Double(rect.width) - insets.left - insets.right, Double(rect.height) - insets.top - insets.bottom
            )
            backdrop.panels[i].cornerRadius = min(backdrop.panels[i].cornerRadius, min(width, height) / 2)
        }
    }

    /// Makes random changes. After each change, the target must equal the result of recomputing everything. Pixels outside
    /// the panels must keep their values.
    static func play(
        _ steps: Int, _ width: Int, _ height: Int, _ format: PixelFormat, into target: PixelFormat? = nil,
        _ coverage: Backdrop.Coverage, seed: UInt64, threads: Int = 2, layering: Backdrop.Layering = .flat,
        effects: [Effect]? = nil
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let effects = try effects ?? BackdropStage.effects()
        var stage = try BackdropStage(
            width, height, format, into: target, coverage: coverage, threads: threads,
            layering: layering)
        for step in 0..<steps {
            for _ in 0..<Int.random(in: 1...3, using: &generator) { try act(&stage, effects, &generator) }
            try stage.render(step % 17 == 16 ? .all : .changed)
            let expected = try stage.expected()
            guard stage.target == expected else {
                Issue.record(
                    "step \(step) of seed \(seed): \(try Comparison(stage.target, expected).maximum) steps off, \(stage.difference(expected)), \(stage.extent), \(stage.backdrop.panels.map { "\($0.rect) \($0.effect) \($0.mask != nil)" })"
                )
                return
            }
        }
    }

    @Test(
        "after any damage, move, resize and change the pixels are those of a full recomputation",
        arguments: [Backdrop.Coverage.panels, .everywhere], 0..<5)
    func random(coverage: Backdrop.Coverage, seed: Int) throws {
        try Self.play(100, 160, 110, PixelFormat(.rgba), coverage, seed: UInt64(seed))
    }

    /// A lens reads the blur beside a pixel, up to its reach. So it also shows damage from there, and needs samples there, even if
    /// only a part of its panel is visible.
    @Test(
        "panels of glass show all damage that their lenses reach, and read no sample that was not computed",
        arguments: [Backdrop.Coverage.panels, .everywhere], 0..<3)
    func lenses(coverage: Backdrop.Coverage, seed: Int) throws {
        func glass(_ name: String, _ radius: Double, _ thickness: Double, _ refraction: Double = 1) throws -> Effect {
            try EffectCatalog.effect(name).make([
                "radius": .number(radius), "thickness": .number(thickness), "refraction": .number(refraction),
            ])
        }
        let effects = [
            try glass("glass", 6, 40), try glass("glass-clear", 3, 60), try glass("glass", 6, 30, -1),
            try BackdropStage.gaussian(6, .mirror),
        ]
        try Self.play(
            120, 160, 110, PixelFormat(.rgba), coverage, seed: UInt64(seed), layering: seed == 2 ? .stacked : .flat,
            effects: effects)
    }

    @Test(
        "stacked panels equal a composition from the bottom up, after any damage, move and change",
        arguments: [Backdrop.Coverage.panels, .everywhere], 0..<5)
    func stacked(coverage: Backdrop.Coverage, seed: Int) throws {
        for format in [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.rgba, .f32, alpha: .premultiplied)] {
            try Self.play(
                format.channels == .rgba && format.sample.isEightBit ? BackdropStage.steps(60) : 15, 160, 110, format,
                coverage, seed: UInt64(seed), layering: .stacked)
        }
    }

    @Test(
        "the same in every format",
        arguments: [
            (PixelFormat(.rgb), nil), (.init(.bgra, alpha: .premultiplied), nil), (.init(.rgba, .u16), nil),
            (.init(.rgba, .f32, alpha: .premultiplied), nil), (.init(.rgb), PixelFormat(.bgra, alpha: .premultiplied)),
            (.init(.grey), nil),
        ] as [(PixelFormat, PixelFormat?)])
    func formats(source: PixelFormat, target: PixelFormat?) throws {
        for threads in [1, 3] {
            try Self.play(25, 130, 90, source, into: target, .panels, seed: 11, threads: threads)
        }
    }

    @Test("the same in a long run, on a larger picture", arguments: [Backdrop.Coverage.panels, .everywhere])
    func longRun(coverage: Backdrop.Coverage) throws {
        try Self.play(BackdropStage.steps(1000), 640, 400, PixelFormat(.rgba), coverage, seed: 99)
    }

    @Test("damage that the backdrop is not told of does not show: kept levels are used")
    func untold() throws {
        var stage = try BackdropStage(200, 150)
        stage.backdrop.panels = [
            Panel(Rect(x: 20, y: 20, width: 100, height: 80), effect: try BackdropStage.gaussian(8))
        ]
        try stage.render(buffer: 1)
        #expect(stage.target == (try stage.expected()))
        let before = stage.target
        try stage.damage(Rect(x: 60, y: 60, width: 10, height: 10), isTold: false)
        try stage.render(buffer: 1)
        #expect(stage.target == before && stage.report.passes == 0)
        #expect(stage.target != (try stage.expected()))
        stage.backdrop.invalidate(Rect(x: 60, y: 60, width: 10, height: 10))
        try stage.render(buffer: 1)
        #expect(stage.target == (try stage.expected()))
    }

    @Test("without damage, or with damage out of reach, no pass runs and nothing is written")
    func idle() throws {
        var stage = try BackdropStage(300, 200)
        stage.backdrop.panels = [
            Panel(Rect(x: 10, y: 10, width: 60, height: 50), effect: try BackdropStage.gaussian(6), cornerRadius: 9),
            Panel(Rect(x: 50, y: 40, width: 60, height: 50), effect: try BackdropStage.gaussian(11)),
        ]
        try stage.render()
        #expect(stage.report.passes > 0 && stage.report.updated.reduce(0) { $0 + $1.width * $1.height } == 5600)
        try stage.render()
        #expect(stage.report.passes == 0 && stage.report.updated.isEmpty && stage.report.errorBound > 0)
        try stage.damage(Rect(x: 290, y: 190, width: 10, height: 10))
        try stage.render()
        #expect(stage.report.passes == 0 && stage.report.panelPixels == 0 && stage.report.levelSamples == 0)
        #expect(stage.target == (try stage.expected()))
    }

    @Test("a panel that moves over a still picture takes only its last passes, once all levels are computed")
    func moving() throws {
        var stage = try BackdropStage(300, 200, coverage: .everywhere)
        stage.backdrop.panels = [
            Panel(Rect(x: 10, y: 10, width: 80, height: 60), effect: try BackdropStage.gaussian(9))
        ]
        try stage.render()
        #expect(stage.report.levelPasses > 0)
        for _ in 0..<40 {
            let before = Region(stage.backdrop.panels[0].rect)
            stage.backdrop.panels[0].rect.x += 5
            stage.backdrop.panels[0].rect.y += 3
            try stage.render()
            let seen = stage.backdrop.panels[0].rect.intersection(stage.extent)
            let drawn = (seen.map { Region($0) } ?? Region()).subtracting(before)
            #expect(stage.report.levelPasses == 0 && stage.report.levelSamples == 0)
            #expect(stage.report.panelPixels == drawn.area)
            #expect(stage.report.panelPasses == (drawn.isEmpty ? 0 : 2))
            #expect(stage.target == (try stage.expected()))
        }
    }

    @Test("the frame after a cancelled one completes it, and reports what it uncovered")
    func cancelled() throws {
        let picture = try TestImage.noise(200, 150)
        let backdrop = try Backdrop(threads: 2)
        let effect = try BackdropStage.gaussian(5)
        var target = PixelBuffer(layout: picture.layout)
        backdrop.panels = [Panel(Rect(x: 190, y: 140, width: 50, height: 50), effect: effect)]
        _ = try backdrop.render(picture, into: &target)
        backdrop.panels = [Panel(Rect(x: 0, y: 0, width: 195, height: 150), effect: effect)]
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: FrostError.cancelled) {
            try backdrop.render(picture, into: &target, cancellation: cancellation)
        }
        let report = try backdrop.render(picture, into: &target)
        // The two panels show the same effect of the same picture where they overlap.
        #expect(
            Region(report.updated)
                == Region(Rect(x: 0, y: 0, width: 195, height: 150))
                .subtracting(Region(Rect(x: 190, y: 140, width: 5, height: 10))))
        #expect(report.uncovered == [Rect(x: 195, y: 140, width: 5, height: 10)])
        backdrop.panels[0].rect.width = 200
        #expect(try backdrop.render(picture, into: &target).uncovered.isEmpty)
        let whole = try Renderer(backend: .cpu).blurNow(picture, GaussianBlur(sigma: 5)).image
        #expect(target == whole)
    }

    @Test("mismatched sizes and formats are refused before anything is written, and any rectangle is accepted")
    func refusals() throws {
        var stage = try BackdropStage(60, 40)
        let gaussian = try BackdropStage.gaussian(3)
        let rect = Rect(x: 5, y: 5, width: 20, height: 20)
        stage.backdrop.panels = [Panel(rect, effect: gaussian), Panel(rect, effect: gaussian, cornerRadius: 11)]
        #expect(throws: FrostError.parameter(.outOfRange(parameter: "corner radius", value: 11, allowed: 0...10))) {
            try stage.render()
        }
        #expect(stage.target.bytes.allSatisfy { $0 == BackdropStage.untouched })
        stage.backdrop.panels = [Panel(Rect(x: 0, y: 0, width: -4, height: 5), effect: gaussian)]
        #expect(throws: FrostError.self) { try stage.render() }
        stage.backdrop.panels = [Panel(Rect(x: .max - 3, y: .min, width: 9, height: .max), effect: gaussian)]
        #expect(throws: FrostError.self) { try stage.render() }
        var masked = gaussian
        masked.outputStages.mask = .image
        stage.backdrop.panels = [Panel(rect, effect: masked)]
        #expect(throws: FrostError.parameter(.maskImage(needed: true))) { try stage.render() }
        stage.backdrop.panels = [Panel(rect, effect: gaussian)]
        for damage in [
            Rect(x: .min, y: .min, width: .max, height: .max), Rect(x: .max, y: 0, width: .max, height: .max),
            Rect(x: 0, y: 0, width: -1, height: .min), Rect(x: -5, y: -5, width: .max, height: .max),
        ] {
            stage.backdrop.invalidate(damage)
        }
        try stage.render()
        stage.backdrop.panels.append(Panel(Rect(x: 900, y: 5, width: 20, height: 20), effect: gaussian))
        stage.backdrop.panels.append(Panel(Rect(x: 9, y: 5, width: 0, height: 20), effect: gaussian))
        try stage.render()
        #expect(stage.target == (try stage.expected()))

        var picture = stage.picture
        let layout = picture.layout
        try unsafe picture.withUnsafeMutableBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            #expect(throws: FrostError.pixels(.sharedMemory)) {
                try unsafe stage.backdrop.render(
                    PixelSource(UnsafeRawPointer(base), layout: layout), into: PixelTarget(base, layout: layout))
            }
        }
        var other = try TestImage.noise(61, 40)
        #expect(throws: FrostError.self) { try stage.backdrop.render(stage.picture, into: &other) }
    }

    @Test("content that moves by a pixel moves in the result, without shimmer other than the final rounding")
    func shimmer() throws {
        let (width, height) = (400, 120)
        let wide = try TestImage.noise(width + 64, height)
        let panel = Rect(x: 150, y: 30, width: 60, height: 50)
        for sigma in [3.0, 10] {
            let backdrop = try Backdrop(threads: 1)
            backdrop.panels = [Panel(panel, effect: try BackdropStage.gaussian(sigma))]
            var frames: [PixelBuffer] = []
            for shift in 0...16 {
                var target = PixelBuffer(layout: try PixelLayout(width: width, height: height, format: wide.format))
                backdrop.invalidateAll()
                _ = try backdrop.render(
                    wide.cropped(to: Rect(x: 32 - shift, y: 0, width: width, height: height)), into: &target)
                frames.append(target)
            }
            for shift in 1...16 {
                // The two rectangles contain the same content, at its old position and at its new position.
                let old = Rect(x: panel.x, y: panel.y, width: panel.width - shift, height: panel.height)
                let new = Rect(x: panel.x + shift, y: panel.y, width: panel.width - shift, height: panel.height)
                let difference = try Comparison(frames[0].cropped(to: old), frames[shift].cropped(to: new)).maximum
                #expect(difference <= 2, "sigma \(sigma), moved by \(shift)")
                // If the content moves by a multiple of the sample size at the lowest resolution, the result is identical to
                // the bit.
                let level =
                    try GaussianBlur(sigma: sigma).plan(extent: wide.layout.extent).slots.map(\.levelX).max() ?? 0
                if shift.isMultiple(of: 1 << level) { #expect(difference == 0, "sigma \(sigma), moved by \(shift)") }
            }
        }
    }
}
