/// Every function of the table `frost_kernels`, as its line in CFrostKernels.h states it: one value at a time, in the
/// order of the taps, multiplication and addition rounded separately.
///
/// Integers are computed in Int and trap where they leave the type of the result: the tests stay in the kernels' domain.
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

    static func weightedSumFromU8(_ rows: [[UInt8]], _ taps: [Float]) -> [Float] {
        weightedSum(rows.map(loadU8), taps)
    }

    static func weightedSumFromRGBA8(_ rows: [[UInt8]], _ taps: [Float]) -> [Float] {
        weightedSum(rows.map(loadRGBA8), taps)
    }

    static func weightedSumToU8(_ rows: [[Float]], _ taps: [Float]) -> [UInt8] { storeU8(weightedSum(rows, taps)) }

    static func weightedSumToRGBA8(_ rows: [[Float]], _ taps: [Float]) -> [UInt8] {
        storeRGBA8(weightedSum(rows, taps))
    }

    // MARK: Bytes and floats

    static func loadU8(_ row: [UInt8]) -> [Float] { row.map { Float($0) } }

    static func loadRGBA8(_ row: [UInt8]) -> [Float] {
        row.indices.map { i in
            let alpha = Float(row[i / 4 * 4 + 3])
            return i % 4 == 3 ? alpha : Float(row[i]) * (alpha * (1 / 255))
        }
    }

    static func storeU8(_ row: [Float]) -> [UInt8] { row.map(nearest) }

    static func storeRGBA8(_ row: [Float]) -> [UInt8] {
        row.indices.map { i in
            let alpha = nearest(row[i / 4 * 4 + 3])
            if i % 4 == 3 { return alpha }
            return nearest(row[i] * (alpha == 0 ? 0 : 255 / Float(alpha)))
        }
    }

    /// To the nearest of 0...255, halves to even; NaN to 0.
    private static func nearest(_ x: Float) -> UInt8 { UInt8(clamped(x).rounded(.toNearestOrEven)) }

    private static func clamped(_ x: Float) -> Float { x.isNaN ? 0 : min(max(x, 0), 255) }

    // MARK: Along a row of floats

    static func decimate(_ row: [Float], _ taps: [Float], count: Int, channels: Int) -> [Float] {
        pixels(0..<count, channels) { i, c in
            var sum: Float = 0
            for t in taps.indices {
                let product = taps[t] * row[(2 * i + t) * channels + c]
                sum = sum + product
            }
            return sum
        }
    }

    /// - Parameter row: from pixel `(first - half) >> 1` on.
    static func interpolate(
        _ row: [Float], even: [Float], odd: [Float], half: Int, first: Int, count: Int, channels: Int
    ) -> [Float] {
        let start = (first - half) >> 1
        return pixels(first..<first + count, channels) { i, c in
            let taps = i & 1 == 0 ? even : odd
            let cell = (i - half) >> 1
            var sum: Float = 0
            for t in taps.indices {
                let product = taps[t] * row[(cell - start + t) * channels + c]
                sum = sum + product
            }
            return sum
        }
    }

    private static func pixels<Value>(_ range: Range<Int>, _ channels: Int, _ value: (Int, Int) -> Value) -> [Value] {
        range.flatMap { i in (0..<channels).map { c in value(i, c) } }
    }

    // MARK: The finest level in 16-bit integers

    static func binomialU8(_ rows: [[UInt8]]) -> [UInt16] {
        var weights = [1]
        while weights.count < rows.count { weights = zip([0] + weights, weights + [0]).map { $0 + $1 } }
        return rows[0].indices.map { x in
            UInt16(rows.indices.reduce(0) { $0 + weights[$1] * Int(rows[$1][x]) })
        }
    }

    static func halveU16(_ row: [UInt16], scale: Float, pixels count: Int) -> [Float] {
        pixels(0..<count, 4) { i, c in
            let cells = (0..<4).map { Int(row[(2 * i + $0) * 4 + c]) }
            return scale * Float(cells[0] + 3 * cells[1] + 3 * cells[2] + cells[3])
        }
    }

    static func widenU16(_ row: [UInt16], scale: Float) -> [Float] { row.map { scale * Float($0) } }

    static func quantize(_ row: [Float], scale: Float) -> [UInt16] {
        row.map { UInt16((clamped($0) * scale).rounded(.toNearestOrEven)) }
    }

    /// - Parameter origin: where in `row` pixel 0 lies, in pixels.
    static func interpolateU16(
        _ row: [UInt16], origin: Int, even: [UInt16], evenFirst: Int, odd: [UInt16], oddFirst: Int, cells: Int,
        channels: Int
    ) -> [UInt16] {
        pixels(0..<2 * cells, channels) { pixel, c in
            let (taps, first) = pixel % 2 == 0 ? (even, evenFirst) : (odd, oddFirst)
            var sum = (taps.count + 1) / 2
            for t in taps.indices {
                sum += Int(row[(origin + pixel / 2 + first + t) * channels + c]) * Int(taps[t]) / 65536
            }
            return UInt16(sum)
        }
    }

    static func interpolateToU8(_ rows: [[UInt16]], _ taps: [UInt16]) -> [UInt8] {
        rows[0].indices.map { x in
            var sum = (taps.count + 1) / 2
            for t in taps.indices { sum += Int(rows[t][x]) * Int(taps[t]) / 65536 }
            return UInt8((sum + 128) / 256)
        }
    }

    // MARK: Direct filters in 16-bit integers

    static func scaleU8(_ row: [UInt8]) -> [UInt16] { row.map { 128 * UInt16($0) } }

    static func convolveU16(_ rows: [[UInt16]], _ taps: [UInt16]) -> [UInt16] {
        let radius = taps.count - 1
        return rows[0].indices.map { x in
            var sum = (radius + 1) / 2 + Int(rows[radius][x]) * Int(taps[0]) / 65536
            for t in 1..<taps.count {
                sum += (Int(rows[radius - t][x]) + Int(rows[radius + t][x])) * Int(taps[t]) / 65536
            }
            return UInt16(sum)
        }
    }

    static func convolveToU8(_ rows: [[UInt16]], _ taps: [UInt16]) -> [UInt8] {
        convolveU16(rows, taps).map { UInt8((Int($0) + 64) / 128) }
    }
}
