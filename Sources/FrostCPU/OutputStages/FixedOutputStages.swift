import CFrostKernels
import FrostCore

/// Output stages in fixed-point numbers of 64ths of a step: stages of colour and dither, for pictures of 8 bits.
struct FixedOutputStages {
    private(set) var stages: [frost_fixed_stage] = []
    /// What is added to the result, besides half a step or the dither, in 64ths.
    private(set) var add: (Int16, Int16, Int16, Int16) = (0, 0, 0, 0)
    /// How far the roundings may lead the result, at worst, in steps. Later stages amplify it as they do everything.
    ///
    /// Of the numbers that arrive, three 256ths are cut off.
    private(set) var roundingError = 0.75 * unit

    /// Whether opaque pixels stay opaque.
    var keepsOpaque: Bool {
        stages.allSatisfy { stage in
            let isScale = stage.kind == FROST_FIXED_SCALE, isFactor = stage.kind == FROST_FIXED_FACTOR
            guard isScale || isFactor else { return true }
            let product = (top * Int(stage.scale.3) + (1 << 14)) >> 15
            return product + Int(isScale ? stage.add.3 : add.3) == top
        }
    }

    /// Of pixels that neither show the original nor have content over them.
    ///
    /// - Returns: nil if there is a stage that the kernel does not have, or one whose numbers would not fit.
    init?(_ outputStages: OutputStages) {
        // A share of the original is rounded to a place more, of its factor and of itself.
        if outputStages.mask != nil { roundingError += unit }
        let list = ColorStage.merged(outputStages.stages)
        for (i, stage) in list.enumerated() {
            let own: FixedStage?
            switch stage {
            case .matrix(let matrix):
                own = FixedStage(scale: matrix) ?? FixedStage(spread: matrix, isLast: i == list.count - 1)
            case .luminance(let curve): own = FixedStage(curve)
            case .grain, .encode, .scatter: own = nil
            }
            guard let own else { return nil }
            roundingError = roundingError * stage.amplification + own.roundingError
            stages.append(own.stage)
        }
        guard stages.count <= Int(FROST_FIXED_STAGES) else { return nil }
        if let last = stages.last, last.kind == FROST_FIXED_SCALE, last.limits == 0 {
            add = last.add
            stages[stages.count - 1].kind = FROST_FIXED_FACTOR
        }
        // What is brightened need not be limited before.
        for (i, stage) in stages.enumerated().dropFirst() where stage.kind == FROST_FIXED_LIFT {
            let kind = stages[i - 1].kind
            if kind == FROST_FIXED_SPREAD || kind == FROST_FIXED_SPREAD_FAR { stages[i - 1].limits = 0 }
        }
    }
}

extension OutputStages {
    /// The stages of pixels that neither show the original nor have content over them.
    var stages: [ColorStage] { inside + over }
}

/// One stage and what its roundings and the roundings of its factors may lead the result off, in steps.
private struct FixedStage {
    var stage = frost_fixed_stage()
    var roundingError: Double

    /// Each channel by itself: `scale * x + one`.
    init?(scale matrix: ColorMatrix) {
        var plain = ColorMatrix()
        plain.red[0] = matrix.red[0]
        plain.green[1] = matrix.green[1]
        plain.blue[2] = matrix.blue[2]
        plain.alpha[3] = matrix.alpha[3]
        plain.one = matrix.one
        let factors = SIMD4(plain.red[0], plain.green[1], plain.blue[2], plain.alpha[3])
        guard matrix == plain, (0..<4).allSatisfy({ (0..<0.9999).contains(factors[$0]) && abs(plain.one[$0]) <= 0.95 })
        else { return nil }
        let scale = Quantized(factors)
        let add = (0..<4).map { Int((plain.one[$0] * Double(top)).rounded()) }
        stage.kind = FROST_FIXED_SCALE
        stage.scale = scale.unsigned
        stage.add = four { Int16(add[$0]) }
        // One line for all channels, with no less for alpha, within the scale, keeps their order: nothing to limit.
        let keepsOrder =
            (0..<3).allSatisfy { factors[$0] == factors[3] && (0...add[3]).contains(add[$0]) }
            && (top * scale.whole[3] + (1 << 14)) >> 15 + add[3] <= top
        stage.limits = keepsOrder ? 0 : Int32(FROST_LIMIT_ALPHA | FROST_LIMIT_COLORS)
        roundingError = unit + scale.error * 255
    }

