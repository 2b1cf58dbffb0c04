import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests effects that are limited to rectangles, on every backend.
struct RegionTests {
    static let rect = Rect(x: 21, y: 13, width: 45, height: 38)

    static func effect(_ edge: EdgeMode = .mirror) throws -> Effect {
        var effect = Effect(name: "test", blur: try GaussianBlur(sigma: 7, edge: edge))
        effect.outputStages.inside = [.matrix(.saturation(1.8))]
        return effect
    }

    @Test(
        "a bounded rectangle shows the effect of the picture that is cut out, and all other pixels keep their bytes",
        arguments: Worker.wanted, [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.rgba, .u16)])
    func bounded(_ worker: Worker, _ format: PixelFormat) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.softAlpha, 97, 61, format, padding: 3)
        for edge in EdgeMode.allCases where edge != .clear || format.channels.hasAlpha {
            let effect = try Self.effect(edge)
            let panel = try RoundedRect(Self.rect)
            let result = try renderer.render(image, effect, within: [panel], isBounded: true).image
            let exact = try Renderer(backend: .exact).exact(image.cropped(to: Self.rect), effect)
            try expectClose(
                SampleRows(result.cropped(to: Self.rect)), exact, within: .promise(format.sample), "\(edge)")
            try Self.expectUntouched(image, result, outside: [panel])
            // If the blur is not bounded, it also mixes in pixels from outside the rectangle.
            let open = try renderer.render(image, effect, within: [panel]).image
            #expect(try Comparison(SampleRows(open.cropped(to: Self.rect)), exact).maximum > 10)
        }
    }

    @Test("nothing outside a bounded rectangle changes a bit inside", arguments: Worker.wanted)
    func secrecy(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let panel = try RoundedRect(Self.rect)
        let image = try TestImage.make(.photograph, 97, 61)
        var other = try TestImage.make(.uniformNoise, 97, 61)
        try other.paste(try image.cropped(to: Self.rect), at: Self.rect)
        for isBounded in [true, false] {
            let results = try [image, other].map {
                try renderer.render($0, Self.effect(), within: [panel], isBounded: isBounded).image
                    .cropped(to: Self.rect)
            }
            #expect((results[0].pixelBytes == results[1].pixelBytes) == isBounded)
        }
    }

    @Test(
        "unbounded rectangles show the effect on the whole picture, their coverage added up", arguments: Worker.wanted)
    func unbounded(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.softAlpha, 97, 61)
        var effect = try Self.effect()
        let result = try renderer.render(image, effect, within: OutputStagesTests.rounded).image
        effect.outputStages.clip = OutputStagesTests.rounded
        let exact = try Renderer(backend: .exact).exact(image, effect)
        try expectClose(SampleRows(result), exact, within: .promise(.u8))
        try Self.expectUntouched(image, result, outside: OutputStagesTests.rounded)
    }

    @Test("a bounded rectangle lies on the earlier ones, and its corners show them", arguments: Worker.wanted)
    func panels(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.photograph, 97, 61)
        let panels = [
            try RoundedRect(x: 10, y: 8, width: 50, height: 40, radius: 12),
            try RoundedRect(x: 40, y: 20, width: 40, height: 30.5, radius: 14.5),
        ]
        let together = try renderer.render(image, Self.effect(), within: panels, isBounded: true)
        let first = try renderer.render(image, Self.effect(), within: [panels[0]], isBounded: true).image
        let then = try renderer.render(first, Self.effect(), within: [panels[1]], isBounded: true).image
        try expectIdentical(together.image, then)
        // A rounded corner of the second rectangle leaves these pixels out, so they show the first rectangle.
        #expect(
            try then.cropped(to: Rect(x: 40, y: 20, width: 2, height: 2)).pixelBytes
                == first.cropped(to: Rect(x: 40, y: 20, width: 2, height: 2)).pixelBytes)
        #expect(together.report.errorBound > 0 && together.report.warning == nil)
    }

    @Test("a rectangle that is partly outside the picture is cut and reported; one wholly outside is refused")
    func outside() throws {
        let renderer = try Renderer(backend: .cpu)
        let image = try TestImage.make(.photograph, 40, 30)
        for isBounded in [true, false] {
            let cut = try renderer.render(
                image, Self.effect(), within: [RoundedRect(x: 30, y: -5, width: 20, height: 20)], isBounded: isBounded)
            #expect(cut.report.warning?.contains("cropped to the picture: 30,0,10,15") == true)
            #expect(throws: FrostError.self) {
                try renderer.render(
                    image, Self.effect(), within: [RoundedRect(x: 41, y: 0, width: 5, height: 5)], isBounded: isBounded)
            }
            let none = try renderer.render(image, Self.effect(), within: [], isBounded: isBounded)
            try expectIdentical(none.image, image)
        }
    }

    static func expectUntouched(_ image: PixelBuffer, _ result: PixelBuffer, outside rects: [RoundedRect]) throws {
        let size = image.format.bytesPerPixel
        var untouched = 0
        for y in 0..<image.height {
            let (from, to) = (Array(image.rowBytes(y)), Array(result.rowBytes(y)))
            for x in 0..<image.width where rects.allSatisfy({ $0.coverage(x, y) == 0 }) {
                #expect(from[x * size..<(x + 1) * size] == to[x * size..<(x + 1) * size], "\(x),\(y)")
                untouched += 1
            }
        }
        #expect(untouched > 0)
    }

    /// The mixture of a part's levels may have a smaller error than that of all levels, and must not be computed otherwise.
    @Test(
        "a part of an effect that grows along a gradient has the bits of the whole", arguments: Worker.wanted,
        [PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey)])
    func partsOfGradients(worker: Worker, format: PixelFormat) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.uniformNoise, 80, 64, format)
        let stops = Mask.Ramp.stops(parsing: "0:1,1:0") ?? []
        let half: EffectValue = .number(0.5), tint: EffectValue = .color(try Color(parsing: "#80808080"))
        for (name, more) in [
            ("material-thick-light", ["tint": tint]), ("material-thin-dark", ["opacity": half]),
            ("blur-light", ["opacity": half]), ("progressive", ["opacity": half]),
        ] as [(String, [String: EffectValue])] {
            let effect = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make(
                name == "progressive" ? more : more.merging(["gradient": .stops(stops)]) { a, _ in a })
            let whole = try renderer.render(image, effect).image
            for part in [Rect(x: 0, y: 14, width: 80, height: 20), Rect(x: 12, y: 40, width: 30, height: 9)] {
                let found = try renderer.render(image, effect, region: part).image
                try expectIdentical(found, whole.cropped(to: part), "\(name), \(part)")
            }
        }
    }

    @Test(
        "masks and their shapes lie in each rectangle, as in a panel, or in the whole picture", arguments: Worker.wanted
    )
    func maskPlacement(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.uniformNoise, 90, 70, PixelFormat(.rgba, alpha: .premultiplied))
        let mask = MaskImage(try TestImage.make(.gradient, 20, 10, PixelFormat(.grey)))
        let rects = [Rect(x: 5, y: 40, width: 40, height: 40), Rect(x: 50, y: -9, width: 30, height: 60)]
        for effect in [
            try EffectCatalog.effect("tilt-shift").make(), try EffectCatalog.effect("selective").make(),
            try EffectCatalog.effect("progressive").make(),
            try EffectCatalog.effect("material-thin-dark").make().masked(),
        ] {
            let image8 = effect.mask == .image ? mask : nil
            let rounded = try rects.map { try RoundedRect($0) }
            let inRects = try renderer.render(image, effect, within: rounded, mask: image8).image
            let inPicture = try renderer.render(
                image, effect, within: rounded, mask: image8, maskPlacement: .picture
            ).image
            let whole = try renderer.render(image, effect, mask: image8).image
            #expect(inRects.bytes != inPicture.bytes, "\(effect.name)")
            for rect in rects {
                let inside = try #require(rect.clipped(to: image.layout.extent))
                #expect(try inPicture.cropped(to: inside).bytes == whole.cropped(to: inside).bytes, "\(effect.name)")
                // A panel of this place.
                var target = image
                let backdrop = try Backdrop()
                backdrop.panels = [Panel(rect, effect: effect, mask: image8)]
                _ = try backdrop.render(image, into: &target)
                let worst = try Comparison(inRects.cropped(to: inside), target.cropped(to: inside)).maximum
                #expect(worst <= (worker == .gpu ? 1 : 0), "\(effect.name): \(worst)")
            }
        }
    }
}
