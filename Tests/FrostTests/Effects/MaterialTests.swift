import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests the materials' colours on flat pictures, which no blur changes.
struct MaterialTests {
    private static func color(_ name: String, on value: Double) throws -> [Int] {
        let picture = try TestImage.make(40, 30, PixelFormat(.rgb)) { _, _, _ in value }
        var effect = try EffectCatalog.effect(name).make()
        effect.outputStages.dither = nil
        let made = try Renderer(backend: .cpu, threads: 1).renderNow(picture, effect).image
        return made.pixelBytes[0..<3].map(Int.init)
    }

    @Test(
        "light materials keep a white page nearly white",
        arguments: ["ultra-thin", "thin", "regular", "thick", "chrome"])
    func white(_ thickness: String) throws {
        let color = try Self.color("material-\(thickness)-light", on: 1)
        #expect(color.allSatisfy { (244...248).contains($0) }, "\(color)")
        // With brightness before the curve, the same numbers gave a grey of 214 to 234.
        let stages = try EffectCatalog.effect("material-\(thickness)-light").make().outputStages.inside
        let other = stages.reversed().reduce(SIMD4<Double>(repeating: 1)) { $1.apply(to: $0, x: 0, y: 0) }
        #expect(other[0] * 255 < 240)
    }

    @Test("numbers outside 0...1 get the material's definition on every backend", arguments: Worker.wanted)
    func range(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        for value in [2.0, -0.4] {
            let picture = try TestImage.make(40, 30, PixelFormat(.rgba, .f32, alpha: .premultiplied)) { _, _, c in
                c == 3 ? 1 : c == 1 ? 0.2 : value
            }
            for name in ["material-chrome-dark", "material-regular-dark", "material-thin-light"] {
                let effect = try EffectCatalog.effect(name).make()
                let (made, wanted) = (
                    SampleRows(try renderer.renderNow(picture, effect).image), try renderer.exact(picture, effect)
                )
                for (got, right) in zip(made[9], wanted[9]) {
                    #expect(abs(got - right) < 0.5 / 255, "\(name) of \(value): \(got), not \(right)")
                }
            }
        }
    }

    @Test("dark materials lift black equally", arguments: ["ultra-thin", "thin", "regular", "thick"])
    func black(_ thickness: String) throws {
        let color = try Self.color("material-\(thickness)-dark", on: 0)
        #expect(color.allSatisfy { (29...32).contains($0) }, "\(color)")
    }
}
