import CFrostKernels
import FrostCore

/// The colour stages of 8-bit images in fixed point, for the C kernels. Numbers are in 1/128 of an 8-bit step. The formulas
/// of the stages are in CFrostKernels.h.
struct FixedOutputStages {
    /// The stages before the mask. Without a mask, ``over`` has all stages.
    let inside: [frost_fixed_stage]
    let over: [frost_fixed_stage]
    /// The maximum rounding error of the result, in 8-bit steps. A stage amplifies the error of the stages before it.
    let roundingError: Double

    /// Converts the output stages for a target format.
    ///
    /// - Parameter budget: the maximum rounding error, in 8-bit steps.
    /// - Returns: nil if the stages cannot be computed within the budget, or if the format is not 8-bit RGB or RGBA.
    init?(_ stages: OutputStages, within budget: Double, to format: PixelFormat) {
        self.init(stages, to: format)
        if roundingError > budget { return nil }
    }

    /// Converts the output stages for a target format.
    ///
    /// - Returns: nil if a stage cannot be computed, or if the format is not 8-bit RGB or RGBA.
    init?(_ stages: OutputStages, to format: PixelFormat) {
        guard format.sample.isEightBit, format.channels == .rgb || format.channels == .rgba else { return nil }
        self.init(stages)
    }

    /// Converts the colour stages, and bounds the rounding errors of all output stages in fixed point.
    ///
    /// - Returns: nil if the kernel does not support a stage, or if a stage's numbers exceed the range of fixed point.
    init?(_ stages: OutputStages) {
        // The arriving numbers are in 1/256 of a step. Half of them lose their last bit.
        var error = unit / 2
        func convert(_ list: [ColorStage]) -> [frost_fixed_stage]? {
            var converted: [frost_fixed_stage] = []
            for stage in ColorStage.merged(list) {
                guard let fixed = FixedStage(stage) else { return nil }
                error = error * stage.amplification + fixed.roundingError
                converted.append(fixed.stage)
            }
            return converted
        }
        if stages.mask == nil {
            guard let all = convert(stages.inside + stages.over) else { return nil }
            (inside, over) = ([], all)
        } else {
            guard let first = convert(stages.inside) else { return nil }
            error += Self.mixture
            guard let last = convert(stages.over) else { return nil }
            (inside, over) = (first, last)
        }
        for layer in stages.content {
            // The layer is drawn in floats, and the result is rounded to 1/256 of a step.
            error = error * (layer.vibrancy.map { max(1, ColorStage.matrix($0.matrix).amplification) } ?? 1) + unit / 4
        }
        // The original is darkened in floats, too.
        if stages.shadow != nil { error += unit / 4 }
        roundingError = error + (stages.endsInMixture ? Self.mixture : 0)
    }

    /// The maximum rounding error of a mixture with the original: the numbers lose up to 3/256 of a step, and the roundings of
    /// the weight and of the product together add up to 1/64 of a step.
    private static let mixture = 3.0 / 256 + 1.0 / 64
}

/// A stage for the C kernel. `roundingError` is the maximum error that its rounded numbers and factors cause, in 8-bit
/// steps.
private struct FixedStage {
    var stage = frost_fixed_stage()
    var roundingError: Double

    init?(_ stage: ColorStage) {
        switch stage {
        case .matrix(let matrix):
            switch matrix.form {
            case .tint(let scale, let constant): self.init(tint: matrix, scale, constant)
            case .adjustment(let scale, let weights): self.init(adjustment: scale, weights)
            case .general: return nil
            }
        case .luminance(let curve): self.init(curve)
        case .vivid(let vividness): self.init(vividness)
        // These run in floats.
        case .grain, .encode, .scatter, .contrast: return nil
        }
    }

    private init?(tint matrix: ColorMatrix, _ scale: Double, _ constant: SIMD4<Double>) {
        guard matrix.keepsGamut, (0..<0.9999).contains(scale) else { return nil }
        let factor = Factor(scale)
        // Opaque pixels must stay exactly opaque, and no colour may exceed alpha.
        let rest = top - (top * factor.whole + (1 << 14)) >> 15
        let keepsOpaque = abs(scale + constant[3] - 1) < 1e-9
        let alpha = keepsOpaque ? rest : min(Int((constant[3] * Double(top)).rounded()), rest)
        stage.kind = FROST_FIXED_TINT
        stage.scale = factor.stored
        stage.add = four { Int16($0 == 3 ? alpha : min(Int((constant[$0] * Double(top)).rounded()), alpha)) }
        roundingError = unit + 2 * factor.error * 255
    }

    private init?(adjustment scale: Double, _ weights: SIMD4<Double>) {
        let largest = (0..<4).reduce(0) { $0 + max(weights[$1], 0) }
        let smallest = (0..<4).reduce(0) { $0 + min(weights[$1], 0) }
        let colors = SIMD3(weights[0], weights[1], weights[2])
        if abs(scale - 1) < 1e-9, colors == .zero, abs(weights[3]) < 0.9999 {
            let factor = Factor(weights[3])
            stage.kind = FROST_FIXED_LIFT
            stage.weights.3 = factor.stored
            roundingError = unit / 2 + factor.error * 255
            return
        }
        // If the factors exceed the range of fixed point, the kernel computes half the result and doubles it.
        let range = 1 + 1e-9
        let divisor = abs(scale - 1) <= range && largest <= range && smallest >= -range ? 1.0 : 2
        guard abs(scale - 1) <= 2 * range, largest <= 2 * range, smallest >= -2 * range else { return nil }
        let own = Factor((scale - 1) / divisor)
        let factors = (0..<4).map { Factor(weights[$0] / divisor) }
        stage.kind = divisor == 1 ? FROST_FIXED_ADJUST : FROST_FIXED_ADJUST_HALF
        stage.scale = own.stored
        stage.weights = four { factors[$0].stored }
        // Every product, and half of a colour, is rounded to the nearest number or down by half.
        let roundings = Double(1 + factors.count { $0.whole != 0 } + (divisor == 1 ? 0 : 1))
        let inexact = factors.reduce(own.error) { $0 + $1.error }
        roundingError = divisor * (roundings * unit / 2 + inexact * 255)
    }

