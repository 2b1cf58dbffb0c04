import FrostCore

/// Delivers a tick for every refresh of a display, or for every n-th.
///
/// ```swift
/// let link = try DisplayLink(.timer, rate: FrameRate(60))
/// for await tick in link.ticks { draw(for: tick.targetTimestamp) }
/// ```
///
/// The refreshes come from a timer, from the host, or from a virtual clock: see ``Source``. A tick that arrives while
/// the consumer of an earlier tick is busy waits until the consumer is ready. If another tick follows in the meantime,
/// the waiting tick is dropped, and the next tick reports the number of dropped ticks. So at most one tick waits.
///
/// Ticks are received in three ways: by the callback, by ``ticks`` (any number of loops), and as results of the calls
/// with which a host reports refreshes. The callback is called on the timer's own thread, or on the thread that reports
/// the refresh. It is never called on two threads at the same time.
///
/// The link stops when it is invalidated or released. Both wait until a running callback has returned, unless they
/// happen in the callback itself. After that, the callback is not called again.
///
/// Thread safety: may be used from any thread, including the callback.
public final class DisplayLink: Sendable {
    /// Where a link's refreshes come from.
    public enum Source: Sendable, Hashable, CaseIterable {
        /// A timer of CLOCK_MONOTONIC, on a thread of its own. Refresh n takes place exactly n/rate seconds after the
        /// creation of the link, which is refresh 0. The first tick is refresh 1.
        case timer
        /// The same timer without a thread. The host waits until ``DisplayLink/descriptor`` is readable, and then calls
        /// ``DisplayLink/dispatch()``.
        case descriptor
        /// The host reports each refresh with ``DisplayLink/tick(at:refreshes:)``, for example from a frame callback of
        /// Wayland, a vblank of DRM, or a game loop. The first reported refresh is refresh 0.
        case manual
        /// A virtual clock for files and tests. Its time begins at 0, stands still while nobody uses the link, and
        /// advances without waiting: by the requests of ``DisplayLink/ticks``, or by ``DisplayLink/advance(by:)``. The
        /// first tick is refresh 0, at the time 0.
        case virtual
    }

    /// A refresh of the display for which the consumer draws a frame.
    public struct Tick: Sendable, Hashable {
        /// The number of the refresh, counted from 0. Refreshes without a tick are counted, too.
        public let frameIndex: Int
        /// The time at which the last frame was shown: the time of this refresh.
        public let timestamp: FrameTime
        /// The time at which the next frame will be shown: `frameInterval` refreshes after `timestamp`.
        public let targetTimestamp: FrameTime
        /// The duration of one refresh, whatever the frame interval.
        public let duration: FrameTime
        /// The number of ticks that this consumer missed since its last tick. Ticks of a paused link are not missed.
        public let dropped: Int
    }

    /// The source of the link's refreshes.
    public var source: Source { core.source }
    /// The refreshes per second.
    public var rate: FrameRate { core.rate }
    /// The time of refresh 0. It is 0 for manual ticks, whose times are the host's.
    public var start: FrameTime { core.start }

    /// The range of allowed frame intervals.
    public static let allowedFrameIntervals = FrameSchedule.allowedFrameIntervals
    /// The range of allowed numbers of refreshes in one call.
    public static let allowedRefreshes = 1...1_000_000_000

    let core: DisplayLinkCore

    /// Creates a link. A timer starts immediately.
    ///
    /// - Parameters:
    ///   - source: where the refreshes come from.
    ///   - rate: the refreshes per second. For manual ticks it gives only the durations and target timestamps.
    ///   - frameInterval: the number of refreshes from one tick to the next.
    ///   - isPaused: whether the link begins paused.
    ///   - onTick: a callback for each tick. The link retains it until the link is invalidated. A callback that
    ///     captures the link would keep it alive; so it receives the link as an argument.
    /// - Throws: ``DisplayLinkError/parameter(_:)`` for a frame interval outside ``allowedFrameIntervals``, and
    ///   ``DisplayLinkError/systemCallFailed(call:code:)`` if no timer or thread could be created.
    public init(
        _ source: Source, rate: FrameRate = .hertz60, frameInterval: Int = 1, isPaused: Bool = false,
        onTick: (@Sendable (DisplayLink, Tick) -> Void)? = nil
    ) throws(DisplayLinkError) {
        core = try DisplayLinkCore(source, rate: rate, frameInterval: frameInterval, isPaused: isPaused)
        if let onTick {
            core.setCallback { [weak self] tick in
                if let self { onTick(self, tick) }
            }
        }
        try core.begin()
    }

    deinit { core.invalidate() }

