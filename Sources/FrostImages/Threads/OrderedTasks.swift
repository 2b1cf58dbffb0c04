import Dispatch

/// Pieces of work that threads do side by side, and whose results come back in the order in which they were added.
///
/// What is dropped unasked for is done all the same, and forgotten.
struct OrderedTasks<Result: Sendable>: ~Copyable, Sendable {
    /// Tasks that may be under way at once.
    private let threads: Int
    private var pending: [PendingResult<Result>] = []

    /// - Parameter threads: with one, work is done when it is added, by whoever adds it.
    init(threads: Int) { self.threads = threads }

    /// Tasks whose results were not taken.
    var count: Int { pending.count }

    var isEmpty: Bool { pending.isEmpty }

    /// As much is under way as may be: a result has to be taken before more is added.
    var isFull: Bool { pending.count == threads }

    /// - Precondition: not full.
    mutating func add(_ work: @escaping @Sendable () -> Result) {
        precondition(!isFull, "a result has to be taken first")
        let task = PendingResult<Result>()
        pending.append(task)
        if threads == 1 { return task.set(work()) }
        DispatchQueue.global().async { task.set(work()) }
    }

    /// Waits for the oldest task's result.
    ///
    /// - Precondition: not empty.
    mutating func next() -> Result {
        guard let result = pending.removeFirst().wait() else { preconditionFailure("a task ended without a result") }
        return result
    }
}
