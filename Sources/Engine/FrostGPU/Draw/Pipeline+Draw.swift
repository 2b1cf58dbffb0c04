import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Submits all draws of a plan, from the source to the output.
    ///
    /// - Parameter places: the textures of the plan's places. A place is the source, an intermediate or the output. On
    ///   entry, the dictionary contains the source's texture if the pipeline owns this texture. On return, it also contains
    ///   the output's texture, unless the caller supplied the target.
    func submit(
        _ execution: Execution, _ choice: FormatChoice, _ places: inout [Place: Target], _ report: inout GPUReport,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            // Each draw binds a whole uniform block that starts at the draw's taps. The buffer is therefore one block
            // longer than the taps.
            let size = 4 * (execution.plan.taps.count + limits.weights)
            try uniforms.write(execution.plan.taps, to: .taps, size: size, in: gl)
        }
        if let stages = execution.plan.outputStages { try prepareOutputStages(stages, execution, in: gl) }
        if execution.plan.mixes.isEmpty {
            for list in execution.plan.lists {
                try draw(list, execution.output, execution, choice, &places, &report, gl)
            }
        } else {
            try mix(execution, choice, &places, &report, gl)
        }
        try fromGL { () throws(GLError) in
            try finishStores(in: gl)
            try gl.checkErrors(after: execution.output.description)
            // The host flushes when its frame is complete.
            if execution.ends.target == nil { gl.flush() }
        }
    }

    /// Executes the draws of a list in order. Each draw writes into a texture that later draws can read. Every
    /// execution of a plan uses this loop.
    ///
    /// - Parameter end: the kind of values that the last draw writes.
    func draw(
        _ list: DrawList, _ end: ListEnd, _ execution: Execution, _ choice: FormatChoice,
        _ places: inout [Place: Target],
        _ report: inout GPUReport, _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        let source = original(execution, places)
        // The source's texture is kept if other levels of a blend read it, or if the output stages mix the result with
        // the source.
        let keepsSource = end == .level || execution.plan.outputStages?.original != nil
        for (index, draw) in list.draws.enumerated() {
            try execution.patience.check()
            guard let input = input(draw.from, execution, places) else {
                throw .invalidPlan("draw \(index) reads an image that was already released")
            }
            let isLast = index == list.draws.count - 1
            let result: Output.Result
            let format: TextureFormat
            if isLast, end == .result {
                (result, format) = (execution.result(source: source), choice.image)
            } else {
                let intermediate = try choice.intermediate(isSigned: !isLast && draw.isSigned)
                (result, format) = (.encoded(.value), intermediate.format)
                report.formats.insert(format)
                report.degradedPrecision = report.degradedPrecision ?? intermediate.degradedPrecision
            }
            let target: DrawTarget
            if isLast, end == execution.output, let given = execution.ends.target {
                target = given
            } else if let existing = places[draw.to] {
                target = .own(existing)
            } else {
                let texture = try take(draw.window.size(format), in: gl)
                places[draw.to] = texture
                target = .own(texture)
            }
            let output = Output(target: target, result: result)
            try fromGL { () throws(GLError) in
                try input.bind(unit: .inputImage, in: gl)
                if draw.draw.kind.bindsTaps {
                    let start = 4 * draw.tapsAt
                    try uniforms.bind(.taps, start..<start + 4 * limits.weights, in: gl)
                }
            }
            let programInput = execution.programInput(of: draw, texture: input.kind)
            report.shaders.insert(try cover(draw.draw, programInput, execution, output, covers: true, in: gl))
            report.passes += draw.passCount
            if keepsSource, draw.from == .source { continue }
            if draw.isLastUse, let done = places.removeValue(forKey: draw.from) { pool.giveBack(done) }
        }
    }

    /// Returns the texture that a draw reads from a place; nil if the place has no texture.
    private func input(_ place: Place, _ execution: Execution, _ places: [Place: Target]) -> DrawInput? {
        if place == .source, let image = execution.ends.source { return .host(image) }
        if let kept = execution.ends.kept, place == kept.place { return .own(kept.target) }
        return places[place].map { .own($0) }
    }

    /// Returns the texture that masks and clips show; nil if no texture holds these pixels.
    func original(_ execution: Execution, _ places: [Place: Target]) -> DrawInput? {
        execution.ends.original.map { .own($0) } ?? input(.source, execution, places)
    }
}

extension Pipeline {
    /// Directs the following draws to a target.
    ///
    /// - Parameters:
    ///   - entry: the kind of shader that writes the target.
    ///   - covers: whether the draws cover the whole output, so that the old pixels of the output are not needed.
    func begin(
        _ target: DrawTarget, _ entry: ShaderEntry, covers: Bool, in gl: borrowing CurrentContext
    ) throws(GLError) {
        if entry == .fragment { try finishStores(in: gl) }
        switch (entry, target) {
        case (.compute, .own(let target)), (.compute, .part(let target, _, _)):
            try gl.beginStoring(into: target.texture)
        case (.compute, .host(let target, let stored)): try target.beginStoring(stored, in: gl)
        case (.fragment, .own(let target)):
            if covers {
                try gl.beginDrawing(into: target.framebuffer)
            } else {
                try gl.resumeDrawing(into: target.framebuffer)
            }
        case (.fragment, .part(let target, _, _)): try gl.resumeDrawing(into: target.framebuffer)
        case (.fragment, .host(let target, _)): try beginDrawing(into: target, in: gl)
        }
    }