    /// Whether ticks are suspended. A paused timer wakes no thread. The next tick after a pause is the refresh that
    /// follows, and the refreshes of the pause are not counted as dropped.
    public var isPaused: Bool {
        get { core.isPaused }
        set { core.setPaused(newValue) }
    }

    /// The number of refreshes from one tick to the next.
    public var frameInterval: Int { core.frameInterval }

    /// Sets the number of refreshes from one tick to the next. It counts from the last tick.
    ///
    /// - Throws: ``DisplayLinkError/parameter(_:)`` outside ``allowedFrameIntervals``, and
    ///   ``DisplayLinkError/invalidated``.
    public func setFrameInterval(_ interval: Int) throws(DisplayLinkError) { try core.setFrameInterval(interval) }

    /// Ends the link: its sequences end, its thread ends, and its callback is released. Waits until a running callback
    /// has returned, unless it is called from the callback. May be called more than once.
    public func invalidate() { core.invalidate() }

    /// Whether the link was invalidated or has failed.
    public var isInvalidated: Bool { core.isInvalidated }

    /// The reason why the link stopped by itself; nil in all other cases. A link stops by itself if the operating
    /// system refuses the timer, or if its time leaves ``FrameTime/allowedSeconds``.
    public var failure: DisplayLinkError? { core.failure }
}

extension DisplayLink {
    /// Reports a refresh of the host's display.
    ///
    /// - Parameters:
    ///   - timestamp: the time at which the last frame was shown, on the host's clock. Hosts whose counters wrap
    ///     around, as the 32-bit milliseconds of Wayland's frame callbacks do, must extend them first.
    ///   - refreshes: the number of refreshes since the last call; more than 1 if the host has missed some.
    /// - Returns: the tick, if one is due.
    /// - Throws: ``DisplayLinkError/timeWentBackwards(timestamp:previous:)``, ``DisplayLinkError/parameter(_:)`` for a
    ///   number of refreshes outside ``allowedRefreshes``, ``DisplayLinkError/wrongSource(call:source:needed:)``,
    ///   ``DisplayLinkError/calledFromCallback(call:)`` or ``DisplayLinkError/invalidated``. The refresh then has no
    ///   effect.
    @discardableResult
    public func tick(at timestamp: FrameTime, refreshes: Int = 1) throws(DisplayLinkError) -> Tick? {
        try core.tick(at: timestamp, refreshes: refreshes)
    }

    /// Reports a refresh like ``tick(at:refreshes:)``, with a time in seconds that is rounded to nanoseconds.
    ///
    /// - Throws: ``DisplayLinkError/parameter(_:)`` if the time is NaN or outside ``FrameTime/allowedSeconds``, and the
    ///   errors of ``tick(at:refreshes:)``.
    @discardableResult
    public func tick(atSeconds timestamp: Double, refreshes: Int = 1) throws(DisplayLinkError) -> Tick? {
        let time = try rethrow(FrameTime(seconds: timestamp), as: DisplayLinkError.parameter)
        return try core.tick(at: time, refreshes: refreshes)
    }

    /// Advances a virtual clock to a later refresh. If it passes several refreshes at which ticks were due, only one
    /// tick is delivered and the others are dropped.
    ///
    /// - Returns: the tick, if one is due.
    /// - Throws: ``DisplayLinkError/parameter(_:)`` for a number of refreshes outside ``allowedRefreshes``,
    ///   ``DisplayLinkError/wrongSource(call:source:needed:)``, ``DisplayLinkError/calledFromCallback(call:)`` or
    ///   ``DisplayLinkError/invalidated``.
    @discardableResult
    public func advance(by refreshes: Int = 1) throws(DisplayLinkError) -> Tick? {
        try core.advance(by: refreshes)
    }

    /// The file descriptor of a link with the source ``Source/descriptor``; nil for other sources. It is readable when
    /// a tick is due. The link owns it and closes it when the link is released. Wait for it with poll or epoll, and do
    /// not read it.
    public var descriptor: Int32? { core.hostDescriptor }

    /// Delivers the tick that is due on a link with the source ``Source/descriptor``. Does not wait.
    ///
    /// - Returns: the tick; nil if none is due.
    /// - Throws: ``DisplayLinkError/wrongSource(call:source:needed:)``, ``DisplayLinkError/calledFromCallback(call:)``,
    ///   ``DisplayLinkError/invalidated``, or ``DisplayLinkError/systemCallFailed(call:code:)``, which also ends the
    ///   link.
    @discardableResult
    public func dispatch() throws(DisplayLinkError) -> Tick? { try core.dispatch() }
}
