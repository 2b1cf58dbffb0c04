import Dispatch
import Synchronization

/// A result that one thread sets once and another waits for.
final class PendingResult<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func set(_ value: Result) {
        result.withLock { $0 = value }
        isDone.signal()
    }

    /// - Parameter isOver: called several times a second; true stops the wait.
    /// - Returns: nil if `isOver` stopped the wait.
    func wait(unless isOver: () -> Bool = { false }) -> Result? {
        guard isDone.wait(unless: isOver) else { return nil }
        return result.withLock { $0 }
    }
}

extension DispatchSemaphore {
    /// Waits for a signal.
    ///
    /// - Parameter isOver: called several times a second; true stops the wait.
    /// - Returns: false if `isOver` stopped the wait.
    func wait(unless isOver: () -> Bool) -> Bool {
        while wait(timeout: .now() + .milliseconds(100)) == .timedOut { if isOver() { return false } }
        return !isOver()
    }
}
