import CGLES

/// A mark in the stream of commands that the CPU can wait for.
public struct Fence: ~Copyable {
    private let object: OwnedObject

    /// Puts the mark behind everything submitted so far.
    public init(in current: borrowing CurrentContext) throws(GLError) {
        guard let sync = unsafe current.gl.fenceSync(GL.syncGPUCommandsComplete, 0) else {
            try current.checkErrors(after: "glFenceSync")
            throw .callFailed(GLEvidence(call: "glFenceSync"))
        }
        object = OwnedObject(.fence, UInt(bitPattern: sync), in: current)
    }

    /// Waits for at most `nanoseconds`.
    ///
    /// - Returns: whether the GPU has come past the mark.
    public func wait(nanoseconds: UInt64, in current: borrowing CurrentContext) throws(GLError) -> Bool {
        // SAFETY: the address is a fence's that is deleted only after this value is gone.
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

/// The vertex state of draws that have no vertices but gl_VertexID; ES 3 asks for one all the same in some drivers.
public struct VertexArray: ~Copyable {
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Makes one without attributes.
    public init(in current: borrowing CurrentContext) throws(GLError) {
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe current.gl.genVertexArrays(1, &name)
        object = OwnedObject(.vertexArray, UInt(name), in: current)
        try current.check("glGenVertexArrays")
    }
}
