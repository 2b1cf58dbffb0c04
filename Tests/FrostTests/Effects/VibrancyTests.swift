import FrostTestSupport
import Glibc
import Testing
@testable import Frost
@testable import FrostCore

/// Tests the contrast of vibrant text, and how panels are composed.
struct VibrancyTests {
    /// The styles that guarantee a contrast. Under thinner styles, the backdrop can be a middle grey. On middle grey, no
    /// text colour that changes continuously with the backdrop has enough contrast.
    static let legible: [BlurStyle] =
        [.extraLight, .dark] + Appearance.allCases.map { .prominent($0) }
        + [.regular, .thick, .chrome].flatMap { thickness in
            Appearance.allCases.map { .material(thickness, $0) }
        } + [.regular(.dark), .material(.thin, .light)]

    /// Returns backdrops that are very different from each other. Each has 90x60 pixels.
    static func backdrops() throws -> [(String, PixelBuffer)] {
        func make(_ value: @escaping (Double, Double, Int) -> Double) throws -> PixelBuffer {
            try TestImage.make(90, 60, PixelFormat(.rgb)) { x, y, c in
                value((Double(x) + 0.5) / 90, (Double(y) + 0.5) / 60, c)
            }
        }
        var list: [(String, PixelBuffer)] = []
        for (name, color) in [
            ("black", [0.0, 0, 0]), ("white", [1, 1, 1]), ("grey", [0.5, 0.5, 0.5]), ("red", [1, 0, 0]),
            ("green", [0, 1, 0]), ("blue", [0, 0, 1]), ("yellow", [1, 1, 0]), ("cyan", [0, 1, 1]),
            ("magenta", [1, 0, 1]), ("orange", [1, 0.5, 0]),
        ] { list.append((name, try make { _, _, c in color[c] })) }
        for picture in [Picture.photograph, .gradient, .screenshot, .uniformNoise, .binaryNoise, .checker] {
            list.append((picture.rawValue, try TestImage.make(picture, 90, 60, PixelFormat(.rgb))))
        }
        list.append(("black to white", try make { x, _, _ in x }))
        list.append(
            (
                "every hue",
                try make { x, y, c in
                    let place = (6 * x + [0.0, 4, 2][c]).truncatingRemainder(dividingBy: 6)
                    return y * min(max(abs(place - 3) - 1, 0), 1)
                }
            ))
        list.append(("halves", try make { x, _, _ in x < 0.5 ? 0 : 1 }))
        list.append(("stripes of red and cyan", try make { _, y, c in (Int(y * 15) % 2 == 0) == (c == 0) ? 1 : 0 }))
        return list
    }

