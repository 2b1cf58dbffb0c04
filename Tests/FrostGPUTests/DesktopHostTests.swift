import CEGL
import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Glibc
import Testing

/// Tests Frost in contexts of desktop OpenGL and of several versions of OpenGL ES.
@Suite(.serialized, .enabled(if: TestGPU.isWanted && HostAPI.hasDesktop, "no desktop OpenGL"))
struct DesktopHostTests {
    @Test(
        "pixels are those of a renderer with its own context, all state is restored, and the driver has no complaints",
        arguments: HostAPI.allCases)
    func everyAPI(_ api: HostAPI) throws { try Self.check(api) }

    @Test("the same in a driver of OpenGL 3.3, core profile, without the extensions of later versions")
    func version33() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1)
            unsafe setenv(
                "MESA_EXTENSION_OVERRIDE",
                "-GL_ARB_texture_storage -GL_ARB_invalidate_subdata -GL_ARB_get_program_binary -GL_ARB_clip_control"
                    + " -GL_ARB_viewport_array -GL_ARB_transform_feedback2", 1)
            try DesktopHostTests.check(.core, version: "3.3")
        }
    }

    @Test("the same in a driver of OpenGL 3.3, compatibility profile") func compatibility33() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("MESA_GL_VERSION_OVERRIDE", "3.3COMPAT", 1)
            try DesktopHostTests.check(.compatibility, version: "3.3")
        }
    }

    @Test("contexts before OpenGL 3.3 are a typed error with the version") func olderVersions() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("MESA_GL_VERSION_OVERRIDE", "3.1", 1)
            _ = try TestHost().perform { gl in
                try HostAPI.legacy.perform(gl) {
                    #expect {
                        _ = try HostExecutor()
                    } throws: { error in
                        guard case .gl(.notCurrent(let reason))? = error as? GPUError else { return false }
                        return reason.hasPrefix("the current context has 3.1")
                            && reason.hasSuffix("needs OpenGL ES 3.0 or OpenGL 3.3, or later")
                    }
                }
            }
        }
    }

    private static let (width, height) = (70, 53)

    /// Draws effects in a context of an API.
    ///
    /// - Parameter version: the version that the context must have; nil for any.
    static func check(_ api: HostAPI, version: String? = nil) throws {
        let format = PixelFormat(.rgba, alpha: .premultiplied)
        let picture = try TestImage.make(.softAlpha, width, height, format)
        let extent = Rect(x: 0, y: 0, width: width, height: height)
        let clip = [try RoundedRect(x: 7.5, y: 5, width: 50, height: 40, radius: 9)]
        let band = Mask.band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3))
        let effects = [
            Effect(try GaussianBlur(sigma: 0.7)), Effect(try GaussianBlur(sigma: 3, edge: .mirror)),
            Effect(
                name: "colored", blur: try GaussianBlur(sigma: 12),
                outputStages: OutputStages(inside: [.matrix(.saturation(1.8))], clip: clip, dither: Dither())),
            Effect(name: "disc", blur: try DiscBlur(radius: 4)),
            Effect(name: "variable", blur: try VariableBlur(sigma: 5, mask: band)),
        ]
        let expected = try effects.map {
            try TestGPU.shared.get().run($0.plan(extent: extent), on: picture).output.pixelBytes
        }
        try TestHost().perform { gl in
            try api.perform(gl) {
                // SAFETY: the string of the current context is copied.
                let actual = unsafe gl.gl.getString(GL.version).map { unsafe String(cString: $0) } ?? ""
                #expect(version == nil || actual.hasPrefix(version ?? ""), "\(actual)")
                let source = gl.texture(width, height, picture.pixelBytes)
                let target = gl.texture(width, height, nil)
                let others = (0..<6).map { _ in gl.texture(8, 8, nil) }
                gl.disturb(textures: others, framebuffer: gl.framebuffer(others[0]))
                let desktop = try api.isDesktop ? DesktopDisturbance() : nil
                let log = DebugLog()
                try api.listen(log, gl)
                let before = gl.state() + (desktop?.state(gl) ?? [])
                _ = log.take()
                // The log receives complaints.
                gl.gl.enable(0xFFFF)
                while gl.gl.getError() != GL.noError {}
                #expect(log.take() != [], "\(api)")
                let executor = try HostExecutor(options: GPUOptions(programCache: .off))
                #expect(executor.limits.renderableFormats.isSuperset(of: [.rgba8, .rgba16F, .rgba32F]))
                for (effect, expected) in zip(effects, expected) {
                    try executor.execute(
                        effect.plan(extent: extent),
                        source: HostImage(HostTexture(name: source), width: width, height: height, format: format),
                        target: HostTarget(.texture(target), width: width, height: height, format: format))
                    #expect(log.take() == [], "\(api), \(effect)")
                    let after = gl.state() + (desktop?.state(gl) ?? [])
                    #expect(
                        zip(before, after).filter { $0 != $1 }.map { "\($0), now \($1)" } == [], "\(api), \(effect)")
                    desktop?.allowReading()
                    let pixels = gl.pixelsKeepingState(target, width, height)
                    desktop?.forbidReading()
                    #expect(pixels == expected, "\(api), \(effect)")
                    _ = log.take()
                }
                if api.isDesktop {
                    let external = HostTexture(name: source, kind: .external)
                    #expect(throws: GPUError.self) {
                        try executor.execute(
                            effects[0].plan(extent: extent),
                            source: HostImage(external, width: width, height: height, format: format),
                            target: HostTarget(.texture(target), width: width, height: height, format: format))
                    }
                }
                executor.destroy()
                #expect(executor.statistics.objects.total == 0)
            }
        }
    }
}

