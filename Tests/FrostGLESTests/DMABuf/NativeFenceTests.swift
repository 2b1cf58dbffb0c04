@testable import FrostGLES
import Glibc
import Synchronization
import Testing

/// A pipe that stands in for a fence: it becomes readable when something is written to it.
struct Pipe: ~Copyable {
    let readable: Int32
    private let writable: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        unsafe pipe(&ends)
        (readable, writable) = (ends[0], ends[1])
    }

    deinit {
        close(readable)
        close(writable)
    }

    func signal() {
        var byte: UInt8 = 1
        _ = unsafe write(writable, &byte, 1)
    }
}

/// A simulated driver that has native fences and records its calls. Its state is global, because C function pointers
/// cannot capture variables.
private enum FakeDriver {
    struct Log: Equatable {
        var imported: [Int32] = []
        var destroyed = 0
        var waits = 0
    }
    static let log = Mutex(Log())
    // These addresses are never dereferenced.
    static var sync: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: 64) }
    static var display: UnsafeMutableRawPointer { unsafe sync.unsafelyUnwrapped }

    static func reset() { log.withLock { $0 = Log() } }

    /// Returns the driver's functions.
    ///
    /// - Parameter refuses: true to make the creation of syncs fail.
    static func functions(refuses: Bool = false, canWait: Bool = true, hasDescriptors: Bool = true)
        -> NativeFenceFunctions
    {
        unsafe NativeFenceFunctions(
            createSync: refuses
                ? { _, _, _ in nil }
                : { _, _, attributes in
                    if let attributes = unsafe attributes {
                        let descriptor = unsafe attributes[1]
                        FakeDriver.log.withLock { $0.imported.append(descriptor) }
                    }
                    return unsafe FakeDriver.sync
                },
            destroySync: { _, _ in
                FakeDriver.log.withLock { $0.destroyed += 1 }
                return 1
            },
            dupNativeFence: hasDescriptors ? { _, _ in dup(0) } : { _, _ in -1 },
            waitSync: canWait
                ? { _, _, _ in
                    FakeDriver.log.withLock { $0.waits += 1 }
                    return 1
                } : nil)
    }
}

@Suite(.serialized) struct NativeFenceTests {
    @Test func theGPUWaitsForACopyOfTheFence() {
        FakeDriver.reset()
        let fence = Pipe()
        #expect(unsafe FakeDriver.functions().wait(for: fence.readable, on: FakeDriver.display))
        let log = FakeDriver.log.withLock { $0 }
        #expect(log.imported.count == 1 && log.imported[0] != fence.readable)
        #expect((log.waits, log.destroyed) == (1, 1))
        // The simulated EGL driver owns the duplicated descriptor but never closes it. So the test closes it.
        for copy in log.imported { #expect(close(copy) == 0) }
    }

    @Test func aRefusedFenceLeavesNothingOpen() {
        let fence = Pipe()
        let grows = OpenDescriptors.grow {
            #expect(unsafe !FakeDriver.functions(refuses: true).wait(for: fence.readable, on: FakeDriver.display))
        }
        #expect(!grows)
        #expect(unsafe !FakeDriver.functions(canWait: false).wait(for: fence.readable, on: FakeDriver.display))
        #expect(unsafe !FakeDriver.functions().wait(for: -1, on: FakeDriver.display))
    }

    @Test func aFenceIsFlushedBeforeItIsShared() {
        FakeDriver.reset()
        var flushes = 0
        var fences = 0
        let grows = OpenDescriptors.grow {
            let fence = unsafe FakeDriver.functions().signal(on: FakeDriver.display) { flushes += 1 }
            if let fence, fence.descriptor >= 0 { fences += 1 }
        }
        #expect(!grows)
        #expect((flushes, fences) == (1000, 1000))
        #expect(FakeDriver.log.withLock { $0.destroyed } == 1000)
    }

    @Test func driversThatFailGiveNoFence() {
        let refused = unsafe FakeDriver.functions(refuses: true).signal(on: FakeDriver.display) {}
        let isRefused = refused == nil
        #expect(isRefused)
        let empty = unsafe FakeDriver.functions(hasDescriptors: false).signal(on: FakeDriver.display) {}
        let isEmpty = empty == nil
        #expect(isEmpty)
    }

    @Test func theCPUWaitsUntilAFenceIsReadable() throws {
        let fence = Pipe()
        #expect(throws: GLError.timeout(what: "the producer's fence", seconds: 0.01)) {
            try FenceDescriptor.wait(fence.readable, patience: 0.01)
        }
        fence.signal()
        #expect(try FenceDescriptor.wait(fence.readable, patience: 10) < 10)
        #expect(try FenceDescriptor.wait(fence.readable, patience: 0) >= 0)
    }

    @Test(
        arguments: [
            (-1, "descriptor -1 is not a fence; if the work is finished, do not wait"),
            (100_000, "poll: descriptor 100000 is not open"),
        ] as [(Int32, String)])
    func whatIsNoFenceIsATypedError(_ descriptor: Int32, _ evidence: String) {
        #expect(throws: GLError.callFailed(GLEvidence(call: evidence))) {
            try FenceDescriptor.wait(descriptor, patience: 0.01)
        }
    }
}

@Suite(.serialized, .enabled(if: TestThread.isWanted, TestThread.skipReason))
struct SubmittedWorkTests {
    @Test func submittedWorkIsFencedOrDone() throws {
        let thread = try TestThread.shared.get()
        try thread.perform { (gl) throws(GLError) in
            let hasFences = gl.hasNativeFences
            switch try gl.fenceSubmittedWork(patience: 10) {
            case .fence(let fence):
                #expect(hasFences)
                _ = try FenceDescriptor.wait(fence.descriptor, patience: 10)
            case .finished(let seconds):
                #expect(!hasFences)
                #expect(seconds >= 0)
            }
        }
    }

    @Test func aProducersFenceIsWaitedFor() throws {
        let thread = try TestThread.shared.get()
        let fence = Pipe()
        let descriptor = fence.readable
        // A pipe is not a GPU fence. A driver with native fences refuses it, and the CPU waits instead.
        #expect(throws: GLError.timeout(what: "the producer's fence", seconds: 0.01)) {
            try thread.perform { (gl) throws(GLError) in try gl.wait(forFence: descriptor, patience: 0.01) }
        }
        fence.signal()
        let waiter = try thread.perform { (gl) throws(GLError) in try gl.wait(forFence: descriptor, patience: 10) }
        guard case .onCPU = waiter else {
            Issue.record("\(waiter)")
            return
        }
    }
}
