import FrostCore
import FrostShaders

/// Builds the GLSL source for the driver. The constants that Swift and the shaders share are defined only here.
enum ProgramSource {
    private static let version = "#version 300 es\n"
    /// The line that enables the GL extension for external textures.
    static let externalExtension = "#extension GL_OES_EGL_image_external_essl3 : require\n"

    /// A Swift enumeration whose cases the shader knows as constants named `PREFIX_CASE`. The shader has a branch for
    /// each case.
    struct SharedList {
        let prefix: String
        let cases: [(name: String, value: Int)]

        init<Case: CaseIterable>(_ prefix: String, _ type: Case.Type, value: (Case) -> Int) {
            self.init(prefix, Array(type.allCases), value: value)
        }

        /// Creates a list of some cases, for a shader that needs only these.
        init<Case>(_ prefix: String, _ cases: [Case], value: (Case) -> Int) {
            self.prefix = prefix
            self.cases = cases.map { ("\(prefix)_\($0)".uppercased(), value($0)) }
        }
    }

    /// The enumerations that filter.frag uses.
    static let filterLists = [
        SharedList("DRAW", DrawKind.Branch.self) { $0.rawValue },
        SharedList("EDGE", EdgeMode.self) { Int($0.shaderCode) },
        SharedList("STORE", OutputEncoding.self) { Int($0.rawValue) },
    ]

    /// The enumerations that filter.output.glsl uses.
    static let outputStagesLists = [
        SharedList("STAGE", ColorStageKind.self) { Int($0.rawValue) },
        SharedList("MASK", MaskKind.self) { Int($0.rawValue) },
        SharedList("SETTLE", ProgramKey.Settling.self) { $0.rawValue },
        SharedList("CORNER", CornerKind.self) { Int($0.rawValue) },
    ]

    static var vertex: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe version + String(cString: frost_shader_fullscreen_vert())
    }

    /// Returns the source of a fragment shader.
    ///
    /// - Parameter weights: the size of the uniform block of taps, in floats; a multiple of 4.
    static func fragment(_ key: ProgramKey, weights: Int) -> String {
        var constants: [(name: String, value: Int)] =
            key.switches + filterLists.flatMap(\.cases) + EdgeRule.shaderFlags + [("TAP_VECTORS", weights / 4)]
            + commonConstants
        var shaders = [common, filter]
        if key.outputStages != nil {
            constants += outputStagesLists.flatMap(\.cases) + OutputStagesUniforms.sizes
            shaders += [corners, outputStages]
        }
        return assemble(
            extensionLine: key.extensionLine,
            constants: constants.texts + (key.draw.filter?.definitions ?? []) + key.stageDefinitions,
            shaders)
    }

    /// Returns the source of a shader that consists of several files.
    static func assemble(
        extensionLine: String = "", constants: [(name: String, value: String)], _ files: [String]
    ) -> String {
        let definitions = constants.map { "#define \($0.name) \($0.value)\n" }.joined()
        // With `#line 1`, the line numbers in the driver's messages match those of the shader file.
        return version + extensionLine + definitions + files.map { "#line 1\n" + $0 }.joined()
    }

    /// The text of filter.frag, without the definitions in front.
    static var filter: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_filter_frag())
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

    /// The text of common.glsl.
    static var common: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_common_glsl())
    }

    /// The constant of common.glsl.
    static let commonConstants: [(name: String, value: Int)] = [("DITHER_PERIOD", Dither.period)]

    /// A fragment shader that reads no texture.
    static let black = version + "layout(location = 0) out highp vec4 result;\nvoid main() { result = vec4(0.0); }\n"
}

extension [(name: String, value: Int)] {
    /// The constants with the text of their values.
    var texts: [(name: String, value: String)] { map { ($0.name, "\($0.value)") } }
}

extension EdgeMode {
    /// The shader's constant EDGE_… for this edge mode: its index in the list of cases.
    var shaderCode: Int32 { Int32(Self.allCases.prefix { $0 != self }.count) }
}
