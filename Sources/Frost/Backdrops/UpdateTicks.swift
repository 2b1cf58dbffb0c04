public import FrostCore

/// Delivers ticks at a fixed interval, for hosts that cannot tell what has changed and therefore update everything
/// regularly.
///
/// ```swift
/// for await _ in try UpdateTicks(every: .milliseconds(100)) {
///     backdrop.invalidateAll()
///     _ = try backdrop.render(try await grab(), into: &screen)
/// }
/// ```
///
/// A tick is delivered only when the loop requests it, so two updates never run at the same time. Ticks that become due
/// during an update are dropped. The sequence ends when the task is cancelled.
///
/// Thread safety: the sequence is a value; each iterator belongs to one task.
public struct UpdateTicks<C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    /// A signal that it is time for an update.
    public struct Tick: Sendable, Hashable {
        /// The number of the tick, counted from 0. Dropped ticks are counted too.
        public let number: Int
        /// The number of ticks that were dropped since the last delivered tick.
        public let dropped: Int
    }

    private let interval: Duration
    private let clock: C

    /// The range of allowed intervals, in seconds.
    public static var allowedIntervals: ClosedRange<Double> { 0.001...86400 }

    /// Creates a sequence of ticks on a clock.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for an interval outside ``allowedIntervals``.
    public init(every interval: Duration, clock: C) throws(ParameterError) {
        guard Self.allowedIntervals.contains(interval.seconds) else {
            throw .outOfRange(parameter: "update interval", value: interval.seconds, allowed: Self.allowedIntervals)
        }
        self.interval = interval
        self.clock = clock
    }

    /// Returns an iterator. The iterator counts its intervals from the time of this call.
    public func makeAsyncIterator() -> Iterator { Iterator(interval: interval, clock: clock, start: clock.now) }

    /// Waits for the ticks of an ``UpdateTicks``.
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

        /// Returns the first tick immediately, and waits with every later tick until the next multiple of the interval.
        /// Returns nil if the task is cancelled.
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
    /// Creates a sequence of ticks on the continuous clock.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for an interval outside ``allowedIntervals``.
    public init(every interval: Duration) throws(ParameterError) { try self.init(every: interval, clock: .continuous) }
}