/// The API and version of a host's context.
enum HostAPI: CaseIterable {
    case es30, es32, core, compatibility, legacy

    static var allCases: [HostAPI] { [.es30, .es32, .core, .compatibility] }

    static let hasDesktop: Bool = {
        do { return try TestHost().perform { gl in try HostAPI.core.perform(gl) { true } } } catch { return false }
    }()

    var isDesktop: Bool {
        switch self {
        case .es30, .es32: false
        case .core, .compatibility, .legacy: true
        }
    }

    private var attributes: [EGLint] {
        let profile: EGLint = EGL_CONTEXT_OPENGL_PROFILE_MASK
        switch self {
        case .es30: return [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0]
        case .es32: return [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2]
        case .core:
            return [
                EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, profile,
                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
            ]
        case .compatibility:
            return [
                EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, profile,
                EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
            ]
        case .legacy: return []
        }
    }

    /// Calls `body` with a new context of this API current, on a thread that has a context of OpenGL ES.
    @discardableResult
    func perform<Value>(_ gl: HostGL, _ body: () throws -> Value) throws -> Value {
        let library = try EGLLibrary.open()
        let (display, old) = try unsafe library.current()
        let egl = library.egl
        let api = isDesktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API
        guard egl.bindAPI(EGLenum(api)) != 0 else { throw GLError.unsupported("\(self)") }
        defer { _ = egl.bindAPI(EGLenum(EGL_OPENGL_ES_API)) }
        // SAFETY: the list ends in EGL_NONE, and a context without a configuration needs none.
        guard let context = unsafe egl.createContext(display.raw, nil, nil, attributes + [EGL_NONE]) else {
            throw GLError.unsupported("\(self)")
        }
        // SAFETY: both contexts belong to the display, and are current on this thread only.
        guard unsafe egl.makeCurrent(display.raw, nil, nil, context) != 0 else {
            throw GLError.unsupported("\(self)")
        }
        defer {
            _ = unsafe egl.makeCurrent(display.raw, nil, nil, old)
            _ = unsafe egl.destroyContext(display.raw, context)
        }
        return try body()
    }

    /// Reports all messages of the driver to a log, which must outlive the context.
    func listen(_ log: DebugLog, _ gl: HostGL) throws {
        let name = isDesktop || self == .es32 ? "glDebugMessageCallback" : "glDebugMessageCallbackKHR"
        let callback: PFNGLDEBUGMESSAGECALLBACKPROC = try unsafe Driver(EGLLibrary.open()).function(name)
        gl.gl.enable(GL.debugOutput)
        gl.gl.enable(GL.debugOutputSynchronous)
        // SAFETY: the log lives as long as the messages arrive.
        unsafe callback(DebugLog.callback, log.opaque)
    }
}

