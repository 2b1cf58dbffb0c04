import CFrostKernels
import FrostCore

/// Limits of colours that are applied when bytes are made, after the last interpolation: everything before is linear, so
/// low-resolution samples can be coloured whatever their values.
///
/// For a matrix that keeps alpha, followed by one that only shrinks and shifts: with x the first one's result and a its
/// alpha, the result is
///
///     scale min(max(x, 0), a) + shift = min(max(scale x + shift, shift), scale a + shift),
///
/// and in the last term only alpha changes from pixel to pixel. With y the result minus its shift, for alpha too, colours
/// are at least 0 and at most alpha's y. So samples hold scale x + shift, also outside 0...255, with fewer fractional bits.
struct LateLimits {
    /// From premultiplied colours in 0...1 to the numbers of samples, as ``frost_color_stage`` with 255 for 1 has them.
    let matrix: ColorMatrix
    let limits: frost_late_limits
    /// Opaque samples have at least this alpha.
    let opaque: Float

    /// What is added after interpolation, in 256ths of a step.
    var add: [UInt16] { [limits.add.0, limits.add.1, limits.add.2, limits.add.3] }

    /// - Parameters:
    ///   - interpolations: from the samples to the pixels.
    ///   - budget: of errors, in steps.
    /// - Returns: nil for other stages, and if the remaining fractional bits are too few: for even pixels to stay even, or
    ///   for the budget.
    init?(_ stages: [ColorStage], _ interpolations: [InterpolationTaps], budget: Double) {
        guard let (first, scale, shift) = Self.parts(ColorStage.merged(stages)), interpolations.last?.taps.count == 2
        else { return nil }
        // The range of the results without limits, for opaque colours, which reach furthest. In steps.
        let columns = [first.red, first.green, first.blue]
        let minimum = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMin($1, .zero) }) + shift)
        let maximum = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMax($1, .zero) }) + shift)
        // Whole steps below the shift; one of them because the blur's roundings may leave the range of colours.
        var below = (255 * shift - pointwiseMin(minimum, 255 * shift)).rounded(.up) + 1
        below[3] = 1
        let reach = (pointwiseMax(maximum, 255 * (scale + shift)) - 255 * shift + below).max() + 1
        guard let places = (0...8).last(where: { Double(1 << $0) * reach <= 65535 }) else { return nil }
        let unit = Double(1 << places)
        // Roundings of the interpolations, along both axes, and of the sample itself, at most 3/4 of a unit.
        let roundings = interpolations.map { FixedRoundingError.interpolation($0.taps.count) }
        let highest = 2 * roundings.reduce(0) { $0 + $1.high } + 0.75
        let roundingError = max(highest, 0.25 - 2 * roundings.reduce(0) { $0 + $1.low }) / unit
        // Averages of two keep even pixels even; sums of products differ by as many units as there are terms, and dither
        // hides a sixteenth of a step.
        let uneven = interpolations.reduce(0) { $0 + ($1.taps.count == 2 ? 0 : $1.taps.count / 2) }
        guard roundingError <= budget, Double(2 * uneven) + 0.75 <= unit / 16 else { return nil }
        var samples = ColorMatrix()
        // White may arrive one 256th too low: a quarter of a unit keeps it from becoming darker.
        let base = 255 * shift - below - 0.25 / unit
        samples.red *= unit / 256
        samples.green *= unit / 256
        samples.blue *= unit / 256
        samples.alpha *= unit / 256
        samples.one = -base / 255 * unit / 256
        var after = ColorMatrix()
        (after.red[0], after.green[1], after.blue[2], after.alpha[3]) = (scale[0], scale[1], scale[2], scale[3])
        after.one = shift
        matrix = samples.following(after).following(first)
        // Roundings lower alpha by less than an eighth of a step, and by a few units more in pixels made of such samples.
        // Opaque pixels are not limited by their alpha, so that their result does not depend on what else is in a row.
        opaque = Float((255 * (scale[3] + shift[3]) - 0.125 - base[3]) * unit / 256)
        let opaqueFrom = 256 * (255 * scale[3] - 0.125 - 4 / unit)
        func numbers(_ values: SIMD4<Double>) -> (UInt16, UInt16, UInt16, UInt16) {
            let whole = (0..<4).map { UInt16(min(max(values[$0].rounded(), 0), 65535)) }
            return (whole[0], whole[1], whole[2], whole[3])
        }
        limits = frost_late_limits(
            low: numbers(below * unit), span: numbers(255 * scale * unit), add: numbers(255 * 256 * shift),
            factor: UInt16(256 / unit), opaque: UInt16(max(opaqueFrom.rounded(.down), 0)))
    }

    /// The first stage, and by what the second one multiplies and what it adds.
    private static func parts(
        _ stages: [ColorStage]
    ) -> (first: ColorMatrix, scale: SIMD4<Double>, shift: SIMD4<Double>)? {
        guard let stage = stages.first, stages.count <= 2, case .matrix(let first) = stage, first.keepsAlpha,
            first.one == .zero
        else { return nil }
        guard stages.count == 2 else { return (first, SIMD4(repeating: 1), .zero) }
        guard case .matrix(let second) = stages[1], second.keepsGamut else { return nil }
        let scale = SIMD4(second.red[0], second.green[1], second.blue[2], second.alpha[3])
        var plain = ColorMatrix()
        (plain.red[0], plain.green[1], plain.blue[2], plain.alpha[3]) = (scale[0], scale[1], scale[2], scale[3])
        plain.one = second.one
        // Alpha shrinks as colours do, or the least that they may be would depend on it.
        guard plain == second, scale[3] > 0, scale == SIMD4(repeating: scale[3]) else { return nil }
        return (first, scale, second.one)
    }
}

extension ColorMatrix {
    fileprivate var keepsAlpha: Bool {
        red[3] == 0 && green[3] == 0 && blue[3] == 0 && alpha[3] == 1 && one[3] == 0
    }
}
