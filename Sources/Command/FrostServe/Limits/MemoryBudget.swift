import Frost
import FrostThreads

/// The memory that all requests share: the bodies that arrive or wait, and the pictures in progress.
///
/// Thread-safety: may be used from any thread.
package final class MemoryBudget: Sendable {
    package let capacity: Int
    private let used = Monitor(0)

    /// - Parameter capacity: the number of bytes that the requests may take together.
    package init(capacity: Int) { self.capacity = capacity }

    /// The number of bytes that are taken.
    package var inUse: Int { used.withLock { $0 } }

    /// Takes bytes, if they are free.
    package func take(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard bytes <= capacity - used else { return false }
            used += bytes
            return true
        }
    }

    /// Waits until bytes are free, and takes them.
    ///
    /// - Returns: false if the work was cancelled, or its time is over.
    func take(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
        while !isOver() {
            let isTaken: Bool? = used.wait(for: .milliseconds(100)) { used in
                guard bytes <= capacity - used else { return nil }
                used += bytes
                return true
            }
            if isTaken == true { return true }
        }
        return false
    }

    package func giveBack(_ bytes: Int) {
        if bytes > 0 { used.update { $0 -= bytes } }
    }
}
