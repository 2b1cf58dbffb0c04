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

/// A closure whose caller waits until the closure has run. The closure may therefore use the caller's stack.
// SAFETY: `body` is set before the job is handed over. Afterwards only the worker uses `body`, until `isDone` is set.
final class WaitingJob: @unchecked Sendable {
    private var body: ((GLContext?) -> Void)?
    private let isDone = Monitor(false)

    init(_ body: @escaping (GLContext?) -> Void) { self.body = body }

    /// Runs the closure. The worker calls this once. The closure is released before the caller continues, because the
    /// closure must not outlive the caller's call.
    func run(_ context: GLContext?) {
        runBody(context)
        // GL objects whose owners were released are deleted before the caller continues, because the caller may count the
        // remaining objects.
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
