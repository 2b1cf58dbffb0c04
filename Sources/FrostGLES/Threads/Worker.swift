import CEGL
import Glibc

/// The thread of a `GLThread`, and its queue of jobs. The thread holds a reference to the worker, but not to the `GLThread`.
/// The `GLThread` is therefore destroyed when its users release it, and its deinit then stops the thread.
// SAFETY: only the worker's thread uses `context` and `opening`. The monitor protects everything else.
final class Worker: @unchecked Sendable {
    private struct State {
        var jobs: [Job] = []
        var isStopping = false
        /// Whether a thread is running that will look at `jobs` again.
        var isRunning = false
        var thread: pthread_t?
        /// The kernel's number of the running thread. pthread_self does not work here, because the optimiser may reuse an
        /// old result of pthread_self after a suspension.
        var threadID: Int32 = 0
    }

    private let state = Monitor(State())
    private let opened = Monitor<Result<DeviceInfo, GLError>?>(nil)
    private let opening: () throws(GLError) -> GLContext

    /// Creates a worker without starting its thread.
    ///
    /// - Parameter opening: a function that creates the context. It is called on the worker's thread.
    init(opening: @escaping @Sendable () throws(GLError) -> GLContext) { self.opening = opening }

    /// Whether the caller is on the worker's thread.
    var isCurrent: Bool {
        let caller = frost_thread_id()
        return state.update { $0.isRunning && $0.threadID == caller }
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
        let box = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        // SAFETY: the new thread takes over the reference. If no thread was created, the reference is released here.
        let failure = unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Worker>.fromOpaque(box).takeRetainedValue().main()
                return nil
            }, box)
        guard failure == 0 else {
            unsafe Unmanaged<Worker>.fromOpaque(box).release()
            throw .callFailed(GLEvidence(call: "pthread_create", code: UInt32(bitPattern: failure)))
        }
        if joinable {
            state.update { $0.thread = thread }
        } else {
            pthread_detach(thread)
        }
    }

    /// Queues a job. If the worker's thread has ended, the job runs without a context: a waiting job runs on the calling
    /// thread, and task jobs run on a new thread. This is necessary because an executor must not refuse jobs, and has to run
    /// them one after the other.
    func add(_ job: Job) {
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
    /// this method was called on the worker's thread itself.
    func stop() {
        let thread = state.update { state -> pthread_t? in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        if isCurrent {
            pthread_detach(thread)
        } else {
            // The thread is joinable. It was removed from the state, so it is joined only once.
            pthread_join(thread, nil)
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
        var signals = sigset_t()
        // SAFETY: the signal set is local storage. This thread and the driver's threads, which inherit its signal mask,
        // block the host's signals. Faults are not blocked, so that crash reporters receive them.
        unsafe sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&signals, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        unsafe frost_name_thread("frost-gl")
        let threadID = frost_thread_id()
        let isStopping = state.update { state in
            state.threadID = threadID
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
