import FrostCore
import FrostTestSupport
import Glibc
import Testing

@testable import Frost

/// Tests on every backend that the guaranteed contrast holds for the written pixels. Contrast is computed here by the formulas of
/// WCAG 2, with their own threshold.
@Suite(.serialized)
struct ContrastTests {
    static let names = [
        "light", "dark", "tint", "material-thin-light", "material-thin-dark", "material-chrome-light", "blur-dark",
        "7blur-neon", "gpuimage-ios", "gaussian", "glass", "glass-clear",
    ]

    /// What panels lie over.
    enum Under: CaseIterable {
        case bright, dark, saturated, text, photograph, gradient
        /// Saturated colours, greys, dark and light pixels, in areas of one to many pixels.
        case mosaic
    }

    static func luminance(_ codes: [Double]) -> Double {
        let light = codes.map { $0 <= 0.03928 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    }

    /// Returns the contrast of each opaque pixel of an 8-bit picture to a colour.
    ///
    /// - Parameter counts: whether a pixel counts.
    static func contrasts(
        _ image: PixelBuffer, to color: Color, counts: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }
    ) -> [Double] {
        let content = luminance([color.red, color.green, color.blue])
        let rows = SampleRows(image).expanded(to: .rgba)
        return (0..<image.height).flatMap { y -> [Double] in
            let row = rows[y]
            return (0..<image.width).compactMap { x in
                guard row[4 * x + 3] == 1, counts(x, y) else { return nil }
                let own = luminance(Array(row[4 * x..<4 * x + 3]))
                return (max(own, content) + 0.05) / (min(own, content) + 0.05)
            }
        }
    }

