import CFrostKernels
import FrostCore

/// Limits of colours that are applied late: after the last interpolation, when bytes are written. All computations
/// before the limits are then linear, so the colour stages can be applied to low-resolution samples.
///
/// Derivation, for a matrix that keeps alpha, followed by a matrix that only scales down and shifts:
/// let x be the first matrix's result and a its alpha. The result is
///
///     scale min(max(x, 0), a) + shift = min(max(scale x + shift, shift), scale a + shift),
///
/// and only the alpha in the last term differs from pixel to pixel. Let y be the result minus its shift, also for
/// alpha. Then each colour's y is at least 0 and at most alpha's y. Samples therefore hold scale x + shift. These
/// numbers may lie outside 0...255. To fit in 16 bits, they may need to have fewer fractional bits.
struct LateLimits {
    /// The matrix that converts premultiplied colours in 0...1 to the numbers that samples hold. The C kernel
    /// (``frost_color_stage``) applies the matrix to colours on the scale 0...255.
    let matrix: ColorMatrix
    let limits: frost_late_limits
    /// The minimum alpha of opaque samples.
    let opaque: Float

    /// The constant that is added to each channel after interpolation, in 1/256 of an 8-bit step.
    var add: [UInt16] { [limits.add.0, limits.add.1, limits.add.2, limits.add.3] }

    /// Converts colour stages to a matrix and late limits.
    ///
    /// - Parameters:
    ///   - interpolations: the interpolations from the samples to the pixels.
    ///   - budget: the maximum rounding error, in 8-bit steps.
    /// - Returns: nil if the stages do not have the form that the derivation of ``LateLimits`` assumes. Also nil if too
    ///   few fractional bits remain: the rounding error would exceed the budget, or flat areas would not stay flat.
    init?(_ stages: [ColorStage], _ interpolations: [InterpolationTaps], budget: Double) {
        guard let (first, scale, shift) = Self.parts(ColorStage.merged(stages)), interpolations.last?.taps.count == 2
        else { return nil }
        // The smallest and the largest results before they are limited, in 8-bit steps. They are computed for opaque
        // colours, because these have the largest range of results.
        let columns = [first.red, first.green, first.blue]
        let minimum = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMin($1, .zero) }) + shift)
        let maximum = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMax($1, .zero) }) + shift)
        // How far the results may lie below the shift, in whole 8-bit steps. One step is added because, with
        // rounding errors, the blur's colours may lie slightly outside the range of colours.
        var below = (255 * shift - pointwiseMin(minimum, 255 * shift)).rounded(.up) + 1
        below[3] = 1
        let reach = (pointwiseMax(maximum, 255 * (scale + shift)) - 255 * shift + below).max() + 1
        guard let places = (0...8).last(where: { Double(1 << $0) * reach <= 65535 }) else { return nil }
        let unit = Double(1 << places)
        // The rounding errors of the interpolations along both axes, and the error of the sample itself. The sample's
        // error is at most 3/4 of a unit.
        let roundings = interpolations.map { FixedRoundingError.interpolation($0.taps.count) }
        let highest = 2 * roundings.reduce(0) { $0 + $1.high } + 0.75
        let roundingError = max(highest, 0.25 - 2 * roundings.reduce(0) { $0 + $1.low }) / unit
        // Flat areas must stay flat. Averages of two samples keep equal pixels equal. With sums of products, equal
        // pixels may differ by as many units as the sum has terms. Differences of up to a sixteenth of a step are
        // hidden by dither.
        let uneven = interpolations.reduce(0) { $0 + ($1.taps.count == 2 ? 0 : $1.taps.count / 2) }
        guard roundingError <= budget, Double(2 * uneven) + 0.75 <= unit / 16 else { return nil }
        var samples = ColorMatrix()
        // White may arrive 1/256 of a step too low. A quarter of a unit is added so that white does not become darker.
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
        // Rounding lowers the alpha of samples by less than an eighth of a step, and lowers the alpha of pixels that
        // are computed from them by a few more units. Opaque pixels are not limited by their alpha, so that their
        // result does not depend on other pixels of a row.
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

    /// Returns the first stage, and the factors and constants of the second stage. Returns nil if the stages do not
    /// have the form that the derivation of ``LateLimits`` assumes.
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
        // Alpha must be scaled by the same factor as the colours. Otherwise the lower limit of the colours would depend
        // on alpha.
        guard plain == second, scale[3] > 0, scale == SIMD4(repeating: scale[3]) else { return nil }
        return (first, scale, second.one)
    }
}

extension ColorMatrix {
    fileprivate var keepsAlpha: Bool {
        red[3] == 0 && green[3] == 0 && blue[3] == 0 && alpha[3] == 1 && one[3] == 0
    }
}
