import CFrostKernels
import FrostCore

/// A finish in fixed-point numbers of 64ths of a step: stages of colour and dither, for pictures of 8 bits.
struct FixedFinish {
    private(set) var stages: [frost_fixed_stage] = []
    /// How far the roundings may lead the result, at worst, in steps.
    ///
    /// Half a 64th for the numbers that arrive, and for each product; what a factor of 16 bits is off, times what it is
    /// multiplied with. Later stages amplify it as they do everything.
    private(set) var noise = half

    private static let half = 0.5 / 64
    private static let top = FROST_FIXED_TOP

    /// Of pixels that neither show the original nor have content over them.
    ///
    /// - Returns: nil if there is a stage that the kernel does not have, or one whose numbers would not fit.
    init?(_ finish: Finish) {
        for stage in finish.inside + finish.over {
            let own: (stage: frost_fixed_stage, noise: Double)?
            switch stage {
            case .matrix(let matrix): own = Self.scale(matrix) ?? Self.spread(matrix)
            case .luminance(let curve): own = Self.curve(curve)
            case .grain, .encode, .scatter: own = nil
            }
            guard let own else { return nil }
            noise = noise * stage.amplification + own.noise
            stages.append(own.stage)
        }
        guard stages.count <= Int(FROST_FIXED_STAGES) else { return nil }
    }

    /// Each channel by itself: `scale * x + one`.
    private static func scale(_ matrix: ColorMatrix) -> (stage: frost_fixed_stage, noise: Double)? {
        var plain = ColorMatrix()
        plain.red[0] = matrix.red[0]
        plain.green[1] = matrix.green[1]
        plain.blue[2] = matrix.blue[2]
        plain.alpha[3] = matrix.alpha[3]
        plain.one = matrix.one
        let factors = SIMD4(plain.red[0], plain.green[1], plain.blue[2], plain.alpha[3])
        guard matrix == plain, (0..<4).allSatisfy({ abs(factors[$0]) < 0.9999 && abs(plain.one[$0]) <= 0.95 }) else {
            return nil
        }
        let scale = Quantized(factors, over: 1)
        let add = plain.one * Double(top)
        var stage = frost_fixed_stage()
        stage.kind = Int32(FROST_FIXED_SCALE)
        stage.scale = scale.four
        stage.add = four { Int16(add[$0].rounded()) }
        // One line for all channels, with no less for alpha, within the scale, keeps their order: nothing to limit.
        let whole = (0..<4).map { Int(add[$0].rounded()) }
        let keepsOrder =
            (0..<3).allSatisfy { factors[$0] == factors[3] && (0...whole[3]).contains(whole[$0]) } && factors[3] >= 0
            && ((Int(top) * Int(scale.four.3) + (1 << 14)) >> 15) + whole[3] <= Int(top)
        stage.limits = keepsOrder ? 0 : Int32(FROST_LIMIT_ALPHA | FROST_LIMIT_COLORS)
        return (stage, half + half + scale.error * 255)
    }

    /// Sums of the colour itself, luma and alpha, the same for each colour.
    private static func spread(_ m: ColorMatrix) -> (stage: frost_fixed_stage, noise: Double)? {
        // What one colour adds to the others is the same for both: luma's part.
        let parts = SIMD3(m.red[1], m.green[0], m.blue[0])
        let own = SIMD3(m.red[0], m.green[1], m.blue[2]) - parts
        let others = SIMD3(m.red[2], m.green[2], m.blue[1])
        func isZero(_ x: Double) -> Bool { abs(x) < 1e-9 }
        guard (0..<3).allSatisfy({ isZero(parts[$0] - others[$0]) && isZero(own[$0] - own[0]) }), isZero(m.red[3]),
            isZero(m.green[3]), isZero(m.blue[3]), isZero(m.alpha[3] - 1), m.one == .zero
        else { return nil }
        let sum = parts.sum()
        let weights =
            isZero(sum)
            ? LumaWeights.rec709
            : LumaWeights(
                red: parts[0] / sum, green: parts[1] / sum, blue: parts[2] / sum)
        guard [weights.red, weights.green, weights.blue].allSatisfy({ (0..<1).contains($0) }) else { return nil }
        let spread = own[0] - 1
        let luma = sum + spread
        let alpha = SIMD4(m.alpha[0], m.alpha[1], m.alpha[2], 0)
        var builder = Builder(luma: weights)
        if isZero(sum), isZero(spread) {
            builder.add(lift: alpha)
        } else {
            if !isZero(spread) { builder.add(spread: spread) }
            if !isZero(luma) || alpha != .zero { builder.add(alpha: alpha, luma: luma) }
        }
        var sums: [Double] = []
        for k in [alpha.min(), alpha.max()] { sums += [k, k + luma, 1 + k, 1 + k + luma] }
        return builder.finished(sums: sums)
    }

    private static func curve(_ curve: LuminanceCurve) -> (stage: frost_fixed_stage, noise: Double)? {
        let c = curve.coefficients * curve.amount
        var builder = Builder(luma: curve.luma)
        builder.add(curve: curve)
        // What comes up on the way, at both ends and where a parabola turns.
        let turn = c[3] == 0 ? 0 : min(max(-c[2] / (2 * c[3]), 0), 1)
        let sums = [0, turn, 1].flatMap { t in
            [c[3] * t + c[2], (c[3] * t + c[2]) * t + c[1]]
        }
        // The curve lies between the least and the greatest of its values.
        let levels = (0..<4).flatMap { [curve.values[$0] * curve.amount, 1 + (curve.values[$0] - 1) * curve.amount] }
        return builder.finished(sums: sums + levels + [curve.amount])
    }

