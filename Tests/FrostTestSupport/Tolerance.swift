public import FrostCore

/// How far an image may be from another, in 8-bit steps (1/255 of full scale) of premultiplied colour and alpha, and why.
public struct Tolerance: Sendable, CustomStringConvertible {
    /// The name that a failure prints.
    public let name: String
    /// The largest difference allowed.
    public let steps: Double
    /// Where the number comes from.
    public let reason: String

    /// - Parameter steps: in 8-bit steps; not below 0.
    public init(_ name: String, steps: Double, reason: String) {
        self.name = name
        self.steps = steps
        self.reason = reason
    }

    /// The name, the number and the reason in one line.
    public var description: String { "\(name), \(steps) steps (\(reason))" }

    /// A 16-bit step in 8-bit steps.
    public static let steps16In8 = 1 / 257.0

    /// The same numbers.
    public static let identical = Tolerance("identical", steps: 0, reason: "the same arithmetic in the same order")

    /// What the project promises for 8-bit images, on every backend.
    public static let promise8 = Tolerance(
        "promise for 8 bits", steps: 1, reason: "0.4 planned error + 0.1 arithmetic + 0.5 final rounding")

    /// What the project promises for 16-bit and float images.
    public static let promise16 = Tolerance(
        "promise for 16 bits", steps: 4 * steps16In8,
        reason: "2.5 of 65535 planned error + 1 arithmetic in 32-bit floats + 0.5 final rounding")

    /// The promise for images with samples of a type.
    public static func promise(_ sample: SampleType) -> Tolerance { sample == .u8 ? .promise8 : .promise16 }

    /// A plan's own error bound, plus the rounding to its output samples. Tighter than the promise if the planner kept below
    /// its budget.
    public static func bound(of plan: Plan, _ sample: SampleType) -> Tolerance {
        let rounding =
            switch sample {
            case .u8: 0.5
            case .u16: 0.5 * steps16In8
            case .f32: 0.0
            }
        let arithmetic = floatRoundingError(plan) + (sample == .u8 ? integerRoundingError(plan) : 0)
        return Tolerance(
            "the plan's bound", steps: plan.errorBound + rounding + arithmetic,
            reason: "bound \(plan.errorBound) + rounding \(rounding) + arithmetic \(arithmetic)")
    }

    /// What the 16-bit integers of the 8-bit paths may add, in 8-bit steps: the worst case of every rounding, as the nodes
    /// document it. A direct filter adds per axis (r + 2) / 256 for truncated products and 1/56 for its weights. The last
    /// interpolation adds 1/512 for the conversion and, per axis, (n + 1) / 512 for n taps.
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

    /// What 32-bit floats may add, in 8-bit steps. A pass of n taps adds n rounded products whose total is at most 1. The
    /// roundings are independent, and each is at most 2^-24 of a partial sum of at most 1: their sum has a deviation of
    /// sqrt(n) of them, of which three are allowed. The conversions at either end add two.
    public static func floatRoundingError(_ plan: Plan) -> Double {
        let passes = plan.passes.reduce(0.0) { $0 + 3 * Double($1.operation.taps.count).squareRoot() + 2 }
        return 255 * 0x1p-24 * (passes + 4)
    }
}
