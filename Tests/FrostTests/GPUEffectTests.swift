@testable import Frost
import FrostCore
import FrostGPU
import FrostImages
import FrostTestSupport
import Testing

/// Compares effects on the GPU with their definition. The definition is computed in Double, and uses neither plans nor
/// shaders.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct GPUEffectTests {
    enum Subject: String, CaseIterable {
        case photograph, screenshot, softAlpha, premultiplied, odd, tiny

        func image() throws -> PixelBuffer {
            switch self {
            case .photograph:
                let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
                let photo = try PNG.read(path: "/" + folder + "/Samples/photo.png").pixels
                return try photo.cropped(to: Rect(x: photo.width / 3, y: photo.height / 3, width: 180, height: 120))
            case .screenshot: return try TestImage.make(.screenshot, 170, 110, PixelFormat(.rgb))
            case .softAlpha: return try TestImage.make(.softAlpha, 120, 90)
            case .premultiplied:
                return try TestImage.make(.softAlpha, 75, 60, PixelFormat(.bgra, alpha: .premultiplied))
            case .odd: return try TestImage.make(.uniformNoise, 61, 3, PixelFormat(.greyAlpha))
            case .tiny: return try TestImage.make(.uniformNoise, 1, 1, PixelFormat(.grey))
            }
        }
    }

    /// Without dither, every effect keeps the guaranteed error.
    @Test(arguments: EffectCatalog.all.map(\.name)) func withinAStep(name: String) throws {
        var effect = try EffectCatalog.effect(name).make().keyed(for: .frames)
        effect.outputStages.dither = nil
        let mask = effect.mask == .image ? try Self.mask() : nil
        for subject in Subject.allCases {
            let image = try subject.image()
            let exact = try TestGPU.renderer().exact(image, effect, mask: mask)
            let result = try TestGPU.renderer().renderNow(image, effect, mask: mask)
            #expect(result.report.backend == .gpu)
            #expect(result.report.warning == nil)
            #expect(result.image.format == effect.outputFormat(for: image.format))
            try expectClose(SampleRows(result.image), exact, within: .promise8, "\(name), \(subject)")
        }
    }

    /// Returns an effect that uses all output stages.
    static func everything(sigma: Double = 6, dither: Dither? = nil, edge: EdgeMode = .mirror) throws -> Effect {
        let curve = LuminanceCurve(values: SIMD4(0.45, 0.55, 0.65, 0.68), amount: 0.5)
        return Effect(
            name: "everything", blur: try GaussianBlur(sigma: sigma, edge: edge),
            outputStages: OutputStages(
                inside: [
                    .matrix(.saturation(1.8)), .matrix(.brightness(0.1)), .luminance(curve),
                    .grain(Grain(amplitude: 0.05, seed: 9)),
                ],
                mask: .image, over: [.matrix(.tint(try Color(red: 0.2, green: 0.5, blue: 0.9, alpha: 0.2)))],
                content: [
                    ContentLayer(
                        ContentImage(try TestImage.make(.softAlpha, 70, 50, seed: 5)),
                        vibrancy: BlurStyle.dark.vibrancy(.label)),
                    ContentLayer(
                        ContentImage(try TestImage.make(.gradient, 40, 30)), mode: .center,
                        bounds: Rect(x: 20, y: 10, width: 51, height: 60)),
                ],
                clip: [
                    try RoundedRect(x: 10.5, y: 8.25, width: 90, height: 60, radius: 17),
                    try RoundedRect(x: 110, y: 20, width: 30, height: 200),
                    try RoundedRect(x: 20, y: 70.5, width: 40, height: 28, radius: 8, corners: .continuous()),
                    try RoundedRect(x: 63.25, y: 70, width: 40, height: 29, radius: 14, corners: .superellipse()),
                ], dither: dither))
    }

    static func mask() throws -> MaskImage { MaskImage(try TestImage.make(.gradient, 23, 31, PixelFormat(.greyAlpha))) }

    /// Tests every output stage, with a mask and clip rectangles, in every pixel format, and also outside the image.
    @Test(arguments: TestImage.formats) func everythingInEveryFormat(format: PixelFormat) throws {
        let renderer = try TestGPU.renderer()
        let image = try TestImage.make(.softAlpha, 150, 100, format)
        // The formats take the edge modes by turns.
        let number = TestImage.formats.firstIndex(of: format) ?? 0
        for edge in TestCases.share(EdgeMode.allCases, of: EdgeMode.allCases.count, from: number) {
            var effect = try Self.everything(edge: edge)
            effect.growth = edge == .mirror ? 0 : 9
            let result = try renderer.renderNow(image, effect, mask: Self.mask())
            #expect(result.report.backend == .gpu)
            try expectClose(
                SampleRows(result.image), renderer.exact(image, effect, mask: Self.mask()),
                within: .promise(format.sample), "\(format), \(edge)")
        }
    }

    /// The comparison must fail if a stage is missing, repeated or in the wrong place, or if a mask or a rectangle is moved.
    @Test func comparisonsFail() throws {
        let renderer = try TestGPU.renderer()
        let image = try Subject.photograph.image()
        let right = try Self.everything()
        let exact = try renderer.exact(image, right, mask: Self.mask())
        func steps(_ change: (inout OutputStages) throws -> Void) throws -> Double {
            var wrong = right
            try change(&wrong.outputStages)
            let mask = wrong.outputStages.mask == nil ? nil : try Self.mask()
            let result = try renderer.renderNow(image, wrong, mask: mask).image
            return try Comparison(SampleRows(result), exact).maximum
        }
        #expect(try steps { _ in } <= 1)
        #expect(try steps { $0.inside.removeFirst() } > 1)
        #expect(try steps { $0.inside.swapAt(1, 2) } > 1)
        #expect(try steps { $0.inside[3] = .grain(Grain(amplitude: 0.05, seed: 8)) } > 1)
        #expect(try steps { $0.over += $0.over } > 1)
        #expect(try steps { $0.content.reverse() } > 1)
        #expect(try steps { $0.mask = nil } > 1)
        #expect(try steps { $0.clip[1] = try RoundedRect(x: 110.1, y: 20, width: 30, height: 200) } > 1)
        #expect(try steps { $0.clip[0] = try RoundedRect(x: 10.5, y: 8.25, width: 90, height: 60, radius: 16) } > 1)
        for (index, corners) in [
            (2, CornerCurve.circular), (2, .continuous(smoothing: 0.3)), (3, .superellipse(exponent: 3)),
        ] {
            #expect(
                try steps {
                    let rect = $0.clip[index]
                    $0.clip[index] = try RoundedRect(
                        x: rect.x, y: rect.y, width: rect.width, height: rect.height, radius: rect.radius,
                        corners: corners)
                } > 1)
        }
    }

    /// Both backends add the offsets of ``Dither``, whose statistical laws `DitherTests` checks. By definition, a dithered
    /// byte is the sum of the exact value and its pixel's offset, rounded down. A backend's byte may differ from this
    /// definition by one, but only if the sum is close to a whole number: closer than the plan's bound plus 0.1 steps for
    /// arithmetic. So the two backends may also differ by at most one, and only at such sums.
    @Test(arguments: [0, 7]) func ditherIsTheDefinition(seed: UInt32) throws {
        let renderer = try TestGPU.renderer()
        let cpu = try Renderer(backend: .cpu)
        for (name, image) in [
            ("blur-light", try Subject.photograph.image()), ("material-thin-dark", try Subject.screenshot.image()),
            ("gpuimage-gaussian", try Subject.photograph.image()), ("tilt-shift", try Subject.photograph.image()),
        ] {
            var effect = try EffectCatalog.effect(name).make().keyed(for: .frames)
            effect.outputStages.dither = Dither(seed: seed)
            let result = try renderer.renderNow(image, effect)
            let exact = try renderer.exact(image, effect)
            let bound = result.report.errorBound + 0.1
            let dither = Dither(seed: seed)
            let offsets = dither.offsets
            let rows = SampleRows(result.image)
            let twin = SampleRows(try cpu.renderNow(image, effect).image)
            try #require(exact.channels == .rgb && rows.channels == .rgb && twin.channels == .rgb)
            var (differ, tooFar, apart) = (0, 0, 0)
            for y in 0..<image.height {
                let (bytes, others) = (rows[y], twin[y])
                let start = Int(dither.start(y: y))
                for (index, value) in exact[y].enumerated() {
                    let (byte, other) = ((bytes[index] * 255).rounded(), (others[index] * 255).rounded())
                    if byte != other { differ += 1 }
                    let offset = offsets[(index / 3 + start) % Dither.period]
                    let sum = value * 255 + (Double(offset) + 0.5) / 64
                    let isNear = abs(sum - sum.rounded()) <= bound
                    if byte != min(sum.rounded(.down), 255), !isNear || abs(byte - sum) > 1 + bound { tooFar += 1 }
                    if byte != other, !isNear || abs(byte - other) > 1 { apart += 1 }
                }
            }
            #expect(tooFar == 0 && apart == 0, "\(name): \(tooFar), \(apart)")
            // The two backends may differ only near a rounding threshold, in a zone twice as wide as the bound. The error of
            // the arithmetic is only a small part of the bound, so few bytes differ.
            #expect(Double(differ) <= bound / 2 * Double(3 * image.width * image.height), "\(name): \(differ)")
        }
    }

    /// Tiles equal the corresponding parts of the whole image, to the bit, because they are planned from the whole image and
    /// pixel positions are absolute.
    @Test(arguments: EdgeMode.allCases.filter { $0 != .repeat }) func tilesAreTheWhole(edge: EdgeMode) throws {
        let tiling = try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: 128))
        let image = try TestImage.make(.softAlpha, 310, 205)
        var shapes = try Self.everything(sigma: 3, dither: Dither(seed: 4), edge: edge)
        shapes.outputStages.mask = .circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.3, border: 0.1))
        var fraction = Effect(
            name: "fraction", blur: ProportionalBlur(fraction: 0.01, of: .x, edge: edge),
            outputStages: shapes.outputStages)
        fraction.outputStages.mask = .band(Mask.Band(top: 0.4, bottom: 0.5, falloff: 0.2))
        for effect in [shapes, fraction] {
            let whole = try TestGPU.renderer().renderNow(image, effect)
            let tiled = try tiling.renderNow(image, effect)
            #expect(tiled.report.backend == .gpu)
            #expect(tiled.report.errorBound == whole.report.errorBound)
            try expectIdentical(tiled.image, whole.image, effect.name)
        }
        let masked = try Self.everything(sigma: 3, edge: edge)
        for mask in [try Self.mask(), MaskImage(try TestImage.noise(500, 300, PixelFormat(.grey)))] {
            let whole = try TestGPU.renderer().renderNow(image, masked, mask: mask)
            let tiled = try tiling.renderNow(image, masked, mask: mask)
            try expectIdentical(tiled.image, whole.image, "mask of \(mask.width)x\(mask.height)")
        }
    }
}
