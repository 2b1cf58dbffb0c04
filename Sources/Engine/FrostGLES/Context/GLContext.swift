import CEGL
import CGLES
import FrostLog

/// A GL context and the objects that belong to it. The class is not Sendable, because a context that Frost creates must
/// be created, used and destroyed on one thread. `GLThread` ensures this.
// SAFETY: the EGL handles and GL functions are private, or each call through them is marked.
@safe final class GLContext {
    let driver: Driver
    let options: ContextOptions
    let device: DeviceInfo
    let gl: GLFunctions
    let extensions: Set<String>
    let log = DebugLog()
    let deletions: DeletionQueue
    var limits: ContextLimits
    let timers: TimerFunctions?
    let drawBufferFunctions: DrawBufferFunctions?
    /// The function glGetTexLevelParameteriv, which returns the size and format of a texture; nil before OpenGL ES 3.1.
    let getTexLevelParameteriv: PFNGLGETTEXLEVELPARAMETERIVPROC?
    /// The functions of compute shaders; nil if the context does not have them.
    let compute: ComputeFunctions?
    /// The function that allocates buffers which stay mapped; nil without GL_EXT_buffer_storage.
    let bufferStorage: PFNGLBUFFERSTORAGEEXTPROC?
    let display: EGLDisplayHandle
    /// The EGL handle of the context.
    let eglContext: EGLContext
    /// The functions for EGLImages and dma-bufs, and a description of what the driver supports. They are queried when
    /// they are used for the first time, because listing the formats takes a while.
    private(set) lazy var images = ImageAccess(
        from: driver, display: display, extensions: extensions, isSoftware: device.isSoftware)
    /// The functions for fences that other processes and devices can wait for; nil if the driver does not support them.
    private(set) lazy var nativeFences = NativeFenceFunctions(from: driver, display: display)
    /// Whether a framebuffer with pixels of the host may be bound. If a call before a draw failed then, the draw would
    /// change other pixels of the host than it should.
    var mayDrawIntoHost = false
    /// The sampler for the host's texture units; nil in contexts of Frost.
    var sampler: OwnedObject?
    /// The textures of the host whose parameters are to be restored.
    var changedTextures: [HostTextureParameters] = []
    /// The fences of the last draws; nil for other drivers than llvmpipe.
    var fenceHistory: FenceHistory?
    /// The EGL handles to destroy together with the context; nil for a context that Frost adopted from the embedding
    /// program.
    private let handles: ContextHandles?
    /// The version of the context's API.
    private let version: (Int, Int)
    /// Whether the API is desktop OpenGL, not OpenGL ES.
    let isDesktop: Bool
    /// The functions for state that only desktop OpenGL has; nil in contexts of OpenGL ES.
    let desktop: DesktopFunctions?
    /// Whether textures can be allocated by glTexStorage2D.
    let hasTextureStorage: Bool
    /// Whether the old content of framebuffers can be discarded.
    let canInvalidate: Bool
    /// Whether transform feedback can be paused.
    let canPauseFeedback: Bool
    private let getGraphicsResetStatus: PFNGLGETGRAPHICSRESETSTATUSPROC?

    /// Creates a context on the calling thread and leaves it current on this thread.
    convenience init(
        candidate: DisplayCandidate, driver: Driver, options: ContextOptions, deletions: DeletionQueue
    ) throws(GLError) {
        let display = try driver.display(for: candidate)
        let handles = try unsafe ContextHandles(
            display: display, candidate: candidate, driver: driver, options: options)
        do throws(GLError) {
            let origin = Origin(
                index: candidate.index, platform: candidate.platform, renderNode: candidate.renderNode,
                pciPath: candidate.pciPath, saysSoftware: candidate.saysSoftware)
            try unsafe self.init(
                driver, options, deletions, display, handles.context, origin, handles: handles)
        } catch {
            // No other code uses the handles yet, so they can be destroyed here.
            unsafe handles.destroy(in: driver)
            throw error
        }
        listen()
        do throws(GLError) { try prepare() } catch {
            destroy()
            throw error
        }
    }

