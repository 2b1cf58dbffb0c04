import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Checks transitions through ``Renderer``, on every backend.
struct TransitionTests {
    /// A backend and the name of a transition.
    struct Case: Sendable, CustomTestStringConvertible {
        let backend: Backend
        let name: String
        var testDescription: String { "\(name), \(backend)" }

        var description: TransitionDescription {
            get throws { try TransitionCatalog.transition(name) }
        }

        /// The laws, drawn by the backend.
        var laws: TransitionLaws {
            get throws {
                let renderer = try TransitionTests.renderer(backend)
                // The results are floats, so those of the exact backend are rounded to 2^-24.
                return TransitionLaws(backend.rawValue, error: backend == .exact ? 255 * 0x1p-24 : 0.1) {
                    SampleRows(try TransitionTests.render(renderer, $0, at: $1, $2, region: $3))
                }
            }
        }
    }

    static let backends = Backends.wanted(.exact, .cpu, .gpu)
    static let all = cases(backends)

    private static func cases(_ backends: [Backend]) -> [Case] {
        backends.flatMap { backend in TransitionCatalog.all.map { Case(backend: backend, name: $0.name) } }
    }

    private static func renderer(_ backend: Backend) throws -> Renderer {
        backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: backend)
    }

    /// Renders a frame with those extra images that the transition can use.
    private static func render(
        _ renderer: Renderer, _ transition: Transition, at time: Double, _ pictures: TransitionPictures,
        region: Rect? = nil
    ) throws -> PixelBuffer {
        let used = transition.extraImages
        let extraImages = TransitionExtraImages(
            mask: used.contains(.mask) ? pictures.mask : nil, shading: used.contains(.shading) ? pictures.shading : nil,
            backside: used.contains(.backside) ? pictures.backside : nil)
        return try renderer.render(
            transition, at: time, from: pictures.source, to: pictures.target, extraImages: extraImages, region: region
        ).image
    }

    @Test("at time 0 the result is the source, and at time 1 the target", arguments: all)
    func ends(_ test: Case) throws { try test.laws.ends(test.description) }

    @Test("the result begins near the source and ends near the target", arguments: all)
    func nearEnds(_ test: Case) throws { try test.laws.nearEnds(test.description) }

    @Test("the target's share never falls", arguments: all)
    func neverFalls(_ test: Case) throws { try test.laws.neverFalls(test.description) }

    @Test("equal images of one colour give this colour", arguments: all)
    func constants(_ test: Case) throws { try test.laws.constants(test.description) }

    @Test(
        "half a turn of everything is half a turn of the result",
        arguments: all.filter { $0.name != "accordion-fold" })
    func halfTurn(_ test: Case) throws { try test.laws.halfTurn(test.description) }

    @Test("moved images and a moved extent move the result", arguments: all)
    func moves(_ test: Case) throws { try test.laws.moves(test.description) }

    @Test("every parameter and every image changes the result", arguments: all)
    func parameters(_ test: Case) throws { try test.laws.everyParameterCounts(test.description) }

    /// The laws of single transitions on one backend.
    private static func laws(_ backend: Backend) throws -> TransitionLaws {
        try Case(backend: backend, name: "flash").laws
    }

    @Test("a flash is white at its threshold, only adds light, and does not jump", arguments: backends)
    func flash(_ backend: Backend) throws {
        let laws = try Self.laws(backend)
        try laws.flashIsWhite()
        try laws.onlyAddsLight(TransitionCatalog.transition("flash"))
        try laws.flashDoesNotJump()
    }

    @Test("the bar of a copy machine has soft edges", arguments: backends)
    func bar(_ backend: Backend) throws { try Self.laws(backend).softBar() }

    @Test("the folds of an accordion are visible by default", arguments: backends)
    func folds(_ backend: Backend) throws { try Self.laws(backend).visibleFolds() }

    @Test("the edge of a page's back is covered as it is geometrically", arguments: backends)
    func curlEdge(_ backend: Backend) throws { try Self.laws(backend).curlEdge() }

    @Test("the ends are copies, byte for byte, even under transparent pixels", arguments: all)
    func bytes(_ test: Case) throws {
        var generator = SeededGenerator(seed: 41)
        let renderer = try Self.renderer(test.backend)
        for format in TestImage.formats {
            let pictures = TransitionPictures(
                try TestImage.noise(19, 7, format, seed: 1), try TestImage.noise(19, 7, format, seed: 2),
                mask: MaskImage(try TestImage.make(.uniformNoise, 5, 5, PixelFormat(.grey))))
            var transition = try test.description.random(using: &generator)
            transition.decoding = .sRGB
            guard try transition.outputFormat(from: pictures.source.layout, to: pictures.target.layout) == format else {
                continue
            }
            for (time, image) in [(0.0, pictures.source), (1, pictures.target)] {
                let result = try Self.render(renderer, transition, at: time, pictures)
                #expect(result.pixelBytes == image.pixelBytes, "\(format) at \(time)")
            }
        }
    }

    /// `frost transition` draws opaque pictures with an alpha channel, which it ignores.
    @Test("opaque pictures of one size give opaque frames", arguments: all)
    func opaque(_ test: Case) throws {
        var generator = SeededGenerator(seed: 43)
        let renderer = try Self.renderer(test.backend)
        func picture(_ width: Int, _ height: Int, _ seed: UInt64) throws -> PixelBuffer {
            try TestImage.noise(width, height, PixelFormat(.rgb), seed: seed).addingOpaqueAlpha()
        }
        let mask = MaskImage(try TestImage.make(.uniformNoise, 5, 5, PixelFormat(.grey)))
        let (source, large) = (try picture(45, 33, 1), try picture(46, 33, 3))
        let pictures = TransitionPictures(
            source, try picture(45, 33, 2), mask: mask, backside: try picture(20, 50, 5), shading: try picture(9, 9, 4))
        for time in [0, 1e-6, 0.1, 0.3, 0.5, 0.7, 0.9, 1 - 1e-6, 1] {
            for _ in 0..<4 {
                let transition = try test.description.random(using: &generator)
                let frame = try Self.render(renderer, transition, at: time, pictures)
                #expect(frame.isOpaque, "\(transition) at \(time)")
            }
        }
        let frame = try Self.render(
            renderer, test.description.make(), at: 0, TransitionPictures(source, large, mask: mask))
        #expect(!frame.isOpaque)
    }

    /// The tests of FrostCPU compare the CPU with the definition, in more formats.
    @Test("the GPU is within the bound of the exact backend", arguments: cases(Backends.wanted(.gpu)))
    func accuracy(_ test: Case) throws {
        var generator = SeededGenerator(seed: 42)
        let formats = [
            PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
            PixelFormat(.bgra), PixelFormat(.rgba, .u16), PixelFormat(.rgba, .f32),
        ]
        for format in formats {
            for (source, target) in [((17, 5), (17, 5)), ((45, 33), (45, 33)), ((40, 21), (25, 50))] {
                let pictures = try Self.pictures(format, source, target)
                for time in [1e-6, 0.3, 0.5, 0.8, 1 - 1e-6] {
                    let transition = try test.description.random(using: &generator)
                    try Self.expectExact(test.backend, transition, at: time, pictures)
                }
            }
        }
    }

    @Test("distances stay precise in wide images", arguments: Backends.wanted(.cpu, .gpu))
    func wideImages(_ backend: Backend) throws {
        let swipe = try TransitionCatalog.transition("swipe").make(parsing: "angle=17 width=1")
        let pictures = try Self.pictures(PixelFormat(.grey, .f32), (8192, 6), (8192, 6))
        for time in [0.02, 0.5, 0.98] { try Self.expectExact(backend, swipe, at: time, pictures) }
    }

    private static func pictures(
        _ format: PixelFormat, _ source: (Int, Int), _ target: (Int, Int)
    ) throws -> TransitionPictures {
        TransitionPictures(
            try TestImage.make(.uniformNoise, source.0, source.1, format, seed: 1),
            try TestImage.make(.uniformNoise, target.0, target.1, format, seed: 2),
            mask: MaskImage(try TestImage.make(.uniformNoise, 13, 9, PixelFormat(.grey), seed: 5)),
            backside: try TestImage.make(.uniformNoise, 12, 10, format, seed: 3),
            shading: try TestImage.make(.softAlpha, 9, 9, format, seed: 4))
    }

    /// Expects a frame to be within the bound of its plan of the exact backend's frame. Both results are rounded.
    private static func expectExact(
        _ backend: Backend, _ transition: Transition, at time: Double, _ pictures: TransitionPictures
    ) throws {
        let plan = try transition.plan(
            at: time, from: pictures.source.layout.extent, to: pictures.target.layout.extent)
        let format = pictures.source.format
        try expectClose(
            render(renderer(backend), transition, at: time, pictures),
            render(renderer(.exact), transition, at: time, pictures),
            within: Tolerance(
                "\(backend)", steps: plan.errorBound + 2 * Tolerance.rounding(format.sample) + 1e-4,
                reason: "the plan's bound + rounding"),
            "\(transition) \(format) at \(time)")
    }

    @Test("times outside 0...1 are refused", arguments: all)
    func times(_ test: Case) throws {
        let image = try TestImage.make(.gradient, 5, 4)
        let pictures = TransitionPictures(image, image, mask: MaskImage(image))
        let (renderer, transition) = (try Self.renderer(test.backend), try test.description.make())
        for time in [-0.1, 1.1, .nan, .infinity] {
            #expect {
                try Self.render(renderer, transition, at: time, pictures)
            } throws: { error in
                guard case .parameter(.outOfRange("time", _, 0...1))? = error as? FrostError else { return false }
                return true
            }
        }
    }

    @Test("extra images that a transition cannot use are refused, and so is a missing mask", arguments: all)
    func extraImages(_ test: Case) throws {
        let image = try TestImage.make(.gradient, 5, 4)
        let (renderer, transition) = (try Self.renderer(test.backend), try test.description.make())
        for extra in Transition.ExtraImage.allCases where !transition.extraImages.contains(extra) {
            var extraImages = TransitionExtraImages()
            switch extra {
            case .mask: extraImages.mask = MaskImage(image)
            case .shading: extraImages.shading = image
            case .backside: extraImages.backside = image
            }
            #expect(throws: FrostError.parameter(.extraImage(extra.rawValue, needed: false))) {
                try renderer.render(transition, at: 0.5, from: image, to: image, extraImages: extraImages)
            }
        }
        if transition.extraImages.contains(.mask) {
            #expect(throws: FrostError.parameter(.extraImage("mask", needed: true))) {
                try renderer.render(transition, at: 0.5, from: image, to: image)
            }
        }
    }
}
