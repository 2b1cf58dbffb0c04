import FrostCore
import FrostShaders

extension ProgramSource {
    /// The enumerations that filter.frag uses.
    static let filterLists = [
        SharedList("EDGE", EdgeMode.self) { Int($0.shaderCode) },
        SharedList("STORE", OutputEncoding.self) { Int($0.rawValue) },
    ]

    /// The enumerations that filter.output.glsl uses.
    static let outputStagesLists = [
        SharedList("STAGE", ColorStageKind.self) { Int($0.rawValue) },
        SharedList("MASK", MaskKind.self) { Int($0.rawValue) },
        SharedList("SETTLE", SampleTraits.Rounding.self) { $0.rawValue },
        SharedList("CORNER", CornerKind.self) { Int($0.rawValue) },
    ]

    /// Returns the source of a fragment shader.
    ///
    /// - Parameter weights: the size of the uniform block of taps, in floats; a multiple of 4.
    package static func fragment(_ key: ProgramKey, weights: Int) -> String {
        var constants: [(name: String, value: Int)] =
            key.switches + filterLists.flatMap(\.cases) + EdgeRule.shaderFlags + [("TAP_VECTORS", weights / 4)]
            + commonConstants
        var texts = [common, filter] + key.draw.files.map(drawText)
        if key.outputStages != nil {
            constants += outputStagesLists.flatMap(\.cases) + OutputStagesUniforms.sizes
            texts += [corners, outputStages]
        }
        return assemble(
            extensionLine: key.extensionLine,
            constants: constants.texts + (key.draw.filter?.definitions ?? []) + key.stageDefinitions, texts)
    }

    /// The text of filter.frag, without the definitions in front.
    static var filter: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_frag())
    }

    /// Returns the text of a file `NAME.glsl` that a kind of draw adds to filter.frag.
    static func drawText(_ name: String) -> String {
        // SAFETY: the function returns a static string that ends in NUL, or NULL if there is no such file.
        guard let text = unsafe frost_shader_draw(name) else { preconditionFailure("there is no shader \(name)") }
        return unsafe String(cString: text)
    }

    /// The text of filter.corners.glsl, without the definitions in front.
    static var corners: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_corners_glsl())
    }

    /// The text of filter.output.glsl, without the definitions in front.
    static var outputStages: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_output_glsl())
    }
}
