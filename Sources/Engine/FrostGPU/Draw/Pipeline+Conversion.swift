import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Throws if the device cannot render to the textures of converted colours.
    func checkConversions(_ execution: Execution) throws(GPUError) {
        guard execution.ends.input != nil || execution.ends.output != nil, !formats.contains(.rgba32F) else { return }
        throw .unsupportedFormat(
            "the device cannot render to 32-bit float textures, which conversions of colours and 10-bit targets need")
    }

    /// Converts a source of the host into a texture of the pool.
    func converted(
        _ input: Execution.InputConversion, to encoding: ColorEncoding, window: Rect, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        try fromDrawing { () throws(DrawingError) in try limits.check(window, "the image") }
        let target = try take(window.size(.rgba32F), in: gl)
        do throws(GPUError) {
            try convert(
                input.draw(to: encoding, window: window), from: .host(input.image), to: .own(target), patience, in: gl)
        } catch {
            pool.giveBack(target)
            throw error
        }
        return target
    }

    /// Converts a result and writes it to a target of the host.
    func convert(
        _ result: Target, to output: Execution.OutputConversion, _ patience: Patience, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try convert(output.draw, from: .own(result), to: .host(output.target), patience, in: gl)
    }

    private func convert(
        _ draw: ConversionDraw, from input: DrawInput, to target: DrawTarget, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            try input.bind(unit: .inputImage, in: gl)
            try begin(target, covers: true, in: gl)
            try programs.program(.conversion(draw.key), in: gl).use(draw.uniforms, in: gl)
        }
        try cover(
            [draw.part], at: target.placement, patience, hasStages: true, isForHost: true, in: gl
        ) { (_, _) throws(GLError) in }
        try rethrow(gl.checkErrors(after: "converting colours"), as: GPUError.gl)
    }
}
