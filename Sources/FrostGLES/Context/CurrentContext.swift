import CGLES

/// The proof that a context is current on this thread: borrowed by every call that needs one, made only by
/// ``GLThread``.
///
/// Thread-safety: cannot leave its thread.
public struct CurrentContext: ~Copyable {
    let context: GLContext

    init(_ context: GLContext) { self.context = context }

    var gl: GLFunctions { context.gl }

    /// The device the context is on.
    public var device: DeviceInfo { context.device }
    /// What the context can do.
    public var limits: ContextLimits { context.limits }
    /// GL_EXTENSIONS.
    public var extensions: Set<String> { context.extensions }

    /// Reports the errors that calls left since the last check; the last one, if there are several.
    ///
    /// - Throws: ``GLError/outOfMemory(_:)``, ``GLError/contextLost(reason:)``, ``GLError/callFailed(_:)``.
    public func checkErrors(after call: String) throws(GLError) {
        var worst = GL.noError
        // A lost context may report the same error without end.
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

    /// ``checkErrors(after:)`` where every call is checked; else nothing.
    func check(_ call: StaticString) throws(GLError) {
        if context.options.checksEveryCall { try checkErrors(after: "\(call)") }
    }

    /// Asks whether a GPU reset took the context.
    ///
    /// - Throws: ``GLError/contextLost(reason:)``.
    public func checkReset() throws(GLError) {
        let status = context.resetStatus
        if status != GL.noError { throw .contextLost(reason: ErrorNames.name(of: status)) }
    }

    /// Has the GPU start on what was submitted, without waiting.
    public func flush() { gl.flush() }

    /// Deletes the objects whose owners are gone. ``GLThread`` does so after each piece of work.
    public func collectGarbage() { context.collectGarbage() }

    /// Directs the draws that follow into a framebuffer. Its content is lost: all of it has to be drawn.
    public func beginDrawing(into target: borrowing Framebuffer) throws(GLError) {
        try resumeDrawing(into: target)
        var attachment = GL.colorAttachment0
        // SAFETY: one attachment is passed. Tells tiling GPUs not to load what is about to be covered.
        unsafe gl.invalidateFramebuffer(GL.framebuffer, 1, &attachment)
        try check("glInvalidateFramebuffer")
    }

    /// Directs the draws that follow into a framebuffer, whose other pixels keep their values.
    public func resumeDrawing(into target: borrowing Framebuffer) throws(GLError) {
        gl.bindFramebuffer(GL.framebuffer, target.name)
        try check("glBindFramebuffer")
    }

    /// Covers a rectangle of the framebuffer with one triangle that the vertex shader places over the whole viewport,
    /// by gl_VertexID. Program, textures and uniforms are those in use.
    public func drawTriangle(
        columns: Range<Int>, rows: Range<Int>, _ vertexArray: borrowing VertexArray
    ) throws(GLError) {
        gl.viewport(
            GLint(columns.lowerBound), GLint(rows.lowerBound), GLsizei(columns.count), GLsizei(rows.count))
        gl.bindVertexArray(vertexArray.name)
        gl.drawArrays(GL.triangles, 0, 3)
        try check("glDrawArrays")
    }
}

@available(*, unavailable)
extension CurrentContext: Sendable {}
