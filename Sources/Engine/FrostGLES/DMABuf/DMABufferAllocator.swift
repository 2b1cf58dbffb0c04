import CGBM
import Glibc
import Synchronization

/// Allocates dma-bufs with GBM on a device node. They are render targets that other devices or processes can display.
///
/// Thread-safety: may be used from any thread.
public final class DMABufferAllocator: Sendable {
    /// The device node that the allocator was opened on.
    public let node: String
    private let gbm: GBMBufferFunctions
    private let device: Mutex<GBMDevice>

    /// Opens a device node. For most devices, this is a render node ("/dev/dri/renderD128"). For a device that cannot draw,
    /// pass the primary node ("/dev/dri/card0"), because such a device allocates memory only through its primary node.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, ``GLError/unsupported(_:)`` for a library that is too old, or
    ///   ``GLError/displayFailed(device:_:)`` for a node that cannot be opened or has no driver.
    public init(node: String) throws(GLError) {
        let library = try GBMLibrary.shared.get()
        self.node = node
        gbm = try library.buffers.get()
        device = Mutex(try GBMDevice(node: node, library: library))
    }

    /// Allocates a buffer with undefined content. The buffer may outlive the allocator.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - fourcc: the pixel format.
    ///   - modifiers: the modifiers that the readers support; the driver picks one of them. The default is
    ///     ``DRMModifier/linear``, which every device reads. With ``DRMModifier/implicit`` the driver picks a layout and
    ///     does not report it.
    ///   - isRenderTarget: whether the GPU must be able to draw into the buffer.
    /// - Throws: ``GLError/dmaBuffer(_:)`` with the driver's error.
    public func allocate(
        width: Int, height: Int, fourcc: FourCC, modifiers: [DRMModifier] = [.linear], isRenderTarget: Bool = true
    ) throws(GLError) -> OwnedDMABuffer {
        let wanted = DMABuffer(
            width: width, height: height, fourcc: fourcc, modifier: modifiers.first ?? .implicit, planes: [])
        let sizes = 1...Int(Int32.max)
        guard sizes.contains(width), sizes.contains(height) else {
            throw wanted.fault(.geometry("invalid size \(width)x\(height)"))
        }
        _ = try wanted.checkedFormat()
        let result: Result<DMABuffer, GLError> = device.withLock { device in
            Result { () throws(GLError) in
                try create(wanted, modifiers, isRenderTarget ? GBM_BO_USE_RENDERING.rawValue : 0, device)
            }
        }
        let buffer = OwnedDMABuffer(owning: try result.get())
        // The result is checked, because Mesa's kms_swrast accepts 2^31 by 2^31 pixels and allocates only a few bytes for
        // them.
        try buffer.buffer.check()
        return buffer
    }

    private func create(
        _ wanted: DMABuffer, _ modifiers: [DRMModifier], _ usage: UInt32, _ device: GBMDevice
    ) throws(GLError) -> DMABuffer {
        let (width, height) = (UInt32(wanted.width), UInt32(wanted.height))
        let named = modifiers.filter { $0 != .implicit }.map(\.rawValue)
        var object: OpaquePointer?
        var isLinear = false
        errno = 0
        if !named.isEmpty, let createWithModifiers = unsafe gbm.createWithModifiers {
            // SAFETY: the array has as many modifiers as GBM is told.
            unsafe object = unsafe createWithModifiers(
                device.raw, width, height, wanted.fourcc.rawValue, named, UInt32(named.count), usage)
        }
        // Drivers without modifier support reject every modifier, although they can allocate linear buffers.
        if unsafe object == nil, modifiers.contains(.linear) {
            isLinear = true
            unsafe object = unsafe gbm.create(
                device.raw, width, height, wanted.fourcc.rawValue, usage | GBM_BO_USE_LINEAR.rawValue)
        }
        if unsafe object == nil, modifiers.contains(.implicit) {
            isLinear = false
            unsafe object = unsafe gbm.create(device.raw, width, height, wanted.fourcc.rawValue, usage)
        }
        guard let object = unsafe object else {
            let reason = errno == 0 ? "" : ": \(DescriptorFacts.lastError)"
            throw wanted.fault(.refused(GLEvidence(call: "gbm_bo_create\(reason)")))
        }
        // The buffer object can be destroyed, because the file descriptors keep the memory alive.
        defer { unsafe gbm.destroy(object) }
        return try unsafe share(object, as: wanted, isLinear: isLinear)
    }

    /// Exports the file descriptors of a buffer object's planes.
    private func share(_ object: OpaquePointer, as wanted: DMABuffer, isLinear: Bool) throws(GLError) -> DMABuffer {
        var buffer = wanted
        buffer.modifier = DRMModifier(rawValue: unsafe gbm.getModifier(object))
        if isLinear, buffer.modifier == .implicit { buffer.modifier = .linear }
        let count = unsafe gbm.getPlaneCount(object)
        guard (1...4).contains(count) else { throw buffer.fault(.planeCount(found: Int(count), expected: 1...4)) }
        for index in 0..<count {
            unsafe buffer.planes.append(
                DMABuffer.Plane(
                    descriptor: gbm.getDescriptor(object, index), offset: Int(gbm.getOffset(object, index)),
                    stride: Int(gbm.getStride(object, index))))
        }
        guard buffer.planes.allSatisfy({ $0.descriptor >= 0 }) else {
            _ = OwnedDMABuffer(owning: buffer)
            throw buffer.fault(.noDescriptor(call: "gbm_bo_get_fd_for_plane"))
        }
        return buffer
    }
}
