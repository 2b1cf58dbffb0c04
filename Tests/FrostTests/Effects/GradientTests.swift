@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests styles that grow along a gradient or with a mask image.
struct GradientTests {
    private static let stops: [Mask.Ramp.Stop] = [.init(0.1, 0), .init(0.4, 0.8), .init(0.4, 0.3), .init(0.9, 1)]

    private static func style(_ name: String, _ stops: [Mask.Ramp.Stop], angle: Double = 60) throws -> Effect {
        try EffectCatalog.effect(name).make([
            "radius": .number(6), "gradient": .stops(stops), "angle": .number(angle),
            "tint": .color(try Color(red: 0.2, green: 0.4, blue: 0.1, alpha: 0.3)),
        ])
    }

    @Test(
        "sigma, curve, saturation and tint follow one gradient",
        arguments: ["material-regular-light", "material-chrome-dark", "blur-light", "progressive"], Worker.wanted)
    func definition(name: String, worker: Worker) throws {
        let renderer = try worker.renderer()
        for (linear, format) in [
            (false, PixelFormat(.rgba)), (false, PixelFormat(.rgba, alpha: .premultiplied)), (true, PixelFormat(.rgb)),
        ] {
            let picture = try TestImage.make(.softAlpha, 71, 53, format)
            var effect = try Self.style(name, Self.stops)
            effect.outputStages.dither = nil
            effect.decoding = linear ? .sRGB : nil
            let ramp = Mask.ramp(Mask.Ramp(stops: Self.stops, angle: 60))
            var blur = Effect(
                name: "variable", blur: try VariableBlur(sigma: 6, mask: ramp, edge: effect.edge))
            blur.decoding = effect.decoding
            let blurred = try renderer.exact(picture, blur).expanded(to: .rgba)
            let result = try SampleRows(renderer.renderNow(picture, effect).image).expanded(to: .rgba)
            var worst = 0.0
            for y in 0..<53 {
                let (row, found) = (blurred[y], result[y])
                for x in 0..<71 {
                    let below = SIMD4(row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3])
                    let full = effect.outputStages.inside.reduce(below) { $1.apply(to: $0, x: x, y: y) }
                    let part = ramp.value(x: x, y: y, extent: picture.layout.extent, image: nil)
                    let wanted = below + (full - below) * part
                    for c in 0..<4 {
                        // Straight colour is rounded before it is multiplied by alpha, so its step is below one.
                        worst = max(worst, abs(found[4 * x + c] - wanted[c]) * 255)
                    }
                }
            }
            #expect(worst <= 1, "\(name), linear \(linear), \(format): \(worst)")
            #expect(effect.outputStages.over.isEmpty && effect.outputStages.mixesBlur)
        }
    }

    @Test(
        "a gradient of 0 keeps every pixel, and a gradient of 1 is the style without a gradient",
        arguments: Worker.wanted)
    func ends(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 60, 40, PixelFormat(.rgba, alpha: .premultiplied))
        for name in ["material-thin-dark", "blur-extra-light"] {
            func rendered(_ value: Double?) throws -> PixelBuffer {
                let stops = value.map { [Mask.Ramp.Stop(0, $0), Mask.Ramp.Stop(1, $0)] } ?? []
                var effect = try EffectCatalog.effect(name).make(["radius": .number(8), "gradient": .stops(stops)])
                effect.outputStages.dither = nil
                return try renderer.renderNow(picture, effect).image
            }
            #expect(try rendered(0).bytes == picture.bytes)
            #expect(try Comparison(rendered(1), rendered(nil)).maximum <= 1, "\(name)")
            #expect(try Comparison(rendered(0.5), rendered(nil)).maximum > 20)
        }
    }

    @Test("a mask image on a style shows nothing sharp; a mixture with the original, as other effects have it, does")
    func noGhost() throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let stripes = try TestImage.make(64, 48, PixelFormat(.rgb)) { x, _, _ in Double(x & 1) }
        let half = MaskImage(try TestImage.make(1, 1, PixelFormat(.grey)) { _, _, _ in 0.5 })
        /// Returns the largest difference between neighbours.
        func contrast(_ effect: Effect) throws -> Int {
            let bytes = try renderer.renderNow(stripes, effect, mask: half).image.bytes
            let row = bytes[3 * 64 * 20..<3 * 64 * 21]
            return zip(row, row.dropFirst(3)).map { abs(Int($0) - Int($1)) }.max() ?? 0
        }
        for name in ["material-regular-light", "material-ultra-thin-dark", "blur-dark"] {
            var effect = try EffectCatalog.effect(name).make()
            effect.outputStages.dither = nil
            let masked = effect.masked()
            #expect(masked.blur is VariableBlur && masked.mask == .image)
            #expect(try contrast(masked) <= 1, "\(name)")
            var mixed = effect
            mixed.outputStages.mask = .image
            #expect(try contrast(mixed) > 100, "\(name)")
        }
        // Effects of other systems keep the rule of these systems.
        #expect(try EffectCatalog.effect("light").make().masked().outputStages.mixesBlur == false)
    }

    @Test("stops are checked, and errors name what is wrong")
    func refusals() throws {
        let description = try EffectCatalog.effect("material-thin-light")
        for (text, evidence) in [
            ("0:0", "1 stop"), ("0:0,0.5", "0:0,0.5"), ("0.5:0,0.2:1", "0.2 after 0.5"), ("0:0,1:1.5", "1.5"),
            ("0:0,99:1", "99"), ("0:nan,1:1", "nan"), ("", "gradient"),
            ((0...16).map { "\($0)e-1:0" }.joined(separator: ","), "17 stops"),
        ] {
            let error = #expect(throws: ParameterError.self) { try description.make(parsing: "gradient=\(text)") }
            #expect("\(try #require(error))".contains(evidence), "\(text): \(String(describing: error))")
        }
        #expect(try description.make(parsing: "gradient=none") == description.make())
        #expect(
            try description.make(parsing: "gradient=0:0,0.5:1,1:0 angle=0").mask
                == .ramp(Mask.Ramp(stops: [.init(0, 0), .init(0.5, 1), .init(1, 0)], angle: 0)))
    }
}
