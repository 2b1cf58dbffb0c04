public import FrostCore

/// Evaluates a plan's passes along one axis in Double, straight from their formulas. The axis is infinite: no pass is
/// limited to a window of samples, and only the source has an edge mode. Each sample is computed on demand.
///
/// Tests expect a plan to give the same numbers. The slots that a plan stores, and the way in which it clips its windows,
/// must not change them.
public final class InfiniteAxis {
    private let operations: [Pass.Operation]
    private let source: (Int) -> Double
    /// A cache of computed samples. Index 0 holds the samples of the source, and index i + 1 holds the samples of operation
    /// i.
    private var known: [[Int: Double]]

    /// Creates the axis.
    ///
    /// - Parameters:
    ///   - operations: the operations along one axis, in the plan's order.
    ///   - source: returns the source sample at any index, with the edge mode applied.
    public init(_ operations: [Pass.Operation], source: @escaping (Int) -> Double) {
        self.operations = operations
        self.source = source
        known = [[Int: Double]](repeating: [:], count: operations.count + 1)
    }

    /// Returns the output sample of the last operation at position `index`.
    public func output(_ index: Int) -> Double { value(operations.count, index) }

    private func value(_ stage: Int, _ index: Int) -> Double {
        guard stage > 0 else { return source(index) }
        if let value = known[stage][index] { return value }
        let value = Formula.output(operations[stage - 1], index) { self.value(stage - 1, $0) }
        known[stage][index] = value
        return value
    }
}

/// Implements the formulas that the documentation of `Pass.Operation` gives.
public enum Formula {
    /// Computes one output sample of an operation.
    public static func output(_ operation: Pass.Operation, _ i: Int, input: (Int) -> Double) -> Double {
        switch operation {
        case .decimate(let taps):
            let n = taps.count
            return (0..<n).reduce(0) { $0 + Double(taps[$1]) * input(2 * i + $1 - (n / 2 - 1)) }
        case .convolve(let taps):
            let r = taps.count / 2
            return taps.indices.reduce(0) { $0 + Double(taps[$1]) * input(i + $1 - r) }
        case .interpolate(let taps):
            let n = taps.count
            var sum = 0.0
            // This range contains every j that has a tap, and a margin on both sides.
            for j in (i >> 1) - n...(i >> 1) + n where taps.indices.contains(i - 2 * j + (n / 2 - 1)) {
                sum += Double(taps[i - 2 * j + (n / 2 - 1)]) * input(j)
            }
            return 2 * sum
        }
    }
}