    /// Adopts the context that is current on the calling thread. The GL state of the context stays unchanged, and the
    /// context's owner still has to destroy the context. Call ``prepare()`` afterwards.
    ///
    /// - Throws: ``GLError/notCurrent(_:)`` if no context of OpenGL ES 3.0 or OpenGL 3.3, or later, is current.
    convenience init(adoptingIn library: EGLLibrary, options: ContextOptions, deletions: DeletionQueue) throws(GLError)
    {
        let (display, context) = try unsafe library.current()
        let origin = Origin(index: -1, platform: nil, renderNode: nil, pciPath: nil, saysSoftware: false)
        try unsafe self.init(Driver(library), options, deletions, display, context, origin, handles: nil)
        guard version >= (isDesktop ? (3, 3) : (3, 0)) else {
            throw .notCurrent(
                "the current context has \(device.version), but Frost needs OpenGL ES 3.0 or OpenGL 3.3, or later")
        }
    }

    /// The properties of a context's device that are known before the context is queried.
    private struct Origin {
        let index: Int
        let platform: DisplayPlatform?
        let renderNode: String?
        let pciPath: String?
        let saysSoftware: Bool
    }

    /// Queries the properties of the current context, without changing its state.
    private init(
        _ driver: Driver, _ options: ContextOptions, _ deletions: DeletionQueue, _ display: EGLDisplayHandle,
        _ eglContext: EGLContext, _ origin: Origin, handles: ContextHandles?
    ) throws(GLError) {
        self.driver = driver
        self.display = display
        unsafe self.eglContext = unsafe eglContext
        self.options = options
        self.deletions = deletions
        unsafe self.handles = unsafe handles
        let gl = try GLFunctions(from: driver)
        self.gl = gl
        func text(_ name: GLenum) -> String {
            // SAFETY: the context is current. The strings of a context are static, and they are copied here.
            unsafe gl.getString(name).map { unsafe String(cString: $0) } ?? ""
        }
        func integer(_ name: GLenum) -> Int { Int(gl.integer(name)) }
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
        if device.isSoftware { driver.takeTurns() }
        if device.renderer.hasPrefix("llvmpipe") { fenceHistory = FenceHistory() }

        let version = (integer(GL.majorVersion), integer(GL.minorVersion))
        self.version = version
        let isDesktop = !device.version.hasPrefix("OpenGL ES ")
        self.isDesktop = isDesktop
        // Older contexts lack the functions, and are refused afterwards.
        desktop =
            isDesktop && version >= (3, 3) ? try DesktopFunctions(from: driver, gl, version, extensions) : nil
        let extensions = extensions
        /// Whether the context has a feature of all versions of OpenGL ES 3.
        func has(since desktopVersion: (Int, Int), _ extensionName: String) -> Bool {
            !isDesktop || version >= desktopVersion || extensions.contains(extensionName)
        }
        hasTextureStorage = has(since: (4, 2), "GL_ARB_texture_storage")
        canInvalidate = has(since: (4, 3), "GL_ARB_invalidate_subdata")
        canPauseFeedback = has(since: (4, 0), "GL_ARB_transform_feedback2")
        getGraphicsResetStatus =
            version >= (isDesktop ? (4, 5) : (3, 2)) || isDesktop && extensions.contains("GL_KHR_robustness")
            ? driver.optionalFunction("glGetGraphicsResetStatus")
            : extensions.contains("GL_KHR_robustness")
                ? driver.optionalFunction("glGetGraphicsResetStatusKHR")
                : extensions.contains("GL_EXT_robustness")
                    ? driver.optionalFunction("glGetGraphicsResetStatusEXT") : nil

        // Only one timer can run at a time, and the host may already run a timer. In an adopted context, Frost
        // therefore uses no timers.
        let mayTime = unsafe handles != nil && extensions.contains("GL_EXT_disjoint_timer_query")
        timers = mayTime ? TimerFunctions(from: driver, gl) : nil

        // A context of Frost has the default state of all draw buffers.
        let suffix =
            isDesktop || version >= (3, 2)
            ? ""
            : extensions.contains("GL_EXT_draw_buffers_indexed")
                ? "EXT" : extensions.contains("GL_OES_draw_buffers_indexed") ? "OES" : nil
        drawBufferFunctions =
            unsafe handles == nil ? suffix.flatMap { DrawBufferFunctions(from: driver, gl, suffix: $0) } : nil
        unsafe getTexLevelParameteriv =
            isDesktop || version >= (3, 1) ? unsafe driver.optionalFunction("glGetTexLevelParameteriv") : nil

        compute = version >= (isDesktop ? (4, 3) : (3, 1)) ? ComputeFunctions(from: driver, gl) : nil
        unsafe bufferStorage =
            extensions.contains("GL_EXT_buffer_storage") ? unsafe driver.optionalFunction("glBufferStorageEXT") : nil

        var viewport: [GLint] = [0, 0]
        // SAFETY: the queried parameter has two values.
        unsafe gl.getIntegerv(GL.maxViewportDims, &viewport)
        let binaries = has(since: (4, 1), "GL_ARB_get_program_binary") ? integer(GL.numProgramBinaryFormats) : 0
        var binaryFormats = [GLint](repeating: 0, count: max(0, binaries))
        // SAFETY: the queried parameter has as many values as GL_NUM_PROGRAM_BINARY_FORMATS returned.
        if !binaryFormats.isEmpty { unsafe gl.getIntegerv(GL.programBinaryFormats, &binaryFormats) }
        limits = ContextLimits(
            maximumTextureSize: min(
                integer(GL.maxTextureSize), integer(GL.maxRenderbufferSize), Int(viewport[0]), Int(viewport[1])),
            maximumUniformBlockSize: integer(GL.maxUniformBlockSize),
            uniformBufferOffsetAlignment: max(1, integer(GL.uniformBufferOffsetAlignment)), renderableFormats: [],
            storableFormats: compute == nil
                ? [] : TextureFormat.storable(isDesktop || extensions.contains("GL_NV_image_formats")),
            computeGroup: compute?.group ?? .one,
            programBinaryFormats: Set(binaryFormats.map { UInt32(bitPattern: $0) }))
    }

