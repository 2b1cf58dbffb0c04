import CGLES
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Tests panels that show textures of a host program: windows.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct WindowTextureTests {
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)
    private static let size = (width: 120, height: 90)

    /// A window of a client: its pixels, and the texture that stores them.
    private struct Window {
        var pixels: PixelBuffer
        let transform: SurfaceTransform
        let rises: Bool
        var texture: GLuint

        init(
            _ gl: HostGL, _ width: Int, _ height: Int, _ transform: SurfaceTransform = .normal, rises: Bool = false,
            seed: UInt64 = 1, alpha: AlphaMode = .premultiplied
        ) throws {
            pixels = try TestImage.make(
                .uniformNoise, width, height, PixelFormat(.rgba, alpha: alpha), seed: seed)
            (self.transform, self.rises) = (transform, rises)
            texture = 0
            try upload(gl)
        }

        /// Stores the pixels in a new texture, as a client that draws into another buffer for each frame.
        mutating func upload(_ gl: HostGL) throws {
            if texture != 0 { gl.delete(textures: [texture]) }
            let stored = try pixels.stored(transform, rises: rises)
            texture = gl.texture(stored.width, stored.height, stored.bytes)
        }

        var image: HostImage {
            HostImage(
                HostTexture(name: texture), width: pixels.width, height: pixels.height, format: pixels.format,
                rises: rises, transform: transform)
        }

        /// Content with the window's pixels from memory.
        var content: ContentLayer {
            ContentLayer(
                ContentImage(pixels), mode: .topLeft,
                bounds: Rect(x: 0, y: 0, width: pixels.width, height: pixels.height))
        }
    }

    /// A simulated compositor.
    private struct Stage {
        let gl: HostGL
        let renderer: TextureRenderer
        let backdrop: TextureBackdrop
        let source: GLuint
        let target: GLuint
        var windows: [UInt64: Window] = [:]
        var panels: [Panel] = []

        init(_ gl: HostGL, _ layering: Backdrop.Layering) throws {
            self.gl = gl
            renderer = try TextureRenderer(options: GPUOptions())
            backdrop = TextureBackdrop(on: renderer, layering: layering)
            let (width, height) = WindowTextureTests.size
            source = gl.texture(
                width, height, try TestImage.make(.uniformNoise, width, height, WindowTextureTests.format).bytes)
            target = gl.texture(width, height, Self.blank)
        }

        static let blank = [UInt8](repeating: 0xA5, count: 4 * size.width * size.height)

        private var image: HostImage {
            HostImage(
                HostTexture(name: source), width: size.width, height: size.height, format: WindowTextureTests.format)
        }

        private func place(_ texture: GLuint) -> HostTarget {
            HostTarget(.texture(texture), width: size.width, height: size.height, format: WindowTextureTests.format)
        }

        /// Renders a frame with the windows as textures.
        @discardableResult func render(_ repaint: Backdrop.Repaint = .changed) throws -> BackdropReport {
            backdrop.panels = panels.map { panel in
                var panel = panel
                panel.texture = panel.id.flatMap { windows[$0]?.image }
                return panel
            }
            let report = try backdrop.render(image, into: place(target), repaint: repaint)
            for rect in report.uncovered {
                gl.update(target, rect, [UInt8](repeating: 0xA5, count: 4 * rect.width * rect.height))
            }
            return report
        }

        var shown: [UInt8] { gl.pixels(target, size.width, size.height) }

        /// Returns the pixels of a new backdrop whose panels have the windows' pixels as content from memory.
        func expected(_ layering: Backdrop.Layering) throws -> [UInt8] {
            let texture = gl.texture(size.width, size.height, Self.blank)
            defer { gl.delete(textures: [texture]) }
            let fresh = TextureBackdrop(on: renderer, layering: layering)
            fresh.panels = panels.map { panel in
                var panel = panel
                if let window = panel.id.flatMap({ windows[$0] }) { panel.content = [window.content] }
                return panel
            }
            _ = try fresh.render(image, into: place(texture))
            return gl.pixels(texture, size.width, size.height)
        }

        func end() {
            renderer.destroy()
            gl.delete(textures: [source, target] + windows.values.map(\.texture))
        }
    }

    private static func worst(_ a: [UInt8], _ b: [UInt8]) -> Int {
        zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    @Test(
        "after any change of windows and panels, textures show the bytes of the same pixels from memory",
        arguments: Backdrop.Layering.allCases)
    func random(layering: Backdrop.Layering) throws {
        try TestHost().perform { gl in
            var generator = SeededGenerator(seed: 11)
            var stage = try Stage(gl, layering)
            let effects = [
                try BackdropStage.gaussian(0), try BackdropStage.gaussian(6, .mirror),
                try EffectCatalog.effect("material-thick-dark").make([:]),
            ]
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
            for step in 0..<BackdropStage.steps(60) {
                let count = stage.panels.count
                let index = count == 0 ? 0 : number(0...count - 1)
                switch number(0...7) {
                case 0...2 where count > 0:
                    // A client draws a part of its window into another buffer, and reports the damage.
                    guard let id = stage.panels[index].id, var window = stage.windows[id] else { break }
                    let all = window.pixels.layout.extent
                    let rect = Rect(x: number(-5...all.width), y: number(-5...all.height), width: 20, height: 15)
                    if let part = rect.intersection(all) {
                        try window.pixels.paste(
                            TestImage.make(
                                .uniformNoise, part.width, part.height, window.pixels.format, seed: UInt64(step)),
                            at: part)
                    }
                    try window.upload(gl)
                    stage.windows[id] = window
                    stage.backdrop.invalidateTexture(rect, ofPanelAt: index)
                case 3 where count > 0:
                    stage.panels[index].rect.x += number(-9...9)
                    stage.panels[index].opacity = Double(number(0...4)) / 4
                case 4 where count > 1: stage.panels.swapAt(index, number(0...count - 1))
                case 5 where count > 1:
                    let id = stage.panels.remove(at: index).id
                    if let id, let window = stage.windows.removeValue(forKey: id) {
                        gl.delete(textures: [window.texture])
                    }
                    // The indices of panels have changed, so the backdrop must know them before it is told of changes.
                    try stage.render()
                case 6 where count > 0:
                    // A client resizes its window.
                    guard let id = stage.panels[index].id, let old = stage.windows[id] else { break }
                    stage.windows[id] = try Window(
                        gl, number(1...60), number(1...50), old.transform, rises: old.rises, seed: UInt64(step))
                    gl.delete(textures: [old.texture])
                default:
                    guard count < 5 else { break }
                    let (id, width, height) = (UInt64(step + 1), number(1...60), number(1...50))
                    let rect = Rect(x: number(-20...110), y: number(-20...80), width: width, height: height)
                    stage.panels.insert(
                        Panel(
                            rect, effect: effects[number(0...2)], cornerRadius: Double(min(width, height)) / 4, id: id),
                        at: index)
                    // One panel of five has no window.
                    if number(0...4) > 0 {
                        stage.windows[id] = try Window(
                            gl, width, height, SurfaceTransform.allCases[step % 8], rises: step % 3 == 0,
                            seed: UInt64(step))
                    }
                }
                try stage.render()
                let worst = Self.worst(stage.shown, try stage.expected(layering))
                #expect(worst == 0, "step \(step): \(worst) steps")
            }
            // A change that was not reported is not shown, so the reports above mattered.
            let shown = try #require(stage.panels.firstIndex { stage.windows[$0.id ?? 0] != nil })
            stage.panels = [stage.panels[shown]]
            stage.panels[0].rect = Rect(x: 10, y: 10, width: 60, height: 50)
            (stage.panels[0].opacity, stage.panels[0].cornerRadius) = (1, 0)
            try stage.render()
            let id = try #require(stage.panels[0].id)
            let old = stage.shown
            var window = try #require(stage.windows[id])
            let (width, height) = (window.pixels.width, window.pixels.height)
            window.pixels = try TestImage.make(.uniformNoise, width, height, window.pixels.format, seed: 99)
            try window.upload(gl)
            stage.windows[id] = window
            try stage.render()
            #expect(stage.shown == old)
            #expect(try stage.expected(layering) != old)
            stage.end()
        }
    }

    @Test("windows with straight alpha are those from memory within a step, and opaque ones ignore the stored alpha")
    func formats() throws {
        try TestHost().perform { gl in
            var stage = try Stage(gl, .flat)
            stage.windows[1] = try Window(gl, 40, 30, alpha: .straight)
            stage.panels = [
                Panel(Rect(x: 5, y: 6, width: 40, height: 30), effect: try BackdropStage.gaussian(3), id: 1)
            ]
            try stage.render()
            // Straight colour is multiplied in floats of 32 bits here, and of 64 bits there.
            #expect(Self.worst(stage.shown, try stage.expected(.flat)) <= 1)

            let opaque = try Window(gl, 40, 30)
            var panel = stage.panels[0]
            panel.texture = opaque.image
            panel.texture?.format.channels = .rgb
            stage.backdrop.panels = [panel]
            _ = try stage.backdrop.render(
                HostImage(HostTexture(name: stage.source), width: 120, height: 90, format: Self.format),
                into: HostTarget(.texture(stage.target), width: 120, height: 90, format: Self.format))
            let shown = stage.shown
            for (y, row) in (6..<36).enumerated() {
                for x in 0..<40 {
                    let (to, from) = (4 * (row * 120 + 5 + x), 4 * (y * 40 + x))
                    #expect(shown[to..<to + 3] == opaque.pixels.bytes[from..<from + 3] && shown[to + 3] == 255)
                }
            }
            gl.delete(textures: [opaque.texture])
            stage.end()
        }
    }

    @Test("a frame without changes draws nothing, and a changed part of a window copies and draws that part")
    func cost() throws {
        try TestHost().perform { gl in
            var stage = try Stage(gl, .stacked)
            stage.windows[1] = try Window(gl, 60, 40)
            stage.windows[2] = try Window(gl, 60, 40, seed: 2)
            stage.panels = [
                Panel(Rect(x: 5, y: 5, width: 60, height: 40), effect: try BackdropStage.gaussian(0), id: 1),
                Panel(Rect(x: 30, y: 20, width: 60, height: 40), effect: try BackdropStage.gaussian(4), id: 2),
            ]
            try stage.render()
            let passes = stage.renderer.statistics.passes
            let still = try stage.render()
            #expect(still.passes == 0 && still.updated.isEmpty && stage.renderer.statistics.passes == passes)
            // Parts outside the texture do not count, whatever their numbers, nor do panels that do not exist.
            for rect in [
                Rect(x: .max, y: .min, width: .max, height: .max), Rect(x: 70, y: 5, width: 9, height: .max),
                Rect(x: 1, y: 1, width: -5, height: 3),
            ] {
                for index in [0, 1, 2, -1] { stage.backdrop.invalidateTexture(rect, ofPanelAt: index) }
            }
            #expect(try stage.render().passes == 0)
            // The upper window lies over nothing else, so only its own pixels are drawn.
            stage.backdrop.invalidateTexture(Rect(x: 10, y: 10, width: 7, height: 5), ofPanelAt: 1)
            let report = try stage.render()
            #expect(report.updated == [Rect(x: 40, y: 30, width: 7, height: 5)] && report.levelSamples == 0)
            #expect(Self.worst(stage.shown, try stage.expected(.stacked)) == 0)
            stage.end()
        }
    }

    @Test("textures over content, outside backdrops of textures, or of another description are refused by name")
    func refusals() throws {
        try TestHost().perform { gl in
            var stage = try Stage(gl, .flat)
            let window = try Window(gl, 20, 20)
            stage.windows[1] = window
            stage.panels = [
                Panel(Rect(x: 0, y: 0, width: 20, height: 20), effect: try BackdropStage.gaussian(2), id: 1)
            ]
            stage.panels[0].content = [window.content]
            let refused = #expect(throws: FrostError.self) { try stage.render() }
            #expect("\(try #require(refused))".contains("panel texture"))
            stage.panels[0].content = []
            try stage.render()

            var panel = stage.panels[0]
            panel.texture = window.image
            let backdrop = try Backdrop()
            backdrop.panels = [panel]
            var target = try PixelBuffer(
                layout: PixelLayout(width: 20, height: 20, format: Self.format), bytes: window.pixels.bytes)
            let onCPU = #expect(throws: FrostError.self) { try backdrop.render(window.pixels, into: &target) }
            #expect("\(try #require(onCPU))".contains("panel texture"))
            #expect(target.bytes == window.pixels.bytes)

            // Textures have no grey. After the error the next frame is right.
            var grey = window
            grey.pixels = try TestImage.make(.uniformNoise, 20, 20, PixelFormat(.grey))
            stage.windows[1] = grey
            #expect(throws: FrostError.self) { try stage.render() }
            stage.windows[1] = window
            try stage.render()
            #expect(Self.worst(stage.shown, try stage.expected(.flat)) == 0)
            stage.end()
        }
    }
}
