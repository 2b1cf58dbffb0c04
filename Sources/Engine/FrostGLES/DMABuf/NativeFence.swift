import CEGL
import Glibc

/// The functions of EGL_ANDROID_native_fence_sync and EGL_KHR_wait_sync. With these extensions, a fence that the GPU
/// signals when its work is done is represented by a file descriptor.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct NativeFenceFunctions {
    let createSync: PFNEGLCREATESYNCKHRPROC
    let destroySync: PFNEGLDESTROYSYNCKHRPROC
    let dupNativeFence: PFNEGLDUPNATIVEFENCEFDANDROIDPROC
    /// The function eglWaitSyncKHR, which makes the GPU wait for a fence; nil if the driver does not support this.
    let waitSync: PFNEGLWAITSYNCKHRPROC?

    init(
        createSync: PFNEGLCREATESYNCKHRPROC, destroySync: PFNEGLDESTROYSYNCKHRPROC,
        dupNativeFence: PFNEGLDUPNATIVEFENCEFDANDROIDPROC, waitSync: PFNEGLWAITSYNCKHRPROC?
    ) {
        unsafe self.createSync = unsafe createSync
        unsafe self.destroySync = unsafe destroySync
        unsafe self.dupNativeFence = unsafe dupNativeFence
        unsafe self.waitSync = unsafe waitSync
    }

    /// Loads the functions. Returns nil if the driver does not support fences as file descriptors.
    init?(from driver: Driver, display: EGLDisplayHandle) {
        guard display.extensions.contains("EGL_ANDROID_native_fence_sync"),
            let create: PFNEGLCREATESYNCKHRPROC = unsafe driver.optionalFunction("eglCreateSyncKHR"),
            let destroy: PFNEGLDESTROYSYNCKHRPROC = unsafe driver.optionalFunction("eglDestroySyncKHR"),
            let dup: PFNEGLDUPNATIVEFENCEFDANDROIDPROC = unsafe driver.optionalFunction("eglDupNativeFenceFDANDROID")
        else { return nil }
        let canWait = display.extensions.contains("EGL_KHR_wait_sync")
        unsafe self.init(
            createSync: create, destroySync: destroy, dupNativeFence: dup,
            waitSync: canWait ? unsafe driver.optionalFunction("eglWaitSyncKHR") : nil)
    }

    /// Returns a fence that is signalled when all commands submitted so far are done; nil if the driver fails to create
    /// the fence.
    func signal(on display: EGLDisplay, flush: () -> Void) -> OwnedDescriptor? {
        // SAFETY: a context of the display is current. Without attributes, EGL creates a new fence.
        guard let sync = unsafe createSync(display, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), nil) else { return nil }
        defer { _ = unsafe destroySync(display, sync) }
        // The file descriptor exists only after the commands before it were flushed.
        flush()
        let descriptor = unsafe dupNativeFence(display, sync)
        return descriptor >= 0 ? OwnedDescriptor(owning: descriptor) : nil
    }

    /// Makes the GPU wait for a fence before later commands. Returns false if this is impossible; nothing has changed
    /// then.
    func wait(for fence: Int32, on display: EGLDisplay) -> Bool {
        guard let waitSync = unsafe waitSync else { return false }
        let copy = DescriptorFacts.duplicate(fence)
        guard copy >= 0 else { return false }
        let attributes = [EGL_SYNC_NATIVE_FENCE_FD_ANDROID, copy, EGL_NONE]
        // SAFETY: the list ends in EGL_NONE. EGL takes ownership of the descriptor if it creates a sync object.
        guard let sync = unsafe createSync(display, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), attributes) else {
            close(copy)
            return false
        }
        // EGL keeps a sync object until the wait for it is over.
        defer { _ = unsafe destroySync(display, sync) }
        return unsafe waitSync(display, sync, 0) != 0
    }
}

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
    public var hasNativeFences: Bool { context.nativeFences != nil }

    /// Submits all draws so far, and returns a fence that is signalled when these draws are done. If the driver does
    /// not support fences as file descriptors, or fails to create the fence, this function waits for the draws instead.
    ///
    /// - Parameter patience: the maximum wait, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)``, ``GLError/contextLost(reason:)``, or another error of the GL.
    public func fenceSubmittedWork(patience: Double) throws(GLError) -> SubmittedWork {
        if let functions = context.nativeFences,
            let fence = unsafe functions.signal(on: context.display.raw, flush: { gl.flush() })
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
    public func wait(forFence fence: Int32, patience: Double) throws(GLError) -> FenceWait {
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
