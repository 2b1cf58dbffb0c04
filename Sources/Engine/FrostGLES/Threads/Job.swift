import FrostThreads

/// A piece of work for a context's thread.
// SAFETY: the actor that a task's job belongs to keeps the executor alive.
@safe enum Job {
    /// A piece of work whose caller waits for the result. It runs even if there is no context, to report to the caller that
    /// the context is missing.
    case waiting(WaitingJob)
    /// A job of an actor or task that has the thread as its executor.
    case task(UnownedJob, UnownedSerialExecutor)
}

/// A closure whose caller waits until the closure has run. The closure receives the thread's context, or the reason why
/// there is none.
// SAFETY: `body` is set before the job is handed over. Afterwards only the worker uses `body`, until `isDone` is set.
final class WaitingJob: @unchecked Sendable {
    private var body: ((Result<GLContext, GLError>) -> Void)?
    let isDone = Monitor(false)

    init(_ body: @escaping (Result<GLContext, GLError>) -> Void) { self.body = body }

    /// Runs the closure. The worker calls this once. The closure is released before the caller continues, because the
    /// closure must not outlive the caller's call.
    func run(_ context: Result<GLContext, GLError>) {
        runBody(context)
        // GL objects whose owners were released are deleted before the caller continues, because the caller may count the
        // remaining objects.
        if case .success(let context) = context { context.endWork() }
        isDone.update { $0 = true }
    }

    @inline(never) private func runBody(_ context: Result<GLContext, GLError>) {
        let work = body
        body = nil
        work?(context)
    }

    func wait() { _ = isDone.wait { $0 ? true : nil } }
}
