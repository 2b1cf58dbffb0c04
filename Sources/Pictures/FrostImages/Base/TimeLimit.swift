public import FrostCore
import FrostThreads

/// Measures the time that the work on a picture takes, and compares it with a limit. The time begins when this object
/// is created. Waiting for input from a pipe, or for memory that other pictures use, does not count.
///
/// Thread-safety: several threads may use this object at the same time.
public final class TimeLimit: Sendable {
    private let limit: Duration
    private let start = ContinuousClock.now
    private let waited = Lock(Duration.zero)
    private let cancellation: Cancellation?

    /// Starts to measure.
    ///
    /// - Parameters:
    ///   - limit: the maximum time, usually ``ImageLimits/maximumTime``.
    ///   - cancellation: also ends the time when it is cancelled; nil for none.
    public init(_ limit: Duration, cancellation: Cancellation? = nil) {
        (self.limit, self.cancellation) = (limit, cancellation)
    }

    /// Whether the work has taken longer than the limit, or is cancelled.
    package var isOver: Bool {
        cancellation?.isCancelled == true || ContinuousClock.now - start - waited.withLock { $0 } > limit
    }

    /// Checks that the work has not yet taken longer than the limit. Call this often during the work.
    ///
    /// - Parameter name: the name of the picture, for the error.
    /// - Throws: ``ImageError/overTime(path:limit:)``.
    public func check(name: String) throws(ImageError) {
        if isOver { throw error(name: name) }
    }

    /// The error for work that has taken longer than the limit.
    package func error(name: String) -> ImageError { .overTime(path: name, limit: limit) }

    /// Excludes a time from the work.
    func exclude(_ time: Duration) { waited.withLock { $0 += time } }

    /// Calls a function that waits for other pictures. Its time does not count.
    package func pause(_ wait: () -> Void) {
        let start = ContinuousClock.now
        wait()
        exclude(ContinuousClock.now - start)
    }
}
