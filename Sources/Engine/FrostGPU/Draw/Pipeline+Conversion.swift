import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// The format of textures with colours before or after a conversion.
    static let convertedFormat = TextureFormat.rgba32F

    /// Throws if the device cannot render to the textures of converted colours.
    func checkConversions(_ execution: Execution) throws(GPUError) {
        guard execution.ends.input != nil || execution.ends.output != nil, !formats.contains(Self.convertedFormat)
        else { return }
        throw .unsupportedFormat(
            "the device cannot render to 32-bit float textures, which conversions of colours and 10-bit targets need")
    }

    /// Converts a source of the host into a texture of the pool.
    func converted(
        _ input: Execution.InputConversion, to encoding: ColorEncoding, window: Rect, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        try fromDrawing { () throws(DrawingError) in try limits.check(window, "the image") }
        let target = try take(window.size(Self.convertedFormat), in: gl)
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
        try convert(output.draw, from: .own(result), to: .host(output.target, stored: nil), patience, in: gl)
    }

    /// Draws a conversion. A target that is a part of a texture keeps its other pixels.
    func convert(
        _ draw: ConversionDraw, from input: DrawInput, to target: DrawTarget, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let entry = entry(target.format, .copy)
        try fromGL { () throws(GLError) in
            try input.bind(unit: .inputImage, in: gl)
            try begin(target, entry, covers: true, in: gl)
        }
        try cover(
            draw.parts, at: target.placement, entry, patience, hasStages: true, isForHost: true, in: gl
        ) { (_, gl) throws(GLError) in
            let program = try programs.program(.conversion(draw.key), entry, in: gl)
            try program.use(draw.uniforms, in: gl)
            return program
        }
        try fromGL { () throws(GLError) in
            try finishStores(in: gl)
            try gl.checkErrors(after: "converting colours")
        }
    }
}
