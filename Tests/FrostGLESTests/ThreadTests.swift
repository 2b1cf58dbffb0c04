import Dispatch
import FrostGLES
import FrostTestSupport
import Synchronization
import Testing

@Suite(.serialized, .enabled(if: TestThread.isWanted, TestThread.skipReason))
struct ThreadTests {
    private struct Stop: Error, Equatable { let number: Int }

    @Test func valuesAndErrorsComeBack() throws {
        let thread = try TestThread.shared.get()
        #expect(try thread.perform { (gl) throws(GLError) in gl.device.renderer } == thread.device.renderer)
        #expect(throws: GLError.unsupported("this")) {
            try thread.perform { (_) throws(GLError) -> Int in throw .unsupported("this") }
        }
        #expect(throws: Stop(number: 3)) {
            try thread.perform(failure: { _ in Stop(number: 0) }) { (_) throws(Stop) -> Int in throw Stop(number: 3) }
        }
    }

    @Test func workWithinWorkRunsAtOnce() throws {
        let thread = try TestThread.shared.get()
        let sum = try thread.perform { (_) throws(GLError) in
            try thread.perform { (_) throws(GLError) in 20 } + 22
        }
        #expect(sum == 42)
    }

    @Test func tasksAwaitWithoutBlocking() async throws {
        let thread = try TestThread.shared.get()
        let gate = DispatchSemaphore(value: 0)
        let gateFlag = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            // This task occupies the GL thread until the gate opens. If the other tasks block their threads, nothing opens
            // the gate. The task then ends after 300 seconds, so that the test fails instead of hanging.
            group.addTask {
                try await thread.run { (_) throws(GLError) in
                    _ = gate.wait(timeout: .now() + .seconds(300))
                    gateFlag.isSet.withLock { $0 = true }
                    return 0
                }
            }
            // There are more of these tasks than threads in Swift's thread pool.
            for index in 0..<300 { group.addTask { try await thread.run { (_) throws(GLError) in index } } }
            for _ in 0..<10 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(gateFlag.isSet.withLock { !$0 }, "other tasks had no thread to run on")
            gate.signal()
            var sum = 0
            for try await value in group { sum += value }
            #expect(sum == 44850)
        }
    }

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    /// An actor whose methods run on the GL thread.
    actor Counter {
        let thread: GLThread
        private var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

        init(_ thread: GLThread) { self.thread = thread }

        func add() throws -> Int {
            count += try thread.perform { (gl) throws(GLError) in gl.limits.maximumTextureSize > 0 ? 1 : 0 }
            thread.assumeOnThread()
            return count
        }

        /// Starts a task that holds the last reference to the actor. The task releases this reference on the actor's own
        /// thread.
        func goLast() {
            Task {
                try? await Task.sleep(for: .milliseconds(50))
                count += 1
            }
        }
    }

    @Test func anActorRunsOnTheThread() async throws {
        let counter = Counter(try TestThread.shared.get())
        for _ in 0..<100 { _ = try await counter.add() }
        #expect(try await counter.add() == 101)
    }

    @Test func afterAShutdownWorkFailsButActorsGoOn() async throws {
        let thread = try GLThread.open(.any)
        let counter = Counter(thread)
        #expect(try await counter.add() == 1)
        thread.shutdown()
        let lost = GLError.contextLost(reason: "it was shut down")
        #expect(throws: lost) { try thread.perform { (_) throws(GLError) in 1 } }
        await #expect(throws: lost) { try await thread.run { (_) throws(GLError) in 1 } }
        await #expect(throws: lost) { _ = try await counter.add() }
        await #expect(throws: lost) { _ = try await counter.add() }
    }

    /// The last reference to a GL thread may be released on the GL thread itself. The GL thread cannot wait for its own
    /// end, but it must still end and release its context.
    @Test func theLastReferenceMayGoOnTheThreadItself() async {
        // The test runs in a separate process, in which nothing else starts threads.
        await #expect(processExitsWith: .success) {
            // With the first context the driver starts threads that it keeps. So the threads are counted after the first
            // context was opened.
            let first = try GLThread.open(.any)
            let before = ProcessState.current.threads
            for _ in 0..<8 {
                weak var thread: GLThread?
                do {
                    let counter = Counter(try GLThread.open(.any))
                    thread = counter.thread
                    _ = try await counter.add()
                    await counter.goLast()
                }
                let end = ContinuousClock.now + .seconds(10)
                while thread != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
                #expect(thread == nil)
            }
            let end = ContinuousClock.now + .seconds(10)
            while ProcessState.current.threads > before + 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            // The Swift runtime may have started up to two threads.
            #expect(ProcessState.current.threads <= before + 2)
            #expect(try first.perform { (gl) throws(GLError) in gl.limits.maximumTextureSize > 0 })
        }
    }

    @Test func aBoundValueStaysWithItsContext() throws {
        let thread = try TestThread.shared.get()
        let other = try GLThread.open(.any)
        let bound = try thread.perform { (gl) throws(GLError) in ContextBound(7, to: gl) }
        #expect(try thread.perform { (gl) throws(GLError) in try bound.value(in: gl) } == 7)
        #expect(throws: GLError.self) { try other.perform { (gl) throws(GLError) in try bound.value(in: gl) } }
    }
}

extension GLThread {
    /// Stops the test process if the caller does not run on this GL thread.
    func assumeOnThread() { preconditionIsolated() }
}
