import CFaultyGL
import CGLES
@testable import Frost
import FrostCore
@testable import FrostGLES
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Work in the context of a host program: a render, or a frame of a backdrop.
struct HostScenario: FaultScenario {
    enum Work: String {
        case render = "a host's render"
        case backdrop = "a backdrop's frame"
    }

    let work: Work
    let moment: FaultMoment
    private let host: TestHost
    private let picture: PixelBuffer
    private let changed: PixelBuffer
    private let effect: Effect
    private let mask: MaskImage?

    /// A host's thread waits for its driver.
    let blockedMilliseconds: UInt32 = 2
    let size = (width: 100, height: 70)
    var title: String { "\(work.rawValue), \(moment)" }

    private static let format = PixelFormat(.rgba, alpha: .premultiplied)
    private static let library = "faulty calls of a host"
    /// The part of the picture that has changed in the later frame.
    private static let damage = Rect(x: 30, y: 10, width: 40, height: 30)
    /// The place of the window, and the part of it that has changed in the later frame.
    private static let (window, windowDamage) = (
        Rect(x: 20, y: 30, width: 30, height: 20), Rect(x: 5, y: 4, width: 12, height: 9)
    )

    init(_ work: Work, _ moment: FaultMoment, on host: TestHost) throws {
        self.work = work
        self.moment = moment
        self.host = host
        picture = try TestImage.make(.softAlpha, size.width, size.height, Self.format)
        var changed = picture
        try changed.paste(
            TestImage.make(.uniformNoise, Self.damage.width, Self.damage.height, Self.format), at: Self.damage)
        self.changed = changed
        effect = try GPUEffectTests.everything(sigma: 1.5)
        mask = try GPUEffectTests.mask()
    }

    /// The picture that the work reads.
    private var source: PixelBuffer { work == .backdrop && moment == .later ? changed : picture }

    /// Returns the pixels of the window in a frame.
    private static func windowPixels(_ moment: FaultMoment) throws -> PixelBuffer {
        var pixels = try TestImage.make(.softAlpha, window.width, window.height, format)
        if moment == .later {
            try pixels.paste(
                TestImage.make(.uniformNoise, windowDamage.width, windowDamage.height, format), at: windowDamage)
        }
        return pixels
    }

    /// Returns the panels from bottom to top. The first is the window, without its pixels.
    private func panels(moved: Bool) throws -> [Panel] {
        [
            Panel(Self.window, effect: Effect(try GaussianBlur(sigma: 0))),
            Panel(
                Rect(x: 5, y: 6, width: 60, height: 50), effect: Effect(try GaussianBlur(sigma: 4)), cornerRadius: 9),
            Panel(
                Rect(x: moved ? 44 : 50, y: 20, width: 45, height: 45),
                // The colour of its content is chosen by samples, which are read back.
                effect: try EffectCatalog.effect("blur-dark").make(["min-contrast": .number(4.5)])),
        ]
    }

    private static func blank(_ width: Int, _ height: Int) -> [UInt8] {
        [UInt8](repeating: 0xA5, count: 4 * width * height)
    }

    func expected() throws -> [UInt8] {
        switch work {
        case .render: return try Renderer(backend: .cpu, threads: 1).renderNow(source, effect, mask: mask).image.bytes
        case .backdrop:
            var target = try PixelBuffer(layout: picture.layout, bytes: Self.blank(size.width, size.height))
            let backdrop = try Backdrop(threads: 1, layering: .stacked)
            backdrop.panels = try panels(moved: moment == .later)
            backdrop.panels[0].content = [ContentLayer(ContentImage(try Self.windowPixels(moment)))]
            _ = try backdrop.render(source, into: &target)
            return target.bytes
        }
    }

    /// A host's textures, and Frost's objects in the host's context.
    private struct Stage {
        let gl: HostGL
        let source: GLuint
        let target: GLuint
        let window: GLuint
        let size: (width: Int, height: Int)
        var renderer: TextureRenderer?
        var backdrop: TextureBackdrop?

