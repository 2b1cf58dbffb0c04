import FrostCore

/// Estimates the seconds that a backend takes on this machine, as a sum over the terms of a ``Workload``.
///
/// For a GPU, the error of the sum is at most a tenth of the real time. On a CPU, the caches cause errors of up to half of
/// the real time. For blurs that are repeated, ``Experience`` therefore corrects the estimate.
struct CostModel: Sendable, Hashable {
    /// The seconds per unit of each term; never negative.
    let coefficients: [Double]

    /// The version of the model. It changes when the meaning of a term changes, which invalidates stored models.
    static let version = 1

    /// The range of a coefficient, in seconds per unit of its term. On every machine, one unit takes less than a second.
    static let allowedCoefficients = 0.0...1.0

    /// Creates a model from stored coefficients.
    ///
    /// - Returns: nil if the number of coefficients differs from the number of terms, or if a coefficient is out of range.
    init?(coefficients: [Double]) {
        guard coefficients.count == Workload.termCount,
            coefficients.allSatisfy({ Self.allowedCoefficients.contains($0) })
        else { return nil }
        self.coefficients = coefficients
    }

    /// Returns the estimated seconds of a blur.
    func seconds(for work: Workload) -> Double {
        zip(coefficients, work.terms).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Returns an estimate for a CPU that was not measured. With two threads it assumes 0.15 ns per byte, which is 10 ms for
    /// an RGBA image of 3840x2160.
    static func typicalCPU(threads: Int) -> CostModel {
        CostModel(unchecked: [20e-6, 3e-6, 0.3e-9 / Double(max(1, threads)), 0, 0])
    }

    private init(unchecked coefficients: [Double]) { self.coefficients = coefficients }
}

extension CostModel {
    /// A workload, and the seconds that it took.
    struct Sample: Sendable, Hashable {
        var work: Workload
        var seconds: Double
    }

    /// Fits a model by least squares of the relative errors, because the times of the samples span four orders of magnitude.
    /// It tries all 31 subsets of the terms. Among the solutions without negative coefficients, it takes the solution with
    /// the smallest error.
    ///
    /// - Returns: nil if there are no samples, or if a time is not positive.
    init?(fitting samples: [Sample]) {
        guard !samples.isEmpty, samples.allSatisfy({ $0.seconds > 0 && $0.seconds.isFinite }) else { return nil }
        let rows = samples.map { sample in sample.work.terms.map { $0 / sample.seconds } }
        // Columns are scaled to the same magnitude, because the number of bytes and the number of calls differ by eight
        // orders of magnitude.
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

    /// Returns the x that minimises |matrix * x - 1|², by the normal equations; nil if the normal equations are singular.
    private static func leastSquares(_ matrix: [[Double]]) -> [Double]? {
        let count = matrix[0].count
        let system = (0..<count).map { i in
            (0..<count).map { j in matrix.reduce(0) { $0 + $1[i] * $1[j] } } + [matrix.reduce(0) { $0 + $1[i] }]
        }
        return LinearSystem.solve(system, smallestPivot: 1e-12)
    }
}
