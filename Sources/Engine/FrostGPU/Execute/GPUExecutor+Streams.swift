package import FrostCore
import FrostGLES

extension GPUExecutor {
    /// Starts to execute a plan, and returns without waiting for the GPU. While the GPU computes, the caller can submit the
    /// next image and collect an earlier one.
    ///
    /// The results equal those of ``execute(_:source:mask:target:cancellation:)`` bit for bit. On software GL nothing
    /// overlaps, because the same cores copy and compute: see ``GPUStatistics/transfer``.
    ///
    ///     var tickets: [GPUTicket] = []
    ///     for image in images {
    ///         if tickets.count == executor.options.maximumInFlight { try collect(tickets.removeFirst()) }
    ///         tickets.append(try executor.submit(plan, source: image, format: format))
    ///     }
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - source: the whole image, which covers `plan.extent`. This call reads it before it returns. If the image is in
    ///     pinned memory, the GPU reads it until the ticket is collected.
    ///   - mask: the mask image, if the plan's output stages or blend use an image as their mask.
    ///   - format: the target's pixel format.
    ///   - target: the memory that will receive the result, if it is known already. If it is pinned, the GPU writes to it
    ///     until the ticket is collected, and the ticket has to be collected into this memory.
    ///   - cancellation: checked between passes, and while the ticket is collected.
    /// - Throws: ``GPUError/queueFull(limit:)`` if ``GPUOptions/maximumInFlight`` tickets are not collected yet; otherwise
    ///   the errors of `execute`. If this call throws, nothing was submitted.
    @unsafe package func submit(
        _ plan: Plan, source: PixelSource, mask: MaskImage? = nil, format: PixelFormat, target: PixelTarget? = nil,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUTicket {
        let result = try rethrow(
            PixelLayout(width: plan.region.width, height: plan.region.height, format: format),
            as: GPUError.init)
        let execution = try unsafe Execution(
            plan, source: source.layout, mask: mask, target: result, limits: drawLimits,
            patience: options.patience(cancellation))
        let ticket = GPUTicket(abandoned.newNumber(), region: plan.region, format: format, abandoned)
        do throws(GPUError) {
            try perform { [pinned] (pipeline, gl) throws(GPUError) in
                guard pipeline.flights.count < self.options.maximumInFlight else {
                    throw .queueFull(limit: self.options.maximumInFlight)
                }
                try unsafe pipeline.depart(ticket.number, execution, source: source, target: target, pinned, in: gl)
            }
        } catch {
            ticket.setCollected()
            throw error
        }
        return ticket
    }

    /// Whether the GPU has finished a ticket's execution, so that collecting it would not wait.
    ///
    /// - Throws: ``GPUError/invalidTicket(_:)`` if the ticket was collected before; ``GPUError/gl(_:)`` if the GL reports an
    ///   error.
    package func isFinished(_ ticket: GPUTicket) throws(GPUError) -> Bool {
        try check(ticket)
        return try perform { (pipeline, gl) throws(GPUError) in
            try pipeline.hasArrived(ticket.number, waiting: 0, in: gl)
        }
    }

    /// Waits for an execution and takes its result. Executions may be collected in any order. While one thread waits for a
    /// ticket, other threads can submit and collect.
    ///
    /// - Parameters:
    ///   - ticket: the ticket of the execution.
    ///   - target: the memory that receives the result. It must have the size of the ticket's region, and the ticket's
    ///     format.
    ///   - cancellation: checked every few milliseconds. After a cancellation the ticket can still be collected or released.
    /// - Throws: ``GPUError/invalidTicket(_:)`` if the ticket was collected before, or if the target does not match the
    ///   ticket; `GLError.timeout` if the GPU takes too long; otherwise the errors of
    ///   ``execute(_:source:mask:target:cancellation:)``.
    /// - Returns: a report of the work. Its upload, draw and read times measure the calls of `submit` and `collect`, not the
    ///   time between these calls.
    @unsafe @discardableResult
    package func collect(
        _ ticket: GPUTicket, into target: PixelTarget, cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        try check(ticket)
        let layout = unsafe target.layout
        guard layout.format == ticket.format, layout.width == ticket.region.width,
            layout.height == ticket.region.height
        else {
            throw .invalidTicket(
                "its result is \(ticket.region.width)x\(ticket.region.height) \(ticket.format), but the target is "
                    + "\(layout.width)x\(layout.height) \(layout.format)")
        }
        do throws(GPUError) {
            try wait(for: ticket, cancellation)
        } catch {
            // The caller may change its memory after an error.
            try? perform { (pipeline, gl) throws(GPUError) in pipeline.leavePinnedMemory(ticket.number, in: gl) }
            throw error
        }
        // After this line the result of the submitted image cannot be collected again, even if an error follows.
        ticket.setCollected()
        return try perform { (pipeline, gl) throws(GPUError) in
            try unsafe pipeline.collect(ticket.number, into: target, in: gl)
        }
    }

    /// Waits until the GPU has finished a ticket's execution.
    private func wait(for ticket: GPUTicket, _ cancellation: Cancellation?) throws(GPUError) {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(options.timeout))
        // The wait is divided into slices of a millisecond. Between two slices the context's thread serves other callers.
        while true {
            if let cancellation, cancellation.isCancelled { throw .cancelled }
            let hasArrived = try perform { (pipeline, gl) throws(GPUError) in
                try pipeline.checkCancelled(ticket.number)
                return try pipeline.hasArrived(ticket.number, waiting: 1_000_000, in: gl)
            }
            if hasArrived { return }
            if clock.now >= deadline {
                throw .gl(.timeout(what: "waiting for the GPU", seconds: options.timeout))
            }
        }
    }

    private func check(_ ticket: GPUTicket) throws(GPUError) {
        guard ticket.abandoned === abandoned else { throw .invalidTicket("it belongs to another executor") }
    }
}

extension Pipeline {
    fileprivate func checkCancelled(_ ticket: UInt64) throws(GPUError) {
        try flights[ticket]?.execution.patience.check()
    }
}
