public import CFrost
import Frost
import FrostCSupport

typealias Ticket = RenderTicket<RenderReport>

@c @implementation
public func frost_queue_create(
    _ renderer: OpaquePointer?, _ options: UnsafePointer<frost_queue_options>?,
    _ queue: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(queue, "queue") { () throws(Failure) in
        let renderer = try unsafe Handle<Renderer>.value(renderer, "renderer")
        let options = try unsafe frost_queue_options.read(optional: options, "options")
        return try failing { () throws(FrostError) in
            try RenderQueue(
                renderer, depth: options.depth == 0 ? 8 : Int(options.depth),
                concurrency: options.concurrency == 0 ? nil : Int(options.concurrency))
        }
    }
}

/// A caller's function that is called when an image is done.
///
/// SAFETY: frost.h states that the function is called on another thread.
@safe private struct Callback: @unchecked Sendable {
    let function: frost_callback
    let data: UnsafeMutableRawPointer?

    func call(_ result: Result<RenderReport, FrostError>) {
        switch result {
        case .success(let report):
            let report = frost_report(report)
            unsafe withUnsafePointer(to: report) { unsafe function(data, frost_status(FROST_OK), $0) }
        case .failure(let error):
            let failure = Failure(error)
            failure.post()
            unsafe function(data, failure.status, nil)
        }
    }
}

@c @implementation
public func frost_queue_submit(
    _ queue: OpaquePointer?, _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?,
    _ target: UnsafePointer<frost_target>?, _ options: UnsafePointer<frost_render_options>?,
    _ callback: frost_callback?, _ data: UnsafeMutableRawPointer?, _ ticket: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    status { () throws(Failure) in
        let queue = try unsafe Handle<RenderQueue>.value(queue, "queue")
        let request = try unsafe RenderRequest(effect, source, target, options)
        let callback = unsafe callback.map { unsafe Callback(function: $0, data: data) }
        let submitted = try failing { () throws(FrostError) in
            try unsafe queue.submit(
                request.source, request.effect, mask: request.options.mask, region: request.options.region,
                into: request.target, accuracy: request.options.accuracy,
                cancellation: request.options.cancellation, completion: callback?.call)
        }
        if let ticket = unsafe ticket { unsafe Handle.hand(submitted, to: ticket) }
    }
}

@c @implementation
public func frost_queue_count(_ queue: OpaquePointer?) -> Int {
    var count = 0
    _ = status { () throws(Failure) in count = try unsafe Handle<RenderQueue>.value(queue, "queue").count }
    return count
}

@c @implementation
public func frost_queue_cancel_all(_ queue: OpaquePointer?) {
    _ = status { () throws(Failure) in try unsafe Handle<RenderQueue>.value(queue, "queue").cancelAll() }
}

@c @implementation
public func frost_queue_wait(_ queue: OpaquePointer?) -> frost_status {
    statusOfWait { () throws(Failure) in
        let queue = try unsafe Handle<RenderQueue>.value(queue, "queue")
        if queue.isForked { throw Failure(FrostError.forked) }
        queue.waitUntilIdle()
    }
}

@c @implementation
public func frost_queue_destroy(_ queue: OpaquePointer?) {
    guard unsafe queue != nil else { return }
    _ = statusOfWait { () throws(Failure) in
        let queue = try unsafe Handle<RenderQueue>.value(queue, "queue")
        queue.cancelAll()
        queue.waitUntilIdle()
    }
    unsafe Handle<RenderQueue>.destroy(queue)
}

@c @implementation
public func frost_ticket_poll(_ ticket: OpaquePointer?, _ report: UnsafeMutablePointer<frost_report>?) -> frost_status {
    unsafe outcome(ticket, report) { (ticket) throws(FrostError) in try ticket.result?.get() }
}

@c @implementation
public func frost_ticket_wait(
    _ ticket: OpaquePointer?, _ milliseconds: Int64, _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    unsafe outcome(ticket, report) { (ticket) throws(FrostError) in
        try milliseconds < 0 ? ticket.wait() : ticket.wait(for: .milliseconds(milliseconds))
    }
}

/// Calls `ask` with a ticket, converts the result of `ask` to a status, and fills in the caller's report. If the result
/// is nil, the status is `FROST_NOT_READY`.
private func outcome(
    _ ticket: OpaquePointer?, _ report: UnsafeMutablePointer<frost_report>?,
    _ ask: (Ticket) throws(FrostError) -> RenderReport?
) -> frost_status {
    statusOfWait { () throws(Failure) in
        let ticket = try unsafe Handle<Ticket>.value(ticket, "ticket")
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        guard let rendered = try failing({ () throws(FrostError) in try ask(ticket) }) else {
            throw Failure(FROST_NOT_READY, "the image is not finished yet")
        }
        if unsafe report != nil { try unsafe frost_report(rendered).write(to: report, "report") }
    }
}

@c @implementation
public func frost_ticket_cancel(_ ticket: OpaquePointer?) {
    _ = status { () throws(Failure) in try unsafe Handle<Ticket>.value(ticket, "ticket").cancel() }
}

@c @implementation
public func frost_ticket_destroy(_ ticket: OpaquePointer?) { unsafe Handle<Ticket>.destroy(ticket) }
