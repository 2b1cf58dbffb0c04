import CEGL
import Glibc

/// The thread behind a `GLThread`, and its queue. The thread holds the worker, not the `GLThread`: so the latter goes
/// when its users drop it, and stops the thread.
// SAFETY: `context` and `opening` belong to the thread; the rest is behind the monitor.
final class Worker: @unchecked Sendable {
    private struct State {
        var jobs: [Job] = []
        var isStopping = false
        /// Whether a thread is running, and will look at `jobs` again.
        var isRunning = false
        var thread: pthread_t?
        /// The number of the running thread. Not pthread_self, whose result the optimiser keeps across suspensions.
        var threadID: Int32 = 0
    }

    private let state = Monitor(State())
    private let opened = Monitor<Result<DeviceInfo, GLError>?>(nil)
    private let opening: () throws(GLError) -> GLContext

    /// - Parameter opening: makes the context; called on the thread.
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
        // SAFETY: the reference is taken over by the thread, or released here if there is none.
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

    /// Queues a job. Without a thread, a job that is waited for is answered here, and tasks get a thread without a
    /// context: an executor must not refuse jobs, and has to run them one after the other.
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

    /// Lets the thread finish its queue and destroy its context, and waits for it, unless called on it.
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
            // Joinable, and taken out of the state so that it is joined once.
            pthread_join(thread, nil)
        }
    }

    /// The next job; nil once the thread is to stop.
    ///
    /// - Parameter isLast: with nil the worker counts as not running: the caller touches nothing more.
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

    /// The context while the worker's thread is in a job; for calls from within jobs.
    private(set) var context: GLContext?

    private func main() {
        var signals = sigset_t()
        // SAFETY: local storage. The host's signals are not for this thread, nor for the driver's, which inherit its
        // mask; faults are, so that crash reporters see them.
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
        // Jobs that came meanwhile. Another thread may be started once there are none.
        while let job = next(isLast: true) { run(job, nil) }
    }
}
