public import FrostCore

/// The time at which an animation begins, and its duration.
///
/// ```swift
/// let flash = try AnimationSpan(start: first.targetTimestamp, duration: 1.2)
/// let time = flash.progress(at: tick.targetTimestamp)    // 0…1, as the time of a transition
/// ```
public struct AnimationSpan: Sendable, Hashable {
    /// The time at which the animation begins.
    public let start: FrameTime
    /// The duration in seconds.
    public let duration: Double

    /// The range of allowed durations, in seconds.
    public static let allowedDurations = 0...4e9

    /// Creates a span.
    ///
    /// - Parameters:
    ///   - start: the time at which the animation begins, of the same clock as the ticks.
    ///   - duration: the duration in seconds. An animation of the duration 0 ends when it begins.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if the duration is NaN or outside
    ///   ``allowedDurations``.
    public init(start: FrameTime, duration: Double) throws(ParameterError) {
        guard Self.allowedDurations.contains(duration) else {
            throw .outOfRange(parameter: "duration", value: duration, allowed: Self.allowedDurations)
        }
        self.start = start
        self.duration = duration
    }

    /// Returns the elapsed part of the animation: 0 until the start, 1 from the end on. Never NaN.
    ///
    /// - Parameter time: usually the target timestamp of a tick, because that is when the frame becomes visible.
    public func progress(at time: FrameTime) -> Double {
        let elapsed = time.seconds(since: start)
        if elapsed >= duration { return 1 }
        return elapsed <= 0 ? 0 : elapsed / duration
    }
}
