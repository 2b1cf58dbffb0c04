import CEGL
import CGLES

/// A proof that a context is current on this thread. Every call that needs a current context borrows such a proof.
/// ``GLThread`` and ``HostContext`` create the proofs.
///
/// Thread-safety: a proof cannot leave the thread on which it was created.
public struct CurrentContext: ~Copyable {
    let context: GLContext

    init(_ context: GLContext) { self.context = context }

    var gl: GLFunctions { context.gl }

    /// The device of the context.
    public var device: DeviceInfo { context.device }
    /// The limits and capabilities of the context.
    public var limits: ContextLimits { context.limits }
    /// Whether the context is one of desktop OpenGL, not of OpenGL ES.
    public var isDesktop: Bool { context.isDesktop }
    /// The extensions of the context (GL_EXTENSIONS).
    public var extensions: Set<String> { context.extensions }

    /// Throws if a GL call has caused an error since the last check. If there are several errors, the last one is
    /// thrown, but a lost context and a lack of memory take precedence over other errors.
    ///
    /// - Throws: ``GLError/outOfMemory(_:)``, ``GLError/contextLost(reason:)``, ``GLError/callFailed(_:)``.
    public func checkErrors(after call: String) throws(GLError) {
        var worst = GL.noError
        // The number of queries is limited, because a lost context may report the same error without end.
        for _ in 0..<16 {
            let code = gl.getError()
            if code == GL.noError { break }
            worst = code
            if code == GL.contextLost || code == GL.outOfMemory { break }
        }
        if worst == GL.noError { return }
        let evidence = GLEvidence(call: call, code: worst, messages: context.log.take())
        switch worst {
        case GL.outOfMemory: throw .outOfMemory(evidence)
        case GL.contextLost: throw .contextLost(reason: evidence.description)
        default: throw .callFailed(evidence)
        }
    }

    /// Throws the error of an earlier call that was not checked. Call this function before a call that is checked, so
    /// that each error is attributed to its own call.
    package func checkPending() throws(GLError) { try checkErrors(after: "earlier calls") }

    /// Whether a framebuffer can be drawn into.
    package func isComplete(_ target: borrowing Framebuffer) -> Bool {
        gl.bindFramebuffer(GL.framebuffer, target.name)
        return gl.checkFramebufferStatus(GL.framebuffer) == GL.framebufferComplete
    }

    /// Discards the errors that followed from an error that was thrown.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func discardErrors() -> Bool { context.drainErrors() }

    /// Calls ``checkErrors(after:)`` if the options require a check after every call.
    func check(_ call: StaticString) throws(GLError) {
        if context.options.checksEveryCall { try checkErrors(after: "\(call)") }
    }

    /// Checks whether a GPU reset destroyed the context.
    ///
    /// - Throws: ``GLError/contextLost(reason:)``.
    public func checkReset() throws(GLError) {
        let status = context.resetStatus
        if status != GL.noError { throw .contextLost(reason: ErrorNames.name(of: status)) }
    }

    /// Makes the GPU start to execute the submitted commands, and does not wait for the GPU.
    public func flush() { gl.flush() }

    /// Returns the memory of deleted objects to the system. Drivers free it when the submitted draws that use it are
    /// finished, so this function waits for them, for at most a second. Software GL allocates from the process's heap.
    package func returnMemory() throws(GLError) {
        _ = try Fence(in: self).wait(nanoseconds: 1_000_000_000, in: self)
        collectGarbage()
        if device.isSoftware { frost_trim_heap() }
    }

    /// The number of Frost's GL objects in the context.
    package var objectCounts: ObjectCounts { context.deletions.counts }

    /// Overwrites a framebuffer with values that are not numbers or, in normalised formats, with white.
    package func poison(_ target: borrowing Framebuffer) throws(GLError) {
        try resumeDrawing(into: target)
        let value: Float = target.format.isFloat ? .nan : 1
        // SAFETY: a colour buffer has four values.
        unsafe gl.clearBufferfv(GL.color, 0, [Float](repeating: value, count: 4))
        try check("glClearBufferfv")
    }

    /// Deletes the GL objects whose owners were released. ``GLThread`` does this after each piece of work.
    public func collectGarbage() { context.collectGarbage() }

    /// Directs the following draws into a framebuffer. The old content of the framebuffer is lost, so the draws must
    /// cover the whole framebuffer.
    public func beginDrawing(into target: borrowing Framebuffer) throws(GLError) {
        try resumeDrawing(into: target)
        guard context.canInvalidate else { return }
        var attachment = GL.colorAttachment0
        // SAFETY: one attachment is passed. The call tells tile-based GPUs not to load pixels that will be covered.
        unsafe gl.invalidateFramebuffer(GL.framebuffer, 1, &attachment)
        try check("glInvalidateFramebuffer")
    }

    /// Directs the following draws into a framebuffer. Pixels that the draws do not cover keep their values.
    public func resumeDrawing(into target: borrowing Framebuffer) throws(GLError) {
        gl.bindFramebuffer(GL.framebuffer, target.name)
        if context.mayDrawIntoHost {
            try checkErrors(after: "glBindFramebuffer")
            context.mayDrawIntoHost = false
        }
        try check("glBindFramebuffer")
    }

    /// Draws all pixels of a rectangle of the framebuffer. The viewport is set to this rectangle. The vertex shader
    /// uses gl_VertexID to place a single triangle that covers the whole viewport. The draw uses the current program,
    /// textures and uniforms.
    public func drawTriangle(
        columns: Range<Int>, rows: Range<Int>, _ vertexArray: borrowing VertexArray
    ) throws(GLError) {
        gl.viewport(
            GLint(columns.lowerBound), GLint(rows.lowerBound), GLsizei(columns.count), GLsizei(rows.count))
        if context.mayDrawIntoHost { try checkErrors(after: "glViewport") }
        gl.bindVertexArray(vertexArray.name)
        gl.drawArrays(GL.triangles, 0, 3)
        try check("glDrawArrays")
    }
}

@available(*, unavailable)
extension CurrentContext: Sendable {}
