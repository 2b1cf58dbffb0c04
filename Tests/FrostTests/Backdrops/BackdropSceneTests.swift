import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// A backdrop executor that only records its calls.
private final class Recorder: BackdropExecutor {
    final class Level: BackdropLevel {
        let layers: LayeredPlan
        var isValid = true
        init(_ layers: LayeredPlan) { self.layers = layers }
        func serves(_ plan: Plan) -> Bool { layers.serves(plan) }
    }

    final class Samples: BackdropSamples {
        var isPending: Bool { false }
        func colors() -> [SIMD4<Float>]? { [.one] }
    }

    /// The number of passes that each panel runs by itself. They follow the passes of the shared level.
    let last: Int
    var levels = 0
    /// The level that was made last.
    private(set) var made: Level?
    var updates: [Rect] = []
    var draws: [Rect] = []

    init(last: Int) { self.last = last }

    static let partCost = 4096

    func check(_ plan: Plan) {}
    func drop(_ level: Level) { levels -= 1 }
    func makeLevel(of plan: Plan) -> Level? {
        guard plan.passes.count > last else { return nil }
        levels += 1
        let level = Level(LayeredPlan(plan, cut: plan.passes.count - last))
        made = level
        return level
    }
    func sample(_ grid: SampleGrid) -> any BackdropSamples { Samples() }
    func update(_ level: Level, in samples: Rect) { updates.append(samples) }
    func draw(_ plan: Plan, from level: Level?, mask: MaskImage?) { draws.append(plan.region) }
}

struct BackdropSceneTests {
    private static let extent = Rect(x: 0, y: 0, width: 3840, height: 2160)

    private static func scene(_ coverage: Backdrop.Coverage) -> BackdropScene<Recorder.Level> {
        BackdropScene(extent: extent, accuracy: .eightBit, coverage: coverage)
    }

