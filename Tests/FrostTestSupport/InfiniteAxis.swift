public import FrostCore

/// A plan's passes along one axis as their formulas state them, in Double, over an axis without ends. There are no windows
/// and no edge rules but that of the source; each sample is computed when it is asked for.
///
/// What a plan stores and how it treats its windows must not change any of these numbers.
public final class InfiniteAxis {
    private let operations: [Pass.Operation]
    private let source: (Int) -> Double
    /// The samples computed so far: those of the source at 0, those of operation i at i + 1.
    private var known: [[Int: Double]]

    /// - Parameters:
    ///   - operations: in the order of the plan, along one axis.
    ///   - source: the extended source.
    public init(_ operations: [Pass.Operation], source: @escaping (Int) -> Double) {
        self.operations = operations
        self.source = source
        known = [[Int: Double]](repeating: [:], count: operations.count + 1)
    }

    /// Sample `index` of the last operation.
    public func output(_ index: Int) -> Double { value(operations.count, index) }

    private func value(_ stage: Int, _ index: Int) -> Double {
        guard stage > 0 else { return source(index) }
        if let value = known[stage][index] { return value }
        let value = Formula.output(operations[stage - 1], index) { self.value(stage - 1, $0) }
        known[stage][index] = value
        return value
    }
}

/// The formulas in the documentation of `Pass.Operation`.
public enum Formula {
    /// One output sample of an operation.
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
            // All j that may have a tap, and a few more.
            for j in (i >> 1) - n...(i >> 1) + n where taps.indices.contains(i - 2 * j + (n / 2 - 1)) {
                sum += Double(taps[i - 2 * j + (n / 2 - 1)]) * input(j)
            }
            return 2 * sum
        }
    }
}
