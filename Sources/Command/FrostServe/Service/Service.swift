import Frost
import FrostCLI
import FrostImages
import FrostThreads
import Synchronization

/// Answers the requests of a server: pictures, the state of the service, and the page.
final class Service: RequestHandler {
    let settings: ServiceSettings
    let bodies: MemoryBudget
    private let pictures: MemoryBudget
    /// See ``TransitionWork/turn``.
    private let turn = MemoryBudget(capacity: 1)
    let queue: FairQueue<Job>
    let readiness: Readiness
    let lengths = KnownLengths()
    private let metrics = Metrics()
    private let log: AccessLog?
    private let isDraining = Atomic<Bool>(false)
    private let cancellation = Cancellation()
    private let workers = Lock<[Thread]>([])
    private let lastRequest = Lock(SuspendingClock.now)

    /// Starts the workers.
    ///
    /// - Parameters:
    ///   - queueLength: the number of requests that may wait for a worker.
    ///   - log: nil for none.
    init(_ settings: ServiceSettings, queueLength: Int, log: AccessLog?) throws(ThreadError) {
        self.settings = settings
        self.log = log
        bodies = MemoryBudget(capacity: settings.memoryShare)
        pictures = MemoryBudget(capacity: settings.memoryShare)
        queue = FairQueue(capacity: queueLength)
        let probe = SmallPicture(settings)
        readiness = try Readiness { probe.fault($0) }
        for _ in 0..<settings.workers {
            let thread = try Thread.start("frost-worker") { [self] in
                while let job = queue.next() {
                    job.run()
                    queue.finish()
                }
            }
            workers.withLock { $0.append(thread) }
        }
    }

    /// From now on, requests for pictures are refused, and the service is not ready.
    func drain() { isDraining.store(true, ordering: .relaxed) }

    /// Ends the work on all requests.
    func cancel() {
        cancellation.cancel()
        for job in queue.removeAll(where: { _ in true }) {
            job.finish(Response(Self.ends))
        }
    }

    /// Removes the requests from the queue whose clients have gone, to make room for others.
    func dropCancelled() {
        for job in queue.removeAll(where: { $0.cancellation.isCancelled }) { job.drop() }
    }

    /// Ends the workers, and writes the log.
    func close() {
        queue.close()
        for thread in workers.withLock({ $0 }) { thread.join() }
        readiness.close()
        log?.close()
    }

    // MARK: Requests

    func receive(_ head: RequestHead, target: [UInt8], client: String) -> Reception {
        do throws(Refusal) {
            guard Self.methods.contains(head.method) else {
                throw Refusal(501, "unknown-method", "the method \(head.method.prefix(32)) is unknown")
            }
            let target = try RequestTarget(target)
            try settings.hosts.check(head, authority: target.authority)
            let segments = try settings.openPage?.removingToken(target.segments) ?? target.segments
            lastRequest.withLock { $0 = .now }
            return try Route(segments, settings).reception(head, target, client, self)
        } catch {
            return .respond(Response(error))
        }
    }

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT",
    ]

    /// Returns the response, or the work that makes it, for a picture.
    func picture(
        _ source: PictureWork.Source, _ request: RequestedPicture, _ connection: Connection
    ) -> Continuation {
        let work = PictureWork(
            source: source, operation: request.operation, options: request.options, result: request.result,
            settings: settings, memory: pictures, lengths: lengths)
        return queued(connection) { work.run($0, isAlone: $1) }
    }

    /// Returns the response, or the work that makes it, for a transition.
    func transition(
        _ body: [UInt8], _ boundary: String, _ request: RequestedTransition, _ connection: Connection
    ) -> Continuation {
        let work = TransitionWork(
            description: request.description, body: body, boundary: boundary, options: request.options,
            result: request.result, settings: settings, memory: pictures, turn: turn)
        return queued(connection) { work.run($0, isAlone: $1) }
    }

    /// Puts work into the queue.
    ///
    /// - Parameter work: gets the job, and whether nothing else is worked on.
    private func queued(
        _ connection: Connection, _ work: @escaping @Sendable (Job, Bool) -> Response
    ) -> Continuation {
        // A connection must not be suspended while the server stops.
        if cancellation.isCancelled { return .respond(Response(Self.ends)) }
        let job = Job(under: (cancellation, Self.ends)) { [self] job in work(job, queue.load == (0, 1)) }
        return .wait(job) { [self] job in
            let refused: Job?
            switch queue.add(job, of: connection.client) {
            case .added: refused = nil
            case .refused: refused = job
            case .replaced(let other): refused = other
            }
            refused?.finish(Response(busy))
        }
    }

    /// The refusal of a request for which the service has no room.
    var busy: Refusal {
        let load = queue.load
        // A picture takes about a tenth of a second.
        let seconds = min(30, 1 + load.waiting / (10 * settings.workers))
        return .busy("busy", "\(load.waiting) requests are waiting", retryAfter: seconds)
    }

    /// Throws if the service takes no requests for pictures at present.
    func checkRoom() throws(Refusal) {
        if isDraining.load(ordering: .relaxed) { throw Self.ends }
    }

    private static let ends = Refusal.unavailable("draining", "the server ends", closes: true)

    // MARK: State

    /// The time since the last request, without the time during which the machine slept.
    var idleTime: Duration { SuspendingClock.now - lastRequest.withLock { $0 } }

    func ready() -> Continuation {
        if isDraining.load(ordering: .relaxed) {
            return .respond(Response(.unavailable("draining", "the server ends")))
        }
        if queue.isFull { return .respond(Response(.unavailable("not-ready", "the queue is full"))) }
        return readiness.answer()
    }

    func metricsText() -> String {
        let load = queue.load
        return metrics.text([
            .init("frost_queue_length", "Requests that wait for a worker.", Double(load.waiting)),
            .init("frost_requests_in_progress", "Requests that are worked on.", Double(load.running)),
            .init("frost_workers", "Pictures that can be worked on at a time.", Double(settings.workers)),
            .init("frost_memory_bytes", "Memory that requests have reserved.", Double(bodies.inUse + pictures.inUse)),
            .init("frost_memory_waiting", "Pictures that wait for memory.", Double(pictures.waiting)),
            .init(
                "frost_memory_limit_bytes", "Memory that requests may reserve.",
                Double(bodies.capacity + pictures.capacity)),
            .init("process_resident_memory_bytes", "Memory of the process.", Double(Metrics.residentMemory)),
        ])
    }

    func end(_ record: ExchangeRecord) {
        metrics.count(
            record.response, received: record.received, sent: record.isSent ? record.response?.length ?? 0 : 0,
            time: record.time)
        log?.write(record)
    }
}