    /// Deletes the GL objects whose owners were released, and then destroys the context if Frost created it. Destroying
    /// the context also deletes all other objects.
    func destroy() {
        releaseObjects()
        unsafe handles?.destroy(in: driver)
    }

    /// Deletes the GL objects whose owners were released, the fences of draws, and the sampler.
    func releaseObjects() {
        sampler = nil
        collectGarbage()
        fenceHistory?.removeAll(gl)
    }

    /// Whether the context has at least this version of OpenGL ES.
    func isES(_ major: Int, _ minor: Int) -> Bool { !isDesktop && version >= (major, minor) }

    /// Whether the conversion of sRGB framebuffers can be switched off. Frost has switched it off while it draws.
    var controlsSRGB: Bool { isDesktop || extensions.contains("GL_EXT_sRGB_write_control") }

    /// Makes the driver report messages to `log`.
    private func listen() {
        let callback: PFNGLDEBUGMESSAGECALLBACKPROC? =
            isES(3, 2)
            ? unsafe driver.optionalFunction("glDebugMessageCallback")
            : extensions.contains("GL_KHR_debug") ? unsafe driver.optionalFunction("glDebugMessageCallbackKHR") : nil
        guard let callback = unsafe callback else { return }
        gl.enable(GL.debugOutput)
        // With asynchronous output, a message may arrive after the error that it explains was thrown.
        if options.checksEveryCall { gl.enable(GL.debugOutputSynchronous) }
        // SAFETY: the log lives as long as this object, which destroys the context before the log is destroyed.
        unsafe callback(DebugLog.callback, log.opaque)
    }

    /// Ends a piece of work: deletes the GL objects whose owners were released. The work has already checked its own
    /// errors. An error of a deletion belongs to no picture, and must not be attributed to the next one.
    func endWork() {
        if collectGarbage(), drainErrors() {
            Log.write(.warning, "\(device.renderer): an error while GL objects were deleted")
        }
    }

    /// Deletes the GL objects whose owners were released.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    func collectGarbage() -> Bool {
        let pending = deletions.takePending()
        for object in pending {
            var name = GLuint(truncatingIfNeeded: object.name)
            // SAFETY: the context is current. Each name was generated in this context and is deleted once.
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
        return !pending.isEmpty
    }

    /// Discards unread errors, so that they are not attributed to a later call. Use it only for errors of the host,
    /// and for errors caused by one that is reported.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    func drainErrors() -> Bool {
        var count = 0
        // The number of queries is limited, because a lost context may report the same error without end.
        while count < 16, gl.getError() != GL.noError { count += 1 }
        _ = log.take()
        return count > 0
    }

    /// The kind of GPU reset that destroyed the context; GL_NO_ERROR if there was none.
    var resetStatus: GLenum { getGraphicsResetStatus?() ?? GL.noError }
}
