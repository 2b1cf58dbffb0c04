import FrostGLES
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
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<50 { group.addTask { try await thread.run { (_) throws(GLError) in index } } }
            var sum = 0
            for try await value in group { sum += value }
            #expect(sum == 1225)
        }
    }

    /// An actor whose methods run on the thread.
    actor Counter {
        private let thread: GLThread
        private var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

        init(_ thread: GLThread) { self.thread = thread }

        func add() throws -> Int {
            count += try thread.perform { (gl) throws(GLError) in gl.limits.maximumTextureSize > 0 ? 1 : 0 }
            thread.assumeOnThread()
            return count
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

    @Test func theLastReferenceMayGoOnTheThreadItself() async throws {
        for _ in 0..<5 {
            let counter = Counter(try GLThread.open(.any))
            _ = try await counter.add()
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
    /// Stops the test process if the caller is elsewhere.
    func assumeOnThread() { preconditionIsolated() }
}
