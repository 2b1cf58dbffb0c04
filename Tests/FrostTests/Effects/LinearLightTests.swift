import FrostExact
import FrostCore
import FrostTestSupport
import Glibc
import Testing
@testable import Frost

/// Tests blurs that are computed in linear light instead of in encoded values, on every backend.
struct LinearLightTests {
    /// Converts an sRGB value to linear light by the formula of IEC 61966-2-1.
    static func light(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    static func code(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// Applies a curve to the colours of premultiplied pixels. The colours are divided by alpha for this purpose.
    static func map(_ rows: SampleRows, _ curve: @escaping (Double) -> Double) -> SampleRows {
        let rows = rows.expanded(to: .rgba)
        return SampleRows(width: rows.width, height: rows.height, channels: .rgba) { y in
            let row = rows[y]
            return row.indices.map { i in
                let alpha = row[i | 3]
                return i & 3 == 3 || alpha == 0 ? row[i] : curve(row[i] / alpha) * alpha
            }
        }
    }

    /// Returns the image converted to linear light. The samples of the result are floats.
    static func inLight(_ image: PixelBuffer) throws -> PixelBuffer {
        // A row is computed each time it is read, and `make` reads it for each of its samples.
        let lazy = map(SampleRows(image), light)
        let rows = (0..<image.height).map { lazy[$0] }
        return try TestImage.make(image.width, image.height, PixelFormat(.rgba, .f32, alpha: .premultiplied)) {
            let row = rows[$1]
            // The colour is divided by alpha, because `make` multiplies it by alpha.
            let alpha = row[4 * $0 + 3]
            return $2 == 3 ? alpha : alpha > 0 ? row[4 * $0 + $2] / alpha : 0
        }
    }

    static func expected(_ blur: GaussianBlur, _ image: PixelBuffer) throws -> SampleRows {
        map(try Blurring.exact(blur, inLight(image)).rows, code)
    }

    @Test(
        "within the promise of the definition", arguments: Worker.wanted,
        [
            PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.bgra, alpha: .premultiplied), PixelFormat(.greyAlpha),
            PixelFormat(.rgba, .u16),
        ])
    func accuracy(_ worker: Worker, _ format: PixelFormat) throws {
        let renderer = try worker.renderer()
        for (sigma, edge) in [(0.8, EdgeMode.clamp), (5, .mirror), (25, .repeat)] {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            var effect = Effect(blur)
            effect.decoding = .sRGB
            for picture in [Picture.screenshot, .binaryNoise, .softAlpha] {
                let image = try TestImage.make(picture, 83, 61, format)
                let expected = try Self.expected(blur, image)
                let result = SampleRows(try renderer.renderNow(image, effect).image).expanded(to: .rgba)
                try expectClose(result, expected, within: .promise(format.sample), "sigma \(sigma), \(picture)")
                // The exact result is the same whichever backend is tested, so only the case for the CPU checks it.
                if worker == .cpu {
                    let exact = try renderer.exact(image, effect).expanded(to: .rgba)
                    // Between the two curves, the linear light is stored in floats. The tolerance allows the rounding of
                    // these floats.
                    #expect(try Comparison(exact, expected).maximum < 0.001)
                }
                if picture == .binaryNoise {
                    // A blur of the encoded values must give a clearly different result.
                    let plain = SampleRows(try renderer.renderNow(image, Effect(blur)).image).expanded(to: .rgba)
                    #expect(try Comparison(plain, expected).maximum > 20)
                }
            }
        }
    }

    /// The light of these pictures lies between that of -0.5 and that of 4. The promise for floats is a part of this distance.
    @Test(
        "floats outside 0 to 1 continue the curve", arguments: Worker.wanted,
        [
            PixelFormat(.rgb, .f32), PixelFormat(.grey, .f32), PixelFormat(.rgba, .f32), PixelFormat(.rgba, .f16),
            PixelFormat(.rgba, .f32, alpha: .premultiplied),
        ])
    func floats(_ worker: Worker, _ format: PixelFormat) throws {
        let renderer = try worker.renderer()
        let range = Self.light(4) - Self.light(-0.5)
        var generator = SeededGenerator(seed: 9)
        let image = try TestImage.make(53, 41, format) { _, _, c in
            c == 3 ? 0.2 + 0.8 * generator.unit() : 4.5 * generator.unit() - 0.5
        }
        for (sigma, edge) in [(0.8, EdgeMode.clamp), (4, .mirror)] {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            var effect = Effect(blur)
            effect.decoding = .sRGB
            let expected = try Self.expected(blur, image)
            let found = SampleRows(try renderer.renderNow(image, effect).image).expanded(to: .rgba)
            let exact = try renderer.exact(image, effect).expanded(to: .rgba)
            var (largest, worst) = (0.0, 0.0)
            for y in 0..<41 {
                let (wanted, row, defined) = (expected[y], found[y], exact[y])
                for i in wanted.indices {
                    largest = max(largest, wanted[i])
                    let rounding = format.sample == .f16 ? 2 * abs(wanted[i]) / 2048 : 0
                    worst = max(worst, abs(row[i] - wanted[i]) - rounding)
                    if abs(defined[i] - wanted[i]) > 1e-5 { Issue.record("\(y), \(i): \(defined[i]), \(wanted[i])") }
                }
            }
            #expect(worst < 4.0 / 65535 * range, "sigma \(sigma): \(worst)")
            // Clamped light would be far from this.
            #expect(largest > 1.5)
        }
        var effect = Effect(try GaussianBlur(sigma: 3))
        effect.decoding = .sRGB
        for value in [-0.5, 4, 1000] {
            let flat = try TestImage.make(21, 17, format) { _, _, c in c == 3 ? 1 : value }
            let row = SampleRows(try renderer.renderNow(flat, effect).image).expanded(to: .rgb)[8]
            #expect(row.allSatisfy { abs($0 - value) < 1e-5 * abs(value) }, "\(value): \(row[0])")
        }
    }

    @Test("NaN and infinity stay what they are, near their pixels only", arguments: Worker.wanted)
    func numbersThatAreNone(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        var effect = Effect(try GaussianBlur(sigma: 1))
        effect.decoding = .sRGB
        for value in [Double.nan, .infinity] {
            let image = try TestImage.make(64, 9, PixelFormat(.rgb, .f32)) { x, y, c in
                x == 5 && y == 4 && c == 1 ? value : 0.25
            }
            let row = SampleRows(try renderer.renderNow(image, effect).image)[4]
            #expect(value.isNaN ? row[16].isNaN : row[16] == value, "\(row[16])")
            #expect(abs(row[15] - 0.25) < 1e-5 && row[40 * 3..<64 * 3].allSatisfy { abs($0 - 0.25) < 1e-5 })
        }
    }

    /// With a large sigma, levels of the blur share decimated images.
    @Test("a variable blur is within the promise of its definition", arguments: Worker.wanted, [3.0, 20])
    func variable(_ worker: Worker, sigma: Double) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.binaryNoise, 97, 61)
        let mask = MaskImage(try TestImage.make(.uniformNoise, 9, 7, PixelFormat(.grey)))
        var effect = try VariableTests.effect(sigma, .image)
        effect.decoding = .sRGB
        try expectClose(
            SampleRows(renderer.renderNow(image, effect, mask: mask).image), renderer.exact(image, effect, mask: mask),
            within: .promise8, "sigma \(sigma)")
    }

    @Test("output stages work on encoded numbers: colour stages, masks and the original", arguments: Worker.wanted)
    func outputStages(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.photograph, 97, 61)
        let blur = try GaussianBlur(sigma: 6)
        var effect = Effect(name: "test", blur: blur)
        effect.decoding = .sRGB
        effect.outputStages.over = [.matrix(.brightness(0.1))]
        effect.outputStages.clip = OutputStagesTests.rounded
        let blurred = try Self.expected(blur, image)
        let original = SampleRows(image).expanded(to: .rgba)
        let expected = SampleRows(width: 97, height: 61, channels: .rgba) { y in
            let (inside, outside) = (blurred[y], original[y])
            return inside.indices.map { i in
                let alpha = inside[i | 3]
                let value = i & 3 == 3 ? alpha : min(inside[i] + 0.1 * alpha, alpha)
                let part = min(1, OutputStagesTests.rounded.reduce(0) { $0 + $1.coverage(i / 4, y) })
                return outside[i] * (1 - part) + value * part
            }
        }
        try expectClose(
            SampleRows(try renderer.renderNow(image, effect).image).expanded(to: .rgba), expected, within: .promise8)
    }

    @Test(
        "a flat colour stays the same to the byte, and so does a picture that is not blurred", arguments: Worker.wanted)
    func flatColorStaysTheSame(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        for curve in [TransferFunction.sRGB, try .gamma(2.2), try .gamma(1.8)] {
            for value in stride(from: 0, through: 255, by: worker == .cpu ? 1 : 17) {
                let image = try TestImage.make(9, 5, PixelFormat(.rgb)) { _, _, c in Double((value + 5 * c) % 256) / 255
                }
                var effect = Effect(try GaussianBlur(sigma: 3))
                effect.decoding = curve
                try expectIdentical(try renderer.renderNow(image, effect).image, image, "\(value)")
            }
            let image = try TestImage.make(.uniformNoise, 33, 21)
            var effect = Effect(try GaussianBlur(sigma: 0))
            effect.decoding = curve
            try expectIdentical(try renderer.renderNow(image, effect).image, image)
        }
    }

    @Test("transfer functions: both ways cancel, they rise without a jump, and they are steepest at black")
    func curves() throws {
        for curve in [TransferFunction.sRGB, try .gamma(1), try .gamma(1.8), try .gamma(2.2), try .gamma(4)] {
            var last = 0.0
            for i in 0...10000 {
                let light = Double(i) / 10000
                let code = curve.encode(light)
                #expect(abs(curve.decode(code) - light) < 1e-7)
                #expect(code - last <= curve.slope / 10000 * 1.001 && (i == 0 || code > last))
                last = code
            }
            #expect(abs(last - 1) < 1e-12 && curve.encode(0) == 0)
        }
        #expect(throws: ParameterError.self) { try TransferFunction.gamma(0.5) }
        #expect(throws: ParameterError.self) { try TransferFunction.gamma(.nan) }
        #expect(try ColorSpace.linear.transfer() == nil && ColorSpace.unspecified.transfer() == .sRGB)
        #expect(try ColorSpace.gamma(exponent: 2.2).transfer() == .gamma(2.2))
        #expect(throws: ParameterError.self) { try ColorSpace.gamma(exponent: 9).transfer() }
    }

    @Test("an error in light grows by at most the documented factor")
    func amplification() throws {
        for curve in [TransferFunction.sRGB, try .gamma(2.2)] {
            var worst = 0.0
            for i in 0...400 {
                for alpha in [0.01, 0.3, 1] {
                    let light = SIMD4(repeating: Double(i * i) / 160000) * alpha
                    let color = SIMD4(light.x, light.y, light.z, alpha)
                    let exact = curve.encode(color)
                    let e = 1e-6
                    for change in [SIMD4(e, e, e, e), SIMD4(-e, -e, -e, e), SIMD4(e, e, e, -e)] {
                        let found = curve.encode(color + change)
                        worst = max(worst, abs(found.x - exact.x) / e)
                    }
                }
            }
            #expect(worst <= curve.amplification + 0.01 && worst > 0.9 * curve.amplification)
        }
    }
}
