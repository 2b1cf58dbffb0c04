import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Compares an effect with the same effect under other parameters.
struct EffectLawTests {
    @Test("as the radius grows from 0 to 60, no pixel moves by more than in the exact effect and 2 steps")
    func animation() throws {
        let image = try TestImage.make(.screenshot, 96, 64)
        var before: (cpu: SampleRows, exact: SampleRows)?
        for step in stride(from: 0, through: 600, by: TestCases.every ? 1 : 4) {
            var effect = try EffectCatalog.effect("image-effects").make([
                "radius": .number(Double(step) / 10), "tint": .color(Color(red: 1, green: 1, blue: 1, alpha: 0.3)),
            ])
            effect.outputStages.dither = nil
            let renderer = try #require(OutputStagesTests.renderer)
            let now = (
                cpu: SampleRows(try renderer.renderNow(image, effect).image), exact: try renderer.exact(image, effect)
            )
            if let before {
                let moved = try Comparison(now.cpu, before.cpu).maximum
                let allowed = try Comparison(now.exact, before.exact).maximum + 2
                #expect(moved <= allowed, "at radius \(Double(step) / 10): \(moved) of \(allowed)")
            }
            before = now
        }
    }

    @Test("radius 0 keeps saturation and tint")
    func radiusZero() throws {
        let image = try TestImage.make(.photograph, 30, 20)
        let effect = try EffectCatalog.effect("image-effects").make([
            "radius": .number(0), "saturation": .number(0),
            "tint": .color(Color(red: 1, green: 0, blue: 0, alpha: 0.5)),
        ])
        let rows = SampleRows(try OutputStagesTests.render(effect, image))
        for y in 0..<20 {
            for x in 0..<30 {
                let pixel = rows[y][4 * x..<4 * x + 4]
                #expect(abs(pixel[4 * x + 1] - pixel[4 * x + 2]) < 0.001)
                #expect(pixel[4 * x] - pixel[4 * x + 1] > 0.49)
            }
        }
    }
}
