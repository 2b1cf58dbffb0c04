@testable import Frost
import FrostCore
import FrostTestSupport
import Glibc
import Testing

/// A simulated host program. It has a picture that changes, and a target that is initially filled with `untouched`. It can
/// also compute what the target should contain, by recomputing everything.
struct BackdropStage {
    private(set) var picture: PixelBuffer
    private(set) var target: PixelBuffer
    let backdrop: Backdrop
    private let renderer: Renderer
    private let format: PixelFormat
    private let targetFormat: PixelFormat
    private let layering: Backdrop.Layering
    private(set) var report = BackdropReport()
    private var seed: UInt64 = 7
    /// The extent of the picture in the last rendered frame.
    private var rendered: Rect?

    /// The value of those bytes of the target that no panel has written.
    static let untouched: UInt8 = 0xA5

    init(
        _ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgba), into target: PixelFormat? = nil,
        coverage: Backdrop.Coverage = .panels, threads: Int = 2, layering: Backdrop.Layering = .flat
    ) throws {
        self.layering = layering
        self.format = format
        targetFormat = target ?? format
        picture = try TestImage.noise(width, height, format)
        self.target = try Self.blank(width, height, targetFormat)
        backdrop = try Backdrop(coverage: coverage, threads: threads, layering: layering)
        renderer = try Renderer(backend: .cpu, threads: 1)
    }

    private static func blank(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> PixelBuffer {
        let layout = try PixelLayout(width: width, height: height, format: format)
        return try PixelBuffer(layout: layout, bytes: [UInt8](repeating: untouched, count: layout.byteCount))
    }

    /// Returns the number of random steps of a test: FROST_BACKDROP_STEPS if this variable is set, otherwise `usual`.
    static func steps(_ usual: Int) -> Int {
        environment("FROST_BACKDROP_STEPS").flatMap { Int($0) } ?? usual
    }

    var extent: Rect { picture.layout.extent }

    /// Replaces the picture by a picture of another size. The backdrop is not informed.
    mutating func resize(_ width: Int, _ height: Int) throws {
        if let rendered, rendered == Rect(x: 0, y: 0, width: width, height: height) { return }
        seed += 1
        picture = try TestImage.noise(width, height, format, seed: seed)
        target = try Self.blank(width, height, targetFormat)
    }

    /// Draws new noise in a rectangle of the picture.
    ///
    /// - Parameter isTold: true to inform the backdrop of the change.
    mutating func damage(_ rect: Rect, isTold: Bool = true) throws {
        seed += 1
        if let part = rect.intersection(extent) {
            try picture.paste(TestImage.noise(part.width, part.height, format, seed: seed), at: part)
        }
        if isTold { backdrop.invalidate(rect) }
    }

    /// Renders a frame. Then redraws the areas that panels have uncovered, as a host program does.
    mutating func render(_ repaint: Backdrop.Repaint = .changed, buffer: UInt64? = nil) throws {
        if repaint == .all { target = try Self.blank(picture.width, picture.height, targetFormat) }
        report = try backdrop.render(picture, into: &target, repaint: repaint, buffer: buffer)
        rendered = extent
        guard repaint == .changed else { return }
        for rect in report.uncovered { try target.paste(Self.blank(rect.width, rect.height, targetFormat), at: rect) }
    }

    /// Returns the target that recomputing everything gives: ``Renderer`` draws the effect of each panel, in order.
    func expected() throws -> PixelBuffer {
        var expected = try Self.blank(picture.width, picture.height, targetFormat)
        // With stacked panels, the picture with all panels so far.
        var below = picture
        for panel in backdrop.panels {
            guard let region = panel.rect.intersection(extent), panel.opacity > 0,
                panel.strength > 0 || !panel.content.isEmpty
            else { continue }
            let effect = try panel.placedEffect()
            var part = try Self.blank(region.width, region.height, targetFormat)
            let layout = part.layout
            _ = try unsafe below.withUnsafeBytes { from in
                try unsafe part.withUnsafeMutableBytes { to in
                    try unsafe renderer.render(
                        PixelSource(#require(from.baseAddress), layout: below.layout), effect, mask: panel.mask,
                        region: region, into: PixelTarget(#require(to.baseAddress), layout: layout))
                }
            }
            func show(_ part: PixelBuffer, at place: Rect) throws {
                try expected.paste(part, at: place)
                switch layering {
                case .flat: break
                case .stacked: try below.paste(part, at: place)
                }
            }
            guard let shape = panel.region else {
                try show(part, at: region)
                continue
            }
            for y in region.rows {
                for x in region.columns where shape.contains(x: x - panel.rect.x, y: y - panel.rect.y) {
                    let pixel = Rect(x: x, y: y, width: 1, height: 1)
                    let own = Rect(x: x - region.x, y: y - region.y, width: 1, height: 1)
                    try show(part.cropped(to: own), at: pixel)
                }
            }
        }
        return expected
    }
}

extension BackdropStage {
    /// Returns a text with the pixels that differ from the expected ones: their positions, and the two values of each.
    func difference(_ expected: PixelBuffer) -> String {
        var found: [String] = []
        let size = expected.format.bytesPerPixel
        for at in stride(from: 0, to: expected.bytes.count, by: size) {
            let (shown, wanted) = (target.bytes[at..<at + size], expected.bytes[at..<at + size])
            if shown != wanted {
                found.append(
                    "\(at / size % expected.width),\(at / size / expected.width): \(Array(shown)) for \(Array(wanted))")
            }
        }
        return "\(found.count) pixels: " + found.prefix(5).joined(separator: "; ")
    }

    static func gaussian(_ sigma: Double, _ edge: EdgeMode = .clamp) throws -> Effect {
        Effect(try GaussianBlur(sigma: sigma, edge: edge))
    }

    /// Returns effects that together have every kind of plan and output stage. Some of them use shared levels, and others do
    /// not.
    static func effects() throws -> [Effect] {
        var linear = try gaussian(5, .mirror)
        linear.decoding = .sRGB
        return [
            try gaussian(11), try gaussian(6, .mirror), try gaussian(4, .repeat), try gaussian(0.8),
            Effect(try GaussianBlur(sigmaX: 9, sigmaY: 0, edge: .mirror)),
            Effect(try GaussianBlur(sigmaX: 2, sigmaY: 12)),
            try EffectCatalog.effect("material-thick-dark").make([:]),
            try EffectCatalog.effect("blur-light").make([:]),
            try EffectCatalog.effect("glass").make(["radius": .number(6), "band": .number(9), "thickness": .number(14)]
            ),
            try EffectCatalog.effect("tilt-shift").make([:]), linear,
            Effect(name: "box", blur: try BoxBlur(width: 9, passes: 2, edge: .mirror)),
            Effect(name: "disc", blur: try DiscBlur(radius: 5)),
            Effect(name: "zoom", blur: try ZoomBlur(scales: 0.95...1)),
            try EffectCatalog.effect("redact").make([:]).keyed(for: .frames),
            Effect(
                name: "variable",
                blur: try VariableBlur(sigma: 8, mask: .ramp(Mask.Ramp(from: 1, to: 0)))),
        ]
    }
}