/// Sets the state that only desktop OpenGL has to values that would spoil Frost's draws.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe private struct DesktopDisturbance {
    private let functions: DesktopFunctions
    private let getFloati: PFNGLGETFLOATI_VOESPROC?

    init() throws(GLError) {
        let library = Driver(try EGLLibrary.open())
        let gl = try GLFunctions(from: library)
        var (major, minor, count): (GLint, GLint, GLint) = (0, 0, 0)
        // SAFETY: each queried parameter has one value.
        unsafe gl.getIntegerv(GL.majorVersion, &major)
        unsafe gl.getIntegerv(GL.minorVersion, &minor)
        unsafe gl.getIntegerv(GL.numExtensions, &count)
        let extensions = Set(
            (0..<GLuint(count)).compactMap {
                unsafe gl.getStringi(GL.extensions, $0).map { unsafe String(cString: $0) }
            })
        functions = try DesktopFunctions(from: library, gl, (Int(major), Int(minor)), extensions)
        unsafe getFloati = unsafe functions.viewports?.get
        for name in DesktopGL.switches + [DesktopGL.clipDistance0, DesktopGL.clipDistance0 + 5] { gl.enable(name) }
        if functions.isCompatible {
            gl.enable(DesktopGL.alphaTest)
            let alphaFunc: @convention(c) (GLenum, GLfloat) -> Void = try library.function("glAlphaFunc")
            alphaFunc(GLenum(GL_NEVER), 0)
        }
        functions.polygonMode(DesktopGL.frontAndBack, 0x1B01)
        functions.clipControl?(0x8CA2, 0x935F)
        functions.clampColor(DesktopGL.clampReadColor, 1)
        gl.pixelStorei(DesktopGL.unpackSwapBytes, 1)
        functions.viewports?.set(3, 1.5, 2.5, 30, 40)
        gl.disable(GLenum(GL_SCISSOR_TEST))
        functions.enablei(GLenum(GL_SCISSOR_TEST), functions.viewports == nil ? 0 : 2)
        forbidReading()
    }

    /// Scales what glReadPixels returns, in compatibility profiles.
    func forbidReading() { if functions.isCompatible { functions.pixelTransferf(0x0D14, 0.5) } }
    func allowReading() { if functions.isCompatible { functions.pixelTransferf(0x0D14, 1) } }

    func state(_ host: HostGL) -> [String] {
        let gl = host.gl
        var lines: [String] = []
        let clips = (0..<GLenum(6)).map { DesktopGL.clipDistance0 + $0 }
        for name in DesktopGL.switches + clips + (functions.isCompatible ? [DesktopGL.alphaTest] : []) {
            lines.append("switch \(name): \(gl.isEnabled(name))")
        }
        let names =
            [DesktopGL.polygonMode, DesktopGL.clampReadColor, DesktopGL.unpackSwapBytes, DesktopGL.packSwapBytes]
            + (functions.clipControl == nil ? [] : [DesktopGL.clipOrigin, DesktopGL.clipDepth])
            + (functions.isCompatible ? [DesktopGL.clampFragmentColor] : [])
        for name in names { lines.append("value \(name): \(host.integers(Int32(name), count: 2))") }
        if functions.isCompatible {
            for (name, _) in DesktopGL.pixelTransfer {
                var value: GLfloat = 0
                // SAFETY: the queried parameter has one value.
                unsafe functions.getFloatv(name, &value)
                lines.append("transfer \(name): \(value)")
            }
        }
        for index in 0..<(functions.viewports?.count ?? 0) {
            var viewport: [GLfloat] = [0, 0, 0, 0]
            // SAFETY: the queried parameter has four values per index.
            unsafe getFloati?(GLenum(GL_VIEWPORT), index, &viewport)
            lines.append("viewport \(index): \(viewport), \(functions.isEnabledi(GLenum(GL_SCISSOR_TEST), index))")
        }
        while gl.getError() != GL.noError {}
        return lines
    }
}
