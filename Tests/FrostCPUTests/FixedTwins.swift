/// Scalar Swift versions of the fixed-point functions in the table `frost_kernels`, written from the comments in
/// CFrostKernels.h.
///
/// All integers are computed as Int. If a result does not fit into its type, the conversion traps. So the tests can use only
/// inputs for which the kernels are defined.
enum FixedTwins {
    static func average(_ a: UInt16, _ b: UInt16) -> UInt16 { UInt16((Int(a) + Int(b) + 1) / 2) }

    static func product(_ a: UInt16, _ weight: Int) -> Int { Int(a) * weight / 65536 }

    // MARK: Conversions between bytes, floats and fixed-point numbers

    static func load(_ row: [UInt8]) -> [UInt16] { row.map { UInt16($0) * 256 } }

    static func loadRGBA(_ row: [UInt8]) -> [UInt16] {
        row.indices.map { i in
            let alpha = UInt16(row[i / 4 * 4 + 3])
            let product = UInt16(row[i]) * alpha
            return i % 4 == 3 ? alpha * 256 : product + UInt16(Self.product(product + 1, 257))
        }
    }

    // MARK: Decimation

    static func sumBytes(_ rows: [[UInt8]], bias: UInt16 = 0) -> [UInt16] {
        var weights = [1]
        while weights.count < rows.count { weights = zip([0] + weights, weights + [0]).map { $0 + $1 } }
        return rows[0].indices.map { x in
            UInt16(rows.indices.reduce(0) { $0 + weights[$1] * Int(rows[$1][x]) } << (9 - rows.count)) + bias
        }
    }

    static func binomial(_ x: [UInt16]) -> UInt16 {
        let n = x.count
        let averages = (0..<(n + 1) / 2).map { average(x[$0], x[n - 1 - $0]) }
        if n == 4 { return average(average(averages[1], averages[0]), averages[1]) }
        var binomial = 1
        var sum = n / 4
        for t in averages.indices {
            sum += product(averages[t], binomial << (2 * t + 1 == n ? 17 - n : 18 - n))
            binomial = binomial * (n - 1 - t) / (t + 1)
        }
        return UInt16(sum)
    }

    static func sumRows(_ rows: [[UInt16]]) -> [UInt16] {
        rows[0].indices.map { x in binomial(rows.map { $0[x] }) }
    }

    // MARK: Convolution and interpolation

    static func convolve(_ rows: [[UInt16]], _ taps: [UInt16]) -> [UInt16] {
        let radius = taps.count - 1
        return rows[0].indices.map { x in
            var sum = (radius + 1) / 2 + product(rows[radius][x], Int(taps[0]))
            for t in 1..<taps.count {
                sum += product(average(rows[radius - t][x], rows[radius + t][x]), Int(taps[t]))
            }
            return UInt16(sum)
        }
    }

    static func interpolated(_ x: [UInt16], _ taps: [UInt16]) -> (first: UInt16, second: UInt16) {
        if x.count == 2 {
            let half = average(x[0], x[1])
            return (average(half, x[0]), average(half, x[1]))
        }
        func sum(_ taps: [UInt16]) -> UInt16 {
            UInt16(zip(x, taps).reduce(x.count / 2) { $0 + product($1.0, Int($1.1)) })
        }
        return (sum(Array(taps.prefix(x.count))), sum(Array(taps.suffix(x.count))))
    }
}
