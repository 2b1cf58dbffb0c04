/// A piece of work for a context's thread.
// SAFETY: the actor that a task's job belongs to keeps the executor alive.
@safe enum Job {
    /// Work with a caller that waits for it. It runs even without a context, to report that there is none.
    case waiting(WaitingJob)
    /// A job of an actor or task that has the thread as its executor.
    case task(UnownedJob, UnownedSerialExecutor)
}

/// A closure with a caller that is blocked until the closure has run. The closure may therefore use the caller's stack.
// SAFETY: `body` is set before the job is handed over. Until `isDone` is set, only the worker touches it.
final class WaitingJob: @unchecked Sendable {
    private var body: ((GLContext?) -> Void)?
    private let isDone = Monitor(false)

    init(_ body: @escaping (GLContext?) -> Void) { self.body = body }

    /// Runs the closure. The worker calls this once. The closure is released before the caller continues, because it must
    /// not escape.
    func run(_ context: GLContext?) {
        runBody(context)
        // Garbage is collected before the caller continues, because the caller may count the remaining objects.
        context?.collectGarbage()
        isDone.update { $0 = true }
    }

    @inline(never) private func runBody(_ context: GLContext?) {
        let work = body
        body = nil
        work?(context)
    }

    func wait() { _ = isDone.wait { $0 ? true : nil } }
}
