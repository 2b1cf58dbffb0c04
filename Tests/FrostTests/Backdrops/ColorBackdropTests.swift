import CGLES
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Tests panels over pictures with colour encodings. FrostGPUTests compares the colours themselves with the standards.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ColorBackdropTests {
    private static let (width, height) = (150, 96)
    private static let format = PixelFormat(.rgba, .f16, alpha: .premultiplied)

    private static func picture(_ seed: UInt64) throws -> PixelBuffer {
        try TestImage.make(.photograph, width, height, format, seed: seed)
    }

    /// Panels that do not overlap: a plain blur of numbers, a blur of light, a style, and a style in linear light.
    private static func panels() throws -> [Panel] {
        var light = Effect(try GaussianBlur(sigma: 6))
        light.decoding = .sRGB
        var style = try EffectCatalog.effect("light").make()
        style.decoding = .sRGB
        let effects = [Effect(try GaussianBlur(sigma: 6)), light, try EffectCatalog.effect("light").make(), style]
        return effects.enumerated().map { index, effect in
            Panel(
                Rect(x: 8 + 70 * (index % 2), y: 6 + 44 * (index / 2), width: 60, height: 38), effect: effect,
                cornerRadius: 7)
        }
    }

    @Test("a panel has the pixels of its effect on the whole picture, also after damage") func sameAsRendered() throws {
        let pq = try ColorEncoding(.pq, .bt2020)
        let encodings: [(ColorEncoding, ColorEncoding)] = [(pq, pq), (.sRGB, pq), (pq, try ColorEncoding(.scRGB))]
        for (from, to) in encodings {
            try TestHost().perform { gl in
                let renderer = try TextureRenderer()
                let backdrop = TextureBackdrop(on: renderer)
                backdrop.panels = try Self.panels()
                let blank = [UInt8](repeating: 0, count: 8 * Self.width * Self.height)
                let shown = gl.floatTexture(Self.width, Self.height, blank)
                func target(_ name: GLuint) -> HostTarget {
                    HostTarget(
                        .texture(name), width: Self.width, height: Self.height, format: Self.format, encoding: to)
                }
                var sources: [GLuint] = []
                for seed in 1...2 as ClosedRange<UInt64> {
                    let source = gl.floatTexture(Self.width, Self.height, try Self.picture(seed).pixelBytes)
                    sources.append(source)
                    let image = HostImage(
                        HostTexture(name: source), width: Self.width, height: Self.height, format: Self.format,
                        encoding: from)
                    if seed == 2 { backdrop.invalidate(Rect(x: 40, y: 20, width: 60, height: 50)) }
                    // The second picture differs everywhere, but only a part is reported as changed. So a part of the
                    // levels is kept.
                    let whole = seed == 1
                    let report = try backdrop.render(image, into: target(shown))
                    #expect(report.panelPixels > 0 && report.levelSamples > 0)
                    guard whole else { continue }
                    let expected = gl.floatTexture(Self.width, Self.height, blank)
                    for panel in backdrop.panels {
                        let report = try #require(try renderer.render(image, panel, into: target(expected)))
                        // The rounded corners of panels mix sRGB numbers of sRGB sources.
                        let mixesLight =
                            panel.effect.decoding != nil && panel.effect.outputStages.inside.isEmpty && from != .sRGB
                        #expect((report.lightErrorBound != nil) == mixesLight)
                    }
                    let bytes = gl.halves(shown, Self.width, Self.height)
                    #expect(bytes == gl.halves(expected, Self.width, Self.height), "\(from) to \(to)")
                    #expect(bytes != blank)
                    // With other encodings, the comparison must fail.
                    var other = image
                    other.encoding = try ColorEncoding(.hlg, .bt2020)
                    for panel in backdrop.panels { _ = try renderer.render(other, panel, into: target(expected)) }
                    #expect(bytes != gl.halves(expected, Self.width, Self.height))
                    gl.delete(textures: [expected])
                }
                // A picture with another encoding is another picture, whose levels are computed again.
                let image = HostImage(
                    HostTexture(name: sources[1]), width: Self.width, height: Self.height, format: Self.format,
                    encoding: try ColorEncoding(.gamma22))
                let report = try backdrop.render(image, into: target(shown))
                let fresh = TextureBackdrop(on: renderer)
                fresh.panels = backdrop.panels
                let expected = gl.floatTexture(Self.width, Self.height, blank)
                #expect(try fresh.render(image, into: target(expected)).levelSamples == report.levelSamples)
                #expect(
                    gl.halves(shown, Self.width, Self.height) == gl.halves(expected, Self.width, Self.height))
                gl.delete(textures: sources + [shown, expected])
                renderer.destroy()
            }
        }
    }

    /// A level must use the intermediate formats of the whole plan, whether the source is converted or read directly.
    @Test("panels over 8-bit textures have the pixels of their effects", arguments: [false, true])
    func sameAsRenderedInEightBits(_ isFloat: Bool) throws {
        let encodings = [
            try ColorEncoding(.linear), .sRGB, try ColorEncoding(.sRGB, white: 100), try ColorEncoding(.gamma22),
        ]
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        try TestHost().perform { gl in
            let renderer = try TextureRenderer()
            let picture = try TestImage.make(.photograph, Self.width, Self.height, format)
            let source = gl.texture(Self.width, Self.height, picture.pixelBytes)
            for encoding in encodings {
                let backdrop = TextureBackdrop(on: renderer)
                backdrop.panels = try Self.panels()
                func pixels(_ draw: (HostTarget) throws -> Void) throws -> [UInt8] {
                    let blank = [UInt8](repeating: 0, count: (isFloat ? 8 : 4) * Self.width * Self.height)
                    let name =
                        isFloat
                        ? gl.floatTexture(Self.width, Self.height, blank) : gl.texture(Self.width, Self.height, blank)
                    defer { gl.delete(textures: [name]) }
                    try draw(
                        HostTarget(
                            .texture(name), width: Self.width, height: Self.height,
                            format: isFloat ? Self.format : format, encoding: encoding))
                    let made =
                        isFloat ? gl.halves(name, Self.width, Self.height) : gl.pixels(name, Self.width, Self.height)
                    #expect(made != blank)
                    return made
                }
                let image = HostImage(
                    HostTexture(name: source), width: Self.width, height: Self.height, format: format,
                    encoding: encoding)
                let made = try pixels { target in
                    let report = try backdrop.render(image, into: target)
                    #expect(report.levelSamples > 0)
                }
                let expected = try pixels { target in
                    for panel in backdrop.panels { _ = try renderer.render(image, panel, into: target) }
                }
                let differing = zip(made, expected).count { $0 != $1 }
                #expect(differing == 0, "\(encoding)")
            }
            gl.delete(textures: [source])
            renderer.destroy()
        }
    }

    @Test("prepared programs are all that panels and renders need") func prepared() throws {
        let pq = try ColorEncoding(.pq, .bt2020)
        try TestHost().perform { gl in
            let renderer = try TextureRenderer(options: GPUOptions(programCache: .off))
            let names = [try Self.picture(1).pixelBytes, nil].map { gl.floatTexture(Self.width, Self.height, $0) }
            let image = HostImage(
                HostTexture(name: names[0]), width: Self.width, height: Self.height, format: Self.format, encoding: pq)
            let target = HostTarget(
                .texture(names[1]), width: Self.width, height: Self.height, format: Self.format,
                encoding: try ColorEncoding(.scRGB))
            let panels = try Self.panels()
            try renderer.prepare(panels.map(\.effect), source: image, target: target)
            let compiled = renderer.statistics.programsCompiled
            #expect(compiled > 4)
            let backdrop = TextureBackdrop(on: renderer)
            backdrop.panels = panels
            _ = try backdrop.render(image, into: target)
            for panel in panels { try renderer.render(image, panel.effect, into: target) }
            #expect(renderer.statistics.programsCompiled == compiled)
            // The conversions are among the programs that a host can store.
            let later = try TextureRenderer(options: GPUOptions(programCache: .off))
            try later.addPrograms(renderer.programData())
            _ = try later.render(image, panels[1].effect, into: target)
            #expect(later.statistics.programsCompiled == 0 && later.statistics.programsLoaded > 0)
            later.destroy()
            renderer.destroy()
            gl.delete(textures: names)
        }
    }
}
