/// Scalar Swift versions of the functions in the table `frost_kernels`, written from the comments in CFrostKernels.h. They
/// compute one value at a time, add products in the order of the taps, and round each multiplication and each addition.
///
/// All integers are computed as Int. If a result does not fit into its type, the conversion traps. So the tests can use only
/// inputs for which the kernels are defined.
enum KernelTwins {
    // MARK: Weighted sums

    static func weightedSum(_ rows: [[Float]], _ taps: [Float]) -> [Float] {
        rows[0].indices.map { x in
            var sum: Float = 0
            for t in taps.indices {
                let product = taps[t] * rows[t][x]
                sum = sum + product
            }
            return sum
        }
    }

    /// Computes the sums of `filter_rows`: those of a symmetric filter add the two rows of each tap first, and the middle row
    /// last.
    static func filterRows(_ rows: [[Float]], _ taps: [Float], isSymmetric: Bool) -> [Float] {
        guard isSymmetric else { return weightedSum(rows, taps) }
        let last = taps.count - 1
        return rows[0].indices.map { x in
            var sum: Float = 0
            for t in 0..<taps.count / 2 {
                let pair = rows[t][x] + rows[last - t][x]
                let product = pair * taps[t]
                sum = sum + product
            }
            guard taps.count % 2 == 1 else { return sum }
            let product = rows[taps.count / 2][x] * taps[taps.count / 2]
            return sum + product
        }
    }

    // MARK: Conversions between bytes and floats

    static func loadRGBA8(_ row: [UInt8]) -> [Float] {
        row.indices.map { i in
            let alpha = Float(row[i / 4 * 4 + 3])
            return i % 4 == 3 ? alpha : Float(row[i]) * (alpha * (1 / 255))
        }
    }
}