        init(_ gl: HostGL, _ picture: PixelBuffer, window pixels: PixelBuffer) {
            self.gl = gl
            window = gl.texture(pixels.width, pixels.height, pixels.bytes)
            size = (picture.width, picture.height)
            source = gl.texture(size.width, size.height, picture.bytes)
            target = gl.texture(size.width, size.height, HostScenario.blank(size.width, size.height))
        }

        func image(_ width: Int, _ height: Int) -> HostImage {
            HostImage(HostTexture(name: source), width: width, height: height, format: HostScenario.format)
        }

        var place: HostTarget {
            HostTarget(.texture(target), width: size.width, height: size.height, format: HostScenario.format)
        }

        /// Sets the panels, the first of which shows the window.
        func show(_ panels: [Panel]) throws {
            let backdrop = try #require(backdrop)
            backdrop.panels = panels
            backdrop.panels[0].texture = HostImage(
                HostTexture(name: window), width: panels[0].rect.width, height: panels[0].rect.height,
                format: HostScenario.format)
        }

        var shown: [UInt8] { gl.pixels(target, size.width, size.height) }

        func clear() {
            gl.update(
                target, Rect(x: 0, y: 0, width: size.width, height: size.height),
                HostScenario.blank(size.width, size.height))
        }
    }

    private func open(_ stage: inout Stage) throws {
        let options = GPUOptions(
            context: ContextOptions(libraryName: Self.library, checksEveryCall: false), programCache: .off)
        let renderer = try TextureRenderer(options: options)
        stage.renderer = renderer
        if work == .backdrop { stage.backdrop = TextureBackdrop(on: renderer, layering: .stacked) }
    }

    /// Draws the picture, and returns the pixels of the target.
    private func draw(_ stage: Stage) throws -> [UInt8] {
        switch work {
        case .render:
            let renderer = try #require(stage.renderer)
            try renderer.render(stage.image(size.width, size.height), effect, mask: mask, into: stage.place)
        case .backdrop:
            let backdrop = try #require(stage.backdrop)
            try stage.show(try panels(moved: moment == .later))
            let report = try backdrop.render(stage.image(size.width, size.height), into: stage.place)
            for rect in report.uncovered { stage.gl.update(stage.target, rect, Self.blank(rect.width, rect.height)) }
        }
        return stage.shown
    }

    /// Does the work that precedes the later work.
    private func drawFirst(_ stage: Stage) throws {
        switch work {
        case .render:
            let (texture, gl) = (stage.gl.texture(40, 30, nil), stage.gl)
            defer { gl.delete(textures: [texture]) }
            let small = gl.texture(40, 30, Self.blank(40, 30))
            defer { gl.delete(textures: [small]) }
            let renderer = try #require(stage.renderer)
            try renderer.render(
                HostImage(HostTexture(name: small), width: 40, height: 30, format: Self.format), effect, mask: mask,
                into: HostTarget(.texture(texture), width: 40, height: 30, format: Self.format))
        case .backdrop:
            let backdrop = try #require(stage.backdrop)
            try stage.show(try panels(moved: false))
            _ = try backdrop.render(stage.image(size.width, size.height), into: stage.place)
            let part = try changed.cropped(to: Self.damage)
            stage.gl.update(stage.source, Self.damage, part.bytes)
            backdrop.invalidate(Self.damage)
            let changedWindow = try Self.windowPixels(.later).cropped(to: Self.windowDamage)
            stage.gl.update(stage.window, Self.windowDamage, changedWindow.bytes)
            backdrop.invalidateTexture(Self.windowDamage, ofPanelAt: 0)
        }
    }

