import FrostCore

/// The numbers that a plan is carried out with: floats, or fixed-point numbers for large pictures of 8 bits.
///
/// Fixed-point rows hold 256ths of a step in 16 bits: twice as many numbers a vector as floats, in half the cache. Each
/// filter rounds, by at most ``FixedRoundingError``. So only the two finest levels use them, which are nearly all of the
/// work; deeper levels are computed in floats.
struct Arithmetic {
    /// Numbers per pixel of a row. RGB is computed as opaque RGBA in fixed point, because four are a power of two.
    let channels: Int
    /// Levels 0 to this one are fixed point; nil if none is.
    let fixedLevel: Int?
    /// Whether the filter at the lowest resolution is.
    let convolvesFixed: Bool
    /// What the image's rows hold that a first decimation reads in fixed point.
    let arriving: RowKind
    /// The plan's output stages, if they run in fixed point too.
    let outputStages: FixedOutputStages?
    /// What remains of ``allowance`` after the blur, in steps.
    let remainingBudget: Double

    /// - Parameters:
    ///   - reader: of the source, writer: of the target.
    init(_ plan: Plan, reader: RowConversion, writer: RowConversion) {
        let outputStages = plan.outputStages
        guard plan.decoding == nil, let kind = ByteKind(reader), ByteKind(writer) != nil || !outputStages.isEmpty,
            let rounding = FixedRoundingError(plan, straight: kind == .straightRGBA),
            plan.errorBound + rounding.steps * outputStages.amplification <= Self.allowance
        else {
            self.init(floats: reader.working.count)
            return
        }
        let budget = Self.allowance - plan.errorBound - rounding.steps * outputStages.amplification
        let fixed = FixedOutputStages(outputStages).flatMap { $0.roundingError <= budget ? $0 : nil }
        self.init(
            channels: reader.working == .rgb ? 4 : reader.working.count, fixedLevel: rounding.level,
            convolvesFixed: rounding.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes,
            outputStages: fixed, remainingBudget: budget)
    }

    /// - Parameters:
    ///   - plan: of a blend's level.
    ///   - amplification: how much larger an error of it can become.
    ///   - reader: of the source.
    init(level plan: Plan, amplification: Double, reader: RowConversion) {
        guard plan.decoding == nil, let kind = ByteKind(reader),
            let rounding = FixedRoundingError(plan, straight: kind == .straightRGBA),
            (plan.errorBound + rounding.steps) * amplification <= Self.allowance
        else {
            self.init(floats: reader.working.count)
            return
        }
        self.init(
            channels: reader.working == .rgb ? 4 : reader.working.count, fixedLevel: rounding.level,
            convolvesFixed: rounding.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes, outputStages: nil)
    }

    /// - Parameter channels: numbers per pixel.
    init(floats channels: Int) {
        self.init(channels: channels, fixedLevel: nil, convolvesFixed: false, arriving: .floats, outputStages: nil)
    }

    private init(
        channels: Int, fixedLevel: Int?, convolvesFixed: Bool, arriving: RowKind, outputStages: FixedOutputStages?,
        remainingBudget: Double = 0
    ) {
        self.channels = channels
        self.fixedLevel = fixedLevel
        self.convolvesFixed = convolvesFixed
        self.arriving = arriving
        self.outputStages = outputStages
        self.remainingBudget = remainingBudget
    }

    /// What a plan's error and the roundings may add up to before the result is rounded, in steps: the promise of one
    /// step, less half a step for that.
    static let allowance = 0.5

    /// The kind of rows that are kept at a place.
    func kind(_ place: Place, of passes: Passes) -> RowKind {
        guard let fixedLevel else { return .floats }
        switch place {
        case .source, .output: return .fixed
        case .slot(let index):
            let slot = passes.slots[index]
            return slot.levelX == slot.levelY && slot.levelX <= fixedLevel ? .fixed : .floats
        }
    }

    /// What the rows hold that a plan makes before its output stages.
    func resultKind(of plan: Plan) -> RowKind {
        switch plan.work {
        case .copy, .kernel2D, .blend: .floats
        case .passes(let passes): steps(passes, passes.list.indices).last?.made ?? .floats
        }
    }

    /// Consecutive passes as the steps that nodes carry out.
    func steps(_ passes: Passes, _ range: Range<Int>) -> [ChainStep] {
        var steps: [ChainStep] = []
        var rest = passes.list[range]
        while let pass = rest.popFirst() {
            if let next = rest.first, kind(pass.from, of: passes) == .fixed, kind(next.to, of: passes) == .fixed,
                let step = ChainStep(pass, next, convolves: convolvesFixed)
            {
                rest.removeFirst()
                steps.append(step)
            } else {
                steps.append(.pass(pass))
            }
        }
        return steps
    }
}

/// What a node, or a few, carry out: one pass or 2-D kernel in floats, or a pass along each axis in fixed point.
enum ChainStep {
    case pass(Pass)
    case kernel2D(Kernel2D)
    case decimation(y: Pass, x: Pass)
    case convolution(x: Pass, y: Pass)
    case interpolation(x: Pass, y: Pass)
    /// The last two interpolations, and the colour stages between them: an optimisation that could be deleted.
    case colored(ColoredInterpolations)

    /// Two passes as one step in fixed point; nil if they have no such step.
    init?(_ first: Pass, _ second: Pass, convolves: Bool) {
        switch (first.operation, second.operation) {
        case (.decimate(let a), .decimate(let b)):
            guard first.axis == .y, second.axis == .x, a == b, a.isBinomial else { return nil }
            self = .decimation(y: first, x: second)
        case (.interpolate(let a), .interpolate(let b)):
            guard first.axis == .x, second.axis == .y, a == b, a.isBinomial else { return nil }
            self = .interpolation(x: first, y: second)
        case (.convolve, .convolve):
            guard first.axis == .x, second.axis == .y, convolves else { return nil }
            self = .convolution(x: first, y: second)
        case (.decimate, .convolve), (.decimate, .interpolate), (.convolve, .decimate), (.convolve, .interpolate),
            (.interpolate, .decimate), (.interpolate, .convolve):
            return nil
        }
    }

    /// What the rows that it makes hold.
    var made: RowKind {
        switch self {
        case .pass, .kernel2D: .floats
        case .decimation, .convolution, .interpolation, .colored: .fixed
        }
    }
}

extension [Float] {
    /// The filters that fixed-point rows know: C(n - 1, t) / 2^(n - 1), as every chain has them.
    private static let binomials: [[Float]] = [[1, 3, 3, 1], [1, 5, 10, 10, 5, 1], [1, 7, 21, 35, 35, 21, 7, 1]]
        .map { row in row.map { $0 / row.reduce(0, +) } }

    fileprivate var isBinomial: Bool { Self.binomials.contains(self) }
}
