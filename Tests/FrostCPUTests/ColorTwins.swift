import CFrostKernels
import FrostCore

/// Scalar Swift versions of the colour kernels, which compute one number at a time.
enum ColorTwins {
    private static func whole(_ x: Float) -> Float { (x + 8_388_608) - 8_388_608 }
    private static func limited(_ x: Float, _ top: Float) -> Float {
        let positive = x > 0 ? x : 0
        return positive < top ? positive : top
    }

    static func columns(_ stage: frost_color_stage) -> [[Float]] {
        // SAFETY: `columns` holds six columns of four floats.
        unsafe withUnsafeBytes(of: stage.columns) { bytes in
            (0..<6).map { column in
                (0..<4).map { unsafe bytes.load(fromByteOffset: 16 * column + 4 * $0, as: Float.self) }
            }
        }
    }

    // MARK: Floats

    static func stages(_ row: [Float], _ stages: [frost_color_stage], maximum: Float, x: Int) -> [Float] {
        (0..<row.count / 4).flatMap { i in
            stages.reduce(Array(row[4 * i..<4 * i + 4])) { pixel, stage in
                let result = apply(stage, to: pixel, x: x + i).map { limited($0, maximum) }
                return result.map { $0 < result[3] ? $0 : result[3] }
            }
        }
    }

    static func apply(_ stage: frost_color_stage, to p: [Float], x: Int) -> [Float] {
        let c = columns(stage)
        return (0..<4).map { lane in
            switch stage.kind {
            case FROST_STAGE_MATRIX:
                var sum = p[0] * c[0][lane]
                for channel in 1..<4 { sum += p[channel] * c[channel][lane] }
                return sum + c[4][lane]
            case FROST_STAGE_LUMINANCE:
                var luma = p[0] * c[0][0]
                luma += p[1] * c[0][1]
                luma += p[2] * c[0][2]
                let t = limited(p[3] > 0 ? luma / p[3] : 0, 1)
                var grey = c[4][lane]
                for power in [3, 2, 1] { grey = grey * t + c[power][lane] }
                return p[lane] - p[lane] * c[5][lane] + p[3] * grey
            case FROST_STAGE_SCATTER:
                // SAFETY: the row of hashes holds four floats for each column from `hashes_first` on.
                let at = 4 * Int(UInt32(truncatingIfNeeded: x) &- stage.hashes_first) + lane
                let hashes = unsafe UnsafePointer<Float>(bitPattern: stage.hashes)
                return unsafe p[lane] + (hashes?[at] ?? .nan) * p[3]
            case FROST_STAGE_TRANSFER: return lane == 3 ? p[3] : transferred(p[lane], alpha: p[3], stage)
            case FROST_STAGE_GRAIN:
                let byte = Float(PixelHash.bits(x: x, row: stage.hash_row) >> 24)
                let offset = (byte + 0.5) * (1 / 128) - 1
                return p[lane] + offset * c[0][lane] * p[3]
            default: preconditionFailure("stage \(stage.kind) has no twin")
            }
        }
    }

    private static func power(_ x: Float, _ exponent: Float) -> Float {
        let bits = Int32(bitPattern: x.bitPattern)
        let k = (bits &- 0x3f35_04f3) >> 23
        let m = Float(bitPattern: UInt32(bitPattern: bits &- (k << 23)))
        let s = (m - 1) / (m + 1)
        let s2 = s * s
        let log2: Float = 2.885390082
        var series = (log2 / 9) * s2 + log2 / 7
        for divisor in [5, 3, 1] as [Float] { series = series * s2 + log2 / divisor }
        let t = exponent * (Float(k) + series * s)
        let n = (t + 12_582_912) - 12_582_912
        let f = t - n
        var sum: Float = 1.525273380e-5
        let terms: [Float] = [
            1.540353039e-4, 1.333355815e-3, 9.618129108e-3, 5.550410866e-2, 2.402265070e-1, 6.931471806e-1, 1,
        ]
        for term in terms { sum = sum * f + term }
        return sum * Float(bitPattern: UInt32(bitPattern: (Int32(n) + 127) << 23))
    }

