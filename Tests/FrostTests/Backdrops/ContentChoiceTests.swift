@testable import Frost
import FrostCore
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// A host with a grey picture and panels whose content is black or white.
protocol ChoiceHost {
    var panels: [Panel] { get set }
    /// Paints a rectangle of the picture, and reports the change.
    mutating func paint(_ rect: Rect, _ grey: Double) throws
    mutating func render() throws -> BackdropReport
    func content(_ index: Int) -> Color?
    func shown() -> [UInt8]
    /// Returns the pixels that a new backdrop draws for other panels.
    func expected(_ panels: [Panel]) throws -> [UInt8]
}

private let format = PixelFormat(.rgba, alpha: .premultiplied)
private let extent = Rect(x: 0, y: 0, width: 160, height: 120)

private func grey(_ size: Rect, _ value: Double) throws -> PixelBuffer {
    try TestImage.make(size.width, size.height, format) { _, _, channel in channel == 3 ? 1 : value }
}

private struct MemoryHost: ChoiceHost {
    private let backdrop: Backdrop
    private var picture: PixelBuffer
    private var target: PixelBuffer

    init(_ layering: Backdrop.Layering) throws {
        backdrop = try Backdrop(threads: 2, layering: layering)
        picture = try grey(extent, 0)
        target = picture
    }

    var panels: [Panel] {
        get { backdrop.panels }
        set { backdrop.panels = newValue }
    }

    mutating func paint(_ rect: Rect, _ value: Double) throws {
        try picture.paste(grey(rect, value), at: rect)
        backdrop.invalidate(rect)
    }

    mutating func render() throws -> BackdropReport { try backdrop.render(picture, into: &target) }
    func content(_ index: Int) -> Color? { backdrop.contentColor(ofPanelAt: index) }
    func shown() -> [UInt8] { Array(target.bytes) }

    func expected(_ panels: [Panel]) throws -> [UInt8] {
        let fresh = try Backdrop(threads: 1)
        fresh.panels = panels
        var result = target
        _ = try fresh.render(picture, into: &result, repaint: .all)
        return Array(result.bytes)
    }
}

private struct TextureHostOfChoices: ChoiceHost {
    private let gl: HostGL
    private let renderer: TextureRenderer
    private let backdrop: TextureBackdrop
    private let source, target: UInt32
    private let black: PixelBuffer

    init(_ gl: HostGL, _ layering: Backdrop.Layering) throws {
        self.gl = gl
        renderer = try TextureRenderer()
        backdrop = TextureBackdrop(on: renderer, layering: layering)
        black = try grey(extent, 0)
        source = gl.texture(extent.width, extent.height, black.bytes)
        target = gl.texture(extent.width, extent.height, black.bytes)
    }

    func end() {
        renderer.destroy()
        gl.delete(textures: [source, target])
    }

    var panels: [Panel] {
        get { backdrop.panels }
        set { backdrop.panels = newValue }
    }

    private var image: HostImage {
        HostImage(HostTexture(name: source), width: extent.width, height: extent.height, format: format)
    }

    private func place(_ texture: UInt32) -> HostTarget {
        HostTarget(.texture(texture), width: extent.width, height: extent.height, format: format)
    }

    mutating func paint(_ rect: Rect, _ value: Double) throws {
        gl.update(source, rect, try grey(rect, value).bytes)
        backdrop.invalidate(rect)
    }

    mutating func render() throws -> BackdropReport { try backdrop.render(image, into: place(target)) }
    func content(_ index: Int) -> Color? { backdrop.contentColor(ofPanelAt: index) }
    func shown() -> [UInt8] { gl.pixels(target, extent.width, extent.height) }

    func expected(_ panels: [Panel]) throws -> [UInt8] {
        let texture = gl.texture(extent.width, extent.height, shown())
        defer { gl.delete(textures: [texture]) }
        let fresh = TextureBackdrop(on: renderer)
        fresh.panels = panels
        _ = try fresh.render(image, into: place(texture), repaint: .all)
        return gl.pixels(texture, extent.width, extent.height)
    }
}

/// Tests the automatic colour of content in live backdrops.
@Suite(.serialized) struct ContentChoiceTests {
    private static let black = Result { try Color(parsing: "black") }
    private static let white = Result { try Color(parsing: "white") }
    private static let rect = Rect(x: 30, y: 20, width: 81, height: 63)

    private static func panel(_ rect: Rect = rect, minimum: Double = 4.5, to color: Color? = nil) throws -> Panel {
        let effect = try Effect(GaussianBlur(sigma: 3, edge: .mirror)).withContrast(atLeast: minimum, to: color)
        return Panel(rect, effect: effect, cornerRadius: 9)
    }

