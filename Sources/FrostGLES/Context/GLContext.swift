import CEGL
import CGLES

/// A context and what belongs to it. Made, used and destroyed on one thread, which `GLThread` sees to; so it is not
/// Sendable.
// SAFETY: the EGL handles and GL's functions are private or marked where they are called.
@safe final class GLContext {
    let library: EGLLibrary
    let options: ContextOptions
    let device: DeviceInfo
    let gl: GLFunctions
    let extensions: Set<String>
    let log = DebugLog()
    let deletions: DeletionQueue
    private(set) var limits: ContextLimits
    let timers: TimerFunctions?
    let display: EGLDisplayHandle
    /// EGLImages and dma-bufs; asked for at the first use, since listing the formats takes a while.
    private(set) lazy var images = ImageAccess(
        from: library, display: display, extensions: extensions, isSoftware: device.isSoftware)
    /// Fences that other processes and devices can wait for; nil where the driver has none.
    private(set) lazy var nativeFences = NativeFenceFunctions(from: library, display: display)
    private let handles: ContextHandles
    private let getGraphicsResetStatus: PFNGLGETGRAPHICSRESETSTATUSPROC?

    /// Makes a context on the calling thread and leaves it current there.
    init(candidate: DisplayCandidate, library: EGLLibrary, options: ContextOptions, deletions: DeletionQueue)
        throws(GLError)
    {
        self.library = library
        self.options = options
        self.deletions = deletions
        let display = try library.display(for: candidate)
        self.display = display
        let handles = try unsafe ContextHandles(
            display: display, candidate: candidate, library: library, options: options)
        // Until everything below succeeded nobody else destroys the context.
        var isComplete = false
        defer { if !isComplete { unsafe handles.destroy(in: library) } }
        unsafe self.handles = unsafe handles

        let gl = try GLFunctions(from: library)
        self.gl = gl
        func text(_ name: GLenum) -> String {
            // SAFETY: the context is current; its strings are static, and copied.
            unsafe gl.getString(name).map { unsafe String(cString: $0) } ?? ""
        }
        func integer(_ name: GLenum) -> Int {
            var value: GLint = 0
            // SAFETY: each name asked for has one value.
            unsafe gl.getIntegerv(name, &value)
            return Int(value)
        }
        extensions = Set(
            (0..<GLuint(max(0, integer(GL.numExtensions)))).compactMap {
                // SAFETY: the index is below the number of extensions.
                unsafe gl.getStringi(GL.extensions, $0).map { unsafe String(cString: $0) }
            })
        let renderer = text(GL.renderer)
        device = DeviceInfo(
            index: candidate.index, platform: candidate.platform, renderNode: candidate.renderNode,
            pciPath: candidate.pciPath, eglVendor: display.vendor, eglVersion: display.version, vendor: text(GL.vendor),
            renderer: renderer, version: text(GL.version), shadingLanguage: text(GL.shadingLanguageVersion),
            isSoftware: candidate.saysSoftware || DeviceInfo.namesSoftware(renderer))

        let isES32 = integer(GL.majorVersion) == 3 && integer(GL.minorVersion) >= 2
        getGraphicsResetStatus =
            isES32
            ? library.optionalFunction("glGetGraphicsResetStatus")
            : extensions.contains("GL_KHR_robustness")
                ? library.optionalFunction("glGetGraphicsResetStatusKHR")
                : extensions.contains("GL_EXT_robustness")
                    ? library.optionalFunction("glGetGraphicsResetStatusEXT") : nil

        timers =
            extensions.contains("GL_EXT_disjoint_timer_query") ? TimerFunctions(from: library, gl) : nil

        var viewport: [GLint] = [0, 0]
        // SAFETY: the name has two values.
        unsafe gl.getIntegerv(GL.maxViewportDims, &viewport)
        var binaryFormats = [GLint](repeating: 0, count: max(0, integer(GL.numProgramBinaryFormats)))
        // SAFETY: the name has as many values as the other one said.
        if !binaryFormats.isEmpty { unsafe gl.getIntegerv(GL.programBinaryFormats, &binaryFormats) }
        let programBinaryFormats = Set(binaryFormats.map { UInt32(bitPattern: $0) })
        limits = ContextLimits(
            maximumTextureSize: min(
                integer(GL.maxTextureSize), integer(GL.maxRenderbufferSize), Int(viewport[0]), Int(viewport[1])),
            maximumUniformBlockSize: integer(GL.maxUniformBlockSize),
            uniformBufferOffsetAlignment: max(1, integer(GL.uniformBufferOffsetAlignment)), renderableFormats: [],
            programBinaryFormats: programBinaryFormats)

        listen(isES32: isES32)
        // Dithering is on by default, and would add noise to the quantised output.
        gl.disable(GL.dither)
        gl.pixelStorei(GL.packAlignment, 1)
        gl.pixelStorei(GL.unpackAlignment, 1)
        var formats: Set<TextureFormat> = []
        for format in TextureFormat.allCases where isRenderable(format) { formats.insert(format) }
        limits = ContextLimits(
            maximumTextureSize: limits.maximumTextureSize, maximumUniformBlockSize: limits.maximumUniformBlockSize,
            uniformBufferOffsetAlignment: limits.uniformBufferOffsetAlignment, renderableFormats: formats,
            programBinaryFormats: programBinaryFormats)
        // The probes' targets.
        collectGarbage()
        drainErrors()
        isComplete = true
    }