    private static func transferred(_ x: Float, alpha: Float, _ stage: frost_color_stage) -> Float {
        guard alpha > 0 else { return x }
        let c = columns(stage)
        let color = x / alpha
        let base = color * c[0][2] + c[0][3]
        let curve = power(base > 1e-9 ? base : 1e-9, c[1][0]) * c[1][1] + c[1][2]
        return (color <= c[0][0] ? color * c[0][1] : curve) * alpha
    }

    static func transfer(_ row: [Float], channels: Int, _ stage: frost_color_stage, maximum: Float) -> [Float] {
        let hasAlpha = channels % 2 == 0
        return row.indices.map { i in
            if hasAlpha, i % channels == channels - 1 { return row[i] }
            let alpha = hasAlpha ? row[i / channels * channels + channels - 1] : maximum
            return transferred(row[i], alpha: alpha, stage)
        }
    }

    static func mix(_ row: [Float], _ original: [Float], _ parts: [Float]) -> [Float] {
        row.indices.map { parts[$0 / 4] < 1 ? original[$0] + (row[$0] - original[$0]) * parts[$0 / 4] : row[$0] }
    }

    static func level(
        _ sum: [Float], _ row: [Float], _ shares: [Float], _ below: Float, _ rise: Float, _ above: Float, _ fall: Float
    ) -> [Float] {
        sum.indices.map { i in
            let (up, down) = ((shares[i / 4] - below) * rise, (above - shares[i / 4]) * fall)
            return sum[i] + row[i] * limited(up < down ? up : down, 1)
        }
    }

    static func level(
        _ sum: [UInt16], _ row: [UInt16], _ shares: [Float], _ below: Float, _ rise: Float, _ share: Float,
        _ fall: Float
    ) -> [UInt16] {
        sum.indices.map { i in
            let (up, down) = ((shares[i / 4] - below) * rise, (shares[i / 4] - share) * fall)
            return UInt16(truncatingIfNeeded: Int(sum[i]) + part(row[i], up) - part(row[i], down))
        }
    }

    static func pair(
        _ low: [UInt16], _ high: [UInt16], _ shares: [Float], _ below: Float, _ rise: Float
    ) -> [UInt16] {
        low.indices.map { i in
            let weight = (shares[i / 4] - below) * rise
            return UInt16(truncatingIfNeeded: Int(low[i]) - part(low[i], weight) + part(high[i], weight))
        }
    }

    private static func part(_ x: UInt16, _ weight: Float) -> Int {
        let whole = Int((min(max(weight, 0) * 65536, 65535)).rounded(.toNearestOrEven))
        return whole == 65535 ? Int(x) : (Int(x) * whole) >> 16
    }

    static func place(_ row: [Float], _ firsts: [Int32], _ weights: [Float]) -> [Float] {
        let count = weights.count / firsts.count
        return (0..<4 * firsts.count).map { i in
            let (from, taps) = (4 * Int(firsts[i / 4]) + i % 4, weights[i / 4 * count..<i / 4 * count + count])
            let first = row[from] * weights[i / 4 * count]
            return zip(taps.dropFirst(), 1...).reduce(first) { $0 + row[from + 4 * $1.1] * $1.0 }
        }
    }

    static func draw(_ content: [Float], over row: [Float], maximum: Float) -> [Float] {
        row.indices.map { content[$0] * maximum + row[$0] * (1 - content[$0 | 3]) }
    }

    static func settle(_ row: [Float], straight: Bool, maximum: Float, dither: [UInt32], phase: Int) -> [Float] {
        row.indices.map { i in
            let alpha = whole(limited(row[i | 3], maximum))
            if i & 3 == 3 { return alpha }
            let noise = (Float(dither[(phase + i / 4) % dither.count]) + 0.5) * (1 / 64) - 0.5
            let value = straight ? row[i] * (alpha > 0 ? maximum / alpha : 0) : row[i]
            return whole(limited(value + noise, straight ? maximum : alpha))
        }
    }

    // MARK: Fixed point

    private static func product(_ a: Int, _ b: Int) -> Int { (a * b + (1 << 14)) >> 15 }

