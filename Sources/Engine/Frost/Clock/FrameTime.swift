public import FrostCore

/// A point in time, or a length of time: an exact rational number of seconds.
///
/// The time of frame n at 60000/1001 frames per second is n · 1001/60000 seconds. Neither `Double` nor a number of
/// nanoseconds can store it, so sums of rounded values drift. This type does not round.
///
/// Points in time count from the epoch of their clock. That is the boot of the machine for the timers of a
/// ``DisplayLink``, 0 for its virtual clock, and the host's own epoch for manual ticks.
public struct FrameTime: Sendable, Hashable {
    /// The whole seconds, rounded down.
    let whole: Int
    /// The rest is `part`/`parts` seconds, a reduced fraction in 0 ..< 1.
    let part: Int
    let parts: Int

    /// The range of times that callers may pass, in seconds. It is about 127 years.
    public static let allowedSeconds = -4e9...4e9

    /// The time 0.
    public static let zero = FrameTime(whole: 0, part: 0, of: 1)

    /// Creates a time from a whole number and a fraction in 0 ..< 1.
    private init(whole: Int, part: Int, of parts: Int) {
        let divisor = greatestCommonDivisor(part, parts)
        self.whole = whole
        self.part = part / divisor
        self.parts = parts / divisor
    }

    /// Creates a time from nanoseconds.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` outside ``allowedSeconds``.
    public init(nanoseconds: Int) throws(ParameterError) {
        try Self.check(Double(nanoseconds) / Double(Self.nanosecondsPerSecond))
        let whole = nanoseconds.dividedDown(by: Self.nanosecondsPerSecond)
        self.init(whole: whole, part: nanoseconds.modulo(Self.nanosecondsPerSecond), of: Self.nanosecondsPerSecond)
    }

    /// Creates a time from seconds, rounded to the nearest nanosecond.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if the number is NaN or outside
    ///   ``allowedSeconds``.
    public init(seconds: Double) throws(ParameterError) {
        try Self.check(seconds)
        let whole = seconds.rounded(.down)
        // The difference is exact. It is rounded apart from the whole seconds, because a Double cannot store 4e9
        // seconds in nanoseconds.
        let nanoseconds = Int(((seconds - whole) * Double(Self.nanosecondsPerSecond)).rounded())
        try self.init(nanoseconds: Int(whole) * Self.nanosecondsPerSecond + nanoseconds)
    }

    /// Creates the time of a frame of a sequence: `frame`/`rate` seconds. Frame 0 has the time 0.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` outside ``allowedSeconds``.
    public init(frame: Int, at rate: FrameRate) throws(ParameterError) {
        let bound = Double(frame) / rate.framesPerSecond
        try Self.check(bound)
        self = FrameTime.zero.advanced(by: frame, at: rate)
    }

    static let nanosecondsPerSecond = 1_000_000_000

    private static func check(_ seconds: Double) throws(ParameterError) {
        guard !allowedSeconds.contains(seconds) else { return }
        throw .outOfRange(parameter: "time in seconds", value: seconds, allowed: allowedSeconds)
    }

    /// Returns the time after a number of refreshes. The result is exact.
    ///
    /// Both lengths are at most 4e9 seconds and ``FrameSchedule/allowedFrameIntervals`` refreshes, so the result fits
    /// into 64-bit nanoseconds. The product of the denominators is at most 10⁹ · 2³¹, which fits into an `Int`.
    func advanced(by refreshes: Int, at rate: FrameRate) -> FrameTime {
        let ticks = Int128(refreshes) * Int128(rate.denominator)
        let numerator = Int128(rate.numerator)
        var whole = ticks / numerator
        var rest = ticks % numerator
        if rest < 0 {
            whole -= 1
            rest += numerator
        }
        let common = parts / greatestCommonDivisor(parts, rate.numerator) * rate.numerator
        let sum = part * (common / parts) + Int(rest) * (common / rate.numerator)
        let carry = sum >= common ? 1 : 0
        return FrameTime(whole: self.whole + Int(whole) + carry, part: sum - carry * common, of: common)
    }

    /// The time in seconds, within one unit in the last place of a `Double`.
    public var seconds: Double { Double(whole) + Double(part) / Double(parts) }

    /// The time in nanoseconds, rounded down.
    public var nanoseconds: Int {
        whole * Self.nanosecondsPerSecond + Int(Int128(part) * Int128(Self.nanosecondsPerSecond) / Int128(parts))
    }

    /// Returns the time that has passed since another time of the same clock, in seconds. The difference is computed
    /// exactly and then rounded, within one unit in the last place of a `Double`.
    public func seconds(since other: FrameTime) -> Double {
        let fractions = Int128(part) * Int128(other.parts) - Int128(other.part) * Int128(parts)
        return Double(whole - other.whole) + Double(fractions) / (Double(parts) * Double(other.parts))
    }
}

extension FrameTime: Comparable {
    /// Compares two times of the same clock, exactly.
    public static func < (a: FrameTime, b: FrameTime) -> Bool {
        if a.whole != b.whole { return a.whole < b.whole }
        return Int128(a.part) * Int128(b.parts) < Int128(b.part) * Int128(a.parts)
    }
}

extension FrameTime: CustomStringConvertible {
    /// The time in seconds as text, for example "1.5 s".
    public var description: String { "\(seconds) s" }
}
