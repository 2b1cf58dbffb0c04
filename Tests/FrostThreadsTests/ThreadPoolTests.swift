import FrostThreads
import Synchronization
import Testing

/// Tests the pool of threads. That the system may refuse threads is tested with the command and with C programs, because
/// the fault is one of the whole process.
@Suite struct ThreadPoolTests {
    @Test("Every call of a job is made once, also within a job", arguments: [1, 2, 7, 40])
    func calls(_ count: Int) {
        let calls = Monitor([Int](repeating: 0, count: count * count))
        ThreadPool.computation.run(count) { outer in
            ThreadPool.computation.run(count) { inner in calls.withLock { $0[outer * count + inner] += 1 } }
        }
        #expect(calls.withLock { $0 } == [Int](repeating: 1, count: count * count))
    }

    private struct Failure: Error, Equatable { let index: Int }

    @Test("All calls are made, even if one throws")
    func failing() {
        let calls = Atomic<Int>(0)
        #expect(throws: Failure(index: 3)) {
            try ThreadPool.computation.runAll(9) { (index) throws(Failure) in
                calls.add(1, ordering: .relaxed)
                if index == 3 { throw Failure(index: index) }
            }
        }
        #expect(calls.load(ordering: .relaxed) == 9)
    }

    @Test("Tasks that wait for each other run at the same time")
    func tasks() throws {
        let arrived = Monitor(0)
        for _ in 0..<5 {
            try ThreadPool.tasks.add {
                arrived.update { $0 += 1 }
                _ = arrived.wait(for: .seconds(20)) { $0 >= 5 ? true : nil }
                arrived.update { $0 += 10 }
            }
        }
        #expect(arrived.wait(for: .seconds(20)) { $0 == 55 ? true : nil } == true)
    }
}

@Suite struct MonitorTests {
    @Test("A wait ends when its time is over, and when the value suits")
    func wait() throws {
        let monitor = Monitor(0)
        #expect(monitor.wait(for: .milliseconds(20)) { $0 == 1 ? true : nil } == nil)
        let thread = try Thread.start("test") { monitor.update { $0 = 1 } }
        #expect(monitor.wait(for: .seconds(20)) { $0 == 1 ? true : nil } == true)
        thread.join()
    }

    @Test("Changes by several threads are not lost")
    func changes() {
        let lock = Lock(0)
        Thread.perform(4, "test") { for _ in 0..<10_000 { lock.withLock { $0 += 1 } } }
        #expect(lock.withLock { $0 } == 40_000)
    }
}
