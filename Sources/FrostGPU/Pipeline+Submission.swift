import FrostCore
import FrostGLES

/// The draws of a plan, or of a blend's level.
struct Submission {
    let list: DrawList
    let schedule: Schedule
    /// Where its weights start in the buffer of all.
    let weightsAt: Int
    /// Its output is mixed with others.
    let isLevel: Bool
}

extension Pipeline {
    /// Draws what a schedule has, from the source to the output.
    ///
    /// - Parameter places: the source's texture on entry, the output's afterwards, too.
    func submit(
        _ work: Work, _ choice: FormatChoice, _ places: inout [Place: Target], _ report: inout GPUReport,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        let schedules = work.schedule.blend?.levels ?? [work.schedule]
        var submissions: [Submission] = []
        var weights: [Float] = []
        for schedule in schedules {
            let list = try drawList(schedule, work, choice, in: gl)
            while weights.count % limits.weightAlignment != 0 { weights.append(0) }
            submissions.append(
                Submission(
                    list: list, schedule: schedule, weightsAt: weights.count, isLevel: work.schedule.blend != nil))
            weights += list.weights
            report.filterError = max(
                report.filterError, list.filterError * (work.schedule.outputStages?.amplification ?? 1))
            report.linearDraws += list.linearCounts.draws
            report.fusedDraws += list.linearCounts.fused
        }
        try prepareWeights(weights, in: gl)
        if let outputStages = work.schedule.outputStages { try prepareOutputStages(outputStages, work, in: gl) }
        if let blend = work.schedule.blend {
            try mix(submissions, blend, work, choice, &places, &report, gl)
        } else {
            try draw(submissions[0], work, choice, &places, &report, gl)
        }
        try fromGL { () throws(GLError) in
            try gl.checkErrors(after: "drawing")
            // A host sends its frame when it is complete.
            if work.ends.target == nil { gl.flush() }
        }
    }

    /// Draws every item of a list.
    private func draw(
        _ submission: Submission, _ work: Work, _ choice: FormatChoice, _ places: inout [Place: Target],
        _ report: inout GPUReport, _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        let (list, isLevel) = (submission.list, submission.isLevel)
        // The last draw mixes with the source, and other levels read it, too.
        let keepsSource = isLevel || work.schedule.outputStages?.original != nil
        for (index, item) in list.items.enumerated() {
            try work.patience.check()
            let isLast = index == list.items.count - 1
            let format =
                isLevel && isLast
                ? try choice.intermediate(isSigned: false) : try format(of: item.to, submission.schedule, choice)
            if !isLast || isLevel {
                report.formats.insert(format.format)
                report.degradedPrecision = report.degradedPrecision ?? format.degradedPrecision
            }
            guard let input = input(item.from, work, places) else {
                throw .invalidPlan("draw \(index) reads what is gone")
            }
            let output: DrawTarget
            if isLast, !isLevel, let target = work.ends.target {
                output = .host(target)
            } else if let existing = places[item.to] {
                output = .own(existing)
            } else {
                let target = try take(item.window.size(format.format), in: gl)
                places[item.to] = target
                output = .own(target)
            }
            try draw(
                item, of: submission, work, from: input, into: output,
                store: isLast && !isLevel ? Store(work.target) : .value,
                outputStages: isLast && !isLevel ? work.schedule.outputStages : nil,
                source: self.input(.source, work, places),
                in: gl)
            report.passes += item.passes
            if keepsSource, item.from == .source { continue }
            if list.isLastUse(of: item.from, at: index), let done = places.removeValue(forKey: item.from) {
                pool.giveBack(done)
            }
        }
    }

    /// What a draw reads from a place.
    private func input(_ place: Place, _ work: Work, _ places: [Place: Target]) -> DrawInput? {
        if place == .source, let image = work.ends.source { return .host(image) }
        return places[place].map { .target($0) }
    }

