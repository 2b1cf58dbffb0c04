public import FrostCore
import FrostGLES
import Synchronization

/// An execution that was submitted. ``GPUExecutor/collect(_:into:cancellation:)`` gives its result, once. If the ticket
/// is dropped before, the execution's memory is reused.
///
/// Thread-safety: may be passed between threads.
public final class GPUTicket: Sendable {
    /// What is computed; the target has this size.
    public let region: Rect
    /// The format that the target will have.
    public let format: PixelFormat
    let number: UInt64
    let abandoned: AbandonedTickets
    private let isCollected = Atomic(false)

    init(_ number: UInt64, region: Rect, format: PixelFormat, _ abandoned: AbandonedTickets) {
        self.number = number
        self.region = region
        self.format = format
        self.abandoned = abandoned
    }

    deinit { if !isCollected.load(ordering: .relaxed) { abandoned.add(number) } }

    func setCollected() { isCollected.store(true, ordering: .relaxed) }
}

/// The tickets of an executor that were dropped and that its thread has not handled yet; and the count of all.
///
/// Thread-safety: may be used from any thread.
final class AbandonedTickets: Sendable {
    private let state = Mutex((numbers: [UInt64](), next: UInt64(0)))

    func add(_ number: UInt64) { state.withLock { $0.numbers.append(number) } }

    func take() -> [UInt64] {
        state.withLock { state in
            defer { state.numbers = [] }
            return state.numbers
        }
    }

    func newNumber() -> UInt64 {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }
}

// MARK: - Streams of images

extension GPUExecutor {
    /// Starts to carry out a plan, and returns without waiting for the GPU: while it computes, the next image can be
    /// submitted and an earlier one collected.
    ///
    /// The results are those of ``execute(_:source:target:cancellation:)``, to the last bit. On software GL nothing
    /// overlaps, since the same cores copy and compute: see ``GPUStatistics/transfer``.
    ///
    ///     var tickets: [GPUTicket] = []
    ///     for image in images {
    ///         if tickets.count == executor.options.maximumInFlight { try collect(tickets.removeFirst()) }
    ///         tickets.append(try executor.submit(plan, source: image, format: format))
    ///     }
    ///
    /// - Parameters:
    ///   - source: as for `execute`; no longer read once this returns.
    ///   - mask: as for `execute`.
    ///   - format: the target's.
    ///   - cancellation: is checked between passes, and while the ticket is collected.
    /// - Throws: ``GPUError/queueFull(limit:)`` if ``GPUOptions/maximumInFlight`` tickets wait to be collected;
    ///   otherwise as `execute`. Nothing was submitted then.
    @unsafe public func submit(
        _ plan: Plan, source: PixelSource, mask: MaskImage? = nil, format: PixelFormat,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUTicket {
        let work = try unsafe work(plan, source.layout, mask, format, cancellation)
        let target: PixelLayout
        do throws(PixelError) {
            target = try PixelLayout(width: plan.region.width, height: plan.region.height, format: format)
        } catch {
            throw .invalidPlan(error.description)
        }
        try unsafe Self.check(source.layout, target, plan)
        let ticket = GPUTicket(abandoned.newNumber(), region: plan.region, format: format, abandoned)
        do throws(GPUError) {
            try perform { (pipeline, gl) throws(GPUError) in
                guard pipeline.flights.count < options.maximumInFlight else {
                    throw .queueFull(limit: options.maximumInFlight)
                }
                try unsafe pipeline.depart(ticket.number, work, source: source, in: gl)
            }
        } catch {
            ticket.setCollected()
            throw error
        }
        return ticket
    }

    /// Whether the GPU is done with a ticket's execution, so that collecting it would not wait. Never true of one that
    /// has been collected.
    ///
    /// - Throws: ``GPUError/invalidTicket(_:)``, ``GPUError/gl(_:)``.
    public func isFinished(_ ticket: GPUTicket) throws(GPUError) -> Bool {
        try check(ticket)
        return try perform { (pipeline, gl) throws(GPUError) in
            try pipeline.hasArrived(ticket.number, waiting: 0, in: gl)
        }
    }

    /// Waits for an execution and takes its result. Executions may be collected in any order; waiting for one does not
    /// keep other threads from submitting and collecting.
    ///
    /// - Parameters:
    ///   - target: sized as the ticket's region, in its format.
    ///   - cancellation: is checked every few milliseconds. A ticket can still be collected, or dropped, after it.
    /// - Throws: ``GPUError/invalidTicket(_:)`` for one that was collected before, or whose target does not fit;
    ///   `GLError.timeout`; otherwise as ``execute(_:source:target:cancellation:)``.
    /// - Returns: what was done. The seconds are those of this thread's calls.
    @unsafe @discardableResult
    public func collect(
        _ ticket: GPUTicket, into target: PixelTarget, cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        try check(ticket)
        let layout = unsafe target.layout
        guard layout.format == ticket.format, layout.width == ticket.region.width,
            layout.height == ticket.region.height
        else {
            throw .invalidTicket(
                "it is \(ticket.region.width)x\(ticket.region.height) \(ticket.format), the target "
                    + "\(layout.width)x\(layout.height) \(layout.format)")
        }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(options.timeout))
        // In slices, between which the thread serves other callers.
        while true {
            if let cancellation, cancellation.isCancelled { throw .cancelled }
            let hasArrived = try perform { (pipeline, gl) throws(GPUError) in
                try pipeline.checkCancelled(ticket.number)
                return try pipeline.hasArrived(ticket.number, waiting: 1_000_000, in: gl)
            }
            if hasArrived { break }
            if clock.now >= deadline {
                throw .gl(.timeout(what: "waiting for the GPU", seconds: options.timeout))
            }
        }
        // From here on the ticket cannot be collected again, even after an error.
        ticket.setCollected()
        return try execution { (pipeline, gl) throws(GPUError) in
            try unsafe pipeline.collect(ticket.number, into: target, in: gl)
        }
    }

    private func check(_ ticket: GPUTicket) throws(GPUError) {
        guard ticket.abandoned === abandoned else { throw .invalidTicket("it is another executor's") }
    }
}

extension Pipeline {
    fileprivate func checkCancelled(_ ticket: UInt64) throws(GPUError) { try flights[ticket]?.work.patience.check() }
}