    private static let top = Int(FROST_FIXED_TOP)

    /// Applies fixed-point stages to a row, in 1/128 of a step.
    private static func staged(_ row: [UInt16], _ stages: [frost_fixed_stage]) -> [Int] {
        (0..<row.count / 4).flatMap { i -> [Int] in
            var pixel = row[4 * i..<4 * i + 4].map { Int($0 / 2) }
            if pixel[3] >= Int(FROST_FIXED_OPAQUE) { pixel[3] = top }
            return stages.reduce(pixel) { apply($1, to: $0) }
        }
    }

    static func fixedStages(_ row: [UInt16], _ stages: [frost_fixed_stage]) -> [UInt16] {
        staged(row, stages).map { UInt16(2 * $0) }
    }

    /// Applies fixed-point stages to a row and returns bytes.
    static func output(
        _ row: [UInt16], _ stages: [frost_fixed_stage], _ format: frost_output_format, dither: [UInt32]?, phase: Int
    ) -> [UInt8] {
        let numbers = staged(row, stages)
        return numbers.indices.compactMap { i -> UInt8? in
            let (x, alpha) = (numbers[i], numbers[i | 3])
            let offset = dither.map { 2 * Int($0[(phase + i / 4) % $0.count]) } ?? 64
            if format == FROST_OUTPUT_STRAIGHT {
                let alpha = whole(min(Float(alpha) * (1.0 / 128), 255))
                if i & 3 == 3 { return UInt8(alpha) }
                let noise = (Float(offset) + 0.5) / 128 - 0.5
                let color = Float(x) * ((alpha > 0 ? 255 / alpha : 0) * (1.0 / 128)) + noise
                return UInt8(whole(limited(color, 255)))
            }
            if i & 3 == 3 { return format == FROST_OUTPUT_RGB ? nil : UInt8((x + 64) / 128) }
            return UInt8(min((x + offset) / 128, (alpha + 64) / 128))
        }
    }

    private static func apply(_ s: frost_fixed_stage, to p: [Int]) -> [Int] {
        let (scale, add, weights, curve) = (Int(s.scale), four(s.add), four(s.weights), four(s.curve))
        let alpha = p[3]
        func sum(_ channels: Range<Int>) -> Int { channels.reduce(0) { $0 + product(p[$1], weights[$1]) } }
        let colors = (0..<3).map { c -> Int in
            switch s.kind {
            case FROST_FIXED_ADJUST: return p[c] + product(p[c], scale) + sum(0..<4)
            case FROST_FIXED_ADJUST_HALF: return 2 * (p[c] / 2 + product(p[c], scale) + sum(0..<4))
            case FROST_FIXED_LIFT: return p[c] + product(alpha, weights[3])
            case FROST_FIXED_TINT: return product(p[c], scale) + add[c]
            case FROST_FIXED_LUMINANCE:
                let luma = sum(0..<3)
                let divided =
                    alpha > 0 ? Int(whole(min(Float(luma) * Float(top) / Float(alpha), Float(top)))) : 0
                let t = alpha == top ? luma : divided
                let grey = product(product(product(curve[3], t) + curve[2], t) + curve[1], t) + curve[0]
                return product(p[c], scale) + 2 * product(grey, alpha)
            default: preconditionFailure("stage \(s.kind) has no twin")
            }
        }
        if s.kind == FROST_FIXED_TINT { return colors + [product(alpha, scale) + add[3]] }
        return colors.map { max(min($0, alpha), 0) } + [alpha]
    }

    static func mix(_ row: [UInt16], _ original: [UInt16], _ parts: [Float]) -> [UInt16] {
        row.indices.map { i in
            let part = Int((parts[i / 4] * 32767).rounded(.toNearestOrEven))
            if part == 32767 { return row[i] }
            let (effect, below) = (Int(row[i] >> 2), Int(original[i] >> 2))
            return UInt16(4 * (below + product(effect - below, part)))
        }
    }

    private static func four(_ t: (Int16, Int16, Int16, Int16)) -> [Int] { [t.0, t.1, t.2, t.3].map { Int($0) } }
}