    /// Sums of the colour itself, luma and alpha: of luma the same for each colour.
    ///
    /// - Parameter isLast: no stage follows.
    init?(spread m: ColorMatrix, isLast: Bool) {
        // What one colour adds to the others is the same for both: luma's part.
        let parts = SIMD3(m.red[1], m.green[0], m.blue[0])
        let own = SIMD3(m.red[0], m.green[1], m.blue[2]) - parts
        let others = SIMD3(m.red[2], m.green[2], m.blue[1])
        func isZero(_ x: Double) -> Bool { abs(x) < 1e-9 }
        guard (0..<3).allSatisfy({ isZero(parts[$0] - others[$0]) && isZero(own[$0] - own[0]) }), isZero(m.red[3]),
            isZero(m.green[3]), isZero(m.blue[3]), isZero(m.alpha[3] - 1), m.one == .zero
        else { return nil }
        let lift = SIMD4(m.alpha[0], m.alpha[1], m.alpha[2], 0)
        stage.limits = Int32(FROST_LIMIT_COLORS)
        // The most and the least that a colour can become on the way.
        let sums = (0..<3).map { i in
            let factors = (0..<3).map { parts[$0] + ($0 == i ? own[0] : 0) }
            return (
                most: factors.reduce(0) { $0 + max($1, 0) } + max(lift.max(), 0),
                least: factors.reduce(0) { $0 + min($1, 0) } + min(lift.min(), 0)
            )
        }
        let fits = abs(own[0]) < 1.95 && sums.allSatisfy { $0.most < 1.95 && $0.least > -1.95 }
        if (0..<3).allSatisfy({ isZero(parts[$0]) }), isZero(own[0] - 1), lift.min() * lift.max() >= 0,
            abs(lift).max() < 1.9
        {
            let factor = Quantized(abs(lift) / 2)
            stage.kind = lift.min() < 0 ? FROST_FIXED_SINK : FROST_FIXED_LIFT
            stage.limits = 0
            stage.add = factor.signed
            roundingError = unit / 2 + factor.error * 2 * 255
        } else if lift == .zero, own[0] >= 1, own[0] < 3.9, parts.max() <= 0, parts.min() > -1.9 {
            // Twice half of it, where it would not fit.
            let divisor = own[0] < 1.99 && parts.min() > -0.99 ? 1.0 : 2
            stage.kind = divisor == 1 ? FROST_FIXED_SPREAD : FROST_FIXED_SPREAD_FAR
            let weights = Quantized(SIMD4(-parts / divisor, 0))
            let scale = Quantized(grey: (own[0] + parts.sum()) / divisor, less: weights, alpha: 1 / divisor)
            (stage.scale, stage.weights) = (scale.unsigned, weights.signed)
            // Two numbers are cut off, of which one is subtracted.
            roundingError = divisor * (unit + (weights.error * 3 + abs(scale.factor(0) - own[0] / divisor)) * 255)
        } else if fits, parts.min() > -1.9, parts.max() < 1.9 {
            let (weights, shift) = (Quantized(SIMD4(parts, 0) / 2), Quantized(lift / 2))
            // 2 x is multiplied; for alpha, so that it stays.
            let scale = Quantized(grey: (own[0] + parts.sum()) / 2, less: weights, sign: -1, alpha: 0.5)
            stage.kind = FROST_FIXED_SHIFT
            // Roundings beyond the scale go when bytes are made.
            if isLast, m.keepsGamut { stage.limits = 0 }
            (stage.scale, stage.weights, stage.add) = (scale.bits, weights.signed, shift.signed)
            let error = weights.error * 3 + abs(scale.factor(0) - own[0] / 2) + shift.error
            roundingError = 2 * unit + error * 2 * 255
        } else {
            return nil
        }
    }

