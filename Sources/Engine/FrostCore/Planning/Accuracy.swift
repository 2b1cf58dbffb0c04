/// The maximum allowed difference between a plan's output and the exact effect, before the output is rounded.
public struct Accuracy: Sendable, Hashable {
    /// The maximum allowed error over all possible images, in 8-bit steps (1/255 of full scale).
    public let errorBudget: Double

    /// The allowed error budgets. The lower bound is the smallest budget that arithmetic in 32-bit floats can keep.
    public static let allowedBudgets: ClosedRange<Double> = 0.002...1

    /// Creates an accuracy from an error budget in 8-bit steps.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a budget outside 0.002...1.
    public init(errorBudget: Double) throws(ParameterError) {
        guard Self.allowedBudgets.contains(errorBudget) else {
            throw .outOfRange(parameter: "error budget", value: errorBudget, allowed: Self.allowedBudgets)
        }
        self.init(unchecked: errorBudget)
    }

    private init(unchecked budget: Double) { errorBudget = budget }

    /// The accuracy for 8-bit output: an error of at most 0.4 of an 8-bit step (1/255). Rounding errors of the
    /// arithmetic add at most 0.1 of a step, and the final rounding adds at most 0.5. So no value is off by more than
    /// one step.
    public static let eightBit = Accuracy(unchecked: 0.4)
    /// The accuracy for 16-bit and float output: an error of at most 2.5 16-bit steps (1/65535). Together with the
    /// rounding errors of the arithmetic and the final rounding, no value is off by more than 4 of these steps.
    public static let sixteenBit = Accuracy(unchecked: 2.5 / 257)

    /// Returns the accuracy that suits images with samples of a given type.
    public static func suited(to sample: SampleType) -> Accuracy {
        sample.isEightBit ? .eightBit : .sixteenBit
    }
}
