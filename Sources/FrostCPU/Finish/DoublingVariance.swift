import FrostCore

extension [Doubling] {
    /// The most that the variance of a number can be over the cells that a pixel is made of, by their weights, where it differs
    /// by at most 1 in each of their squares.
    ///
    /// A variance is half the mean of the squares of the differences of two cells, each drawn by its weight: none if they are the
    /// same, at most 1 within a square, at most k if it takes k squares from one to the other. It is also at most a quarter of
    /// the square of the largest difference.
    var variance: Double {
        if allSatisfy({ $0.taps == Self.averages }) { return Self.varianceOfAverages }
        let grid = CellGrid(self)
        let most = Double(grid.most * grid.most) / 4
        let weights = weights
        let across = weights.flatMap { x in
            weights.map { y in
                var sum = 0.0
                for (i, a) in x.enumerated() {
                    for (k, b) in x.enumerated() {
                        for (j, c) in y.enumerated() {
                            for (l, d) in y.enumerated() where i != k || j != l {
                                let apart = Swift.max(abs(i - k), abs(j - l))
                                let steps = Swift.max(1, apart - grid.n + 2)
                                sum += a * b * c * d * Double(steps * steps)
                            }
                        }
                    }
                }
                return sum / 2
            }
        }
        return Swift.min(across.max() ?? most, most)
    }

    /// Of the pixels of a pair, and of those of the next: the weights of cells.
    private var weights: [[Double]] {
        let steps = map { step in step.taps.map { Double($0) / 65536 } }
        let first = [steps[0], steps[0].reversed()]
        // Cells of the second doubling are made of pairs of the first's.
        return [0, 1].flatMap { start in
            [steps[1], steps[1].reversed()].map { taps in
                var sums = [Double](repeating: 0, count: first[0].count + (taps.count + start - 1) / 2)
                for (t, weight) in taps.enumerated() {
                    let pixel = start + t
                    for (i, share) in first[pixel % 2].enumerated() { sums[pixel / 2 + i] += weight * share }
                }
                return sums
            }
        }
    }

    /// Of two cells, which nearly every plan ends with.
    private static var averages: [UInt16] { [49152, 16384] }

    /// Exactly. A variance is convex, so it is greatest at a corner of what 3 x 3 cells can be; as every condition is one on the
    /// difference of two, those of the corners are whole, and at most 2, since it takes two squares from any to any.
    private static let varianceOfAverages: Double = {
        let doubling = Doubling(taps: averages, half: 0)
        let weights = [doubling, doubling].weights.map { $0 + [Double](repeating: 0, count: 3 - $0.count) }
        var (cells, most) = ([Int](repeating: 0, count: 9), 0.0)
        func fill(_ place: Int) {
            guard place < 9 else {
                for x in weights {
                    for y in weights {
                        var (mean, square) = (0.0, 0.0)
                        for (i, cell) in cells.enumerated() {
                            let weight = x[i % 3] * y[i / 3]
                            mean += weight * Double(cell)
                            square += weight * Double(cell * cell)
                        }
                        most = Swift.max(most, square - mean * mean)
                    }
                }
                return
            }
            // Those before it in one of its squares.
            let near = (0..<place).filter { abs($0 % 3 - place % 3) < 2 && place / 3 - $0 / 3 < 2 }
            for value in 0...2 where near.allSatisfy({ abs(cells[$0] - value) < 2 }) {
                cells[place] = value
                fill(place + 1)
            }
        }
        fill(0)
        return most
    }()
}
