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
    let drawBufferFunctions: DrawBufferFunctions?
    /// What tells the sizes and formats of textures; nil before OpenGL ES 3.1.
    let getTexLevelParameteriv: PFNGLGETTEXLEVELPARAMETERIVPROC?
    let display: EGLDisplayHandle
    /// The EGL handle.
    let eglContext: EGLContext
    /// EGLImages and dma-bufs; asked for at the first use, since listing the formats takes a while.
    private(set) lazy var images = ImageAccess(
        from: library, display: display, extensions: extensions, isSoftware: device.isSoftware)
    /// Fences that other processes and devices can wait for; nil if the driver has none.
    private(set) lazy var nativeFences = NativeFenceFunctions(from: library, display: display)
    /// Nil for a context that was adopted.
    private let handles: ContextHandles?
    private let esVersion: (Int, Int)
    private let getGraphicsResetStatus: PFNGLGETGRAPHICSRESETSTATUSPROC?

    /// Makes a context on the calling thread and leaves it current there.
    convenience init(
        candidate: DisplayCandidate, library: EGLLibrary, options: ContextOptions, deletions: DeletionQueue
    ) throws(GLError) {
        let display = try library.display(for: candidate)
        let handles = try unsafe ContextHandles(
            display: display, candidate: candidate, library: library, options: options)
        do throws(GLError) {
            let origin = Origin(
                index: candidate.index, platform: candidate.platform, renderNode: candidate.renderNode,
                pciPath: candidate.pciPath, saysSoftware: candidate.saysSoftware)
            try unsafe self.init(
                library, options, deletions, display, handles.context, origin, handles: handles)
        } catch {
            // No other code has it yet.
            unsafe handles.destroy(in: library)
            throw error
        }
        listen()
        prepare()
    }

    /// Adopts the context that is current on the calling thread; its owner still destroys it. Its state is unchanged;
    /// ``prepare()`` has to be called afterwards.
    ///
    /// - Throws: ``GLError/notCurrent(_:)`` if there is none of OpenGL ES 3.
    convenience init(adoptingIn library: EGLLibrary, options: ContextOptions, deletions: DeletionQueue) throws(GLError)
    {
        let (display, context) = try unsafe library.current()
        let origin = Origin(index: -1, platform: nil, renderNode: nil, pciPath: nil, saysSoftware: false)
        try unsafe self.init(library, options, deletions, display, context, origin, handles: nil)
        guard device.version.hasPrefix("OpenGL ES "), isES(3, 0) else {
            throw .notCurrent("the current context is not of OpenGL ES 3.0 or later but of \(device.version)")
        }
    }

    /// What is known of a context's device before the context is asked.
    private struct Origin {
        let index: Int
        let platform: DisplayPlatform?
        let renderNode: String?
        let pciPath: String?
        let saysSoftware: Bool
    }

    /// Queries what the current context is, without a change to its state.
    private init(
        _ library: EGLLibrary, _ options: ContextOptions, _ deletions: DeletionQueue, _ display: EGLDisplayHandle,
        _ eglContext: EGLContext, _ origin: Origin, handles: ContextHandles?
    ) throws(GLError) {
        self.library = library
        self.display = display
        unsafe self.eglContext = unsafe eglContext
        self.options = options
        self.deletions = deletions
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
            index: origin.index, platform: origin.platform, renderNode: origin.renderNode, pciPath: origin.pciPath,
            eglVendor: display.vendor, eglVersion: display.version, vendor: text(GL.vendor), renderer: renderer,
            version: text(GL.version), shadingLanguage: text(GL.shadingLanguageVersion),
            isSoftware: origin.saysSoftware || DeviceInfo.namesSoftware(renderer))

        esVersion = (integer(GL.majorVersion), integer(GL.minorVersion))
        getGraphicsResetStatus =
            esVersion >= (3, 2)
            ? library.optionalFunction("glGetGraphicsResetStatus")
            : extensions.contains("GL_KHR_robustness")
                ? library.optionalFunction("glGetGraphicsResetStatusKHR")
                : extensions.contains("GL_EXT_robustness")
                    ? library.optionalFunction("glGetGraphicsResetStatusEXT") : nil

        // One such clock can run at a time, and a host's may.
        let mayTime = unsafe handles != nil && extensions.contains("GL_EXT_disjoint_timer_query")
        timers = mayTime ? TimerFunctions(from: library, gl) : nil

        drawBufferFunctions = esVersion >= (3, 2) ? DrawBufferFunctions(from: library, gl) : nil
        unsafe getTexLevelParameteriv =
            esVersion >= (3, 1) ? unsafe library.optionalFunction("glGetTexLevelParameteriv") : nil

        var viewport: [GLint] = [0, 0]
        // SAFETY: the name has two values.
        unsafe gl.getIntegerv(GL.maxViewportDims, &viewport)
        var binaryFormats = [GLint](repeating: 0, count: max(0, integer(GL.numProgramBinaryFormats)))
        // SAFETY: the name has as many values as the other query returned.
        if !binaryFormats.isEmpty { unsafe gl.getIntegerv(GL.programBinaryFormats, &binaryFormats) }
        limits = ContextLimits(
            maximumTextureSize: min(
                integer(GL.maxTextureSize), integer(GL.maxRenderbufferSize), Int(viewport[0]), Int(viewport[1])),
            maximumUniformBlockSize: integer(GL.maxUniformBlockSize),
            uniformBufferOffsetAlignment: max(1, integer(GL.uniformBufferOffsetAlignment)), renderableFormats: [],
            programBinaryFormats: Set(binaryFormats.map { UInt32(bitPattern: $0) }))
    }

    /// Puts the state of a new context where Frost needs it, and finds out what it can render to.
    func prepare() {
        // Dithering is on by default, and would change the quantised output.
        gl.disable(GL.dither)
        gl.pixelStorei(GL.packAlignment, 1)
        gl.pixelStorei(GL.unpackAlignment, 1)
        limits.renderableFormats = Set(TextureFormat.allCases.filter(isRenderable))
        // The probes' targets.
        collectGarbage()
        drainErrors()
    }

    /// Deletes what was retired. Objects that still have owners go with the context, if it is Frost's.
    func destroy() {
        collectGarbage()
        unsafe handles?.destroy(in: library)
    }

    /// Whether the context has at least a version of OpenGL ES.
    func isES(_ major: Int, _ minor: Int) -> Bool { esVersion >= (major, minor) }

    /// Has the driver report to `log`.
    private func listen() {
        let callback: PFNGLDEBUGMESSAGECALLBACKPROC? =
            isES(3, 2)
            ? unsafe library.optionalFunction("glDebugMessageCallback")
            : extensions.contains("GL_KHR_debug") ? unsafe library.optionalFunction("glDebugMessageCallbackKHR") : nil
        guard let callback = unsafe callback else { return }
        gl.enable(GL.debugOutput)
        // Asynchronous messages may come after the error that they explain was thrown.
        if options.checksEveryCall { gl.enable(GL.debugOutputSynchronous) }
        // SAFETY: the log lives as long as this object, which destroys the context before it goes.
        unsafe callback(DebugLog.callback, log.opaque)
    }

    /// Whether a small target of the format can be made: some drivers list extensions that they do not keep.
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

    /// Drops unread errors, so that they are not attributed to a later call.
    func drainErrors() {
        // A lost context may report the same error without end.
        for _ in 0..<16 where gl.getError() == GL.noError { break }
        _ = log.take()
    }

    /// GL_NO_ERROR, or which kind of reset took the context.
    var resetStatus: GLenum { getGraphicsResetStatus?() ?? GL.noError }
}
