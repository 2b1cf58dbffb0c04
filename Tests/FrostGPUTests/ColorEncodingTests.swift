import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Glibc
import Testing

/// Tests sources and targets with colour encodings. The expected values come from ``ColorOracle``, in double precision.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ColorEncodingTests {
    private static let options = GPUOptions()
    private static let pq = Result { () throws(ParameterError) in try ColorEncoding(.pq, .bt2020) }
    private static let scRGB = Result { () throws(ParameterError) in try ColorEncoding(.scRGB) }

    private static func withExecutor(_ body: (HostExecutor, HostGL) throws -> Void) throws {
        try TestHost().perform { gl in
            let executor = try HostExecutor(options: options)
            try body(executor, gl)
            executor.destroy()
            #expect(gl.gl.getError() == GL.noError)
        }
    }

    /// Calls `body` for every encoding, with one executor, so that programs are compiled only once.
    private static func withEncodings(_ body: (ColorEncoding, HostExecutor, HostGL) throws -> Void) throws {
        try withExecutor { executor, gl in
            for encoding in ColorCase.encodings { try body(encoding, executor, gl) }
        }
    }

    // MARK: - The curves

    /// Returns what the shader makes of a row of numbers, in 32-bit floats.
    private static func converted(
        _ codes: [SIMD3<Double>], _ source: ColorEncoding, to encoding: ColorEncoding, _ executor: HostExecutor,
        _ gl: HostGL
    ) throws -> (stored: [SIMD3<Double>], made: [SIMD3<Double>]) {
        let surface = ColorSurface.rgba16F
        let pixels = surface.stored(codes.map { SIMD4($0, 1) })
        let name = surface.texture(codes.count, 1, pixels, in: gl)
        defer { gl.delete(textures: [name]) }
        let image = HostImage(
            HostTexture(name: name), width: codes.count, height: 1, format: PixelFormat(.rgb, .f16), encoding: source)
        var floats = [SIMD4<Float>](repeating: .zero, count: codes.count)
        try executor.perform { (pipeline, context) throws(GPUError) in
            let input = Execution.InputConversion(image, blurred: encoding, original: encoding)
            guard let input else { return }
            let target = try pipeline.converted(
                input, to: encoding, window: image.extent, Patience(seconds: 30, cancellation: nil), in: context)
            defer { pipeline.pool.giveBack(target) }
            let result: Result<Void, GLError> = unsafe floats.withUnsafeMutableBytes { memory in
                Result { () throws(GLError) in
                    // The pool's texture may be wider than the image.
                    try unsafe target.framebuffer.read(
                        columns: codes.count, rows: 0..<1, into: memory, in: context)
                }
            }
            try fromGL { () throws(GLError) in try result.get() }
        }
        func color(_ pixel: SIMD4<Double>) -> SIMD3<Double> { SIMD3(pixel.x, pixel.y, pixel.z) }
        return (pixels.map(color), floats.map { color(SIMD4<Double>($0)) })
    }

    /// Numbers over the whole range, with different numbers in the three channels.
    private static let codes = (0...512).map { i in
        let x = Double(i) / 512
        return SIMD3(x, 0.9 * x + 0.02, 1 - x)
    }

    @Test("decoding gives the light of the standards")
    func decoding() throws {
        try Self.withEncodings { encoding, executor, gl in
            let (stored, made) = try Self.converted(Self.codes, encoding, to: encoding.linear, executor, gl)
            let oracle = ColorOracle(encoding)
            for (code, light) in zip(stored, made) {
                let wanted = oracle.light(code)
                // 32-bit floats: two powers of up to 2^22, each with an error of some 2^-23 of its logarithm. Luminance
                // weights with six digits add 1e-6 to the light of HLG.
                for c in 0..<3 {
                    let distance = abs(light[c] * encoding.white - wanted[c])
                    #expect(distance <= 1e-5 * abs(wanted[c]) + 1e-7 * wanted.largest, "\(encoding), \(code)")
                }
            }
        }
    }

    @Test(
        "encoding gives the numbers of the standards, also for negative light and beyond 1")
    func encoding() throws {
        try Self.withEncodings { encoding, executor, gl in
            // Powers of two from 2^-14 to 2^6 of white, and negative numbers.
            let light = (0...400).map { i in
                let x = exp2(Double(i) / 20 - 14)
                return SIMD3(x, 0.3 * x, i % 3 == 0 ? -0.2 * x : 0.5 * x)
            }
            let (stored, made) = try Self.converted(light, encoding.linear, to: encoding, executor, gl)
            let oracle = ColorOracle(encoding)
            for (light, code) in zip(stored, made) {
                let wanted = oracle.code(light * encoding.white)
                for c in 0..<3 {
                    // A 500th of a step of 10 bits.
                    #expect(abs(code[c] - wanted[c]) <= 2e-6 * max(1, abs(wanted[c])), "\(encoding), \(light)")
                }
            }
        }
    }

    @Test("negative numbers stand for the negative of the light of positive ones") func symmetry() throws {
        try Self.withEncodings { encoding, executor, gl in
            let grey = (0...64).map { SIMD3<Double>(repeating: Double($0) / 32) }
            for (from, to) in [(encoding, encoding.linear), (encoding.linear, encoding)] {
                let positive = try Self.converted(Self.codes + grey, from, to: to, executor, gl).made
                let negative = try Self.converted((Self.codes + grey).map { -$0 }, from, to: to, executor, gl).made
                #expect(negative == positive.map { -$0 }, "\(from) to \(to)")
                #expect(positive.contains { $0.y > 0.1 })
            }
        }
    }

    @Test("changing an encoding and back keeps every number")
    func roundTrips() throws {
        try Self.withEncodings { encoding, executor, gl in
            for surface in ColorSurface.allCases {
                var test = ColorCase(
                    source: encoding, sourceSurface: surface, target: encoding, targetSurface: surface, sigma: 0,
                    isLinear: true)
                // The pixels outside a clip rectangle show the original, through light and back.
                let clip = OutputStages(clip: [try RoundedRect(x: 100, y: 100, width: 5, height: 5, radius: 0)])
                for alpha in [AlphaMode.straight, .premultiplied] {
                    test.alpha = alpha
                    var effect = Effect(
                        name: "clipped", blur: try GaussianBlur(sigma: 3), outputStages: clip)
                    effect.decoding = .sRGB
                    let made = try test.draw(executor, gl, effect: effect).pixels
                    for (before, after) in zip(test.picture(), made) {
                        let distance = (0..<4).reduce(0) { max($0, abs(before[$1] - after[$1])) }
                        // Floats may move to a neighbouring number.
                        let allowed = surface == .rgba16F ? 2 * surface.rounding(at: 1) : 1e-6
                        #expect(distance <= allowed, "\(test.description), \(before) became \(after)")
                    }
                }
            }
        }
    }

    // MARK: - Blurs

    private static func check(_ test: ColorCase, _ executor: HostExecutor, _ gl: HostGL) throws {
        let (pixels, bound) = try test.draw(executor, gl)
        let excess = test.excess(pixels, bound)
        #expect(excess <= 1, "\(test.description): \(excess) of the bound")
    }

    @Test("numbers and light are blurred within the bound")
    func blurs() throws {
        try Self.withEncodings { encoding, executor, gl in
            for surface in ColorSurface.allCases {
                for isLinear in [false, true] {
                    for sigma in surface == .rgb10A2 ? [2.0, 7] : [2.0] {
                        try Self.check(
                            ColorCase(
                                source: encoding, sourceSurface: surface, target: encoding, targetSurface: surface,
                                sigma: sigma, isLinear: isLinear, alpha: surface == .rgba8 ? .straight : .premultiplied,
                                rises: surface == .rgb10A2,
                                transforms: surface == .rgba8 ? (.turned90, .flipped) : (.normal, .normal)), executor,
                            gl)
                    }
                }
            }
        }
    }

    @Test("results are converted to the target's encoding")
    func conversions() throws {
        try Self.withEncodings { encoding, executor, gl in
            let targets: [(ColorEncoding, ColorSurface)] = [
                (.sRGB, .rgba8), (try Self.pq.get(), .rgb10A2), (try Self.scRGB.get(), .rgba16F),
                (try ColorEncoding(.hlg, .bt2020), .rgb10A2),
                (try ColorEncoding(.sRGB, .displayP3, white: 100), .rgba8),
            ]
            for (target, surface) in targets {
                for isLinear in [false, true] {
                    try Self.check(
                        ColorCase(
                            source: encoding, target: target, targetSurface: surface, isLinear: isLinear,
                            transforms: isLinear ? (.flipped270, .turned90) : (.normal, .flipped90)), executor, gl)
                }
            }
        }
    }

    @Test("the comparison detects a wrong curve, wrong primaries, a wrong white and a wrong space")
    func comparator() throws {
        try Self.withExecutor { executor, gl in
            let right = ColorCase(
                source: try Self.pq.get(), target: try Self.pq.get(), targetSurface: .rgb10A2, isLinear: true)
            let (pixels, bound) = try right.draw(executor, gl)
            #expect(right.excess(pixels, bound) <= 1)
            var wrong = right
            wrong.target = try ColorEncoding(.hlg, .bt2020)
            #expect(wrong.excess(pixels, bound) > 10)
            wrong = right
            wrong.target = try ColorEncoding(.pq, .displayP3)
            #expect(wrong.excess(pixels, bound) > 10)
            wrong = right
            wrong.isLinear = false
            #expect(wrong.excess(pixels, bound) > 10)
            var white = ColorCase(source: .sRGB, target: try Self.pq.get(), targetSurface: .rgb10A2)
            let lit = try white.draw(executor, gl)
            #expect(white.excess(lit.pixels, lit.bound) <= 1)
            white.source = try ColorEncoding(.sRGB, white: 190)
            #expect(white.excess(lit.pixels, lit.bound) > 10)
        }
    }

    /// The numbers of scRGB are light. So an effect draws the same whether it blurs numbers, which are read directly,
    /// or light, for which the source is converted first.
    @Test("every kind of blur draws converted sources") func kinds() throws {
        let clip = OutputStages(clip: [try RoundedRect(x: 5, y: 4, width: 30, height: 20, radius: 6)])
        let band = Mask.band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3))
        let effects = [
            Effect(name: "disc", blur: try DiscBlur(radius: 4), outputStages: clip),
            Effect(name: "variable", blur: try VariableBlur(sigma: 5, mask: band)),
            Effect(
                name: "masked", blur: try GaussianBlur(sigma: 6), outputStages: OutputStages(mask: band)),
            Effect(try GaussianBlur(sigma: 6, edge: .mirror)),
        ]
        try Self.withExecutor { executor, gl in
            let test = ColorCase(source: try Self.scRGB.get(), target: try Self.pq.get())
            for var effect in effects {
                let numbers = try test.draw(executor, gl, effect: effect).pixels
                effect.decoding = .sRGB
                let light = try test.draw(executor, gl, effect: effect).pixels
                let distance = zip(numbers, light).reduce(0) { most, pair in
                    (0..<4).reduce(most) { max($0, abs(pair.0[$1] - pair.1[$1])) }
                }
                // Both are rounded to 11 bits. The plans have different bounds, of at most 2.5/65535 of 80 nits.
                #expect(distance <= 0.002, "\(effect.name): \(distance)")
                #expect(numbers.contains { $0.x > 0.1 } && Set(numbers.map(\.x)).count > 100)
            }
        }
    }

    // MARK: - Output stages

    /// An SDR picture gets the same colours from an effect whether it is described as sRGB or as PQ.
    @Test("colour stages and content see sRGB colours", arguments: [false, true])
    func stages(_ isLinear: Bool) throws {
        try Self.withExecutor { executor, gl in
            var effect = Effect(
                name: "colored", blur: try GaussianBlur(sigma: 3),
                outputStages: OutputStages(
                    inside: [.matrix(.saturation(1.5))], mask: .band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3)),
                    over: [.matrix(.brightness(0.05))]))
            if isLinear { effect.decoding = .sRGB }
            let size = (ColorCase.width, ColorCase.height)
            let noise = SeededNoise(seed: 4)
            let picture = ColorSurface.rgba16F.stored(
                (0..<size.0 * size.1).map { i in
                    SIMD4(noise.value(i, 0, 0), noise.value(i, 0, 1), noise.value(i, 0, 2), 1)
                })
            func draw(_ pixels: [SIMD4<Double>], _ encoding: ColorEncoding) throws -> [SIMD4<Double>] {
                let surface = ColorSurface.rgba16F
                let names = [pixels, nil].map { surface.texture(size.0, size.1, $0, in: gl) }
                defer { gl.delete(textures: names) }
                let format = PixelFormat(.rgba, .f16, alpha: .premultiplied)
                try executor.execute(
                    effect.plan(extent: ColorCase.extent, accuracy: .sixteenBit),
                    source: HostImage(
                        HostTexture(name: names[0]), width: size.0, height: size.1, format: format, encoding: encoding),
                    target: HostTarget(
                        .texture(names[1]), width: size.0, height: size.1, format: format, encoding: encoding))
                return surface.pixels(names[1], size.0, size.1, in: gl)
            }
            let pq = try Self.pq.get()
            func inPQ(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
                SIMD4(ColorOracle(.sRGB).code(SIMD3(pixel.x, pixel.y, pixel.z), in: pq), pixel.w)
            }
            let (wanted, made) = (try draw(picture, .sRGB).map(inPQ), try draw(picture.map(inPQ), pq))
            var worst = 0.0
            for (a, b) in zip(wanted, made) { worst = max(worst, (0..<4).reduce(0) { max($0, abs(a[$1] - b[$1])) }) }
            // PQ numbers of 11 bits, and sRGB numbers of 11 bits, are rounded on the way.
            #expect(worst < 0.003)
            // An effect that saw PQ numbers would brighten and saturate far more.
            let naive = try draw(picture.map(inPQ), .sRGB)
            #expect(zip(wanted, naive).contains { abs($0.x - $1.x) > 0.03 })
        }
    }

    /// Masks and clips of effects in linear light mix sRGB numbers, whether or not colours are converted on the way.
    @Test("masks and clips mix sRGB numbers of every target") func mixtures() throws {
        let band = Mask.band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3))
        let clip = [try RoundedRect(x: 5.5, y: 4.5, width: 30, height: 20, radius: 6)]
        try Self.withExecutor { executor, gl in
            for stages in [OutputStages(mask: band), OutputStages(clip: clip)] {
                var effect = Effect(
                    name: "mixed", blur: try GaussianBlur(sigma: 3), outputStages: stages)
                effect.decoding = .sRGB
                func draw(_ encoding: ColorEncoding, _ surface: ColorSurface) throws -> [SIMD4<Double>] {
                    // Black and white stripes, whose mixtures in light are far from those of numbers.
                    let (width, height) = (ColorCase.width, ColorCase.height)
                    let pixels = (0..<width * height).map { i in
                        SIMD4(SIMD3<Double>(repeating: i % width / 8 % 2 == 0 ? 0 : 1), 1)
                    }
                    let names = [
                        ColorSurface.rgba8.texture(width, height, pixels, in: gl),
                        surface.texture(width, height, nil, in: gl),
                    ]
                    defer { gl.delete(textures: names) }
                    try executor.execute(
                        effect.plan(extent: ColorCase.extent, accuracy: .sixteenBit),
                        source: HostImage(
                            HostTexture(name: names[0]), width: width, height: height, format: PixelFormat(.rgb),
                            encoding: encoding),
                        target: HostTarget(
                            .texture(names[1]), width: width, height: height, format: PixelFormat(.rgb),
                            encoding: encoding, depth: surface.depth))
                    return surface.pixels(names[1], width, height, in: gl)
                }
                func distance(_ a: [SIMD4<Double>], _ b: [SIMD4<Double>]) -> Double {
                    zip(a, b).reduce(0) { most, pair in
                        (0..<3).reduce(most) { max($0, abs(pair.0[$1] - pair.1[$1])) }
                    }
                }
                let wanted = try draw(.sRGB, .rgba8)
                // Half a step of 8 bits, half a step of 10 bits, and the bounds of the two plans.
                #expect(try distance(draw(.sRGB, .rgb10A2), wanted) < 0.5 / 255 + 0.5 / 1023 + 0.0001)
                // Half a step of each result.
                #expect(try distance(draw(ColorEncoding(.sRGB, white: 100), .rgba8), wanted) < 1.01 / 255)
                // The numbers of gamma 2.2 differ from sRGB numbers by less than 0.03. There, light is mixed.
                #expect(try distance(draw(ColorEncoding(.gamma22), .rgba8), wanted) > 0.06)
            }
        }
    }

    // MARK: - Alpha

    /// Premultiplied colour may be brighter than alpha. Compositors add such colour to what lies below.
    @Test("10-bit targets keep additive colour") func additive() throws {
        try Self.withExecutor { executor, gl in
            let (width, height) = (8, 1)
            let pixels: [SIMD4<Double>] = [[0.5, 0.25, 1, 0], [0.75, 0.5, 0.125, 1.0 / 3], [0.5, 0.25, 0, 1]]
            func draw(_ pixel: SIMD4<Double>, isDithered: Bool, to encoding: ColorEncoding) throws -> [SIMD4<Double>] {
                let names = [
                    ColorSurface.rgba16F.texture(
                        width, height, [SIMD4<Double>](repeating: pixel, count: width * height), in: gl),
                    ColorSurface.rgb10A2.texture(width, height, nil, in: gl),
                ]
                defer { gl.delete(textures: names) }
                let effect = Effect(
                    name: "added", blur: try GaussianBlur(sigma: 2),
                    outputStages: OutputStages(dither: isDithered ? Dither(seed: 5) : nil))
                let extent = Rect(x: 0, y: 0, width: width, height: height)
                try executor.execute(
                    effect.plan(extent: extent, accuracy: .sixteenBit),
                    source: HostImage(
                        HostTexture(name: names[0]), width: width, height: height,
                        format: PixelFormat(.rgba, .f16, alpha: .premultiplied)),
                    target: HostTarget(
                        .texture(names[1]), width: width, height: height,
                        format: PixelFormat(.rgba, alpha: .premultiplied), encoding: encoding, depth: .ten))
                return ColorSurface.rgb10A2.pixels(names[1], width, height, in: gl)
            }
            // Half a step. The source's alpha of 1/3 has 11 bits, and colour is scaled with it.
            let tolerance: Double = 0.5 / 1023 + 0.0005
            for pixel in pixels {
                for made in try draw(pixel, isDithered: false, to: .sRGB) {
                    for c in 0..<3 { #expect(abs(made[c] - pixel[c]) < tolerance, "\(pixel): \(made)") }
                    #expect(abs(made.w - pixel.w) < 1e-6)
                }
                // Dither must not lift colour above alpha. Converted colour is straight colour of 0...1 times alpha.
                var limited = try draw(pixel, isDithered: true, to: .sRGB)
                limited += try draw(pixel, isDithered: false, to: Self.pq.get())
                for made in limited { #expect(max(made.x, made.y, made.z) <= made.w + 1e-6) }
            }
        }
    }

    // MARK: - Dither

    @Test("dither to 1023 steps is unbiased and moves no colour by a step", arguments: [false, true])
    func dither(_ isLinear: Bool) throws {
        try Self.withExecutor { executor, gl in
            let pq = try Self.pq.get()
            let (width, height) = (256, 64)
            for part in [0.25, 0.5, 0.75] {
                // A flat colour between two steps of 10 bits.
                let code = (500 + part) / 1023
                let pixels = [SIMD4<Double>](repeating: SIMD4(code, code, code, 1), count: width * height)
                let stored = ColorSurface.rgba16F.stored([pixels[0]])[0].x * 1023
                let from = ColorSurface.rgba16F.texture(width, height, pixels, in: gl)
                let to = ColorSurface.rgb10A2.texture(width, height, nil, in: gl)
                defer { gl.delete(textures: [from, to]) }
                var effect = Effect(
                    name: "dithered", blur: try GaussianBlur(sigma: 2),
                    outputStages: OutputStages(dither: Dither(seed: 5)))
                if isLinear { effect.decoding = .sRGB }
                let extent = Rect(x: 0, y: 0, width: width, height: height)
                try executor.execute(
                    effect.plan(extent: extent, accuracy: .sixteenBit),
                    source: HostImage(
                        HostTexture(name: from), width: width, height: height, format: PixelFormat(.rgb, .f16),
                        encoding: pq),
                    target: HostTarget(
                        .texture(to), width: width, height: height, format: PixelFormat(.rgb), encoding: pq, depth: .ten
                    ))
                let made = ColorSurface.rgb10A2.pixels(to, width, height, in: gl).map { $0.x * 1023 }
                #expect(made.allSatisfy { abs($0 - stored) < 1 })
                #expect(Set(made.map { $0.rounded() }).count == 2)
                // 256 different offsets, each in 64 rows: the mean of the offsets is 0 within 0.03 of a step. See
                // DitherTests for the laws of the offsets.
                let mean = made.reduce(0, +) / Double(made.count)
                #expect(abs(mean - stored) < 0.04, "\(stored), mean \(mean)")
                // Without dither the mean is a whole step.
                #expect(abs(stored.rounded() - stored) > 0.1)
            }
        }
    }

    // MARK: - Panels

    /// Panels draw from a kept image. Only masks and clips still show the source.
    @Test("panels convert the source only to the encoding that masks and clips show") func panelConversions() throws {
        try Self.withExecutor { executor, gl in
            let format = PixelFormat(.rgb, .f16)
            let (width, height) = (400, 300)
            let (name, texture) = (HostTexture(name: 1), HostSurface.texture(2))
            let image = HostImage(name, width: width, height: height, format: format, encoding: try Self.pq.get())
            let target = HostTarget(
                texture, width: width, height: height, format: format, encoding: try Self.scRGB.get())
            let clip = [try RoundedRect(x: 90, y: 80, width: 200, height: 150, radius: 20)]
            let saturation = [ColorStage.matrix(.saturation(1.5))]
            // The result is converted for the target in every case.
            let cases: [(stages: OutputStages, isLinear: Bool, wanted: Int, whole: Int)] = [
                (OutputStages(), true, 1, 2), (OutputStages(inside: saturation), true, 1, 2),
                (OutputStages(inside: saturation, clip: clip), true, 2, 3),
                // The original has the numbers that are blurred.
                (OutputStages(clip: clip), true, 2, 2),
            ]
            for test in cases {
                var effect = Effect(
                    name: "panel", blur: try GaussianBlur(sigma: 12), outputStages: test.stages)
                if test.isLinear { effect.decoding = .sRGB }
                let plan = try effect.plan(
                    extent: Rect(x: 0, y: 0, width: width, height: height), accuracy: .sixteenBit)
                let level = try #require(HostLevel(plan, from: image, to: target, on: executor))
                let work = try level.drawing(plan, source: image, mask: nil, target: target).execution
                #expect(work.conversions.count == test.wanted, "\(test)")
                #expect(try executor.execution(plan, image, nil, target).conversions.count == test.whole, "\(test)")
            }
        }
    }

    // MARK: - The host

    @Test("the host's state and error flag are untouched, and no GL object is created after the first frames")
    func state() throws {
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: Self.options)
            let (width, height) = (ColorCase.width, ColorCase.height)
            let from = ColorSurface.rgba16F.texture(width, height, nil, in: gl)
            let to = ColorSurface.rgb10A2.texture(width, height, nil, in: gl)
            let others = (0..<6).map { _ in gl.texture(8, 8, nil) }
            gl.disturb(textures: others, framebuffer: gl.framebuffer(others[0]))
            let before = gl.state()
            var effect = Effect(try GaussianBlur(sigma: 3))
            effect.decoding = .sRGB
            let plan = try effect.plan(extent: ColorCase.extent, accuracy: .sixteenBit)
            let image = HostImage(
                HostTexture(name: from), width: width, height: height, format: PixelFormat(.rgba, .f16),
                encoding: try Self.scRGB.get())
            let target = HostTarget(
                .texture(to), width: width, height: height, format: PixelFormat(.rgba), encoding: try Self.pq.get(),
                depth: .ten)
            try executor.prepare(plan, source: image, target: target)
            let compiled = executor.statistics.programsCompiled
            #expect(compiled > 2)
            var created = 0
            for frame in 0..<20 {
                try executor.execute(plan, source: image, target: target)
                #expect(gl.gl.getError() == GL.noError)
                #expect(zip(before, gl.state()).filter { $0 != $1 }.map { "\($0) became \($1)" } == [])
                if frame == 2 { created = executor.statistics.objects.created }
            }
            #expect(executor.statistics.objects.created == created && created > 0)
            #expect(executor.statistics.programsCompiled == compiled, "prepare() compiles the conversions")
            executor.destroy()
        }
    }

    @Test("unusable descriptions are errors that name the value") func errors() throws {
        #expect(throws: ParameterError.outOfRange(parameter: "white", value: 0, allowed: ColorEncoding.whiteRange)) {
            try ColorEncoding(.pq, .bt2020, white: 0)
        }
        #expect(throws: ParameterError.malformed(parameter: "primaries of scRGB", value: "bt2020", expected: "bt709")) {
            try ColorEncoding(.scRGB, .bt2020)
        }
        try Self.withExecutor { executor, gl in
            let (width, height) = (ColorCase.width, ColorCase.height)
            let plan = try Effect(GaussianBlur(sigma: 2)).plan(extent: ColorCase.extent)
            let from = ColorSurface.rgba8.texture(width, height, nil, in: gl)
            let image = HostImage(HostTexture(name: from), width: width, height: height, format: PixelFormat(.rgba))
            func fault(_ surface: ColorSurface) throws -> SurfaceFault.Reason? {
                let name = surface.texture(width, height, nil, in: gl)
                defer { gl.delete(textures: [name]) }
                let target = HostTarget(
                    .texture(name), width: width, height: height, format: PixelFormat(.rgba, surface.sample),
                    depth: .ten)
                do throws(GPUError) {
                    try executor.execute(plan, source: image, target: target)
                } catch .surface(let fault) {
                    return fault.reason
                }
                return nil
            }
            #expect(try fault(.rgba8) == .notTenBits(bits: 8))
            #expect(try fault(.rgba16F) == .floatsOfTenBits)
            #expect(try fault(.rgb10A2) == nil)
            // A device that cannot render to 32-bit floats.
            let poor = try HostExecutor(options: GPUOptions(allowedFormats: [.rgba8, .rgba16, .rgba16F]))
            let test = ColorCase(source: .sRGB, target: try Self.pq.get())
            #expect {
                try test.draw(poor, gl)
            } throws: {
                guard case GPUError.unsupportedFormat = $0 else { return false }
                return true
            }
            poor.destroy()
        }
    }
}