    /// Returns WCAG's relative luminance of an sRGB pixel.
    static func luminance(_ pixel: ArraySlice<Double>) -> Double {
        var sum = 0.0
        for (weight, value) in zip([0.2126, 0.7152, 0.0722], pixel) {
            sum += weight * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
        return sum
    }

    /// Renders the backdrop alone, and with a label that covers the whole picture. Returns the smallest contrast between
    /// a pixel of the label and the same pixel of the backdrop.
    static func contrast(_ effect: Effect, _ kind: Vibrancy.Kind, on image: PixelBuffer) throws -> Double {
        let renderer = try Renderer(backend: .cpu, threads: 2)
        var labelled = effect
        let dot = try TestImage.make(1, 1, PixelFormat(.rgba)) { _, _, _ in 1 }
        let vibrancy: Vibrancy = try #require(effect.vibrancy(kind))
        labelled.outputStages.content = [ContentLayer(ContentImage(dot), vibrancy: vibrancy)]
        let (below, above) = (
            SampleRows(try renderer.renderNow(image, effect).image),
            SampleRows(try renderer.renderNow(image, labelled).image)
        )
        var lowest = Double.infinity
        for y in 0..<image.height {
            let (a, b) = (below[y], above[y])
            for x in 0..<image.width {
                let (one, other) = (luminance(a[3 * x..<3 * x + 3]), luminance(b[3 * x..<3 * x + 3]))
                lowest = min(lowest, (max(one, other) + 0.05) / (min(one, other) + 0.05))
            }
        }
        return lowest
    }

    @Test("a vibrant label has a contrast of 4.5:1 on any backdrop", arguments: legible)
    func label(_ style: BlurStyle) throws {
        let effect = try style.effect(scale: 1)
        for (name, image) in try Self.backdrops() {
            let contrast = try Self.contrast(effect, .label, on: image)
            #expect(contrast >= 4.5, "\(style.name) \(style.appearance) on \(name): \(contrast)")
        }
        let contrast = try Self.contrast(Self.sharp(effect), .label, on: Self.cube())
        #expect(contrast >= 4.5, "\(style.name) \(style.appearance) on every colour: \(contrast)")
    }

    /// Returns an effect without its blur. A blur can only mix the colours of the picture, and a cube of all colours already
    /// contains all mixtures.
    private static func sharp(_ effect: Effect) throws -> Effect {
        Effect(
            name: effect.name, blur: try GaussianBlur(sigma: 0), outputStages: effect.outputStages,
            appearance: effect.appearance)
    }

    private static func cube() throws -> PixelBuffer {
        try TestImage.make(17 * 17, 17, PixelFormat(.rgb)) { x, y, c in Double([x % 17, x / 17, y][c]) / 16 }
    }

    @Test("a secondary label has a contrast of 3:1 on any backdrop of these styles", arguments: legible)
    func secondaryLabel(_ style: BlurStyle) throws {
        let sharp = try Self.sharp(style.effect(scale: 1))
        let contrast = try Self.contrast(sharp, .secondaryLabel, on: Self.cube())
        #expect(contrast >= 3, "\(style.name) \(style.appearance) on every colour: \(contrast)")
    }

    @Test("weaker kinds have less contrast, and the measure finds unreadable text")
    func weakerKindsHaveLessContrast() throws {
        let image = try TestImage.make(.photograph, 60, 40, PixelFormat(.rgb))
        for style in Self.legible {
            let effect = try style.effect(scale: 1)
            let contrasts = try [Vibrancy.Kind.label, .secondaryLabel, .separator, .fill].map {
                try Self.contrast(effect, $0, on: image)
            }
            #expect(contrasts == contrasts.sorted(by: >) && contrasts[3] > 1.1, "\(style.name): \(contrasts)")
        }
        let black = try TestImage.make(8, 8, PixelFormat(.rgb)) { _, _, _ in 0 }
        #expect(try Self.contrast(BlurStyle.light.effect(scale: 1), .label, on: black) < 3)
    }

    @Test("a panel has its style and its content, with the style's vibrancy")
    func panels() throws {
        let (title, icon) = (
            ContentImage(try TestImage.make(.softAlpha, 9, 5)), ContentImage(try TestImage.make(.gradient, 4, 4))
        )
        let bounds = Rect(x: 3, y: 4, width: 50, height: 20)
        for style in Self.legible + [.light, .regular(.light), .material(.ultraThin, .dark)] {
            let panel = VisualEffect(style) {
                PanelContent(title, vibrancy: .label, mode: .top)
                for mode in [ContentMode.left, .right] { PanelContent(icon, mode: mode) }
            }
            let effect = try panel.effect(bounds: bounds, scale: 2)
            var expected = try style.effect(scale: 2)
            #expect(effect.name == style.name && effect.appearance == style.appearance)
            expected.outputStages.content = [
                ContentLayer(title, vibrancy: style.vibrancy(.label), mode: .top, bounds: bounds),
                ContentLayer(icon, mode: .left, bounds: bounds), ContentLayer(icon, mode: .right, bounds: bounds),
            ]
            #expect(effect == expected)
            #expect(effect.outputStages.content[0].vibrancy == expected.vibrancy(.label))
        }
        #expect(throws: ParameterError.outOfRange(parameter: "scale", value: 5, allowed: 1...3)) {
            _ = try VisualEffect(.dark).effect(scale: 5)
        }
        #expect(try EffectCatalog.effect("tint").make().vibrancy(.label) == nil)
        #expect(try EffectCatalog.effect("light").make().appearance == .light)
    }

    @Test("a plan's error bound includes the growth by vibrancy")
    func bound() throws {
        let extent = Rect(x: 0, y: 0, width: 900, height: 700)
        var effect = try BlurStyle.dark.effect(scale: 1)
        let plain = effect.outputStages.amplification
        effect.outputStages.content = [
            ContentLayer(ContentImage(try TestImage.make(.gradient, 4, 4)), vibrancy: BlurStyle.dark.vibrancy(.label))
        ]
        #expect(effect.outputStages.amplification > plain)
        #expect(try effect.plan(extent: extent).errorBound <= Accuracy.eightBit.errorBudget)
    }
}
