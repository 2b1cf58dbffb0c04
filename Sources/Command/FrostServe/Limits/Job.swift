import Frost
import FrostThreads

/// Work for a request whose connection waits for it.
///
/// Thread-safety: may be used from any thread.
final class Job: Sendable {
    /// Is cancelled when the client goes away, or the server ends.
    let cancellation: Cancellation
    private let began = ContinuousClock.now
    private let parent: (cancellation: Cancellation, refusal: Refusal)?
    private let work: @Sendable (Job) -> Response
    private let state = Lock<(response: Response?, wake: (@Sendable () -> Void)?)>((nil, nil))

    /// - Parameters:
    ///   - parent: also cancels the job, with the refusal that is then the response.
    ///   - work: makes the response.
    init(
        under parent: (cancellation: Cancellation, refusal: Refusal)?, _ work: @escaping @Sendable (Job) -> Response
    ) {
        self.parent = parent
        cancellation = Cancellation(under: parent?.cancellation)
        self.work = work
    }

    /// Sets what wakes the connection. Call it before the job is queued.
    func onFinish(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Does the work.
    func run() {
        let queued = ContinuousClock.now - began
        var response = cancellation.isCancelled ? cancelled : work(self)
        if cancellation.isCancelled {
            let effect = response.facts.effect
            response = cancelled
            response.facts.effect = effect
        }
        response.facts.queued = queued
        finish(response)
    }

    /// Ends the job without its work, if it was cancelled while it waited.
    func drop() { finish(cancelled) }

    /// Sets the response, and wakes the connection. Only the first call counts.
    func finish(_ response: Response) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.response == nil else { return nil }
            state.response = response
            defer { state.wake = nil }
            return state.wake
        }
        wake?()
    }

    /// The response; nil before the end of the work.
    var response: Response? { state.withLock { $0.response } }

    /// The status of a request whose client has gone, in the log and the metrics. nginx has the same number for this case.
    static let goneStatus = 499
    /// The response of a job that was cancelled. If its client has gone, nobody gets it.
    private var cancelled: Response {
        if let parent, parent.cancellation.isCancelled { return Response(parent.refusal) }
        return Response(Refusal(Self.goneStatus, "cancelled", "the client has gone", closes: true))
    }
}
