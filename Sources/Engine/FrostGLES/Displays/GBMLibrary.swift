import CGBM
import FrostCore
import Glibc
import Synchronization

/// The library libgbm, which is opened at run time, and the GBM devices that were opened for displays. These devices stay
/// open as long as the process runs, because their displays stay open too.
// SAFETY: the addresses are constants. Each call through them has its own safety comment.
@safe final class GBMLibrary: @unchecked Sendable {
    let createDevice: FrostGBMCreateDevice
    let destroyDevice: FrostGBMDestroyDevice
    /// The functions that allocate buffers, or an error if the library lacks some of these functions. Library versions
    /// before 21.1 lack them, but can still open displays.
    let buffers: Result<GBMBufferFunctions, GLError>
    private let displayDevices = Mutex<[GBMDevice]>([])

    static let shared: Result<GBMLibrary, GLError> = Result { () throws(GLError) in
        try GBMLibrary("libgbm.so.1")
    }

    private init(_ name: String) throws(GLError) {
        let library = try SharedLibrary.open(name)
        unsafe createDevice = try unsafe library.function("gbm_create_device")
        unsafe destroyDevice = try unsafe library.function("gbm_device_destroy")
        buffers = Result { () throws(GLError) in try GBMBufferFunctions(from: library) }
    }

    /// Opens a device node and passes its GBM device to `use`. The device stays open if `use` succeeds.
    func withDevice<Value>(
        on node: String, _ use: (UnsafeMutableRawPointer) throws(GLError) -> Value
    ) throws(GLError) -> Value {
        let device = try GBMDevice(node: node, library: self)
        let value = try unsafe use(UnsafeMutableRawPointer(device.raw))
        displayDevices.withLock { $0.append(device) }
        return value
    }
}

/// A GBM device with its own file descriptor. Two threads must not use a GBM device at the same time, except through EGL.
// SAFETY: the handle is constant. The users of the device ensure that only one thread uses it at a time.
@safe final class GBMDevice: @unchecked Sendable {
    let raw: OpaquePointer
    private let library: GBMLibrary
    private let file: OwnedDescriptor

    init(node: String, library: GBMLibrary) throws(GLError) {
        let file = unsafe open(node, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            throw .displayFailed(device: node, GLEvidence(call: "open: \(DescriptorFacts.lastError)"))
        }
        self.library = library
        self.file = OwnedDescriptor(owning: file)
        guard let raw = unsafe library.createDevice(file) else {
            throw .displayFailed(device: node, GLEvidence(call: "gbm_create_device"))
        }
        unsafe self.raw = unsafe raw
    }

    // SAFETY: no display and no buffer uses the device any more. The code that creates them keeps a reference to this
    // object until they are destroyed.
    deinit { unsafe library.destroyDevice(raw) }
}

/// The functions that allocate buffers and export them.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct GBMBufferFunctions: @unchecked Sendable {
    let create: FrostGBMCreate
    /// nil in library versions before 21.3.
    let createWithModifiers: FrostGBMCreateWithModifiers?
    let destroy: FrostGBMDestroy
    let getModifier: FrostGBMGetModifier
    let getPlaneCount: FrostGBMGetPlaneCount
    let getDescriptor: FrostGBMGetDescriptor
    let getStride: FrostGBMGetStride
    let getOffset: FrostGBMGetOffset

    init(from library: SharedLibrary) throws(GLError) {
        unsafe create = try unsafe library.function("gbm_bo_create")
        unsafe createWithModifiers = try? unsafe library.function("gbm_bo_create_with_modifiers2")
        unsafe destroy = try unsafe library.function("gbm_bo_destroy")
        unsafe getModifier = try unsafe library.function("gbm_bo_get_modifier")
        unsafe getPlaneCount = try unsafe library.function("gbm_bo_get_plane_count")
        unsafe getDescriptor = try unsafe library.function("gbm_bo_get_fd_for_plane")
        unsafe getStride = try unsafe library.function("gbm_bo_get_stride_for_plane")
        unsafe getOffset = try unsafe library.function("gbm_bo_get_offset")
    }
}
