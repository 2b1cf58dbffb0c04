import Dispatch
import FrostCore
import Glibc
import Synchronization

/// An image that was submitted to a ``RenderQueue``.
///
/// May be dropped: the image is rendered all the same.
///
/// Thread safety: may be used from any thread.
public final class RenderTicket<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, FrostError>?
        /// While the completion handler runs: the thread that it is on.
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

    /// To be called once.
    func finish(_ result: Result<Value, FrostError>, handler: () -> Void) {
        state.withLock { $0 = State(result: result, handler: pthread_self()) }
        handler()
        state.withLock { $0.handler = nil }
        done.leave()
    }

    /// The result, if there is one yet: polls. An image is done when its completion handler has returned; the handler itself
    /// sees the result.
    public var result: Result<Value, FrostError>? {
        state.withLock { state in
            guard let handler = state.handler else { return state.result }
            return pthread_equal(handler, pthread_self()) != 0 ? state.result : nil
        }
    }

    /// Whether ``result`` is there.
    public var isDone: Bool { result != nil }

    /// Asks for the work to stop. An image that is not begun is done at once; one that is, within a few milliseconds. The
    /// result is then ``FrostError/cancelled``, unless it was there first.
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

    /// Waits for the result, but no longer than so.
    ///
    /// - Returns: nil where the time was up.
    /// - Throws: what the renderer throws.
    public func wait(for time: Duration) throws(FrostError) -> Value? {
        if result == nil {
            // Centuries are as good as any longer time, and can be counted in nanoseconds.
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
