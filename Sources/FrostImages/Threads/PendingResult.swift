import Dispatch
import Synchronization

/// A result that one thread sets once and that another thread waits for.
final class PendingResult<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func set(_ value: Result) {
        result.withLock { $0 = value }
        isDone.signal()
    }

    /// Waits for the result.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    /// - Returns: nil if `isOver` ended the wait.
    func wait(unless isOver: () -> Bool = { false }) -> Result? {
        guard isDone.wait(unless: isOver) else { return nil }
        return result.withLock { $0 }
    }
}

extension DispatchSemaphore {
    /// Waits until the semaphore is signalled.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    /// - Returns: false if `isOver` ended the wait.
    func wait(unless isOver: () -> Bool) -> Bool {
        while wait(timeout: .now() + .milliseconds(100)) == .timedOut { if isOver() { return false } }
        return !isOver()
    }
}
