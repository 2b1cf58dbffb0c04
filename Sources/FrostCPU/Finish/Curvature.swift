import CFrostKernels
import FrostCore

/// How far stages of colour are from linear: whether it matters if cells are coloured and interpolated then, or the reverse.
///
/// Interpolation is an average with positive weights, and goes through everything linear.
///
/// - A curve's grey is `alpha curve(t)` with t = luma / alpha. Averages of luma and alpha have for their t the average of the
///   cells' t, by weights of alpha. So the error is alpha times what the curve's average is off from the curve at the average:
///   at most half its second derivative times the variance of t.
/// - A limit does not matter where all cells lie on one side of it. Else it is wrong by what the cells on one side, each by its
///   weight, lie beyond it, whichever side makes that less. The square of which a cell on the other side is part has r: no cell
///   lies further beyond, unless all that squares have in common lies on its side; then the others weigh less than half.
///   So it is at most r/2; and r where alpha is the limit and changes, too.
/// - What comes before a limit makes the difference larger, what comes after either the error, by what
///   ``ColorStage/amplification`` says.
struct Curvature {
    /// Half the curve's second derivative, in steps of the result.
    private var curve = 0.0
    /// The error of limits by the difference of an opaque pixel's numbers.
    private var limits = 0.0

    /// Stages that the kernel takes: as many as have a place in its notes.
    private static let most = 4

    /// - Returns: nil without a curve, and for stages that the kernel does not have.
    init?(_ stages: [ColorStage]) {
        guard stages.count <= Self.most else { return nil }
        var gain = 1.0
        for stage in stages {
            let growth = stage.amplification
            gain *= growth
            curve *= growth
            limits = limits * growth + gain
            switch stage {
            case .matrix: break
            case .luminance(let stage):
                guard curve == 0 else { return nil }
                curve = 255 / 2 * stage.amount * stage.greatestCurvature
            case .grain, .encode, .scatter: return nil
            }
        }
        guard curve > 0 else { return nil }
    }

    /// Differences up to which the error is at most `budget`, in steps.
    ///
    /// - Parameters:
    ///   - doublings: from cells to pixels.
    ///   - keepsOpaque: see ``FixedFinish/keepsOpaque``.
    func bends(budget: Double, _ doublings: [Doubling], keepsOpaque: Bool) -> Bends {
        // Cells are rounded to 256ths, and beyond limits by less than the slack they count as within.
        let budget = max(budget - 0.5 / 256 - Double(FROST_LIMIT_SLACK) * limits, 0)
        // Limits are met by few pixels, and where they are not met alike, little is gained.
        let share = budget / 16
        let limit = Int(2 * share / limits * 256)
        let soft = UInt16(clamping: limit / 2)
        let luma = ((budget - share) / (curve * doublings.variance)).squareRoot()
        return Bends(
            // A number is up to a place off.
            luma: Int(max(luma * Bends.lumaScale - 2, 0)),
            numbers: [keepsOpaque ? UInt16(clamping: limit) : soft, soft])
    }
}

/// How much the cells of a square may differ for colours to be interpolated between them.
struct Bends {
    /// In ``lumaScale``ths of alpha, on the curve.
    let luma: Int
    /// In 256ths of a step, where not all meet the same limits: of opaque cells, and of soft ones.
    let numbers: [UInt16]

    /// As kernels have it.
    fileprivate static let lumaScale = 32640.0
}

extension LuminanceCurve {
    /// The largest second derivative, up or down.
    fileprivate var greatestCurvature: Double {
        let c = coefficients
        return max(abs(2 * c[2]), abs(2 * c[2] + 6 * c[3]))
    }
}
