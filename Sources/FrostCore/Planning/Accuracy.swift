/// How close a plan has to come to the exact effect before its output is rounded.
public struct Accuracy: Sendable, Hashable {
    /// The largest error allowed, in 8-bit steps (1/255 of full scale), over every possible image.
    public let errorBudget: Double

    /// The smallest budget that 32-bit floats can keep.
    public static let allowedBudgets: ClosedRange<Double> = 0.002...1

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` outside 0.002...1.
    public init(errorBudget: Double) throws(ParameterError) {
        guard Self.allowedBudgets.contains(errorBudget) else {
            throw .outOfRange(parameter: "error budget", value: errorBudget, allowed: Self.allowedBudgets)
        }
        self.init(unchecked: errorBudget)
    }

    private init(unchecked budget: Double) { errorBudget = budget }

    /// For 8-bit output: 0.4 of a step, so that with the rounding errors of arithmetic (0.1) and the final rounding (0.5) no
    /// value is more than one step off.
    public static let eightBit = Accuracy(unchecked: 0.4)
    /// For 16-bit and float output: 2.5 steps of 16 bits, which with rounding errors and the final rounding stay within 4.
    public static let sixteenBit = Accuracy(unchecked: 2.5 / 257)

    /// The accuracy that suits images with samples of this type.
    public static func suited(to sample: SampleType) -> Accuracy {
        switch sample {
        case .u8: .eightBit
        case .u16, .f32: .sixteenBit
        }
    }
}
