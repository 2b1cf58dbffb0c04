import CGLES
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Tests live backdrops that use the textures of a host program.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct TextureBackdropTests {
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)
    private static let options = GPUOptions()

    /// A simulated host program that shows a picture with panels on it.
    private struct Stage {
        let gl: HostGL
        let renderer: TextureRenderer
        let backdrop: TextureBackdrop
        let size: (width: Int, height: Int)
        /// How the textures of the source and the target store their images.
        let transforms: (source: SurfaceTransform, target: SurfaceTransform)
        let source: GLuint
        let target: GLuint
        var picture: PixelBuffer
        var seed: UInt64 = 1

        init(
            _ gl: HostGL, _ width: Int, _ height: Int, _ coverage: Backdrop.Coverage,
            _ layering: Backdrop.Layering = .flat,
            _ transforms: (source: SurfaceTransform, target: SurfaceTransform) = (.normal, .normal)
        ) throws {
            self.gl = gl
            renderer = try TextureRenderer(options: TextureBackdropTests.options)
            backdrop = TextureBackdrop(on: renderer, coverage: coverage, layering: layering)
            size = (width, height)
            picture = try TestImage.make(.uniformNoise, width, height, TextureBackdropTests.format)
            self.transforms = transforms
            let stored = try picture.stored(transforms.source)
            source = gl.texture(stored.width, stored.height, stored.bytes)
            let (wide, high) = transforms.target.turned(width: width, height: height)
            target = gl.texture(wide, high, Self.blank(wide, high))
        }

        static func blank(_ width: Int, _ height: Int) -> [UInt8] {
            [UInt8](repeating: 0xA5, count: 4 * width * height)
        }

        var image: HostImage {
            HostImage(
                HostTexture(name: source), width: size.width, height: size.height, format: TextureBackdropTests.format,
                transform: transforms.source)
        }

        /// The target that the stage draws into.
        var output: HostTarget {
            var output = place(target)
            output.transform = transforms.target
            return output
        }

        /// Returns a texture that stores an image upright.
        func upright(_ texture: GLuint) -> HostImage {
            HostImage(
                HostTexture(name: texture), width: size.width, height: size.height, format: TextureBackdropTests.format)
        }

        func place(_ texture: GLuint) -> HostTarget {
            HostTarget(
                .texture(texture), width: size.width, height: size.height, format: TextureBackdropTests.format)
        }

        mutating func damage(_ rect: Rect) throws {
            seed += 1
            if let part = rect.intersection(picture.layout.extent) {
                let pixels = try TestImage.make(
                    .uniformNoise, part.width, part.height, TextureBackdropTests.format, seed: seed)
                try picture.paste(pixels, at: part)
                gl.update(
                    source, transforms.source.toBuffer(part, width: size.width, height: size.height),
                    try pixels.stored(transforms.source).bytes)
            }
            backdrop.invalidate(rect)
        }

        @discardableResult func render(_ repaint: Backdrop.Repaint = .changed) throws -> BackdropReport {
            let report = try backdrop.render(image, into: output, repaint: repaint)
            for rect in report.uncovered { blank(rect) }
            return report
        }

        /// Blanks a rectangle of the target.
        func blank(_ rect: Rect) {
            let rect = transforms.target.toBuffer(rect, width: size.width, height: size.height)
            gl.update(target, rect, Self.blank(rect.width, rect.height))
        }

        var shown: [UInt8] {
            get throws {
                let (wide, high) = transforms.target.turned(width: size.width, height: size.height)
                return try PixelBuffer(
                    layout: PixelLayout(width: wide, height: high, format: TextureBackdropTests.format),
                    bytes: gl.pixels(target, wide, high)
                ).seen(transforms.target).bytes
            }
        }

        /// Returns the pixels that a new backdrop draws from and into textures that store images upright. A new backdrop has no
        /// cached data.
        func expected() throws -> [UInt8] {
            let texture = gl.texture(size.width, size.height, Self.blank(size.width, size.height))
            let from = gl.texture(size.width, size.height, picture.bytes)
            defer { gl.delete(textures: [texture, from]) }
            let fresh = TextureBackdrop(on: renderer)
            fresh.panels = backdrop.panels
            _ = try fresh.render(upright(from), into: place(texture))
            return gl.pixels(texture, size.width, size.height)
        }

        /// Returns the pixels of a composition from the bottom up, in whole pictures.
        func composed() throws -> [UInt8] {
            var (below, covered) = (picture.bytes, Region())
            for panel in backdrop.panels {
                let (from, to) = (
                    gl.texture(size.width, size.height, below), gl.texture(size.width, size.height, below)
                )
                defer { gl.delete(textures: [from, to]) }
                _ = try renderer.render(upright(from), panel, into: place(to))
                below = gl.pixels(to, size.width, size.height)
                if let visible = panel.rect.intersection(picture.layout.extent) { covered.formUnion(Region(visible)) }
            }
            var shown = Self.blank(size.width, size.height)
            for rect in covered.rects {
                for y in rect.rows {
                    let bytes = 4 * (y * size.width + rect.x)..<4 * (y * size.width + rect.x + rect.width)
                    shown.replaceSubrange(bytes, with: below[bytes])
                }
            }
            return shown
        }

        /// Returns the pixels that the CPU backend draws.
        func expectedOfCPU() throws -> [UInt8] {
            var target = try PixelBuffer(layout: picture.layout, bytes: Self.blank(size.width, size.height))
            let backdrop = try Backdrop()
            backdrop.panels = self.backdrop.panels
            _ = try backdrop.render(picture, into: &target)
            return target.bytes
        }

        func end() {
            renderer.destroy()
            gl.delete(textures: [source, target])
        }
    }

    private static func worst(_ a: [UInt8], _ b: [UInt8]) -> Int {
        zip(a, b).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    @Test(
        "after any damage, move, resize and change the texture is that of a full recomputation, and the CPU's within a step",
        arguments: [Backdrop.Coverage.panels, .everywhere], Backdrop.Layering.allCases)
    func random(coverage: Backdrop.Coverage, layering: Backdrop.Layering) throws {
        try random(coverage, layering, (.normal, .normal))
    }

    @Test(
        "so it is for sources and targets that store images mirrored and turned",
        arguments: zip(
            SurfaceTransform.allCases,
            [
                SurfaceTransform.flipped90, .turned90, .turned270, .normal, .flipped270, .flipped, .turned180,
                .flipped180,
            ]))
    func turned(source: SurfaceTransform, target: SurfaceTransform) throws {
        try random(.panels, source == .turned90 || source == .flipped ? .stacked : .flat, (source, target))
    }

    private func random(
        _ coverage: Backdrop.Coverage, _ layering: Backdrop.Layering,
        _ transforms: (source: SurfaceTransform, target: SurfaceTransform)
    ) throws {
        try TestHost().perform { gl in
            var generator = SeededGenerator(seed: coverage == .panels ? 3 : 4)
            let effects = try BackdropStage.effects()
            var stage = try Stage(gl, 120, 90, coverage, layering, transforms)
            func rect(_ largest: Int) -> Rect {
                Rect(
                    x: .random(in: -largest / 2..<120, using: &generator),
                    y: .random(in: -largest / 2..<90, using: &generator),
                    width: .random(in: 1...largest, using: &generator),
                    height: .random(in: 1...largest, using: &generator))
            }
            for step in 0..<BackdropStage.steps(60) {
                let count = stage.backdrop.panels.count
                let index = count == 0 ? 0 : Int.random(in: 0..<count, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0..<3: try stage.damage(rect(40))
                case 3 where count > 0: stage.backdrop.panels[index].rect.x += .random(in: -9...9, using: &generator)
                case 4 where count > 0:
                    stage.backdrop.panels[index].rect = rect(70)
                    stage.backdrop.panels[index].cornerRadius = 0
                case 5 where count > 0:
                    let rect = stage.backdrop.panels[index].rect
                    stage.backdrop.panels[index].cornerRadius = Double(min(rect.width, rect.height)) / 3
                case 6 where count > 1: stage.backdrop.panels.remove(at: index)
                default:
                    let effect = effects[.random(in: effects.indices, using: &generator)]
                    if count < 5 { stage.backdrop.panels.insert(Panel(rect(70), effect: effect), at: index) }
                }
                if step % 13 == 12 {
                    stage.blank(Rect(x: 0, y: 0, width: 120, height: 90))
                }
                try stage.render(step % 13 == 12 ? .all : .changed)
                let shown = try stage.shown
                switch layering {
                case .flat: #expect(Self.worst(shown, try stage.expected()) == 0, "step \(step)")
                case .stacked: #expect(Self.worst(shown, try stage.composed()) == 0, "step \(step), stacked")
                }
                if step % 10 == 9, layering == .flat {
                    let worst = Self.worst(shown, try stage.expectedOfCPU())
                    #expect(worst <= 1, "step \(step): \(worst) steps, \(stage.backdrop.panels.map(\.effect.name))")
                }
            }
            stage.end()
        }
    }

    @Test("passes and samples follow from geometry, and nothing is drawn where nothing has changed")
    func passesFollowFromGeometry()
        throws
    {
        try TestHost().perform { gl in
            var stage = try Stage(gl, 400, 300, .everywhere)
            let blur = Effect(try GaussianBlur(sigma: 12, edge: .mirror))
            stage.backdrop.panels = [Panel(Rect(x: 40, y: 30, width: 200, height: 150), effect: blur)]
            let first = try stage.render()
            let plan = try blur.plan(extent: stage.image.extent)
            // The level has the passes before the interpolations. Each panel runs all interpolations.
            let cut = try #require(
                plan.passes.firstIndex { if case .interpolate = $0.operation { true } else { false } })
            let own = plan.passes.count - cut
            #expect(first.levelPasses == cut && own > 0)
            #expect(first.panelPasses == own && first.panelPixels == 200 * 150)
            let passes = stage.renderer.statistics.passes
            // If nothing has changed, a frame runs no pass and creates no GL object.
            #expect(try stage.render().passes == 0)
            #expect(stage.renderer.statistics.passes == passes)
            // If a panel moves and the picture does not change, only the last passes of this panel run.
            stage.backdrop.panels[0].rect.x += 50
            let move = try stage.render()
            #expect(move.levelPasses == 0 && move.panelPasses == own)
            // After damage, only the samples and pixels that the damage affects are recomputed.
            let damage = Rect(x: 150, y: 100, width: 10, height: 10)
            try stage.damage(damage)
            let level = plan.passes[cut - 1].to
            let samples = plan.affected(by: damage, at: level).rects.reduce(0) { $0 + $1.width * $1.height }
            let pixels = plan.affected(by: damage).intersection(Region(stage.backdrop.panels[0].rect))
            let change = try stage.render()
            #expect(change.levelSamples == samples)
            #expect(change.panelPixels == pixels.rects.reduce(0) { $0 + $1.width * $1.height })
            // Ten panels that show the same blur of one picture share this blur.
            try stage.damage(Rect(x: 0, y: 0, width: 400, height: 300))
            stage.backdrop.panels = (0..<10).map {
                Panel(Rect(x: 40 * $0, y: 25 * $0, width: 38, height: 24), effect: blur)
            }
            let ten = try stage.render()
            #expect(ten.levelPasses == first.levelPasses && ten.panelPasses == 10 * own)
            stage.end()
        }
    }

    @Test("a later frame's textures are checked like the first's, and the frame after a cancelled one completes it")
    func laterFrames() throws {
        try TestHost().perform { gl in
            var stage = try Stage(gl, 60, 40, .panels)
            let rect = Rect(x: 10, y: 10, width: 30, height: 20)
            stage.backdrop.panels = [Panel(rect, effect: try BackdropStage.gaussian(4))]
            try stage.render()
            var aside = stage.place(stage.target)
            aside.x = .min / 2
            #expect(throws: FrostError.self) { try stage.backdrop.render(stage.image, into: aside, repaint: .all) }
            aside.x = 1
            #expect(throws: FrostError.self) { try stage.backdrop.render(stage.image, into: aside) }
            let other = HostTarget(.texture(stage.target), width: 60, height: 40, format: PixelFormat(.rgb))
            #expect(throws: FrostError.self) { try stage.backdrop.render(stage.image, into: other) }

            let cancellation = Cancellation()
            cancellation.cancel()
            try stage.damage(rect)
            #expect(throws: FrostError.cancelled) {
                try stage.backdrop.render(stage.image, into: stage.place(stage.target), cancellation: cancellation)
            }
            try stage.render()
            #expect(try stage.shown == stage.expected())
            stage.end()
        }
    }

    @Test("a panel drawn at once equals the backdrop's, and only its pixels are written") func panelAtOnce() throws {
        try TestHost().perform { gl in
            let stage = try Stage(gl, 100, 80, .panels)
            var panel = Panel(
                Rect(x: -8, y: 15, width: 90, height: 70), effect: try EffectCatalog.effect("blur-dark").make([:]),
                cornerRadius: 12, corners: .superellipse(), id: 1)
            for region in [
                nil, Region([Rect(x: 0, y: 0, width: 60, height: 30), Rect(x: 30, y: 20, width: 9, height: 50)]),
            ] {
                panel.region = region
                stage.backdrop.panels = [panel]
                try stage.render()
                let texture = gl.texture(100, 80, Stage.blank(100, 80))
                _ = try stage.renderer.render(stage.image, panel, into: stage.place(texture))
                #expect(try gl.pixels(texture, 100, 80) == stage.shown)
                #expect(try stage.shown != Stage.blank(100, 80))
                panel.rect.x += 1
                _ = try stage.renderer.render(stage.image, panel, into: stage.place(texture))
                #expect(try gl.pixels(texture, 100, 80) != stage.shown)
                gl.delete(textures: [texture])
            }
            stage.end()
        }
    }

    @Test("frames of a moving panel make no GL objects") func steadyState() throws {
        try TestHost().perform { gl in
            var stage = try Stage(gl, 200, 150, .panels)
            let effect = Effect(
                name: "glass", blur: try GaussianBlur(sigma: 8, edge: .mirror),
                outputStages: OutputStages(inside: [.matrix(.saturation(1.8))], dither: Dither()))
            stage.backdrop.panels = [
                Panel(Rect(x: 0, y: 20, width: 80, height: 60), effect: effect, cornerRadius: 9)
            ]
            var created = 0
            for frame in 0..<200 {
                stage.backdrop.panels[0].rect.x = frame % 120
                try stage.damage(Rect(x: frame, y: 70, width: 16, height: 16))
                try stage.render()
                if frame == 150 { created = stage.renderer.statistics.objects.created }
            }
            #expect(stage.renderer.statistics.objects.created == created && created > 0)
            stage.end()
        }
    }
}
