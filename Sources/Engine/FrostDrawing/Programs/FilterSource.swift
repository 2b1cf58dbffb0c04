import FrostCore

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
        var files = ["common.glsl", "filter.frag"] + key.draw.files
        if key.outputStages != nil {
            constants += outputStagesLists.flatMap(\.cases) + OutputStagesUniforms.sizes
            files += ["filter.corners.glsl", "filter.output.glsl"]
        }
        return assemble(
            extensionLine: key.extensionLine,
            constants: constants.texts + (key.draw.filter?.definitions ?? []) + key.stageDefinitions, files)
    }
}
