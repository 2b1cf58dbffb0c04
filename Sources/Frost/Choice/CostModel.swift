/// Seconds that a backend takes on this machine, as a sum over the terms of a ``Workload``.
///
/// A sum describes a GPU within a tenth. A CPU's caches bend its curve by up to a half, which is why ``Experience``
/// corrects the estimate where a blur is repeated.
struct CostModel: Sendable, Hashable {
    /// Seconds a unit of each term; none is negative.
    let coefficients: [Double]

    /// Changed with what the terms mean, so that no stored model outlives it.
    static let version = 1

    /// No machine needs a second for any unit.
    static let allowedCoefficients = 0.0...1.0

    /// - Returns: nil unless there is one coefficient for each term and all are in range.
    init?(coefficients: [Double]) {
        guard coefficients.count == Workload.termCount,
            coefficients.allSatisfy({ Self.allowedCoefficients.contains($0) })
        else { return nil }
        self.coefficients = coefficients
    }

    /// What a blur takes.
    func seconds(for work: Workload) -> Double {
        zip(coefficients, work.terms).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// A CPU that nobody has measured. On two threads 0.15 ns a byte: 10 ms for 3840x2160.
    static func typicalCPU(threads: Int) -> CostModel {
        CostModel(unchecked: [20e-6, 3e-6, 0.3e-9 / Double(max(1, threads)), 0, 0])
    }

    private init(unchecked coefficients: [Double]) { self.coefficients = coefficients }
}

extension CostModel {
    /// A workload, and how long it took.
    struct Sample: Sendable, Hashable {
        var work: Workload
        var seconds: Double
    }

    /// The model that misses the samples by the least sum of squares, each relative to what was measured, since
    /// samples span four orders of magnitude. Coefficients are kept from being negative by trying every set of terms
    /// to leave out: there are 31.
    ///
    /// - Returns: nil without a sample, or for times that are not positive.
    init?(fitting samples: [Sample]) {
        guard !samples.isEmpty, samples.allSatisfy({ $0.seconds > 0 && $0.seconds.isFinite }) else { return nil }
        let rows = samples.map { sample in sample.work.terms.map { $0 / sample.seconds } }
        // Columns are brought to one size: bytes and calls differ by eight orders of magnitude.
        let scales = (0..<Workload.termCount).map { column in rows.map { $0[column] }.max() ?? 0 }
        var best: (error: Double, coefficients: [Double])?
        for set in 1..<1 << Workload.termCount {
            let columns = (0..<Workload.termCount).filter { set >> $0 & 1 == 1 && scales[$0] > 0 }
            guard columns.count == set.nonzeroBitCount else { continue }
            let matrix = rows.map { row in columns.map { row[$0] / scales[$0] } }
            guard let solution = Self.leastSquares(matrix), solution.allSatisfy({ $0 >= 0 }) else { continue }
            let error = matrix.reduce(0) { sum, row in
                let miss = zip(row, solution).reduce(-1) { $0 + $1.0 * $1.1 }
                return sum + miss * miss
            }
            if let best, best.error <= error { continue }
            var coefficients = [Double](repeating: 0, count: Workload.termCount)
            for (column, value) in zip(columns, solution) { coefficients[column] = value / scales[column] }
            best = (error, coefficients)
        }
        guard let best else { return nil }
        self.init(coefficients: best.coefficients)
    }

    /// The x with the least |matrix * x - 1|², by the normal equations; nil if they do not determine it.
    private static func leastSquares(_ matrix: [[Double]]) -> [Double]? {
        let count = matrix[0].count
        var system = (0..<count).map { i in
            (0..<count).map { j in matrix.reduce(0) { $0 + $1[i] * $1[j] } } + [matrix.reduce(0) { $0 + $1[i] }]
        }
        for column in 0..<count {
            let pivot = (column..<count).max { abs(system[$0][column]) < abs(system[$1][column]) } ?? column
            guard abs(system[pivot][column]) > 1e-12 else { return nil }
            system.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = system[row][column] / system[column][column]
                for k in column...count { system[row][k] -= factor * system[column][k] }
            }
        }
        return (0..<count).map { system[$0][count] / system[$0][$0] }
    }
}