    func attempt(_ failure: CallFailure) throws -> Attempt {
        CallFailure.none.set()
        // SAFETY: the registered functions have the types of the EGL and GL functions.
        try unsafe EGLLibrary.register(Self.library, faulty_get_proc_address)
        return try host.perform { gl in
            var attempt = Attempt()
            let before = faulty_existing()
            // An earlier failure may have kept Frost from restoring these switches, which are on by default, and these
            // bindings. Frost restores a binding to a part of a buffer by another call.
            gl.gl.enable(GL.dither)
            gl.gl.enable(GLenum(GL_FRAMEBUFFER_SRGB_EXT))
            for index in 0..<GLuint(4) { gl.gl.bindBufferBase(GL.uniformBuffer, index, 0) }
            var stage = Stage(gl, picture, window: try Self.windowPixels(.first))
            let own = gl.texture(4, 4, Self.blank(4, 4))
            let framebuffer = gl.framebuffer(own)
            defer {
                gl.delete(textures: [stage.source, stage.target, stage.window, own], framebuffers: [framebuffer])
            }
            if moment == .later {
                try open(&stage)
                try drawFirst(stage)
            }
            // Frost must change neither the framebuffer nor the uniform buffer that the host has bound.
            let uniforms = HostUniforms(gl.gl)
            defer { uniforms.delete() }
            gl.gl.bindFramebuffer(GL.framebuffer, framebuffer)
            failure.set()
            if moment == .first { try? open(&stage) }
            attempt.picture = stage.renderer == nil ? nil : try? draw(stage)
            attempt.finish()
            if failure.outcome == FAULTY_LOST {
                // A lost context is lost for good, but a frame may have nothing left to draw.
                if stage.renderer != nil, let again = try? draw(stage), work == .render || again != attempt.picture {
                    attempt.faults.append("a picture in a lost context")
                }
                stage.renderer?.destroy()
                (stage.renderer, stage.backdrop) = (nil, nil)
                stage.clear()
            }
            CallFailure.none.set()
            if !uniforms.isUnchanged { attempt.faults.append("the host's uniform buffer has changed") }
            if gl.pixels(own, 4, 4) != Self.blank(4, 4) { attempt.faults.append("the host's framebuffer has changed") }
            if stage.renderer == nil { _ = attempt.require("opening again") { try open(&stage) } }
            guard let renderer = stage.renderer else { return attempt }
            attempt.next = attempt.require("the next picture") { try draw(stage) }
            let counted = renderer.statistics.objects
            if moment == .later { attempt.bytes = counted.bytes }
            // The objects of a lost context are lost with it.
            let mayLeave = failure.isDeletion || failure.outcome == FAULTY_LOST
            if !mayLeave { attempt.checkObjects(counted, since: before) }
            (stage.renderer, stage.backdrop) = (nil, nil)
            renderer.destroy()
            if !mayLeave { attempt.checkNothingLeft(since: before) }
            return attempt
        }
    }
}

/// A uniform buffer that a host has bound.
private struct HostUniforms {
    private static let content = [UInt8](repeating: 0xA5, count: 64)
    private let gl: GLFunctions
    private var name: GLuint = 0

    init(_ gl: GLFunctions) {
        self.gl = gl
        // SAFETY: glGenBuffers writes one name, and the buffer is as large as its content.
        unsafe gl.genBuffers(1, &name)
        gl.bindBuffer(GL.uniformBuffer, name)
        unsafe gl.bufferData(GL.uniformBuffer, Self.content.count, Self.content, GL.streamDraw)
    }

    var isUnchanged: Bool {
        gl.bindBuffer(GL.uniformBuffer, name)
        // SAFETY: the mapped range is the whole buffer.
        guard
            let bytes = unsafe gl.mapBufferRange(
                GL.uniformBuffer, 0, Self.content.count, GLbitfield(GL_MAP_READ_BIT))
        else { return false }
        defer { _ = gl.unmapBuffer(GL.uniformBuffer) }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: Self.content.count).elementsEqual(Self.content)
    }

    func delete() {
        var name = name
        // SAFETY: the name was generated by `init`.
        unsafe gl.deleteBuffers(1, &name)
    }
}
