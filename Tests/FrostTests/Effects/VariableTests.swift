@testable import Frost
import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// Compares variable blurs on both backends with a definition that the tests implement independently.
struct VariableTests {
    static let twoDefinitions = Tolerance("two definitions", steps: 1e-9, reason: "Double's roundings")
    static let circle = Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.45, border: 0.3)

    /// A rise, a step down and a step up. The last stop lies at a step.
    static let stops: [Mask.Ramp.Stop] = [
        .init(0.2, 0.3), .init(0.5, 1), .init(0.5, 0.1), .init(0.8, 0.1), .init(0.8, 0.6),
    ]

    static func smooth(_ low: Double, _ high: Double, _ x: Double) -> Double {
        let t = min(1, max(0, (x - low) / (high - low)))
        return t * t * (3 - 2 * t)
    }

    /// Returns masks. Each of them is given twice: as a mask of the library and as a function.
    static func masks() throws -> [(mask: Mask, image: MaskImage?, shape: VariableOracle.Shape)] {
        let images = [
            try TestImage.make(.gradient, 40, 30, PixelFormat(.grey)), try TestImage.make(.uniformNoise, 9, 13),
            try TestImage.make(.binaryNoise, 33, 17, PixelFormat(.grey)),
            try TestImage.make(1, 1, PixelFormat(.grey)) { _, _, _ in 1 },
            try TestImage.make(3, 1, PixelFormat(.grey)) { _, _, _ in 0 },
        ].map { MaskImage($0) }
        return images.map { (.image, $0, VariableOracle.stretched($0)) } + [
            (
                .ramp(Mask.Ramp(from: 0.8, to: 0.1, angle: 0)), nil,
                { x, _, width, _ in
                    min(1, max(0, (0.8 - x / width) / 0.7))
                }
            ),
            (.ramp(Mask.Ramp(from: 0, to: 1, angle: 45)), nil, { x, y, width, height in (x + y) / (width + height) }),
            (
                .ramp(Mask.Ramp(stops: stops, angle: 90)), nil,
                { _, y, _, height in
                    let at = y / height
                    return at < 0.2 ? 0.3 : at < 0.5 ? 0.3 + 0.7 * (at - 0.2) / 0.3 : at < 0.8 ? 0.1 : 0.6
                }
            ),
            (
                .band(Mask.Band(top: 0.4, bottom: 0.5, falloff: 0.3)), nil,
                { _, y, _, height in
                    1 - smooth(0.1, 0.4, y / height) + smooth(0.5, 0.8, y / height)
                }
            ),
            (
                .circle(circle), nil,
                { x, y, width, height in
                    let (dx, dy) = (x - 0.4 * width, y - 0.6 * height)
                    return smooth(0.15, 0.45, (dx * dx + dy * dy).squareRoot() / width)
                }
            ),
        ]
    }

    static func effect(_ sigma: Double, _ mask: Mask, _ edge: EdgeMode = .clamp) throws -> Effect {
        Effect(name: "variable", blur: try VariableBlur(sigma: sigma, mask: mask, edge: edge))
    }

    @Test(
        "CPU and GPU are within a step of the definition for every mask and edge", arguments: EdgeMode.allCases,
        Worker.wanted)
    func withinAStep(edge: EdgeMode, worker: Worker) throws {
        let renderer = try worker.renderer()
        let sizes = [(1, 1), (3, 50), (37, 2), (97, 71)]
        let pictures = [Picture.photograph, .screenshot, .softAlpha, .binaryNoise]
        let formats = [PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb)]
        for (n, (mask, image, shape)) in try Self.masks().enumerated() {
            let (width, height) = n < 3 ? sizes[n] : sizes[3]
            let picture = try TestImage.make(pictures[n % 4], width, height, formats[n % 3])
            var effect = try Self.effect([7, 20, 0.6][n % 3], mask, edge)
            effect.growth = n % 2 == 0 ? 0 : 9
            let region = effect.region(extent: picture.layout.extent)
            let context = "mask \(n) on \(pictures[n % 4]) \(width)x\(height), \(edge)"
            let oracle = VariableOracle(sigma: [7, 20, 0.6][n % 3], edge: edge, mask: shape)
            let expected = try oracle.render(picture, region: region)
            let result = try renderer.renderNow(picture, effect, mask: image)
            #expect(result.report.backend == (worker == .gpu ? .gpu : .cpu))
            #expect(result.report.warning == nil && result.report.errorBound <= 0.4)
            try expectClose(SampleRows(result.image).expanded(to: .rgba), expected, within: .promise8, context)
            guard worker == .cpu else { continue }
            let exact = try renderer.exact(picture, effect, mask: image).expanded(to: .rgba)
            let tolerance = image?.isAveraged(on: picture) == true ? Tolerance.averagedMask : Self.twoDefinitions
            try expectClose(exact, expected, within: tolerance, "exact \(context)")
        }
    }

    @Test("every format keeps its promise", arguments: TestImage.formats, Worker.wanted)
    func formats(format: PixelFormat, worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.softAlpha, 61, 47, format)
        let oracle = VariableOracle(sigma: 8) { x, y, width, height in (x + y) / (width + height) }
        let effect = try Self.effect(8, .ramp(Mask.Ramp(from: 0, to: 1, angle: 45)))
        try expectClose(
            SampleRows(renderer.renderNow(picture, effect).image).expanded(to: .rgba), oracle.render(picture),
            within: .promise(format.sample), "\(format)")
    }

    /// A mask with more pixels than the picture is reduced, so outside the picture it has the mean value of many pixels.
    @Test("a region outside the picture shows the mask's nearest value", arguments: Worker.wanted)
    func outside(worker: Worker) throws {
        let picture = try TestImage.make(.gradient, 1, 4)
        let image = MaskImage(try TestImage.make(.binaryNoise, 40, 41, PixelFormat(.grey)))
        let oracle = VariableOracle(sigma: 8, mask: VariableOracle.stretched(image))
        for region in [Rect(x: -7, y: -9, width: 2, height: 7), Rect(x: 5, y: 2, width: 3, height: 9)] {
            let result = try worker.renderer().renderNow(picture, Self.effect(8, .image), mask: image, region: region)
            try expectClose(
                SampleRows(result.image).expanded(to: .rgba), oracle.render(picture, region: region),
                within: .promise8, "\(region)")
        }
    }

    @Test("a large radius", arguments: Worker.wanted) func large(worker: Worker) throws {
        let picture = try TestImage.make(.binaryNoise, 120, 90, PixelFormat(.rgb))
        let image = MaskImage(try TestImage.make(.binaryNoise, 60, 45, PixelFormat(.grey)))
        let oracle = VariableOracle(sigma: 300, mask: VariableOracle.stretched(image))
        try expectClose(
            SampleRows(worker.renderer().renderNow(picture, Self.effect(300, .image), mask: image).image)
                .expanded(to: .rgba), oracle.render(picture), within: .promise8)
    }

    @Test("a mask of 1 is the plain blur, one of 0 the picture", arguments: Worker.wanted)
    func constants(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 90, 60, PixelFormat(.rgb))
        let effect = try Self.effect(6, .image)
        func result(_ value: Double) throws -> PixelBuffer {
            let mask = MaskImage(try TestImage.make(2, 2, PixelFormat(.grey)) { _, _, _ in value })
            return try renderer.renderNow(picture, effect, mask: mask).image
        }
        try expectIdentical(try result(0), picture)
        let plain = try renderer.renderNow(picture, Effect(GaussianBlur(sigma: 6))).image
        try expectClose(try result(1), plain, within: .promise8)
    }

    @Test("colour stages, clips and dither follow the mixture", arguments: Worker.wanted)
    func outputStages(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.softAlpha, 90, 70)
        let image = try Self.masks()[1].image
        var effect = try Self.effect(9, .image, .mirror)
        effect.outputStages = try EffectCatalog.effect("light").make().outputStages
        effect.outputStages.clip = OutputStagesTests.rounded
        effect.outputStages.dither = nil
        let exact = try renderer.exact(picture, effect, mask: image)
        try expectClose(
            SampleRows(renderer.renderNow(picture, effect, mask: image).image), exact, within: .promise8)
        effect.outputStages.dither = Dither()
        let dithered = SampleRows(try renderer.renderNow(picture, effect, mask: image).image)
        #expect(try Comparison(dithered, exact).maximum < 1.5)
    }

    @Test("tiles do not show", .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
    func tiles() throws {
        let tiling = try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: 128))
        let picture = try TestImage.make(.softAlpha, 250, 205)
        for (mask, image, _) in [try Self.masks()[0], try Self.masks()[5]] {
            var effect = try Self.effect(4, mask, .mirror)
            effect.outputStages.dither = Dither()
            let tiled = try tiling.renderNow(picture, effect, mask: image)
            #expect(tiled.report.backend == .gpu)
            let whole = try TestGPU.renderer().renderNow(picture, effect, mask: image)
            try expectIdentical(tiled.image, whole.image)
        }
    }

    // MARK: Smooth transitions between levels

    /// The picture has a horizontal edge, and the mask grows along this edge. The result must stay within a step of a
    /// Gaussian with the sigma of each single pixel, and the slope may change by only a fraction of a step per pixel. If
    /// each pixel used only the nearest level, there would be jumps of ten steps.
    @Test("a smooth mask shows no levels", arguments: Worker.wanted) func noSteps(worker: Worker) throws {
        let (width, height, sigma) = (400, 101, 24.0)
        let picture = try TestImage.make(width, height, PixelFormat(.grey, .f32)) { _, y, _ in y < 50 ? 0 : 1 }
        /// Returns a row near the edge, in 8-bit steps.
        func row(_ rows: SampleRows) -> [Double] {
            let count = rows.channels.count
            return (0..<width).map { rows[42][$0 * count] * 255 }
        }
        func bend(_ row: [Double]) -> Double {
            let slopes = zip(row.dropFirst(), row).map { $0 - $1 }
            return zip(slopes.dropFirst(), slopes).map { abs($0 - $1) }.max() ?? 0
        }
        let own = (0..<width).map { x -> Double in
            // The white area begins 8 pixels below the compared row.
            let part = (Double(x) + 0.5) / Double(width)
            let taps = SampledGaussian.taps(sigma: max(sigma * part, 0.01))
            return 255 * taps.dropFirst(taps.count / 2 + 8).reduce(0, +)
        }
        func farthest(_ row: [Double]) -> Double { zip(row, own).map { abs($0 - $1) }.max() ?? 0 }

        let effect = try Self.effect(sigma, .ramp(Mask.Ramp(from: 0, to: 1, angle: 0)))
        let result = row(SampleRows(try worker.renderer().renderNow(picture, effect).image))
        let nearest = row(
            try VariableOracle(sigma: sigma, takesNearest: true) { x, _, width, _ in x / width }.render(picture))
        print("VARIABLE bends by \(bend(result)), own \(bend(own)), nearest level \(bend(nearest))")
        #expect(farthest(result) < 0.6 && bend(result) < 0.16)
        #expect(farthest(nearest) > 5 && bend(nearest) > 10)
    }

    @Test("levels that appear or vanish while the radius is animated do not show")
    func noPops() throws {
        let picture = try TestImage.make(.binaryNoise, 60, 40, PixelFormat(.rgb))
        let renderer = try Renderer(backend: .exact)
        for k in 0..<12 {
            let sigma = 0.2 * [1, 1.189207115, 1.414213562, 1.681792831][k % 4] * Double(1 << (k / 4))
            let (before, after) = try (
                renderer.exact(picture, Self.effect(sigma * (1 - 1e-6), .ramp(Mask.Ramp(from: 0, to: 1)))),
                renderer.exact(picture, Self.effect(sigma * (1 + 1e-6), .ramp(Mask.Ramp(from: 0, to: 1))))
            )
            #expect(try Comparison(before, after).maximum < 0.2, "at \(sigma)")
        }
    }
}
