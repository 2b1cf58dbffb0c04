import FrostCore

/// The arithmetic in which a plan is executed: floats, or fixed-point numbers for 8-bit images.
///
/// Fixed-point rows hold 1/256 of an 8-bit step in 16 bits. A vector holds twice as many of these numbers as floats,
/// and they need half the cache. But each filter in fixed point adds a rounding error; ``FixedRoundingError`` has the
/// bounds. Fixed point is therefore used only for the passes down to level 2, which are nearly all of the work. Passes
/// at deeper levels use floats.
struct Arithmetic {
    /// The number of values per pixel of a row. Output stages and blends compute with RGBA, so in fixed point RGB then gets
    /// an alpha channel as it is read.
    let channels: Int
    /// The deepest level that uses fixed point: levels 0 to `fixedLevel` use it. Nil if no level uses fixed point.
    let fixedLevel: Int?
    /// Whether the convolution at the lowest resolution uses fixed point.
    let convolvesFixed: Bool
    /// The kind of the source rows that the first decimation reads, if this decimation uses fixed point or computes the means
    /// of cells.
    let arriving: RowKind
    /// The plan's output stages, if they run in fixed point; otherwise nil.
    let outputStages: FixedOutputStages?
    /// The remaining error budget after the blur: the part of ``allowance`` that the blur does not use, in 8-bit steps. For
    /// a level of a blend, the blur includes the conversion to fixed point.
    let remainingBudget: Double

    /// Chooses the arithmetic for a plan.
    ///
    /// - Parameters:
    ///   - reader: the conversion from the source's format.
    ///   - writer: the conversion to the target's format.
    init(_ plan: Plan, reader: RowConversion, writer: RowConversion) {
        let outputStages = plan.outputStages
        guard plan.decoding == nil, let kind = ByteKind(reader), ByteKind(writer) != nil || !outputStages.isEmpty
        else {
            self.init(floats: reader.working.count)
            return
        }
        let working = outputStages.isEmpty ? reader.working : reader.workingInColorStages
        let choices = FixedRoundingError.choices(plan, straight: kind == .straightRGBA).compactMap { rounding in
            let budget = Self.allowance - plan.errorBound - rounding.steps * outputStages.amplification
            return budget >= 0 ? (rounding, budget) : nil
        }
        // Output stages in fixed point save more than passes at low resolutions.
        let allStages =
            working == .rgba && !outputStages.isEmpty ? FixedOutputStages(outputStages, to: writer.format) : nil
        let best = choices.first { _, budget in allStages.map { $0.roundingError <= budget } ?? true }
        guard let (rounding, budget) = best ?? choices.first else {
            self.init(floats: reader.working.count, arriving: kind == .straightRGBA ? .floats : .bytes)
            return
        }
        self.init(
            channels: working.count, fixedLevel: rounding.level,
            convolvesFixed: rounding.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes,
            outputStages: best == nil ? nil : allStages, remainingBudget: budget)
    }

    /// Creates an arithmetic that uses only floats.
    ///
    /// - Parameter channels: the number of values per pixel.
    init(floats channels: Int, arriving: RowKind = .floats) {
        self.init(channels: channels, fixedLevel: nil, convolvesFixed: false, arriving: arriving, outputStages: nil)
    }

