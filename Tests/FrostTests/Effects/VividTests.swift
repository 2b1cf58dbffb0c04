import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests the saturation and white point within the gamut on every backend.
@Suite(.serialized)
struct VividTests {
    private static func effect(_ sigma: Double, _ saturation: Double, _ white: Double) throws -> Effect {
        var effect = Effect(try GaussianBlur(sigma: sigma))
        effect.outputStages.inside = [.vivid(try Vividness(saturation: saturation, whitePoint: white))]
        return effect
    }

    @Test(
        "CPU and GPU are within the promised error of the exact result, for every format of samples",
        arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var (largest, different) = (0.0, 0)
        for (sigma, saturation, white) in [
            (0.0, 1.5, 0.55), (0.7, 4, 0), (3, 1.5, 0.55), (8, 3, -1), (20, 4, 1), (2, 0.3, -0.5), (0, 1, 1),
        ] {
            let effect = try Self.effect(sigma, saturation, white)
            for (picture, format) in [
                (Picture.photograph, PixelFormat(.rgb)), (.softAlpha, PixelFormat(.rgba)),
                (.uniformNoise, PixelFormat(.rgba, alpha: .premultiplied)), (.gradient, PixelFormat(.grey)),
                (.uniformNoise, PixelFormat(.rgb)), (.screenshot, PixelFormat(.bgra)),
                (.photograph, PixelFormat(.rgba, .u16)), (.photograph, PixelFormat(.rgba, .f32)),
            ] {
                let image = try TestImage.make(picture, 90, 61, format)
                let result = try renderer.renderNow(image, effect)
                let comparison = try expectClose(
                    SampleRows(result.image), renderer.exact(image, effect), within: .promise(format.sample),
                    "\(sigma), \(saturation), \(white), \(format)")
                if format.sample == .u8 { largest = max(largest, comparison.maximum) }
                if format.channels == .grey { #expect(result.image.format.channels == .grey) }
            }
            // The comparison finds the matrix in place of the stage.
            let image = try TestImage.make(.uniformNoise, 90, 61, PixelFormat(.rgb))
            var other = effect
            other.outputStages.inside = [.matrix(.saturation(saturation))]
            let result = try SampleRows(renderer.renderNow(image, effect).image)
            if try Comparison(result, renderer.exact(image, other)).maximum > 1 { different += 1 }
        }
        #expect(largest > 0 && different >= 6, "\(largest), \(different)")
    }

    /// 8-bit colours at the border of the gamut keep their bytes, and others do not reach it.
    @Test("no channel reaches 0 or 255 that was not next to it, while the matrix clips", arguments: Worker.wanted)
    func clipping(worker: Worker) throws {
        let renderer = try worker.renderer()
        // The picture has channels from 10 to 245.
        let noise = SampleRows(try TestImage.make(.uniformNoise, 128, 128, PixelFormat(.rgb)))
        let inner = try TestImage.make(128, 128, PixelFormat(.rgb)) { x, y, c in
            (10 + 235 * Double(noise[y][3 * x + c])) / 255
        }
        func ends(_ stage: ColorStage) throws -> Int {
            var effect = try Self.effect(0, 1, 0)
            effect.outputStages.inside = [stage]
            return try renderer.renderNow(inner, effect).image.bytes.count { $0 == 0 || $0 == 255 }
        }
        for saturation in [1.5, 4] {
            #expect(try ends(.vivid(Vividness(saturation: saturation))) == 0)
            #expect(try ends(.matrix(.saturation(saturation))) > 1000)
        }
    }
}
