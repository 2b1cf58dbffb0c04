@testable import Frost
import FrostCore
import FrostCPU
import FrostGPU
import FrostTestSupport
import Testing

/// Compares disc, motion and zoom blurs on both backends with the exact reference. Also compares this reference with
/// definitions that the tests implement independently.
struct Kernel2DTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let blur: @Sendable (EdgeMode) throws -> any Blur
        let oracle: Kernel2DOracle

        var testDescription: String { name }
        func effect(_ edge: EdgeMode) throws -> Effect { Effect(name: name, blur: try blur(edge)) }
    }

    static func disc(_ radius: Double) -> Case {
        Case(
            name: "disc \(radius)", blur: { try DiscBlur(radius: radius, edge: $0) },
            oracle: .disc(radius: radius))
    }

    static func motion(_ radius: Double, _ angle: Double) -> Case {
        Case(
            name: "motion \(radius) at \(angle)",
            blur: { try MotionBlur(radius: radius, angle: angle, edge: $0) },
            oracle: .motion(radius: radius, clockwise: -angle))
    }

    static func zoom(_ x: Double, _ y: Double, inward: Double, outward: Double) -> Case {
        Case(
            name: "zoom \(x) \(y) by \(inward) \(outward)",
            blur: { try ZoomBlur(centerX: x, centerY: y, scales: (1 - inward)...(1 + outward), edge: $0) },
            oracle: .zoom(centerX: x, centerY: y, inward: inward, outward: outward))
    }

    static let cases = [
        disc(0.3), disc(0.8), disc(3.37), disc(12), motion(0.7, 1), motion(6.2, 0.4), motion(15, .pi / 2),
        motion(15, -2), zoom(0.5, 0.5, inward: 0.2, outward: 0), zoom(0.1, 0.87, inward: 0.4, outward: 0.3),
        zoom(0, 1, inward: 1, outward: 0), zoom(0.3, 0.4, inward: 0, outward: 1),
    ]
    static let sizes = [(1, 1), (3, 50), (37, 2), (101, 73)]
    static let pictures: [Picture] = [.photograph, .screenshot, .softAlpha, .binaryNoise]

    @Test("CPU and GPU are within a step of the definition at every edge", arguments: cases, Worker.wanted)
    func withinAStep(one: Case, worker: Worker) throws {
        let renderer = try worker.renderer()
        for (e, edge) in EdgeMode.allCases.enumerated() {
            for (n, (width, height)) in Self.sizes.enumerated() {
                let picture = Self.pictures[(n + e) % Self.pictures.count]
                let formats = [
                    PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb),
                    PixelFormat(.bgra), PixelFormat(.grey),
                ]
                let image = try TestImage.make(picture, width, height, formats[(n + 2 * e) % formats.count])
                var effect = try one.effect(edge)
                // A plan that only copies pixels adds no alpha channel. So its result cannot show the area outside the
                // image.
                let isCopy = try effect.plan(extent: image.layout.extent).isCopy
                (effect.growthX, effect.growthY) = n % 2 == 0 || isCopy ? (0, 0) : (17, 5)
                let region = effect.region(extent: image.layout.extent)
                let context = "\(effect) of \(picture) \(width)x\(height) \(image.format)"
                let exact = try renderer.exact(image, effect).expanded(to: .rgba)
                let result = try renderer.renderNow(image, effect)
                #expect(result.report.warning == nil)
                // The bound covers two float errors: errors in the weights of runs, and, in small pictures, errors in the
                // sampling positions of a zoom.
                #expect(result.report.errorBound < 0.01)
                try expectClose(
                    SampleRows(result.image).expanded(to: .rgba), exact, within: .promise8, context)
                guard worker == .cpu else { continue }
                let oracle = EffectOracle.kernel2D(one.oracle, image, edge: edge, region: region)
                try expectClose(exact, oracle, within: BoxTests.twoDefinitions, "exact \(context)")
            }
        }
    }

    @Test("16 bits and floats keep their promise", arguments: cases, Worker.wanted)
    func deepFormats(one: Case, worker: Worker) throws {
        let renderer = try worker.renderer()
        for (sample, channels) in [(SampleType.u16, ChannelLayout.rgba), (.f32, .rgba), (.u16, .grey), (.f32, .rgb)] {
            let image = try TestImage.make(.softAlpha, 61, 47, PixelFormat(channels, sample))
            let effect = try one.effect(.mirror)
            try expectClose(
                SampleRows(renderer.renderNow(image, effect).image), renderer.exact(image, effect),
                within: .promise16, "\(sample) \(channels)")
        }
    }

    @Test("the largest kernels") func largest() throws {
        let renderers = try Worker.wanted.map { ($0, try $0.renderer()) }
        let exactRenderer = try Renderer(backend: .cpu)
        let image = try TestImage.make(.softAlpha, 83, 61)
        for (number, one) in [Self.disc(100), Self.motion(100, 0.5), Self.motion(100, 2.2)].enumerated() {
            for edge in TestCases.share(EdgeMode.allCases, of: 3, from: number) {
                let effect = try one.effect(edge)
                let exact = try exactRenderer.exact(image, effect)
                for (worker, renderer) in renderers {
                    let result = try renderer.renderNow(image, effect)
                    #expect(result.report.backend == (worker == .gpu ? .gpu : .cpu))
                    try expectClose(SampleRows(result.image), exact, within: .promise8, "\(effect), \(worker)")
                }
            }
        }
    }

    /// A thin line to the centre has the largest second differences, all with the same sign, at the pixels that the line of an
    /// output pixel crosses. Lines whose slope is a ratio of small numbers cross many pixels at the same place between two rays.
    @Test("a zoom of a thin line to the centre", arguments: [0, 1 / 3.0, 0.4, 3 / 7.0, 1 / 11.0, 0.618, 1, 0.1234])
    func thinLine(slope: Double) throws {
        let renderer = try Renderer(backend: .cpu, threads: 2)
        for (centre, inward) in [((0.5, 0.5), 0.9), ((0.1, 0.2), 0.35)] {
            for (dark, light) in [(0.0, 1.0), (1, 0)] {
                let image = try TestImage.make(601, 301, PixelFormat(.grey)) { x, y, _ in
                    let (dx, dy) = (Double(x) + 0.5 - centre.0 * 601, Double(y) + 0.5 - centre.1 * 301)
                    return abs(dy - slope * dx) <= 0.5 ? dark : light
                }
                let effect = try Self.zoom(centre.0, centre.1, inward: inward, outward: 0).effect(.clamp)
                try expectClose(
                    SampleRows(renderer.renderNow(image, effect).image), renderer.exact(image, effect),
                    within: .promise8,
                    "\(slope), \(centre)")
            }
        }
    }

    @Test("masks, rectangles and colour follow as after other blurs", arguments: Worker.wanted)
    func outputStages(worker: Worker) throws {
        let renderer = try worker.renderer()
        for one in [Self.disc(7.5), Self.motion(9, 0.8), Self.zoom(0.4, 0.6, inward: 0.3, outward: 0.1)] {
            for edge in EdgeMode.allCases {
                let image = try TestImage.make(.softAlpha, 150, 100)
                var effect = try one.effect(edge)
                effect.outputStages = try GPUEffectTests.everything().outputStages
                effect.growth = edge == .clear ? 9 : 0
                let mask = try GPUEffectTests.mask()
                let result = try renderer.renderNow(image, effect, mask: mask)
                try expectClose(
                    SampleRows(result.image), renderer.exact(image, effect, mask: mask), within: .promise8,
                    "\(effect)")
            }
        }
        // If the radius is 0, only the output stages run.
        var still = try Self.disc(0).effect(.clamp)
        still.outputStages.inside = [.matrix(.saturation(0))]
        let image = try TestImage.make(.photograph, 40, 30)
        try expectClose(
            SampleRows(renderer.renderNow(image, still).image), renderer.exact(image, still), within: .promise8)
    }

    @Test("rows as they arrive give the same bytes", arguments: cases) func streams(one: Case) throws {
        for edge in EdgeMode.allCases {
            let image = try TestImage.make(.softAlpha, 130, 111)
            var effect = try one.effect(edge)
            effect.outputStages.mask = .circle(Mask.Circle(centerX: 0.5, centerY: 0.4, radius: 0.2, border: 0.2))
            let whole = try Renderer(backend: .cpu, threads: 1).renderNow(image, effect).image
            let plan = try effect.plan(extent: image.layout.extent)
            let flow = try RowFlow(plan, source: image.format, target: whole.format)
            var bytes: [UInt8] = []
            for y in flow.sourceRows {
                try unsafe Array(image.rowBytes(y)).withUnsafeBytes { row in
                    try unsafe flow.push(#require(row.baseAddress)) { unsafe bytes += Array($1) }
                }
            }
            #expect(bytes == whole.pixelBytes, "stream, \(effect)")
        }
    }

    @Test(
        "tiles are the whole, to the bit but for zooms", .enabled(if: TestGPU.isWanted, TestGPU.skipReason),
        arguments: cases)
    func tiles(one: Case) throws {
        let tiling = try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: 128))
        let image = try TestImage.make(.softAlpha, 230, 105)
        for edge in EdgeMode.allCases where edge != .repeat {
            let effect = try one.effect(edge)
            // A zoom is refused if it reads more pixels than one texture can hold.
            guard let tiled = try? tiling.renderNow(image, effect) else {
                #expect(one.name.hasPrefix("zoom"))
                continue
            }
            let isCopy = try effect.plan(extent: image.layout.extent).isCopy
            #expect(tiled.report.backend == (isCopy ? .cpu : .gpu))
            try expectClose(SampleRows(tiled.image), tiling.exact(image, effect), within: .promise8, "\(effect)")
            guard !one.name.hasPrefix("zoom") else { continue }
            try expectIdentical(tiled.image, TestGPU.renderer().renderNow(image, effect).image, "\(effect)")
        }
    }

    @Test("the comparison notices a kernel that is slightly off", arguments: Worker.wanted)
    func comparisonFailsForOtherKernels(worker: Worker)
        throws
    {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.screenshot, 120, 90)
        for (one, other) in [
            (Self.disc(8), Self.disc(8.3)), (Self.motion(12, 0.3), Self.motion(12, -0.3)),
            (Self.motion(12, 0.3), Self.motion(12.5, 0.3)),
            (
                Self.zoom(0.5, 0.5, inward: 0.2, outward: 0), Self.zoom(0.5, 0.5, inward: 0, outward: 0.2)
            ),
            (
                Self.zoom(0.5, 0.5, inward: 0.2, outward: 0), Self.zoom(0.52, 0.5, inward: 0.2, outward: 0)
            ),
        ] {
            let result = SampleRows(try renderer.renderNow(image, one.effect(.clamp)).image)
            let wrong = EffectOracle.kernel2D(other.oracle, image)
            #expect(try Comparison(result, wrong).maximum > 1.5, "\(one.name) for \(other.name)")
        }
    }
}
