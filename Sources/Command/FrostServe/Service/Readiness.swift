import Frost
import FrostCLI
import FrostImages
import FrostThreads

/// Tells whether the service can work: it decodes, blurs and encodes a small picture as requests do, within a deadline. All that
/// ask within a second get the same answer.
///
/// Thread-safety: may be used from any thread.
final class Readiness: Sendable {
    /// The longest time that the small picture may take.
    static let deadline = Duration.seconds(2)
    private static let validity = Duration.seconds(1)

    private struct State {
        var waiting: [Job] = []
        var last: (time: ContinuousClock.Instant, fault: String?)?
        var isClosed = false
    }
    private let state = Monitor(State())
    private let work: @Sendable (Cancellation) -> String?

    /// - Parameter work: works on the small picture, and returns why it failed; nil if it did not.
    init(_ work: @escaping @Sendable (Cancellation) -> String?) throws(ThreadError) {
        self.work = work
        try Thread.start("frost-ready") { [self] in run() }.detach()
    }

    /// Returns the response, or a job that waits for it.
    func answer() -> Continuation {
        let known = state.withLock { state in
            state.last.flatMap { ContinuousClock.now - $0.time < Self.validity ? Optional($0.fault) : nil }
        }
        if let known { return .respond(Self.response(known)) }
        let job = Job(under: nil) { _ in Self.response(nil) }
        return .wait(job) { job in self.state.update { $0.waiting.append(job) } }
    }

    /// Ends the thread.
    func close() { state.update { $0.isClosed = true } }

    private func run() {
        while true {
            let isClosed = state.wait { state in
                state.isClosed ? true : state.waiting.isEmpty ? nil : false
            }
            let fault: String?
            if isClosed {
                fault = "the server ends"
            } else {
                let end = ContinuousClock.now + Self.deadline
                fault = work(Cancellation { ContinuousClock.now > end })
            }
            let jobs = state.withLock { state -> [Job] in
                defer { state.waiting = [] }
                state.last = (.now, fault)
                return state.waiting
            }
            for job in jobs { job.finish(Self.response(fault)) }
            if isClosed { return }
        }
    }

    private static func response(_ fault: String?) -> Response {
        guard let fault else { return Response(200, "application/json", "{\"status\":\"ready\"}\n") }
        return Response(Refusal.unavailable("not-ready", fault))
    }
}
