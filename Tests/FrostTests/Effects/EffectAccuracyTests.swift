@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Compares every effect, on the CPU and on the exact backend, with an oracle. The oracle is written from descriptions of
/// the original systems. The guaranteed error is one step.
struct EffectAccuracyTests {
    static let names = EffectCatalog.all.map(\.name)
    static let sizes = [(1, 1), (3, 50), (37, 2), (171, 113)]
    static let pictures: [Picture] = [.photograph, .screenshot, .softAlpha, .binaryNoise]

    /// Returns the pictures that are tested at a scale. Scale 1 is tested with all pictures. Scales 2 and 3, which only
    /// change the effect's parameters, are tested with two pictures each.
    static func pictures(at scale: Double) -> [Picture] {
        if TestCases.every || scale == 1 { return pictures }
        return scale == 2 ? [.photograph, .softAlpha] : [.screenshot, .binaryNoise]
    }

    static func check(
        _ effect: Effect, _ oracle: EffectOracle, _ image: PixelBuffer, mask: MaskImage? = nil, _ context: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var effect = effect
        effect.outputStages.dither = nil
        let region = effect.region(extent: image.layout.extent)
        let expected = try oracle.render(image, region: region)
        let renderer = try Renderer(backend: .cpu, threads: 2)
        let actual = try renderer.renderNow(image, effect, mask: mask)
        try expectClose(
            SampleRows(actual.image).expanded(to: .rgba), expected, within: .promise(image.format.sample), context,
            sourceLocation: sourceLocation)
        let exact = try renderer.exact(image, effect, mask: mask).expanded(to: .rgba)
        let tolerance =
            mask?.isAveraged(on: image) == true
            ? Tolerance.averagedMask
            : Tolerance("two definitions", steps: 1e-9, reason: "Double's roundings")
        try expectClose(exact, expected, within: tolerance, "exact \(context)", sourceLocation: sourceLocation)
    }

    @Test("every effect is within the promise of its oracle", arguments: names)
    func everyEffect(_ name: String) throws {
        let description = try EffectCatalog.effect(name)
        let parameters = Set(description.parameters.map(\.name))
        var values: [String: EffectValue] = [:]
        if parameters.contains("seed") { values["seed"] = .number(Double(EffectOracle.seed)) }
        for scale in parameters.contains("scale") ? [1.0, 2, 3] : [1] {
            if parameters.contains("scale") { values["scale"] = .number(scale) }
            let effect = try description.make(values)
            let mask = effect.mask == .image ? MaskImage(try TestImage.make(.gradient, 9, 7)) : nil
            let oracle = try #require(EffectOracle.named(name, scale: scale, mask: mask))
            for (n, (width, height)) in Self.sizes.enumerated() {
                for (p, picture) in Self.pictures(at: scale).enumerated() {
                    let formats: [PixelFormat] = [
                        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb),
                        PixelFormat(.bgra),
                    ]
                    let format = formats[(n + p) % formats.count]
                    let image = try TestImage.make(picture, width, height, format)
                    try Self.check(
                        effect, oracle, image, mask: mask,
                        "\(name) at \(scale)x of \(picture) \(width)x\(height) \(format)")
                }
            }
        }
    }

    @Test("every format is within the promise", arguments: TestImage.formats)
    func everyFormat(_ format: PixelFormat) throws {
        for name in ["light", "7blur-neon", "material-thick-light", "gpuimage-ios", "tilt-shift", "tint"] {
            let image = try TestImage.make(.softAlpha, 61, 47, format)
            let oracle = try #require(EffectOracle.named(name))
            try Self.check(EffectCatalog.effect(name).make(), oracle, image, "\(name) of \(format)")
        }
    }

    @Test("appearances and conventions")
    func appearancesAndConventions() throws {
        let image = try TestImage.make(.photograph, 93, 61)
        for name in ["blur-regular", "blur-prominent"] {
            let effect = try EffectCatalog.effect(name).make(["appearance": .choice("dark")])
            let oracle = try #require(EffectOracle.named(name, appearance: "dark"))
            try Self.check(effect, oracle, image, "\(name), dark")
        }
        for name in ["light", "extra-light", "dark", "tint"] {
            for scale in [1.0, 2] {
                let effect = try EffectCatalog.effect(name).make([
                    "convention": .choice("1.1"), "scale": .number(scale),
                ])
                let oracle = try #require(EffectOracle.named(name, scale: scale, convention: "1.1"))
                try Self.check(effect, oracle, image, "\(name), convention 1.1, scale \(scale)")
            }
        }
    }

    @Test("7blur's radius, tint and saturation are free", arguments: [0, 1.5, 6, 9.7])
    func sevenBlur(_ radius: Double) throws {
        for picture in [Picture.screenshot, .softAlpha] {
            let image = try TestImage.make(picture, 83, 59)
            let effect = try EffectCatalog.effect("7blur-light").make([
                "radius": .number(radius), "saturation": .number(0.7),
                "tint": .color(Color(red: 0.2, green: 0.2, blue: 0.2, alpha: 0.4)),
            ])
            let oracle = EffectOracle.sevenBlurLight(radius: radius, saturation: 0.7, white: 0.2, alpha: 0.4)
            try Self.check(effect, oracle, image, "\(picture), radius \(radius)")
        }
    }

    @Test("the default of tint is the colour that the catalogue names")
    func tintColor() throws {
        let tint = try EffectCatalog.effect("tint")
        let parameter = try #require(tint.parameters.first { $0.name == "color" })
        guard case .color(let color) = parameter.kind else { return }
        #expect(try color == Color(parsing: "#007aff"))
        #expect(try tint.make() == tint.make(parsing: "color=#007aff"))
    }

    @Test("the general form, radius 0 included", arguments: [0, 0.2, 1, 7.3, 20, 60])
    func generalForm(_ radius: Double) throws {
        for picture in [Picture.screenshot, .softAlpha] {
            let image = try TestImage.make(picture, 83, 59)
            for (saturation, white, alpha) in [(1.8, 1.0, 0.3), (1, 0.5, 0), (-1, 0.2, 1), (3, 0.5, 0.1)] {
                let effect = try EffectCatalog.effect("image-effects").make([
                    "radius": .number(radius), "saturation": .number(saturation),
                    "tint": .color(Color(red: white, green: white, blue: white, alpha: alpha)),
                ])
                let oracle = EffectOracle.imageEffects(
                    radius: radius, saturation: saturation, white: white, alpha: alpha)
                try Self.check(effect, oracle, image, "\(picture), radius \(radius), saturation \(saturation)")
            }
        }
    }

    @Test("the comparison fails for a tint that is a hundredth off, and for another saturation")
    func comparisonFailsForWrongEffects() throws {
        let image = try TestImage.make(.photograph, 93, 61)
        let oracle = try #require(EffectOracle.named("light"))
        for (tint, saturation) in [(0.31, 1.8), (0.3, 1.7)] {
            let effect = try EffectCatalog.effect("image-effects").make([
                "radius": .number(30), "saturation": .number(saturation),
                "tint": .color(Color(red: 1, green: 1, blue: 1, alpha: tint)),
            ])
            withKnownIssue { try Self.check(effect, oracle, image, "a wrong effect") }
        }
    }
}
