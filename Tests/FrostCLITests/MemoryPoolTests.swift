import Dispatch
import Synchronization
import Testing

@testable import FrostCLI

@Suite struct MemoryPoolTests {
    @Test("Together the pictures never take more than the pool, and all of them get their turn")
    func sharing() {
        let pool = MemoryPool(capacity: 100)
        let used = Mutex((now: 0, maximum: 0, finished: 0))
        DispatchQueue.concurrentPerform(iterations: 64) { i in
            let need = 1 + i * 37 % 100
            pool.enter(need)
            used.withLock {
                $0.now += need
                $0.maximum = max($0.maximum, $0.now)
            }
            used.withLock {
                $0.now -= need
                $0.finished += 1
            }
            pool.leave(need)
        }
        #expect(used.withLock { $0.maximum } <= 100)
        #expect(used.withLock { $0.finished } == 64)
    }

    @Test("A picture that needs more than the pool runs alone, and does not wait forever")
    func larger() {
        let pool = MemoryPool(capacity: 10)
        pool.enter(25)
        pool.leave(25)
        pool.enter(10)
        pool.leave(10)
    }

    @Test("Pictures that fit are in the pool at the same time")
    func together() {
        let pool = MemoryPool(capacity: 10)
        // This would wait forever if the second picture had to wait for the first.
        pool.enter(6)
        pool.enter(4)
        pool.leave(6)
        pool.leave(4)
    }
}
