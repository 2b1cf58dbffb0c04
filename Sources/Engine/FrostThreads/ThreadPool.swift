import Synchronization

/// A pool of threads that are made when they are needed, and then kept.
///
/// Work never depends on the pool's threads. The caller of ``run(_:_:)`` works on its own job, and whoever adds a task has
/// to do the task itself if nobody has begun it when its result is needed. So the work is done even if the system makes no
/// thread. In the child of a fork, the pool begins without threads and jobs.
///
/// Thread safety: may be used from any thread, also from within a job.
public final class ThreadPool: Sendable {
    /// The threads that share out a computation; see ``run(_:_:)``.
    public static let computation = ThreadPool(name: "frost-cpu")
    /// The threads that do tasks beside their callers, such as encoding; see ``add(_:)``. The tasks may themselves wait for
    /// a computation.
    public static let tasks = ThreadPool(name: "frost-task")

    /// The maximum number of threads that the pool makes.
    public static let maximum = 256

    /// A job: the work of one call. All threads that work on the job share this object.
    ///
    /// SAFETY: `body` is read by threads that make one of the calls, and set to nil when all calls have returned.
    private final class Job: @unchecked Sendable {
        private var body: (@Sendable (Int) -> Void)?
        let count: Int
        let next = Atomic<Int>(0)
        let finished = Atomic<Int>(0)

        init(count: Int, body: @escaping @Sendable (Int) -> Void) {
            self.body = body
            self.count = count
        }

        private let isDone = Monitor(false)

        /// Whether no call is left to begin.
        var isBegun: Bool { next.load(ordering: .relaxed) >= count }

        /// Makes the calls that no other thread has begun.
        func work() {
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                call(index)
                let done = finished.add(1, ordering: .acquiringAndReleasing).newValue
                if done == count { isDone.update { $0 = true } }
            }
        }

        /// A function of its own, so that no thread holds the body when its call counts as finished.
        @inline(never)
        private func call(_ index: Int) { body?(index) }

        /// Waits until all calls have returned, and releases the body. Other threads may hold this object longer, but the memory
        /// that the body uses is free when ``ThreadPool/run(_:_:)`` returns.
        func complete() {
            isDone.wait { $0 ? true : nil }
            body = nil
        }
    }

    private struct PoolState {
        var generation = ForkGeneration.current
        /// The jobs that have calls left to begin, and some that have not.
        var jobs: [Job] = []
        /// The number of threads, including those that are being made.
        var threads = 0
        /// The number of threads that wait for a job.
        var idle = 0

        /// Forgets the threads and jobs of a parent process.
        mutating func renewAfterFork() { if !generation.isCurrent { self = PoolState() } }
    }

    private let name: String
    private let state = Monitor(PoolState())

    private init(name: String) { self.name = name }

    /// Calls `body(0)` to `body(count - 1)` on up to `count` threads in parallel, and returns when all calls have
    /// returned.
    public func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        guard count > 1 else {
            if count == 1 { body(0) }
            return
        }
        let job = Job(count: count, body: body)
        var missing = state.update { state in
            state.renewAfterFork()
            state.jobs.append(job)
            let missing = max(0, min(count - 1, Self.maximum) - state.threads)
            state.threads += missing
            return missing
        }
        while missing > 0, startThread() { missing -= 1 }
        job.work()
        state.withLock { state in
            state.threads -= missing
            state.jobs.removeAll { $0 === job }
        }
        job.complete()
    }

    /// Calls `body(0)` to `body(count - 1)` as ``run(_:_:)`` does. All calls are made even if some throw; one of the
    /// errors is thrown at the end.
    public func runAll<Failure: Error>(
        _ count: Int, _ body: @escaping @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure) {
        let failure = Lock<Failure?>(nil)
        run(count) { index in
            do throws(Failure) { try body(index) } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Calls `task` on a thread of the pool. If all threads are busy, the pool makes another one. If the pool has no more
    /// threads, the task waits for one of them.
    ///
    /// - Throws: ``ThreadError`` if the pool has no thread, and the system makes none. `task` is then released and not
    ///   called.
    public func add(_ task: @escaping @Sendable () -> Void) throws(ThreadError) {
        let job = Job(count: 1) { _ in task() }
        let isShort = state.update { state in
            state.renewAfterFork()
            state.jobs.append(job)
            let isShort = state.idle < state.jobs.count { !$0.isBegun } && state.threads < Self.maximum
            if isShort { state.threads += 1 }
            return isShort
        }
        guard isShort else { return }
        do throws(ThreadError) {
            try makeThread()
        } catch {
            // If no thread is left that could begin the jobs, they are done here. They may be of other callers, who relied
            // on a thread that could not be made either.
            let orphans = state.withLock { state -> [Job] in
                state.threads -= 1
                guard state.threads == 0 else { return [] }
                defer { state.jobs = [] }
                return state.jobs
            }
            for orphan in orphans where orphan !== job { orphan.work() }
            if !orphans.isEmpty { throw error }
        }
    }

    private func startThread() -> Bool { (try? makeThread()) != nil }

    private func makeThread() throws(ThreadError) {
        try Thread.start(name) { [self] in serve() }.detach()
    }

    private func serve() {
        while true {
            var isIdle = false
            let job = state.wait { state -> Job? in
                state.jobs.removeAll(where: \.isBegun)
                guard let job = state.jobs.first else {
                    if !isIdle { state.idle += 1 }
                    isIdle = true
                    return nil
                }
                if isIdle { state.idle -= 1 }
                if job.count == 1 { state.jobs.removeFirst() }
                return job
            }
            job.work()
        }
    }
}
