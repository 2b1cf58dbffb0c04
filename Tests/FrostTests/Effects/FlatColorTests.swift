import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests that a flat colour stays flat where alpha is soft, although a reader multiplies by the rounded alpha.
struct FlatColorTests {
    private static let color = [200.0 / 255, 100.0 / 255, 37.0 / 255]

    /// Discs of the same colour, the inner one opaque.
    private static func disc(_ format: PixelFormat) throws -> PixelBuffer {
        try TestImage.make(90, 70, format) { x, y, c in
            if c < format.channels.count - 1 { return color[c] }
            let distance = Double((x - 45) * (x - 45) + (y - 35) * (y - 35)).squareRoot()
            return distance < 12 ? 1 : distance < 22 ? 0.4 : 0
        }
    }

    /// How far the colour of a pixel may be from the flat colour, in steps.
    ///
    /// The sums of colour and of alpha have errors besides those of the filter, which are the same in both: in fixed point at most
    /// those of the table in Accuracy.md, and on the GPU those of its textures. A quotient has them times `steps / alpha`.
    private static func tolerance(_ alpha: Double, _ format: PixelFormat) -> Double {
        let sums = format.sample.isEightBit ? 0.06 : 0.01
        return 0.5 + 2 * sums * format.sample.maximum / (alpha - 0.5)
    }

    @Test(
        "a flat colour keeps its steps in the soft rims of a disc",
        arguments: Backends.wanted(.cpu, .gpu) + [.exact])
    func staysFlat(backend: Backend) throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        for format in [PixelFormat(.rgba), PixelFormat(.bgra), PixelFormat(.greyAlpha), PixelFormat(.rgba, .u16)] {
            let (image, maximum) = (try Self.disc(format), format.sample.maximum)
            let flat = Samples.pixel(image, 45, 35) * maximum
            for sigma in [0.7, 1.6, 3, 9, 30] {
                var worst = 0.0
                let result = try renderer.blurNow(image, GaussianBlur(sigma: sigma, edge: .clear)).image
                for y in 0..<result.height {
                    for x in 0..<result.width {
                        let pixel = Samples.pixel(result, x, y) * maximum
                        guard pixel.w > 0 else { continue }
                        // The definition has no errors of sums.
                        let allowed = backend == .exact ? 0.5 : Self.tolerance(pixel.w, format)
                        for channel in 0..<3 { worst = max(worst, abs(pixel[channel] - flat[channel]) / allowed) }
                    }
                }
                #expect(worst <= 1, "\(format), sigma \(sigma), \(backend): \(worst) of what is allowed")
            }
        }
    }

    @Test("a division by the rounded alpha would not keep a flat colour")
    func comparator() throws {
        let renderer = try Renderer(backend: .exact)
        let format = PixelFormat(.rgba, .f32, alpha: .premultiplied)
        let result = try renderer.blurNow(Self.disc(format), GaussianBlur(sigma: 9, edge: .clear)).image
        #expect(result.format == format)
        var worst = 0.0
        for y in 0..<result.height {
            for x in 0..<result.width {
                let pixel = Samples.pixel(result, x, y) * 255
                let alpha = pixel.w.rounded()
                guard alpha > 0 else { continue }
                let color = min((255 * pixel.x / alpha).rounded(), 255)
                worst = max(worst, abs(color - 200) / Self.tolerance(alpha, PixelFormat(.rgba)))
            }
        }
        #expect(worst > 1)
    }

    @Test("a premultiplied colour comes back within half a step, and the straight one is the quotient within a step")
    func halfStep() {
        let few = Array(stride(from: 0.5, through: 12, by: 0.0625))
        for alpha in few + Array(stride(from: 120, through: 255, by: 3.4375)) {
            for part in stride(from: 0, through: 1, by: 1.0 / 64) {
                let color = alpha * part
                let written = UInt8(nearest: Float(alpha))
                guard written > 0 else { continue }
                let row = [Float(color), 0, 0, Float(alpha)]
                var pixel = [UInt8](repeating: 0, count: 4)
                // SAFETY: both arrays have the numbers of one pixel.
                unsafe RowConversion(format: PixelFormat(.rgba)).store(row, count: 1, into: &pixel)
                // See Straightening: 0.501 steps.
                let back = Double(pixel[0]) * Double(written) / 255
                #expect(pixel[3] == written && abs(back - color) <= 0.501 + 1e-4, "alpha \(alpha), colour \(color)")
                #expect(abs(Double(pixel[0]) - 255 * color / alpha) <= 1 + 1e-3, "alpha \(alpha), colour \(color)")
            }
        }
    }
}
