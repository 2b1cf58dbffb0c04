/// How much larger an error can become by stages of colour.
///
/// Where nothing is clamped, stages are linear maps, and an error grows by their product's largest sum of absolute
/// weights. Clamping replaces what a colour depends on by nothing, or by what alpha depends on; that of alpha by nothing.
/// The largest growth is that of the worst of these choices, stage by stage. It is far below the product of what each
/// stage does by itself: saturation enlarges differences of colours, which a curve of luma then makes small.
enum ErrorGrowth {
    /// - Parameter stages: for each stage linear maps of which all its derivatives are averages. Growth is convex, so
    ///   averages make none that is larger.
    static func bound(_ stages: [[ColorMatrix]]) -> Double {
        // 54 choices a stage: beyond three stages a product is near enough.
        stride(from: 0, to: stages.count, by: 3).reduce(1) { growth, from in
            let group = stages[from..<min(from + 3, stages.count)].map { $0.map(Rows.init) }
            return growth * largest(Rows(ColorMatrix()), group[...])
        }
    }

    private static func largest(_ rows: Rows, _ stages: ArraySlice<[Rows]>) -> Double {
        guard let next = stages.first else { return rows.norm }
        return next.reduce(0) { most, map in
            let after = map.following(rows)
            // Clamping at the end only puts one row in place of another.
            guard stages.count > 1 else { return max(most, after.norm) }
            return after.clamped.reduce(most) { max($0, largest($1, stages.dropFirst())) }
        }
    }

    /// What each of red, green, blue and alpha depends on.
    private struct Rows {
        var red, green, blue, alpha: SIMD4<Double>

        init(_ m: ColorMatrix) {
            func row(_ i: Int) -> SIMD4<Double> { SIMD4(m.red[i], m.green[i], m.blue[i], m.alpha[i]) }
            (red, green, blue, alpha) = (row(0), row(1), row(2), row(3))
        }

        /// The largest sum of absolute weights.
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

        /// What clamping may make of it.
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
