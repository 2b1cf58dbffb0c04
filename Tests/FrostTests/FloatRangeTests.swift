import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests images of floats whose values are not limited to 0...1: renders with high dynamic range, differences, NaN and
/// infinity.
@Suite struct FloatRangeTests {
    private static let effects: Result<[Effect], ParameterError> = Result { () throws(ParameterError) in
        [
            Effect(try GaussianBlur(sigma: 0.7, edge: .mirror)), Effect(try GaussianBlur(sigma: 2.4)),
            Effect(try GaussianBlur(sigma: 5, edge: .clear)), Effect(try GaussianBlur(sigma: 14)),
            Effect(name: "box", blur: try BoxBlur(width: 9, passes: 3)),
            Effect(name: "disc", blur: try DiscBlur(radius: 5)),
        ]
    }

    /// The values are those of a render with bright lamps and of a difference of two images. The error is at most that of
    /// values in 0...1, scaled with the range of the values, and the rounding of the result.
    @Test(
        "negative values and values above 1 are blurred like others",
        arguments: Worker.wanted, [SampleType.f16, .f32])
    func range(worker: Worker, sample: SampleType) throws {
        let renderer = try worker.renderer()
        let (least, most) = (-30.0, 2000.0)
        // Alpha is at most 1, because `make` multiplies colours by it.
        for channels in [ChannelLayout.grey, .rgb, .rgba] {
            let noise = SeededNoise(seed: 3)
            let format = PixelFormat(channels, sample, alpha: .premultiplied)
            let image = try TestImage.make(61, 47, format) { x, y, c in
                let value = noise.value(x, y, c)
                if c == 3 { return value }
                return x < 25 ? least * value : value < 0.05 ? most * value / 0.05 : value
            }
            for effect in try Self.effects.get() {
                let rendered = try renderer.renderNow(image, effect)
                let wanted = try renderer.exact(image, effect)
                let budget = Tolerance.promise16.steps / 255 * (most - least)
                var worst = 0.0
                var range = 0.0...0
                let rows = SampleRows(rendered.image)
                for y in 0..<rendered.image.height {
                    for (got, right) in zip(rows[y], wanted[y]) {
                        let rounding = sample == .f16 ? 0x1p-11 * abs(right) + 0x1p-25 : 0
                        worst = max(worst, abs(got - right) - rounding)
                        range = min(range.lowerBound, right)...max(range.upperBound, right)
                    }
                }
                #expect(range.lowerBound < -0.1 && range.upperBound > 2)
                #expect(worst <= budget, "\(effect.name) \(format): \(worst), not \(budget)")
            }
        }
    }

    /// A value that is not a number affects only the pixels whose weighted sums contain it. All other pixels have the same
    /// bits as without it. The pixel itself shows it.
    @Test(
        "NaN and infinity spread as far as the filter reaches, and no farther", arguments: [SampleType.f16, .f32])
    func notNumbers(sample: SampleType) throws {
        let renderer = try Renderer(backend: .cpu)
        let format = PixelFormat(.rgb, sample)
        let image = try TestImage.make(.uniformNoise, 150, 131, format)
        for effect in try Self.effects.get() {
            let plain = try renderer.renderNow(image, effect).image
            let (x, y) = (77, 60)
            let plan = try effect.plan(extent: image.layout.extent, accuracy: .sixteenBit)
            let affected = plan.affected(by: Rect(x: x, y: y, width: 1, height: 1))
            for value in [Double.nan, .infinity, -.infinity] {
                var odd = image
                odd[x, y, 1] = value
                let made = try renderer.renderNow(odd, effect).image
                #expect(!made[x, y, plain.format.channels.count > 1 ? 1 : 0].isFinite, "\(effect)")
                var outside = 0
                for row in 0..<made.height {
                    for column in 0..<made.width {
                        let isAffected = affected.rects.contains {
                            $0.intersection(Rect(x: column, y: row, width: 1, height: 1)) != nil
                        }
                        for c in 0..<made.format.channels.count where made[column, row, c] != plain[column, row, c] {
                            #expect(c == 1)
                            if !isAffected { outside += 1 }
                        }
                    }
                }
                #expect(outside == 0, "\(value), \(effect)")
            }
        }
    }

    /// Halves beyond the largest finite number become infinite, as everywhere in IEEE 754 arithmetic.
    @Test("sums beyond 65504 are infinite halves, and the largest finite number is kept") func largestHalf() throws {
        let renderer = try Renderer(backend: .cpu)
        let largest = Double(Float16.greatestFiniteMagnitude)
        for sigma in [0.7, 3, 20] {
            let image = try TestImage.make(40, 30, PixelFormat(.grey, .f16)) { _, _, _ in largest }
            let made = try renderer.blurNow(image, GaussianBlur(sigma: sigma)).image
            #expect(made == image, "sigma \(sigma)")
        }
    }
}
