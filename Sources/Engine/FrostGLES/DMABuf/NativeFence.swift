import CEGL
import Glibc

/// How other processes and devices learn that submitted work is done.
public enum SubmittedWork: ~Copyable, Sendable {
    /// The file descriptor becomes readable when the work is done. Kernels, GPUs and `poll` can wait for it.
    case fence(OwnedDescriptor)
    /// The work is already done. The driver does not support fences as file descriptors, or failed to create one, so
    /// Frost waited for the work.
    case finished(seconds: Double)
}

/// Whether the GPU or the CPU waits for a fence.
public enum FenceWait: Sendable, Hashable {
    /// The GPU waits before it executes later commands.
    case onGPU
    /// The CPU has waited.
    case onCPU(seconds: Double)
}

extension CurrentContext {
    /// Whether the driver supports fences as file descriptors.
    package var hasNativeFences: Bool { context.nativeFences != nil }

    /// Submits all draws so far, and returns a fence that is signalled when these draws are done. If the driver does
    /// not support fences as file descriptors, or fails to create the fence, this function waits for the draws instead.
    ///
    /// - Parameter patience: the maximum wait, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)``, ``GLError/contextLost(reason:)``, or another error of the GL.
    package func fenceSubmittedWork(patience: Double) throws(GLError) -> SubmittedWork {
        if let functions = context.nativeFences,
            let fence = unsafe functions.signal(on: context.display.raw, flush: { flush() })
        {
            return .fence(fence)
        }
        let start = ContinuousClock.now
        let fence = try Fence(in: self)
        guard try fence.wait(nanoseconds: UInt64(max(0, min(patience, 1e9)) * 1e9), in: self) else {
            throw .timeout(what: "the GPU's work", seconds: patience)
        }
        return .finished(seconds: (ContinuousClock.now - start).seconds)
    }

    /// Makes all later commands wait for a producer's fence. The GPU waits if the driver supports this; otherwise the
    /// CPU waits.
    ///
    /// - Parameters:
    ///   - fence: a file descriptor that becomes readable when the producer is done. The caller still has to close this
    ///     descriptor.
    ///   - patience: the maximum wait on the CPU, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)``; ``GLError/callFailed(_:)`` if the descriptor is not open or is not
    ///   a fence.
    @discardableResult
    package func wait(forFence fence: Int32, patience: Double) throws(GLError) -> FenceWait {
        if let functions = context.nativeFences, unsafe functions.wait(for: fence, on: context.display.raw) {
            return .onGPU
        }
        return .onCPU(seconds: try FenceDescriptor.wait(fence, patience: patience))
    }
}

/// Waits for fences on the CPU.
enum FenceDescriptor {
    /// Waits until a file descriptor is readable. Returns the waiting time in seconds.
    static func wait(_ descriptor: Int32, patience: Double) throws(GLError) -> Double {
        let start = ContinuousClock.now
        while true {
            let waited = (ContinuousClock.now - start).seconds
            let left = max(0, min(patience - waited, 1e6))
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // SAFETY: one request is passed. The time is rounded up, so that the loop does not repeat waits of zero
            // milliseconds.
            let count = unsafe poll(&request, 1, Int32((left * 1000).rounded(.up)))
            if count < 0, errno == EINTR { continue }
            guard descriptor >= 0 else {
                throw .callFailed(
                    GLEvidence(call: "descriptor \(descriptor) is not a fence; if the work is finished, do not wait"))
            }
            guard count >= 0, request.revents & Int16(POLLNVAL) == 0 else {
                throw .callFailed(GLEvidence(call: "poll: descriptor \(descriptor) is not open"))
            }
            if request.revents & Int16(POLLIN) != 0 { return (ContinuousClock.now - start).seconds }
            // The descriptor will never be readable: the other end of a pipe was closed, or the driver failed.
            guard request.revents == 0 else {
                throw .callFailed(
                    GLEvidence(call: "poll: descriptor \(descriptor) is not a fence, or the fence failed"))
            }
            if left == 0 { throw .timeout(what: "the producer's fence", seconds: patience) }
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