    init(
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

    /// The maximum sum of a plan's error and of the rounding errors before the result is rounded, in 8-bit steps. Frost
    /// guarantees an error of at most one step, and the final rounding takes half a step.
    static let allowance = 0.5

    /// Returns a conversion that makes rows with ``channels`` values per pixel.
    func reader(_ reader: RowConversion) -> RowConversion {
        fixedLevel != nil && channels > reader.working.count
            ? RowConversion(format: reader.format, addingAlpha: true) : reader
    }

    /// Returns the kind of the rows at a place between passes.
    func kind(_ place: Place, of slots: [Slot]) -> RowKind {
        guard let fixedLevel else { return .floats }
        switch place {
        case .source, .output: return .fixed
        case .slot(let index):
            let slot = slots[index]
            return slot.levelX == slot.levelY && slot.levelX <= fixedLevel ? .fixed : .floats
        }
    }

    /// Groups consecutive passes into the steps that nodes execute.
    func steps(_ passes: Passes, _ range: Range<Int>) -> [ChainStep] {
        var steps: [ChainStep] = []
        var rest = passes.list[range]
        while let pass = rest.popFirst() {
            let step =
                ChainStep(cells: pass, followedBy: rest, fromBytes: arriving == .bytes)
                ?? pair(pass, rest.first, of: passes.slots) ?? .pass(pass)
            rest.removeFirst(step.passCount - 1)
            steps.append(step)
        }
        return steps
    }

    /// Combines two passes into one step in fixed point. Returns nil if that is not possible.
    private func pair(_ pass: Pass, _ next: Pass?, of slots: [Slot]) -> ChainStep? {
        guard let next, kind(pass.from, of: slots) == .fixed, kind(next.to, of: slots) == .fixed else { return nil }
        return ChainStep(pass, next, convolves: convolvesFixed)
    }
}

/// A step of a chain, which one or a few nodes execute: one pass in floats, one pass along each axis in fixed point, or a 2-D
/// kernel.
enum ChainStep {
    case pass(Pass)
    /// A 2-D kernel, and the kind of the rows that it computes.
    case kernel2D(Kernel2D, RowKind)
    case decimation(y: Pass, x: Pass)
    case convolution(x: Pass, y: Pass)
    case interpolation(x: Pass, y: Pass)
    /// A lens, and the kind of the rows that it reads.
    case lens(Refraction, RowKind)
    /// Decimations of bytes by means of two pixels, for a mosaic.
    case means([Pass])
    /// Interpolations that copy each pixel, for a mosaic.
    case copies([Pass])

    /// Combines two passes into one step in fixed point. Returns nil if there is no such step.
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

    /// The maximum number of passes of ``means(_:)``: a sum of 256 bytes fits in 16 bits, and the sum of a cell in a float.
    private static let maximumMeans = 16

    /// Combines the passes of a mosaic that have the same operation: from a pass on, as many as one node executes. Returns nil
    /// for other passes.
    ///
    /// - Parameter fromBytes: whether the source is read as bytes.
    fileprivate init?(cells pass: Pass, followedBy rest: ArraySlice<Pass>, fromBytes: Bool) {
        let same = [pass] + rest.prefix { $0.operation == pass.operation }
        switch pass.operation {
        case .decimate([0.5, 0.5]) where fromBytes && pass.from == .source:
            self = .means(Array(same.prefix(Self.maximumMeans)))
        case .interpolate([0.5, 0.5]): self = .copies(same)
        case .decimate, .interpolate, .convolve: return nil
        }
    }

    /// The number of passes in the step.
    fileprivate var passCount: Int {
        switch self {
        case .pass: 1
        case .decimation, .convolution, .interpolation: 2
        case .means(let passes), .copies(let passes): passes.count
        case .kernel2D, .lens: 0
        }
    }

    /// The kind of the step's output rows.
    var outputKind: RowKind {
        switch self {
        case .pass, .means, .copies: .floats
        case .decimation, .convolution, .interpolation: .fixed
        case .kernel2D(_, let kind), .lens(_, let kind): kind
        }
    }
}

extension RowConversion {
    /// The channels of a row for stages that compute with RGBA if there is colour.
    var workingInColorStages: ChannelLayout { working.isGrey ? working : working.addingAlpha }
}

extension [Float] {
    /// The filters that the fixed-point kernels support: the binomial weights C(n - 1, t) / 2^(n - 1), which every
    /// chain uses.
    private static let binomials = (4...9).map { ResamplingChain.binomial($0).map { Float($0) } }

    fileprivate var isBinomial: Bool { Self.binomials.contains(self) }
}
