/// The number of frames or refreshes per second of an animation or a display, as an exact fraction in lowest terms. For
/// example, NTSC video has 30000/1001 frames per second.
public struct FrameRate: Sendable, Hashable {
    /// The number of frames in ``denominator`` seconds.
    public let numerator: Int
    /// The number of seconds in which ``numerator`` frames are shown.
    public let denominator: Int

    /// The allowed numbers of frames per second. WebP counts whole milliseconds, so it cannot show more than 1000
    /// frames per second.
    public static let allowed = 0.01...1000.0

    /// 60 frames per second.
    public static let hertz60 = FrameRate(reduced: 60, 1)

    /// The largest numerator or denominator. Video programs store both as 32-bit integers.
    private static let largestPart = Double(Int32.max)

    /// Creates the rate `numerator / denominator`. The fraction is reduced to its lowest terms.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if the denominator is below 1, if a part of
    ///   the reduced fraction exceeds 2^31 - 1, or if the rate is outside ``allowed``.
    public init(_ numerator: Int, per denominator: Int = 1) throws(ParameterError) {
        guard denominator >= 1 else {
            throw .outOfRange(
                parameter: "denominator of the frame rate", value: Double(denominator), allowed: 1...Self.largestPart)
        }
        let rate = Double(numerator) / Double(denominator)
        guard Self.allowed.contains(rate) else {
            throw .outOfRange(parameter: "frame rate", value: rate, allowed: Self.allowed)
        }
        let divisor = greatestCommonDivisor(numerator, denominator)
        let parts = [("numerator", numerator / divisor), ("denominator", denominator / divisor)]
        for (name, part) in parts where Double(part) > Self.largestPart {
            throw .outOfRange(
                parameter: "\(name) of the frame rate", value: Double(part), allowed: 1...Self.largestPart)
        }
        self.init(reduced: numerator / divisor, denominator / divisor)
    }

    private init(reduced numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The forms of a rate that ``init(parsing:)`` reads, in words.
    public static let forms = "frames per second as a number or a fraction, such as 60, 59.94 or 30000/1001"

    /// Reads a rate: a whole number, a decimal number or a fraction of whole numbers. A decimal number is taken
    /// exactly, as in ffmpeg: "59.94" is 2997/50, and not the rate 60000/1001 of NTSC.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)`` for another text, and the errors of
    ///   ``init(_:per:)``.
    public init(parsing text: String) throws(ParameterError) {
        let malformed = ParameterError.malformed(parameter: "frame rate", value: text, expected: Self.forms)
        func number(_ digits: Substring) throws(ParameterError) -> Int {
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits)
            else {
                throw malformed
            }
            return value
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            try self.init(number(parts[0]), per: number(parts[1]))
            return
        }
        let decimal = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1, decimal.count <= 2 else { throw malformed }
        guard decimal.count == 2 else {
            try self.init(number(decimal[0]))
            return
        }
        // A rate has at most 4 digits before the point, so with 9 decimals it still fits in an Int.
        guard decimal[0].utf8.count <= 9, decimal[1].utf8.count <= 9 else { throw malformed }
        let scale = decimal[1].utf8.reduce(1) { scale, _ in scale * 10 }
        try self.init(number(decimal[0]) * scale + number(decimal[1]), per: scale)
    }

    /// Creates the rate that a floating-point number stands for: its decimal digits exactly, or if there are too many, the
    /// fraction with the smallest denominator that differs from the number by at most a billionth of it. So 23.976023976023978
    /// is 24000/1001, and 33.333333333333336 is 100/3.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a number outside ``allowed``.
    package init(nearest number: Double) throws(ParameterError) {
        guard Self.allowed.contains(number) else {
            throw .outOfRange(parameter: "frame rate", value: number, allowed: Self.allowed)
        }
        if let exact = try? FrameRate(parsing: numberText(number)) {
            self = exact
            return
        }
        // The convergents of the continued fraction, from the one before the first.
        var (last, next) = ((numerator: 0, denominator: 1), (numerator: 1, denominator: 0))
        var rest = number
        // The error of a convergent is below 1 / denominator², so both parts stay below 10^8.
        repeat {
            let whole = rest.rounded(.down)
            (last, next) = (
                next,
                (
                    Int(whole) * next.numerator + last.numerator, Int(whole) * next.denominator + last.denominator
                )
            )
            rest = 1 / (rest - whole)
        } while abs(Double(next.numerator) / Double(next.denominator) - number) > number * 1e-9
        try self.init(next.numerator, per: next.denominator)
    }

    /// The number of frames per second, rounded to the nearest `Double`.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    /// Returns the time at which a frame begins, in ticks after the first frame: frame / rate, rounded to the nearest
    /// tick. Each time is rounded on its own, so rounding errors do not add up.
    ///
    /// - Parameters:
    ///   - frame: the number of the frame, counted from 0.
    ///   - ticksPerSecond: the unit of time, for example 1000 for milliseconds.
    public func start(of frame: Int, ticksPerSecond: Int32) -> Int {
        let (time, unit) = (Int128(frame) * Int128(ticksPerSecond) * Int128(denominator), Int128(numerator))
        return Int(clamping: (2 * time + unit) / (2 * unit))
    }

    /// Returns the number of frames that are shown in a duration: seconds * rate, rounded to the nearest whole number.
    /// Returns nil if the duration is not a number, or if the number of frames is above `Int32.max`.
    public func frames(in seconds: Double) -> Int? {
        let count = (seconds * Double(numerator) / Double(denominator)).rounded()
        guard count >= 0, count <= Double(Int32.max) else { return nil }
        return Int(count)
    }
}

extension FrameRate: CustomStringConvertible {
    /// The rate as ``init(parsing:)`` reads it, for example "60" or "30000/1001".
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Returns the greatest common divisor of a non-negative and a positive number.
package func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
