@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests the grain option. Every effect has this option.
@Suite(.serialized)
struct GrainTests {
    @Test("every effect takes grain, within the promise on both backends", arguments: ContentTests.backends)
    func everyEffect(_ backend: Backend) throws {
        let renderer = try ContentTests.renderer(backend)
        for (n, description) in EffectCatalog.all.enumerated() {
            // Effects with noise have a random seed by default. A fixed seed replaces it.
            let seeded: [String: EffectValue] =
                description.parameters.contains { $0.name == "seed" } ? ["seed": .number(1)] : [:]
            var effect = try description.make(seeded.merging(["noise": .number(0.15)]) { $1 })
            effect.outputStages.dither = nil
            let image = try TestImage.make([.photograph, .screenshot, .softAlpha][n % 3], 61, 43)
            let mask = effect.mask == .image ? MaskImage(try TestImage.make(.gradient, 9, 7)) : nil
            try expectClose(
                SampleRows(renderer.renderNow(image, effect, mask: mask).image),
                renderer.exact(image, effect, mask: mask), within: .promise8,
                "\(description.name) on the \(backend)")
            var plain = try description.make(seeded.merging(["noise": .number(0)]) { $1 })
            plain.outputStages.dither = nil
            var usual = try description.make(seeded)
            usual.outputStages.dither = nil
            #expect(plain == usual)
            let steps = try Comparison(
                renderer.exact(image, effect, mask: mask), renderer.exact(image, plain, mask: mask)
            ).maximum
            #expect(steps > 1 && steps <= 0.15 * 255 + 1e-9, "\(description.name): \(steps)")
        }
    }

    @Test("grain is the same for all colours, is as often brighter as darker, and stays where the picture is")
    func grainIsTheSameForAllColors() throws {
        let grey = try TestImage.make(96, 64, PixelFormat(.rgb)) { _, _, _ in 0.5 }
        var effect = try EffectCatalog.effect("gpuimage-gaussian").make(["noise": .number(0.2)])
        effect.outputStages.dither = nil
        let renderer = try Renderer(backend: .cpu)
        let whole = try renderer.renderNow(grey, effect).image
        let rows = SampleRows(whole)
        var (sum, square) = (0.0, 0.0)
        for y in 0..<64 {
            let row = rows[y]
            for x in 0..<96 {
                #expect(row[3 * x] == row[3 * x + 1] && row[3 * x] == row[3 * x + 2])
                sum += row[3 * x] - 0.5
                square += (row[3 * x] - 0.5) * (row[3 * x] - 0.5)
            }
        }
        // The grain is uniform in -0.2...0.2, so its variance is 0.2^2 / 3. The mean may deviate by four of its standard
        // deviations.
        let count = 96.0 * 64
        #expect(abs(sum / count) < 4 * 0.2 / (3 * count).squareRoot() + 0.5 / 255)
        #expect(abs(square / count - 0.04 / 3) < 0.001)
        let part = Rect(x: 13, y: 7, width: 40, height: 30)
        try expectIdentical(renderer.renderNow(grey, effect, region: part).image, whole.cropped(to: part), "part")
    }

    @Test("grain out of range is refused")
    func refusals() throws {
        #expect(throws: ParameterError.outOfRange(parameter: "noise", value: 1.5, allowed: 0...1)) {
            _ = try EffectCatalog.effect("light").make(["noise": .number(1.5)])
        }
    }
}