    /// Puts a stage with luma together, and its noise.
    private struct Builder {
        var stage = frost_fixed_stage()
        /// Of luma.
        let lumaError: Double
        var noise = 0.0
        var fits = true

        init(luma: LumaWeights) {
            let exact = [luma.red, luma.green, luma.blue]
            var whole = exact.map { Int(($0 * 32768).rounded()) }
            // The largest takes the rest, so that grey has itself as luma.
            whole[exact.firstIndex(of: exact.max() ?? 0) ?? 0] += 32768 - whole.reduce(0, +)
            stage.weights = (Int16(whole[0]), Int16(whole[1]), Int16(whole[2]), 0)
            lumaError =
                2 * half + zip(whole, exact).reduce(0) { $0 + abs(Double($1.0) / 32768 - $1.1) } * 255
            stage.kind = -1
            stage.limits = Int32(FROST_LIMIT_COLORS)
        }

        mutating func add(spread: Double) {
            let isNear = abs(spread) <= 1
            stage.kind = Int32(isNear ? FROST_FIXED_SPREAD : FROST_FIXED_SPREAD_FAR)
            let factor = Quantized(SIMD4(spread, spread, spread, 0), over: isNear ? 1 : 2)
            stage.spread = factor.four
            take(factor, times: isNear ? 1 : 2, abs(spread) * lumaError)
        }

        mutating func add(lift: SIMD4<Double>) {
            stage.kind = Int32(FROST_FIXED_LIFT)
            let factor = Quantized(lift, over: 2)
            stage.alpha = factor.four
            take(factor, 0)
        }

        /// After the spread, if there is one.
        mutating func add(alpha: SIMD4<Double>, luma: Double) {
            if stage.kind >= 0 {
                // Both at once take half the factor.
                let spread = [stage.spread.0, stage.spread.1, stage.spread.2]
                if stage.kind == Int32(FROST_FIXED_SPREAD) {
                    let halved = spread.map { Int16((Double($0) / 2).rounded()) }
                    stage.spread = (halved[0], halved[1], halved[2], 0)
                    noise += 0.5 / 32768 * 2 * 255
                }
                stage.kind = Int32(FROST_FIXED_SHIFT_AND_SPREAD)
            } else {
                stage.kind = Int32(FROST_FIXED_SHIFT)
            }
            let (a, y) = (Quantized(alpha, over: 2), Quantized(SIMD4(luma, luma, luma, 0), over: 2))
            stage.alpha = a.four
            stage.luma = y.four
            take(a, 0)
            take(y, abs(luma) * lumaError)
        }

        mutating func add(curve: LuminanceCurve) {
            stage.kind = Int32(FROST_FIXED_CURVE)
            let (amount, c) = (curve.amount, curve.coefficients * curve.amount)
            let keep = Quantized(SIMD4(-amount, -amount, -amount, 0), over: 1)
            stage.spread = keep.four
            // t is 32640 where luma is alpha, and 32768ths are multiplied.
            let powers = (0..<4).map { power in
                let value = (0..<power).reduce(c[power]) { sum, _ in sum * 256 / 255 }
                return Quantized(SIMD4(value, value, value, 0), over: 2)
            }
            (stage.alpha, stage.luma) = (powers[0].four, powers[1].four)
            let (x, y) = (powers[2].four, powers[3].four)
            stage.bend = (x.0, x.1, x.2, x.3, y.0, y.1, y.2, y.3)
            take(keep, times: 1, 0)
            for power in powers { take(power, 0) }
            // The products by t round no more than `take` counts for the factors; t itself does, and luma.
            noise += amount * curve.steepness * (lumaError + 0.5 / 32640 * 255)
        }

        /// - Parameter times: the number that is multiplied, as the factor is divided.
        private mutating func take(_ factor: Quantized, times: Double = 2, _ more: Double) {
            noise += half + factor.error * times * 255 + more
            fits = fits && factor.fits
        }

        /// - Parameter sums: that come up on the way, of full scale.
        func finished(sums: [Double]) -> (stage: frost_fixed_stage, noise: Double)? {
            fits && sums.allSatisfy { abs($0) < 1.95 } ? (stage, noise) : nil
        }
    }

    /// Factors in 32768ths.
    private struct Quantized {
        let four: (Int16, Int16, Int16, Int16)
        /// What the worst is off.
        let error: Double
        let fits: Bool

        init(_ values: SIMD4<Double>, over divisor: Double) {
            let exact = values / divisor
            let whole = (0..<4).map { min(max((exact[$0] * 32768).rounded(), -32768), 32767) }
            fits = (0..<4).allSatisfy { abs(exact[$0]) <= 1 }
            error = (0..<4).map { abs(whole[$0] / 32768 - exact[$0]) }.max() ?? 0
            four = FixedFinish.four { Int16(whole[$0]) }
        }
    }

    private static func four(_ value: (Int) -> Int16) -> (Int16, Int16, Int16, Int16) {
        (value(0), value(1), value(2), value(3))
    }
}
