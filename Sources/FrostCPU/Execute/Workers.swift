import Glibc
import Synchronization

/// A pool of threads that are created once and shared by all CPU blurs of the process.
///
/// The thread that calls ``run(_:_:)`` also works on its own job. Every job therefore makes progress, even if all
/// threads of the pool work for other callers.
///
/// Thread safety: may be called from any thread, also from within a job.
@safe final class Workers: @unchecked Sendable {
    static let shared = Workers()

    /// The maximum number of threads that the pool creates.
    static let maximum = 256

    /// A job: the work of one call of ``run(_:_:)``. All threads that work on the job share this object.
    private final class Job: Sendable {
        let body: @Sendable (Int) -> Void
        let count: Int
        let next = Atomic<Int>(0)
        let finished = Atomic<Int>(0)
        init(count: Int, body: @escaping @Sendable (Int) -> Void) {
            self.count = count
            self.body = body
        }
    }

    private struct State {
        var jobs: [Job] = []
        var threads = 0
    }

    // SAFETY: initialised before the pool creates a thread, and never freed, because the pool lives as long as the
    // process.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let wake: UnsafeMutablePointer<pthread_cond_t>
    private let done: UnsafeMutablePointer<pthread_cond_t>
    // SAFETY: accessed only while `mutex` is held.
    private var state = State()

    private init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe wake = .allocate(capacity: 1)
        unsafe done = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(wake, nil)
        unsafe pthread_cond_init(done, nil)
    }

    /// Calls `body(0)` to `body(count - 1)` on up to `count` threads in parallel, and returns when all calls have
    /// returned.
    func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        guard count > 1 else {
            if count == 1 { body(0) }
            return
        }
        let job = Job(count: count, body: body)
        unsafe pthread_mutex_lock(mutex)
        state.jobs.append(job)
        grow(to: min(count - 1, Self.maximum))
        unsafe pthread_cond_broadcast(wake)
        unsafe pthread_mutex_unlock(mutex)

        work(on: job)

        unsafe pthread_mutex_lock(mutex)
        state.jobs.removeAll { $0 === job }
        while job.finished.load(ordering: .acquiring) < count { unsafe pthread_cond_wait(done, mutex) }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Calls `body(0)` to `body(count - 1)` as ``run(_:_:)`` does. All calls are made even if some throw; one of the
    /// errors is thrown at the end.
    func runAll(_ count: Int, _ body: @escaping @Sendable (Int) throws(CPUError) -> Void) throws(CPUError) {
        let failure = Mutex<CPUError?>(nil)
        run(count) { index in
            do throws(CPUError) { try body(index) } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func work(on job: Job) {
        while true {
            let index = job.next.add(1, ordering: .relaxed).oldValue
            guard index < job.count else { return }
            job.body(index)
            if job.finished.add(1, ordering: .acquiringAndReleasing).newValue == job.count {
                unsafe pthread_mutex_lock(mutex)
                unsafe pthread_cond_broadcast(done)
                unsafe pthread_mutex_unlock(mutex)
            }
        }
    }

    /// Creates threads until the pool has `count`. The caller must hold `mutex`. If a thread cannot be created, the
    /// pool works with fewer threads. The work is done nevertheless, because the calling thread also works on its job.
    private func grow(to count: Int) {
        while state.threads < count {
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread, nil,
                { _ in
                    Workers.shared.serve()
                    return nil
                }, nil)
            guard status == 0 else { return }
            pthread_detach(thread)
            state.threads += 1
        }
    }

    private func serve() {
        unsafe pthread_mutex_lock(mutex)
        while true {
            if let job = state.jobs.first(where: { $0.next.load(ordering: .relaxed) < $0.count }) {
                unsafe pthread_mutex_unlock(mutex)
                work(on: job)
                unsafe pthread_mutex_lock(mutex)
            } else {
                unsafe pthread_cond_wait(wake, mutex)
            }
        }
    }
}