    init?(_ curve: LuminanceCurve) {
        let (amount, luma) = (curve.amount, curve.luma)
        let exact = [luma.red, luma.green, luma.blue]
        guard (0...1).contains(amount), exact.allSatisfy({ (0..<1).contains($0) }) else { return nil }
        var whole = exact.map { Int(($0 * 32768).rounded()) }
        // The largest takes the rest, so that grey has itself as luma.
        whole[exact.firstIndex(of: exact.max() ?? 0) ?? 0] += 32768 - whole.reduce(0, +)
        stage.kind = FROST_FIXED_CURVE
        stage.weights = four { $0 < 3 ? Int16(whole[$0]) : 0 }
        // 32767 keeps every number as it is.
        let keep = Quantized(SIMD4(SIMD3(repeating: min(1 - amount, 32767.0 / 32768)), 32767.0 / 32768))
        stage.scale = keep.unsigned
        // In 16384ths; t is 32640 where luma is alpha, and 32768ths are multiplied.
        let c = curve.coefficients * amount
        let powers = Quantized(
            SIMD4<Double>(
                c[0], c[1] * 256 / 255, c[2] * 256 / 255 * 256 / 255, c[3] * 256 / 255 * 256 / 255 * 256 / 255)
                / 2)
        stage.curve = powers.signed
        // What comes up on the way, at both ends and where a parabola turns. The curve lies between the least and the
        // greatest of its values, and with those in 0...1, what it makes lies in 0...alpha.
        let turn = c[3] == 0 ? 0 : min(max(-c[2] / (2 * c[3]), 0), 1)
        let sums = [0, turn, 1].flatMap { t in
            [c[3] * t + c[2], (c[3] * t + c[2]) * t + c[1]]
        }
        let values = (0..<4).map { curve.values[$0] }
        guard (sums + values.map { $0 * amount } + [c[3]]).allSatisfy({ abs($0) < 1.9 }) else { return nil }
        stage.limits = ColorStage.luminance(curve).keepsGamut ? 0 : Int32(FROST_LIMIT_COLORS)
        // Luma is cut off at 128ths.
        let lumaError = unit / 2 + zip(whole, exact).reduce(0) { $0 + abs(Double($1.0) / 32768 - $1.1) } * 255
        // Five products are rounded, and t; alpha may count for two places more.
        roundingError = 5 * unit + keep.error * 255 + 4 * powers.error * 2 * 255
        roundingError += amount * curve.steepness * (lumaError + unit / 4)
    }

    /// Factors in 32768ths.
    private struct Quantized {
        let whole: [Int]
        /// What the worst is off.
        let error: Double

        init(_ values: SIMD4<Double>) {
            whole = (0..<4).map { Int((values[$0] * 32768).rounded()) }
            error = zip(whole, 0..<4).map { abs(Double($0) / 32768 - values[$1]) }.max() ?? 0
        }

        /// The colours' factor that grey still needs, where luma is subtracted or, with a sign of -1, added: so grey becomes
        /// exactly as much as it should.
        init(grey: Double, less weights: Quantized, sign: Int = 1, alpha: Double) {
            let color = Int((grey * 32768).rounded()) + sign * weights.whole.reduce(0, +)
            whole = [color, color, color, Int(alpha * 32768)]
            error = 0
        }

        func factor(_ i: Int) -> Double { Double(whole[i]) / 32768 }

        var signed: (Int16, Int16, Int16, Int16) { four { Int16(clamping: whole[$0]) } }
        var unsigned: (UInt16, UInt16, UInt16, UInt16) { bits { UInt16(clamping: whole[$0]) } }
        /// Signed numbers where the stage has a place for unsigned ones.
        var bits: (UInt16, UInt16, UInt16, UInt16) { bits { UInt16(bitPattern: Int16(clamping: whole[$0])) } }

        private func bits(_ value: (Int) -> UInt16) -> (UInt16, UInt16, UInt16, UInt16) {
            (value(0), value(1), value(2), value(3))
        }
    }
}

/// A number's last place, in steps.
private let unit = 1.0 / 64
private let top = Int(FROST_FIXED_TOP)

private func four(_ value: (Int) -> Int16) -> (Int16, Int16, Int16, Int16) {
    (value(0), value(1), value(2), value(3))
}

private func abs(_ x: SIMD4<Double>) -> SIMD4<Double> { x.replacing(with: -x, where: x .< 0) }
