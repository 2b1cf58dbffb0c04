import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Laws of output stages in fixed point.
struct OutputStageTests {
    private static func render(_ effect: Effect, _ image: PixelBuffer) throws -> PixelBuffer {
        let plan = try effect.plan(extent: image.layout.extent)
        let cpu = CPUPlan(plan, source: image.format, target: image.format)
        #expect(cpu.arithmetic.outputStages != nil, "\(effect.name) does not use fixed point")
        var result = try TestImage.blank(image.layout.width, image.layout.height, image.format)
        let layout = result.layout
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                // SAFETY: both buffers have the sizes of their layouts and outlive the call.
                try unsafe CPUExecutor(threads: 1).execute(
                    plan, source: PixelSource(from, layout: image.layout), target: PixelTarget(to, layout: layout))
            }
        }
        return result
    }

    /// A blur of sigma 13 with the output stages of an effect, and dither.
    private static func effect(_ name: String) throws -> Effect {
        var stages = try EffectCatalog.effect(name).make().outputStages
        stages.dither = Dither(seed: 4)
        return Effect(
            name: name, blur: try GaussianBlur(sigma: 13, edge: .mirror), outputStages: stages)
    }

    @Test(
        "black and white stay what they are, dithered as well, and so does what is transparent",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.rgb)])
    func extremes(_ format: PixelFormat) throws {
        for value in [0.0, 1] {
            let image = try TestImage.make(250, 170, format) { x, _, channel in channel == 3 ? 1 : value }
            for saturation in [-1, 0.5, 1.8, 2, 3] {
                let effect = Effect(
                    name: "saturated", blur: try GaussianBlur(sigma: 13, edge: .mirror),
                    outputStages: OutputStages(inside: [.matrix(.saturation(saturation))], dither: Dither(seed: 4)))
                #expect(try Self.render(effect, image).bytes == image.bytes, "\(value), saturation \(saturation)")
                guard format.channels.hasAlpha else { continue }
                let clear = try TestImage.blank(250, 170, format)
                #expect(try Self.render(effect, clear).bytes == clear.bytes, "saturation \(saturation)")
            }
        }
    }

    @Test(
        "opaque pixels are the same whatever else is in their rows",
        arguments: [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba)])
    func opaque(_ format: PixelFormat) throws {
        let sides = try [0.0, 1].map { side in
            // The two images differ in the pixels on the right. In one of the images these pixels are transparent.
            try TestImage.make(330, 90, format) { x, y, channel in
                if channel == 3 { return x > 280 ? side : 1 }
                let tile = x / 41 + 3 * (y / 37)
                return [0b111, 0b000, 0b100, 0b010, 0b001, 0b110][tile % 6] & (1 << channel) == 0 ? 0.02 : 1
            }
        }
        for name in ["light", "dark", "7blur-coral", "gpuimage-ios", "material-thin-light", "material-chrome-dark"] {
            let rows = try sides.map { SampleRows(try Self.render(Self.effect(name), $0)) }
            // The blur does not carry the difference into the compared columns.
            for y in 0..<90 {
                #expect(rows[0][y].prefix(4 * 180) == rows[1][y].prefix(4 * 180), "\(name), row \(y)")
            }
        }
    }
}
