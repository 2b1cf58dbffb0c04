import FrostCore

/// What numbers a plan is carried out with: floats, or fixed-point numbers where the picture is large and has 8 bits.
///
/// Fixed-point rows hold 256ths of a step in 16 bits: twice as many numbers a vector as floats, in half the cache. Each
/// filter rounds, by what ``FixedRoundingError`` says. So they are for the two finest levels, which is nearly all of the work;
/// what lies deeper is computed in floats.
struct Arithmetic {
    /// Numbers per pixel of a row. RGB is computed as opaque RGBA in fixed point, because four are a power of two.
    let channels: Int
    /// Levels 0 to this one are fixed point; nil if none is.
    let fixedLevel: Int?
    /// Whether the filter at the lowest resolution is.
    let convolvesFixed: Bool
    /// What the image's rows hold where a first halving reads them in fixed point.
    let arriving: RowKind
    /// The plan's finish, where that is carried out in fixed point, too.
    let outputStages: FixedOutputStages?
    /// What the blur leaves of ``allowance`` to its finish, in steps.
    let spare: Double

    /// - Parameters:
    ///   - reader: of the source, writer: of the target.
    init(_ plan: Plan, reader: RowConversion, writer: RowConversion) {
        let outputStages = plan.outputStages
        guard plan.decoding == nil, let kind = ByteKind(reader), ByteKind(writer) != nil || !outputStages.isEmpty,
            let noise = FixedRoundingError(plan, straight: kind == .straightRGBA),
            plan.errorBound + noise.steps * outputStages.amplification <= Self.allowance
        else {
            self.init(floats: reader.working.count)
            return
        }
        let spare = Self.allowance - plan.errorBound - noise.steps * outputStages.amplification
        let fixed = FixedOutputStages(outputStages).flatMap { $0.noise <= spare ? $0 : nil }
        self.init(
            channels: reader.working == .rgb ? 4 : reader.working.count, fixedLevel: noise.level,
            convolvesFixed: noise.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes,
            outputStages: fixed, spare: spare)
    }

    /// - Parameters:
    ///   - plan: of a blend's level.
    ///   - amplification: how much larger an error of it can become.
    ///   - reader: of the source.
    init(level plan: Plan, amplification: Double, reader: RowConversion) {
        guard plan.decoding == nil, let kind = ByteKind(reader),
            let noise = FixedRoundingError(plan, straight: kind == .straightRGBA),
            (plan.errorBound + noise.steps) * amplification <= Self.allowance
        else {
            self.init(floats: reader.working.count)
            return
        }
        self.init(
            channels: reader.working == .rgb ? 4 : reader.working.count, fixedLevel: noise.level,
            convolvesFixed: noise.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes, outputStages: nil)
    }

    /// - Parameter channels: numbers per pixel.
    init(floats channels: Int) {
        self.init(channels: channels, fixedLevel: nil, convolvesFixed: false, arriving: .floats, outputStages: nil)
    }

    private init(
        channels: Int, fixedLevel: Int?, convolvesFixed: Bool, arriving: RowKind, outputStages: FixedOutputStages?,
        spare: Double = 0
    ) {
        self.channels = channels
        self.fixedLevel = fixedLevel
        self.convolvesFixed = convolvesFixed
        self.arriving = arriving
        self.outputStages = outputStages
        self.spare = spare
    }

    /// What a plan's error and the roundings may add up to before the result is rounded, in steps: the promise of one
    /// step, less half a step for that.
    static let allowance = 0.5

    /// How a plan's finish is carried out on the cells of the second level; nil if it is not.
    func coloring(of plan: Plan) -> CellColoring? {
        guard let fixedLevel, fixedLevel == CellGrid.level, channels == 4, outputStages != nil else { return nil }
        let doublings = steps(plan.passes[...], of: plan).suffix(2).compactMap { step in
            if case .doubling(let x, _) = step { Doubling(x) } else { nil }
        }
        guard doublings.count == 2 else { return nil }
        let isDeep = plan.slots.contains { $0.levelX > fixedLevel && $0.levelY > fixedLevel }
        return CellColoring(plan.outputStages, doublings, isDeep: isDeep, spare: spare)
    }

    /// Whether the rows of a place hold fixed-point numbers.
    func isFixed(_ place: Place, of plan: Plan) -> Bool {
        guard let fixedLevel else { return false }
        return switch place {
        case .source, .output: true
        case .slot(let index):
            plan.slots[index].levelX == plan.slots[index].levelY && plan.slots[index].levelX <= fixedLevel
        }
    }

    /// The kind of rows that are kept at a place.
    func kind(_ place: Place, of plan: Plan) -> RowKind { isFixed(place, of: plan) ? .fixed : .floats }

    /// What the rows hold that a plan's last pass makes.
    func resultKind(of plan: Plan) -> RowKind { steps(plan.passes[...], of: plan).last?.made ?? .floats }

    /// A plan's passes in the steps that nodes carry out.
    func steps(_ passes: ArraySlice<Pass>, of plan: Plan) -> [ChainStep] {
        if let kernel2D = plan.kernel2D { return [.kernel2D(kernel2D)] }
        var steps: [ChainStep] = []
        var rest = passes
        while let pass = rest.popFirst() {
            if let next = rest.first, isFixed(pass.from, of: plan), isFixed(next.to, of: plan),
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

/// One pass or 2-D kernel in floats, or a pass along each axis in fixed point.
enum ChainStep: Equatable {
    case pass(Pass)
    case kernel2D(Kernel2D)
    case halving(y: Pass, x: Pass)
    case convolution(x: Pass, y: Pass)
    case doubling(x: Pass, y: Pass)

    /// Two passes that fixed-point numbers can serve, if they are.
    init?(_ first: Pass, _ second: Pass, convolves: Bool) {
        switch (first.axis, first.operation, second.axis, second.operation) {
        case (.y, .decimate(let a), .x, .decimate(let b)) where a == b && a.isBinomial:
            self = .halving(y: first, x: second)
        case (.x, .interpolate(let a), .y, .interpolate(let b))
        where a == b && a.isBinomial:
            self = .doubling(x: first, y: second)
        case (.x, .convolve, .y, .convolve) where convolves:
            self = .convolution(x: first, y: second)
        default: return nil
        }
    }

    var isFixed: Bool {
        switch self {
        case .pass, .kernel2D: false
        case .halving, .convolution, .doubling: true
        }
    }
    /// What the rows that it makes hold.
    var made: RowKind { isFixed ? .fixed : .floats }
}

extension [Float] {
    /// The filters that fixed-point rows know: C(n - 1, t) / 2^(n - 1), as every chain has them.
    private static let binomials: [[Float]] = [[1, 3, 3, 1], [1, 5, 10, 10, 5, 1], [1, 7, 21, 35, 35, 21, 7, 1]]
        .map { row in row.map { $0 / row.reduce(0, +) } }

    fileprivate var isBinomial: Bool { Self.binomials.contains(self) }
}
