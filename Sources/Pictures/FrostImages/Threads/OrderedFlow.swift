import FrostThreads

/// A pipeline that processes a sequence of work items, such as the frames of a stream. The number of items need not be
/// known in advance. One thread fetches the items, other threads process them in parallel, and the caller takes the
/// results in the order of the items. If the caller takes no results, fetching pauses, so only a few items are in
/// memory. If the system refuses threads, the caller fetches and processes the items.
///
/// Thread-safety: only one thread may take results.
public final class OrderedFlow<Result: Sendable>: Sendable {
    /// A work item: a function that computes a result.
    public typealias Work = @Sendable () -> Result

    private struct Items {
        /// The items that have been fetched and whose results have not been taken.
        var pending: [PendingResult<Result>] = []
        /// The number of items that have been fetched, or are being fetched, and whose results have not been taken.
        var count = 0
        /// Whether all items have been fetched.
        var isAtEnd = false
        var isStopped = false
    }
    private let state = Monitor(Items())
    private let depth: Int
    private let fetch: @Sendable () -> Work?
    /// Whether a thread fetches the items. Otherwise the caller does.
    private let isThreaded: Bool

    /// Creates the pipeline and starts it immediately.
    ///
    /// - Parameters:
    ///   - depth: the maximum number of items in the pipeline. An item is in the pipeline from the moment it is fetched
    ///     until its result is taken.
    ///   - fetch: a function that returns the next item, or nil at the end of the sequence. The function may block.
    public init(depth: Int, fetch: @escaping @Sendable () -> Work?) {
        self.depth = depth
        self.fetch = fetch
        let state = state
        do throws(ThreadError) {
            try Thread.start("frost-flow") { Self.fetchAll(fetch, into: state, depth) }.detach()
            isThreaded = true
        } catch {
            isThreaded = false
        }
    }

    private static func fetchAll(_ fetch: () -> Work?, into state: Monitor<Items>, _ depth: Int) {
        var isMore = true
        while isMore {
            let isStopped = state.wait { state -> Bool? in
                if state.isStopped { return true }
                guard state.count < depth else { return nil }
                state.count += 1
                return false
            }
            if isStopped { return }
            isMore = fetchOne(fetch, into: state)
        }
    }

    /// Fetches an item that is already counted, and starts its work.
    ///
    /// - Returns: false if there are no more items.
    private static func fetchOne(_ fetch: () -> Work?, into state: Monitor<Items>) -> Bool {
        guard let work = fetch() else {
            state.update { $0.isAtEnd = true }
            return false
        }
        let item = PendingResult.start(work)
        state.update { $0.pending.append(item) }
        return true
    }

    /// Waits for the oldest result that has not been taken, and returns it. Returns nil after the last result, or if
    /// `isOver` ends the wait.
    ///
    /// - Parameter isOver: a function that is called several times a second. If it returns true, the wait ends.
    public func next(unless isOver: () -> Bool) -> Result? {
        if !isThreaded { fetchHere(unless: isOver) }
        let item = state.wait(unless: isOver) { state -> PendingResult<Result>?? in
            if !state.pending.isEmpty { return .some(state.pending.removeFirst()) }
            return state.isAtEnd ? .some(nil) : nil
        }
        guard let item, let item, let result = item.wait(unless: isOver) else { return nil }
        state.update { $0.count -= 1 }
        return result
    }

    /// Fetches as many items as the pipeline holds. Other threads may still process them at the same time.
    private func fetchHere(unless isOver: () -> Bool) {
        while !isOver() {
            let isFree = state.withLock { state in
                guard !state.isAtEnd, state.count < depth else { return false }
                state.count += 1
                return true
            }
            guard isFree, Self.fetchOne(fetch, into: state) else { return }
        }
    }

    /// Stops fetching. Items that are being processed are completed, and their results are discarded.
    public func stop() { state.update { $0.isStopped = true } }
}
