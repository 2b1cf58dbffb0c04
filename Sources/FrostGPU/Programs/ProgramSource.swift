import FrostCore
import FrostShaders

/// GLSL as the driver gets it. The constants that Swift and the shaders share are written here and nowhere else.
enum ProgramSource {
    private static let version = "#version 300 es\n"

    /// A list of Swift and its values in the shader: `PREFIX_CASE`. The shader has a branch for each of them.
    struct SharedList {
        let prefix: String
        let cases: [(name: String, value: Int)]

        init<Case: CaseIterable>(_ prefix: String, _ type: Case.Type, value: (Case) -> Int) {
            self.prefix = prefix
            cases = type.allCases.map { ("\(prefix)_\($0)".uppercased(), value($0)) }
        }
    }

    /// Those of filter.frag.
    static let filterLists = [
        SharedList("DRAW", DrawKind.self) { $0.rawValue },
        SharedList("EDGE", EdgeMode.self) { Int($0.shaderCode) },
        SharedList("STORE", OutputEncoding.self) { Int($0.rawValue) },
    ]

    /// Those of filter.output.glsl.
    static let outputStagesLists = [
        SharedList("STAGE", ColorStageKind.self) { Int($0.rawValue) },
        SharedList("MASK", MaskKind.self) { Int($0.rawValue) },
    ]

    static var vertex: String {
        // SAFETY: a static string that ends in NUL.
        unsafe version + String(cString: frost_shader_fullscreen_vert())
    }

    /// - Parameter weights: the size of the block of taps, in floats, a multiple of 4.
    static func fragment(_ key: ProgramKey, weights: Int) -> String {
        var constants = key.switches + filterLists.flatMap(\.cases) + [("TAP_VECTORS", weights / 4)]
        var shaders = [filter]
        if key.outputStages != nil {
            constants += outputStagesLists.flatMap(\.cases) + OutputStagesUniforms.sizes
            shaders.append(outputStages)
        }
        let definitions = constants.map { "#define \($0.name) \($0.value)\n" }.joined()
        // The driver's messages then count lines as the file does.
        return version + key.extensionLine + definitions + shaders.map { "#line 1\n" + $0 }.joined()
    }

    /// filter.frag as it stands.
    static var filter: String {
        // SAFETY: a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_frag())
    }

    /// filter.output.glsl as it stands.
    static var outputStages: String {
        // SAFETY: a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_output_glsl())
    }

    static func probe(isPattern: Bool) -> String {
        // SAFETY: a static string that ends in NUL.
        unsafe version + "#define PATTERN \(isPattern ? 1 : 0)\n#line 1\n" + String(cString: frost_shader_probe_frag())
    }
}

extension EdgeMode {
    /// The shader's constant EDGE_…: the place in the list of cases.
    var shaderCode: Int32 { Int32(Self.allCases.prefix { $0 != self }.count) }
}
