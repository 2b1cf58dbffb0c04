import FrostCore
import FrostShaders

/// Builds the GLSL source for the driver. The constants that Swift and the shaders share are defined only in Swift.
package enum ProgramSource {
    private static let version = "#version 300 es\n"
    private static let computeVersion = "#version 310 es\n"
    private static let imageFormatsExtension = "#extension GL_NV_image_formats : require\n"
    /// The line that enables the GL extension for external textures.
    static let externalExtension = "#extension GL_OES_EGL_image_external_essl3 : require\n"

    /// A Swift enumeration whose cases the shader knows as constants named `PREFIX_CASE`. The shader has a branch for
    /// each case.
    package struct SharedList: Sendable {
        package let prefix: String
        package let cases: [(name: String, value: Int)]

        package init<Case: CaseIterable>(_ prefix: String, _ type: Case.Type, value: (Case) -> Int) {
            self.init(prefix, Array(type.allCases), value: value)
        }

        /// Creates a list of some cases, for a shader that needs only these.
        package init<Case>(_ prefix: String, _ cases: [Case], value: (Case) -> Int) {
            self.prefix = prefix
            self.cases = cases.map { ("\(prefix)_\($0)".uppercased(), value($0)) }
        }
    }

    /// Returns the text of a shader file, without the definitions in front.
    static func text(_ file: String) -> String {
        // SAFETY: the function returns a static string that ends in NUL, or NULL if there is no such file.
        guard let text = unsafe frost_shader(file) else { preconditionFailure("there is no shader \(file)") }
        return unsafe String(cString: text)
    }

    package static var vertex: String { version + text("fullscreen.vert") }

    /// Identifies the text of the shaders that blurs use.
    package static var identity: String {
        let files = ["entry", "common", "straight", "filter", "filter.pass", "filter.unrolled"].map { "\($0).glsl" }
        return FNVHash(of: files.flatMap { Array(text($0).utf8) }).hexadecimal
    }

    /// Returns the source of a shader that consists of entry.glsl and other files.
    ///
    /// - Parameter limits: the size of the groups of compute shaders.
    static func assemble(
        _ entry: ShaderEntry, _ limits: DrawLimits, extensionLine: String = "",
        constants: [(name: String, value: String)], _ files: [String]
    ) -> ShaderSource {
        let (stage, head): (ShaderSource.Stage, String)
        let entryConstants: [(name: String, value: String)]
        switch entry {
        case .fragment:
            (stage, head) = (.fragment, version + extensionLine)
            entryConstants = [("COMPUTE", "0")]
        case .compute(let format):
            let formats = format.needsExtension ? imageFormatsExtension : ""
            (stage, head) = (.compute, computeVersion + formats + extensionLine)
            entryConstants = [
                ("COMPUTE", "1"), ("GROUP_WIDTH", "\(limits.group.x)"), ("GROUP_HEIGHT", "\(limits.group.y)"),
                ("IMAGE_FORMAT", format.rawValue),
            ]
        }
        let definitions = (entryConstants + constants).map { "#define \($0.name) \($0.value)\n" }.joined()
        // With `#line 1`, the line numbers in the driver's messages match those of the shader file.
        return ShaderSource(
            stage: stage, text: head + definitions + (["entry.glsl"] + files).map { "#line 1\n" + text($0) }.joined())
    }

    /// The constant of common.glsl.
    static let commonConstants: [(name: String, value: Int)] = [("DITHER_PERIOD", Dither.period)]

    /// Returns a shader that reads no texture.
    package static func black(_ stage: ShaderSource.Stage) -> ShaderSource {
        let text =
            switch stage {
            case .fragment:
                version + "layout(location = 0) out highp vec4 result;\nvoid main() { result = vec4(0.0); }\n"
            case .compute:
                """
                \(computeVersion)layout(local_size_x = 1) in;
                layout(rgba8, binding = 0) writeonly uniform highp image2D resultImage;
                void main() { imageStore(resultImage, ivec2(0), vec4(0.0)); }

                """
            }
        return ShaderSource(stage: stage, text: text)
    }
}

extension [(name: String, value: Int)] {
    /// The constants with the text of their values.
    package var texts: [(name: String, value: String)] { map { ($0.name, "\($0.value)") } }
}
