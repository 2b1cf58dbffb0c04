import FrostCore
import FrostThreads

/// An image that was submitted to a ``RenderQueue``.
///
/// The image is rendered even if the program releases the ticket.
///
/// Thread safety: may be used from any thread.
public final class RenderTicket<Value: Sendable>: Sendable {
    private struct TicketState {
        var result: Result<Value, FrostError>?
        /// The ``ThreadToken`` of the thread that runs the completion handler; nil before the handler starts, and after it
        /// has returned.
        var handler: UInt?
        /// The tasks that wait for the result.
        var continuations: [CheckedContinuation<Void, Never>] = []

        /// The result for a thread.
        func result(for thread: UInt) -> Result<Value, FrostError>? {
            handler == nil || handler == thread ? result : nil
        }
    }

    private let state = Monitor(TicketState())
    private let job: RenderJob
    private let line: RenderLine

    init(_ job: RenderJob, _ line: RenderLine) {
        self.job = job
        self.line = line
    }

    /// Stores the result, calls the completion handler and wakes all callers that wait. Call it only once.
    func finish(_ result: Result<Value, FrostError>, handler: () -> Void) {
        let token = ThreadToken.current
        state.withLock {
            $0.result = result
            $0.handler = token
        }
        handler()
        let continuations = state.update { state in
            state.handler = nil
            defer { state.continuations = [] }
            return state.continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    /// The result; nil if the image is not done. An image is done when its completion handler has returned. The handler
    /// itself already sees the result. In the child of a fork, the result of an image that was not done is
    /// ``FrostError/forked``.
    public var result: Result<Value, FrostError>? {
        let token = ThreadToken.current
        return state.withLock { $0.result(for: token) } ?? (line.isForked ? .failure(.forked) : nil)
    }

    /// Whether ``result`` is available.
    public var isDone: Bool { result != nil }

    /// Cancels the image. If the image was not begun yet, it is done immediately; otherwise it is done within a few
    /// milliseconds. The result is then ``FrostError/cancelled``, unless it was already available.
    public func cancel() {
        job.cancellation.cancel()
        line.expedite(job)
    }

    /// Waits for the result.
    ///
    /// - Throws: the errors of the renderer.
    public func wait() throws(FrostError) -> Value {
        if let result { return try result.get() }
        let token = ThreadToken.current
        return try state.wait { $0.result(for: token) }.get()
    }

    /// Waits for the result for a limited time.
    ///
    /// - Returns: the result; nil if the time is over before the image is done.
    /// - Throws: the errors of the renderer.
    public func wait(for time: Duration) throws(FrostError) -> Value? {
        if let result { return try result.get() }
        let token = ThreadToken.current
        return try state.wait(for: time) { $0.result(for: token) }?.get()
    }

    /// The result, as soon as it is available. Cancelling the task that awaits this value cancels the image: see ``cancel()``.
    public var value: Value {
        get async throws(FrostError) {
            if result == nil {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        let isDone = state.withLock { state in
                            if state.result == nil || state.handler != nil {
                                state.continuations.append(continuation)
                                return false
                            }
                            return true
                        }
                        if isDone { continuation.resume() }
                    }
                } onCancel: {
                    cancel()
                }
            }
            return try wait()
        }
    }
}
