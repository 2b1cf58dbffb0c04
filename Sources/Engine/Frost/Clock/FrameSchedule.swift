import FrostCore

/// Decides which refreshes of a display become ticks. It has no clock: its owner reports the refreshes.
///
/// Refreshes are numbered from 0. After a tick at refresh i, the next tick is due at refresh i + frameInterval.
struct FrameSchedule {
    let rate: FrameRate
    /// The time of refresh 0. For manual ticks the host reports the times instead.
    let start: FrameTime
    private(set) var frameInterval: Int
    var isPaused: Bool
    /// The last refresh that was reported; -1 if there was none.
    private(set) var position: Int
    /// The next refresh at which a tick is due.
    private(set) var due: Int
    private var lastTick: Int?

    static let allowedFrameIntervals = 1...1_000_000

    /// - Parameter position: the last refresh before the first tick.
    /// - Throws: ``DisplayLinkError/parameter(_:)`` for a frame interval that is not allowed.
    init(
        rate: FrameRate, start: FrameTime, position: Int, frameInterval: Int, isPaused: Bool
    ) throws(DisplayLinkError) {
        try frameInterval.check("frame interval", in: Self.allowedFrameIntervals)
        self.rate = rate
        self.start = start
        self.position = position
        self.frameInterval = frameInterval
        self.isPaused = isPaused
        due = position + 1
    }

    /// Sets the frame interval. The next tick is due that many refreshes after the last tick, but not before the
    /// refresh that follows `position`.
    ///
    /// - Throws: ``DisplayLinkError/parameter(_:)``.
    mutating func setFrameInterval(_ interval: Int, position: Int) throws(DisplayLinkError) {
        try interval.check("frame interval", in: Self.allowedFrameIntervals)
        frameInterval = interval
        if let lastTick { due = lastTick + interval }
        skip(past: position)
    }

    /// Reports that nobody waited for the refreshes until now. They are not counted as dropped.
    mutating func skip(past refresh: Int) { due = max(due, refresh + 1) }

    /// Reports that a refresh was shown, and returns the tick if one is due.
    ///
    /// - Parameters:
    ///   - refresh: the number of the refresh.
    ///   - time: the time of the refresh, if the host reported it; otherwise it is computed.
    /// - Throws: ``DisplayLinkError/parameter(_:)`` if the time is not representable.
    mutating func show(_ refresh: Int, at time: FrameTime? = nil) throws(DisplayLinkError) -> DisplayLink.Tick? {
        // This checks that the time of the refresh is in range.
        _ = try rethrow(FrameTime(frame: refresh, at: rate), as: DisplayLinkError.parameter)
        position = max(position, refresh)
        guard !isPaused, refresh >= due else { return nil }
        let timestamp = time ?? start.advanced(by: refresh, at: rate)
        defer {
            lastTick = refresh
            due = refresh + frameInterval
        }
        return DisplayLink.Tick(
            frameIndex: refresh, timestamp: timestamp,
            targetTimestamp: timestamp.advanced(by: frameInterval, at: rate),
            duration: FrameTime.zero.advanced(by: 1, at: rate), dropped: (refresh - due) / frameInterval)
    }

    /// Returns the last refresh at a time, in nanoseconds since refresh 0.
    func refresh(atNanoseconds elapsed: Int) -> Int {
        let unit = Int128(rate.denominator) * Int128(FrameTime.nanosecondsPerSecond)
        return Int(Int128(max(elapsed, 0)) * Int128(rate.numerator) / unit)
    }

    /// Returns the time at which the next tick is due, in nanoseconds since refresh 0. The time is rounded up, so that
    /// the refresh has been reached when a timer reports this time.
    var dueNanoseconds: Int {
        let numerator = Int128(rate.numerator)
        let scaled = Int128(due) * Int128(rate.denominator) * Int128(FrameTime.nanosecondsPerSecond)
        return Int(clamping: (scaled + numerator - 1) / numerator)
    }
}

extension Int {
    /// Throws ``DisplayLinkError/parameter(_:)`` if the number is outside the allowed range.
    func check(_ parameter: String, in allowed: ClosedRange<Int>) throws(DisplayLinkError) {
        guard !allowed.contains(self) else { return }
        let range = Double(allowed.lowerBound)...Double(allowed.upperBound)
        throw .parameter(.outOfRange(parameter: parameter, value: Double(self), allowed: range))
    }
}
