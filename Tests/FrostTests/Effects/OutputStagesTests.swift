import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests masks and dither on the CPU. PropertyTests compares all output stages with their definition.
struct OutputStagesTests {
    static let renderer = try? Renderer(backend: .cpu, threads: 2)

    static func render(_ effect: Effect, _ image: PixelBuffer, mask: MaskImage? = nil) throws -> PixelBuffer {
        try #require(renderer).renderNow(image, effect, mask: mask).image
    }

    static let rounded = [
        try? RoundedRect(x: 10.25, y: 5.5, width: 40.5, height: 30.125, radius: 9.75),
        try? RoundedRect(x: 55, y: 20, width: 30, height: 30),
        try? RoundedRect(x: 56, y: 2, width: 7, height: 7, radius: 3.5),
        try? RoundedRect(x: 66.5, y: 1.25, width: 28, height: 17, radius: 5, corners: .continuous()),
        try? RoundedRect(x: 12, y: 38.5, width: 34, height: 20.25, radius: 10, corners: .superellipse()),
    ].compactMap { $0 }

    @Test("a mask image is refused if no stage uses it, and required otherwise")
    func mask() throws {
        let image = try TestImage.make(.photograph, 8, 8)
        var effect = try EffectCatalog.effect("light").make()
        #expect(throws: FrostError.parameter(.maskImage(needed: false))) {
            _ = try Self.render(effect, image, mask: MaskImage(try TestImage.make(.softAlpha, 2, 3)))
        }
        effect.outputStages.mask = .image
        #expect(throws: FrostError.parameter(.maskImage(needed: true))) { _ = try Self.render(effect, image) }
    }

    @Test("dither differs from the exact result by less than 1.5 steps, and keeps flat surfaces flat")
    func dither() throws {
        for format in [
            PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
        ] {
            let image = try TestImage.make(.gradient, 150, 90, format)
            var effect = try EffectCatalog.effect("light").make()
            let dithered = try Self.render(effect, image)
            effect.outputStages.dither = nil
            let exact = try #require(Self.renderer).exact(image, effect)
            let comparison = try Comparison(SampleRows(dithered), exact)
            #expect(comparison.maximum < 1.5 && comparison.maximum > 0.6, "\(format)")
            let flat = try TestImage.make(40, 40, format) { _, _, channel in channel == 3 ? 1 : 0.6 }
            let bytes = try Self.render(try EffectCatalog.effect("gpuimage-gaussian").make(), flat)
            try expectIdentical(bytes, flat, "flat \(format)")
        }
    }

    @Test("a grey picture becomes coloured only by a coloured tint")
    func grey() throws {
        let image = try TestImage.make(.photograph, 40, 30, PixelFormat(.grey))
        #expect(try Self.render(EffectCatalog.effect("light").make(), image).format.channels == .grey)
        #expect(try Self.render(EffectCatalog.effect("7blur-coral").make(), image).format.channels == .rgb)
        #expect(try Self.render(EffectCatalog.effect("ci-gaussian").make(), image).format.channels == .greyAlpha)
        #expect(try Self.render(EffectCatalog.effect("ci-gaussian").make(), image).width == 100)
    }
}
