import Dispatch
import FrostCore
import Glibc
import Synchronization

/// An image that was submitted to a ``RenderQueue``.
///
/// The image is rendered even if the program releases the ticket.
///
/// Thread safety: may be used from any thread.
public final class RenderTicket<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, FrostError>?
        /// The thread that runs the completion handler; nil before the handler starts, and after it has returned.
        var handler: pthread_t?
    }

    private let state = Mutex(State())
    private let done = DispatchGroup()
    private let job: RenderJob
    private let line: RenderLine

    init(_ job: RenderJob, _ line: RenderLine) {
        self.job = job
        self.line = line
        done.enter()
    }

    /// Stores the result, calls the completion handler and wakes all callers that wait. Call it only once.
    func finish(_ result: Result<Value, FrostError>, handler: () -> Void) {
        state.withLock { $0 = State(result: result, handler: pthread_self()) }
        handler()
        state.withLock { $0.handler = nil }
        done.leave()
    }

    /// The result; nil if the image is not done. An image is done when its completion handler has returned. The handler
    /// itself already sees the result.
    public var result: Result<Value, FrostError>? {
        state.withLock { state in
            guard let handler = state.handler else { return state.result }
            return pthread_equal(handler, pthread_self()) != 0 ? state.result : nil
        }
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
        if result == nil { done.wait() }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    /// Waits for the result for a limited time.
    ///
    /// - Returns: the result; nil if the time is over before the image is done.
    /// - Throws: the errors of the renderer.
    public func wait(for time: Duration) throws(FrostError) -> Value? {
        if result == nil {
            // The time is limited to 1e18 ns, about 32 years, so that the sum cannot overflow.
            let nanoseconds = min(max(time / .nanoseconds(1), 0), 1e18)
            _ = done.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        }
        return try result?.get()
    }

    /// The result, as soon as it is available. Cancelling the task that awaits this value does not cancel the image.
    public var value: Value {
        get async throws(FrostError) {
            if result == nil {
                await withCheckedContinuation { continuation in
                    done.notify(queue: .global()) { continuation.resume() }
                }
            }
            return try wait()
        }
    }
}
