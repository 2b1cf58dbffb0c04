/// The Gaussian of the area of a rounded rectangle that is not turned, row by row.
struct UprightOutlineBlur: Sendable {
    /// The products whose sum is the Gaussian, with their factors.
    private let terms: [(factor: Double, x: Runs, y: Runs)]

    init(_ parts: OutlineParts, over bounds: Rect) {
        func runs(_ axis: Int, _ profile: OutlineParts.Profile) -> Runs {
            Runs(profile, around: parts.center[axis], axis == 0 ? bounds.columns : bounds.rows)
        }
        var terms = [(1.0, runs(0, parts.whole(0)), runs(1, parts.whole(1)))]
        if parts.diagonal > 0 {
            terms.append((-1, runs(0, parts.strip(0, to: parts.diagonal)), runs(1, parts.strip(1, to: parts.diagonal))))
        }
        for (place, depth, weight) in parts.strips {
            terms.append((-weight, runs(0, parts.line(0, at: place)), runs(1, parts.strip(1, to: depth))))
            terms.append((-weight, runs(0, parts.strip(0, to: depth)), runs(1, parts.line(1, at: place))))
        }
        self.terms = terms
    }

    func add(_ y: Int, _ columns: Range<Int>, to sums: inout [Double], from first: Int) {
        var row = [Double](repeating: 0, count: columns.count)
        for term in terms {
            // Most rows are far from all corners.
            let factor = term.factor * term.y[y]
            if factor != 0 { term.x.add(factor, columns, to: &row) }
        }
        for (index, x) in columns.enumerated() { sums[x - first] += max(row[index], 0) }
    }

    /// The values of a profile at the centres of pixels: those of each side, where they are not 0.
    private struct Runs: Sendable {
        private let sides: [(start: Int, values: [Double])]

        init(_ profile: OutlineParts.Profile, around center: Double, _ pixels: Range<Int>) {
            sides = [1.0, -1.0].map { sign in
                let (near, far) = (sign * profile.support.lowerBound, sign * profile.support.upperBound)
                let range = Int((center + min(near, far)).rounded(.down))..<Int((center + max(near, far)).rounded(.up))
                let part = range.clamped(to: pixels)
                return (part.lowerBound, part.map { profile.value(sign * (Double($0) + 0.5 - center)) })
            }
        }

        subscript(pixel: Int) -> Double {
            sides.reduce(0) { sum, side in
                side.values.indices.contains(pixel - side.start) ? sum + side.values[pixel - side.start] : sum
            }
        }

        func add(_ factor: Double, _ columns: Range<Int>, to row: inout [Double]) {
            for (start, values) in sides {
                for x in (start..<start + values.count).clamped(to: columns) {
                    row[x - columns.lowerBound] += factor * values[x - start]
                }
            }
        }
    }
}