    /// Draws an item of a list.
    ///
    /// - Parameter source: the image itself, for a finish that reads it.
    func draw(
        _ item: DrawList.Item, of submission: Submission, _ work: Work, from input: DrawInput,
        into target: DrawTarget, store: Store, outputStages: OutputStagesSchedule?, source: DrawInput?,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let outputStagesVariant = outputStages.map(OutputStagesVariant.init)
        let output = work.output(store, into: target, hasOutputStages: outputStages != nil)
        let host = work.variant(from: item.from, output, outputStagesVariant)
        try fromGL { () throws(GLError) in
            if let outputStages { try bindOutputStages(outputStages, source: source, in: gl) }
            try input.bind(unit: FilterProgram.textureUnit, in: gl)
            try begin(target, in: gl)
            switch item {
            case .exact(let exact):
                var variant = FilterProgram.Variant(
                    loadsStraight: exact.from == .source && work.loadsStraight, hasEdges: false,
                    outputStages: outputStagesVariant,
                    host: host)
                let decoding = exact.from == .source ? submission.schedule.decoding : nil
                variant.decodes = decoding != nil
                try draw(
                    exact, variant, weightsAt: submission.weightsAt + exact.weightsAt, decoding: decoding, output,
                    in: gl)
            case .linear(let linear, let place):
                guard case .target(let input) = input else { break }
                let variant = FilterProgram.Variant(
                    loadsStraight: false, hasEdges: false, isLinear: true, outputStages: outputStagesVariant, host: host
                )
                try draw(
                    linear, variant, fetchesAt: submission.weightsAt + place, from: input, output, in: gl)
            case .kernel2D: break
            }
        }
        if case .kernel2D(let kernel2D) = item {
            let variant = FilterProgram.Variant(
                loadsStraight: work.loadsStraight, decodes: work.schedule.decoding != nil, hasEdges: false,
                isKernel2D: true, outputStages: outputStagesVariant, host: host)
            try draw(kernel2D, variant, work, output, in: gl)
        }
    }

    /// Draws the levels of a blend one after the other, and mixes each with the one below it as soon as it is there: so
    /// there are never more than two.
    private func mix(
        _ levels: [Submission], _ blend: BlendSchedule, _ work: Work, _ choice: FormatChoice,
        _ places: inout [Place: Target], _ report: inout GPUReport, _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        guard let outputStages = work.schedule.outputStages, let source = input(.source, work, places) else {
            throw .invalidPlan("no finish")
        }
        var own: Target?
        if work.ends.target == nil { own = try take(outputStages.region.size(choice.image), in: gl) }
        guard let target = work.ends.target.map({ .host($0) }) ?? own.map({ DrawTarget.own($0) }) else { return }
        let output = work.output(.value, into: target, hasOutputStages: true)
        let outputStagesVariant = OutputStagesVariant(outputStages)
        let variant = FilterProgram.Variant(
            loadsStraight: false, hasEdges: false, isBlend: true, outputStages: outputStagesVariant,
            host: work.variant(from: .output, output, outputStagesVariant))
        // Taken out at the end, whatever happens.
        var drawn: [Int: Target] = [:]
        defer { for target in drawn.values { pool.giveBack(target) } }
        var isFirst = true
        do throws(GPUError) {
            for (index, level) in levels.enumerated() {
                try draw(level, work, choice, &places, &report, gl)
                drawn[index] = places.removeValue(forKey: .output)
                for span in blend.spans where span.upper == index {
                    guard let lower = drawn[span.lower], let upper = drawn[index] else {
                        throw .invalidPlan("level \(span.lower) is gone")
                    }
                    try fromGL { () throws(GLError) in
                        try bindOutputStages(outputStages, source: source, in: gl)
                        try lower.texture.bind(unit: FilterProgram.textureUnit, in: gl)
                        try upper.texture.bind(unit: FilterProgram.upperUnit, in: gl)
                        try begin(target, covers: isFirst, in: gl)
                        try blendProgram(variant, in: gl).draw(
                            span, output: output, vertexArray: vertexArray, in: gl)
                    }
                    isFirst = false
                    report.passes += 1
                }
                for below in drawn.keys.sorted()
                where !blend.spans.contains(where: { $0.upper > index && $0.lower == below }) {
                    if let done = drawn.removeValue(forKey: below) { pool.giveBack(done) }
                }
            }
        } catch {
            if let own { pool.giveBack(own) }
            throw error
        }
        if let own { places[.output] = own }
    }

    private func blendProgram(
        _ variant: FilterProgram.Variant, in gl: borrowing CurrentContext
    ) throws(GLError) -> BlendProgram {
        if let program = blendPrograms[variant] { return program }
        let program = try BlendProgram(variant, weights: weightCapacity, from: &store, in: gl)
        blendPrograms[variant] = program
        return program
    }
}
