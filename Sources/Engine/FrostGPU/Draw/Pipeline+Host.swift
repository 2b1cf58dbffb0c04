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
        try check(execution.ends, in: gl)
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
            let texture = try take(output.region.size(.rgba32F), in: gl)
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
    private func check(_ ends: Execution.Ends, in gl: borrowing CurrentContext) throws(GPUError) {
        let source = ends.input?.image ?? ends.source
        try source?.check(in: gl)
        let target: HostTarget
        switch ends.target {
        case nil:
            guard let output = ends.output else { return }
            target = output.target
        case .own, .part: return
        case .host(let host): target = host
        }
        try target.check(in: gl)
        try rethrow(begin(.host(target), covers: false, in: gl), as: GPUError.gl)
        try target.checkDraws(of: source, in: gl)
    }
}
