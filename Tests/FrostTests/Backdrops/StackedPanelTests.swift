import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests what stacked panels show and cost. BackdropTests and TextureBackdropTests compare random ones with a composition.
struct StackedPanelTests {
    private static let glass = Result { Effect(try GaussianBlur(sigma: 8, edge: .mirror)) }

    @Test("a panel shows the effect of the panels and windows below it, which a flat one does not")
    func layers() throws {
        let window = ContentImage(try TestImage.make(.photograph, 60, 50))
        func frame(_ layering: Backdrop.Layering, _ panels: [Panel]) throws -> PixelBuffer {
            var stage = try BackdropStage(160, 110, layering: layering)
            stage.backdrop.panels = panels
            try stage.render()
            #expect(stage.target == (try stage.expected()), "\(layering), \(panels.count) panels")
            return stage.target
        }
        let dark = try EffectCatalog.effect("material-thick-dark").make()
        let plain = Effect(try GaussianBlur(sigma: 0))
        let lower = Panel(Rect(x: 10, y: 10, width: 90, height: 80), effect: dark)
        let picture = Panel(
            Rect(x: 30, y: 20, width: 60, height: 50), effect: plain, content: [ContentLayer(window, mode: .center)])
        let upper = Panel(Rect(x: 40, y: 30, width: 100, height: 60), effect: try Self.glass.get())
        let stacked = try frame(.stacked, [lower, picture, upper])
        #expect(try stacked != frame(.flat, [lower, picture, upper]))
        // Without the window, or without the lower panel, the upper one shows something else.
        for others in [[lower, upper], [picture, upper]] {
            let other = try frame(.stacked, others)
            #expect(try other.cropped(to: upper.rect) != stacked.cropped(to: upper.rect))
        }
    }

    @Test("the error bound is that of the panels that are shown, also when a stack has lost all of them")
    func errorBound() throws {
        var stage = try BackdropStage(160, 110, layering: .stacked)
        let effect = try Self.glass.get()
        let panels = (0..<2).map { Panel(Rect(x: 20 + 10 * $0, y: 20, width: 80, height: 60), effect: effect) }
        for shown in [panels, [], panels, [panels[0]]] {
            stage.backdrop.panels = shown
            for _ in 0..<2 {
                try stage.render()
                #expect((stage.report.errorBound > 0) == !shown.isEmpty, "\(shown.count) panels")
            }
        }
    }

    @Test("panels that do not read each other share a stage and a level; a still frame of a stack costs nothing")
    func sharing() throws {
        let effect = try Self.glass.get()
        func reports(_ layering: Backdrop.Layering, _ places: [Rect]) throws -> [BackdropReport] {
            var stage = try BackdropStage(400, 300, layering: layering)
            stage.backdrop.panels = places.map { Panel($0, effect: effect) }
            var reports: [BackdropReport] = []
            for damage in [nil, nil, Rect(x: 60, y: 60, width: 20, height: 20)] {
                if let damage { try stage.damage(damage) }
                try stage.render()
                #expect(stage.target == (try stage.expected()))
                reports.append(stage.report)
            }
            return reports
        }
        let apart = (0..<3).map { Rect(x: 20 + 130 * $0, y: 40, width: 60, height: 60) }
        let flat = try reports(.flat, apart)
        #expect(try reports(.stacked, apart) == flat)
        let over = (0..<3).map { Rect(x: 20 + 10 * $0, y: 40 + 10 * $0, width: 100, height: 80) }
        let stacked = try reports(.stacked, over)
        #expect(stacked[1].passes == 0 && stacked[1].panelPixels == 0 && stacked[1].updated.isEmpty)
        #expect(stacked[2].levelPasses == 3 * flat[2].levelPasses)
        // Only the target's panels are reported, and not the images of the stages.
        #expect(stacked[0].updated.reduce(0) { $0 + $1.width * $1.height } == Region(over).area)
    }

    @Test(
        "a change recomputes what it reaches: one reach around it in the lowest panel, and one more in each higher panel"
    )
    func damage() throws {
        let effect = try BackdropStage.gaussian(30)
        let (place, changed) = (
            Rect(x: 200, y: 100, width: 800, height: 500), Rect(x: 500, y: 300, width: 64, height: 64)
        )
        for count in 1...3 {
            var stage = try BackdropStage(1280, 720, layering: .stacked)
            stage.backdrop.panels = [Panel](repeating: Panel(place, effect: effect), count: count)
            try stage.render()
            try stage.damage(changed)
            try stage.render()
            let reach = try effect.damageExpansion(extent: stage.extent)
            let most = try (1...count).reduce(0) { sum, k in
                let reached = Rect(
                    x: changed.x - k * reach.x, y: changed.y - k * reach.y, width: changed.width + 2 * k * reach.x,
                    height: changed.height + 2 * k * reach.y)
                let part = try #require(reached.intersection(place))
                return sum + part.width * part.height
            }
            #expect(stage.report.panelPixels <= most && stage.report.panelPixels > most * 9 / 10, "\(count) panels")
        }
    }

    @Test("stages come and go with the panels, and every buffer of a swap chain gets the right pixels")
    func stages() throws {
        var generator = SeededGenerator(seed: 5)
        let backdrop = try Backdrop(threads: 2, layering: .stacked)
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let picture = try TestImage.noise(120, 90)
        var buffers = [PixelBuffer](repeating: picture, count: 3)
        let effect = try Self.glass.get()
        for frame in 0..<60 {
            backdrop.panels = (0..<Int.random(in: 0...4, using: &generator)).map { index in
                Panel(
                    Rect(x: 10 + 12 * index, y: 5 + 9 * index, width: 50, height: 40), effect: effect,
                    cornerRadius: Double(index))
            }
            let report = try backdrop.render(picture, into: &buffers[frame % 3], buffer: UInt64(frame % 3))
            for rect in report.uncovered { try buffers[frame % 3].paste(picture.cropped(to: rect), at: rect) }
            var expected = picture
            for panel in backdrop.panels {
                let below = expected
                _ = try unsafe below.withUnsafeBytes { from in
                    try unsafe expected.withUnsafeMutableBytes { to in
                        try unsafe renderer.render(
                            PixelSource(#require(from.baseAddress), layout: below.layout), panel,
                            into: PixelTarget(#require(to.baseAddress), layout: below.layout))
                    }
                }
            }
            try expectIdentical(buffers[frame % 3], expected, "frame \(frame)")
        }
    }
}
