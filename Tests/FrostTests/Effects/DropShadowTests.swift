@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests effects whose shapes throw a shadow on the picture.
struct DropShadowTests {
    private static func random(_ generator: inout SeededGenerator) throws -> Effect {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        let name = ["glass", "light", nil].randomElement(using: &generator) ?? nil
        var effect = try name.map { try EffectCatalog.effect($0).make() } ?? Effect(GaussianBlur(sigma: 3))
        effect.outputStages.dither = nil
        effect.outputStages.opacity = Bool.random(using: &generator) ? 1 : number(0.2...1)
        let grey = number(0...1)
        let isGrey = Bool.random(using: &generator)
        effect.outputStages.shadow = try DropShadow(
            sigma: number(0.5...9), offset: SIMD2(number(-9...9), number(-9...9)),
            color: Color(
                red: grey, green: isGrey ? grey : number(0...1), blue: isGrey ? grey : number(0...1),
                alpha: number(0.1...1)))
        effect.outputStages.clip = try (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            let isWhole = Bool.random(using: &generator)
            let values = [number(-5...60), number(-5...40), number(6...50), number(6...40)].map {
                isWhole ? $0.rounded() : $0
            }
            let shape = try RoundedRect(
                x: values[0], y: values[1], width: values[2], height: values[3],
                radius: number(0...0.5) * min(values[2], values[3]))
            return Int.random(in: 0..<4, using: &generator) == 0 ? try shape.turned(by: number(-90...90)) : shape
        }
        return effect
    }

    @Test("random shadows are within the promise of the exact effect", arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 60)
        let formats: [PixelFormat] = [
            PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey),
            PixelFormat(.bgra), PixelFormat(.rgba, .u16), PixelFormat(.rgb, .f32), PixelFormat(.greyAlpha),
        ]
        for index in 0..<(TestCases.every ? 200 : 48) {
            let effect = try Self.random(&generator)
            let format = formats[index % formats.count]
            let picture = try TestImage.make([.photograph, .softAlpha][index / 8 % 2], 90, 70, format)
            let wanted = try renderer.exact(picture, effect)
            let found = try renderer.renderNow(picture, effect).image
            let worst = try Comparison(SampleRows(found), wanted)
            #expect(
                worst.maximum <= Tolerance.promise(format.sample).steps,
                "\(index), \(format): \(worst), \(effect.outputStages)")
        }
    }

    @Test("pixels outside shape and shadow keep their bytes, also those of rectangles", arguments: Worker.wanted)
    func outside(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 61)
        for index in 0..<24 {
            var effect = try Self.random(&generator)
            let shapes = effect.outputStages.clip.filter {
                $0.bounds.intersection(Rect(x: 0, y: 0, width: 100, height: 80)) != nil
            }
            let picture = try TestImage.make(.softAlpha, 100, 80, PixelFormat(.rgba))
            let extent = picture.layout.extent
            let field = try #require(effect.outputStages.shadowField(in: extent))
            let clipped = try renderer.renderNow(picture, effect).image
            effect.outputStages.clip = []
            let within = try renderer.render(picture, effect, within: shapes).image
            #expect(try Comparison(SampleRows(clipped), SampleRows(within)).maximum <= 1, "\(index)")
            var shadowed = 0
            for y in extent.rows {
                let parts = field.parts(y, extent.columns)
                for x in extent.columns where shapes.allSatisfy({ $0.coverage(x, y) == 0 }) {
                    let at = 4 * (100 * y + x)
                    let original = picture.bytes[at..<at + 4]
                    if parts[x] == 0 {
                        #expect(clipped.bytes[at..<at + 4] == original && within.bytes[at..<at + 4] == original)
                    } else {
                        shadowed += clipped.bytes[at..<at + 4] == original ? 0 : 1
                    }
                }
            }
            #expect(shadowed > 0)
        }
    }

    @Test("several rectangles throw one shadow, and each is drawn above the shadows of the others")
    func severalRectangles() throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let picture = try TestImage.make(90, 60, PixelFormat(.rgb)) { _, _, _ in 200.0 / 255 }
        var effect = Effect(try GaussianBlur(sigma: 0))
        effect.outputStages.shadow = try DropShadow(sigma: 2, color: Color(red: 0, green: 0, blue: 0, alpha: 0.5))
        let rects = [Rect(x: 10, y: 10, width: 30, height: 40), Rect(x: 42, y: 10, width: 30, height: 40)]
        let shapes = try rects.map { try RoundedRect($0) }
        let result = try renderer.render(picture, effect, within: shapes).image
        func grey(_ x: Int, _ y: Int) -> Int { Int(result.bytes[3 * (90 * y + x)]) }
        for rect in rects {
            for y in rect.rows { for x in rect.columns { #expect(grey(x, y) == 200) } }
        }
        // Between them both shadows add up, and beside them there is one: at the first pixel Φ(-½ / 2) of it.
        #expect(grey(40, 30) < 200 - 35 && grey(41, 30) < 200 - 35)
        #expect(abs(grey(9, 30) - (200 - 40)) <= 1)
        #expect(grey(0, 0) == 200)
        let strong = try effect.weakened(to: 0.5)
        #expect(strong.outputStages.shadow?.color.alpha == 0.25)
        #expect(try effect.weakened(to: 0).outputStages.shadow == nil)
    }

    @Test("a panel draws no shadow, because it changes no pixel outside its rectangle") func panels() throws {
        let effect = try EffectCatalog.effect("glass").make()
        #expect(effect.outputStages.shadow != nil)
        let panel = Panel(Rect(x: 5, y: 5, width: 40, height: 30), effect: effect, cornerRadius: 8)
        #expect(try panel.placedEffect().outputStages.shadow == nil)
    }
}
