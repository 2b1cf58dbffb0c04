@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests effects whose shapes flow together.
struct JoinTests {
    private static func random(_ generator: inout SeededGenerator, name: String?) throws -> Effect {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        var effect =
            try name.map { try EffectCatalog.effect($0).make(["band": .number(9)]) } ?? Effect(GaussianBlur(sigma: 3))
        effect.outputStages.dither = nil
        effect.outputStages.join = number(4...50)
        effect.outputStages.clip = try (0..<Int.random(in: 2...4, using: &generator)).map { _ in
            let (width, height) = (number(14...40).rounded(), number(14...40).rounded())
            let shape = try RoundedRect(
                x: number(0...60).rounded(), y: number(0...50).rounded(), width: width, height: height,
                radius: number(0.2...0.5) * min(width, height))
            return Int.random(in: 0..<4, using: &generator) == 0 ? try shape.turned(by: number(-90...90)) : shape
        }
        return effect
    }

    @Test("random joined shapes are within the promise of the exact effect", arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 80)
        let formats: [PixelFormat] = [
            PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey), PixelFormat(.rgba, .u16),
            PixelFormat(.rgb, .f32),
        ]
        var changed = 0
        let count = TestCases.every ? 120 : 30
        for index in 0..<count {
            let effect = try Self.random(&generator, name: ["glass", "glass-clear", nil][index % 3])
            let format = formats[index % formats.count]
            let picture = try TestImage.make(.photograph, 100, 80, format)
            let wanted = try renderer.exact(picture, effect)
            let found = try renderer.renderNow(picture, effect).image
            let worst = try Comparison(SampleRows(found), wanted)
            #expect(
                worst.maximum <= Tolerance.promise(format.sample).steps,
                "\(index), \(format): \(worst), \(effect.outputStages)")
            var apart = effect
            apart.outputStages.join = 0
            let other = try Comparison(SampleRows(try renderer.renderNow(picture, apart).image), wanted)
            if other.maximum > Tolerance.promise(format.sample).steps { changed += 1 }
        }
        #expect(changed > count / 2, "without the join, most pictures are others")
    }

    @Test("a shape alone looks as without a join, with its shadow", arguments: Worker.wanted)
    func alone(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 100, 80, PixelFormat(.rgba))
        for shape in [
            try RoundedRect(x: 61, y: 12, width: 21, height: 50, radius: 0),
            try RoundedRect(x: 20.5, y: 10, width: 40, height: 30.25, radius: 9),
        ] {
            var effect = try EffectCatalog.effect("glass").make(["band": .number(9), "shadow": .number(0.8)])
            effect.outputStages.join = 30
            var apart = effect
            apart.outputStages.join = 0
            for isBounded in [false, true] {
                let found = try renderer.render(picture, effect, within: [shape], isBounded: isBounded).image
                let wanted = try renderer.render(picture, apart, within: [shape], isBounded: isBounded).image
                #expect(found.bytes == wanted.bytes, "\(shape)")
                let exact = try renderer.exact(
                    picture, effect, within: [shape], isBounded: isBounded, mask: nil, maskPlacement: .rect)
                #expect(try Comparison(SampleRows(found), exact).maximum <= Tolerance.promise(.u8).steps, "\(shape)")
                // Beside the shape is its shadow.
                let beside = 4 * (100 * 30 + Int(shape.x + shape.width) + 3)
                #expect(found.bytes[beside] < picture.bytes[beside])
            }
            effect.outputStages.clip = [shape]
            apart.outputStages.clip = [shape]
            let found = try renderer.renderNow(picture, effect).image
            #expect(try found.bytes == renderer.renderNow(picture, apart).image.bytes, "\(shape)")
        }
    }

    @Test("parts of a picture and rectangles show the pixels of the whole", arguments: Worker.wanted)
    func parts(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 81)
        let picture = try TestImage.make(.photograph, 100, 80, PixelFormat(.rgba))
        for index in 0..<20 {
            var effect = try Self.random(&generator, name: ["glass", nil][index % 2])
            let whole = try renderer.renderNow(picture, effect).image
            let region = Rect(
                x: Int.random(in: 0..<50, using: &generator), y: Int.random(in: 0..<40, using: &generator), width: 45,
                height: 35)
            let part = try renderer.renderNow(picture, effect, region: region).image
            #expect(try part.bytes == whole.cropped(to: region).bytes, "\(index): \(region)")
            let shapes = effect.outputStages.clip
            let area = effect.outputStages.clipArea
            let field = effect.outputStages.shadowField(in: picture.layout.extent)
            for y in 0..<80 {
                let shadow = field?.parts(y, 0..<100)
                for x in 0..<100 where area.coverage(x, y) == 0 && shadow?[x] ?? 0 == 0 {
                    let at = 4 * (100 * y + x)
                    #expect(whole.bytes[at..<at + 4] == picture.bytes[at..<at + 4])
                }
            }
            effect.outputStages.clip = []
            let within = try renderer.render(picture, effect, within: shapes).image
            let worst = try Comparison(SampleRows(whole), SampleRows(within))
            #expect(worst.maximum <= 1, "\(index): \(worst), \(shapes), \(effect.outputStages.join)")
        }
    }

    @Test("a join outside its range is refused") func range() throws {
        var effect = Effect(try GaussianBlur(sigma: 2))
        let extent = Rect(x: 0, y: 0, width: 30, height: 20)
        for join in [-1, 5000, .nan] {
            effect.outputStages.join = join
            #expect(throws: ParameterError.self) { try effect.plan(extent: extent) }
        }
    }
}
