public import FrostCore
import FrostThreads

/// Delivers the ticks of ``UpdateTicks`` to threads that wait for them, for programs without asynchronous functions.
///
/// ```swift
/// let timer = try UpdateTimer(every: .milliseconds(100))
/// while let _ = try timer.wait() {
///     backdrop.invalidateAll()
///     _ = try backdrop.render(try grab(), into: &screen)
/// }
/// ```
///
/// Thread safety: may be used from any thread. If several threads wait, each tick is delivered to one of them.
public final class UpdateTimer: Sendable {
    private struct TimerState {
        var counter: UpdateTickCounter
        var isCancelled = false
    }

    private let start = ContinuousClock.now
    private let state: Monitor<TimerState>

    /// Creates a timer. The intervals count from this call.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for an interval outside
    ///   ``UpdateTicks/allowedIntervals``.
    public init(every interval: Duration) throws(ParameterError) {
        state = Monitor(TimerState(counter: try UpdateTickCounter(interval)))
    }

    /// Returns the first tick immediately, and each later tick at the next multiple of the interval. Ticks that have
    /// become due since the last delivered tick are dropped.
    ///
    /// - Parameter time: the maximum time to wait; nil for no limit.
    /// - Returns: nil if the time is over.
    /// - Throws: ``FrostError/cancelled`` after ``cancel()``.
    public func wait(for time: Duration? = nil) throws(FrostError) -> UpdateTick? {
        let end = time.map { ContinuousClock.now + $0 }
        while true {
            let counter = state.withLock(\.counter)
            let now = ContinuousClock.now
            let number = counter.next(after: start.duration(to: now))
            let due = start + counter.interval * number
            let rest = min(due, end ?? due) - now
            if state.wait(for: rest, { $0.isCancelled ? true : nil }) != nil { throw .cancelled }
            if let end, end < due { return nil }
            if let tick = state.withLock({ $0.counter.deliver(number) }) { return tick }
        }
    }

    /// Ends all waits, and those that begin later. May be called repeatedly.
    public func cancel() { state.update { $0.isCancelled = true } }
}
