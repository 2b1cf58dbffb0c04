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
