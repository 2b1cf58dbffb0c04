import Dispatch
import FrostCore
import Synchronization

/// One image in a queue.
///
/// Thread safety: may be used from any thread.
final class RenderJob: Sendable {
    /// Does the work, or only reports that it is not wanted any more. Returns a function that delivers the result.
    typealias Work = @Sendable (_ isWanted: Bool) -> Delivery
    typealias Delivery = @Sendable () -> Void

    let cancellation: Cancellation
    /// Set to nil when it is taken, which frees the pixels and the ticket that it holds.
    private let work = Mutex<Work?>(nil)

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    func prepare(_ work: @escaping Work) { self.work.withLock { $0 = work } }

    /// Does the work. Call it only once.
    func run() -> Delivery {
        let taken = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let taken else { return {} }
        return taken(!cancellation.isCancelled)
    }

    /// Drops work whose result nobody will request.
    func drop() { work.withLock { $0 = nil } }
}

/// The images of a queue that are not done, and the threads that work on them.
///
/// Thread safety: may be used from any thread.
final class RenderLine: Sendable {
    private struct State {
        /// In the order of submission.
        var waiting: [RenderJob] = []
        /// By worker; nil for idle workers.
        var running: [RenderJob?]
        /// How many were taken out of `waiting` because they were cancelled, and are not delivered yet.
        var leaving = 0

        var count: Int { waiting.count + running.count { $0 != nil } + leaving }
    }

    let depth: Int
    /// Each is a thread while it has work. Serial queues, so that blocked threads elsewhere do not delay them.
    let workers: [DispatchQueue]
    private let state: Mutex<State>
    /// Entered by each job until it has been delivered.
    private let deliveries = DispatchGroup()
    /// Set on the workers' threads.
    private let isWorker = DispatchSpecificKey<ObjectIdentifier>()

    init(depth: Int, concurrency: Int) {
        self.depth = depth
        workers = (0..<concurrency).map { _ in DispatchQueue(label: "frost.render-queue") }
        state = Mutex(State(running: [RenderJob?](repeating: nil, count: concurrency)))
        for worker in workers { worker.setSpecific(key: isWorker, value: ObjectIdentifier(self)) }
    }

    var count: Int { state.withLock { $0.count } }

    /// - Throws: ``FrostError/busy(depth:)``.
    func add(_ job: RenderJob) throws(FrostError) {
        enum Place { case full, waiting, worker(Int) }
        let place = state.withLock { state -> Place in
            guard state.count < depth else { return .full }
            // Entered here, so that all jobs have entered when somebody cancels everything.
            deliveries.enter()
            guard let idle = state.running.firstIndex(where: { $0 == nil }) else {
                state.waiting.append(job)
                return .waiting
            }
            state.running[idle] = job
            return .worker(idle)
        }
        switch place {
        case .full: throw .busy(depth: depth)
        case .waiting: break
        case .worker(let index): workers[index].async { self.work(index, job) }
        }
    }

    private func work(_ index: Int, _ first: RenderJob) {
        var next: RenderJob? = first
        while let job = next {
            let deliver = job.run()
            // The place is freed before the result is delivered, so that a completion handler may submit the next
            // image.
            next = state.withLock { state in
                state.running[index] = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                return state.running[index]
            }
            deliver()
            deliveries.leave()
        }
    }

    /// Delivers a cancelled job now, if no worker has begun it.
    func expedite(_ job: RenderJob) {
        let wasWaiting = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
            state.waiting.remove(at: index)
            state.leaving += 1
            return true
        }
        if wasWaiting { deliver([job]) }
    }

    func cancelAll() {
        let jobs = state.withLock { state in
            for job in state.running { job?.cancellation.cancel() }
            for job in state.waiting { job.cancellation.cancel() }
            defer { state.waiting = [] }
            state.leaving += state.waiting.count
            return state.waiting
        }
        deliver(jobs)
    }

    /// On its own thread: handlers are not called by the thread that cancels, which may hold locks.
    private func deliver(_ cancelled: [RenderJob]) {
        guard !cancelled.isEmpty else { return }
        let thread = DispatchQueue(label: "frost.render-queue.cancelled")
        thread.setSpecific(key: isWorker, value: ObjectIdentifier(self))
        thread.async {
            for job in cancelled {
                let deliver = job.run()
                self.state.withLock { $0.leaving -= 1 }
                deliver()
                self.deliveries.leave()
            }
        }
    }

    func waitUntilIdle() {
        if DispatchQueue.getSpecific(key: isWorker) == ObjectIdentifier(self) { return }
        deliveries.wait()
    }
}
