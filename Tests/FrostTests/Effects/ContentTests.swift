@testable import Frost
@testable import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// Compares effects with plain or vibrant content, on both backends, with an independent oracle.
@Suite(.serialized)
struct ContentTests {
    static let backends: [Backend] = TestGPU.isWanted ? [.cpu, .gpu] : [.cpu]

    static let tiling = Result { () throws(FrostError) in
        try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: 64))
    }

    static func renderer(_ backend: Backend) throws -> Renderer {
        backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: .cpu, threads: 2)
    }

    /// Returns an effect and its oracle. Their blur is small, so that the tests run fast.
    static func subject(_ name: String) throws -> (Effect, EffectOracle) {
        let made = try EffectCatalog.effect(name).make()
        var oracle = try #require(EffectOracle.named(name))
        oracle.sigma = 2.5
        let kernel = try GaussianBlur(sigma: 2.5, edge: made.edge)
        return (
            Effect(name: name, blur: kernel, outputStages: made.outputStages, appearance: made.appearance), oracle
        )
    }

    static func drawn(
        _ backend: Backend, _ effect: Effect, _ oracle: EffectOracle, _ image: PixelBuffer
    ) throws -> (actual: SampleRows, expected: SampleRows, exact: SampleRows) {
        var effect = effect
        effect.outputStages.dither = nil
        let renderer = try renderer(backend)
        let result = try renderer.renderNow(image, effect)
        #expect(result.report.backend == backend)
        return (
            SampleRows(result.image).expanded(to: .rgba), try oracle.render(image),
            try renderer.exact(image, effect).expanded(to: .rgba)
        )
    }

    static func check(
        _ backend: Backend, _ effect: Effect, _ oracle: EffectOracle, _ image: PixelBuffer, _ context: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let rows = try drawn(backend, effect, oracle, image)
        try expectClose(
            rows.actual, rows.expected, within: .promise(image.format.sample), "\(backend), \(context)",
            sourceLocation: sourceLocation)
        try expectClose(
            rows.exact, rows.expected, within: Tolerance("two definitions", steps: 1e-9, reason: "Double's roundings"),
            "exact, \(context)", sourceLocation: sourceLocation)
    }

    /// Creates a coloured label with soft edges.
    static func label(_ width: Int = 40, _ height: Int = 26) throws -> PixelBuffer {
        try TestImage.make(.softAlpha, width, height, seed: 7)
    }

    static let styles = [
        ("blur-dark", "dark"), ("blur-extra-light", "light"), ("material-chrome-dark", "dark"),
        ("material-thin-light", "light"), ("dark", "dark"),
    ]

    @Test("content of every kind is within the promise of its oracle", arguments: backends, styles.indices)
    func everyKind(_ backend: Backend, _ s: Int) throws {
        let label = try Self.label()
        let kinds: [Vibrancy.Kind?] = Vibrancy.Kind.allCases + [nil]
        let (name, appearance) = Self.styles[s]
        for (n, kind) in kinds.enumerated() {
            let picture: Picture = [.photograph, .screenshot, .softAlpha, .uniformNoise][(s + n) % 4]
            let format = [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.bgra, alpha: .premultiplied)][n % 3]
            for (width, height) in [(67, 41), (31, 50), (3, 2), (1, 1)] {
                let image = try TestImage.make(picture, width, height, format)
                var (effect, oracle) = try Self.subject(name)
                let vibrancy = kind.flatMap(effect.vibrancy)
                #expect((vibrancy == nil) == (kind == nil))
                effect.outputStages.content = [ContentLayer(ContentImage(label), vibrancy: vibrancy)]
                oracle.content = [ContentOracle(label, vibrancy: kind.map { (appearance, $0.rawValue) })]
                try Self.check(
                    backend, effect, oracle, image,
                    "\(name), \(kind?.rawValue ?? "plain") on \(picture) \(width)x\(height) \(format)")
            }
        }
    }

    @Test("content lies where its mode places it, enlarged, reduced, and outside its bounds", arguments: backends)
    func modes(_ backend: Backend) throws {
        let image = try TestImage.make(.photograph, 71, 53)
        for mode in ContentMode.allCases {
            for (n, size) in [(20, 13), (150, 33), (71, 53), (1, 1)].enumerated() {
                let label = try Self.label(size.0, size.1)
                let bounds = n % 2 == 0 ? nil : Rect(x: -9, y: 11, width: 60, height: 31)
                var (effect, oracle) = try Self.subject("blur-prominent")
                effect.outputStages.content = [
                    ContentLayer(
                        ContentImage(label), vibrancy: BlurStyle.light.vibrancy(.label), mode: mode, bounds: bounds)
                ]
                oracle.content = [
                    ContentOracle(label, mode: mode.rawValue, bounds: bounds, vibrancy: ("light", "label"))
                ]
                try Self.check(backend, effect, oracle, image, "\(mode.rawValue) of \(size), \(bounds as Any)")
            }
        }
    }

    @Test("every format, with layers one over the other, within corners", arguments: TestImage.formats)
    func formats(_ format: PixelFormat) throws {
        let image = try TestImage.make(.softAlpha, 83, 47, format)
        let (lower, upper) = (try Self.label(), try TestImage.make(.gradient, 30, 40, PixelFormat(.rgba, .u16)))
        var (effect, oracle) = try Self.subject("material-regular-dark")
        effect.outputStages.content = [
            ContentLayer(ContentImage(lower), vibrancy: BlurStyle.dark.vibrancy(.fill)),
            ContentLayer(ContentImage(upper), mode: .bottomRight),
            ContentLayer(ContentImage(lower), vibrancy: BlurStyle.dark.vibrancy(.label), mode: .center),
        ]
        oracle.content = [
            ContentOracle(lower, vibrancy: ("dark", "fill")), ContentOracle(upper, mode: "bottom-right"),
            ContentOracle(lower, mode: "center", vibrancy: ("dark", "label")),
        ]
        for backend in Self.backends { try Self.check(backend, effect, oracle, image, "\(format)") }
        // If only a region is rendered, if the picture is divided into tiles, or if corners are clipped, the pixels are the
        // same as in the whole picture.
        effect.outputStages.clip = [try RoundedRect(x: 5.5, y: 3, width: 60, height: 40, radius: 12)]
        let part = Rect(x: 31, y: 17, width: 40, height: 25)
        for backend in Self.backends {
            let renderer = try Self.renderer(backend)
            let whole = try renderer.renderNow(image, effect).image
            try expectIdentical(
                renderer.renderNow(image, effect, region: part).image, whole.cropped(to: part), "part, \(backend)")
            guard backend == .gpu, format.sample == .u8 else { continue }
            try expectIdentical(Self.tiling.get().renderNow(image, effect).image, whole, "tiles")
        }
    }

    @Test("the comparison fails for another kind, style, place, order, or none", arguments: backends)
    func comparisonFailsForOtherContent(_ backend: Backend) throws {
        let image = try TestImage.make(.photograph, 93, 61)
        let label = try Self.label()
        let icon = try TestImage.make(.gradient, 60, 50)
        var (subject, oracle) = try Self.subject("blur-dark")
        subject.outputStages.content = [
            ContentLayer(ContentImage(label), vibrancy: BlurStyle.dark.vibrancy(.label)),
            ContentLayer(ContentImage(icon), mode: .center),
        ]
        oracle.content = [ContentOracle(label, vibrancy: ("dark", "label")), ContentOracle(icon, mode: "center")]
        func steps(_ change: (inout [ContentLayer]) -> Void) throws -> Double {
            var effect = subject
            change(&effect.outputStages.content)
            let rows = try Self.drawn(backend, effect, oracle, image)
            return try Comparison(rows.actual, rows.expected).maximum
        }
        #expect(try steps { _ in } <= 1)
        #expect(try steps { $0[0].vibrancy = BlurStyle.dark.vibrancy(.secondaryLabel) } > 1)
        #expect(try steps { $0[0].vibrancy = BlurStyle.light.vibrancy(.label) } > 1)
        #expect(try steps { $0[0].vibrancy = nil } > 1)
        #expect(try steps { $0[1].mode = .left } > 1)
        #expect(try steps { $0[1].bounds = Rect(x: 1, y: 0, width: 93, height: 61) } > 1)
        #expect(try steps { $0.swapAt(0, 1) } > 1)
        #expect(try steps { $0 = [] } > 1)
    }

    @Test("content shows where a mask hides the effect")
    func masked() throws {
        let image = try TestImage.make(.photograph, 80, 60)
        var effect = try EffectCatalog.effect("tilt-shift").make()
        effect.outputStages.content = [ContentLayer(ContentImage(try Self.label()), mode: .center)]
        var oracle = try #require(EffectOracle.named("tilt-shift"))
        oracle.content = [ContentOracle(try Self.label(), mode: "center")]
        for backend in Self.backends { try Self.check(backend, effect, oracle, image, "masked") }
    }

    @Test("invalid bounds are refused, and distant ones show nothing")
    func bounds() throws {
        let image = try TestImage.make(.photograph, 20, 10)
        var effect = try EffectCatalog.effect("blur-dark").make()
        effect.outputStages.dither = nil
        let plain = try Self.renderer(.cpu).renderNow(image, effect).image
        func layer(_ bounds: Rect) throws -> [ContentLayer] {
            [ContentLayer(ContentImage(try Self.label()), mode: .aspectFill, bounds: bounds)]
        }
        for bounds in [Rect(x: 0, y: 0, width: 0, height: 5), Rect(x: .max, y: 0, width: 1, height: 1)] {
            effect.outputStages.content = try layer(bounds)
            #expect(throws: FrostError.self) { _ = try Self.renderer(.cpu).renderNow(image, effect) }
        }
        effect.outputStages.content = try layer(Rect(x: 1 << 39, y: -1 << 39, width: 1, height: 1 << 39))
        for backend in Self.backends {
            let result = try Self.renderer(backend).renderNow(image, effect).image
            #expect(try Comparison(SampleRows(result), SampleRows(plain)).maximum <= 1)
        }
    }

    @Test("grey stays grey under vibrancy and grey content, and takes colour from coloured content")
    func grey() throws {
        let image = try TestImage.make(.photograph, 20, 10, PixelFormat(.grey))
        var effect = try EffectCatalog.effect("blur-dark").make()
        for (content, vibrancy, channels) in [
            (try Self.label(), BlurStyle.dark.vibrancy(.label), ChannelLayout.grey),
            (try TestImage.make(.softAlpha, 9, 9, PixelFormat(.greyAlpha)), nil, .grey), (try Self.label(), nil, .rgb),
        ] {
            effect.outputStages.content = [ContentLayer(ContentImage(content), vibrancy: vibrancy)]
            for backend in Self.backends {
                #expect(try Self.renderer(backend).renderNow(image, effect).image.format.channels == channels)
            }
        }
    }
}
