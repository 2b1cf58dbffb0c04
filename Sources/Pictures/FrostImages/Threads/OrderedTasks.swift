/// Runs tasks in parallel and returns their results in the order in which the tasks were added.
///
/// Every task runs, even if its result is never taken. If the system refuses threads, the calling thread does the tasks.
struct OrderedTasks<Result: Sendable>: ~Copyable, Sendable {
    /// The maximum number of tasks whose results have not been taken.
    private let threads: Int
    private var pending: [PendingResult<Result>] = []

    /// Creates an empty queue.
    ///
    /// - Parameter threads: the maximum number of tasks whose results have not been taken. If it is 1, `add` does the
    ///   work on the calling thread.
    init(threads: Int) { self.threads = threads }

    /// The number of tasks whose results have not been taken.
    var count: Int { pending.count }

    var isEmpty: Bool { pending.isEmpty }

    /// Whether the caller must take a result before it adds another task.
    var isFull: Bool { pending.count == threads }

    /// Starts a task.
    ///
    /// - Precondition: the queue is not full.
    mutating func add(_ work: @escaping @Sendable () -> Result) {
        precondition(!isFull, "take a result first")
        pending.append(threads == 1 ? .done(work) : .start(work))
    }

    /// Waits for the result of the oldest task and returns it.
    ///
    /// - Precondition: the queue is not empty.
    mutating func next() -> Result { pending.removeFirst().wait() }
}