    /// Calls `body` with a host for a worker.
    private static func play(
        _ worker: Worker, _ layering: Backdrop.Layering = .flat, _ body: (inout any ChoiceHost) throws -> Void
    ) throws {
        switch worker {
        case .cpu:
            var host: any ChoiceHost = try MemoryHost(layering)
            try body(&host)
        case .gpu:
            try TestHost().perform { gl in
                let textures = try TextureHostOfChoices(gl, layering)
                defer { textures.end() }
                var host: any ChoiceHost = textures
                try body(&host)
            }
        }
    }

    /// Renders a frame after a change of the picture, and returns the report of the frame that shows its choice: on textures the
    /// next one, except for the first choice of a panel.
    private static func settled(
        _ host: inout any ChoiceHost, _ worker: Worker, isFirst: Bool = false
    ) throws -> BackdropReport {
        let report = try host.render()
        #expect(report.pendingChoices == (worker == .gpu && !isFirst ? 1 : 0))
        guard report.pendingChoices > 0 else { return report }
        #expect(report.contentChanges.isEmpty)
        return try host.render()
    }

    @Test(
        "the choice follows the picture with hysteresis; a new choice draws the whole panel; a still frame costs nothing",
        arguments: Worker.wanted)
    func follows(worker: Worker) throws {
        let (black, white) = (try Self.black.get(), try Self.white.get())
        try Self.play(worker) { host in
            host.panels = [try Self.panel()]
            #expect(host.content(0) == nil && host.content(1) == nil)
            var last: Color?
            // At 0.5, both colours are possible: the one that was chosen before stays.
            for (value, expected) in [
                (0.9, black), (0.5, black), (0.4, white), (0.5, white), (0.45, white), (0.55, black), (0.44, black),
            ] {
                try host.paint(extent, value)
                let report = try Self.settled(&host, worker, isFirst: last == nil)
                #expect(host.content(0) == expected, "grey \(value)")
                #expect(report.contentChanges == (expected == last ? [] : [0]), "grey \(value)")
                #expect(try host.shown() == host.expected([Self.panel(to: expected)]), "grey \(value)")
                last = expected
                let still = try host.render()
                #expect(still.passes == 0 && still.updated.isEmpty && still.contentChanges.isEmpty)
                #expect(still.pendingChoices == 0)
            }
            // The other choice shows other pixels.
            #expect(try host.shown() != host.expected([Self.panel(to: white)]))
            // A change of a part of the picture below moves the choice, and all of the panel is drawn.
            let part = Rect(x: 30, y: 20, width: 81, height: 30)
            try host.paint(part, 0)
            let moved = try Self.settled(&host, worker)
            #expect(host.content(0) == white && moved.contentChanges == [0])
            #expect(Region(moved.updated) == Region(Self.rect))
            #expect(try host.shown() == host.expected([Self.panel(to: white)]))
            // A change that does not move the choice draws what it reaches, and one beside the panel does not count.
            try host.paint(Rect(x: 60, y: 40, width: 4, height: 4), 0.2)
            let small = try host.render()
            #expect(small.contentChanges.isEmpty && small.panelPixels > 0 && small.panelPixels < 2000)
            let after = try host.render()
            #expect(after.contentChanges.isEmpty && after.passes == 0 && after.pendingChoices == 0)
            try host.paint(Rect(x: 130, y: 0, width: 30, height: 120), 1)
            #expect(try host.render().updated.isEmpty && host.content(0) == white)
            #expect(try host.shown() == host.expected([Self.panel(to: white)]))
        }
    }

    @Test("small changes around any grey move the choice at most once, which they do without hysteresis")
    func flickers() throws {
        var random = SeededGenerator(seed: 3)
        for minimum in [3, 4.5, 7] {
            let effect = try Self.panel(minimum: minimum).effect
            var (most, without) = (0, 0)
            for step in 0...100 {
                let middle = Double(step) / 100
                var last: Color?
                var (moves, plain) = (0, [Color]())
                for _ in 0..<40 {
                    let value = min(max(middle + 0.06 * (random.unit() - 0.5), 0), 1)
                    let mean = SIMD4(value, value, value, 1)
                    let next = try effect.decidingContent(for: mean, after: last).contrast?.content
                    if last != nil, next != last { moves += 1 }
                    last = next
                    plain += [try effect.decidingContent(for: mean).contrast?.content].compactMap { $0 }
                }
                most = max(most, moves)
                without = max(without, zip(plain, plain.dropFirst()).count { $0 != $1 })
            }
            #expect(most <= 1 && without > 10, "\(minimum): \(most), \(without)")
        }
    }

