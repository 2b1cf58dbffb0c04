import FrostCore
import FrostThreads

/// The thread of a `GLThread`, and its queue of jobs. The thread holds a reference to the worker, but not to the `GLThread`.
/// The `GLThread` is therefore destroyed when its users release it, and its deinit then stops the thread.
///
/// Threads that wait for the worker's thread also watch its driver calls. If a call does not return, they abandon the
/// thread: it never runs Frost's code again, and everything that it uses stays in memory.
// SAFETY: only the worker's thread uses `current` and `opening`. The monitor protects everything else.
final class Worker: @unchecked Sendable {
    private struct Queue {
        var jobs: [Job] = []
        var isStopping = false
        /// Whether the thread will look at `jobs` again.
        var acceptsJobs = false
        var thread: Thread?
        /// The ``ThreadToken`` of the running thread.
        var token: UInt = 0
    }

    private let queue = Monitor(Queue())
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
        return queue.withLock { $0.token == caller }
    }

    /// Starts the thread and waits for its context.
    func start() throws(GLError) -> DeviceInfo {
        queue.update { $0.acceptsJobs = true }
        do throws(GLError) {
            let thread = try rethrow(Thread.start("frost-gl") { [self] in main() }, as: GLError.noThread)
            queue.update { $0.thread = thread }
            return try wait(for: opened) { $0 }.get().get()
        } catch {
            stop()
            throw error
        }
    }

    /// Queues a job. If the thread has ended, or in the child of a fork, the job runs on the calling thread, without a
    /// context.
    func add(_ job: Job) {
        guard generation.isCurrent else { return job.run(.failure(.forked)) }
        let isAccepted = queue.update { queue in
            if queue.acceptsJobs { queue.jobs.append(job) }
            return queue.acceptsJobs
        }
        if !isAccepted { job.run(.failure(missing)) }
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
        let (jobs, thread) = queue.update { queue -> ([Job], Thread?) in
            defer { queue = Queue(isStopping: true) }
            return (queue.jobs, queue.thread)
        }
        thread?.detach()
        for job in jobs { job.run(.failure(watch.blocked?.error ?? missing)) }
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
        let thread = queue.update { queue -> Thread? in
            queue.isStopping = true
            defer { queue.thread = nil }
            return queue.thread
        }
        guard let thread else { return }
        // The thread was removed from the queue, so it is joined only once.
        if !isCurrent, case .success = wait(for: hasEnded, { $0 ? true : nil }) {
            thread.join()
        } else {
            thread.detach()
        }
    }

    /// Waits for the next job and returns it. Returns nil if the thread has to stop; later jobs are refused then.
    private func next() -> Job? {
        queue.wait { queue -> Job?? in
            if !queue.jobs.isEmpty { return .some(queue.jobs.removeFirst()) }
            guard queue.isStopping else { return nil }
            queue.acceptsJobs = false
            return .some(nil)
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
        let isStopping = queue.update { queue in
            queue.token = token
            return queue.isStopping
        }
        if !isStopping {
            watch.begin()
            do throws(GLError) {
                let context = try opening(Driver(library, watchedBy: watch))
                current = context
                opened.update { $0 = .success(context.device) }
            } catch {
                opened.update { $0 = .failure(error) }
            }
        }
        while let job = next() { job.run(context) }
        if case .success(let context) = context {
            context.destroy()
            current = nil
        }
        queue.update { $0.token = 0 }
        hasEnded.update { $0 = true }
    }
}

/// Work for a context's thread: a closure whose caller waits until the closure has run. The closure receives the thread's
/// context, or the reason why there is none.
// SAFETY: `body` is set before the job is handed over. Afterwards only the worker uses `body`, until `isDone` is set.
final class Job: @unchecked Sendable {
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
