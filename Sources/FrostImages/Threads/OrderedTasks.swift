import Dispatch

/// Runs tasks in parallel and returns their results in the order in which they were added.
///
/// Tasks whose results are never taken still run.
struct OrderedTasks<Result: Sendable>: ~Copyable, Sendable {
    /// The maximum number of tasks in progress.
    private let threads: Int
    private var pending: [PendingResult<Result>] = []

    /// - Parameter threads: with one, `add` does the work on the calling thread.
    init(threads: Int) { self.threads = threads }

    /// The number of tasks whose results were not taken.
    var count: Int { pending.count }

    var isEmpty: Bool { pending.isEmpty }

    /// Whether a result must be taken before more is added.
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
