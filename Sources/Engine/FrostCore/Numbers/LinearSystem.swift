/// A solver for systems of linear equations.
package enum LinearSystem {
    /// Solves n equations with n unknowns by Gaussian elimination with partial pivoting.
    ///
    /// - Parameters:
    ///   - equations: n rows of n + 1 numbers: n coefficients, then the right side.
    ///   - smallestPivot: pivots up to this size count as 0. Equations with such a pivot count as equations without a
    ///     unique solution.
    /// - Returns: the unknowns; nil if the equations have no unique solution, or if the solution is beyond the range of
    ///   Double.
    /// - Complexity: O(n^3).
    package static func solve(_ equations: [[Double]], smallestPivot: Double) -> [Double]? {
        var rows = equations
        let count = rows.count
        for column in 0..<count {
            let candidates = (column..<count).max { abs(rows[$0][column]) < abs(rows[$1][column]) }
            guard let pivot = candidates, abs(rows[pivot][column]) > smallestPivot else { return nil }
            rows.swapAt(column, pivot)
            for row in column + 1..<count {
                let factor = rows[row][column] / rows[column][column]
                guard factor != 0 else { continue }
                for k in column...count { rows[row][k] -= factor * rows[column][k] }
            }
        }
        var solution = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() {
            let known = (row + 1..<count).reduce(0) { $0 + rows[row][$1] * solution[$1] }
            solution[row] = (rows[row][count] - known) / rows[row][row]
        }
        return solution.allSatisfy(\.isFinite) ? solution : nil
    }
}
