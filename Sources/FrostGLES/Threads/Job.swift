/// Work for a context's thread.
// SAFETY: the executor of a task is kept alive by the actor whose job it is.
@safe enum Job {
    /// Somebody waits for it. It runs even without a context, to report that.
    case waiting(WaitingJob)
    /// A piece of an actor's or task's work whose executor the thread is.
    case task(UnownedJob, UnownedSerialExecutor)
}

/// A closure whose caller is blocked until it has run, so that it may use what is on the caller's stack.
// SAFETY: `body` is set before the job is handed over and touched by the worker only, until `isDone` is set.
final class WaitingJob: @unchecked Sendable {
    private var body: ((GLContext?) -> Void)?
    private let isDone = Monitor(false)

    init(_ body: @escaping (GLContext?) -> Void) { self.body = body }

    /// To be called once, by the worker. The closure is gone before the caller goes on, because it did not escape.
    func run(_ context: GLContext?) {
        runBody(context)
        // Before the caller continues, since it may count the objects that are left.
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