    private init?(_ curve: LuminanceCurve) {
        let exact = [curve.luma.red, curve.luma.green, curve.luma.blue]
        // Only a strong saturation at a small strength has a larger factor.
        guard (0..<0.9999).contains(curve.colorFactor), exact.allSatisfy({ (0..<1).contains($0) }) else { return nil }
        let weights = exact.map { Factor($0) }
        stage.kind = FROST_FIXED_LUMINANCE
        stage.weights = four { $0 < 3 ? weights[$0].stored : 0 }
        let kept = Factor(curve.colorFactor)
        stage.scale = kept.stored
        // The coefficients are stored in 1/16384. If the luminance equals alpha, the curve's argument is 1, and the
        // kernel's number t is 32640 = 128 * 255. The kernel multiplies by t/32768, which is then 255/256 instead of 1.
        // The powers of 256/255 correct this.
        let c = curve.greyCoefficients
        let ratio = 256.0 / 255
        let powers: [Double] = [c[0], c[1] * ratio, c[2] * ratio * ratio, c[3] * ratio * ratio * ratio]
        // The intermediate results of Horner's method, at both ends of the range of t and at the extremum of the
        // parabola. All other intermediate results lie between these. They must fit into the kernel's signed numbers.
        let turn: Double = c[3] == 0 ? 0 : min(max(-c[2] / (2 * c[3]), 0), 1)
        let sums = [0, turn, 1].flatMap { (t: Double) -> [Double] in
            let sum = c[3] * t + c[2]
            return [sum, sum * t + c[1]]
        }
        // A cubic polynomial stays within the ordinates of its four control points.
        let (linear, square) = (c[0] + c[1] / 3, c[0] + (2 * c[1] + c[2]) / 3)
        let values: [Double] = [c[0], linear, square, c[0] + c[1] + c[2] + c[3]]
        guard (sums + values + powers).allSatisfy({ abs($0) < 1.9 }) else { return nil }
        let factors = powers.map { Factor($0 / 2) }
        stage.curve = four { factors[$0].stored }
        // Three products of the luminance are rounded, and its quotient. The kernel rounds four products of the curve; the
        // error of the last is doubled, and the others are in 1/16384 of full scale.
        let lumaError = 2 * unit + weights.reduce(0) { $0 + $1.error } * 255
        let coefficientError = 2 * factors.reduce(0) { $0 + $1.error } + 1.5 / 16384
        roundingError = 1.5 * unit + (kept.error + coefficientError) * 255 + curve.greySteepness * lumaError
    }

    /// The kernel computes p = k (1 - k) in 1/32512 and d in 1/32640. With P for the product of the three p in these units, and D
    /// for the sum of the d², f is `(s - 1) P (P⁴ + (5/4 (s - 1)² (255/256)² D)² T)^(-1/4)`, T being the sum of the fourth powers of the
    /// products of two p. The powers of two keep floats in their range.
    private init?(_ vividness: Vividness) {
        let (numbers, weights) = (vividness.numbers, Vividness.weights)
        let more = numbers[0]
        // Other saturations exceed the range of the factor, or need another form where a channel is 0.
        guard (0..<0.9999).contains(more), numbers[2] < 0.9999 else { return nil }
        let toWhite = numbers[3] == 1
        stage.kind = FROST_FIXED_VIVID
        stage.weights = (Factor(weights.red).stored, 0, Factor(weights.blue).stored, 0)
        let ratio = 255.0 / 256
        stage.limits = (Float(more * 32768 * 0x1p-39), Float(numbers[1] * ratio * ratio * 0x1p-78))
        stage.scale = Factor(numbers[2]).stored
        stage.add.0 = toWhite ? Int16(top) : 0
        // (y xor curve[0]) + curve[1] is y - 1/2, or 1/2 - y, because the complement of y is -y - 1.
        stage.curve = toWhite ? (0, Int16(-top / 2), 0, 0) : (-1, Int16(top / 2 + 1), 0, 0)
        // The largest errors of many random colours are 3.9 units without a white point, 5.3 with w = 0.55, and 8.1 with 1. Most of
        // them comes from the luma, of which the white point takes three times the error. The tests repeat this.
        roundingError = max(4.1, 2.4 + 6 * numbers[2]) * unit
    }
}

/// A factor in 1/32768. `error` is the difference from its exact value.
private struct Factor {
    let whole: Int
    let error: Double

    init(_ value: Double) {
        whole = min(max(Int((value * 32768).rounded()), -32768), 32767)
        error = abs(Double(whole) / 32768 - value)
    }

    var stored: Int16 { Int16(whole) }
}

/// The unit of the fixed-point numbers, in 8-bit steps.
private let unit = 1.0 / 128
private let top = Int(FROST_FIXED_TOP)

private func four(_ value: (Int) -> Int16) -> (Int16, Int16, Int16, Int16) {
    (value(0), value(1), value(2), value(3))
}
