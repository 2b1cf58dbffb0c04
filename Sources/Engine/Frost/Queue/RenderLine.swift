import FrostCore
import FrostThreads
import Synchronization

/// A task that waits for a place in a line.
final class RoomVisitor: Sendable {
    /// Whether the task was cancelled. It changes while the line's state is locked.
    let isCancelled = Atomic(false)
    let continuation = Lock<CheckedContinuation<Void, Never>?>(nil)

    /// Lets the task continue, once.
    func enter() {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume()
    }
}

/// Holds those images of a queue that are not done yet, and the threads that render the images.
///
/// The first thread is made together with the line, the others when they are needed. If the system refuses one of those,
/// fewer images are in progress at a time.
///
/// Thread safety: may be used from any thread. In the child of a fork, the line accepts no jobs.
final class RenderLine: Sendable {
    private struct LineState {
        /// The jobs that no thread has begun, in the order of submission.
        var waiting: [RenderJob] = []
        /// The jobs in progress.
        var running: [RenderJob] = []
        /// The jobs that were cancelled before they were begun, and whose delivery has not begun.
        var cancelled: [RenderJob] = []
        /// The number of jobs that are not delivered yet.
        var undelivered = 0
        /// The number of threads, including those that are being made.
        var threads = 0
        /// The number of threads that wait for a job.
        var idle = 0
        /// The tokens of the threads that deliver results, to recognise calls from completion handlers.
        var delivering: Set<UInt> = []
        /// The tasks that wait for a place, in the order in which they came.
        var visitors: [RoomVisitor] = []
        /// Whether the queue was released. The threads end after the last job.
        var isClosed = false

        /// The number of jobs that occupy a place of the queue.
        var count: Int { waiting.count + running.count + cancelled.count }
    }

    /// What a thread does next.
    private enum Action {
        case render(RenderJob)
        case deliver(RenderJob)
        case end
    }

    let depth: Int
    let concurrency: Int
    private let state = Monitor(LineState())
    private let generation = ForkGeneration.current

    /// Creates a line.
    ///
    /// - Throws: ``FrostError/noThread(_:)`` if the system makes no thread.
    init(depth: Int, concurrency: Int) throws(FrostError) {
        (self.depth, self.concurrency) = (depth, concurrency)
        state.update { $0.threads = 1 }
        try rethrow(startThread(), as: FrostError.noThread)
    }

    var count: Int { isForked ? 0 : state.withLock { $0.count } }

    /// Whether the line belongs to a parent of this process. Its threads do not exist in this process.
    var isForked: Bool { !generation.isCurrent }

    private func startThread() throws(ThreadError) {
        try Thread.start("frost-queue") { [self] in serve() }.detach()
    }

    /// Adds a job, and starts it if the line has fewer than ``concurrency`` jobs in progress.
    ///
    /// - Throws: ``FrostError/busy(depth:)`` if the queue is full, ``FrostError/forked``.
    func add(_ job: RenderJob) throws(FrostError) {
        guard !isForked else { throw .forked }
        enum Place { case full, accepted(isShort: Bool) }
        let place = state.update { state -> Place in
            guard state.count < depth else { return .full }
            state.waiting.append(job)
            state.undelivered += 1
            let isShort = state.idle < state.waiting.count && state.threads < concurrency
            if isShort { state.threads += 1 }
            return .accepted(isShort: isShort)
        }
        switch place {
        case .full: throw .busy(depth: depth)
        case .accepted(isShort: false): break
        case .accepted(isShort: true):
            // If no thread can be made, one of the existing threads takes the job.
            if (try? startThread()) == nil { state.update { $0.threads -= 1 } }
        }
    }

    /// The life of a thread.
    private func serve() {
        let token = ThreadToken.current
        state.withLock { _ = $0.delivering.insert(token) }
        defer { state.withLock { _ = $0.delivering.remove(token) } }
        while true {
            var isIdle = false
            let step = state.wait { state -> Action? in
                let step = Self.next(&state)
                switch step {
                case nil: if !isIdle { state.idle += 1 }
                case .render, .deliver, .end: if isIdle { state.idle -= 1 }
                }
                isIdle = step == nil
                return step
            }
            switch step {
            case .render(let job):
                let deliver = job.run()
                // The job's place is freed before the result is delivered, so that a completion handler may submit the
                // next image.
                state.update { state in state.running.removeAll { $0 === job } }
                admit()
                deliver()
                state.update { $0.undelivered -= 1 }
            case .deliver(let job): deliverCancelled(job)
            case .end: return
            }
        }
    }

    private static func next(_ state: inout LineState) -> Action? {
        if !state.cancelled.isEmpty { return .deliver(state.cancelled.removeFirst()) }
        if !state.waiting.isEmpty {
            let job = state.waiting.removeFirst()
            state.running.append(job)
            return .render(job)
        }
        return state.isClosed ? .end : nil
    }

    /// Delivers the result of a cancelled job immediately, if no thread has begun the job.
    func expedite(_ job: RenderJob) {
        guard !isForked else { return }
        let wasWaiting = state.update { state in
            guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
            state.cancelled.append(state.waiting.remove(at: index))
            return true
        }
        if wasWaiting { deliverCancelled() }
    }

    func cancelAll() {
        guard !isForked else { return }
        let wasWaiting = state.update { state in
            for job in state.running + state.waiting { job.cancellation.cancel() }
            defer { state.waiting = [] }
            state.cancelled += state.waiting
            return !state.waiting.isEmpty
        }
        if wasWaiting { deliverCancelled() }
    }

    /// Delivers the results of cancelled jobs on a separate thread, because the threads of the line may be busy. The thread
    /// that cancels may hold locks, so it must not call completion handlers. If the system makes no other thread, the
    /// threads of the line deliver the results after their current jobs.
    private func deliverCancelled() {
        try? ThreadPool.tasks.add { [self] in
            let token = ThreadToken.current
            state.withLock { _ = $0.delivering.insert(token) }
            while let job = state.withLock({ $0.cancelled.isEmpty ? nil : $0.cancelled.removeFirst() }) {
                deliverCancelled(job)
            }
            state.withLock { _ = $0.delivering.remove(token) }
        }
    }

    private func deliverCancelled(_ job: RenderJob) {
        admit()
        job.run()()
        state.update { $0.undelivered -= 1 }
    }

    /// Waits until the line may have a place. Returns at once if the task is cancelled.
    ///
    /// - Parameter isFirst: whether the task has waited before, and another image took the place. It then waits before others.
    func waitForRoom(isFirst: Bool) async {
        let visitor = RoomVisitor()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.count >= depth, !visitor.isCancelled.load(ordering: .relaxed) else { return false }
                    visitor.continuation.withLock { $0 = continuation }
                    state.visitors.insert(visitor, at: isFirst ? 0 : state.visitors.count)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                visitor.isCancelled.store(true, ordering: .relaxed)
                state.visitors.removeAll { $0 === visitor }
            }
            visitor.enter()
        }
    }

    /// Lets one task try again to submit its image, because a place is free.
    func admit() {
        let visitor = state.withLock { state in
            state.visitors.isEmpty || state.count >= depth ? nil : state.visitors.removeFirst()
        }
        visitor?.enter()
    }

    /// Waits until all results are delivered. Returns immediately in a completion handler.
    func waitUntilIdle() {
        guard !isForked else { return }
        let token = ThreadToken.current
        state.wait { $0.undelivered == 0 || $0.delivering.contains(token) ? true : nil }
    }

    /// Lets the threads end when they have done all jobs.
    func close() { state.update { $0.isClosed = true } }
}
