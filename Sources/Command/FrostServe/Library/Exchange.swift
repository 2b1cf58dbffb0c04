import CMicrohttpd
import Frost
import FrostCLI

/// A request and its response, as libmicrohttpd reports them. It is used on the server's thread only.
final class Exchange {
    private enum Stage {
        case new
        /// The body arrives.
        case reading(limit: Int, then: ([UInt8], Connection) -> Continuation)
        /// The rest of a small body is ignored, so that the client sees the response before the connection ends.
        case ignoring(Response, left: Int)
        case ready(Response)
        case waiting(Job)
        case answered
    }

    private let target: [UInt8]
    private let handler: any RequestHandler
    private let began = ContinuousClock.now
    private var stage = Stage.new
    private var head: RequestHead?
    private var body: [UInt8] = []
    private var received = 0
    /// The number of bytes that the request's body, or then the response's, has taken from the memory.
    private var taken = 0
    private var response: Response?
    private var identifier = ""

    /// The largest body that is read only to be ignored.
    private static let ignoredBytes = 1 << 20
    /// The largest body of a response that is not counted. Errors are smaller.
    private static let uncountedBytes = 1 << 16

    init(target: [UInt8], _ handler: any RequestHandler) { (self.target, self.handler) = (target, handler) }

    /// What libmicrohttpd is to do next.
    enum Step {
        /// To go on with the request.
        case proceed
        case send(Response)
        /// To suspend the connection, and then to queue a job.
        case wait(Job, queue: (Job) -> Void)
        case close
    }

    /// Whether the header has not been handled yet.
    var isNew: Bool { if case .new = stage { true } else { false } }

    /// Handles the header.
    func begin(_ head: RequestHead, _ connection: Connection) -> Step {
        self.head = head
        identifier = RequestIdentifier.of(head)
        let length: RequestHead.Length
        do throws(Refusal) { length = try head.length() } catch { return early(Response(error), 0, isLast: false) }
        let announced =
            switch length {
            case .none: 0
            case .bytes(let count): count
            case .chunked: Self.ignoredBytes
            }
        switch handler.receive(head, target: target, client: connection.client) {
        case .respond(let response): return early(response, announced, isLast: length == .none)
        case .read(let limit, let then):
            if length == .none, head.method == "POST" {
                return early(Response(Refusal(411, "length-required", "the request has no body")), 0, isLast: true)
            }
            if case .bytes(let count) = length {
                if count > limit { return early(Response(Self.tooLarge(limit)), announced, isLast: false) }
                guard take(count) else { return early(Response(Self.noMemory), announced, isLast: false) }
                body.reserveCapacity(count)
            }
            stage = .reading(limit: limit, then: then)
            return .proceed
        }
    }

    /// Answers before the body has been read.
    ///
    /// - Parameter isLast: whether the request has no body.
    private func early(_ response: Response, _ announced: Int, isLast: Bool) -> Step {
        if isLast {
            stage = .ready(response)
            return .proceed
        }
        guard announced <= Self.ignoredBytes, !response.closes, head?.expectsContinue != true else {
            var response = response
            response.closes = true
            return send(response)
        }
        stage = .ignoring(response, left: Self.ignoredBytes)
        return .proceed
    }

    /// Handles a part of the body.
    func receive(_ part: UnsafeRawBufferPointer) -> Step {
        received += part.count
        switch stage {
        case .reading(let limit, _):
            guard body.count + part.count <= limit else { return ignore(Self.tooLarge(limit)) }
            let missing = body.count + part.count - taken
            // A body of unknown length takes memory as it grows.
            guard missing <= 0 || take(max(missing, 1 << 16)) else { return ignore(Self.noMemory) }
            unsafe body.append(contentsOf: part)
            return .proceed
        case .ignoring(let response, let left):
            guard part.count <= left else { return .close }
            stage = .ignoring(response, left: left - part.count)
            return .proceed
        case .new, .ready, .waiting, .answered: return .close
        }
    }

    private func ignore(_ refusal: Refusal) -> Step {
        body = []
        giveBack()
        var response = Response(refusal)
        response.closes = true
        stage = .ignoring(response, left: Self.ignoredBytes)
        return .proceed
    }

    /// Handles the end of the request, and the end of its job.
    func complete(_ connection: Connection) -> Step {
        switch stage {
        case .reading(_, let then):
            let body = self.body
            self.body = []
            switch then(body, connection) {
            case .respond(let response): return send(response)
            case .wait(let job, let queue):
                stage = .waiting(job)
                return .wait(job, queue: queue)
            }
        case .ignoring(let response, _), .ready(let response): return send(response)
        case .waiting(let job):
            // The job may have ended at the moment at which the connection was suspended.
            guard let response = job.response else { return .close }
            return send(response)
        case .new, .answered: return .close
        }
    }

    private func send(_ response: Response) -> Step {
        stage = .answered
        giveBack()
        var response = response
        // The library has a copy of the body until the client has received it, and the client may be slow.
        if response.body.count > Self.uncountedBytes, !take(response.body.count) { response = Response(Self.noMemory) }
        response.headers += [Header("X-Request-Id", identifier), Header("X-Content-Type-Options", "nosniff")]
        self.response = response
        self.response?.body = []
        return .send(response)
    }

    /// Handles the end of the exchange.
    func end(_ connection: Connection?, isSent: Bool) {
        if case .waiting(let job) = stage { job.cancellation.cancel() }
        giveBack()
        handler.end(
            ExchangeRecord(
                head: head, target: target, client: connection?.client ?? "", identifier: identifier,
                response: response, received: received, time: ContinuousClock.now - began, isSent: isSent))
    }

    private func take(_ bytes: Int) -> Bool {
        guard handler.bodies.take(bytes) else { return false }
        taken += bytes
        return true
    }

    private func giveBack() {
        handler.bodies.giveBack(taken)
        taken = 0
    }

    private static func tooLarge(_ limit: Int) -> Refusal {
        Refusal(
            413, "too-large", "the body has more than \(limit) bytes", range: "0 to \(limit) bytes")
    }

    private static let noMemory = Refusal.busy("memory", "the memory for requests is in use", retryAfter: 1)
}

/// The identifier of a request: that of the client, if it is short and plain, or a random one.
enum RequestIdentifier {
    static func of(_ head: RequestHead) -> String {
        if let given = head["x-request-id"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({
                (48...57).contains($0) || (65...90).contains($0 & 0xDF) || $0 == 45 || $0 == 95 || $0 == 46
            })
        {
            return given
        }
        let text = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
