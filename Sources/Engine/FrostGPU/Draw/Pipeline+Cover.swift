import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Directs the following draws to a target.
    ///
    /// - Parameter covers: whether the draws cover the whole output, so that the old pixels of the output are not
    ///   needed.
    func begin(_ target: DrawTarget, covers: Bool, in gl: borrowing CurrentContext) throws(GLError) {
        switch target {
        case .own(let target):
            if covers {
                try gl.beginDrawing(into: target.framebuffer)
            } else {
                try gl.resumeDrawing(into: target.framebuffer)
            }
        case .part(let target, _, _): try gl.resumeDrawing(into: target.framebuffer)
        case .host(let target):
            if hostFramebuffer == nil { hostFramebuffer = try HostFramebuffer(in: gl) }
            try hostFramebuffer?.beginDrawing(
                into: target.surface, width: target.width, height: target.height, in: gl)
        }
    }

    /// Draws all parts of a draw. The draw's inputs and taps must already be bound.
    ///
    /// - Parameter covers: whether the old pixels of the target are not needed.
    func cover(
        _ draw: ShaderDraw, _ key: ProgramKey, _ work: Work, _ output: Output, covers: Bool,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            switch output.result {
            case .encoded: break
            case .outputStages(let stages, _, let source): try bindOutputStages(stages, source: source, in: gl)
            }
            try begin(output.target, covers: covers, in: gl)
        }
        let uniforms = draw.uniforms(shift: output.shift) + output.uniforms(topRow: work.topRow)
        try cover(
            draw.parts, at: output.target.placement, work.patience, hasStages: output.result.hasStages,
            isForHost: work.ends.target != nil, in: gl
        ) { (part, gl) throws(GLError) in
            try programs.program(key.of(part), in: gl).use(uniforms, in: gl)
        }
    }

    /// The number of texel fetches after which software GL is asked to finish, if the work can be cancelled. Software
    /// GL takes a few milliseconds for this number of fetches, and cannot be interrupted in a draw.
    private static let softwareReadLimit = 0x1p20

    /// The number of texel fetches after which software GL is asked to finish otherwise. It takes about a second for
    /// them. Without such waits, a readback would wait for the draws of the whole image in one call, which would look
    /// like a driver that blocks.
    private static let softwareWaitLimit = 0x1p27

    /// Draws parts of an output. If this takes very long, the CPU waits for the GPU between some of the parts.
    ///
    /// - Parameters:
    ///   - hasStages: whether output stages are applied. On software GL they take as long as a few passes.
    ///   - isForHost: whether the draws belong to a frame of a host, for which the CPU waits only if it has to.
    ///   - use: makes the program of a part current.
    func cover(
        _ parts: [DrawPart], at placement: TargetPlacement?, _ patience: Patience, hasStages: Bool, isForHost: Bool,
        in gl: borrowing CurrentContext, use: (DrawPart, borrowing CurrentContext) throws(GLError) -> Void
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
                try use(part, gl)
                let place = placement?.place(part) ?? part
                try gl.drawTriangle(columns: place.columns, rows: place.rows, vertexArray)
            }
        }
    }
}
