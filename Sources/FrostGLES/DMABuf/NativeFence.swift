import CEGL
import Glibc

/// What EGL_ANDROID_native_fence_sync and EGL_KHR_wait_sync add: fences of the GPU's work as file descriptors.
// SAFETY: the struct only stores addresses; each call through them is marked and argued where it is made.
@safe struct NativeFenceFunctions {
    let createSync: PFNEGLCREATESYNCKHRPROC
    let destroySync: PFNEGLDESTROYSYNCKHRPROC
    let dupNativeFence: PFNEGLDUPNATIVEFENCEFDANDROIDPROC
    /// nil if the GPU cannot be made to wait.
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

    /// nil if the driver has no such fences.
    init?(from library: EGLLibrary, display: EGLDisplayHandle) {
        guard display.extensions.contains("EGL_ANDROID_native_fence_sync"),
            let create: PFNEGLCREATESYNCKHRPROC = unsafe library.optionalFunction("eglCreateSyncKHR"),
            let destroy: PFNEGLDESTROYSYNCKHRPROC = unsafe library.optionalFunction("eglDestroySyncKHR"),
            let dup: PFNEGLDUPNATIVEFENCEFDANDROIDPROC = unsafe library.optionalFunction("eglDupNativeFenceFDANDROID")
        else { return nil }
        let canWait = display.extensions.contains("EGL_KHR_wait_sync")
        unsafe self.init(
            createSync: create, destroySync: destroy, dupNativeFence: dup,
            waitSync: canWait ? unsafe library.optionalFunction("eglWaitSyncKHR") : nil)
    }

    /// A fence behind everything submitted so far; nil if the driver fails.
    func signal(on display: EGLDisplay, flush: () -> Void) -> OwnedDescriptor? {
        // SAFETY: a context of the display is current; no attributes ask for a new fence.
        guard let sync = unsafe createSync(display, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), nil) else { return nil }
        defer { _ = unsafe destroySync(display, sync) }
        // The descriptor exists only once the commands before it are on their way.
        flush()
        let descriptor = unsafe dupNativeFence(display, sync)
        return descriptor >= 0 ? OwnedDescriptor(owning: descriptor) : nil
    }

    /// Has the GPU wait for a fence before what is submitted from now on. False if it cannot; nothing has then changed.
    func wait(for fence: Int32, on display: EGLDisplay) -> Bool {
        guard let waitSync = unsafe waitSync else { return false }
        let copy = DescriptorFacts.duplicate(fence)
        guard copy >= 0 else { return false }
        let attributes = [EGL_SYNC_NATIVE_FENCE_FD_ANDROID, copy, EGL_NONE]
        // SAFETY: the list ends in EGL_NONE. EGL takes the descriptor over if it makes a sync of it.
        guard let sync = unsafe createSync(display, EGLenum(EGL_SYNC_NATIVE_FENCE_ANDROID), attributes) else {
            close(copy)
            return false
        }
        // A sync that is waited for is kept by EGL until the wait is over.
        defer { _ = unsafe destroySync(display, sync) }
        return unsafe waitSync(display, sync, 0) != 0
    }
}

/// How others learn that submitted work is done.
public enum SubmittedWork: ~Copyable, Sendable {
    /// The descriptor becomes readable when it is; kernels, GPUs and `poll` can wait for it.
    case fence(OwnedDescriptor)
    /// The work is done: the driver has no such fences, so Frost waited.
    case finished(seconds: Double)
}

/// Who waits for a fence.
public enum FenceWait: Sendable, Hashable {
    /// The GPU will, before whatever is submitted from now on.
    case onGPU
    /// The CPU did.
    case onCPU(seconds: Double)
}

extension CurrentContext {
    /// Whether the driver has fences as file descriptors.
    public var hasNativeFences: Bool { context.nativeFences != nil }

    /// Submits what was drawn and returns a fence behind it. Waits if the driver has no fences, or fails to make one.
    ///
    /// - Parameter patience: the longest such wait, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)``, ``GLError/contextLost(reason:)``, or what the GL reports.
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

    /// Orders what is submitted from now on behind a producer's fence: on the GPU if it can wait, else on the CPU.
    ///
    /// - Parameters:
    ///   - fence: a descriptor that becomes readable when the producer is done. It stays the caller's.
    ///   - patience: the longest wait on the CPU, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)``; ``GLError/callFailed(_:)`` for what is no open descriptor.
    @discardableResult
    public func wait(forFence fence: Int32, patience: Double) throws(GLError) -> FenceWait {
        if let functions = context.nativeFences, unsafe functions.wait(for: fence, on: context.display.raw) {
            return .onGPU
        }
        return .onCPU(seconds: try FenceDescriptor.wait(fence, patience: patience))
    }
}

/// Fences without a GPU.
enum FenceDescriptor {
    /// Waits until a descriptor is readable, and returns for how long it did.
    static func wait(_ descriptor: Int32, patience: Double) throws(GLError) -> Double {
        let start = ContinuousClock.now
        while true {
            let waited = (ContinuousClock.now - start).seconds
            let left = max(0, min(patience - waited, 1e6))
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // SAFETY: one request is passed. Rounded up, so that the last wait is not one of zero again and again.
            let count = unsafe poll(&request, 1, Int32((left * 1000).rounded(.up)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0, request.revents & Int16(POLLNVAL) == 0, descriptor >= 0 else {
                throw .callFailed(GLEvidence(call: "poll: descriptor \(descriptor) is not open"))
            }
            if request.revents & Int16(POLLIN) != 0 { return (ContinuousClock.now - start).seconds }
            // It will never be readable: the other end of a pipe is gone, or the driver failed.
            guard request.revents == 0 else {
                throw .callFailed(GLEvidence(call: "poll: descriptor \(descriptor) is no fence, or one that failed"))
            }
            if left == 0 { throw .timeout(what: "the producer's fence", seconds: patience) }
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
