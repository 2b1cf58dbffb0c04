import CFrostKernels
import FrostCore

/// The colour stages of 8-bit images in fixed point, for the C kernels. Numbers are in 1/64 of an 8-bit step.
struct FixedOutputStages {
    private(set) var stages: [frost_fixed_stage] = []
    /// The constants that the last stage adds to the four channels of the result, in 1/64 of an 8-bit step. Each
    /// constant is added together with the rounding or dither offset.
    private(set) var add: (Int16, Int16, Int16, Int16) = (0, 0, 0, 0)
    /// The maximum rounding error of the result, in 8-bit steps. A stage amplifies the error of the stages before it.
    ///
    /// The initial value is 3/256 of a step: the arriving numbers are in 1/256 of a step, and the kernel drops up to
    /// 3/256 when it converts them to 1/64 of a step.
    private(set) var roundingError = 0.75 * unit

    /// Whether the stages keep opaque pixels opaque.
    var keepsOpaque: Bool {
        stages.allSatisfy { stage in
            let isScale = stage.kind == FROST_FIXED_SCALE, isFactor = stage.kind == FROST_FIXED_FACTOR
            guard isScale || isFactor else { return true }
            let product = (top * Int(stage.scale.3) + (1 << 14)) >> 15
            return product + Int(isScale ? stage.add.3 : add.3) == top
        }
    }

    /// Converts the colour stages of pixels that show only the effect: no original is mixed in and no content is drawn
    /// over them.
    ///
    /// - Returns: nil if the kernel does not support a stage, or if a stage's numbers exceed the range of fixed point.
    init?(_ outputStages: OutputStages) {
        // Mixing with the original rounds the weight and the product. The two roundings together add at most one unit
        // (1/64 of a step) to the error.
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
        // A LIFT stage clamps its result to at most alpha. A SPREAD stage directly before a LIFT stage therefore need
        // not clamp.
        for (i, stage) in stages.enumerated().dropFirst() where stage.kind == FROST_FIXED_LIFT {
            let kind = stages[i - 1].kind
            if kind == FROST_FIXED_SPREAD || kind == FROST_FIXED_SPREAD_FAR { stages[i - 1].limits = 0 }
        }
    }
}

extension OutputStages {
    /// All colour stages in order: first the stages before the mask, then the stages after the mask. Together they
    /// apply to pixels that show only the effect.
    var stages: [ColorStage] { inside + over }
}

/// A stage for the C kernel. `roundingError` is the maximum error that its rounded numbers and factors cause, in 8-bit
/// steps.
private struct FixedStage {
    var stage = frost_fixed_stage()
    var roundingError: Double

