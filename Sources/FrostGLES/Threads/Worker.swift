import FrostThreads

/// The thread of a `GLThread`, and its queue of jobs. The thread holds a reference to the worker, but not to the `GLThread`.
/// The `GLThread` is therefore destroyed when its users release it, and its deinit then stops the thread.
// SAFETY: only the worker's thread uses `context` and `opening`. The monitor protects everything else.
final class Worker: @unchecked Sendable {
    private struct State {
        var jobs: [Job] = []
        var isStopping = false
        /// Whether a thread is running that will look at `jobs` again.
        var isRunning = false
        var thread: Thread?
        /// The ``ThreadToken`` of the running thread.
        var token: UInt = 0
    }

    private let state = Monitor(State())
    private let opened = Monitor<Result<DeviceInfo, GLError>?>(nil)
    private let opening: () throws(GLError) -> GLContext
    /// In the child of a fork, the worker has no thread.
    private let generation = ForkGeneration.current

    /// Creates a worker without starting its thread.
    ///
    /// - Parameter opening: a function that creates the context. It is called on the worker's thread.
    init(opening: @escaping @Sendable () throws(GLError) -> GLContext) { self.opening = opening }

    /// Whether the caller is on the worker's thread.
    var isCurrent: Bool {
        let caller = ThreadToken.current
        return state.withLock { $0.isRunning && $0.token == caller }
    }

    /// Starts the thread and waits for its context.
    func start() throws(GLError) -> DeviceInfo {
        state.update { $0.isRunning = true }
        do throws(GLError) {
            try spawn(joinable: true)
            return try opened.wait { $0 }.get()
        } catch {
            stop()
            throw error
        }
    }

    private func spawn(joinable: Bool) throws(GLError) {
        do throws(ThreadError) {
            let thread = try Thread.start("frost-gl") { [self] in main() }
            if joinable {
                state.update { $0.thread = thread }
            } else {
                thread.detach()
            }
        } catch {
            throw .noThread(error)
        }
    }

    /// Queues a job. If the worker's thread has ended, the job runs without a context: a waiting job runs on the calling
    /// thread, and task jobs run on a new thread. This is necessary because an executor must not refuse jobs, and has to run
    /// them one after the other. In the child of a fork, all jobs run on the calling thread.
    func add(_ job: Job) {
        guard generation.isCurrent else { return run(job, nil) }
        let isAccepted = state.update { state in
            if state.isRunning { state.jobs.append(job) }
            return state.isRunning
        }
        if isAccepted { return }
        switch job {
        case .waiting(let job): job.run(nil)
        case .task:
            let isFirst = state.update { state in
                state.jobs.append(job)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst, (try? spawn(joinable: false)) == nil {
                // If no thread can be started, the jobs run here, in order.
                while let job = next(isLast: true) { run(job, nil) }
            }
        }
    }

    /// Makes the thread finish its queued jobs, destroy its context and end. Then waits until the thread has ended, unless
    /// this method was called on the worker's thread itself. In the child of a fork, the method does nothing.
    func stop() {
        guard generation.isCurrent else { return }
        let thread = state.update { state -> Thread? in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        // The thread is joinable. It was removed from the state, so it is joined only once.
        if isCurrent { thread.detach() } else { thread.join() }
    }

    /// Waits for the next job and returns it; returns nil when the thread has to stop.
    ///
    /// - Parameter isLast: whether this method marks the worker as not running when it returns nil. After that, the caller
    ///   must not access the worker's state.
    private func next(isLast: Bool) -> Job? {
        state.wait { state -> Job?? in
            if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
            guard state.isStopping else { return nil }
            if isLast { state.isRunning = false }
            return .some(nil)
        }
    }

    private func run(_ job: Job, _ context: GLContext?) {
        switch job {
        case .waiting(let job): job.run(context)
        case .task(let job, let executor):
            unsafe job.runSynchronously(on: executor)
            context?.collectGarbage()
        }
    }

    /// The context, while the worker's thread runs a job. Use this property only from within jobs.
    private(set) var context: GLContext?

    private func main() {
        let token = ThreadToken.current
        let isStopping = state.update { state in
            state.token = token
            return state.isStopping
        }
        if !isStopping {
            do throws(GLError) {
                let made = try opening()
                context = made
                opened.update { $0 = .success(made.device) }
            } catch {
                opened.update { $0 = .failure(error) }
            }
        }
        while let job = next(isLast: false) { run(job, context) }
        context?.destroy()
        context = nil
        // Runs jobs that were queued in the meantime. When no such jobs are left, another thread may be started.
        while let job = next(isLast: true) { run(job, nil) }
    }
}