    /// Returns a random picture of a kind.
    static func picture(_ under: Under, _ random: inout SeededGenerator) throws -> PixelBuffer {
        let format =
            [PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.bgra)]
            .randomElement(using: &random) ?? PixelFormat(.rgb)
        let (width, height) = (Int.random(in: 12...48, using: &random), Int.random(in: 10...36, using: &random))
        let (side, power, seed) = (Int.random(in: 1...12, using: &random), random.unit() * 3, random.next())
        func make(_ value: @escaping (_ x: Int, _ y: Int, _ channel: Int) -> Double) throws -> PixelBuffer {
            try TestImage.make(width, height, format) { x, y, channel in channel == 3 ? 1 : value(x, y, channel) }
        }
        func own(_ x: Int, _ y: Int, _ channel: Int) -> SeededGenerator {
            SeededGenerator(seed: seed &+ UInt64(x / side * 1000 + y / side * 10 + channel))
        }
        switch under {
        case .bright:
            return try make { x, y, channel in
                var own = own(x, y, channel)
                return 1 - 0.25 * own.unit()
            }
        case .dark:
            return try make { x, y, channel in
                var own = own(x, y, channel)
                return 0.25 * own.unit()
            }
        case .saturated:
            return try make { x, y, channel in
                var own = own(x, y, channel)
                return own.unit().rounded()
            }
        case .text: return try TestImage.make(.screenshot, width, height, format, seed: seed)
        case .photograph: return try TestImage.make(.photograph, width, height, format, seed: seed)
        case .gradient:
            return try make { x, y, channel in
                let along = Double(x + y) / Double(width + height - 2)
                return channel == Int(seed % 3) ? 1 - along : along
            }
        case .mosaic:
            return try make { x, y, channel in
                var own = own(x, y, channel)
                return (own.unit() < 0.3) ? own.unit().rounded() : pow(own.unit(), power)
            }
        }
    }

    /// Returns a random shape within a picture; nil for all of it.
    private static func shape(_ image: PixelBuffer, _ random: inout SeededGenerator) throws -> RoundedRect? {
        guard random.chance(0.7) else { return nil }
        let (width, height) = (Double(image.width), Double(image.height))
        let (w, h) = (6 + random.unit() * (width - 6), 6 + random.unit() * (height - 6))
        return try RoundedRect(
            x: random.unit() * (width - w), y: random.unit() * (height - h), width: w, height: h,
            radius: random.unit() * CornerCurve.circular.maximumRadius(width: w, height: h))
    }

    @Test(
        "0 of the opaque, wholly covered pixels of random panels over all kinds of pictures are below the contrast",
        arguments: Backends.wanted(.exact, .cpu, .gpu))
    func holds(backend: Backend) throws {
        let renderer = backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: backend)
        var random = SeededGenerator(seed: 11)
        let colors = try ["black", "white", "#0a5fd0"].map { try Color(parsing: $0) }
        var (below, failing, smallest, changed) = (0, 0, Double.infinity, 0)
        let count = TestCases.every ? 1000 : 84
        for number in 0..<count {
            let under = Under.allCases[number % Under.allCases.count]
            let image = try Self.picture(under, &random)
            let name = Self.names.randomElement(using: &random) ?? "light"
            let minimum: Double = [3, 4.5, 7].randomElement(using: &random) ?? 3
            let color = colors.randomElement(using: &random) ?? colors[0]
            let shape = try Self.shape(image, &random)
            var plain = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make(
                name == "gaussian" ? ["sigma": .number(5 * random.unit())] : [:])
            plain.outputStages.dither = (random.unit() < 0.8) ? Dither(seed: UInt32(number)) : nil
            let effect: Effect
            do throws(ParameterError) { effect = try plain.withContrast(atLeast: minimum, to: color) } catch {
                // The blue has a contrast of 6.0 to white, so 7 is impossible.
                #expect(minimum == 7 && color == colors[2])
                guard case .contrastTooHigh = error else {
                    Issue.record("\(error)")
                    continue
                }
                continue
            }
            func rendered(_ effect: Effect) throws -> Rendered {
                guard let shape else { return try renderer.renderNow(image, effect) }
                return try renderer.render(image, effect, within: [shape])
            }
            func contrasts(_ image: PixelBuffer) -> [Double] {
                Self.contrasts(image, to: color) { x, y in shape.map { $0.coverage(x, y) == 1 } ?? true }
            }
            let result = try rendered(effect)
            let reached = contrasts(result.image)
            if shape == nil { try #require(reached.count == image.width * image.height) }
            guard let least = reached.min() else { continue }
            if least < minimum { (failing, below) = (failing + 1, below + reached.count { $0 < minimum }) }
            smallest = min(smallest, least / minimum)
            let report = try #require(result.report.contrast)
            #expect(abs((report.smallest ?? 0) - least) < 1e-9, "\(name) over \(under)")
            let place = try #require(report.place)
            let there = Self.contrasts(result.image, to: color) { x, y in (x, y) == (place.x, place.y) }
            #expect(there.first.map { abs($0 - least) < 1e-9 } == true, "\(name) over \(under), \(place)")
            if number % 4 == 0, try contrasts(rendered(plain).image).contains(where: { $0 < minimum }) { changed += 1 }
            if image.format.channels == .grey, effect.outputStages.keepsGrey {
                #expect(result.image.format.channels == .grey)
            }
        }
        #expect(below == 0, "\(below) pixels of \(failing) pictures")
        // The guarantee is not met by being far on the safe side, and without the stage it is not met at all.
        #expect(smallest < 1.03, "\(smallest)")
        #expect(changed > count / 40, "\(changed)")
    }

    /// The cells of a redaction get shifts of their own for red, green and blue. A grey result would keep only one of them.
    @Test("redactions of grey pictures keep the contrast, too", arguments: Worker.wanted)
    func redactions(worker: Worker) throws {
        let renderer = try worker.renderer()
        let white = try Color(parsing: "white")
        for format in [PixelFormat(.grey), PixelFormat(.greyAlpha), PixelFormat(.rgb)] {
            let image = try TestImage.make(64, 48, format) { x, _, channel in channel == 3 ? 1 : Double(x) / 64 }
            for seed in 1...4 {
                let redact = try EffectCatalog.effect("redact").make([
                    "cell": .number(4), "seed": .number(Double(seed)),
                ])
                let result = try renderer.renderNow(image, redact.withContrast(atLeast: 4.5, to: white)).image
                let reached = Self.contrasts(result, to: white)
                #expect(reached.count == 64 * 48 && reached.allSatisfy { $0 >= 4.5 }, "\(format), seed \(seed)")
            }
        }
    }

    @Test(
        "CPU and GPU are within the promised error of the exact result, for every format of samples",
        arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var (largest, different) = (0.0, 0)
        for (name, minimum, color) in [
            ("material-thin-light", 4.5, "black"), ("material-thin-light", 4.5, "white"), ("light", 7, "black"),
            ("dark", 15, "white"), ("gpuimage-ios", 3, "#c01040"), ("gpuimage-gaussian", 20, "white"),
            ("gpuimage-gaussian", 5.9, "black"),
        ] {
            var effect = try EffectCatalog.effect(name).make()
            effect.outputStages.dither = nil
            effect = try effect.withContrast(atLeast: minimum, to: Color(parsing: color))
            for (picture, format) in [
                (Picture.photograph, PixelFormat(.rgb)), (.softAlpha, PixelFormat(.rgba)),
                (.uniformNoise, PixelFormat(.rgba, alpha: .premultiplied)), (.gradient, PixelFormat(.grey)),
                (.photograph, PixelFormat(.rgba, .u16)), (.photograph, PixelFormat(.rgba, .f32)),
            ] {
                let image = try TestImage.make(picture, 90, 61, format)
                let result = try renderer.renderNow(image, effect)
                let comparison = try expectClose(
                    SampleRows(result.image), renderer.exact(image, effect), within: .promise(format.sample),
                    "\(name), \(minimum) to \(color), \(format)")
                if format.sample == .u8 { largest = max(largest, comparison.maximum) }
            }
            // The comparison finds another contrast, unless no pixel needed either.
            let image = try TestImage.make(.photograph, 90, 61, PixelFormat(.rgb))
            let result = try SampleRows(renderer.renderNow(image, effect).image)
            let other = try effect.withContrast(atLeast: minimum * 0.8, to: Color(parsing: color))
            if try Comparison(result, renderer.exact(image, other)).maximum > 1 { different += 1 }
        }
        #expect(largest > 0 && different >= 5, "\(largest), \(different)")
    }

    @Test(
        "within rectangles and rounded corners, the report counts covered pixels, and all have one content colour",
        arguments: Worker.wanted)
    func rectangles(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(120, 60, PixelFormat(.rgb)) { x, _, _ in x < 60 ? 0.02 : 0.98 }
        let effect = try EffectCatalog.effect("gpuimage-gaussian").make(["min-contrast": .number(4.5)])
        let white = try Color(parsing: "white")
        // The larger rectangle is dark, so the content is white in both.
        let rects = [
            try RoundedRect(x: 2.5, y: 3, width: 50, height: 50, radius: 12),
            try RoundedRect(x: 90, y: 10, width: 12, height: 12, radius: 3),
        ]
        for isBounded in [false, true] {
            let result = try renderer.render(image, effect, within: rects, isBounded: isBounded)
            let report = try #require(result.report.contrast)
            #expect(report.content == white && report.minimum == 4.5)
            var least = Double.infinity
            let rows = SampleRows(result.image)
            for y in 0..<60 {
                for x in 0..<120 where rects.contains(where: { $0.coverage(x, y) == 1 }) {
                    let own = Self.luminance(Array(rows[y][3 * x..<3 * x + 3]))
                    least = min(least, 1.05 / (own + 0.05))
                }
            }
            #expect(least >= 4.5)
            #expect(report.smallest.map { abs($0 - least) < 1e-9 } == true, "\(report) \(least)")
        }
        // Nothing is covered completely at a lower opacity.
        var faint = try effect.withContrast(atLeast: 3, to: white)
        faint.outputStages.opacity = 0.5
        let report = try renderer.renderNow(image, faint).report.contrast
        #expect(report != nil && report?.smallest == nil)
    }

    @Test(
        "content does not count for the contrast, and a decided effect renders the bytes of the automatic one",
        arguments: Worker.wanted)
    func content(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.photograph, 80, 50, PixelFormat(.rgb))
        var effect = try EffectCatalog.effect("light").make(["min-contrast": .number(4.5)])
        let without = try renderer.renderNow(image, effect)
        let color = try #require(without.report.contrast?.content)
        let given = try renderer.renderNow(image, effect.withContrast(atLeast: 4.5, to: color))
        try expectIdentical(given.image, without.image)
        #expect(given.report.contrast == without.report.contrast)
        let label = try TestImage.make(20, 10, PixelFormat(.rgba)) { x, _, channel in
            channel < 3 ? [color.red, color.green, color.blue][channel] : x % 4 == 0 ? 1 : 0
        }
        effect.outputStages.content = [ContentLayer(ContentImage(label), mode: .center)]
        let drawn = try renderer.renderNow(image, effect)
        #expect(drawn.report.contrast?.content == color)
        #expect((drawn.report.contrast?.smallest ?? 0) >= 4.5)
        #expect((Self.contrasts(drawn.image, to: color).min() ?? 9) < 1.01, "the content is drawn")
    }

    @Test("row by row gives the bytes of the whole picture, and is refused while the colour is undecided")
    func rows() throws {
        let renderer = try Renderer(backend: .cpu)
        let image = try TestImage.make(.photograph, 80, 50, PixelFormat(.rgb))
        let automatic = try EffectCatalog.effect("light").make(["min-contrast": .number(4.5)])
        #expect(try renderer.rows(of: image.layout, automatic) == nil)
        let decided = try automatic.withContrast(atLeast: 4.5, to: Color(parsing: "white"))
        #expect(try renderer.rows(of: image.layout, decided) != nil)
    }
}
