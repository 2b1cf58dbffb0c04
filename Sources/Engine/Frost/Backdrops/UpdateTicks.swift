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
    public typealias Tick = UpdateTick

    private let counter: UpdateTickCounter
    private let clock: C

    /// The range of allowed intervals, in seconds.
    public static var allowedIntervals: ClosedRange<Double> { UpdateTickCounter.allowedIntervals }

    /// Creates a sequence of ticks on a clock.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for an interval outside ``allowedIntervals``.
    public init(every interval: Duration, clock: C) throws(ParameterError) {
        counter = try UpdateTickCounter(interval)
        self.clock = clock
    }

    /// Returns an iterator. The iterator counts its intervals from the time of this call.
    public func makeAsyncIterator() -> Iterator { Iterator(counter: counter, clock: clock, start: clock.now) }

    /// Waits for the ticks of an ``UpdateTicks``.
    public struct Iterator: AsyncIteratorProtocol {
        private var counter: UpdateTickCounter
        private let clock: C
        private let start: C.Instant

        fileprivate init(counter: UpdateTickCounter, clock: C, start: C.Instant) {
            self.counter = counter
            self.clock = clock
            self.start = start
        }

        /// Returns the first tick immediately, and each later tick at the next multiple of the interval. Returns nil if
        /// the task is cancelled.
        public mutating func next() async -> Tick? {
            let number = counter.next(after: start.duration(to: clock.now))
            do { try await clock.sleep(until: start.advanced(by: counter.interval * number), tolerance: nil) } catch {
                return nil
            }
            return counter.deliver(number)
        }
    }
}

/// A signal of ``UpdateTicks`` or ``UpdateTimer`` that it is time for an update.
public struct UpdateTick: Sendable, Hashable {
    /// The number of the tick, counted from 0. Dropped ticks are counted too.
    public let number: Int
    /// The number of ticks that were dropped since the last delivered tick.
    public let dropped: Int
}

/// Counts ticks. Tick n is due n intervals after the start.
struct UpdateTickCounter: Sendable {
    static let allowedIntervals = 0.001...86400.0

    let interval: Duration
    /// The number of the last delivered tick; -1 before the first one.
    private var last = -1

    init(_ interval: Duration) throws(ParameterError) {
        guard Self.allowedIntervals.contains(interval.seconds) else {
            throw .outOfRange(parameter: "update interval", value: interval.seconds, allowed: Self.allowedIntervals)
        }
        self.interval = interval
    }

    /// Returns the number of the tick to deliver next: the first one, or the next one that is not due yet.
    ///
    /// - Parameter elapsed: the time since the start.
    func next(after elapsed: Duration) -> Int { last < 0 ? 0 : Int((elapsed / interval).rounded(.down)) + 1 }

    /// Counts a tick as delivered. Returns nil if it, or a later one, has been delivered before.
    mutating func deliver(_ number: Int) -> UpdateTick? {
        guard number > last else { return nil }
        defer { last = number }
        return UpdateTick(number: number, dropped: number - last - 1)
    }
}

extension UpdateTicks where C == ContinuousClock {
    /// Creates a sequence of ticks on the continuous clock.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for an interval outside ``allowedIntervals``.
    public init(every interval: Duration) throws(ParameterError) { try self.init(every: interval, clock: .continuous) }
}
