import FrostCLI

/// Answers requests. All functions are called on the server's thread, so they must not take long.
protocol RequestHandler: AnyObject, Sendable {
    /// Decides about a request whose header has arrived.
    func receive(_ head: RequestHead, target: [UInt8], client: String) -> Reception
    /// Is called at the end of each request.
    func end(_ record: ExchangeRecord)
    /// The memory of the bodies of requests, which arrive or wait for the end of the work on them, and of responses that clients
    /// have not received completely.
    var bodies: MemoryBudget { get }
}

/// How a request goes on after its header.
enum Reception {
    case respond(Response)
    /// The body is read, up to a number of bytes, and given to a function.
    case read(limit: Int, then: ([UInt8], Connection) -> Continuation)
}

/// How a request goes on after its body.
enum Continuation {
    case respond(Response)
    /// A job makes the response. The function queues it when the connection is ready to be woken.
    case wait(Job, queue: (Job) -> Void)
}

/// What is known at the end of a request.
struct ExchangeRecord {
    let head: RequestHead?
    let target: [UInt8]
    let client: String
    let identifier: String
    let response: Response?
    let received: Int
    let time: Duration
    /// Whether the response was sent completely.
    let isSent: Bool
}