    /// Orders the stores of dispatches before all commands that follow: draws, readbacks and uploads that use the same
    /// textures, and those of a host.
    func finishStores(in gl: borrowing CurrentContext) throws(GLError) {
        guard hasStores else { return }
        hasStores = false
        try gl.orderStores(before: .everything)
    }

    /// Directs the following draws to a surface of the host.
    func beginDrawing(into target: HostTarget, in gl: borrowing CurrentContext) throws(GLError) {
        if hostFramebuffer == nil { hostFramebuffer = try HostFramebuffer(in: gl) }
        let stored = target.transform.turned(width: target.width, height: target.height)
        try hostFramebuffer?.beginDrawing(into: target.surface, width: stored.width, height: stored.height, in: gl)
    }

    /// Draws all parts of a draw. The draw's inputs and taps must already be bound.
    ///
    /// - Parameter covers: whether the old pixels of the target are not needed.
    /// - Returns: the kind of shaders.
    func cover(
        _ draw: ShaderDraw, _ input: ProgramKey.Input, _ execution: Execution, _ output: Output, covers: Bool,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> ShaderPath {
        let entry = entry(output.target.format, draw.kind.shape)
        let draw = divided(draw, entry)
        let key = output.key(draw.kind, input: input)
        try fromGL { () throws(GLError) in
            switch output.result {
            case .encoded: break
            case .outputStages(let stages, _, let source): try bindOutputStages(stages, source: source, in: gl)
            }
            try begin(output.target, entry, covers: covers, in: gl)
        }
        let uniforms = draw.uniforms(shift: output.shift) + output.uniforms(sourceMap: execution.sourceMap)
        // A host's first frame compiles all programs, so that no later frame has to.
        let mayLoop =
            !execution.ends.areOfHost
            && !(isSoftware && draw.parts.reduce(0) { $0 + $1.cost } > Self.softwareLoopLimit)
        try cover(
            draw.parts, at: output.target.placement, entry, execution.patience, hasStages: output.result.hasStages,
            isForHost: execution.ends.target != nil, in: gl
        ) { (part, gl) throws(GLError) in
            let key = key.of(part)
            let program =
                try mayLoop
                ? programs.quickest(key, entry, in: gl) : programs.program(.filter(key), entry, in: gl)
            try program.use(uniforms, in: gl)
            return program
        }
        return entry.path
    }

    /// The number of texel fetches after which software GL is asked to finish, if the work can be cancelled. Software
    /// GL takes a few milliseconds for this number of fetches, and cannot be interrupted in a draw.
    private static let softwareReadLimit = 0x1p20

    /// The number of texel fetches after which software GL is asked to finish otherwise. It takes about a second for
    /// them. Without such waits, a readback would wait for the draws of the whole image in one call, which would look
    /// like a driver that blocks.
    private static let softwareWaitLimit = 0x1p27

    /// The number of texel fetches up to which software GL takes less time for a loop than for compiling an unrolled filter,
    /// which takes almost a tenth of a second.
    private static let softwareLoopLimit = 0x1p23

    /// Draws parts of an output. If this takes very long, the CPU waits for the GPU between some of the parts.
    ///
    /// - Parameters:
    ///   - hasStages: whether output stages are applied. On software GL they take as long as a few passes.
    ///   - isForHost: whether the draws belong to a frame of a host, for which the CPU waits only if it has to.
    ///   - use: makes the program of a part current, and returns it.
    func cover(
        _ parts: [DrawPart], at placement: TargetPlacement?, _ entry: ShaderEntry, _ patience: Patience,
        hasStages: Bool, isForHost: Bool, in gl: borrowing CurrentContext,
        use: (DrawPart, borrowing CurrentContext) throws(GLError) -> DrawProgram
    ) throws(GPUError) {
        var (bands, limit) = (parts, DrawPart.readLimit)
        if isSoftware, patience.isCancellable || !isForHost {
            let whole = patience.isCancellable ? Self.softwareReadLimit : Self.softwareWaitLimit
            limit = hasStages ? whole / 2 : whole
            bands = parts.flatMap { $0.bands(cost: limit) }
        }
        // The cost of the draws before counts too, if the CPU may wait for them.
        var cost = isForHost ? 0 : unfinishedCost
        defer { unfinishedCost = cost }
        for part in bands {
            if cost > 0, cost + part.cost > limit {
                try patience.waitForDraws(in: gl)
                cost = 0
            }
            cost += part.cost
            try fromGL { () throws(GLError) in
                try use(part, gl).cover(placement?.place(part) ?? part, vertexArray, in: gl)
            }
        }
        switch entry {
        case .fragment: break
        case .compute:
            // The next dispatch fetches the texels, or stores to a texture that was used before.
            try rethrow(gl.orderStores(before: [.fetches, .stores]), as: GPUError.gl)
            hasStores = true
        }
    }
}
