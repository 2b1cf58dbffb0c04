import CDRM
import Glibc

/// A point of a DRM timeline (drm_syncobj), for which other processes and devices wait, or which they signal. Wayland's
/// linux-drm-syncobj-v1 and Vulkan's timeline semaphores pass such points.
///
/// The value only names the point: the descriptors remain the caller's, and must be open during a call.
public struct TimelinePoint: Sendable, Hashable {
    /// How a timeline is named.
    public enum Timeline: Sendable, Hashable {
        /// A handle that belongs to the open file of the device.
        case handle(UInt32)
        /// A descriptor that another process has shared.
        case descriptor(Int32)
    }

    /// The descriptor of the DRM device, for example of /dev/dri/renderD128.
    public var device: Int32
    /// The timeline.
    public var timeline: Timeline
    /// The number of the point, at least 1. The point 0 stands for the fence of a binary drm_syncobj.
    public var point: UInt64

    /// Names a point of a timeline.
    public init(device: Int32, timeline: Timeline, point: UInt64) {
        self.device = device
        self.timeline = timeline
        self.point = point
    }

    /// Returns the point's fence as a sync_file. A point may have no fence yet, because its producer has not submitted
    /// its work. This function then waits for the fence.
    ///
    /// - Parameter patience: the maximum wait, in seconds.
    /// - Throws: ``GLError/timeout(what:seconds:)`` if the point gets no fence in time, ``GLError/unsupported(_:)`` if
    ///   the device has no timelines, and ``GLError/callFailed(_:)`` if the device or the timeline does not exist.
    func syncFile(patience: Double) throws(GLError) -> OwnedDescriptor {
        let timeline = try Syncobj(self)
        let until = Self.time(after: patience)
        switch frost_syncobj_await(device, timeline.handle, point, until) {
        case 0: break
        case ETIME: throw .timeout(what: "the fence of point \(point) of a timeline", seconds: patience)
        case let error: throw .drm("SYNCOBJ_TIMELINE_WAIT, point \(point)", error)
        }
        // Only the fence of a binary object can be exported.
        let copy = try Syncobj(on: device)
        try GLError.check(
            "SYNCOBJ_TRANSFER, point \(point)", frost_syncobj_transfer(device, timeline.handle, point, copy.handle, 0))
        var descriptor: Int32 = -1
        try GLError.check(
            "SYNCOBJ_HANDLE_TO_FD", unsafe frost_syncobj_export(device, copy.handle, &descriptor))
        return OwnedDescriptor(owning: descriptor)
    }

    /// Signals the point when a fence is signalled, or at once.
    ///
    /// - Parameter fence: the descriptor of a sync_file; nil to signal at once.
    /// - Throws: as ``syncFile(patience:)``, without the timeout.
    func signal(after fence: Int32?) throws(GLError) {
        let timeline = try Syncobj(self)
        guard let fence else {
            try GLError.check(
                "SYNCOBJ_TIMELINE_SIGNAL, point \(point)", frost_syncobj_signal(device, timeline.handle, point))
            return
        }
        let copy = try Syncobj(on: device)
        try GLError.check("SYNCOBJ_FD_TO_HANDLE", frost_syncobj_import(device, copy.handle, fence))
        try GLError.check(
            "SYNCOBJ_TRANSFER, point \(point)", frost_syncobj_transfer(device, copy.handle, 0, timeline.handle, point))
    }

    /// Throws if the point cannot be used, before any work is submitted for it.
    func check() throws(GLError) { _ = try Syncobj(self) }

    /// Returns a time of CLOCK_MONOTONIC, in nanoseconds.
    private static func time(after seconds: Double) -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        // A century is as good as forever, and does not overflow.
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) + Int64(max(0, min(seconds, 3e9)) * 1e9)
    }
}

/// A handle of a drm_syncobj. A handle that Frost created is destroyed with its owner.
private struct Syncobj: ~Copyable {
    let device: Int32
    let handle: UInt32
    private let isOwned: Bool

    /// Creates a binary object without a fence.
    init(on device: Int32) throws(GLError) {
        var handle: UInt32 = 0
        try GLError.check("SYNCOBJ_CREATE", unsafe frost_syncobj_create(device, &handle))
        (self.device, self.handle, isOwned) = (device, handle, true)
    }

    /// Opens the timeline of a point.
    init(_ point: TimelinePoint) throws(GLError) {
        var hasTimelines: Int32 = 0
        try GLError.check(
            "GET_CAP, descriptor \(point.device)", unsafe frost_drm_has_timelines(point.device, &hasTimelines))
        guard hasTimelines != 0 else {
            throw .unsupported("timelines on this DRM device (DRM_CAP_SYNCOBJ_TIMELINE is 0)")
        }
        let (handle, isOwned) = try Self.open(point)
        (device, self.handle, self.isOwned) = (point.device, handle, isOwned)
    }

    private static func open(_ point: TimelinePoint) throws(GLError) -> (handle: UInt32, isOwned: Bool) {
        switch point.timeline {
        case .handle(let handle): return (handle, false)
        case .descriptor(let descriptor):
            var handle: UInt32 = 0
            try GLError.check(
                "SYNCOBJ_FD_TO_HANDLE, descriptor \(descriptor)",
                unsafe frost_syncobj_open(point.device, descriptor, &handle))
            return (handle, true)
        }
    }

    deinit {
        if isOwned { _ = frost_syncobj_destroy(device, handle) }
    }
}

extension GLError {
    fileprivate static func drm(_ call: String, _ error: Int32) -> GLError {
        // SAFETY: the text of strerror is copied immediately.
        .callFailed(GLEvidence(call: "DRM_IOCTL_\(call): \(unsafe String(cString: strerror(error)))"))
    }

    fileprivate static func check(_ call: String, _ error: Int32) throws(GLError) {
        guard error == 0 else { throw drm(call, error) }
    }
}

/// How a point is signalled.
public enum PointSignal: Sendable, Hashable {
    /// The GPU signals the point when the submitted work is done.
    case byGPU
    /// The work is already done, and the point is signalled. The driver does not support fences as file descriptors, or
    /// failed to create one, so Frost waited for the work.
    case finished(seconds: Double)
}

extension CurrentContext {
    /// Makes all later commands wait for a point of a timeline. The GPU waits if the driver supports this; otherwise
    /// the CPU waits. If the point has no fence yet, the CPU first waits until its producer has submitted its work.
    ///
    /// - Parameter patience: the maximum wait on the CPU, in seconds, for each of the two waits.
    /// - Throws: ``GLError/timeout(what:seconds:)``; ``GLError/unsupported(_:)`` if the device has no timelines;
    ///   ``GLError/callFailed(_:)`` if the device or the timeline does not exist.
    @discardableResult
    public func wait(for point: TimelinePoint, patience: Double) throws(GLError) -> FenceWait {
        let fence = try point.syncFile(patience: patience)
        return try wait(forFence: fence.descriptor, patience: patience)
    }

    /// Submits all draws so far, and signals a point of a timeline when these draws are done.
    ///
    /// - Parameter patience: the maximum time, in seconds, for which this call waits if the driver does not support
    ///   fences.
    /// - Throws: as ``wait(for:patience:)``. After an error the point is not signalled.
    public func signal(_ point: TimelinePoint, patience: Double) throws(GLError) -> PointSignal {
        try point.check()
        switch try fenceSubmittedWork(patience: patience) {
        case .fence(let fence):
            try point.signal(after: fence.descriptor)
            return .byGPU
        case .finished(let seconds):
            try point.signal(after: nil)
            return .finished(seconds: seconds)
        }
    }
}
