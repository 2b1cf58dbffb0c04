import CEGL
import CGLES

/// The fences of the last draws of a context of llvmpipe.
///
/// llvmpipe ends each draw with a fence of its own. Its thread counts the fence as reached, and then unlocks the mutex in it.
/// The context frees the fence as soon as it sees the count, which it reads without the mutex. If the thread is interrupted
/// between the two, it writes into freed memory (Mesa 22.3.6, seen with a library that delays the unlocking). A GL fence
/// refers to the same object, so it keeps the object from being freed. The threads work on draws in their order, so a thread
/// that has reached a later fence has left the earlier ones.
struct FenceHistory {
    /// The number of fences that follow a fence before it is deleted. Draws that draw nothing have the fence of the draw
    /// before, so the next fence alone would not show that the threads have left this one.
    private static let distance = 8

    /// The number of fences that are kept while llvmpipe reaches them in time.
    static let maximum = 2 * distance

    /// The addresses of the fences.
    private var fences: [UInt] = []

    /// Keeps the fence of the draw that has just been submitted.
    mutating func add(_ gl: GLFunctions) {
        // A failure is that of the draw, whose errors the caller checks.
        guard let fence = unsafe gl.fenceSync(GL.syncGPUCommandsComplete, 0) else { return }
        fences.append(UInt(bitPattern: fence))
        while fences.count > Self.maximum, isReached(fences[Self.distance], gl, nanoseconds: 0) {
            // SAFETY: each fence was created in this context, and is deleted once.
            unsafe gl.deleteSync(OpaquePointer(bitPattern: fences.removeFirst()))
        }
    }

    /// Deletes all fences, after a wait for the last one of at most a second.
    mutating func removeAll(_ gl: GLFunctions) {
        if let last = fences.last { _ = isReached(last, gl, nanoseconds: 1_000_000_000) }
        // SAFETY: as above.
        for fence in fences { unsafe gl.deleteSync(OpaquePointer(bitPattern: fence)) }
        fences = []
    }

    private func isReached(_ fence: UInt, _ gl: GLFunctions, nanoseconds: UInt64) -> Bool {
        // SAFETY: the fence was created in this context, and has not been deleted.
        let state = unsafe gl.clientWaitSync(OpaquePointer(bitPattern: fence), GL.syncFlushCommands, nanoseconds)
        return state == GL.alreadySignaled || state == GL.conditionSatisfied
    }
}

extension CurrentContext {
    /// Keeps the fence of the draw that has just been submitted, if the driver is llvmpipe; see ``FenceHistory``.
    func keepFence() { context.fenceHistory?.add(gl) }
}
