@testable import Frost
import FrostCore
import FrostGPU
import FrostImages
import FrostTestSupport
import Testing

/// Compares box blurs on both backends with the exact reference. Also compares this reference with box filters that the
/// tests implement independently.
struct BoxTests {
    static let boxes = [(1, 7, 2), (3, 3, 1), (9, 9, 1), (31, 5, 1), (9, 9, 3), (5, 57, 3), (57, 57, 3)]
    static let twoDefinitions = Tolerance("two definitions", steps: 1e-9, reason: "Double's roundings")

    @Test("CPU and GPU are within a step of the definition at every edge", arguments: EdgeMode.allCases, Worker.wanted)
    func withinAStep(edge: EdgeMode, worker: Worker) throws {
        let renderer = try worker.renderer()
        for (n, (width, height)) in [(1, 1), (3, 50), (37, 2), (171, 113)].enumerated() {
            for (p, picture) in [Picture.photograph, .binaryNoise, .softAlpha].enumerated() {
                let formats = [PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb)]
                let image = try TestImage.make(picture, width, height, formats[(n + p) % 3])
                for (x, y, passes) in Self.boxes {
                    let blur = try BoxBlur(widthX: x, widthY: y, passes: passes, edge: edge)
                    var effect = Effect(name: "box", blur: blur)
                    for growth in [0, 40] {
                        effect.growth = growth
                        let region = effect.region(extent: image.layout.extent)
                        let context = "\(blur) of \(picture) \(width)x\(height), \(region)"
                        let exact = try renderer.exact(image, effect).expanded(to: .rgba)
                        let result = try renderer.renderNow(image, effect)
                        #expect(result.report.warning == nil)
                        try expectClose(
                            SampleRows(result.image).expanded(to: .rgba), exact, within: .promise8, context)
                        guard worker == .cpu else { continue }
                        let oracle = EffectOracle.boxes(
                            image, widthX: x, widthY: y, passes: passes, edge: edge, region: region)
                        try expectClose(exact, oracle, within: Self.twoDefinitions, "exact \(context)")
                    }
                }
            }
        }
    }

    @Test("16 bits and floats keep their promise", arguments: Worker.wanted)
    func deepFormats(worker: Worker) throws {
        let renderer = try worker.renderer()
        for sample in [SampleType.u16, .f16, .f32] {
            let image = try TestImage.make(.softAlpha, 61, 47, PixelFormat(.rgba, sample))
            let effect = Effect(name: "box", blur: try BoxBlur(width: 57, passes: 3))
            try expectClose(
                SampleRows(renderer.renderNow(image, effect).image), renderer.exact(image, effect),
                within: .promise(sample), "\(sample)")
        }
    }

    @Test("the widest boxes that there are", arguments: Worker.wanted)
    func widest(worker: Worker) throws {
        let renderer = try worker.renderer()
        for edge in EdgeMode.allCases {
            for (image, x, y) in [
                (try TestImage.make(.photograph, 300, 5), 2001, 3), (try TestImage.make(.softAlpha, 4, 260), 3, 2001),
            ] {
                let blur = try BoxBlur(widthX: x, widthY: y, passes: 3, edge: edge)
                let effect = Effect(name: "box", blur: blur)
                let result = try renderer.renderNow(image, effect)
                #expect(result.report.backend == (worker == .gpu ? .gpu : .cpu))
                #expect(result.report.errorBound < 0.001)
                try expectClose(
                    SampleRows(result.image), renderer.exact(image, effect), within: .promise8, "\(blur), \(worker)")
            }
        }
    }

    /// Each pass extends its own input instead of the original picture. vImage with kvImageEdgeExtend does the same.
    @Test("each pass extends its own input", arguments: Worker.wanted)
    func ownInput(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.gradient, 90, 80, PixelFormat(.rgb))
        let effect = Effect(name: "box", blur: try BoxBlur(width: 21, passes: 3))
        let result = SampleRows(try renderer.renderNow(image, effect).image).expanded(to: .rgba)
        let right = EffectOracle.boxes(image, widthX: 21, widthY: 21, passes: 3)
        let once = EffectOracle.boxes(image, widthX: 21, widthY: 21, passes: 3, extendsOnce: true)
        try expectClose(result, right, within: .promise8)
        #expect(try Comparison(right, once).maximum > 1.5)
        // Pixels that are three radii away from the edges do not depend on pixels outside the image.
        let inner = Rect(x: 30, y: 30, width: 30, height: 20)
        #expect(try Comparison(right.crop(inner), once.crop(inner)).maximum < 1e-9)
        // With mirrored or repeated edges, it makes no difference whether each pass's input is extended or the picture is
        // extended once.
        for edge in [EdgeMode.mirror, .repeat] {
            let each = EffectOracle.boxes(image, widthX: 21, widthY: 21, passes: 3, edge: edge)
            let once = EffectOracle.boxes(image, widthX: 21, widthY: 21, passes: 3, edge: edge, extendsOnce: true)
            #expect(try Comparison(each, once).maximum < 1e-9)
        }
    }

    @Test(
        "tiles do not show", .enabled(if: TestGPU.isWanted, TestGPU.skipReason),
        arguments: EdgeMode.allCases.filter { $0 != .repeat })
    func tiles(edge: EdgeMode) throws {
        let tiling = try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: 128))
        let image = try TestImage.make(.softAlpha, 310, 205)
        let effect = Effect(name: "box", blur: try BoxBlur(width: 15, passes: 3, edge: edge))
        let tiled = try tiling.renderNow(image, effect)
        #expect(tiled.report.backend == .gpu)
        try expectClose(
            SampleRows(tiled.image), tiling.exact(image, effect), within: .promise8, "\(edge)")
    }

    // MARK: ImageEffects

    @Test("--kernel box3 is the original's three boxes", arguments: Worker.wanted)
    func box3(worker: Worker) throws {
        let renderer = try worker.renderer()
        for name in ["light", "extra-light", "dark", "tint"] {
            for (scale, convention) in [(1.0, "1.0"), (2, "1.0"), (1, "1.1"), (3, "1.1")] {
                for picture in [Picture.photograph, .uniformNoise, .softAlpha] {
                    let image = try TestImage.make(picture, 131, 87)
                    var effect = try EffectCatalog.effect(name).make([
                        "scale": .number(scale), "convention": .choice(convention), "kernel": .choice("box3"),
                    ])
                    effect.outputStages.dither = nil
                    let oracle = try #require(
                        EffectOracle.named(name, scale: scale, convention: convention, kernel: "box3"))
                    let expected = try oracle.render(image)
                    let context = "\(name) \(scale) \(convention) \(picture)"
                    try expectClose(
                        SampleRows(renderer.renderNow(image, effect).image), expected, within: .promise8, context)
                    try expectClose(
                        renderer.exact(image, effect), expected, within: Self.twoDefinitions, "exact \(context)")
                }
            }
        }
    }

    @Test("--kernel box3 rounds the width at every radius, and radius 0 keeps the output stages")
    func box3Radii() throws {
        let image = try TestImage.make(.softAlpha, 83, 59)
        for radius in [0, 0.2, 0.5, 1, 7.3, 20, 60] {
            let effect = try EffectCatalog.effect("image-effects").make([
                "radius": .number(radius), "kernel": .choice("box3"),
                "tint": .color(Color(red: 0.2, green: 0.2, blue: 0.2, alpha: 0.4)),
            ])
            let oracle = EffectOracle.imageEffects(
                radius: radius, saturation: 1.8, white: 0.2, alpha: 0.4, kernel: "box3")
            try EffectAccuracyTests.check(effect, oracle, image, "radius \(radius)")
        }
        func width(_ radius: Double, _ convention: String, scale: Double = 1) throws -> Int? {
            let effect = try EffectCatalog.effect("image-effects").make([
                "radius": .number(radius), "convention": .choice(convention), "scale": .number(scale),
                "kernel": .choice("box3"),
            ])
            return (effect.blur as? BoxBlur)?.widthX
        }
        for (radius, v1_0, v1_1) in [(10.0, 19, 9), (20, 39, 19), (30, 57, 29), (40, 75, 37), (60, 113, 57), (0, 1, 1)]
        {
            #expect(try width(radius, "1.0") == v1_0)
            #expect(try width(radius, "1.1") == v1_1)
        }
        // Convention 1.1 raises a radius of less than 2 pixels to 2 pixels.
        #expect(try width(0.1, "1.1") == 3)
        #expect(try width(300, "1.0", scale: 3) == 1693)
    }

    /// docs/Effects.md states how much the two kernels differ. This test measures these differences.
    @Test(
        "on a photograph the Gaussian is near to the three boxes", arguments: ["light", "dark", "extra-light", "tint"])
    func gaussianIsNear(_ name: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let photo = try PNG.read(path: "/\(folder)/Samples/photo.png").pixels
            .cropped(to: Rect(x: 200, y: 150, width: 420, height: 360))
        let renderer = try Renderer(backend: .cpu, threads: 2)
        var effect = try EffectCatalog.effect(name).make()
        effect.outputStages.dither = nil
        let gaussian = SampleRows(try renderer.renderNow(photo, effect).image).expanded(to: .rgba)
        let boxes = try #require(EffectOracle.named(name, kernel: "box3")).render(photo)
        // Only pixels that are at least one and a half widths of the largest box away from the edges are compared.
        let margin = 57 * 3 / 2 + 1
        let inner = Rect(x: margin, y: margin, width: photo.width - 2 * margin, height: photo.height - 2 * margin)
        let inside = try Comparison(gaussian.crop(inner), boxes.crop(inner))
        #expect(inside.mean <= 0.8)
        #expect(inside.maximum <= 5)
    }
}

extension SampleRows {
    fileprivate func crop(_ rect: Rect) -> SampleRows {
        let count = channels.count
        return SampleRows(width: rect.width, height: rect.height, channels: channels) { y in
            Array(self[rect.y + y][rect.x * count..<(rect.x + rect.width) * count])
        }
    }
}
