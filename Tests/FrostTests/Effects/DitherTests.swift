@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests dithered pictures on both backends. The tests derive the expected values from the statistical laws of dither, not
/// from the table of offsets.
@Suite(.serialized)
struct DitherTests {
    static let period = 256
    /// The arithmetic differs between these formats: they have straight or premultiplied colours, and are computed in 16-bit
    /// integers or in floats.
    static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey), PixelFormat(.bgra),
        PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb, .u16),
    ]

    /// Returns an effect that blurs and then brightens by `brighter` steps of the sample type. `brighter` may be a fraction.
    static func effect(sigma: Double, brighter: Double, _ sample: SampleType, dither: Dither?) throws -> Effect {
        let stage = ColorStage.matrix(.brightness(brighter / sample.maximum))
        return Effect(
            name: "dithered", blur: try GaussianBlur(sigma: sigma),
            outputStages: OutputStages(inside: [stage], dither: dither))
    }

    /// Renders a picture with a single opaque colour, using an effect that brightens. The colour is given in steps of the
    /// sample type.
    static func flat(
        _ worker: Worker, _ format: PixelFormat, steps: [Double], brighter: Double, sigma: Double,
        dither: Dither? = Dither(seed: 3), height: Int = 5
    ) throws -> PixelBuffer {
        let image = try TestImage.make(3 * period - 1, height, format) { _, _, channel in
            channel == 3 ? 1 : steps[channel] / format.sample.maximum
        }
        return try worker.renderer().renderNow(
            image, effect(sigma: sigma, brighter: brighter, format.sample, dither: dither)
        ).image
    }

    /// Returns the values of channel 0 in a row.
    static func row(_ image: PixelBuffer, _ y: Int) -> [Double] { (0..<image.width).map { image[$0, y, 0] } }

    @Test(
        "a flat surface comes out with its mean over every period, which rounding misses", arguments: formats,
        Worker.wanted)
    func mean(format: PixelFormat, worker: Worker) throws {
        // Three errors are allowed. Values within 1/16 of a step from an integer are rounded as they are without dither. The
        // distribution of the 256 offsets deviates from a uniform distribution by up to 1/8. Colours are multiples of 1/64
        // of a step.
        let bound = 1 / 16.0 + 1 / 8.0 + 1 / 64.0
        for sigma in [0, 1.5, 12] {
            for part in [0.2, 0.35, 0.5, 0.65, 0.8] {
                let dithered = try Self.flat(worker, format, steps: [100, 100, 100], brighter: part, sigma: sigma)
                for y in 0..<dithered.height {
                    let row = Self.row(dithered, y)
                    #expect(row.allSatisfy { $0 == 100 || $0 == 101 })
                    for start in [0, 1, 77, 255, 400] {
                        let mean = row[start..<start + Self.period].reduce(0, +) / Double(Self.period)
                        #expect(abs(mean - 100 - part) <= bound, "\(part) at \(start),\(y), sigma \(sigma)")
                    }
                }
            }
            let rounded = try Self.flat(
                worker, format, steps: [100, 100, 100], brighter: 0.5, sigma: sigma, dither: nil)
            #expect(Self.row(rounded, 2).allSatisfy { abs($0 - 100.5) > 2 * bound }, "rounding would pass")
        }
    }

    @Test(
        "a row repeats after a period and no earlier, and rows are independent", arguments: formats, Worker.wanted)
    func period(format: PixelFormat, worker: Worker) throws {
        for sigma in [0, 1.5, 12] {
            let image = try Self.flat(worker, format, steps: [90, 90, 90], brighter: 0.5, sigma: sigma, height: 40)
            let rows = (0..<image.height).map { Self.row(image, $0).map { $0 - 90.5 } }
            for row in rows {
                for lag in 1...Self.period {
                    let alike = zip(row, row.dropFirst(lag)).allSatisfy { $0 == $1 }
                    #expect(alike == (lag == Self.period), "\(lag) apart, sigma \(sigma)")
                }
            }
            // Each product is 1 or -1. If the rows are independent, both occur equally often. The mean over 39 pairs of rows
            // with 256 pixels each then has a standard deviation of 1/100.
            let products = zip(rows, rows.dropFirst()).flatMap { (above: [Double], row: [Double]) -> [Double] in
                zip(above, row).prefix(Self.period).map { (a: Double, b: Double) -> Double in 4 * a * b }
            }
            let mean = products.reduce(0, +) / Double(products.count)
            #expect(abs(mean) < 0.1, "sigma \(sigma)")
        }
    }

    /// A contour is a place where the local mean of the result deviates from the exact picture. A ramp that rises by one
    /// step in 64 pixels becomes a staircase if it is rounded. The staircase deviates from the ramp by up to half a step
    /// over a wide stretch. The local mean is the mean over an area so small that the eye cannot resolve it. Here such an
    /// area has 16 by 16 pixels.
    @Test("a slow ramp shows no contour, as it does when it is rounded", arguments: [0, 9] as [UInt32], Worker.wanted)
    func ramp(seed: UInt32, worker: Worker) throws {
        let renderer = try worker.renderer()
        // The blur turns the steps into a smooth ramp.
        let image = try TestImage.make(640, 64, PixelFormat(.rgb)) { x, _, _ in Double(60 + x / 64) / 255 }
        func miss(_ dither: Dither?) throws -> Double {
            let effect = try Self.effect(sigma: 32, brighter: 0, .u8, dither: dither)
            let exact = try renderer.exact(image, effect)
            let shown = SampleRows(try renderer.renderNow(image, effect).image)
            let errors = (0..<64).map { y in zip(shown[y], exact[y]).map { ($0 - $1) * 255 } }
            var worst = 0.0
            for top in stride(from: 0, through: 48, by: 8) {
                for left in stride(from: 0, through: 624, by: 4) {
                    for channel in 0..<3 {
                        let sum = (top..<top + 16).reduce(0) { sum, y in
                            sum + (left..<left + 16).reduce(0) { $0 + errors[y][3 * $1 + channel] }
                        }
                        worst = max(worst, abs(sum) / 256)
                    }
                }
            }
            return worst
        }
        // The bound has two parts: 1/16 of a step by the design of the dither, and five standard deviations of the mean of
        // 256 random bits. The standard deviation of this mean is at most 1/2 / 16.
        let bound = 1 / 16.0 + 5 / 32.0
        #expect(try miss(Dither(seed: seed)) <= bound)
        #expect(try miss(nil) > bound, "rounding would pass")
    }

    @Test("the offset is the same for all colours of a pixel, and alpha has none", arguments: Worker.wanted)
    func offsetIsTheSameForAllColors(worker: Worker) throws {
        let dither = Dither(seed: 3)
        let offsets = dither.offsets
        for format in Self.formats where format.channels.count >= 3 {
            for sigma in [0, 1.5, 12] {
                let steps = [50.0, 120, 201]
                let image = try Self.flat(worker, format, steps: steps, brighter: 26 / 64.0, sigma: sigma)
                var seen = [0, 0]
                for y in 0..<image.height {
                    for x in 0..<image.width {
                        let stored = format.channels == .bgra ? steps.reversed() : steps
                        let added = (0..<3).map { image[x, y, $0] - stored[$0] }
                        // The three colours have different rounding errors. If the sum of 26/64, the dither offset and
                        // one half is almost a whole step, these errors decide which way a colour is rounded. Pixels within
                        // 1.5/64 of this point are therefore skipped.
                        let offset = offsets[Int((UInt32(x) &+ dither.start(y: y)) % UInt32(Dither.period))]
                        guard abs(26 + Double(offset) + 0.5 - 64) > 1.5 else { continue }
                        #expect(added[0] == added[1] && added[0] == added[2], "\(x),\(y) of \(format)")
                        seen[added[0] == 0 ? 0 : 1] += 1
                        if format.channels.hasAlpha { #expect(image[x, y, 3] == format.sample.maximum) }
                    }
                }
                #expect(seen.allSatisfy { $0 > 100 }, "\(seen)")
            }
        }
    }

    @Test("grey stays grey, opaque stays opaque, and colours stay within alpha", arguments: Worker.wanted)
    func ditherKeepsGreyAndAlpha(worker: Worker) throws {
        let renderer = try worker.renderer()
        for name in ["light", "material-thin-dark", "gpuimage-gaussian", "gpuimage-ios"] {
            var effect = try EffectCatalog.effect(name).make()
            effect.outputStages.dither = Dither(seed: 5)
            let photograph = try TestImage.make(.photograph, 90, 61, PixelFormat(.grey))
            let grey = try TestImage.make(90, 61, PixelFormat(.rgba)) { x, y, channel in
                channel == 3 ? 1 : photograph[x, y, 0] / 255
            }
            let opaque = try renderer.renderNow(grey, effect).image
            for y in 0..<61 {
                for x in 0..<90 {
                    let pixel = (0..<4).map { opaque[x, y, $0] }
                    #expect(pixel[0] == pixel[1] && pixel[0] == pixel[2] && pixel[3] == 255, "\(name) \(x),\(y)")
                }
            }
            let soft = try TestImage.make(.softAlpha, 90, 61, PixelFormat(.rgba, alpha: .premultiplied))
            let dithered = try renderer.renderNow(soft, effect).image
            effect.outputStages.dither = nil
            let rounded = try renderer.renderNow(soft, effect).image
            for y in 0..<61 {
                for x in 0..<90 {
                    #expect(dithered[x, y, 3] == rounded[x, y, 3], "alpha of \(name) \(x),\(y)")
                    for c in 0..<3 { #expect(dithered[x, y, c] <= dithered[x, y, 3], "\(name) \(x),\(y)") }
                }
            }
        }
    }

    @Test("floats are not rounded, so they have no dither", arguments: Worker.wanted)
    func floats(worker: Worker) throws {
        let image = try TestImage.make(.photograph, 61, 43, PixelFormat(.rgba, .f32))
        let (with, without) = try (
            Self.effect(sigma: 3, brighter: 0, .f32, dither: Dither()),
            Self.effect(sigma: 3, brighter: 0, .f32, dither: nil)
        )
        let renderer = try worker.renderer()
        try expectIdentical(renderer.renderNow(image, with).image, renderer.renderNow(image, without).image)
    }
}
