import CGLES

/// A mark in the GPU's command stream. The CPU can wait until the GPU reaches this mark.
public struct Fence: ~Copyable {
    private let object: OwnedObject

    /// Inserts the fence after all commands submitted so far.
    public init(in current: borrowing CurrentContext) throws(GLError) {
        guard let sync = unsafe current.gl.fenceSync(GL.syncGPUCommandsComplete, 0) else {
            try current.checkErrors(after: "glFenceSync")
            throw .callFailed(GLEvidence(call: "glFenceSync"))
        }
        object = OwnedObject(.fence, UInt(bitPattern: sync), in: current)
    }

    /// Waits for the GPU to reach the fence, for at most `nanoseconds`.
    ///
    /// - Returns: whether the GPU has reached the fence.
    public func wait(nanoseconds: UInt64, in current: borrowing CurrentContext) throws(GLError) -> Bool {
        // SAFETY: the address is that of a fence, which is deleted only after this value is destroyed.
        let result = unsafe current.gl.clientWaitSync(
            OpaquePointer(bitPattern: object.address), GL.syncFlushCommands, nanoseconds)
        switch result {
        case GL.alreadySignaled, GL.conditionSatisfied: return true
        case GL.timeoutExpired: return false
        default:
            try current.checkReset()
            try current.checkErrors(after: "glClientWaitSync")
            throw .callFailed(GLEvidence(call: "glClientWaitSync"))
        }
    }
}

/// The vertex state of draws that use only gl_VertexID and no vertex attributes. Some drivers of ES 3 require a vertex array
/// for such draws.
public struct VertexArray: ~Copyable {
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Creates a vertex array without attributes.
    public init(in current: borrowing CurrentContext) throws(GLError) {
        var name: GLuint = 0
        // SAFETY: one name is requested, and the pointer has room for one.
        unsafe current.gl.genVertexArrays(1, &name)
        object = OwnedObject(.vertexArray, UInt(name), in: current)
        // Without a name, draws would use the context's default vertex array, which desktop OpenGL refuses.
        try current.checkErrors(after: "glGenVertexArrays")
    }
}
