import FrostCore
import FrostGLES

/// The draws of a plan, or of one level of a blend.
struct Submission {
    let list: DrawList
    /// The passes that the list computes; nil for a 2-D kernel.
    let passes: PassDraws?
    /// The index of the list's first weight in the buffer of all weights.
    let weightsAt: Int
}

/// The kind of values that the last draw of a list writes.
enum ListEnd {
    /// The final result, after the output stages were applied.
    case result
    /// The values of a level. No output stages are applied, because later draws still read these values.
    case level

    /// The name of the work, for error messages.
    var description: String {
        switch self {
        case .result: "drawing"
        case .level: "drawing a level"
        }
    }
}

extension Pipeline {
    /// Submits all draws of a plan, from the source to the output.
    ///
    /// - Parameter places: the textures of the plan's places. A place is the source, an intermediate or the output. On
    ///   entry, the dictionary contains the source's texture if the pipeline owns this texture. On return, it also contains
    ///   the output's texture, unless the caller supplied the target.
    func submit(
        _ work: Work, _ choice: FormatChoice, _ places: inout [Place: Target], _ report: inout GPUReport,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        var weights: [Float] = []
        var submissions: [Submission] = []
        for (list, passes) in lists(work) {
            limits.align(&weights)
            submissions.append(Submission(list: list, passes: passes, weightsAt: weights.count))
            weights += list.weights
        }
        try prepareTaps(weights, in: gl)
        if let stages = work.plan.outputStages { try prepareOutputStages(stages, work, in: gl) }
        switch work.plan.work {
        case .passes, .kernel2D:
            for submission in submissions { try draw(submission, work.output, work, choice, &places, &report, gl) }
        case .blend(let blend): try mix(submissions, blend, work, choice, &places, &report, gl)
        }
        try fromGL { () throws(GLError) in
            try gl.checkErrors(after: work.output.description)
            // The host flushes when its frame is complete.
            if work.ends.target == nil { gl.flush() }
        }
    }

    /// Returns the draw lists of a plan. A blend has one list for each level; any other plan has a single list. Each
    /// list is returned together with the passes that it computes.
    func lists(_ work: Work) -> [(DrawList, PassDraws?)] {
        switch work.plan.work {
        case .passes(let passes): [(DrawList(passes), passes)]
        case .kernel2D(let kernel): [(DrawList(kernel), nil)]
        case .blend(let blend): blend.levels.map { (DrawList($0), $0) }
        }
    }

    /// Executes the draws of a list in order. Each draw writes into a texture that later draws can read. Every
    /// execution of a plan uses this loop.
    ///
    /// - Parameter end: the kind of values that the last draw writes.
    func draw(
        _ submission: Submission, _ end: ListEnd, _ work: Work, _ choice: FormatChoice, _ places: inout [Place: Target],
        _ report: inout GPUReport, _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        let list = submission.list
        let source = original(work, places)
        // The source's texture is kept if other levels of a blend read it, or if the output stages mix the result with
        // the source.
        let keepsSource = end == .level || work.plan.outputStages?.original != nil
        for (index, draw) in list.draws.enumerated() {
            try work.patience.check()
            guard let input = input(draw.from, work, places) else {
                throw .invalidPlan("draw \(index) reads an image that was already released")
            }
            let isLast = index == list.draws.count - 1
            let ending = isLast ? end : nil
            let format = try format(of: draw.to, ending, submission.passes, choice)
            let result: Output.Result
            switch ending {
            case .result: result = work.result(source: source)
            case .level, nil:
                result = .encoded(.value)
                report.formats.insert(format.format)
                report.degradedPrecision = report.degradedPrecision ?? format.degradedPrecision
            }
            let target: DrawTarget
            if isLast, end == work.output, let given = work.ends.target {
                target = given
            } else if let existing = places[draw.to] {
                target = .own(existing)
            } else {
                let made = try take(draw.window.size(format.format), in: gl)
                places[draw.to] = made
                target = .own(made)
            }
            try self.draw(
                draw, weightsAt: submission.weightsAt + draw.weightsAt, work, from: input,
                to: Output(target: target, result: result), in: gl)
            report.passes += draw.passCount
            if keepsSource, draw.from == .source { continue }
            if list.isLastUse(of: draw.from, at: index), let done = places.removeValue(forKey: draw.from) {
                pool.giveBack(done)
            }
        }
    }

    /// Returns the texture that a draw reads from a place; nil if the place has no texture.
    func input(_ place: Place, _ work: Work, _ places: [Place: Target]) -> DrawInput? {
        if place == .source, let image = work.ends.source { return .host(image) }
        if let kept = work.ends.kept, place == kept.place { return .own(kept.target) }
        return places[place].map { .own($0) }
    }

