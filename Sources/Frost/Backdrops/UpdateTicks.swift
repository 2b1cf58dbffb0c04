public import FrostCore

/// Ticks at an interval, for hosts that cannot tell what has changed and so update everything regularly.
///
/// ```swift
/// for await _ in try UpdateTicks(every: .milliseconds(100)) {
///     backdrop.invalidateAll()
///     _ = try backdrop.render(try await grab(), into: &screen)
/// }
/// ```
///
/// A tick is delivered when it is requested, so two updates never run at once. Ticks that fell due in the meantime are
/// dropped. The sequence ends when the task is cancelled.
///
/// Thread safety: a value; each iterator belongs to one task.
public struct UpdateTicks<C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    /// A moment at which to update.
    public struct Tick: Sendable, Hashable {
        /// Counted from 0, including dropped ticks.
        public let number: Int
        /// Ticks dropped since the last one.
        public let dropped: Int
    }

    private let interval: Duration
    private let clock: C

    /// Accepted intervals in seconds.
    public static var allowedIntervals: ClosedRange<Double> { 0.001...86400 }

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(every interval: Duration, clock: C) throws(ParameterError) {
        guard Self.allowedIntervals.contains(interval.seconds) else {
            throw .outOfRange(parameter: "update interval", value: interval.seconds, allowed: Self.allowedIntervals)
        }
        self.interval = interval
        self.clock = clock
    }

    public func makeAsyncIterator() -> Iterator { Iterator(interval: interval, clock: clock, start: clock.now) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let interval: Duration
        fileprivate let clock: C
        fileprivate let start: C.Instant
        private var last = -1

        fileprivate init(interval: Duration, clock: C, start: C.Instant) {
            self.interval = interval
            self.clock = clock
            self.start = start
        }

        /// Returns the first tick at once, and every other one at the next multiple of the interval.
        public mutating func next() async -> Tick? {
            let due = Int((start.duration(to: clock.now) / interval).rounded(.down)) + 1
            let number = last < 0 ? 0 : due
            do { try await clock.sleep(until: start.advanced(by: interval * number), tolerance: nil) } catch {
                return nil
            }
            defer { last = number }
            return Tick(number: number, dropped: number - last - 1)
        }
    }
}

extension UpdateTicks where C == ContinuousClock {
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(every interval: Duration) throws(ParameterError) { try self.init(every: interval, clock: .continuous) }
}
