import CFrostKernels
import FrostCore

/// Limits of colours that are met when bytes are made, behind the last doubling: so that all before it is linear, and cells may be
/// coloured whatever they are.
///
/// For a matrix that keeps alpha, and one behind it that only shrinks and shifts: with x what the first makes, a its alpha, the
/// result is
///
///     scale min(max(x, 0), a) + shift = min(max(scale x + shift, shift), scale a + shift),
///
/// and of the last term the alpha of the result is all that changes from pixel to pixel: with y the result less its shift, alpha's
/// as well, colours are at least 0 and at most the y of alpha. So cells hold scale x + shift, as far as it leaves 0...255, with
/// fewer places behind the point.
struct LateLimits {
    /// From premultiplied colours in 0...1 to the numbers of cells, as ``frost_color_stage`` with 255 for 1 has them.
    let matrix: ColorMatrix
    let limits: frost_late_limits
    /// Opaque cells have at least this alpha.
    let opaque: Float
    /// What the places that are missing may lead the result off, in steps.
    let noise: Double

    /// What is added after interpolation, in 256ths of a step.
    var add: [UInt16] { [limits.add.0, limits.add.1, limits.add.2, limits.add.3] }

    /// - Returns: nil for other stages, and where the places that are left do not do: for what is even to stay so, or for `spare`, in
    ///   steps.
    init?(_ stages: [ColorStage], _ doublings: [Doubling], spare: Double) {
        guard let (first, scale, shift) = Self.parts(ColorStage.merged(stages)), doublings.last?.taps.count == 2
        else { return nil }
        // The results without limits, of opaque colours: those reach furthest. In steps.
        let columns = [first.red, first.green, first.blue]
        let least = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMin($1, .zero) }) + shift)
        let most = 255 * (scale * (first.alpha + columns.reduce(.zero) { $0 + pointwiseMax($1, .zero) }) + shift)
        // Whole steps below the shift, one of them for what filters leave beyond colours.
        var below = (255 * shift - pointwiseMin(least, 255 * shift)).rounded(.up) + 1
        below[3] = 1
        let reach = (pointwiseMax(most, 255 * (scale + shift)) - 255 * shift + below).max() + 1
        guard let places = (0...8).last(where: { Double(1 << $0) * reach <= 65535 }) else { return nil }
        let unit = Double(1 << places)
        // Roundings of the doublings, along both axes, and the cell's own, which is off by 3/4 of a place at most.
        let roundings = doublings.map { FixedRoundingError.doubling($0.taps.count) }
        let highest = 2 * roundings.reduce(0) { $0 + $1.high } + 0.75
        noise = max(highest, 0.25 - 2 * roundings.reduce(0) { $0 + $1.low }) / unit
        // Averages of two keep what is even; sums of products leave it by as many places as are added, and dither does not show
        // a sixteenth of a step.
        let uneven = doublings.reduce(0) { $0 + ($1.taps.count == 2 ? 0 : $1.taps.count / 2) }
        guard noise <= spare, Double(2 * uneven) + 0.75 <= unit / 16 else { return nil }
        var cells = ColorMatrix()
        // A quarter of a place keeps white, which filters leave a place of 256 below, from becoming darker.
        let base = 255 * shift - below - 0.25 / unit
        cells.red *= unit / 256
        cells.green *= unit / 256
        cells.blue *= unit / 256
        cells.alpha *= unit / 256
        cells.one = -base / 255 * unit / 256
        var after = ColorMatrix()
        (after.red[0], after.green[1], after.blue[2], after.alpha[3]) = (scale[0], scale[1], scale[2], scale[3])
        after.one = shift
        matrix = cells.following(after).following(first)
        // An eighth of a step holds what filters take; pixels of such cells are a few places further below, and are not limited by
        // their alpha wherever they are, so that it does not matter to them what else is in a row.
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
