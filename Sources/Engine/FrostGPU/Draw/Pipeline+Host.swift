import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Submits the draws of an execution whose source is a texture of the host. Afterwards no texture of the host is
    /// attached to a framebuffer of Frost.
    func draw(_ execution: Execution, in gl: borrowing CurrentContext) throws(GPUError) -> GPUReport {
        let report: GPUReport
        do throws(GPUError) { report = try submitDraws(execution, in: gl) } catch {
            // The texture is also detached if the framebuffer is deleted.
            do throws(GLError) { try hostFramebuffer?.release(in: gl) } catch { forgetObjects(in: gl) }
            throw error
        }
        try rethrow(hostFramebuffer?.release(in: gl), as: GPUError.gl)
        return report
    }

    private func submitDraws(_ execution: Execution, in gl: borrowing CurrentContext) throws(GPUError) -> GPUReport {
        try chooseShaders(in: gl)
        let choice = execution.choice(of: formats)
        try choice.check()
        try checkConversions(execution)
        try execution.patience.check()
        var execution = execution
        var places: [Place: Target] = [:]
        var result: Target?
        defer {
            for target in places.values { pool.giveBack(target) }
            for target in [result, execution.ends.original].compactMap({ $0 }) { pool.giveBack(target) }
        }
        let stored = try check(execution.ends, in: gl)
        if case .host(let target, _) = execution.ends.target { execution.ends.target = .host(target, stored: stored) }
        var report = GPUReport()
        if let input = execution.ends.input {
            let window = execution.plan.sourceWindow
            if input.readsBlurred {
                places[.source] = try converted(input, to: input.blurred, window: window, execution.patience, in: gl)
            }
            if let original = input.original {
                execution.ends.original = try converted(input, to: original, window: window, execution.patience, in: gl)
            }
        }
        if let output = execution.ends.output {
            let texture = try take(output.region.size(Self.convertedFormat), in: gl)
            result = texture
            execution.ends.target = .own(texture)
        }
        try submit(execution, choice, &places, &report, gl)
        if let output = execution.ends.output, let result {
            try convert(result, to: output, execution.patience, in: gl)
        }
        return report
    }

    /// Compares the host's descriptions with the properties of its surfaces in the GL.
    ///
    /// - Returns: the format in which compute shaders can store to the target; nil if they cannot.
    private func check(_ ends: Execution.Ends, in gl: borrowing CurrentContext) throws(GPUError) -> TextureFormat? {
        let source = ends.input?.image ?? ends.source
        try source?.check(in: gl)
        let target: HostTarget
        switch ends.target {
        case nil:
            guard let output = ends.output else { return nil }
            target = output.target
        case .own, .part: return nil
        case .host(let host, _): target = host
        }
        let stored = try target.check(in: gl)
        try rethrow(beginDrawing(into: target, in: gl), as: GPUError.gl)
        try target.checkDraws(of: source, in: gl)
        return stored
    }
}
