import Dispatch
import Synchronization

/// A pipeline that processes a sequence of work items, such as the frames of a stream. The number of items need not be
/// known in advance. One thread fetches the items, other threads process them in parallel, and the caller takes the
/// results in the order of the items. If the caller takes no results, fetching pauses, so only a few items are in
/// memory.
///
/// Thread-safety: only one thread may take results.
public final class OrderedFlow<Result: Sendable>: Sendable {
    /// A work item: a function that computes a result.
    public typealias Work = @Sendable () -> Result

    private struct State {
        var pending: [PendingResult<Result>] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    /// A semaphore that is signalled once for each item that has been started, and once at the end of the sequence.
    private let begun = DispatchSemaphore(value: 0)
    /// A semaphore that counts the free places for items. It is created with the value 0 and then signalled once for
    /// each place, because a semaphore must not be destroyed while its value is below the value with which it was
    /// created.
    private let room = DispatchSemaphore(value: 0)

    /// Creates the pipeline and starts it immediately.
    ///
    /// - Parameters:
    ///   - depth: the maximum number of items in the pipeline. An item is in the pipeline from the moment it is fetched
    ///     until its result is taken.
    ///   - fetch: a function that returns the next item, or nil at the end of the sequence. The function may block.
    public init(depth: Int, fetch: @escaping @Sendable () -> Work?) {
        for _ in 0..<depth { room.signal() }
        // A dedicated dispatch queue has its own thread, which `fetch` may block.
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

    /// Waits for the oldest result that has not been taken, and returns it. Returns nil after the last result, or if
    /// `isOver` ends the wait.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    public func next(unless isOver: () -> Bool) -> Result? {
        guard begun.wait(unless: isOver) else { return nil }
        guard let task = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) else { return nil }
        guard let result = task.wait(unless: isOver) else { return nil }
        room.signal()
        return result
    }

    /// Stops fetching. Items that are being processed are completed, and their results are discarded.
    public func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
