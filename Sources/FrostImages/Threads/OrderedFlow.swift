import Dispatch
import Synchronization

/// Work without a known end, such as the frames of a stream: one thread fetches it, others do it side by side, and the
/// results are taken in order. Fetching waits where results are not taken, so that only a few are in memory.
///
/// Thread safety: results are taken by one thread.
public final class OrderedFlow<Result: Sendable>: Sendable {
    /// A piece of work.
    public typealias Work = @Sendable () -> Result

    private struct State {
        var pending: [PendingResult<Result>] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Raised for each piece that is begun, and at the end.
    private let begun = DispatchSemaphore(value: 0)
    /// Raised for each piece that there is room for: a semaphore must not end below the value it began with.
    private let room = DispatchSemaphore(value: 0)

    /// Begins at once.
    ///
    /// - Parameters:
    ///   - depth: pieces that may be fetched or under way at once, or done and not taken.
    ///   - fetch: the next piece of work; nil at the end. May wait as long as it likes.
    public init(depth: Int, fetch: @escaping @Sendable () -> Work?) {
        for _ in 0..<depth { room.signal() }
        // A queue of its own has a thread of its own, and may wait in it.
        DispatchQueue(label: "frost.flow").async { self.run(fetch) }
    }

    private func run(_ fetch: () -> Work?) {
        while true {
            room.wait()
            if state.withLock({ $0.isStopped }) { return }
            guard let work = fetch() else { break }
            let task = PendingResult<Result>()
            state.withLock { $0.pending.append(task) }
            begun.signal()
            DispatchQueue.global().async { task.set(work()) }
        }
        begun.signal()
    }

    /// The oldest result that was not taken; nil after the last, and when there is no reason to wait for it any more.
    ///
    /// - Parameter isOver: asked several times a second.
    public func next(unless isOver: () -> Bool) -> Result? {
        guard begun.wait(unless: isOver) else { return nil }
        guard let task = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) else { return nil }
        guard let result = task.wait(unless: isOver) else { return nil }
        room.signal()
        return result
    }

    /// Has nothing more fetched. What is under way is done, and forgotten.
    public func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
