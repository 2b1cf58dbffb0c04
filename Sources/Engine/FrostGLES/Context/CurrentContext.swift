import CEGL
import CGLES

/// A proof that a context is current on this thread. Every call that needs a current context borrows such a proof.
/// ``GLThread`` and ``HostContext`` create the proofs.
///
/// Thread-safety: a proof cannot leave the thread on which it was created.
package struct CurrentContext: ~Copyable {
    let context: GLContext

    init(_ context: GLContext) { self.context = context }

    var gl: GLFunctions { context.gl }

    /// The device of the context.
    package var device: DeviceInfo { context.device }
    /// The limits and capabilities of the context.
    package var limits: ContextLimits { context.limits }
    /// Whether the context is one of desktop OpenGL, not of OpenGL ES.
    package var isDesktop: Bool { context.isDesktop }
    /// The extensions of the context (GL_EXTENSIONS).
    package var extensions: Set<String> { context.extensions }

    /// Throws if a GL call has caused an error since the last check. If there are several errors, the last one is
    /// thrown, but a lost context and a lack of memory take precedence over other errors.
    ///
    /// - Throws: ``GLError/outOfMemory(_:)``, ``GLError/contextLost(reason:)``, ``GLError/callFailed(_:)``.
    package func checkErrors(after call: String) throws(GLError) {
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
    package func checkReset() throws(GLError) {
        let status = context.resetStatus
        if status != GL.noError { throw .contextLost(reason: ErrorNames.name(of: status)) }
    }

    /// Makes the GPU start to execute the submitted commands, and does not wait for the GPU.
    package func flush() { gl.flush() }

    /// The number of Frost's GL objects in the context.
    package var objectCounts: ObjectCounts { context.deletions.counts }

    /// Deletes the GL objects whose owners were released. ``GLThread`` does this after each piece of work.
    package func collectGarbage() { context.collectGarbage() }
}

@available(*, unavailable)
extension CurrentContext: Sendable {}
