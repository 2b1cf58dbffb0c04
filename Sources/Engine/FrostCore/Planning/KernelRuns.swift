/// Adjacent pixels of one row that have the same weight.
public struct KernelRun: Sendable, Hashable {
    /// The column of the run's first pixel, relative to the output pixel.
    public var dx: Int
    /// The row of the run, relative to the output pixel.
    public var dy: Int
    /// The number of pixels in the run.
    public var count: Int
    /// The weight of each pixel of the run.
    public var weight: Double

    /// Creates a run from its parts.
    public init(dx: Int, dy: Int, count: Int, weight: Double) {
        self.dx = dx
        self.dy = dy
        self.count = count
        self.weight = weight
    }
}

extension [KernelRun]: KernelReads {
    package var isIdentity: Bool { self == [KernelRun(dx: 0, dy: 0, count: 1, weight: 1)] }
    package var isShiftInvariant: Bool { true }

    package func reach(of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        let offsets = map { axis == .x ? $0.dx..<$0.dx + $0.count : $0.dy..<$0.dy + 1 }
        let first = offsets.map(\.lowerBound).min() ?? 0
        let end = offsets.map(\.upperBound).max() ?? 1
        return samples.lowerBound + first..<samples.upperBound - 1 + end
    }

    package func readCount(_ region: Rect) -> Double { reduce(0) { $0 + Double($1.count) } }

    /// The error comes from the rounding of the weights.
    package func error(_ region: Rect) -> Double {
        reduce(0) { $0 + Double($1.count) * abs(Double(Float($1.weight)) - $1.weight) }
    }

    package func words(_ region: Rect) -> String {
        "of \(count) runs, \(Int(readCount(region).rounded())) pixels"
    }

    package var json: JSONValue {
        [
            "runs": .array(
                map { [.int($0.dx), .int($0.dy), .int($0.count), .number($0.weight, decimals: 9)] })
        ]
    }
}

extension [KernelRun] {
    /// Creates runs from weights, which need not be normalised.
    ///
    /// - Parameter rows: for each row, the weights of adjacent pixels, including zeros. `dy` is the row, and `first` is
    ///   the column of the first weight; both are relative to the output pixel.
    init(_ rows: [(dy: Int, first: Int, weights: [Double])]) {
        let sum = rows.reduce(0) { $1.weights.reduce($0, +) }
        self = rows.flatMap { dy, first, weights -> [KernelRun] in
            var runs: [KernelRun] = []
            for (offset, weight) in weights.enumerated() where weight > 0 {
                if let last = runs.last, last.dx + last.count == first + offset, last.weight == weight / sum {
                    runs[runs.count - 1].count += 1
                } else {
                    runs.append(KernelRun(dx: first + offset, dy: dy, count: 1, weight: weight / sum))
                }
            }
            return runs
        }
    }
}