    /// Returns the texture that masks and clips show; nil if there is none.
    func original(_ work: Work, _ places: [Place: Target]) -> DrawInput? {
        work.ends.original.map { .own($0) } ?? input(.source, work, places)
    }

    /// Returns the texture format for the output of a draw.
    ///
    /// - Parameter end: the kind of values that the last draw of a list writes; nil for other draws.
    private func format(
        of place: Place, _ end: ListEnd?, _ passes: PassDraws?, _ choice: FormatChoice
    ) throws(GPUError) -> FormatChoice.Intermediate {
        switch end {
        case .result: FormatChoice.Intermediate(format: choice.image, degradedPrecision: nil)
        case .level: try choice.intermediate(isSigned: false)
        case nil: try choice.intermediate(isSigned: passes?.isSigned(place) == true)
        }
    }

    /// Executes one draw, from an input to an output.
    private func draw(
        _ draw: any PlaceDraw, weightsAt: Int, _ work: Work, from input: DrawInput, to output: Output,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let key = output.key(draw.kind, input: work.programInput(of: draw, texture: input.kind))
        try fromGL { () throws(GLError) in
            try input.bind(unit: .inputImage, in: gl)
            if draw.kind.of(hasEdges: true).readsTaps { try bindTaps(at: weightsAt, in: gl) }
        }
        try cover(draw, key, work, output, covers: true, in: gl)
    }

    /// The number of texel fetches after which software GL is asked to finish, if the work can be cancelled. Software
    /// GL takes a few milliseconds for this number of fetches, and cannot be interrupted in a draw.
    static let softwareReadLimit = 0x1p20

    /// The number of texel fetches after which software GL is asked to finish otherwise. It takes about a second for
    /// them. Without such waits, a readback would wait for the draws of the whole image in one call, which would look
    /// like a driver that blocks.
    static let softwareWaitLimit = 0x1p27

    /// Returns the parts of a draw, and the cost in texel fetches after which the CPU waits for the GPU.
    ///
    /// - Parameters:
    ///   - hasStages: whether output stages are applied. On software GL they take as long as a few passes.
    ///   - isForHost: whether the draws belong to a frame of a host, for which the CPU waits only if it has to.
    func bands(
        of parts: [DrawPart], _ patience: Patience, hasStages: Bool, isForHost: Bool
    ) -> (parts: [DrawPart], limit: Double) {
        guard isSoftware, patience.isCancellable || !isForHost else { return (parts, Kernel2DDraw.readLimit) }
        let whole = patience.isCancellable ? Self.softwareReadLimit : Self.softwareWaitLimit
        let limit = hasStages ? whole / 2 : whole
        return (parts.flatMap { $0.bands(cost: limit) }, limit)
    }

    /// Draws all parts of a draw. The draw's inputs and taps must already be bound. If the draw is very long, the CPU
    /// waits for the GPU between some of the parts.
    ///
    /// - Parameter covers: whether the old pixels of the target are not needed.
    func cover(
        _ draw: any ShaderDraw, _ key: ProgramKey, _ work: Work, _ output: Output, covers: Bool,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            switch output.result {
            case .encoded: break
            case .outputStages(let stages, _, let source): try bindOutputStages(stages, source: source, in: gl)
            }
            try begin(output.target, covers: covers, in: gl)
        }
        let common = output.uniforms(topRow: work.topRow)
        let (placement, shift) = (output.target.placement, output.shift)
        let isForHost = work.ends.target != nil
        let (parts, limit) = bands(
            of: draw.parts, work.patience, hasStages: output.result.hasStages, isForHost: isForHost)
        // The cost of the draws before counts too, if the CPU may wait for them.
        var cost = isForHost ? 0 : unfinishedCost
        defer { unfinishedCost = cost }
        for part in parts {
            if cost > 0, cost + part.cost > limit {
                try work.patience.wait(for: fromGL { () throws(GLError) in try Fence(in: gl) }, in: gl)
                cost = 0
            }
            cost += part.cost
            try fromGL { () throws(GLError) in
                try programs.program(key.of(part), in: gl)
                    .use(draw.uniforms(hasEdges: part.hasEdges, shift: shift) + common, in: gl)
                let (columns, rows) = placement?.place(part.columns, part.rows) ?? (part.columns, part.rows)
                try gl.drawTriangle(columns: columns, rows: rows, vertexArray)
            }
        }
    }
}