    /// The EGL handle.
    var eglContext: EGLContext { unsafe handles.context }

    /// Deletes what was retired. Objects that still have owners go with the context.
    func destroy() {
        collectGarbage()
        unsafe handles.destroy(in: library)
    }

    /// Has the driver report to `log`.
    private func listen(isES32: Bool) {
        let callback: PFNGLDEBUGMESSAGECALLBACKPROC? =
            isES32
            ? unsafe library.optionalFunction("glDebugMessageCallback")
            : extensions.contains("GL_KHR_debug") ? unsafe library.optionalFunction("glDebugMessageCallbackKHR") : nil
        guard let callback = unsafe callback else { return }
        gl.enable(GL.debugOutput)
        // Else a message may come after the error it explains was thrown.
        if options.checksEveryCall { gl.enable(GL.debugOutputSynchronous) }
        // SAFETY: the log lives as long as this object, which destroys the context before it goes.
        unsafe callback(DebugLog.callback, log.opaque)
    }

    /// Whether a small target of the format can be made: extensions promise it, but drivers have been wrong.
    private func isRenderable(_ format: TextureFormat) -> Bool {
        if let needed = format.neededExtension, !extensions.contains(needed) { return false }
        let current = CurrentContext(self)
        guard let texture = try? Texture(format, width: 4, height: 4, in: current) else { return false }
        return (try? Framebuffer(texture, in: current)) != nil
    }

    /// Deletes the objects whose owners are gone.
    func collectGarbage() {
        for object in deletions.takePending() {
            var name = GLuint(truncatingIfNeeded: object.name)
            // SAFETY: the context is current, and each name was generated in it and is deleted once.
            switch object.kind {
            case .texture: unsafe gl.deleteTextures(1, &name)
            case .framebuffer: unsafe gl.deleteFramebuffers(1, &name)
            case .buffer: unsafe gl.deleteBuffers(1, &name)
            case .vertexArray: unsafe gl.deleteVertexArrays(1, &name)
            case .sampler: unsafe gl.deleteSamplers(1, &name)
            case .query: unsafe gl.deleteQueries(1, &name)
            case .program: gl.deleteProgram(name)
            case .fence: unsafe gl.deleteSync(OpaquePointer(bitPattern: object.name))
            }
        }
    }

    /// Forgets errors that nobody asked for, so that they are not blamed on a later call.
    func drainErrors() {
        // A lost context may answer with the same error for ever.
        for _ in 0..<16 where gl.getError() == GL.noError { break }
        _ = log.take()
    }

    /// GL_NO_ERROR, or which kind of reset took the context.
    var resetStatus: GLenum { getGraphicsResetStatus?() ?? GL.noError }
}
