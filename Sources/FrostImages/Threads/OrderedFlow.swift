import Dispatch
import Synchronization

/// A pipeline for a sequence of work items whose length is unknown, such as the frames of a stream. One thread fetches
/// the items, others process them in parallel, and the caller takes the results in order. Fetching waits until results
/// are taken, so only a few items are in memory.
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
    /// A semaphore that is signalled once for each started item, and once at the end.
    private let begun = DispatchSemaphore(value: 0)
    /// A semaphore that is signalled for each free place. It starts at 0, because a semaphore must not be destroyed
    /// while its value is below the initial one.
    private let room = DispatchSemaphore(value: 0)

    /// Starts the pipeline at once.
    ///
    /// - Parameters:
    ///   - depth: the maximum number of items that are fetched, in progress, or done but not yet taken.
    ///   - fetch: returns the next item, or nil at the end. It may block.
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

    /// Returns the oldest result that has not been taken. Returns nil after the last result, or when `isOver` returns
    /// true.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    public func next(unless isOver: () -> Bool) -> Result? {
        guard begun.wait(unless: isOver) else { return nil }
        guard let task = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) else { return nil }
        guard let result = task.wait(unless: isOver) else { return nil }
        room.signal()
        return result
    }

    /// Stops fetching. Work in progress is completed, and its results are discarded.
    public func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
