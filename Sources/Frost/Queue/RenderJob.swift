import Dispatch
import FrostCore
import Synchronization

/// One image in a render queue.
///
/// Thread safety: may be used from any thread.
final class RenderJob: Sendable {
    /// A function that renders the image, or only reports a cancellation if the image is no longer wanted. It returns a
    /// function that delivers the result.
    typealias Work = @Sendable (_ isWanted: Bool) -> Delivery
    typealias Delivery = @Sendable () -> Void

    let cancellation: Cancellation
    /// The work, until a worker takes it. This property is then set to nil, which frees the pixels and the ticket that the
    /// work holds.
    private let work = Mutex<Work?>(nil)

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    func prepare(_ work: @escaping Work) { self.work.withLock { $0 = work } }

    /// Renders the image. Call this method only once.
    func run() -> Delivery {
        let taken = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let taken else { return {} }
        return taken(!cancellation.isCancelled)
    }

    /// Releases the work without doing it, because nobody will request its result.
    func drop() { work.withLock { $0 = nil } }
}

/// Holds those images of a queue that are not done yet, and the threads that render the images.
///
/// Thread safety: may be used from any thread.
final class RenderLine: Sendable {
    private struct State {
        /// The jobs that no worker has begun, in the order of submission.
        var waiting: [RenderJob] = []
        /// The current job of each worker; nil for idle workers.
        var running: [RenderJob?]
        /// The number of cancelled jobs that were removed from `waiting` and are not delivered yet.
        var leaving = 0

        var count: Int { waiting.count + running.count { $0 != nil } + leaving }
    }

    let depth: Int
    /// The workers. Each worker occupies a thread while it has work. Every worker is a serial dispatch queue, so that
    /// threads that are blocked elsewhere do not delay the workers.
    let workers: [DispatchQueue]
    private let state: Mutex<State>
    /// A group that counts the jobs that are not delivered yet.
    private let deliveries = DispatchGroup()
    /// A key that is set on the workers' threads, to recognise calls from completion handlers.
    private let isWorker = DispatchSpecificKey<ObjectIdentifier>()

    init(depth: Int, concurrency: Int) {
        self.depth = depth
        workers = (0..<concurrency).map { _ in DispatchQueue(label: "frost.render-queue") }
        state = Mutex(State(running: [RenderJob?](repeating: nil, count: concurrency)))
        for worker in workers { worker.setSpecific(key: isWorker, value: ObjectIdentifier(self)) }
    }

    var count: Int { state.withLock { $0.count } }

    /// Adds a job, and starts it if a worker is idle.
    ///
    /// - Throws: ``FrostError/busy(depth:)`` if the queue is full.
    func add(_ job: RenderJob) throws(FrostError) {
        enum Place { case full, waiting, worker(Int) }
        let place = state.withLock { state -> Place in
            guard state.count < depth else { return .full }
            // The job enters the group while the lock is held. When a caller cancels all jobs, every job of the queue has
            // therefore entered the group.
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
            // The job's place is freed before the result is delivered, so that a completion handler may submit the next
            // image.
            next = state.withLock { state in
                state.running[index] = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                return state.running[index]
            }
            deliver()
            deliveries.leave()
        }
    }

    /// Delivers the result of a cancelled job immediately, if no worker has begun the job.
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

    /// Delivers the results of cancelled jobs on a separate thread. The thread that cancels may hold locks, so it must not
    /// call completion handlers.
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
