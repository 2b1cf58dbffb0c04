public import FrostCore

/// A number of refreshes per second, as an exact fraction. For example, NTSC video has 60000/1001 frames per second.
public struct FrameRate: Sendable, Hashable {
    /// The numerator of the reduced fraction.
    public let numerator: Int
    /// The denominator of the reduced fraction.
    public let denominator: Int

    /// The range of allowed rates, in refreshes per second.
    public static let allowedRates = 0.001...10000.0

    /// The range of allowed numerators and denominators.
    public static let allowedTerms = 1...Int(Int32.max)

    /// 60 refreshes per second.
    public static let hertz60 = FrameRate(checkedNumerator: 60, denominator: 1)

    /// Creates a rate of `numerator` refreshes in `denominator` seconds.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if a term is outside ``allowedTerms``, or the
    ///   rate is outside ``allowedRates``.
    public init(_ numerator: Int, per denominator: Int = 1) throws(ParameterError) {
        try numerator.check("rate's numerator", in: Self.allowedTerms)
        try denominator.check("rate's denominator", in: Self.allowedTerms)
        let rate = Double(numerator) / Double(denominator)
        guard Self.allowedRates.contains(rate) else {
            throw .outOfRange(parameter: "rate", value: rate, allowed: Self.allowedRates)
        }
        self.init(checkedNumerator: numerator, denominator: denominator)
    }

    private init(checkedNumerator numerator: Int, denominator: Int) {
        let divisor = greatestCommonDivisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// The rate in refreshes per second, rounded to the nearest `Double`.
    public var hertz: Double { Double(numerator) / Double(denominator) }
}

extension FrameRate: CustomStringConvertible {
    /// The rate as text, for example "60 Hz" or "60000/1001 Hz".
    public var description: String { denominator == 1 ? "\(numerator) Hz" : "\(numerator)/\(denominator) Hz" }
}

extension Int {
    /// Throws ``ParameterError/outOfRange(parameter:value:allowed:)`` if the number is outside the allowed range.
    func check(_ parameter: String, in allowed: ClosedRange<Int>) throws(ParameterError) {
        guard !allowed.contains(self) else { return }
        throw .outOfRange(
            parameter: parameter, value: Double(self), allowed: Double(allowed.lowerBound)...Double(allowed.upperBound))
    }
}

/// Returns the greatest common divisor of a non-negative and a positive number.
func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
