import FrostGLES
import FrostTestSupport
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

    @Test func afterAShutdownWorkFails() throws {
        let thread = try GLThread.open(.any)
        thread.shutdown()
        let lost = GLError.contextLost(reason: "it was shut down")
        #expect(throws: lost) { try thread.perform { (_) throws(GLError) in 1 } }
        #expect(throws: lost) {
            try thread.performBounded(failure: { (error: GLError) in error }) { (_) throws(GLError) in 1 }
        }
    }

    /// A GL thread that is shut down by its own work cannot wait for its own end, but it must still end and release its
    /// context.
    @Test func aThreadMayShutItselfDown() async {
        // The test runs in a separate process, in which nothing else starts threads.
        await #expect(processExitsWith: .success) {
            // With the first context the driver starts threads that it keeps. So the threads are counted after the first
            // context was opened.
            let first = try GLThread.open(.any)
            let before = ProcessState.current.threads
            for _ in 0..<8 {
                let thread = try GLThread.open(.any)
                try thread.perform { (_) throws(GLError) in thread.shutdown() }
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
