import CDRM
@testable import FrostGLES
import FrostTestSupport
import Glibc
import Testing

/// Tests points of DRM timelines on the device that FROST_DRM_NODE names. `Tools/test-dmabuf` simulates such a device;
/// vgem and virtio-gpu of Debian's kernel have no timelines.
@Suite(.serialized, .enabled(if: TimelineDevice.hasTimelines, "no DRM device with timelines"))
struct DMABufferTimelineTests {
    @Test func aPointIsSignalledAtOnce() throws {
        let timeline = try Timeline()
        try timeline.point(3).signal(after: nil)
        #expect(timeline.signalled == 3)
        let fence = try timeline.point(2).syncFile(patience: 0)
        #expect(try FenceDescriptor.wait(fence.descriptor, patience: 0) >= 0)
    }

    @Test("a point is signalled when the fence is, and not before", arguments: [false, true])
    func aPointFollowsItsFence(_ isShared: Bool) throws {
        let timeline = try Timeline()
        let descriptor = isShared ? timeline.share() : -1
        defer { if descriptor >= 0 { close(descriptor) } }
        func point(_ number: UInt64) -> TimelinePoint {
            isShared
                ? TimelinePoint(device: timeline.device, timeline: .descriptor(descriptor), point: number)
                : timeline.point(number)
        }
        let producer = Pipe()
        try point(1).signal(after: producer.readable)
        #expect(timeline.signalled == 0)
        let fence = try point(1).syncFile(patience: 0)
        #expect(throws: GLError.timeout(what: "the producer's fence", seconds: 0.01)) {
            try FenceDescriptor.wait(fence.descriptor, patience: 0.01)
        }
        producer.signal()
        #expect(try FenceDescriptor.wait(fence.descriptor, patience: 10) < 10)
        #expect(timeline.signalled == 1)
    }

    @Test func aPointWithoutAFenceIsWaitedFor() async throws {
        let timeline = try Timeline()
        let what = "the fence of point 5 of a timeline"
        #expect(throws: GLError.timeout(what: what, seconds: 0.02)) {
            _ = try timeline.point(5).syncFile(patience: 0.02)
        }
        let point = timeline.point(5)
        let waiter = Task.detached { () throws -> Int32 in try point.syncFile(patience: 20).release() }
        try await Task.sleep(for: .milliseconds(20))
        try timeline.point(5).signal(after: nil)
        let fence = OwnedDescriptor(owning: try await waiter.value)
        #expect(try FenceDescriptor.wait(fence.descriptor, patience: 0) >= 0)
    }

    @Test func contextsWaitForPointsAndSignalThem() throws {
        let (thread, _) = try TestNode.shared.get()
        let timeline = try Timeline()
        let (first, second) = (timeline.point(1), timeline.point(2))
        try first.signal(after: nil)
        let (wait, signal) = try thread.perform { (gl) throws(GLError) in
            (try gl.wait(for: first, patience: 1), try gl.signal(second, patience: 10))
        }
        // The software driver has no fences, so the CPU has waited.
        guard case .onCPU = wait, case .finished(let seconds) = signal else {
            Issue.record("\(wait), \(signal)")
            return
        }
        #expect(seconds >= 0 && timeline.signalled == 2)
    }

    @Test func nothingStaysOpen() throws {
        let timeline = try Timeline()
        try timeline.point(1).signal(after: nil)
        let descriptor = timeline.share()
        defer { close(descriptor) }
        let shared = TimelinePoint(device: timeline.device, timeline: .descriptor(descriptor), point: 1)
        // There are 64 objects, so a leaked one would soon be missing.
        let grows = try OpenDescriptors.grow { _ = try shared.syncFile(patience: 0) }
        #expect(!grows && OpenDescriptors.areCounted())
    }

    @Test func whatIsNoTimelineIsATypedError() throws {
        let timeline = try Timeline()
        let unknown = TimelinePoint(device: timeline.device, timeline: .handle(9999), point: 1)
        #expect(
            throws: GLError.callFailed(
                GLEvidence(call: "DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, point 1: No such file or directory"))
        ) { try unknown.signal(after: nil) }
        let closed = TimelinePoint(device: timeline.device, timeline: .descriptor(9999), point: 1)
        #expect(throws: GLError.self) { _ = try closed.syncFile(patience: 0) }
    }

    @Test func aDeviceWithoutTimelinesIsATypedError() async {
        // The environment is that of a process of its own.
        await #expect(processExitsWith: .success) {
            unsafe setenv("DRM_SHIM_TIMELINES", "0", 1)
            let device = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            let point = TimelinePoint(device: device, timeline: .handle(1), point: 1)
            #expect(
                throws: GLError.unsupported("timelines on this DRM device (DRM_CAP_SYNCOBJ_TIMELINE is 0)")
            ) { try point.signal(after: nil) }
        }
    }
}

/// These need no device.
@Suite struct TimelineErrorTests {
    @Test(arguments: [-1, 9999] as [Int32]) func aDescriptorThatIsNoDevice(_ device: Int32) {
        let point = TimelinePoint(device: device, timeline: .handle(1), point: 1)
        #expect(
            throws: GLError.callFailed(
                GLEvidence(call: "DRM_IOCTL_GET_CAP, descriptor \(device): Bad file descriptor"))
        ) { try point.check() }
    }
}

/// The DRM device of the tests.
enum TimelineDevice {
    static let descriptor: Int32 = {
        guard case .success(let (_, allocator)) = TestNode.shared else { return -1 }
        return unsafe open(allocator.node, O_RDWR | O_CLOEXEC)
    }()
    static let hasTimelines: Bool = {
        var has: Int32 = 0
        return unsafe frost_drm_has_timelines(descriptor, &has) == 0 && has != 0
    }()
}

/// A timeline of the test.
private struct Timeline: ~Copyable {
    let device = TimelineDevice.descriptor
    let handle: UInt32

    init() throws {
        var handle: UInt32 = 0
        let error = unsafe frost_syncobj_create(TimelineDevice.descriptor, &handle)
        try #require(error == 0)
        self.handle = handle
    }

    deinit { _ = frost_syncobj_destroy(device, handle) }

    func point(_ number: UInt64) -> TimelinePoint {
        TimelinePoint(device: device, timeline: .handle(handle), point: number)
    }

    /// Returns a descriptor with which other processes open the timeline.
    func share() -> Int32 {
        var descriptor: Int32 = -1
        let error = unsafe frost_syncobj_share(device, handle, &descriptor)
        #expect(error == 0)
        return descriptor
    }

    /// The point that was signalled last.
    var signalled: UInt64 {
        var point: UInt64 = 0
        let error = unsafe frost_syncobj_query(device, handle, &point)
        #expect(error == 0)
        return point
    }
}
