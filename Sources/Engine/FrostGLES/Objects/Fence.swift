import CEGL
import CGLES

/// A mark in the GPU's command stream. The CPU can wait until the GPU reaches this mark.
package struct Fence: ~Copyable {
    private let object: OwnedObject

    /// Inserts the fence after all commands submitted so far.
    package init(in current: borrowing CurrentContext) throws(GLError) {
        guard let sync = unsafe current.gl.fenceSync(GL.syncGPUCommandsComplete, 0) else {
            try current.checkErrors(after: "glFenceSync")
            throw .callFailed(GLEvidence(call: "glFenceSync"))
        }
        object = OwnedObject(.fence, UInt(bitPattern: sync), in: current)
    }

    /// Waits for the GPU to reach the fence, for at most `nanoseconds`.
    ///
    /// - Returns: whether the GPU has reached the fence.
    package func wait(nanoseconds: UInt64, in current: borrowing CurrentContext) throws(GLError) -> Bool {
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

extension CurrentContext {
    /// Returns the memory of deleted objects to the system. Drivers free it when the submitted draws that use it are
    /// finished, so this function waits for them, for at most a second. Software GL allocates from the process's heap.
    package func returnMemory() throws(GLError) {
        _ = try Fence(in: self).wait(nanoseconds: 1_000_000_000, in: self)
        collectGarbage()
        if device.isSoftware { frost_trim_heap() }
    }
}
