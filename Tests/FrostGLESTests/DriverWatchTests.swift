import CDriverWatch
import FrostThreads
import Glibc
import Synchronization
import Testing

@testable import FrostGLES

/// The law: of the threads that take turns, at most one is inside a driver call at a time.
@Suite(.serialized) struct DriverWatchTests {
    /// The number of threads inside the driver's function, and the largest number so far.
    private static let inside = Atomic<Int>(0)
    private static let most = Atomic<Int>(0)

    /// The driver's function: it lets other threads run while it is inside.
    private static let flush: @convention(c) () -> Void = {
        let count = DriverWatchTests.inside.add(1, ordering: .sequentiallyConsistent).newValue
        DriverWatchTests.most.max(count, ordering: .sequentiallyConsistent)
        usleep(2000)
        DriverWatchTests.inside.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// Returns the largest number of threads that were inside a call at the same time, of four that call at the same time.
    private func most(takingTurns: Bool) throws -> Int {
        Self.most.store(0, ordering: .sequentiallyConsistent)
        let threads = try (0..<4).map { index in
            let watch = try DriverWatch()
            return try Thread.start("watched-\(index)") {
                watch.begin()
                if takingTurns { watch.takeTurns() }
                let flush = watch.wrapper("glFlush", DriverWatchTests.flush)
                for _ in 0..<25 { flush() }
            }
        }
        for thread in threads { thread.join() }
        return Self.most.load(ordering: .sequentiallyConsistent)
    }

    @Test func threadsThatTakeTurnsCallOneAfterTheOther() throws {
        #expect(try most(takingTurns: true) == 1)
        #expect(try most(takingTurns: false) > 1, "the function sees threads that are inside at the same time")
    }

    private static let isReleased = Atomic<Bool>(false)

    /// A thread that was abandoned inside a call has the turn until the call returns.
    @Test func threadsTakeTurnsAfterOneWasAbandoned() throws {
        let block: @convention(c) () -> Void = {
            while !DriverWatchTests.isReleased.load(ordering: .sequentiallyConsistent) { usleep(1000) }
        }
        // SAFETY: the watch is never freed, as its thread is abandoned. The function has the type of glFlush. The pointers
        // are passed on as numbers, and the thread converts them back.
        guard let watch = unsafe frost_watch_create(),
            let function = unsafe frost_watch_function(
                watch, "glFlush", unsafeBitCast(block, to: UnsafeMutableRawPointer.self))
        else { throw GLError.outOfMemory(GLEvidence(call: "the watch of a thread")) }
        let (watchAddress, functionAddress) = (Int(bitPattern: watch), Int(bitPattern: function))
        _ = try Thread.start("abandoned") {
            let watch = unsafe OpaquePointer(bitPattern: watchAddress)
            unsafe frost_watch_begin(watch)
            unsafe frost_watch_take_turns(watch)
            unsafe unsafeBitCast(functionAddress, to: (@convention(c) () -> Void).self)()
        }
        while unsafe frost_watch_mark(watch) % 2 == 0 { usleep(1000) }
        let isAbandoned = unsafe frost_watch_abandon(watch, frost_watch_mark(watch))
        #expect(isAbandoned)
        #expect(try most(takingTurns: true) == 1)
        Self.isReleased.store(true, ordering: .sequentiallyConsistent)
        while unsafe !frost_watch_has_returned(watch) { usleep(1000) }
        #expect(try most(takingTurns: true) == 1)
    }
}
