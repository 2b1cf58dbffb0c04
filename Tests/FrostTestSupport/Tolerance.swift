public import FrostCore

/// The largest allowed difference between two images, with its reason. The unit is the 8-bit step (1/255 of full scale) of
/// premultiplied colour and alpha.
public struct Tolerance: Sendable, CustomStringConvertible {
    /// The name that a failure message shows.
    public let name: String
    /// The largest allowed difference, in 8-bit steps.
    public let steps: Double
    /// The reason for the number: how it is derived.
    public let reason: String

    /// Creates a tolerance.
    ///
    /// - Parameter steps: the largest allowed difference in 8-bit steps, at least 0.
    public init(_ name: String, steps: Double, reason: String) {
        self.name = name
        self.steps = steps
        self.reason = reason
    }

    /// The name, the number and the reason in one line.
    public var description: String { "\(name), \(steps) steps (\(reason))" }

    /// The size of a 16-bit step (1/65535), in 8-bit steps (1/255).
    public static let steps16In8 = 1 / 257.0

    /// Allows no difference at all.
    public static let identical = Tolerance("identical", steps: 0, reason: "the same arithmetic in the same order")

    /// The largest error that the project allows for 8-bit images, on every backend.
    public static let promise8 = Tolerance(
        "promise for 8 bits", steps: 1, reason: "0.4 planned error + 0.1 arithmetic + 0.5 final rounding")

    /// The largest error that the project allows for 16-bit and float images.
    public static let promise16 = Tolerance(
        "promise for 16 bits", steps: 4 * steps16In8,
        reason: "2.5 of 65535 planned error + 1 arithmetic in 32-bit floats + 0.5 final rounding")

    /// The error of values in 0...1 that are rounded to 16-bit floats, in 8-bit steps. A float has 11 significant bits, so
    /// the numbers in 0.5...1 are 2^-11 apart, and a rounded value is off by half of that.
    public static let roundingOfHalves = 255 * 0x1p-12

    /// The largest error that the project allows for images of 16-bit floats in 0...1.
    public static let promiseF16 = Tolerance(
        "promise for 16-bit floats", steps: promise16.steps + roundingOfHalves,
        reason: "the error of 16 bits, and the final rounding to 11 significant bits")

    /// Returns the largest error of rounding values in 0...1 to samples, in 8-bit steps. The rounding to 32-bit floats counts
    /// as an error of the arithmetic.
    public static func rounding(_ sample: SampleType) -> Double {
        switch sample {
        case .u8: 0.5
        case .u16: 0.5 * steps16In8
        case .f16: roundingOfHalves
        case .f32: 0
        }
    }

    /// Returns the guaranteed error for images of a sample type.
    public static func promise(_ sample: SampleType) -> Tolerance {
        switch sample {
        case .u8: .promise8
        case .u16, .f32: .promise16
        case .f16: .promiseF16
        }
    }

    /// Returns the error that a plan may cause: its own error bound, plus the rounding to output samples, plus the error of
    /// the arithmetic. The result is smaller than the guaranteed error if the plan does not use its whole error budget.
    public static func bound(of plan: Plan, _ sample: SampleType) -> Tolerance {
        let rounding = rounding(sample)
        let arithmetic = floatRoundingError(plan) + (sample == .u8 ? integerRoundingError(plan) : 0)
        return Tolerance(
            "the plan's bound", steps: plan.errorBound + rounding + arithmetic,
            reason: "bound \(plan.errorBound) + rounding \(rounding) + arithmetic \(arithmetic)")
    }

    /// Returns the error that 16-bit integer arithmetic may add on the 8-bit paths, in 8-bit steps. It is the worst case
    /// over all roundings, and it is the sum of these errors:
    /// - Per axis with a direct convolution of radius r: (r + 2) / 256 for truncated products, and 1/56 for the weights.
    /// - Per axis with an interpolation at the end: (n + 1) / 512, where n is half the number of taps.
    /// - In every plan: 1/512 for the conversion of the last interpolation.
    public static func integerRoundingError(_ plan: Plan) -> Double {
        let last = plan.passes.suffix(2)
        return last.reduce(1 / 512.0) { sum, pass in
            switch pass.operation {
            case .convolve(let taps): sum + Double(taps.count / 2 + 2) / 256 + 1 / 56.0
            case .interpolate(let taps): sum + Double(taps.count / 2 + 1) / 512
            case .decimate: sum
            }
        }
    }

    /// Returns the error that 32-bit float arithmetic may add, in 8-bit steps. A pass with n taps adds n rounded products,
    /// whose sum is at most 1. So a pass has n roundings, which are independent, and each of them is at most 2^-24. The sum
    /// of n such roundings has a standard deviation of sqrt(n) roundings. Three standard deviations are allowed, and two
    /// more roundings per pass. The conversions at the two ends add two roundings each.
    public static func floatRoundingError(_ plan: Plan) -> Double {
        let passes = plan.passes.reduce(0.0) { $0 + 3 * Double($1.operation.taps.count).squareRoot() + 2 }
        return 255 * 0x1p-24 * (passes + 4)
    }
}
