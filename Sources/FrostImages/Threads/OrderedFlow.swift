import Dispatch
import Synchronization

/// A pipeline for work without a known end, such as the frames of a stream: one thread fetches pieces of work, others
/// do them in parallel, and the results are taken in order. Fetching waits for results to be taken, so only a few
/// pieces are in memory.
///
/// Thread-safety: one thread takes the results.
public final class OrderedFlow<Result: Sendable>: Sendable {
    /// A piece of work.
    public typealias Work = @Sendable () -> Result

    private struct State {
        var pending: [PendingResult<Result>] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Signalled for each piece that is started, and at the end.
    private let begun = DispatchSemaphore(value: 0)
    /// Signalled for each free place: a semaphore must not be destroyed below its initial value, so it starts at 0.
    private let room = DispatchSemaphore(value: 0)

    /// Starts at once.
    ///
    /// - Parameters:
    /// - depth: the maximum number of pieces that are fetched, in progress, or done and not taken.
    /// - fetch: returns the next piece of work; nil at the end. It may block.
    public init(depth: Int, fetch: @escaping @Sendable () -> Work?) {
        for _ in 0..<depth { room.signal() }
        // A queue of its own has its own thread, and may block it.
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

    /// Returns the oldest result that was not taken; nil after the last, or once `isOver` returns true.
    ///
    /// - Parameter isOver: called several times a second; true stops the wait.
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