    @Test("panels keep their choice by their number, and forget it with the panel", arguments: Worker.wanted)
    func identities(worker: Worker) throws {
        let (black, white) = (try Self.black.get(), try Self.white.get())
        try Self.play(worker) { host in
            func numbered(_ id: UInt64, _ x: Int) throws -> Panel {
                var panel = try Self.panel(Rect(x: x, y: 30, width: 40, height: 40))
                panel.id = id
                return panel
            }
            // Both could be either. One was chosen on a dark picture, and the other on a light one.
            try host.paint(extent, 0.2)
            host.panels = [try numbered(1, 10)]
            _ = try host.render()
            try host.paint(extent, 0.5)
            host.panels = [try numbered(2, 90), try numbered(1, 10)]
            #expect(try host.render().contentChanges == [0])
            #expect(host.content(0) == black && host.content(1) == white)
            // A panel that moves keeps its choice, and one that comes again has none.
            host.panels = [try numbered(1, 60)]
            #expect(try host.render().contentChanges.isEmpty && host.content(0) == white)
            host.panels = []
            _ = try host.render()
            host.panels = [try numbered(1, 60)]
            #expect(try host.render().contentChanges == [0] && host.content(0) == black)
            // A colour that is given is returned, and an invisible panel has none.
            host.panels = [
                try Self.panel(to: white), try Self.panel(Rect(x: 500, y: 0, width: 20, height: 20)),
                Panel(Self.rect, effect: Effect(try GaussianBlur(sigma: 2))),
            ]
            _ = try host.render()
            #expect(host.content(0) == white && host.content(1) == nil && host.content(2) == nil)
        }
    }

    @Test("a stacked panel's choice depends on the panels below it, a flat one's does not", arguments: Worker.wanted)
    func stacked(worker: Worker) throws {
        let (black, white) = (try Self.black.get(), try Self.white.get())
        var lower = Panel(Rect(x: 20, y: 10, width: 120, height: 100), effect: Effect(try GaussianBlur(sigma: 0)))
        lower.effect.outputStages.add(tint: white)
        for (layering, expected) in [(Backdrop.Layering.flat, white), (.stacked, black)] {
            try Self.play(worker, layering) { host in
                try host.paint(extent, 0.1)
                host.panels = [lower, try Self.panel()]
                #expect(try host.render().contentChanges == [1])
                #expect(host.content(1) == expected, "\(layering)")
                let still = try host.render()
                #expect(still.passes == 0 && still.updated.isEmpty)
                // Without the lower panel, the upper one lies over the picture.
                host.panels = [try Self.panel()]
                while try host.render().pendingChoices > 0 {}
                #expect(host.content(0) == white)
            }
        }
    }

    @Test("the first choice is that of a renderer for the same rectangle", arguments: Worker.wanted)
    func likeRenderer(worker: Worker) throws {
        let renderer = try Renderer(backend: .cpu)
        var (random, chosen) = (SeededGenerator(seed: 5), Set<Color>())
        for _ in 0..<12 {
            try Self.play(worker) { host in
                var picture = try grey(extent, 0)
                for _ in 0..<6 {
                    let rect = Rect(
                        x: .random(in: 0..<100, using: &random), y: .random(in: 0..<70, using: &random), width: 60,
                        height: 50)
                    let value = random.unit()
                    try host.paint(rect, value)
                    try picture.paste(grey(rect, value), at: rect)
                }
                let panel = try Self.panel()
                host.panels = [panel]
                _ = try host.render()
                let shape = try #require(panel.placedEffect().outputStages.clip.first)
                let report = try renderer.render(picture, panel.effect, within: [shape]).report
                #expect(host.content(0) == report.contrast?.content)
                if let content = host.content(0) { chosen.insert(content) }
            }
        }
        #expect(chosen.count == 2)
    }

    @Test(
        "samples of a texture are those of the picture in memory, however the texture stores it",
        .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
    func samples() throws {
        let picture = try TestImage.make(.softAlpha, 217, 143, format)
        let grid = SampleGrid([
            Rect(x: 3, y: 5, width: 200, height: 130), Rect(x: 210, y: 140, width: 7, height: 3),
            Rect(x: 0, y: 0, width: 1, height: 1),
        ])
        #expect(grid.step == 3)
        let expected = picture.colors(at: grid)
        #expect(expected.count == grid.count && Set(expected).count > 1000)
        try TestHost().perform { gl in
            let renderer = try TextureRenderer()
            defer { renderer.destroy() }
            for transform in SurfaceTransform.allCases {
                let stored = try picture.stored(transform)
                let texture = gl.texture(stored.width, stored.height, stored.bytes)
                defer { gl.delete(textures: [texture]) }
                let image = HostImage(
                    HostTexture(name: texture), width: picture.width, height: picture.height, format: format,
                    transform: transform)
                let colors = try #require(try renderer.executor.sample(image, at: grid).colors())
                let farthest = zip(colors, expected).map { ($0 - $1).max() }.max() ?? 1
                let nearest = zip(colors, expected).map { ($0 - $1).min() }.min() ?? 1
                #expect(colors.count == expected.count && farthest <= 2e-5 && nearest >= -2e-5, "\(transform)")
                // Samples of another grid differ.
                let other = try renderer.executor.sample(image, at: SampleGrid([picture.layout.extent])).colors()
                #expect(other?.prefix(100) != colors.prefix(100))
            }
        }
    }
}
