/// The maximum growth of an error through colour stages.
///
/// Without clamping, stages are linear maps, and their product is a matrix. An error grows at most by the largest sum
/// of absolute weights in a row of this matrix. Clamping replaces a colour's row by zero or by alpha's row, and alpha's
/// row by zero. The bound is the maximum over all combinations of these replacements at every stage. It is far below
/// the product of the growths of single stages. For example, saturation amplifies differences of colours, which a curve
/// of luma then reduces.
enum ErrorGrowth {
    /// Returns the bound for colour stages and then for maps that follow them, as ``bound(_:)`` takes them.
    static func bound(of stages: [ColorStage], then maps: [[ColorMatrix]]) -> Double {
        // A stage that bounds only sums ends a list.
        var (lists, list): ([[[ColorMatrix]]], [[ColorMatrix]]) = ([], [])
        for stage in stages {
            list.append(stage.derivatives)
            if stage.boundsSums {
                lists.append(list)
                list = []
            }
        }
        return (lists + [list + maps]).reduce(1) { $0 * bound($1) }
    }

    /// Returns the bound for stages that run one after the other.
    ///
    /// - Parameter stages: the linear maps of each stage. Every derivative of a stage is a weighted average of its
    ///   maps. Growth is convex, so no weighted average of maps can increase an error more than the worst of the maps
    ///   does.
    static func bound(_ stages: [[ColorMatrix]]) -> Double {
        // At each stage, clamping can turn the rows into 54 different sets of rows. To limit the number of
        // combinations, a bound is computed for each group of three stages, and these bounds are multiplied. This is
        // accurate enough.
        stride(from: 0, to: stages.count, by: 3).reduce(1) { growth, from in
            let group = stages[from..<min(from + 3, stages.count)].map { $0.map(Rows.init) }
            return growth * largest(Rows(ColorMatrix()), group[...])
        }
    }

    private static func largest(_ rows: Rows, _ stages: ArraySlice<[Rows]>) -> Double {
        guard let next = stages.first else { return rows.norm }
        return next.reduce(0) { maximum, map in
            let after = map.following(rows)
            // Clamping after the last stage need not be considered. It only replaces a row of the matrix by zero or by
            // alpha's row, and this cannot increase the largest sum of a row.
            guard stages.count > 1 else { return max(maximum, after.norm) }
            return after.clamped.reduce(maximum) { max($0, largest($1, stages.dropFirst())) }
        }
    }

    /// The rows of a matrix: the weights of red, green, blue and alpha in each output.
    private struct Rows {
        var red, green, blue, alpha: SIMD4<Double>

        init(_ m: ColorMatrix) {
            func row(_ i: Int) -> SIMD4<Double> { SIMD4(m.red[i], m.green[i], m.blue[i], m.alpha[i]) }
            (red, green, blue, alpha) = (row(0), row(1), row(2), row(3))
        }

        /// The largest sum of absolute weights in a row.
        var norm: Double {
            [red, green, blue, alpha].reduce(0) { max($0, $1.replacing(with: -$1, where: $1 .< 0).sum()) }
        }

        func following(_ first: Rows) -> Rows {
            func row(_ weights: SIMD4<Double>) -> SIMD4<Double> {
                var sum = first.red * weights[0] + first.green * weights[1]
                sum += first.blue * weights[2]
                return sum + first.alpha * weights[3]
            }
            var result = self
            (result.red, result.green, result.blue, result.alpha) = (row(red), row(green), row(blue), row(alpha))
            return result
        }

        /// All matrices that clamping can make of the matrix with these rows.
        var clamped: [Rows] {
            [alpha, .zero].flatMap { alpha in
                [red, .zero, alpha].flatMap { red in
                    [green, .zero, alpha].flatMap { green in
                        [blue, .zero, alpha].map { blue in
                            var rows = self
                            (rows.red, rows.green, rows.blue, rows.alpha) = (red, green, blue, alpha)
                            return rows
                        }
                    }
                }
            }
        }
    }
}
