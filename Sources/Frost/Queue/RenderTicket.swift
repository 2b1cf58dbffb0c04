import Dispatch
import FrostCore
import Glibc
import Synchronization

/// An image that was submitted to a ``RenderQueue``.
///
/// May be dropped: the image is rendered anyway.
///
/// Thread safety: may be used from any thread.
public final class RenderTicket<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, FrostError>?
        /// The thread of the completion handler while that runs.
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

    /// Call it only once.
    func finish(_ result: Result<Value, FrostError>, handler: () -> Void) {
        state.withLock { $0 = State(result: result, handler: pthread_self()) }
        handler()
        state.withLock { $0.handler = nil }
        done.leave()
    }

    /// The result; nil if there is none yet. An image is done when its completion handler has returned; the handler
    /// itself already sees the result.
    public var result: Result<Value, FrostError>? {
        state.withLock { state in
            guard let handler = state.handler else { return state.result }
            return pthread_equal(handler, pthread_self()) != 0 ? state.result : nil
        }
    }

    /// Whether ``result`` is available.
    public var isDone: Bool { result != nil }

    /// Asks for the work to stop. An image that was not begun is done at once, others within a few milliseconds. The
    /// result is then ``FrostError/cancelled``, unless it was already available.
    public func cancel() {
        job.cancellation.cancel()
        line.expedite(job)
    }

    /// Waits for the result.
    ///
    /// - Throws: what the renderer throws.
    public func wait() throws(FrostError) -> Value {
        if result == nil { done.wait() }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    /// Waits for the result for a limited time.
    ///
    /// - Returns: nil if the time is over.
    /// - Throws: what the renderer throws.
    public func wait(for time: Duration) throws(FrostError) -> Value? {
        if result == nil {
            // Limited to 1e18 ns, about 32 years, because the sum must not overflow.
            let nanoseconds = min(max(time / .nanoseconds(1), 0), 1e18)
            _ = done.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        }
        return try result?.get()
    }

    /// The result. Cancelling the task that awaits it does not cancel the image.
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
