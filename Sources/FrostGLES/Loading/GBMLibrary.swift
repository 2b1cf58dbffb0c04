import CGBM
import Glibc
import Synchronization

/// libgbm, opened at run time, and the devices opened through it: they live as long as the process, as the displays
/// on them do.
// SAFETY: the addresses are constants; the devices are only touched under the lock, or by EGL.
@safe final class GBMLibrary: @unchecked Sendable {
    private let createDevice: FrostGBMCreateDevice
    private let destroyDevice: FrostGBMDestroyDevice

    static let shared: Result<GBMLibrary, GLError> = Result { () throws(GLError) in
        try GBMLibrary("libgbm.so.1")
    }

    private init(_ name: String) throws(GLError) {
        let library = try DynamicLibrary(name)
        unsafe createDevice = try unsafe library.function("gbm_create_device")
        unsafe destroyDevice = try unsafe library.function("gbm_device_destroy")
    }

    /// Opens a render node and hands the GBM device on it to `use`; the device stays open if `use` succeeds.
    func withDevice<Value>(
        on node: String, _ use: (UnsafeMutableRawPointer) throws(GLError) -> Value
    ) throws(GLError) -> Value {
        let file = unsafe open(node, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            // SAFETY: strerror's text is copied at once.
            throw .displayFailed(device: node, GLEvidence(call: "open: " + (unsafe String(cString: strerror(errno)))))
        }
        guard let device = unsafe createDevice(file) else {
            close(file)
            throw .displayFailed(device: node, GLEvidence(call: "gbm_create_device"))
        }
        do throws(GLError) {
            return try unsafe use(UnsafeMutableRawPointer(device))
        } catch {
            // SAFETY: the display on this device was not initialised, so nothing refers to it any more.
            unsafe destroyDevice(device)
            close(file)
            throw error
        }
    }
}