    @Test(
        "of a 4K picture with 64x64 damaged, exactly the visible samples that read the damage are computed",
        arguments: [1, 2], [Backdrop.Coverage.panels, .everywhere])
    func damage(last: Int, coverage: Backdrop.Coverage) throws {
        var scene = Self.scene(coverage)
        let recorder = Recorder(last: last)
        let effect = Effect(try GaussianBlur(sigma: 30))
        let panel = Panel(Rect(x: 1000, y: 700, width: 900, height: 600), effect: effect)
        _ = try scene.render([panel], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        let plan = try effect.plan(extent: Self.extent)
        let layers = LayeredPlan(plan, cut: plan.passes.count - last)
        let seen = layers.samples(for: panel.rect, of: plan)
        #expect(recorder.updates == [coverage == .panels ? seen : layers.window])
        #expect(recorder.draws == [panel.rect])

        // The panel does not read the pixels of the last damage. So nothing has to be computed for this damage.
        for (x, y) in [(1400, 900), (1850, 1290), (903, 601), (700, 400)] {
            recorder.updates = []
            recorder.draws = []
            let damage = Rect(x: x, y: y, width: 64, height: 64)
            scene.invalidate(damage)
            let report = try scene.render([panel], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
            // Only the part of the panel that the damage affects is redrawn.
            let pixels = try #require(plan.affected(by: damage).rects.first)
            let drawn = pixels.intersection(panel.rect)
            #expect(recorder.draws == [drawn].compactMap { $0 })
            let (reachX, reachY) = try effect.damageExpansion(extent: Self.extent)
            #expect(pixels.width <= 64 + 2 * reachX && pixels.height <= 64 + 2 * reachY)
            #expect(report.panelPixels == drawn.map { $0.width * $0.height } ?? 0)
            // A sample is computed if the damage affects it and the redrawn part reads it. If the coverage is `everywhere`,
            // all affected samples are computed.
            let samples = try #require(layers.affectedSamples(by: damage).rects.first)
            let needed = drawn.map { layers.samples(for: $0, of: plan) }
            let expected = coverage == .everywhere && needed != nil ? samples : needed?.intersection(samples)
            #expect(recorder.updates == [expected].compactMap { $0 })
            #expect(report.levelSamples == expected.map { $0.width * $0.height } ?? 0)
            #expect(report.levelPasses == (expected == nil ? 0 : layers.cut))
            #expect(report.panelPasses == (drawn == nil ? 0 : last))
            // The level has a lower resolution than the picture: a quarter or half as many samples as pixels. Some samples
            // around the damaged area are computed too.
            #expect(report.levelSamples < 300 * 300 * (3 - last))
        }
        #expect(recorder.levels == 1)
    }

    @Test("if a level loses its samples, all that panels show is computed and drawn again") func lostSamples() throws {
        var scene = Self.scene(.panels)
        let recorder = Recorder(last: 1)
        let panel = Panel(Rect(x: 1000, y: 700, width: 900, height: 600), effect: Effect(try GaussianBlur(sigma: 30)))
        func render() throws -> BackdropReport {
            try scene.render([panel], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        }
        let first = try render()
        #expect(try render().passes == 0)
        recorder.made?.isValid = false
        let again = try render()
        #expect(again.levelSamples == first.levelSamples && again.panelPixels == first.panelPixels)
    }

    @Test("ten panels of one effect share the passes of their level, and each draws its own area", arguments: [1, 2])
    func sharing(last: Int) throws {
        let effect = Effect(try GaussianBlur(sigma: 30))
        let panels = (0..<10).map { i in
            Panel(
                Rect(x: 100 + 330 * i, y: 200 + 90 * i, width: 300, height: 250), effect: effect,
                cornerRadius: Double(2 * i))
        }
        let union = Panel(
            Rect(
                columns: 100..<panels[9].rect.columns.upperBound, rows: 200..<panels[9].rect.rows.upperBound),
            effect: effect)
        for coverage in [Backdrop.Coverage.panels, .everywhere] {
            let (many, one) = (Recorder(last: last), Recorder(last: last))
            var (sceneOfMany, sceneOfOne) = (Self.scene(coverage), Self.scene(coverage))
            for damage in [nil, Rect(x: 700, y: 300, width: 64, height: 64), Self.extent] {
                if let damage {
                    sceneOfMany.invalidate(damage)
                    sceneOfOne.invalidate(damage)
                }
                let reportOfMany = try sceneOfMany.render(panels, by: many, into: .buffer(1, x: 0, y: 0), .changed)
                let reportOfOne = try sceneOfOne.render([union], by: one, into: .buffer(1, x: 0, y: 0), .changed)
                #expect(reportOfMany.levelPasses == reportOfOne.levelPasses && reportOfOne.levelPasses > 0)
                #expect(reportOfMany.levelSamples <= reportOfOne.levelSamples)
                if coverage == .everywhere { #expect(reportOfMany.levelSamples == reportOfOne.levelSamples) }
                if damage?.width != 64 {
                    #expect(reportOfMany.panelPasses == 10 * last)
                    #expect(reportOfMany.panelPixels == 10 * 300 * 250)
                }
            }
            #expect(many.levels == 1)
        }
        // A panel with a different blur has its own level.
        let recorder = Recorder(last: last)
        var scene = Self.scene(.panels)
        var other = panels[1]
        other.effect = Effect(try GaussianBlur(sigma: 30, edge: .mirror))
        _ = try scene.render([panels[0], other], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        #expect(recorder.levels == 2)
    }

    @Test("parts hidden by a later panel are not drawn; uncovered parts are, and parts left behind are reported")
    func overlaps() throws {
        var scene = Self.scene(.panels)
        let recorder = Recorder(last: 2)
        let effect = Effect(try GaussianBlur(sigma: 10))
        let lower = Panel(Rect(x: 0, y: 0, width: 100, height: 100), effect: effect)
        var upper = Panel(Rect(x: 50, y: 0, width: 100, height: 100), effect: effect)
        var report = try scene.render([lower, upper], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        #expect(recorder.draws == [Rect(x: 0, y: 0, width: 50, height: 100), upper.rect])
        #expect(report.uncovered.isEmpty)
        recorder.draws = []
        upper.rect.x = 80
        report = try scene.render([lower, upper], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        // Where the panel was before, it shows the same picture as before.
        #expect(
            recorder.draws == [
                Rect(x: 50, y: 0, width: 30, height: 100), Rect(x: 150, y: 0, width: 30, height: 100),
            ])
        #expect(report.uncovered.isEmpty && report.levelSamples > 0)
        recorder.draws = []
        upper.rect.x = 200
        report = try scene.render([lower, upper], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        #expect(recorder.draws == [Rect(x: 80, y: 0, width: 20, height: 100), upper.rect])
        #expect(report.uncovered == [Rect(x: 100, y: 0, width: 80, height: 100)])
        report = try scene.render([], by: recorder, into: .buffer(1, x: 0, y: 0), .changed)
        #expect(report.uncovered == [lower.rect, upper.rect] && report.passes == 0)
        #expect(recorder.levels == 0)
    }
}
