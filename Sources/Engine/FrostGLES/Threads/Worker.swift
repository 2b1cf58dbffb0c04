import FrostThreads

/// The thread of a `GLThread`, and its queue of jobs. The thread holds a reference to the worker, but not to the `GLThread`.
/// The `GLThread` is therefore destroyed when its users release it, and its deinit then stops the thread.
///
/// Threads that wait for the worker's thread also watch its driver calls. If a call does not return, they abandon the
/// thread: it never runs Frost's code again, and everything that it uses stays in memory.
// SAFETY: only the worker's thread uses `current` and `opening`. The monitor protects everything else.
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
    private let hasEnded = Monitor(false)
    private let watch: DriverWatch
    private let library: EGLLibrary
    private let timeout: Double
    private let opening: (Driver) throws(GLError) -> GLContext
    /// In the child of a fork, the worker has no thread.
    private let generation = ForkGeneration.current

    /// Creates a worker without starting its thread.
    ///
    /// - Parameters:
    ///   - library: the library whose functions the thread calls.
    ///   - timeout: the maximum duration of a driver call, in seconds.
    ///   - opening: a function that creates the context. It is called on the worker's thread.
    init(
        _ library: EGLLibrary, timeout: Double, opening: @escaping @Sendable (Driver) throws(GLError) -> GLContext
    ) throws(GLError) {
        self.library = library
        self.timeout = timeout
        self.opening = opening
        watch = try DriverWatch()
    }

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
            return try wait(for: opened) { $0 }.get().get()
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
        guard generation.isCurrent else { return run(job, .failure(.forked)) }
        let isAccepted = state.update { state in
            if state.isRunning { state.jobs.append(job) }
            return state.isRunning
        }
        if isAccepted { return }
        switch job {
        case .waiting(let job): job.run(.failure(missing))
        case .task:
            let isFirst = state.update { state in
                state.jobs.append(job)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst, (try? spawn(joinable: false)) == nil {
                // If no thread can be started, the jobs run here, in order.
                while let job = next(isLast: true) { run(job, .failure(missing)) }
            }
        }
    }

    /// Waits for a change of a monitor that the worker's thread makes. Meanwhile, watches the driver calls of the thread.
    ///
    /// - Returns: the result of `body`, or the error of the call in which the thread was abandoned.
    func wait<Value, Found>(
        for monitor: Monitor<Value>, _ body: (inout Value) -> Found?
    ) -> Result<Found, GLError> {
        watch.wait(for: monitor, in: library, seconds: timeout, body) { refuseJobs() }
    }

    /// Refuses the queued jobs after the thread was abandoned. The job during which it was abandoned stays unfinished.
    private func refuseJobs() {
        let (jobs, thread) = state.update { state -> ([Job], Thread?) in
            defer { (state.jobs, state.thread) = ([], nil) }
            (state.isStopping, state.isRunning) = (true, false)
            return (state.jobs, state.thread)
        }
        thread?.detach()
        for job in jobs {
            switch job {
            case .waiting(let job): job.run(.failure(watch.blocked?.error ?? missing))
            case .task: add(job)
            }
        }
    }

    /// The reason why there is no context, after the thread has ended.
    private var missing: GLError {
        .contextLost(
            reason: watch.blocked.map { "\($0.call) did not return within \($0.seconds) s" } ?? "it was shut down")
    }

    /// Makes the thread finish its queued jobs, destroy its context and end. Then waits until the thread has ended, unless
    /// this method was called on the worker's thread itself. The wait ends early if a driver call does not return. In the
    /// child of a fork, the method does nothing.
    func stop() {
        guard generation.isCurrent else { return }
        let thread = state.update { state -> Thread? in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        // The thread is joinable. It was removed from the state, so it is joined only once.
        if !isCurrent, case .success = wait(for: hasEnded, { $0 ? true : nil }) {
            thread.join()
        } else {
            thread.detach()
        }
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

    private func run(_ job: Job, _ context: Result<GLContext, GLError>) {
        switch job {
        case .waiting(let job): job.run(context)
        case .task(let job, let executor):
            unsafe job.runSynchronously(on: executor)
            if case .success(let context) = context { context.endWork() }
        }
    }

    /// The context that the worker's thread has opened.
    private var current: GLContext?

    /// The context, while the worker's thread runs a job, or the reason why there is none. Use this property only from
    /// within jobs.
    var context: Result<GLContext, GLError> {
        // An abandoned thread keeps its context. Later jobs run on other threads.
        guard watch.blocked == nil, let current else { return .failure(missing) }
        return .success(current)
    }

    private func main() {
        let token = ThreadToken.current
        let isStopping = state.update { state in
            state.token = token
            return state.isStopping
        }
        if !isStopping {
            watch.begin()
            do throws(GLError) {
                let made = try opening(Driver(library, watchedBy: watch))
                current = made
                opened.update { $0 = .success(made.device) }
            } catch {
                opened.update { $0 = .failure(error) }
            }
        }
        while let job = next(isLast: false) { run(job, context) }
        if case .success(let context) = context {
            context.destroy()
            current = nil
        }
        // Runs jobs that were queued in the meantime. When no such jobs are left, another thread may be started.
        while let job = next(isLast: true) { run(job, .failure(missing)) }
        hasEnded.update { $0 = true }
    }
}