    /// Converts a matrix that computes each channel from this channel alone, as `scale * x + one`. Returns nil for
    /// other matrices.
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
        // If all channels have the same factor, alpha has the largest added constant, and the results are in range,
        // then each colour stays at most alpha. Nothing has to be clamped in this case.
        let keepsOrder =
            (0..<3).allSatisfy { factors[$0] == factors[3] && (0...add[3]).contains(add[$0]) }
            && (top * scale.whole[3] + (1 << 14)) >> 15 + add[3] <= top
        stage.limits = keepsOrder ? 0 : Int32(FROST_LIMIT_ALPHA | FROST_LIMIT_COLORS)
        roundingError = unit + scale.error * 255
    }

    /// Converts a matrix that computes each colour as a sum of three terms: a multiple of the colour itself, a
    /// luminance, and a multiple of alpha. The luminance is a weighted sum of red, green and blue, and is the same for
    /// all three colours. Returns nil for other matrices.
    ///
    /// - Parameter isLast: whether the stage is the last one.
    init?(spread m: ColorMatrix, isLast: Bool) {
        // A matrix of this kind adds each colour channel, times a weight, to the two other channels: red with the weight
        // of red, and so on. These are the three weights.
        let parts = SIMD3(m.red[1], m.green[0], m.blue[0])
        let own = SIMD3(m.red[0], m.green[1], m.blue[2]) - parts
        let others = SIMD3(m.red[2], m.green[2], m.blue[1])
        func isZero(_ x: Double) -> Bool { abs(x) < 1e-9 }
        guard (0..<3).allSatisfy({ isZero(parts[$0] - others[$0]) && isZero(own[$0] - own[0]) }), isZero(m.red[3]),
            isZero(m.green[3]), isZero(m.blue[3]), isZero(m.alpha[3] - 1), m.one == .zero
        else { return nil }
        let lift = SIMD4(m.alpha[0], m.alpha[1], m.alpha[2], 0)
        stage.limits = Int32(FROST_LIMIT_COLORS)
        // The maximum and the minimum of each colour before it is clamped.
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
            // If the factors exceed the range of fixed point, the kernel computes half the result and doubles it.
            let divisor = own[0] < 1.99 && parts.min() > -0.99 ? 1.0 : 2
            stage.kind = divisor == 1 ? FROST_FIXED_SPREAD : FROST_FIXED_SPREAD_FAR
            let weights = Quantized(SIMD4(-parts / divisor, 0))
            let scale = Quantized(grey: (own[0] + parts.sum()) / divisor, less: weights, alpha: 1 / divisor)
            (stage.scale, stage.weights) = (scale.unsigned, weights.signed)
            // The kernel drops the fractions of two numbers and subtracts one number from the other. The error of the
            // difference is at most one unit.
            roundingError = divisor * (unit + (weights.error * 3 + abs(scale.factor(0) - own[0] / divisor)) * 255)
        } else if fits, parts.min() > -1.9, parts.max() < 1.9 {
            let (weights, shift) = (Quantized(SIMD4(parts, 0) / 2), Quantized(lift / 2))
            // The kernel multiplies 2x by the factor. The factor for alpha is one half, so that alpha does not change.
            let scale = Quantized(grey: (own[0] + parts.sum()) / 2, less: weights, sign: -1, alpha: 0.5)
            stage.kind = FROST_FIXED_SHIFT
            // The last stage need not clamp if the matrix keeps colours in range. Rounding errors may still move
            // results outside 0...255, but the conversion to bytes clamps these results.
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
        // The largest weight takes the remainder of the rounding, so that the sum is exactly 1 and the luminance of a
        // grey pixel equals the grey value.
        whole[exact.firstIndex(of: exact.max() ?? 0) ?? 0] += 32768 - whole.reduce(0, +)
        stage.kind = FROST_FIXED_CURVE
        stage.weights = four { $0 < 3 ? Int16(whole[$0]) : 0 }
        // The factor 32767/32768 stands for 1: the kernel multiplies a number by this factor and rounds, and the result
        // is the number itself.
        let keep = Quantized(SIMD4(SIMD3(repeating: min(1 - amount, 32767.0 / 32768)), 32767.0 / 32768))
        stage.scale = keep.unsigned
        // The coefficients are stored in 1/16384. If the luminance equals alpha, the curve's argument is 1, and the
        // kernel's number t is 32640 = 128 * 255. The kernel multiplies by t/32768, which is then 255/256 instead of 1.
        // The powers of 256/255 correct this.
        let c = curve.coefficients * amount
        let powers = Quantized(
            SIMD4<Double>(
                c[0], c[1] * 256 / 255, c[2] * 256 / 255 * 256 / 255, c[3] * 256 / 255 * 256 / 255 * 256 / 255)
                / 2)
        stage.curve = powers.signed
        // The intermediate results of Horner's method, at both ends of the range of t and at the extremum of the
        // parabola. All other intermediate results lie between these. They must fit into the kernel's signed numbers.
        // If the curve stays in 0...1, the result stays in 0...alpha and needs no limits.
        let turn = c[3] == 0 ? 0 : min(max(-c[2] / (2 * c[3]), 0), 1)
        let sums = [0, turn, 1].flatMap { t in
            [c[3] * t + c[2], (c[3] * t + c[2]) * t + c[1]]
        }
        let values = (0..<4).map { curve.values[$0] }
        guard (sums + values.map { $0 * amount } + [c[3]]).allSatisfy({ abs($0) < 1.9 }) else { return nil }
        stage.limits = ColorStage.luminance(curve).keepsGamut ? 0 : Int32(FROST_LIMIT_COLORS)
        // The luminance is rounded down to 1/128 of a step.
        let lumaError = unit / 2 + zip(whole, exact).reduce(0) { $0 + abs(Double($1.0) / 32768 - $1.1) } * 255
        // The kernel rounds five products and t. For an opaque pixel the kernel uses full scale as alpha, which may be
        // two units higher than the pixel's own alpha.
        roundingError = 5 * unit + keep.error * 255 + 4 * powers.error * 2 * 255
        roundingError += amount * curve.steepness * (lumaError + unit / 4)
    }

    /// Four factors as integers in 1/32768.
    private struct Quantized {
        let whole: [Int]
        /// The maximum difference of an integer factor from its exact value.
        let error: Double

        init(_ values: SIMD4<Double>) {
            whole = (0..<4).map { Int((values[$0] * 32768).rounded()) }
            error = zip(whole, 0..<4).map { abs(Double($0) / 32768 - values[$1]) }.max() ?? 0
        }

        /// Computes the factors of a kernel that multiplies each colour channel by a factor, and then subtracts a
        /// luminance from the product. If `sign` is -1, the kernel adds the luminance instead. The factor is chosen so that
        /// the result of a grey pixel is exact.
        init(grey: Double, less weights: Quantized, sign: Int = 1, alpha: Double) {
            let color = Int((grey * 32768).rounded()) + sign * weights.whole.reduce(0, +)
            whole = [color, color, color, Int(alpha * 32768)]
            error = 0
        }

        func factor(_ i: Int) -> Double { Double(whole[i]) / 32768 }

        var signed: (Int16, Int16, Int16, Int16) { four { Int16(clamping: whole[$0]) } }
        var unsigned: (UInt16, UInt16, UInt16, UInt16) { bits { UInt16(clamping: whole[$0]) } }
        /// The factors as signed numbers, stored in the bits of a field that is declared as unsigned.
        var bits: (UInt16, UInt16, UInt16, UInt16) { bits { UInt16(bitPattern: Int16(clamping: whole[$0])) } }

        private func bits(_ value: (Int) -> UInt16) -> (UInt16, UInt16, UInt16, UInt16) {
            (value(0), value(1), value(2), value(3))
        }
    }
}

/// The unit of the fixed-point numbers, in 8-bit steps.
private let unit = 1.0 / 64
private let top = Int(FROST_FIXED_TOP)

private func four(_ value: (Int) -> Int16) -> (Int16, Int16, Int16, Int16) {
    (value(0), value(1), value(2), value(3))
}

private func abs(_ x: SIMD4<Double>) -> SIMD4<Double> { x.replacing(with: -x, where: x .< 0) }
