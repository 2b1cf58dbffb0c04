import Frost
import FrostThreads

/// Memory that requests share.
///
/// Thread-safety: may be used from any thread.
package final class MemoryBudget: Sendable {
    package let capacity: Int

    private struct State {
        var used = 0
        /// The numbers of those that wait. They get memory in this order, so that one that needs much is not passed for ever.
        var waiting: [Int] = []
        var last = 0
    }
    private let state = Monitor(State())

    /// - Parameter capacity: the number of bytes that the requests may take together.
    package init(capacity: Int) { self.capacity = capacity }

    /// The number of bytes that are taken.
    package var inUse: Int { state.withLock { $0.used } }

    /// The number of requests that wait for memory.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Takes bytes, if they are free.
    package func take(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard bytes <= capacity - state.used else { return false }
            state.used += bytes
            return true
        }
    }

    /// Waits until bytes are free, and takes them.
    ///
    /// - Parameter isOver: whether to wait no longer. It is called every tenth of a second.
    /// - Returns: whether the bytes were taken.
    package func take(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
        let number = state.withLock { state in
            state.last += 1
            state.waiting.append(state.last)
            return state.last
        }
        defer { state.update { $0.waiting.removeAll { $0 == number } } }
        while !isOver() {
            let isTaken: Bool? = state.wait(for: .milliseconds(100)) { state in
                guard state.waiting.first == number, bytes <= capacity - state.used else { return nil }
                state.used += bytes
                return true
            }
            if isTaken == true { return true }
        }
        return false
    }

    package func giveBack(_ bytes: Int) {
        if bytes > 0 { state.update { $0.used -= bytes } }
    }
}
